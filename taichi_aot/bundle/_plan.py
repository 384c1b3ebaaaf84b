"""``plan.json``: what a module states, and everything that launches of its kernels need.

`taichi_aot.build` writes it beside Taichi's own files. For modules with only those, `taichi_aot.adopt` makes the
same. Loading a module parses it once; a kernel of it is decoded when it is looked up.

What stands in it is trusted like the code beside it (SECURITY.md), as far as this process is concerned: an offset may
be wrong, but nothing here or in C follows one out of bounds, and what has another form is CorruptedDataError.

A graph inherits shapes from its kernels. Each dispatch has symbols of its own. Dimensions and scalars of the graph that
one symbol of a dispatch stands for are equal, and so are those that share one dimension or scalar across dispatches.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias, TypeVar

from ..values._errors import (
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    CorruptedDataError,
    IncompatibleModuleError,
    InvalidArgumentError,
    NameNotFoundError,
    TaichiError,
)
from ..values._items import MadeItems
from ..values._signature import Parameter, Signature
from ._bundle import SourceFiles
from ._codec import DAMAGE, Decoded, Record, damaged, decode, encode, part, read_json
from ._files import PLAN, Files, code_digest
from ._info import VECTORS, Edits, GraphInfo, KernelInfo, LaunchInfo, ModuleInfo, ResultLayout, RuntimeStruct, Stated

FORMAT = 2
OF_ARGUMENTS = (ArgumentTypeError, ArgumentOutOfRangeError, InvalidArgumentError, NameNotFoundError)

# Numbers in the code that the library is given, in whose place each process writes addresses of its own and the number
# of the kernel, which its failures are noted under. The first one is stated, and the others follow it.
TOKENS = ("pool", "roots", "kernel", "lock", "message", "arguments", "task", "part", "leave", "number", "random")

Item = TypeVar("Item")


class Passed(Record):
    """What launches of a kernel pass in addition to its arguments: memory for its return values, and gradients."""

    result: ResultLayout | None = None
    gradients: bool = False


class Plan:
    """A module to load: its statement and its files. `derive` makes the launch of a kernel that does not state it."""

    def __init__(
        self, where: str, info: ModuleInfo, files: Files, derive: Callable[[str], LaunchInfo] | None = None
    ) -> None:
        self.where = where  # the name of the module, for messages
        self.info = info
        self.files = files
        self.family = info.family
        # kernels, graphs: also those that only graphs and fields use; public: the kernels that users look up.
        self.kernels: Mapping[str, KernelInfo] = info.all_kernels
        self.public: Mapping[str, KernelInfo] = info.kernels
        self.graphs: Mapping[str, GraphInfo] = info.graphs
        self._derive = None if derive is None else cache(derive)

    def damaged(self, what: str, reason: str) -> CorruptedDataError:
        """Return the exception for a part that has another form than expected."""
        return CorruptedDataError(f"{self.where}: {PLAN}: {what} is damaged ({reason}): copy or build the module again")

    @property
    def has_library_files(self) -> bool:
        """Whether the C library can load the module; without, its own code makes all launches."""
        return bool(self.info.library.names)

    def read(self, what: str, make: Callable[[], Item]) -> Item:
        """Return a function's result for the plan; CorruptedDataError if what it states cannot be."""
        try:
            return make()
        except DAMAGE as error:
            # Whatever is wrong with an argument here was stated by the plan.
            if isinstance(error, TaichiError) and not isinstance(error, OF_ARGUMENTS):
                raise
            raise self.damaged(what, f"{type(error).__name__}: {error}"[:200]) from None

    def contents(self) -> ModuleInfo:
        """Return the statement, all of it decoded."""
        return self.read("its contents", self.info.whole)

    def launch(self, kernel: str) -> LaunchInfo:
        """Return the launch of a kernel, or why only the library makes it."""
        stated = self.kernels[kernel].launch
        if stated is None and self._derive is None:
            raise self.damaged(f"kernel {kernel!r}", "it states no launch")
        return stated or self._derive(kernel)  # type: ignore[misc]

    def runtime_struct(self) -> RuntimeStruct:
        """Return the struct of the runtime that its own code uses."""
        if self.info.runtime is None:
            raise self.damaged("runtime", "it is missing")
        return self.info.runtime

    def signature(self, name: str, *, is_graph: bool = False) -> Signature:
        return (self.graphs if is_graph else self.kernels)[name].signature

    def signatures(self, *, is_graph: bool = False) -> Mapping[str, Signature]:
        """Return the signatures of public kernels or graphs."""
        names = self.graphs if is_graph else self.public
        return MadeItems(names, lambda name: self.signature(name, is_graph=is_graph))

    def dispatches(self, graph: str) -> list[list[Parameter]]:
        """Return the parameters of each kernel that a graph dispatches, by the graph's names."""
        return self.read(
            f"graph {graph!r}",
            lambda: [
                [
                    parameter._replace(name=name)
                    for name, parameter in zip(names, self.signature(kernel).parameters, strict=True)
                ]
                for kernel, names in self.graphs[graph].dispatches
            ],
        )

    def layout(self, name: str) -> ResultLayout | None:
        """Return the layout of a kernel's return values; None if it has none, or they cannot be read."""
        result = self.kernels[name].result
        return None if result is None or result.stored is None else result

    def passed(self, name: str, *, has_code: bool) -> Passed:
        """Return what a kernel is passed; `has_code`: machine code or PTX is used where there is some."""
        library, layout, kernel = self.info.library, self.layout(name), self.kernels[name]
        can_pass = layout is not None or kernel.gradients
        has_own = has_code and can_pass and not self.launch(name).library
        result = layout if has_own or name in library.results else None
        return Passed(result, (has_own and kernel.gradients) or name in library.gradients)

    def dispatched(self, name: str, *, is_graph: bool = False) -> list[str]:
        """Return the kernels that a kernel or graph launches."""
        return [kernel for kernel, _ in self.graphs[name].dispatches] if is_graph else [name]

    def why_by_library(self, name: str, *, is_graph: bool = False) -> str:
        """Return why only the library can launch a kernel or graph; empty if the plan states its launches."""
        for kernel in self.dispatched(name, is_graph=is_graph):
            reason = "a gradient" if is_graph and self.kernels[kernel].gradients else self.launch(kernel).library
            if reason:
                return f"kernel {kernel}: {reason}" if is_graph else reason
        return ""

    def why_scalar(self, name: str, *, is_graph: bool) -> str:
        """Return why a loop of a kernel or graph, the first that has no vectors in machine code, has none; or ""."""
        tasks = [task for kernel in self.dispatched(name, is_graph=is_graph) for task in self.kernels[kernel].tasks]
        return next((task.loop for task in tasks if task.loop not in ("", VECTORS)), "")

    def library_files(self, names: Sequence[str] = (), *, has_code: bool = False) -> dict[str, bytes]:
        """Return files for the library, by default all, with tokens for addresses; `has_code`: of machine code with
        fields.
        """
        return self.read("its copy for the library", lambda: self._library_files(names, has_code=has_code))

    def _library_files(self, names: Sequence[str], *, has_code: bool) -> dict[str, bytes]:
        library = self.info.library
        own = {name: library.files.get(name, name) for name in names or library.names}
        files = self.files.read(list(own.values()))
        found = {name: files[file] for name, file in own.items()}
        for edits in (library.edits, library.roots)[: 1 + has_code]:
            for name in edits.keys() & found.keys():
                found[name] = edited(found[name], edits[name])
        return found

    def stated(self) -> dict[str, Any]:
        """Return what ``plan.json`` states, with an empty digest."""
        stated: dict[str, Any] = encode(Stated(FORMAT, self.info, tuple(sorted(self.files)), ""))
        return stated


