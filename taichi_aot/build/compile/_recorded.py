"""The contents of a module that records a program: fields, kernels for the types of their calls, graphs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from .._archs import FIELD, IMPL, MATRIX, STRUCT, TI, TYPES
from .._options import LayoutError, SourceError
from ..source._kernels import describe_type, is_method, primal, source_place
from ..source._program import ZeroFloat, ZeroInt
from ..source._recorder import MAX_INSTANCES, RecordedCall, Recorder, is_plain
from ..source._source import Export, is_of_source
from ._module import Builder

DEPTH = 3  # of lists and objects in variables, in which fields are found
LISTED = 10  # kernels
OUTSIDE = (
    "its file {} is not the program's: move it into the program's folder, or add its folder to sys.path in the program"
)
OF_TAICHI = "Taichi's own kernel, which {} launches: write a kernel that does the same"
OWN_PREFIX = re.compile(r"^(kernel|field|graph) \w+( \([^)]*\))?: ")


class Contents:
    """The contents that a program gives to a module; names are the same in every run.

    `variables`: the variables of the program, which has run. `recorder`: what it called. `exports`: kernels with a
    decorator. `skipped`: names of kernels, fields and graphs that are not added.
    """

    def __init__(
        self,
        variables: Mapping[str, Any],
        recorder: Recorder,
        exports: Sequence[Export],
        fields: Sequence[tuple[str, Any]],
        graphs: Mapping[str, Any],
        skipped: Iterable[str],
        ended: str,
    ) -> None:
        self._taken: dict[str, str] = {}
        self._left_out: dict[str, str] = {}
        self._layout_error = ""
        self._is_partial = False
        self._ended = ended  # the reason why the program ended early; empty if it ran to its end
        self._names = {*(name for name, _ in fields), *(export.name for export in exports)}
        self._instances: dict[str, RecordedCall] = {}
        self._first: dict[str, str] = {}  # the first instance of the same kernel, by the names of later ones
        self._find_kernels(variables, recorder, exports)
        self._graphs = {self._free_name(name): graph for name, graph in graphs.items()}  # the graphs in its variables
        for graph in recorder.graphs:
            if not any(graph is each for each in graphs.values()):
                self._graphs[self._free_name("graph")] = graph
        self._variables = variables
        self._unnamed: dict[str, Any] = {}  # objects without a variable, by their names
        self._fields: dict[str, Any] = {}  # fields that it exports by name
        self._find_fields(fields, variables, recorder)

        for found in (self._fields, self._instances, self._graphs):
            for name in found.keys() & set(skipped):
                del found[name]

    @property
    def size(self) -> int:
        return len(self._fields) + len(self._instances) + len(self._graphs)

    def add_to(self, module: Builder) -> None:
        for name, field in self._fields.items():
            self._add_field(module, name, field)
        for name, instance in self._instances.items():
            self._add_kernel(module, name, instance)
        for name, graph in self._graphs.items():
            self._add(name, module.add_graph, name, graph)

    def report(self) -> dict[str, Any]:
        """Return the report for the parent process.

        ``taken`` and ``left_out``: how kernels are compiled, and why others, fields and graphs are not, by name.
        ``layout_error``: the reason why kernels cannot use fields on the arch, or an empty text. ``is_partial``:
        whether a field was added in part, so that the module cannot be used. ``ended``: why the program ended early.
        """
        return {
            "taken": self._taken,
            "left_out": self._left_out,
            "layout_error": self._layout_error,
            "is_partial": self._is_partial,
            "ended": self._ended,
        }

    def _add_field(self, module: Builder, name: str, field: Any) -> None:
        try:
            module.add_field(name, field, contents=True)
        except LayoutError as error:
            self._layout_error = self._left_out[name] = _reason(error)
        except Exception as error:
            self._left_out[name] = _reason(error)
            self._is_partial = True

    def _add_kernel(self, module: Builder, name: str, instance: RecordedCall) -> None:
        function = SimpleNamespace(_primal=instance.kernel, _kernel_owner=instance.owner)
        if self._add(name, module.add_kernel, function, instance.types, name, shapes=instance.shapes):
            values = self._values(instance)
            self._taken[name] = _describe(instance, values)
            if values:
                parameters = [each.name for each in instance.kernel.arguments]
                module.state_instance(self._first.get(name, name), parameters, values)

    def _values(self, instance: RecordedCall) -> dict[str, Any]:
        """Return the template arguments of an instance as modules state them."""
        kernel, owner, types, _ = instance
        values = {kernel.arguments[0].name: self._name_of(owner)} if owner is not None else {}
        return values | {
            each.name: self._state(types[each.name])
            for each in kernel.arguments
            if isinstance(each.annotation, TI.template) and each.name in types
        }

    def _state(self, value: Any) -> Any:
        if isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, np.generic):
            return cast("Any", value).item()
        name = next((name for name, field in self._fields.items() if field is value), "")
        return name or self._name_of(value)

    def _name_of(self, value: Any) -> str:
        """Return the variable of the program that has an object, or the object's type, as its fields are named."""
        found = next((name for name, each in self._variables.items() if each is value), "")
        if not found and not any(each is value for each in self._unnamed.values()):
            found, number = type(value).__name__, 1
            while found in self._unnamed:
                number += 1
                found = f"{type(value).__name__}_{number}"
            self._unnamed[found] = value
        return found or next(name for name, each in self._unnamed.items() if each is value)

    def _add(self, name: str, add: Callable[..., None], *arguments: Any, **named: Any) -> bool:
        """Return whether a call succeeds; record the reason if not."""
        try:
            add(*arguments, **named)
        except Exception as error:
            self._left_out[name] = _reason(error)
        return name not in self._left_out

    def _free_name(self, name: str) -> str:
        """Take a name, or NAME_2, NAME_3 and so on if it is taken."""
        found, number = name, 1
        while found in self._names:
            number += 1
            found = f"{name}_{number}"
        self._names.add(found)
        return found

    def _find_kernels(self, variables: Mapping[str, Any], recorder: Recorder, exports: Sequence[Export]) -> None:
        exported = [primal(export.function) for export in exports]
        for export, kernel in zip(exports, exported, strict=True):
            self._instances[export.name] = RecordedCall(kernel, None, export.template_types, export.shapes)
        more: list[tuple[str, RecordedCall]] = []
        for kernel in sorted(_source_kernels(), key=lambda each: int(each.kernel_counter)):
            if kernel in exported:
                continue
            instances = [call for call in recorder.calls if call.kernel is kernel]
            name = self._free_name(kernel.func.__name__)
            if kernel.grad in recorder.gradients:
                self._left_out[f"{name}.grad"] = "it is a gradient, which a module does not have"
            if kernel in recorder.excess:
                self._left_out[f"{name}_{MAX_INSTANCES + 1}"] = (
                    f"{name} is called for more than {MAX_INSTANCES} sets of types and values"
                )
            if not instances:
                owner = _owner(kernel, [*variables.values(), *(call.owner for call in recorder.calls)])
                reason = _why_unknown(kernel, owner)
                if reason:
                    self._left_out[name] = reason
                    continue
                instances = [RecordedCall(kernel, owner, {})]
            self._instances[name] = instances[0]
            more += [(name, instance) for instance in instances[1:]]
        for name, instance in more:
            own = self._free_name(name)
            self._instances[own], self._first[own] = instance, name
        for name, file in recorder.outside.items():
            self._left_out[self._free_name(name)] = OUTSIDE.format(file)
        for name, line in recorder.of_taichi.items():
            self._left_out[self._free_name(name)] = OF_TAICHI.format(line)

    def _find_fields(self, fields: Sequence[tuple[str, Any]], variables: Mapping[str, Any], recorder: Recorder) -> None:
        self._fields.update(fields)
        roots: list[tuple[str, Any]] = [*variables.items()]
        for call in recorder.calls:
            if call.owner is not None:
                roots.append((type(call.owner).__name__, call.owner))
            roots += call.types.items()
        for name, _, field in _fields_in(roots):
            if not any(field is each for each in self._fields.values()):
                self._fields[self._free_name(name)] = field
        trees = {tree for field in self._fields.values() for tree in _trees(field)}
        for variable in recorder.variables:
            field = FIELD.ScalarField(variable)
            if not trees.issuperset(_trees(field)):  # kernels need a field of each tree
                trees.update(_trees(field))
                self._fields[self._free_name("field")] = field


