"""Reader of LLVM modules (x64, arm64, CUDA): ``metadata.tcb``, ``graphs.tcb``, and the triple in the ``.ll`` files.

The library reads these files without a check and crashes on bad ones, so this reader is strict: every length is held
against the bytes that are left, nothing may trail, and the version must be the library's own.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from ..enums import Arch, DataType
from ..errors import CorruptedDataError, IncompatibleModuleError
from ..signature import Parameter, Signature
from . import LLVM_METADATA
from .argument_words import WORDS_PER_ARGUMENT, end_of_write, word_counts
from .info import (
    ARRAY_MEMBERS,
    PARAMETER_KINDS,
    FieldInfo,
    GraphArgument,
    KernelInfo,
    ModuleInfo,
    graph_words,
    make_graphs,
    matrix_shape,
    name_parameters,
    visible_kernels,
)

__all__ = ["read"]

METADATA = LLVM_METADATA
GRAPHS = "graphs.tcb"
VERSION = (1, 7, 4)  # the layout that the library reads; it crashes on that of 1.7.3

FAMILY: Literal["llvm"] = "llvm"
PRIMITIVE, STRUCT = 0, 3
MAX_TYPE_DEPTH = 16
MAX_ARGUMENT_BYTES = 1 << 20
ARCHS = {"x86_64": Arch.X64, "aarch64": Arch.ARM64, "arm64": Arch.ARM64, "nvptx64": Arch.CUDA}

# The runtime's parallel loop is called with the number of splits, then of threads.
CPU_THREADS = re.compile(rb"call void %\w+\(i8\* [^,]*, i32 [^,]*, i32 noundef (\d+), [^\n]*@cpu_parallel_\w+_task")
# Member 7 of the runtime is the array of the field trees' roots.
FIELD_ROOT = re.compile(rb"getelementptr inbounds %struct\.LLVMRuntime[.\d]*, [^\n]* i64 0, i32 7[,\s]")

T = TypeVar("T")


class _Reader:
    """Little-endian, no padding; a string is a u64 length and bytes, a list a u64 count and items."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        self.position = 0

    def error(self, text: str) -> CorruptedDataError:
        return CorruptedDataError(f"{self.name}: {text} at byte {self.position}")

    def _unpack(self, code: str, size: int) -> int:
        if self.position + size > len(self.data):
            raise self.error("the file ends too early")
        (value,) = struct.unpack_from(code, self.data, self.position)
        self.position += size
        return int(value)

    def u8(self) -> int:
        return self._unpack("<B", 1)

    def boolean(self) -> bool:
        value = self.u8()
        if value > 1:
            raise self.error(f"a truth value is {value}")
        return value == 1

    def u16(self) -> int:
        return self._unpack("<H", 2)

    def i32(self) -> int:
        return self._unpack("<i", 4)

    def u64(self) -> int:
        return self._unpack("<Q", 8)

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
        """A list whose items take at least `smallest` bytes each."""
        count = self.u64()
        if count * smallest > len(self.data) - self.position:
            raise self.error(f"a list of {count} items does not fit")
        return [item() for _ in range(count)]

    def integers(self) -> list[int]:
        return self.list_of(self.i32, 4)

    def start(self) -> None:
        size = self.u64()
        if size != len(self.data):
            raise CorruptedDataError(f"{self.name}: its header says {size} bytes, it has {len(self.data)}")

    def end(self) -> None:
        if self.position != len(self.data):
            raise self.error("bytes trail")


@dataclass
class _Type:
    """A type of the compiler: none, primitive, pointer, tensor or struct."""

    kind: str
    primitive: int = 13
    shape: tuple[int, ...] = ()
    element: _Type | None = None
    members: dict[str, _Type] = field(default_factory=dict)


I32_TYPE = _Type("primitive", DataType.I32)


def _read_type(reader: _Reader, depth: int = 0) -> _Type:
    if depth > MAX_TYPE_DEPTH:
        raise reader.error("types are nested too deeply")
    kind = reader.i32()
    if kind == -1:
        return _Type("none")
    if kind == PRIMITIVE:
        primitive = reader.i32()
        if not 0 <= primitive <= 13:
            raise reader.error(f"unknown primitive type {primitive}")
        return _Type("primitive", primitive)
    if kind == 1:
        element = _read_type(reader, depth + 1)
        reader.i32()  # address space
        reader.boolean()
        return _Type("pointer", element=element)
    if kind == 2:
        shape = tuple(reader.integers())
        return _Type("tensor", shape=shape, element=_read_type(reader, depth + 1))
    if kind == STRUCT:

        def member() -> tuple[str, _Type]:
            element = _read_type(reader, depth + 1)
            name = reader.string()
            reader.u64()  # offset
            return name, element

        members = dict(reader.list_of(member, 20))
        reader.string()  # layout
        return _Type("struct", members=members)
    raise reader.error(f"unknown kind of type {kind}")


