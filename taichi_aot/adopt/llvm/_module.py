"""Reader of LLVM modules (x64, arm64, CUDA): ``metadata.tcb``, ``graphs.tcb`` and a ``.ll`` file per kernel.

The library reads these files without checks and crashes on damaged ones, so this reader is strict: every length is
compared with the remaining bytes, trailing bytes are errors, and the version must be the library's.

Taichi's binary files (``.tcb``) have numbers, strings, lists and types one after the other, without padding.
``metadata.tcb`` states the kernels of a module and the memory for its fields. Values are read with their positions in
the file, so that a copy can replace them.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from ...bundle._files import CODE_SUFFIX, LLVM_GRAPHS, LLVM_METADATA
from ...bundle._info import FieldInfo, KernelInfo, ModuleInfo, ResultLayout, TaskInfo
from ...values._errors import CorruptedDataError
from ...values._numbers import Arch
from ...values._signature import Parameter, Signature
from ..taichi._native import LIBRARY_VERSION, check_llvm_version
from ..taichi._plans import check_listed, in_listed_order, make_graphs, name_parameters, visible_kernels
from ..taichi._types import (
    Argument,
    GraphArgument,
    Graphs,
    Member,
    Nothing,
    Pointer,
    Primitive,
    Struct,
    Tensor,
    Type,
    has_gradient,
    laid_out,
    make_parameters,
    make_returns,
    return_dtype,
    without_offsets,
)
from ._ir import facts_of, written_arguments

NOTHING, PRIMITIVE, POINTER, TENSOR, STRUCT = -1, 0, 1, 2, 3  # kinds of types
MAX_TYPE_DEPTH = 16
U8, U16, I32, U64 = map(struct.Struct, ("<B", "<H", "<i", "<Q"))
MAX_ALIKE = 16  # items that are remembered of those that begin with the same bytes

T = TypeVar("T")


class Reader:
    """Little-endian, no padding; a string is a u64 length and bytes, a list a u64 count and items."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        self.position = 0
        self._read: dict[tuple[str, bytes], list[tuple[bytes, Any]]] = {}

    def error(self, text: str) -> CorruptedDataError:
        return CorruptedDataError(f"{self.name}: {text} at byte {self.position}")

    def numbers(self, layout: struct.Struct) -> tuple[int, ...]:
        """Read numbers that stand one after the other."""
        try:
            values = layout.unpack_from(self.data, self.position)
        except struct.error:
            raise self.error("the file ends too early") from None
        self.position += layout.size
        return values

    def boolean(self) -> bool:
        (value,) = self.numbers(U8)
        if value > 1:
            raise self.error(f"a boolean is {value}")
        return value == 1

    def u16(self) -> int:
        return self.numbers(U16)[0]

    def i32(self) -> int:
        return self.numbers(I32)[0]

    def u64(self) -> int:
        return self.numbers(U64)[0]

    def string(self) -> str:
        size = self.u64()
        if size > len(self.data) - self.position:
            raise self.error(f"a string of {size} bytes does not fit")
        raw = self.data[self.position : self.position + size]
        self.position += size
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            raise self.error("a string is not UTF-8") from None
        if "\0" in text:
            raise self.error("a string holds a NUL")
        return text

    def list_of(self, item: Callable[[], T], smallest: int) -> list[T]:
        """Read a list whose items take at least `smallest` bytes each."""
        count = self.u64()
        if count * smallest > len(self.data) - self.position:
            raise self.error(f"a list of {count} items does not fit")
        return [item() for _ in range(count)]

    def once(self, what: str, item: Callable[[], T]) -> T:
        """Read an item, once of several with the same bytes. It must not have positions in the file."""
        start = self.position
        alike = self._read.setdefault((what, self.data[start : start + 64]), [])
        for data, known in alike:
            if self.data.startswith(data, start):
                self.position += len(data)
                result: T = known
                return result
        new = item()
        if len(alike) < MAX_ALIKE:
            alike.append((self.data[start : self.position], new))
        return new

    def integers(self) -> list[int]:
        return self.list_of(self.i32, 4)

    def start(self) -> None:
        size = self.u64()
        if size != len(self.data):
            raise CorruptedDataError(f"{self.name}: its header states {size} bytes, but it has {len(self.data)}")

    def end(self) -> None:
        if self.position != len(self.data):
            raise self.error("bytes trail")