def _describe(instance: RecordedCall, stated: Mapping[str, Any]) -> str:
    """Return the place of a kernel, and its object, types and values; `stated` are those of `Instance.values`."""
    place = source_place(instance.kernel)
    values = {name: value for name, value in stated.items() if name not in instance.types}
    for name, value in instance.types.items():
        values[name] = _describe_value(value) or stated.get(name, f"a {type(value).__name__}")
    text = ", ".join(f"{name} = {value}" for name, value in values.items())
    return ": ".join([f"{place.file}, line {place.line}", *filter(None, [text])])


def _describe_value(value: Any) -> str:
    if isinstance(value, (ZeroInt, ZeroFloat)):
        return f"{value!r}, as all that is read"
    if is_plain(value):
        return repr(value)
    return describe_type(value) if isinstance(value, TYPES.ndarray) else ""


def _source_kernels() -> list[Any]:
    """Return the kernels that the source defines, without their gradients."""
    kernels = IMPL.get_runtime().kernels
    return [each for each in kernels if each.grad is not None and is_of_source(each.func.__code__.co_filename)]


def list_kernels() -> str:
    """Return the places and names of the first kernels of a source, which was imported."""
    places = [(source_place(kernel), kernel.func.__name__) for kernel in _source_kernels()]
    more = f" and {len(places) - LISTED} more" if len(places) > LISTED else ""
    return ", ".join(f"{place.file}:{place.line} {name}" for place, name in places[:LISTED]) + more