def edited(data: bytes, edits: Edits) -> bytes:
    """Return text with lines replaced; each edit has the first line, the one after the last, and the new ones."""
    lines = data.split(b"\n")
    for first, end, text in reversed(edits):
        lines[first:end] = [line.encode() for line in text]
    return b"\n".join(lines)


def parse_plan(source: SourceFiles) -> Plan:
    """Read the plan of a module; CorruptedDataError if it is damaged."""
    where, data = f"{source.where}: {PLAN}", source.contents[PLAN]

    def refused(error: Exception) -> CorruptedDataError:
        return CorruptedDataError(damaged(error).message(where))

    try:
        raw: Any = read_json(data)
        if b"\\u" in data:
            import json

            json.dumps(raw, ensure_ascii=False).encode()  # raises for half a surrogate pair, which no text has
        number = part(raw, "plan", int)
        if number != FORMAT:
            remedy = "upgrade taichi_aot" if number > FORMAT else "build it again"
            raise IncompatibleModuleError(
                f"{where} has the format {number}, and this version of the package reads {FORMAT}: {remedy}"
            )
        stated = decode(Stated, raw)
        if isinstance(stated.module.all_kernels, Decoded):
            stated.module.all_kernels.damaged = lambda error: refused(error.within("kernels"))
        files = source.contents.only(stated.files)
        lost = next(iter(set(stated.files) - files.sizes.keys()), "")
        if lost:
            raise CorruptedDataError(
                f"{source.where}: {lost} is missing, which {PLAN} names: copy or build the module again"
            )
        if files.is_folder:
            check_files(source, stated.digest, files)
    except DAMAGE as error:
        if isinstance(error, TaichiError):
            raise
        raise refused(error) from None
    source.check_archs(list(map(str, stated.module.archs)))
    return Plan(source.where, stated.module, files)