def read_type(reader: Reader, depth: int = 0) -> Type:
    if depth > MAX_TYPE_DEPTH:
        raise reader.error("types are nested too deeply")
    kind = reader.i32()
    if kind == NOTHING:
        return Nothing()
    if kind == PRIMITIVE:
        primitive = reader.i32()
        if not 0 <= primitive <= 13:
            raise reader.error(f"unknown primitive type {primitive}")
        return Primitive(primitive)
    if kind == POINTER:
        target = read_type(reader, depth + 1)
        reader.i32()  # address space
        reader.boolean()
        return Pointer(target)
    if kind == TENSOR:
        shape = tuple(reader.integers())
        if any(size < 1 for size in shape):
            raise reader.error(f"a tensor has the shape {shape}")
        return Tensor(shape, read_type(reader, depth + 1))
    if kind == STRUCT:
        return _read_struct(reader, depth + 1)
    raise reader.error(f"unknown kind of type {kind}")


def _read_struct(reader: Reader, depth: int) -> Struct:
    """Read a struct, without the number that identifies it as one."""

    def member() -> Member:
        type_ = read_type(reader, depth)
        return Member(reader.string(), offset=reader.u64(), type=type_)

    members = reader.list_of(member, 20)
    reader.string()  # layout
    return Struct(tuple(members))


def encode_type(type_: Type) -> bytes:
    """Return a type as `read_type` reads it."""
    if isinstance(type_, Primitive):
        return struct.pack("<ii", PRIMITIVE, type_.number)
    if isinstance(type_, Pointer):
        return struct.pack("<i", POINTER) + encode_type(type_.target) + struct.pack("<i?", 0, False)
    assert isinstance(type_, Struct)
    return (
        struct.pack("<iQ", STRUCT, len(type_.members))
        + b"".join(map(encode_member, type_.members))
        + encode_string("none")
    )


def encode_member(member: Member) -> bytes:
    """Return a member of a struct as `_read_struct` reads it."""
    return encode_type(member.type) + encode_string(member.name) + struct.pack("<Q", member.offset)


def encode_string(text: str) -> bytes:
    """Return a string as `Reader.string` reads it."""
    return struct.pack("<Q", len(text.encode())) + text.encode()


def with_header(data: bytes) -> bytes:
    """Return the contents of a file after the number of its bytes."""
    return struct.pack("<Q", len(data) + 8) + data


# ``metadata.tcb``, the metadata of an LLVM module: its kernels and the memory for its fields.


FAMILY: Literal["llvm"] = "llvm"
MAX_FIELD_TREES = 512  # length of the array of their roots
MAX_SNODES = 1024  # length of the array of their lists of elements
MAX_FIELD_BYTES = 2**62
FIELDS_AT = 22  # position of the list of field trees in the metadata
DENSE_KINDS = {0, 1, 6}  # of nodes: root, dense, place
LAUNCH, SIZE_AND_TIMES = struct.Struct("<3i"), struct.Struct("<3Q")
TASK_KIND = re.compile(r"_kernel_\d+_(\w+?)$")  # after the kernel's name and the task's number


class Span(NamedTuple):
    """A part of the file; `length` is that of the list, if it is one."""

    start: int
    end: int
    length: int = 0


class Place(NamedTuple):
    """The position of an argument's type, and the argument's offset in the struct."""

    start: int
    end: int
    offset: int


class Layout(NamedTuple):
    """The return values and the argument struct of a kernel, whose positions count from the start of this part."""

    return_types: list[Type]
    return_type: Type
    return_size: int
    returns_end: int
    struct: Struct  # of the arguments
    places: list[Place]
    members: Span
    size_at: int
    size: int


class Checked(NamedTuple):
    """What follows from the arguments and the layout of a kernel."""

    parameters: tuple[Parameter, ...]
    returns: tuple[str, ...]
    gradients: set[int]  # the arguments that have one
    returned: Struct
    return_dtype: np.dtype[Any] | None


class StatedKernel(NamedTuple):
    """A kernel as the file states it, with the parts of the file that can be changed."""

    key: str
    arguments: list[tuple[Argument, Type]]
    arguments_span: Span
    tasks: tuple[Task, ...]
    times: Span
    layout_at: int
    layout: Layout


class Kernel(NamedTuple):
    """A kernel that has been checked."""

    stated: StatedKernel
    checked: Checked

    @property
    def key(self) -> str:
        return self.stated.key


class Task(NamedTuple):
    """A task, the position of its name in the file, and its bytes of shared memory."""

    info: TaskInfo
    start: int
    end: int
    shared: int


