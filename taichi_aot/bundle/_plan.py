"""``plan.json``: what a module states, and everything that launches of its kernels need.

`taichi_aot.build` writes it beside Taichi's own files. For modules with only those, `taichi_aot.adopt` makes the
same. Loading a module parses it once; a signature, a type or a launch is made when its kernel is looked up.

What stands in it is trusted like the code beside it (SECURITY.md), as far as this process is concerned: an offset may
be wrong, but nothing here or in C follows one out of bounds, and what has another form is CorruptedDataError.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast, get_args

import numpy as np

from ..values._enums import Arch, DataType
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
from ..values._signature import Parameter, ParameterKind, Signature, usable_names
from ._files import PLAN
from ._formats import read_json
from ._source import Files, SourceFiles, code_digest

if TYPE_CHECKING:
    import numpy.typing as npt

FORMAT = 2
LOOP = 5  # the place in a task of how its loop is compiled, if it has one, to machine code
VECTORS = "vectors"  # it computes several elements at once
MAX_ROOT_BYTES = (1 << 63) - 1
DAMAGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, struct.error)

FORM = {
    "plan": int,
    "family": str,
    "archs": list,
    "device": dict,
    "has_fields": bool,
    "field_trees": list,
    "tree_sizes": list,
    "fields": list,
    "kernels": dict,
    "graphs": dict,
    "refused": str,
    "source": dict,
    "library": dict,
    "code": dict,
    "ptx": dict,
    "cubins": list,
    "seed": int,
}
OPTIONAL = {"code", "ptx", "cubins", "seed"}

# What records of it have, by key: the type of a value, and of the items of a list.
Form = Mapping[str, tuple[type, type | None]]
TEXT, NUMBER, FLAG, RECORD = (str, None), (int, None), (bool, None), (dict, None)
TEXTS, NUMBERS, RECORDS, LISTS = (list, str), (list, int), (list, dict), (list, list)
LIBRARY: Form = {"names": TEXTS, "results": TEXTS, "gradients": TEXTS, "files": RECORD, "edits": RECORD}
MODULE: Form = {"field_trees": NUMBERS, "files": TEXTS, "taichi": TEXT, "compiler": TEXT}
KERNEL: Form = (
    dict.fromkeys(("doc", "file", "grad", "names_of"), TEXT)
    | dict.fromkeys(("cpu_threads", "draws", "line"), NUMBER)
    | dict.fromkeys(("checked", "gradients"), FLAG)
    | dict.fromkeys(("repeats", "tasks"), LISTS)
    | {"parameters": RECORDS, "returns": TEXTS, "trees": NUMBERS, "launch": RECORD, "result": RECORD}
)
GRAPH: Form = {"parameters": RECORDS, "returns": TEXTS, "doc": TEXT, "dispatches": LISTS, "inherits": FLAG}
LAUNCH: Form = dict.fromkeys(("bytes", "returns"), NUMBER) | {
    "library": TEXT,
    "arguments": LISTS,
    "tasks": RECORDS,
    "needs": TEXTS,
    "trees": NUMBERS,
}
PARAMETER: Form = dict.fromkeys(("name", "kind", "dtype", "access", "format"), TEXT) | {
    "ndim": NUMBER,
    "elem_shape": NUMBERS,
    "grad": FLAG,
    "shape": (list, None),
}
FIELD: Form = {
    **dict.fromkeys(("name", "get", "set", "gather", "scatter"), TEXT),
    **dict.fromkeys(("shape", "elem_shape"), NUMBERS),
}
RUNTIME: Form = dict.fromkeys(("size", "temporaries", "random_threads"), NUMBER) | {"members": RECORD, "needs": TEXTS}

DATA_TYPES = {str(each): each for each in DataType}
ARCHS = {str(each): each for each in Arch}
KINDS = get_args(ParameterKind)
OF_ARGUMENTS = (ArgumentTypeError, ArgumentOutOfRangeError, InvalidArgumentError, NameNotFoundError)

# Numbers in the code that the library is given, in whose place each process writes addresses of its own and the number
# of the kernel, which its failures are noted under. The first one is stated, and the others follow it.
TOKENS = ("pool", "roots", "kernel", "lock", "message", "arguments", "task", "part", "leave", "number", "random")

Item = TypeVar("Item")
Raw = dict[str, Any]  # an object of JSON
Loop = tuple[int, int, int]  # the tasks from one to another, and the parameter of the number that ends it
MOST_BYTES = 1 << 20  # of a struct or matrix that a kernel takes or returns; real ones have hundreds
MOST_NUMBER = (1 << 31) - 1
MOST_NDIM = 255


class ResultLayout(NamedTuple):
    """The layout of a kernel's return values in memory, and their types in Python."""

    size: int  # bytes of the memory, a multiple of 4
    stored: np.dtype[Any]  # the memory as the kernel writes it: a struct with a field for each return value
    dtype: np.dtype[Any]  # the same fields as Python gets them

    def reader(self, memory: npt.NDArray[np.uint8]) -> Callable[[], Any]:
        """Return a function that returns what `memory`, an array of `size` bytes, contains at that time."""
        fields = memory.view(self.stored).reshape(())
        parts = [(fields[name], self.dtype[name].base) for name in self.dtype.names or ()]
        if len(parts) == 1:
            part, dtype = parts[0]
            # Of a number without dimensions, this is a copy: a scalar.
            is_number = part.dtype == dtype and not part.ndim and part.dtype.names is None
            return partial(part.__getitem__, ()) if is_number else lambda: _copy(part, dtype)
        return lambda: tuple([_copy(part, dtype) for part, dtype in parts])