def check_files(source: SourceFiles, digest: str, files: Files) -> None:
    """Raise CorruptedDataError if a plan, or one of the module's other files, is not as it was written."""
    text = source.contents[PLAN].replace(digest.encode(), b"", 1)
    if digest != digest_of(text, files):
        raise CorruptedDataError(
            f"{source.where}: its files are not those that {PLAN} was made for: copy or build the module again"
        )


def digest_of(text: bytes, files: Files) -> str:
    """Return SHA-256 of a plan, whose text has an empty one, and of the module's other files."""
    return code_digest(text + files.digest)


MANGLED = r"(.+)_c\d+_\d+"  # a graph's name of its instance of a kernel

# A number; a symbol of a dispatch, with its number; a scalar of the graph; a dimension of an array of the graph.
Node: TypeAlias = "int | tuple[int, str] | str | tuple[str, int]"


def inherit_shapes(info: ModuleInfo) -> ModuleInfo:
    """The module, with shapes for graphs that state none; ValueError if their kernels require different ones."""
    return info._replace(graphs={name: _with_shapes(graph, info) for name, graph in info.graphs.items()})


def _with_shapes(graph: GraphInfo, info: ModuleInfo) -> GraphInfo:
    if any(parameter.shape for parameter in graph.signature.parameters):
        return graph
    sets: dict[Node, list[Node]] = {}  # the nodes that are equal to a node, and itself
    for node, other in _equations(graph, info):
        first, second = (sets.setdefault(each, [each]) for each in (node, other))
        if first is not second:
            first += second
            sets |= dict.fromkeys(second, first)
    labels = _Labels(graph.signature, sets)
    parameters = tuple(labels.with_shape(parameter) for parameter in graph.signature.parameters)
    signature = graph.signature._replace(parameters=parameters)
    return graph._replace(signature=signature, inherits=signature != graph.signature)


def _equations(graph: GraphInfo, info: ModuleInfo) -> Iterator[tuple[Node, Node]]:
    """The pairs of nodes that are the same size."""
    for number, dispatch in enumerate(graph.dispatches):
        kernel = stated_kernel(dispatch.kernel, info)
        if kernel is None:
            continue
        argument_of = dict(zip((p.name for p in kernel.signature.parameters), dispatch.arguments, strict=True))
        for parameter in kernel.signature.parameters:
            for axis, size in enumerate(parameter.shape):
                own = argument_of.get(size, (number, size)) if isinstance(size, str) else size
                yield (argument_of[parameter.name], axis), own


def stated_kernel(name: str, info: ModuleInfo) -> KernelInfo | None:
    """Return the kernel; its shapes may be stated under its name outside the graph."""
    if name in info.kernels:
        return info.kernels[name]
    match = re.fullmatch(MANGLED, name)
    kernel = info.kernels.get(match[1]) if match else None
    return kernel if kernel is not None and same_types(kernel, info.all_kernels[name]) else None


class _Labels:
    """Numbers and symbols for the sets of a graph."""

    def __init__(self, signature: Signature, sets: Mapping[Node, list[Node]]) -> None:
        self._name = signature.name
        self._sets = sets
        self._taken = {parameter.name for parameter in signature.parameters}
        self._labels: dict[int, str | int] = {}  # by id of the set

    def with_shape(self, parameter: Parameter) -> Parameter:
        """The parameter with the shape that its dispatches state; they state all dimensions or none."""
        sets = [self._sets.get((parameter.name, axis), []) for axis in range(parameter.ndim)]
        if parameter.kind != "ndarray" or not all(sets):
            return parameter
        return parameter._replace(shape=tuple(self._label(parameter, nodes) for nodes in sets))

    def _label(self, parameter: Parameter, nodes: list[Node]) -> str | int:
        if id(nodes) not in self._labels:
            self._labels[id(nodes)] = self._new_label(parameter, nodes)
        return self._labels[id(nodes)]

    def _new_label(self, parameter: Parameter, nodes: list[Node]) -> str | int:
        numbers = sorted({node for node in nodes if isinstance(node, int)})
        if len(numbers) > 1:
            raise InvalidArgumentError(
                f"graph {self._name!r}: its kernels require {numbers[0]:,} and {numbers[1]:,} for a dimension of "
                f"{parameter.name!r}"
            )
        if numbers:
            return numbers[0]
        scalar = next((node for node in nodes if isinstance(node, str)), None)
        if scalar is not None:
            return scalar
        symbol = next(node[1] for node in nodes if isinstance(node, tuple) and isinstance(node[1], str))
        names = itertools.chain([symbol], (f"{symbol}{i}" for i in itertools.count(2)))
        label = next(name for name in names if name not in self._taken)
        self._taken.add(label)
        return label


def same_types(a: KernelInfo, b: KernelInfo) -> bool:
    """Whether the parameters of two kernels have the same types, in order."""
    return [p.type_name for p in a.signature.parameters] == [p.type_name for p in b.signature.parameters]