class FieldTree(NamedTuple):
    """The memory for a tree of fields, and the numbers of its nodes if all of them are dense."""

    key: int
    size: int
    dense_nodes: frozenset[int]


def _read_argument(reader: Reader) -> tuple[Argument, Type]:
    index = tuple(reader.integers())
    is_array, is_argpack = reader.boolean(), reader.boolean()
    total_dim = reader.u64()
    reader.i32()  # texture format
    type_ = reader.once("type", lambda: read_type(reader))
    if reader.boolean() != has_gradient(type_):
        raise reader.error("an argument and its type disagree on whether it has a gradient")
    elem_shape = tuple(reader.integers())
    ptype = reader.i32()
    ndim = total_dim - len(elem_shape)
    name = f"arg{index[0]}" if len(index) == 1 else ""
    return Argument(index, name, ptype, is_array, is_argpack, ndim, elem_shape), type_


def _read_task(reader: Reader) -> Task:
    start = reader.position
    name = reader.string()
    end = reader.position
    block, grid, shared = reader.numbers(LAUNCH)
    kind = TASK_KIND.search(name)
    return Task(TaskInfo(name, kind[1] if kind else "", grid, block, grid * block), start, end, shared)


def read_kernel(reader: Reader) -> StatedKernel:
    """Read a kernel without checking it."""
    key = reader.string()
    if reader.string() != key:
        raise reader.error(f"kernel {key!r} is stored under another name")
    start = reader.position
    arguments = reader.once("arguments", lambda: reader.list_of(lambda: _read_argument(reader), 37))
    arguments_span = Span(start, reader.position, len(arguments))
    tasks = tuple(reader.list_of(lambda: _read_task(reader), 20))
    reader.numbers(SIZE_AND_TIMES)
    times = Span(reader.position - 16, reader.position)  # of creation, of last use
    start = reader.position
    layout = reader.once("layout", lambda: _read_layout(reader))
    return StatedKernel(key, arguments, arguments_span, tasks, times, start, layout)


def _read_layout(reader: Reader) -> Layout:
    base = reader.position
    return_types = reader.list_of(lambda: read_type(reader), 4)
    return_type = read_type(reader)
    return_size = reader.u64()
    returns_end = reader.position - base
    if reader.i32() != STRUCT:
        raise reader.error("the arguments of a kernel are not a struct")
    places: list[Place] = []

    def member() -> Member:
        start = reader.position - base
        type_ = reader.once("type", lambda: read_type(reader))
        end = reader.position - base
        result = Member(reader.string(), offset=reader.u64(), type=type_)
        places.append(Place(start, end, result.offset))
        return result

    members_at = reader.position - base
    struct = Struct(tuple(reader.list_of(member, 20)))
    members = Span(members_at, reader.position - base, len(struct.members))
    reader.string()  # layout
    size_at = reader.position - base
    size = reader.u64()
    return Layout(return_types, return_type, return_size, returns_end, struct, places, members, size_at, size)


def _check_kernel(stated: StatedKernel) -> Checked:
    where, layout = f"{LLVM_METADATA}: kernel {stated.key!r}", stated.layout
    returned, struct = layout.return_type, layout.struct
    if not isinstance(returned, Struct) or [without_offsets(m.type) for m in returned.members] != layout.return_types:
        raise CorruptedDataError(f"{where}: its return struct does not match its return values")
    returns = make_returns(where, returned, layout.return_size, FAMILY)
    parameters = make_parameters(where, [argument for argument, _ in stated.arguments], struct, layout.size, FAMILY)
    if struct != laid_out(struct):
        raise CorruptedDataError(f"{where}: its argument struct is not where its code expects it")
    for argument, type_ in stated.arguments:
        if len(argument.position) == 1 and type_ != without_offsets(struct.members[argument.position[0]].type):
            raise CorruptedDataError(f"{where}: its argument struct does not match its arguments")
    gradients = {i for i, member in enumerate(struct.members) if has_gradient(member.type)}
    return Checked(parameters, returns, gradients, returned, return_dtype(returned))