def _copy(part: npt.NDArray[Any], dtype: np.dtype[Any]) -> Any:
    copy = part.astype(dtype)
    return copy if copy.ndim else copy[()]


class Plan:
    """The plan of a module; see the documentation of this file."""

    def __init__(self, where: str, stated: Raw, files: Files) -> None:
        self.where = where  # the name of the module, for messages
        self.stated = stated  # the contents of ``plan.json``
        self.files = files
        self.family: str = stated["family"]  # ``"llvm"`` or ``"gfx"``
        # kernels, graphs: what is stated of each kernel, also of those that only graphs and fields use, and of each
        # graph, by name.
        self.kernels: dict[str, Raw] = stated["kernels"]
        self.graphs: dict[str, Raw] = stated["graphs"]
        # The kernels that users look up.
        self.public: dict[str, Raw] = {name: self.kernels[name] for name in stated["public"]}
        self._signatures: dict[str, Signature] = {}

    def damaged(self, what: str, reason: str) -> CorruptedDataError:
        """Return the exception for a part that has another form than expected."""
        return CorruptedDataError(f"{self.where}: {PLAN}: {what} is damaged ({reason}): copy or build the module again")

    @property
    def archs(self) -> tuple[Arch, ...]:
        """The archs that can run it; empty for an LLVM module without kernels."""
        return tuple([ARCHS[name] for name in self.stated["archs"]])

    @property
    def has_fields(self) -> bool:
        """Whether it has memory for fields."""
        return bool(self.stated["has_fields"])

    @property
    def has_library_files(self) -> bool:
        """Whether the C library can load the module; without, its own code makes all launches."""
        return bool(self.stated["library"]["names"])

    def read(self, what: str, make: Callable[[], Item]) -> Item:
        """Return a function's result for the plan; CorruptedDataError if the plan has another form."""
        try:
            return make()
        except DAMAGE as error:
            # Whatever is wrong with an argument here was stated by the plan.
            if isinstance(error, TaichiError) and not isinstance(error, OF_ARGUMENTS):
                raise
            raise self.damaged(what, f"{type(error).__name__}: {error}"[:200]) from None

    def signature(self, name: str, *, is_graph: bool = False) -> Signature:
        key = f"graph {name}" if is_graph else name
        if key not in self._signatures:
            stated = self.graphs if is_graph else self.kernels
            self._signatures[key] = self.read(f"the signature of {name!r}", lambda: self._signature(name, stated[name]))
        return self._signatures[key]

    def _signature(self, name: str, raw: Raw) -> Signature:
        stated: list[Raw] = raw["parameters"]
        _check_records(self, (f"{name!r}: parameter", enumerate(stated), PARAMETER))
        parameters = tuple([_parameter(each) for each in stated])
        names = [each.name for each in parameters]
        if any("." in each for each in names) and not usable_names(*names):
            raise CorruptedDataError(f"{name!r} has the parameters {', '.join(names)}")
        signature = Signature(name, parameters, tuple(raw.get("returns", ())))
        shapes = {each.name: each.shape for each in parameters if each.shape}
        if shapes:
            signature.with_shapes(shapes)  # raises for one that cannot be stated
        return signature

    def signatures(self, *, is_graph: bool = False) -> Mapping[str, Signature]:
        """Return the signatures of public kernels or graphs, each created on access."""
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
                for kernel, names in self.graphs[graph]["dispatches"]
            ],
        )

    def returned(self, name: str) -> np.dtype[Any] | None:
        """Return the types of a kernel's return values, as a struct; None if it has none, or numpy lacks one."""
        raw = self.kernels[name].get("result")
        return None if raw is None else self.read(f"the result of {name!r}", lambda: read_dtype(raw["value"]))

    def layout(self, name: str) -> ResultLayout | None:
        """Return the layout of a kernel's return values; None if it has none, or they cannot be read."""
        raw = self.kernels[name].get("result")
        layout = None if raw is None else self.read(f"the result of {name!r}", lambda: _result(raw))
        if layout is None:
            return None
        if layout.stored.itemsize != layout.size or layout.stored.names != layout.dtype.names:
            raise self.damaged(f"the result of {name!r}", "its parts contradict each other")
        return layout

    def passed(self, *, has_code: bool) -> tuple[dict[str, Raw], frozenset[str]]:
        """Return the kernels whose return values are in an array, and those that are passed gradients.

        `has_code` is whether machine code or PTX is used where there is some.
        """
        return self.read("its list of kernels", lambda: self._passed(has_code=has_code))

    def _passed(self, *, has_code: bool) -> tuple[dict[str, Raw], frozenset[str]]:
        library = self.stated["library"]
        results: dict[str, Raw] = {}
        gradients: list[str] = []
        for name, raw in self.kernels.items():
            has_own = has_code and "library" not in raw["launch"]
            if "stored" in raw.get("result", ()) and (has_own or name in library["results"]):
                results[name] = raw
            if has_own and raw.get("gradients"):
                gradients.append(name)
        return results, frozenset([*gradients, *library["gradients"]])

    def repeats(self, name: str) -> tuple[Loop, ...]:
        """Return the tasks that a kernel repeats, those of outer loops first."""
        stated: Any = self.kernels[name].get("repeats", ())
        return self.read(f"the list of loops of {name!r}", lambda: tuple([self._repeat(name, each) for each in stated]))

    def _repeat(self, name: str, raw: Any) -> Loop:
        begin, end, condition = map(operator.index, raw)
        if not 0 <= begin < end <= len(self.kernels[name]["tasks"]):
            raise self.damaged(f"the list of loops of {name!r}", f"it has no tasks from {begin} to {end}")
        number = self.signature(name).parameters[condition]
        if condition < 0 or (number.kind, number.dtype, number.ndim) != ("ndarray", DataType.I32, 0):
            raise self.damaged(f"the list of loops of {name!r}", f"{number.name} is no array of one i32")
        return begin, end, condition

    def dispatched(self, name: str, *, is_graph: bool) -> list[str]:
        """Return the kernels that a kernel or graph launches."""
        return [kernel for kernel, _ in self.graphs[name]["dispatches"]] if is_graph else [name]

    def why_by_library(self, name: str, *, is_graph: bool) -> str:
        """Return why only the library can launch a kernel or graph; empty if the plan states its launches."""
        for kernel in self.dispatched(name, is_graph=is_graph):
            raw = self.kernels[kernel]
            reason: str = "a gradient" if is_graph and raw.get("gradients") else raw["launch"].get("library", "")
            if reason:
                return f"kernel {kernel}: {reason}" if is_graph else reason
        return ""

    def why_scalar(self, name: str, *, is_graph: bool) -> str:
        """Return why a loop of a kernel or graph, the first that has no vectors in machine code, has none; or ""."""
        kernels = self.dispatched(name, is_graph=is_graph)
        return self.read(
            f"the tasks of {name!r}",
            lambda: next(
                (
                    str(task[LOOP])
                    for kernel in kernels
                    for task in self.kernels[kernel]["tasks"]
                    if task[LOOP:] not in ([], [VECTORS])
                ),
                "",
            ),
        )

    def library_files(self, names: Sequence[str] = (), *, has_code: bool = False) -> dict[str, bytes]:
        """Return files for the library, by default all, with tokens for addresses; `has_code`: of machine code with
        fields.
        """
        return self.read("its copy for the library", lambda: self._library_files(names, has_code=has_code))

    def _library_files(self, names: Sequence[str], *, has_code: bool) -> dict[str, bytes]:
        library = self.stated["library"]
        own = {name: library["files"].get(name, name) for name in names or library["names"]}
        files = self.files.read(list(own.values()))
        found = {name: files[file] for name, file in own.items()}
        for edits in ("edits", "roots")[: 1 + has_code]:
            for name in library[edits].keys() & found.keys():
                found[name] = edited(found[name], library[edits][name])
        return found