def _untyped(kernel: Any) -> list[str]:
    """Return the parameters whose types or values only a call shows."""
    return [
        argument.name
        for argument in kernel.arguments[is_method(kernel) :]
        if isinstance(argument.annotation, TI.template)
        or (
            isinstance(argument.annotation, TYPES.ndarray)
            and None in (argument.annotation.dtype, argument.annotation.ndim)
        )
    ]


def _why_unknown(kernel: Any, owner: Any) -> str:
    """Return the reason why a kernel that was never called cannot be compiled; empty if it can."""
    if is_method(kernel) and owner is None:
        return "it is a method that is never called, of no known object"
    untyped = _untyped(kernel)
    if untyped and kernel.compiled_kernels:
        return "only graphs call it"
    return f"it is never called, which would show the type of {', '.join(untyped)}" if untyped else ""


def _owner(kernel: Any, values: Sequence[Any]) -> Any:
    """Return a value that has a kernel as a method, or None."""
    for value in values:
        kinds = type(value).__mro__ if is_method(kernel) else ()
        methods: list[Any] = [each for kind in kinds for each in vars(kind).values()]
        if any(getattr(each, "_primal", None) is kernel for each in methods):
            return value
    return None


def export_lines(variables: Mapping[str, Any]) -> dict[int, str]:
    """Return a line of a source for each tree of fields in its variables: it exports a field of the tree."""
    lines: dict[int, str] = {}
    for name, expression, field in _fields_in(variables.items()):
        for tree in _trees(field):
            lines.setdefault(tree, f'export_field("{name}", {expression})')
    return lines


def _fields_in(values: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, str, Any]]:
    """Yield the fields in values and in the lists and objects in them, with names and expressions."""
    for name, value in values:
        yield from _fields_of(name, name, value, DEPTH)


def _fields_of(name: str, expression: str, value: Any, depth: int) -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, FIELD.ScalarField | MATRIX.MatrixField | STRUCT.StructField):
        yield name, expression, value
    elif depth:
        for key, each in _parts(value):
            part = f".{key}" if isinstance(key, str) else f"[{key}]"
            yield from _fields_of(f"{name}_{key}", f"{expression}{part}", each, depth - 1)


def _parts(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, list | tuple):
        yield from enumerate(cast("Sequence[Any]", value))
    elif is_of_source(getattr(getattr(type(value).__init__, "__code__", None), "co_filename", "<")):
        yield from vars(cast("object", value)).items()


def _trees(field: Any) -> set[int]:
    if isinstance(field, STRUCT.StructField):
        return {tree for key in field.keys for tree in _trees(field.get_member_field(key))}
    nodes = [variable.ptr.snode() for variable in field.vars] if isinstance(field, FIELD.Field) else []
    return {node.get_snode_tree_id() for node in nodes if node is not None}


def _reason(error: Exception) -> str:
    """Return the reason why something cannot be compiled, in a line."""
    if isinstance(error, SourceError):
        return f"{error.place}: {error.reason}"
    return " ".join(OWN_PREFIX.sub("", str(error).strip()).split())