def read_metadata(where: str, data: bytes) -> tuple[list[FieldTree], list[Kernel]]:
    """Read and check the metadata of a module."""
    reader = Reader(LLVM_METADATA, data)
    reader.start()
    check_llvm_version(where, (reader.u16(), reader.u16(), reader.u16()))
    reader.u64()  # size of the cache from which the module was written

    def snode_number() -> int:
        number = reader.i32()
        if not 0 <= number < MAX_SNODES:
            raise reader.error(f"a node of a tree of fields has the number {number}")
        return number

    def snode() -> tuple[int, int]:
        number, kind = snode_number(), reader.i32()
        reader.u64()
        reader.u64()
        return number, kind

    def field_tree() -> FieldTree:
        key = reader.i32()
        if reader.i32() != key or not 0 <= key < MAX_FIELD_TREES:
            raise reader.error(f"a tree of fields has the number {key}")
        snode_number()
        size = reader.u64()
        if not 1 <= size <= MAX_FIELD_BYTES:
            raise reader.error(f"a tree of fields has {size} bytes")
        kinds = dict(reader.list_of(snode, 24))
        return FieldTree(key, size, frozenset(kinds if DENSE_KINDS.issuperset(kinds.values()) else ()))

    fields = reader.list_of(field_tree, 28)
    if len({field.key for field in fields}) != len(fields):
        raise reader.error("a tree of fields occurs twice")
    checked: dict[tuple[int, int], Checked] = {}  # by arguments and layout, which many kernels share

    def kernel() -> Kernel:
        stated = read_kernel(reader)
        key = id(stated.arguments), id(stated.layout)
        if key not in checked:
            checked[key] = _check_kernel(stated)
        return Kernel(stated, checked[key])

    kernels = reader.list_of(kernel, 80)
    reader.end()
    return fields, kernels


# Reader of LLVM modules (x64, arm64, CUDA): ``metadata.tcb``, ``graphs.tcb`` and a ``.ll`` file per kernel.


LISTED_NODE = re.compile(r"listgen_S(\d+)")  # the kind of a task that makes a list of nodes
TEXT_METADATA = "metadata.json"  # the same for human readers, in no format that parsers know
NUMBERED = ("scalar", "matrix", "ndarray")  # kinds of parameters that have the number of the argument
TIMES = re.compile(rb'("(?:created|last_used)_at": )\d+')
# Limits of a launch on CUDA: blocks, threads of a block, bytes of shared memory.
MAX_GRID, MAX_BLOCK, MAX_SHARED = 2**31 - 1, 1024, 1 << 20


class LlvmContents(NamedTuple):
    """The checked contents of an LLVM module's files: the memory for fields, the kernels and the graphs."""

    fields: list[FieldTree]
    kernels: list[Kernel]
    graphs: Graphs

    def kernel_without_lists(self) -> str:
        """Return the name of a kernel that needs lists of nodes that the library does not make; empty if none does.

        The library makes them for trees with sparse nodes. Loops over other trees use them if they were compiled with
        ``ti.init(demote_dense_struct_fors=False)``, and end the process.
        """
        dense = {number for tree in self.fields for number in tree.dense_nodes}
        for kernel in self.kernels:
            listed = [LISTED_NODE.match(task.info.kind) for task in kernel.stated.tasks]
            if any(match and int(match[1]) in dense for match in listed):
                return kernel.key
        return ""

    def without_traces(self, files: Mapping[str, bytes]) -> dict[str, bytes]:
        """Remove the times of compilation and uninitialized numbers from files; see `_make.pack_module`."""
        data = bytearray(files[LLVM_METADATA])
        for kernel in self.kernels:
            times = kernel.stated.times
            data[times.start : times.end] = bytes(16)
        changed = {LLVM_METADATA: bytes(data), LLVM_GRAPHS: encode_graphs(self.graphs)}
        if TEXT_METADATA in files:
            changed[TEXT_METADATA] = TIMES.sub(rb"\g<1>0", files[TEXT_METADATA])
        return {**files, **changed}