def edited(data: bytes, edits: Sequence[tuple[int, int, Sequence[str]]]) -> bytes:
    """Return text with lines replaced; each edit has the first line, the one after the last, and the new ones."""
    lines = data.split(b"\n")
    for first, end, text in reversed(edits):
        lines[first:end] = [line.encode() for line in text]
    return b"\n".join(lines)


def parse_plan(source: SourceFiles) -> Plan:
    where, data = source.where, source.contents[PLAN]
    try:
        stated: Any = read_json(data)
        if b"\\u" in data:
            import json

            json.dumps(stated, ensure_ascii=False).encode()  # raises for half a surrogate pair, which no text has
        version = stated["plan"]
        if type(version) is int and version != FORMAT:
            remedy = "upgrade taichi_aot" if version > FORMAT else "build it again"
            raise IncompatibleModuleError(
                f"{where}: {PLAN} has the format {version}, and this version of the package reads {FORMAT}: {remedy}"
            )
        files = source.contents.only(stated["files"])
        lost = next(iter(set(stated["files"]) - files.sizes.keys()), "")
        if lost:
            raise CorruptedDataError(f"{where}: {lost} is missing, which {PLAN} names: copy or build the module again")
        if files.is_folder:
            check_plan(source, stated, files)
        plan = Plan(where, stated, files)
        _check_form(plan)
        source.check_archs(stated["archs"])
        return plan
    except DAMAGE as error:
        if isinstance(error, TaichiError):
            raise
        reason = f"{type(error).__name__}: {error}"[:200]
        raise CorruptedDataError(f"{where}: {PLAN} is damaged ({reason}): copy or build the module again") from None