@dataclass
class _Argument:
    index: int
    is_array: bool
    is_argpack: bool
    total_dim: int
    type: _Type
    elem_shape: tuple[int, ...]
    ptype: int


@dataclass
class _Member:
    """A member of the argument struct, and where its type stands in the file."""

    type: _Type
    offset: int
    start: int
    end: int


@dataclass
class _Kernel:
    """A kernel; `count_at`, `list_end` and `size_at` are where its argument struct can be changed."""

    key: str
    arguments: list[_Argument]
    tasks: int
    returns: list[_Type]
    members: list[_Member]
    count_at: int
    list_end: int
    size_at: int
    size: int


def _read_argument(reader: _Reader) -> _Argument:
    index = reader.integers()
    if len(index) != 1:
        raise reader.error("members of argument packs are not supported")
    is_array, is_argpack = reader.boolean(), reader.boolean()
    total_dim = reader.u64()
    reader.i32()  # texture format
    type_ = _read_type(reader)
    reader.boolean()  # needs a gradient
    elem_shape = tuple(reader.integers())
    return _Argument(index[0], is_array, is_argpack, total_dim, type_, elem_shape, reader.i32())


def _read_kernel(reader: _Reader) -> _Kernel:
    key = reader.string()
    if reader.string() != key:
        raise reader.error(f"kernel {key!r} stands under another name")
    arguments = reader.list_of(lambda: _read_argument(reader), 37)

    def task() -> None:
        reader.string()
        for _ in range(3):
            reader.i32()

    tasks = len(reader.list_of(task, 20))
    for _ in range(3):  # size, time of creation, time of last use
        reader.u64()
    returns = reader.list_of(lambda: _read_type(reader), 4)
    _read_type(reader)
    reader.u64()
    members: list[_Member] = []

    def member() -> None:
        start = reader.position
        type_ = _read_type(reader)
        end = reader.position
        if reader.string() != f"arg_{len(members)}":
            raise reader.error(f"the arguments of kernel {key!r} are not numbered one by one")
        members.append(_Member(type_, reader.u64(), start, end))

    if reader.i32() != STRUCT:
        raise reader.error(f"the arguments of kernel {key!r} are no struct")
    count_at = reader.position
    reader.list_of(member, 20)
    list_end = reader.position
    reader.string()  # layout
    size_at = reader.position
    size = reader.u64()
    if len(members) != len(arguments) or size > MAX_ARGUMENT_BYTES or any(m.offset > size for m in members):
        raise reader.error(f"the argument struct of kernel {key!r} does not fit its arguments")
    return _Kernel(key, arguments, tasks, returns, members, count_at, list_end, size_at, size)


def _read_metadata(data: bytes) -> tuple[list[int], list[_Kernel]]:
    reader = _Reader(METADATA, data)
    reader.start()
    version = (reader.u16(), reader.u16(), reader.u16())
    if version != VERSION:
        raise IncompatibleModuleError(
            f"the module was compiled by Taichi {'.'.join(map(str, version))}; "
            f"the library reads {'.'.join(map(str, VERSION))} only: compile it again"
        )
    reader.u64()  # size of the cache that the module was written from

    def snode() -> None:
        reader.i32()
        reader.i32()
        reader.u64()
        reader.u64()

    def field_tree() -> int:
        key = reader.i32()
        reader.i32()
        reader.i32()
        reader.u64()
        reader.list_of(snode, 24)
        return key

    fields = reader.list_of(field_tree, 28)
    kernels = reader.list_of(lambda: _read_kernel(reader), 80)
    reader.end()
    return fields, kernels


_Graphs: TypeAlias = list[tuple[str, list[tuple[str, list[GraphArgument]]]]]  # name, then kernel and arguments


def _read_graphs(data: bytes) -> _Graphs:
    reader = _Reader(GRAPHS, data)
    reader.start()

    def argument() -> GraphArgument:
        name, dtype, ndim, tag = reader.string(), reader.i32(), reader.u64(), reader.i32()
        elem_shape = tuple(reader.integers())
        reader.u64()  # number of channels: uninitialised but for textures
        return GraphArgument(name, tag, dtype, ndim, elem_shape)

    def dispatch() -> tuple[str, list[GraphArgument]]:
        return reader.string(), reader.list_of(argument, 40)

    def graph() -> tuple[str, list[tuple[str, list[GraphArgument]]]]:
        return reader.string(), reader.list_of(dispatch, 16)

    graphs = reader.list_of(graph, 16)
    reader.end()
    return graphs