def read(where: str, files: Mapping[str, bytes]) -> tuple[ModuleInfo, LlvmContents]:
    """Read and check an LLVM module; return its contents, and what its files state in detail."""
    fields, raw_kernels = read_metadata(where, files[LLVM_METADATA])
    kernels: dict[str, KernelInfo] = {}
    found: set[Arch] = set()
    for raw in raw_kernels:
        name = f"{raw.key}{CODE_SUFFIX}"
        if raw.key in kernels:
            raise CorruptedDataError(f"{where}: kernel {raw.key!r} occurs twice in {LLVM_METADATA}")
        if name not in files:
            raise CorruptedDataError(f"{where}: the code of kernel {raw.key!r} is missing ({name})")
        facts = facts_of(name, files[name])
        found.add(facts.arch)
        if facts.arch is Arch.CUDA:
            _check_tasks(raw.stated)
        kernels[raw.key] = KernelInfo(
            _signature(raw, facts.gradients, written_arguments(files[name])),
            tuple(task.info for task in raw.stated.tasks),
            facts.threads,
            facts.trees,
            checked=facts.checked,
            result=None if raw.checked.return_dtype is None else ResultLayout(raw.checked.return_dtype),
        )
    if len(found) > 1:
        raise CorruptedDataError(f"{where}: its kernels are for several archs: {', '.join(map(str, sorted(found)))}")
    content = files.get("__content__")
    check_listed(where, kernels, content)
    if LLVM_GRAPHS not in files:
        raise CorruptedDataError(f"{where}: {LLVM_GRAPHS} is missing")
    raw_graphs = read_graphs(files[LLVM_GRAPHS])
    graphs = make_graphs(where, LLVM_GRAPHS, raw_graphs, kernels)
    kernels = name_parameters(kernels, graphs)
    trees = sorted(fields, key=lambda field: field.key)
    info = ModuleInfo(
        family=FAMILY,
        archs=tuple(found),
        taichi=".".join(map(str, LIBRARY_VERSION)),
        kernels=in_listed_order(visible_kernels(kernels, graphs, content), content),
        graphs=graphs,
        all_kernels=kernels,
        fields=tuple(FieldInfo(f"tree {field.key}") for field in fields),
        has_fields=bool(fields),
        field_trees=tuple(field.key for field in trees),
        tree_sizes=tuple(field.size for field in trees),
    )
    return info, LlvmContents(fields, raw_kernels, raw_graphs)


def _check_tasks(kernel: StatedKernel) -> None:
    """Raise for a launch that no CUDA device can do: the library ends the process where the driver refuses it."""
    for info, _, _, shared in kernel.tasks:
        if not (1 <= info.grid <= MAX_GRID and 1 <= info.block <= MAX_BLOCK and 0 <= shared <= MAX_SHARED):
            raise CorruptedDataError(
                f"{LLVM_METADATA}: kernel {kernel.key!r}: {info.name} is a launch of {info.grid} blocks of "
                f"{info.block} threads with {shared} bytes of shared memory"
            )


def _signature(kernel: Kernel, gradients: frozenset[int], written: frozenset[int] | None) -> Signature:
    """Return the signature of a kernel, with the arrays marked that its code only reads, and whose gradients it uses.

    The arguments that it might write to are known by their numbers, if packs do not change these.
    """
    checked = kernel.checked
    parameters = checked.parameters
    if checked.gradients:
        used = checked.gradients & gradients
        parameters = tuple(parameter._replace(grad=i in used) for i, parameter in enumerate(parameters))
    if written is not None and all(each.kind in NUMBERED for each in parameters):
        parameters = tuple(
            each._replace(access="r") if each.kind == "ndarray" and i not in written else each
            for i, each in enumerate(parameters)
        )
    return Signature(kernel.key, parameters, checked.returns)


def read_graphs(data: bytes) -> Graphs:
    """Read the graphs, which are not checked against the kernels yet."""
    reader = Reader(LLVM_GRAPHS, data)
    reader.start()

    def argument() -> GraphArgument:
        name, dtype, ndim, tag = reader.string(), reader.i32(), reader.u64(), reader.i32()
        elem_shape = tuple(reader.integers())
        reader.u64()  # number of channels: uninitialized except for textures
        return GraphArgument(name, tag, dtype, ndim, elem_shape)

    def dispatch() -> tuple[str, list[GraphArgument]]:
        return reader.string(), reader.list_of(argument, 40)

    def graph() -> tuple[str, list[tuple[str, list[GraphArgument]]]]:
        return reader.string(), reader.list_of(dispatch, 16)

    graphs = reader.list_of(graph, 16)
    reader.end()
    return graphs


def encode_graphs(graphs: Graphs) -> bytes:
    """Return graphs as `read_graphs` reads them, with 0 in place of the numbers that are uninitialized."""
    parts = [struct.pack("<Q", len(graphs))]
    for name, dispatches in graphs:
        parts += [encode_string(name), struct.pack("<Q", len(dispatches))]
        for kernel, arguments in dispatches:
            parts += [encode_string(kernel), struct.pack("<Q", len(arguments)), *map(_encode_argument, arguments)]
    return with_header(b"".join(parts))


def _encode_argument(a: GraphArgument) -> bytes:
    shape = struct.pack(f"<Q{len(a.elem_shape)}i", len(a.elem_shape), *a.elem_shape)
    return encode_string(a.name) + struct.pack("<iQi", a.dtype, a.ndim, a.tag) + shape + struct.pack("<Q", 0)