def _check_form(plan: Plan) -> None:
    """Raise unless what is read of a plan at any time has the types that it should have; `Plan.read` does the rest."""
    for key, wanted in FORM.items():
        if (key in plan.stated or key not in OPTIONAL) and type(plan.stated[key]) is not wanted:
            raise plan.damaged(repr(key), f"it is no {wanted.__name__}")
    trees, sizes = plan.stated["field_trees"], plan.stated["tree_sizes"]
    are_sizes = set(map(type, sizes)) <= {int} and 0 <= min(sizes, default=0) <= max(sizes, default=0) <= MAX_ROOT_BYTES
    if len(trees) != len(sizes) or not are_sizes:
        raise plan.damaged("'tree_sizes'", "no buffers have these sizes")
    if plan.family not in ("llvm", "gfx"):
        raise plan.damaged("'family'", f"it is {plan.family!r:.80}")
    _ = list(map(ARCHS.__getitem__, plan.stated["archs"]))
    fields: list[Raw] = plan.stated["fields"]
    launches = [(name, raw["launch"]) for name, raw in plan.kernels.items()]
    runtime: Raw | None = plan.stated.get("runtime")
    _check_records(
        plan,
        ("the module", [(plan.where, plan.stated)], MODULE),
        ("the copy for", [("library", plan.stated["library"])], LIBRARY),
        ("kernel", plan.kernels.items(), KERNEL),
        ("graph", plan.graphs.items(), GRAPH),
        ("the launch of", launches, LAUNCH),
        ("field", enumerate(fields), FIELD),
        ("the struct", [("runtime", runtime)] if runtime else (), RUNTIME),
    )
    _ = plan.stated["library"]["names"]
    for raw in plan.graphs.values():
        _ = [(plan.kernels[kernel], "".join(names)) for kernel, names in raw["dispatches"]]
    if runtime and not 0 <= runtime["members"]["roots"] <= runtime["size"] - 8 <= MOST_BYTES:
        raise plan.damaged("the struct 'runtime'", f"its roots leave its {runtime['size']} bytes")