def read(where: str, files: Mapping[str, bytes]) -> tuple[ModuleInfo, dict[str, bytes]]:
    """Read and check an LLVM module: what it holds, and the files that the library may have."""
    fields, raw_kernels = _read_metadata(files[METADATA])
    kernels: dict[str, KernelInfo] = {}
    archs = set()
    for raw in raw_kernels:
        if raw.key in kernels:
            raise CorruptedDataError(f"{where}: kernel {raw.key!r} stands in {METADATA} twice")
        if f"{raw.key}.ll" not in files:
            raise CorruptedDataError(f"{where}: the code of kernel {raw.key!r} is missing ({raw.key}.ll)")
        code = files[f"{raw.key}.ll"]
        archs.add(_arch_of(f"{raw.key}.ll", code))
        threads = [int(count) for count in CPU_THREADS.findall(code)]
        uses_fields = FIELD_ROOT.search(code) is not None
        kernels[raw.key] = KernelInfo(_signature(raw), raw.tasks, max(threads, default=None), uses_fields)
    if len(archs) > 1:
        raise CorruptedDataError(f"{where}: its kernels are for several archs: {', '.join(map(str, sorted(archs)))}")
    if GRAPHS not in files:
        raise CorruptedDataError(f"{where}: {GRAPHS} is missing")
    raw_graphs = _read_graphs(files[GRAPHS])
    graphs = make_graphs(where, GRAPHS, raw_graphs, kernels)
    rewritten = {
        METADATA: _metadata_with_words(files[METADATA], raw_kernels, kernels),
        GRAPHS: _graphs_with_words(raw_graphs, kernels),
    }
    kernels = name_parameters(kernels, graphs)
    info = ModuleInfo(
        family=FAMILY,
        archs=tuple(archs),
        version=VERSION,
        kernels=visible_kernels(kernels, graphs, files.get("__content__")),
        graphs=graphs,
        all_kernels=kernels,
        fields=tuple(FieldInfo(f"tree {key}") for key in fields),
        has_fields=bool(fields),
    )
    return info, {**files, **rewritten}


def _metadata_with_words(data: bytes, raw_kernels: list[_Kernel], kernels: Mapping[str, KernelInfo]) -> bytes:
    """The metadata with arguments as `words` has them, in the argument structs."""
    edits: list[tuple[int, int, bytes]] = []  # (start, end, what stands there instead)
    for raw in raw_kernels:
        further: list[bytes] = []
        size = raw.size
        for parameter, member in zip(kernels[raw.key].signature.parameters, raw.members, strict=True):
            for i, count in enumerate(word_counts(parameter, FAMILY)):
                if i == 0:
                    edits.append((member.start, member.end, _word_struct(count)))
                else:
                    name = f"arg_{len(raw.members) + len(further)}"
                    offset = member.offset + i * 4 * WORDS_PER_ARGUMENT
                    further.append(_word_struct(count) + _string(name) + struct.pack("<Q", offset))
            size = max(size, end_of_write(parameter, FAMILY, member.offset))
        if further:
            total = struct.pack("<Q", len(raw.members) + len(further))
            edits += [(raw.count_at, raw.count_at + 8, total), (raw.list_end, raw.list_end, b"".join(further))]
        edits.append((raw.size_at, raw.size_at + 8, struct.pack("<Q", size)))
    parts: list[bytes] = []
    position = 8
    for start, end, replacement in sorted(edits):
        parts += [data[position:start], replacement]
        position = end
    return _with_header(b"".join([*parts, data[position:]]))


def _graphs_with_words(graphs: _Graphs, kernels: Mapping[str, KernelInfo]) -> bytes:
    """The graphs with arguments as `words` has them, in what they dispatch."""
    parts = [struct.pack("<Q", len(graphs))]
    for name, dispatches in graphs:
        parts += [_string(name), struct.pack("<Q", len(dispatches))]
        for kernel, arguments in dispatches:
            parameters = kernels[kernel].signature.parameters
            passed = [graph_words(a, p, FAMILY) for a, p in zip(arguments, parameters, strict=True)]
            ordered = [words[0] for words in passed] + [word for words in passed for word in words[1:]]
            parts += [_string(kernel), struct.pack("<Q", len(ordered)), *map(_graph_argument, ordered)]
    return _with_header(b"".join(parts))


def _graph_argument(a: GraphArgument) -> bytes:
    shape = struct.pack(f"<Q{len(a.elem_shape)}i", len(a.elem_shape), *a.elem_shape)
    return _string(a.name) + struct.pack("<iQi", a.dtype, a.ndim, a.tag) + shape + struct.pack("<Q", 0)