def _check_records(plan: Plan, *kinds: tuple[str, Iterable[tuple[object, Raw]], Form]) -> None:
    """Raise unless the values of records have the types that are stated for them, and sizes that memory can have."""
    for what, records, form in kinds:
        for name, raw in records:
            for key in form.keys() & raw.keys():
                value: Any = raw[key]
                kind, item = form[key]
                found = cast("object", type(value))
                items: list[Any] = value if item is not None and found is list else []
                numbers = [value] if kind is int else items if item is int else []
                is_typed = found is kind and set(map(type, items)) <= {item}
                if not is_typed or (numbers and not 0 <= min(numbers) <= max(numbers) <= MOST_NUMBER):
                    raise plan.damaged(f"{key!r} of {what} {name!r}", f"it is {value!r:.80}")


def check_plan(source: SourceFiles, stated: Raw, files: Files) -> None:
    """Raise CorruptedDataError if a plan, or one of the module's other files, is not as it was written."""
    text = source.contents[PLAN].replace(stated["digest"].encode(), b"", 1)
    if stated["digest"] != digest_of(text, files):
        raise CorruptedDataError(
            f"{source.where}: its files are not those that {PLAN} was made for: copy or build the module again"
        )


def digest_of(text: bytes, files: Files) -> str:
    """Return SHA-256 of a plan, whose text has an empty one, and of the module's other files."""
    return code_digest(text + files.digest)


def _parameter(raw: Raw) -> Parameter:
    made = Parameter(
        raw["name"],
        raw["kind"],
        DATA_TYPES[raw["dtype"]] if "dtype" in raw or raw["kind"] in ("scalar", "matrix", "ndarray") else None,
        raw.get("ndim", 0),
        tuple(raw.get("elem_shape", ())),
        raw.get("access", ""),
        raw.get("format", ""),
        raw.get("grad", False),
        tuple(raw.get("shape", ())),
        read_dtype(raw["layout"]) if "layout" in raw else None,
    )
    if made.kind not in KINDS or made.ndim > MOST_NDIM or 0 in made.elem_shape:
        raise ValueError(f"{made.name}: {made.kind} of {made.ndim} dimensions with elements of shape {made.elem_shape}")
    size = 8 * math.prod(made.elem_shape) * (made.kind == "matrix") if made.layout is None else made.layout.itemsize
    if size > MOST_BYTES:
        raise ValueError(f"{made.name}: a {made.kind} of {size} bytes")
    return made


def _result(raw: Raw) -> ResultLayout | None:
    if "stored" not in raw:
        return None
    layout = ResultLayout(raw["size"], read_dtype(raw["stored"]), read_dtype(raw["value"]))
    size = max(layout.stored.itemsize, layout.dtype.itemsize)
    if size > MOST_BYTES:
        raise ValueError(f"it has {size} bytes")
    return layout


def read_dtype(stated: Any) -> np.dtype[Any]:
    """Return the numpy type that `describe_dtype` describes."""
    if isinstance(stated, str):
        dtype = np.dtype(stated)
        if dtype.kind not in "biuf":
            raise TypeError(f"{stated} is no type of numbers")
        return dtype
    if isinstance(stated, list):
        element, shape = cast("tuple[Any, list[int]]", stated)
        return np.dtype((read_dtype(element), tuple(shape)))
    names, formats, offsets = zip(*stated["fields"], strict=True)
    parts: Any = {
        "names": names,
        "formats": list(map(read_dtype, formats)),
        "offsets": offsets,
        "itemsize": stated["size"],
    }
    return np.dtype((np.record, np.dtype(parts))) if stated["record"] else np.dtype(parts)