def _word_struct(count: int) -> bytes:
    word = struct.pack("<ii", PRIMITIVE, DataType.I32)
    members = [word + _string(f"w_{i}") + struct.pack("<Q", 4 * i) for i in range(count)]
    return struct.pack("<iQ", STRUCT, count) + b"".join(members) + _string("none")


def _string(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _with_header(data: bytes) -> bytes:
    return struct.pack("<Q", len(data) + 8) + data


def _arch_of(name: str, code: bytes) -> Arch:
    match = re.search(rb'^target triple = "([^"-]*)', code, re.MULTILINE)
    if match is None:
        raise CorruptedDataError(f"{name}: no target triple: it is not LLVM IR of a kernel")
    triple = match[1].decode(errors="replace")
    if triple not in ARCHS:
        raise IncompatibleModuleError(f"{name}: compiled for {triple!r}, which no arch of this library runs")
    return ARCHS[triple]


def _signature(kernel: _Kernel) -> Signature:
    arguments = sorted(kernel.arguments, key=lambda argument: argument.index)
    if [argument.index for argument in arguments] != list(range(len(arguments))):
        raise CorruptedDataError(f"{METADATA}: the arguments of kernel {kernel.key!r} are not numbered one by one")
    parameters = tuple(_parameter(kernel.key, argument) for argument in arguments)
    for parameter, argument, member in zip(parameters, arguments, kernel.members, strict=True):
        # A launch writes to where the struct says; ndarrays as their shape and pointers.
        dims = {f"dim_{i}": I32_TYPE for i in range(parameter.ndim)}
        is_array = parameter.kind == "ndarray"
        if member.type != argument.type or (is_array and member.type.members["shape"].members != dims):
            raise CorruptedDataError(f"{METADATA}: the argument struct of kernel {kernel.key!r} is not what it takes")
    return Signature(kernel.key, parameters, tuple(_type_name(type_) for type_ in kernel.returns))


def _parameter(kernel: str, argument: _Argument) -> Parameter:
    name = f"arg{argument.index}"

    def bad(text: str) -> CorruptedDataError:
        return CorruptedDataError(f"{METADATA}: argument {argument.index} of kernel {kernel!r} {text}")

    if argument.is_argpack:
        return Parameter(name, "argpack")
    kind = PARAMETER_KINDS.get(argument.ptype)
    if kind is None:
        raise bad(f"is of the unknown kind {argument.ptype}")
    if kind in ("texture", "rw_texture"):
        return Parameter(name, kind, ndim=argument.total_dim)
    if kind == "ndarray":
        members = argument.type.members
        if not argument.is_array or list(members) not in (ARRAY_MEMBERS[:2], ARRAY_MEMBERS):
            raise bad("is not a struct of a shape and pointers")
        element = members["data_ptr"].element
        if element is None or members["shape"].kind != "struct":
            raise bad("has no data pointer")
        dtype = _data_type(_innermost(element))
        ndim = argument.total_dim - len(argument.elem_shape)
        if dtype is None or ndim < 0 or ndim > 64 or min(argument.elem_shape, default=1) < 1:
            raise bad("is not an ndarray")
        return Parameter(name, kind, dtype, ndim, argument.elem_shape)
    elements = _matrix_elements(argument.type)
    if elements is None:
        dtype = _data_type(argument.type)
        if dtype is None:
            raise bad("has no type")
        return Parameter(name, "scalar", dtype)
    dtype, shape = elements
    if dtype is None:
        raise bad("is neither a scalar nor a matrix")
    return Parameter(name, "matrix", dtype, elem_shape=shape)


def _innermost(type_: _Type) -> _Type:
    while type_.kind == "tensor" and type_.element is not None:
        type_ = type_.element
    return type_


def _data_type(type_: _Type) -> DataType | None:
    return DataType(type_.primitive) if type_.kind == "primitive" and type_.primitive <= DataType.U64 else None


def _matrix_elements(type_: _Type) -> tuple[DataType | None, tuple[int, ...]] | None:
    """Dtype and shape of a matrix parameter: a tensor, or a struct of members named m_ROW_COLUMN."""
    if type_.kind == "tensor":
        return _data_type(_innermost(type_)), type_.shape
    if type_.kind != "struct":
        return None
    dtypes = {_data_type(member) for member in type_.members.values()}
    return (dtypes.pop() if len(dtypes) == 1 else None), matrix_shape(tuple(type_.members))


def _type_name(type_: _Type) -> str:
    dtype = _data_type(_innermost(type_))
    shape = ", ".join(map(str, type_.shape))
    text = str(dtype) if dtype is not None else "struct"
    return f"{'matrix' if len(type_.shape) > 1 else 'vector'}({shape}, {text})" if type_.kind == "tensor" else text
