"""Reader of LLVM modules (x64, arm64, CUDA): ``metadata.tcb``, ``graphs.tcb``, and the triple in the ``.ll`` files.

The library reads these files without checks and crashes on damaged ones, so this reader is strict: every length is
compared with the remaining bytes, trailing bytes are errors, and the version must be the library's.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from ..values._enums import Arch
from ..values._errors import CorruptedDataError, IncompatibleModuleError
from ..values._signature import Parameter, Signature
from ._info import (
    FieldInfo,
    GraphArgument,
    KernelInfo,
    ModuleInfo,
    TaskInfo,
    check_listed,
    dispatched_kernels,
    graph_words,
    in_listed_order,
    make_graphs,
    name_parameters,
    visible_kernels,
)
from ._modules import CODE_SUFFIX, LLVM_GRAPHS, LLVM_METADATA
from ._parameters import Argument, make_parameters, make_returns
from ._returns import ArrayArgument, ReturnLayout, array_argument, return_layout
from ._types import (
    Member,
    Nothing,
    Pointer,
    Primitive,
    Struct,
    Tensor,
    Type,
    has_gradient,
    laid_out,
    without_offsets,
    word_struct,
)
from ._versions import LIBRARY_VERSION, check_llvm_version
from ._words import WORDS_PER_ARGUMENT, Words, end_of_write, word_counts

__all__ = ["LaunchLayout", "archs", "graphs_json", "launch_layout", "read", "without_traces"]

METADATA = LLVM_METADATA
GRAPHS = LLVM_GRAPHS
TEXT_METADATA = "metadata.json"  # the same for human readers, in no format that parsers know
TIMES = re.compile(rb'("(?:created|last_used)_at": )\d+')
FAMILY: Literal["llvm"] = "llvm"
NOTHING, PRIMITIVE, POINTER, TENSOR, STRUCT = -1, 0, 1, 2, 3
NDARRAY = 1  # the kind of an argument
MAX_TYPE_DEPTH = 16
MAX_ALIKE = 16  # items that are remembered of those that begin with the same bytes
MAX_FIELD_TREES = 512  # length of the array of their roots
MAX_SNODES = 1024  # length of the array of their lists of elements
MAX_FIELD_BYTES = 2**62
EMPTY_TREE_SIZE = 8  # bytes
FIELDS_AT = 22  # position of the list of field trees in the metadata
ARCHS = {"x86_64": Arch.X64, "aarch64": Arch.ARM64, "arm64": Arch.ARM64, "nvptx64": Arch.CUDA}

TRIPLE = re.compile(rb'^target triple = "([^"-]*)', re.MULTILINE)
# The runtime's parallel loop is called with the number of splits, then of threads.
CPU_THREADS = re.compile(rb"call void %\w+\(i8\* [^,]*, i32 [^,]*, i32 noundef (\d+), [^\n]*@cpu_parallel_\w+_task")
CPU_LOOP = b"@cpu_parallel_"
RUNTIME_MEMBER = b"getelementptr inbounds %struct.LLVMRuntime"
# Member 7 of the runtime is the array of the field trees' roots.
FIELD_ROOT = re.compile(
    rb"getelementptr inbounds %struct\.LLVMRuntime[.\d]*, [^\n]* i64 0, i32 7(?=[,\s])(?:, i64 (\d+))?"
)
# Members 17 and 18 are functions that the code of `kernel_profiler=True` calls, and that the library leaves NULL.
PROFILER = re.compile(rb"(%[\w.]+) = getelementptr inbounds %struct\.LLVMRuntime[.\d]*, [^\n]* i64 0, i32 1[78]\n")

TASK_KIND = re.compile(r"_kernel_\d+_(\w+?)$")  # after the kernel's name and the task's number

# The start of a function, or code that takes the address of a member of a struct or of a part of it, in one step on x64
# and in several on CUDA.
MEMBER = re.compile(
    rb"^define |^ *(%[^ ]+) = getelementptr (?:inbounds )?(\{[^\n]*\}), \2\* (%[^ ,]+), i\d+ 0((?:, i32 \d+)+)",
    re.MULTILINE,
)
GRADIENT = 2  # the member of an ndarray's struct
WITH_GRADIENT = re.compile(rb"\{ \{[i\d, ]*\}, ([^{}]+)\*, \1\* \}")  # an ndarray's struct

# What a CUDA device can launch, at most: blocks, threads of a block, bytes of shared memory.
MAX_GRID, MAX_BLOCK, MAX_SHARED = 2**31 - 1, 1024, 1 << 20
SYMBOL = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)  # a name that PTX can state

T = TypeVar("T")


class _Reader:
    """Little-endian, no padding; a string is a u64 length and bytes, a list a u64 count and items."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        self.position = 0
        self._read: dict[tuple[str, bytes], list[tuple[bytes, Any]]] = {}

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
            raise self.error(f"a boolean is {value}")
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

    def once(self, what: str, item: Callable[[], T]) -> T:
        """An item, which is read once of several with the same bytes. It must not have positions in the file."""
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


def _read_type(reader: _Reader, depth: int = 0) -> Type:
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
        target = _read_type(reader, depth + 1)
        reader.i32()  # address space
        reader.boolean()
        return Pointer(target)
    if kind == TENSOR:
        shape = tuple(reader.integers())
        if any(size < 1 for size in shape):
            raise reader.error(f"a tensor has the shape {shape}")
        return Tensor(shape, _read_type(reader, depth + 1))
    if kind == STRUCT:
        return _read_struct(reader, depth + 1)
    raise reader.error(f"unknown kind of type {kind}")


def _read_struct(reader: _Reader, depth: int) -> Struct:
    """A struct, without the number that identifies it as one."""

    def member() -> Member:
        type_ = _read_type(reader, depth)
        return Member(reader.string(), offset=reader.u64(), type=type_)

    members = reader.list_of(member, 20)
    reader.string()  # layout
    return Struct(tuple(members))


class _Span(NamedTuple):
    """A part of the file; `length` is that of the list, if it is one."""

    start: int
    end: int
    length: int = 0


class _Place(NamedTuple):
    """The position of an argument's type, and the argument's offset in the struct."""

    start: int
    end: int
    offset: int


class _Layout(NamedTuple):
    """The return values and the argument struct of a kernel, whose positions count from the start of this part."""

    return_types: list[Type]
    return_type: Type
    return_size: int
    returns_end: int
    struct: Struct  # of the arguments
    places: list[_Place]
    members: _Span
    size_at: int
    size: int


class _Checked(NamedTuple):
    """What follows from the arguments and the layout of a kernel."""

    parameters: tuple[Parameter, ...]
    returns: tuple[str, ...]
    gradients: set[int]  # the arguments that have one
    result: ReturnLayout | None


class _StatedKernel(NamedTuple):
    """A kernel as the file states it, with the parts of the file that can be changed."""

    key: str
    arguments: list[tuple[Argument, Type]]
    arguments_span: _Span
    tasks: tuple[_Task, ...]
    times: _Span
    layout_at: int
    layout: _Layout


class _Kernel(NamedTuple):
    """A kernel that has been checked."""

    stated: _StatedKernel
    checked: _Checked

    @property
    def key(self) -> str:
        return self.stated.key

    @property
    def array_argument(self) -> ArrayArgument:
        layout = self.stated.layout
        return array_argument(self.checked.parameters, [place.offset for place in layout.places], layout.size, FAMILY)


def _read_argument(reader: _Reader) -> tuple[Argument, Type]:
    index = tuple(reader.integers())
    is_array, is_argpack = reader.boolean(), reader.boolean()
    total_dim = reader.u64()
    reader.i32()  # texture format
    type_ = _read_type(reader)
    if reader.boolean() != has_gradient(type_):
        raise reader.error("an argument and its type disagree on whether it has a gradient")
    elem_shape = tuple(reader.integers())
    ptype = reader.i32()
    ndim = total_dim - len(elem_shape)
    name = f"arg{index[0]}" if len(index) == 1 else ""
    return Argument(index, name, ptype, is_array, is_argpack, ndim, elem_shape), type_


class _Task(NamedTuple):
    """A task, the position of its name in the file, and its bytes of shared memory."""

    info: TaskInfo
    start: int
    end: int
    shared: int


def _read_task(reader: _Reader) -> _Task:
    start = reader.position
    name = reader.string()
    end = reader.position
    block, grid, shared = reader.i32(), reader.i32(), reader.i32()
    kind = TASK_KIND.search(name)
    return _Task(TaskInfo(name, kind[1] if kind else "", grid, block, grid * block), start, end, shared)


def _read_stated_kernel(reader: _Reader) -> _StatedKernel:
    key = reader.string()
    if reader.string() != key:
        raise reader.error(f"kernel {key!r} is stored under another name")
    start = reader.position
    arguments = reader.once("arguments", lambda: reader.list_of(lambda: _read_argument(reader), 37))
    arguments_span = _Span(start, reader.position, len(arguments))
    tasks = tuple(reader.list_of(lambda: _read_task(reader), 20))
    reader.u64()  # size
    times = _Span(reader.position, reader.position + 16)  # of creation, of last use
    reader.u64()
    reader.u64()
    start = reader.position
    layout = reader.once("layout", lambda: _read_layout(reader))
    return _StatedKernel(key, arguments, arguments_span, tasks, times, start, layout)


def _read_layout(reader: _Reader) -> _Layout:
    base = reader.position
    return_types = reader.list_of(lambda: _read_type(reader), 4)
    return_type = _read_type(reader)
    return_size = reader.u64()
    returns_end = reader.position - base
    if reader.i32() != STRUCT:
        raise reader.error("the arguments of a kernel are not a struct")
    places: list[_Place] = []

    def member() -> Member:
        start = reader.position - base
        type_ = _read_type(reader)
        end = reader.position - base
        result = Member(reader.string(), offset=reader.u64(), type=type_)
        places.append(_Place(start, end, result.offset))
        return result

    members_at = reader.position - base
    struct = Struct(tuple(reader.list_of(member, 20)))
    members = _Span(members_at, reader.position - base, len(struct.members))
    reader.string()  # layout
    size_at = reader.position - base
    size = reader.u64()
    return _Layout(return_types, return_type, return_size, returns_end, struct, places, members, size_at, size)


def _check_kernel(stated: _StatedKernel) -> _Checked:
    where, layout = f"{METADATA}: kernel {stated.key!r}", stated.layout
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
    return _Checked(parameters, returns, gradients, return_layout(returned, layout.return_size, FAMILY))


class LaunchLayout(NamedTuple):
    """What the library launches a kernel with.

    Attributes
    ----------
    tasks : tuple of tuple
        Each with its bytes of dynamic shared memory.
    struct : Struct
        The arguments.
    size : int
        Bytes that the library allocates for them.
    """

    tasks: tuple[tuple[TaskInfo, int], ...]
    struct: Struct
    size: int


def launch_layout(data: bytes, kernel: str) -> LaunchLayout:
    """How a kernel is launched, by the metadata that the library is given."""
    reader = _Reader(METADATA, data)
    reader.position = data.index(_string(kernel) * 2)  # its key, twice
    stated = _read_stated_kernel(reader)
    layout = stated.layout
    return LaunchLayout(tuple((task.info, task.shared) for task in stated.tasks), layout.struct, layout.size)


class _FieldTree(NamedTuple):
    """The memory for a tree of fields."""

    key: int
    size: int


def _read_metadata(where: str, data: bytes) -> tuple[list[_FieldTree], list[_Kernel]]:
    reader = _Reader(METADATA, data)
    reader.start()
    check_llvm_version(where, (reader.u16(), reader.u16(), reader.u16()))
    reader.u64()  # size of the cache from which the module was written

    def snode_number() -> None:
        number = reader.i32()
        if not 0 <= number < MAX_SNODES:
            raise reader.error(f"a node of a tree of fields has the number {number}")

    def snode() -> None:
        snode_number()
        reader.i32()  # kind
        reader.u64()
        reader.u64()

    def field_tree() -> _FieldTree:
        key = reader.i32()
        if reader.i32() != key or not 0 <= key < MAX_FIELD_TREES:
            raise reader.error(f"a tree of fields has the number {key}")
        snode_number()
        size = reader.u64()
        if not 1 <= size <= MAX_FIELD_BYTES:
            raise reader.error(f"a tree of fields has {size} bytes")
        reader.list_of(snode, 24)
        return _FieldTree(key, size)

    fields = reader.list_of(field_tree, 28)
    if len({field.key for field in fields}) != len(fields):
        raise reader.error("a tree of fields occurs twice")
    checked: dict[tuple[int, int], _Checked] = {}  # by arguments and layout, which many kernels share

    def kernel() -> _Kernel:
        stated = _read_stated_kernel(reader)
        key = id(stated.arguments), id(stated.layout)
        if key not in checked:
            checked[key] = _check_kernel(stated)
        return _Kernel(stated, checked[key])

    kernels = reader.list_of(kernel, 80)
    reader.end()
    return fields, kernels


_LayoutEdits: TypeAlias = tuple[list[tuple[int, int, bytes]], list[bytes], int]
_Graphs: TypeAlias = list[tuple[str, list[tuple[str, list[GraphArgument]]]]]  # name, then kernel and arguments


def _read_graphs(data: bytes) -> _Graphs:
    reader = _Reader(GRAPHS, data)
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


def read(where: str, files: Mapping[str, bytes], words: Words = Words.ALL) -> tuple[ModuleInfo, dict[str, bytes]]:
    """Read and check an LLVM module; return its contents, and the files to pass to the library (see `parse_module`)."""
    fields, raw_kernels = _read_metadata(where, files[METADATA])
    kernels: dict[str, KernelInfo] = {}
    found: set[Arch] = set()
    for raw in raw_kernels:
        name = f"{raw.key}{CODE_SUFFIX}"
        if raw.key in kernels:
            raise CorruptedDataError(f"{where}: kernel {raw.key!r} occurs twice in {METADATA}")
        if name not in files:
            raise CorruptedDataError(f"{where}: the code of kernel {raw.key!r} is missing ({name})")
        code = files[name]
        arch = _arch_of(name, code)
        found.add(arch)
        if arch is Arch.CUDA:
            _check_tasks(raw.stated)
        # Looking for a string takes a tenth of looking for a pattern.
        threads = [int(count) for count in CPU_THREADS.findall(code)] if CPU_LOOP in code else []
        trees = tuple(sorted({int(n or 0) for n in FIELD_ROOT.findall(code)})) if RUNTIME_MEMBER in code else ()
        signature = _with_gradients(raw, code)
        tasks = tuple(task.info for task in raw.stated.tasks)
        kernels[raw.key] = KernelInfo(signature, tasks, max(threads, default=None), trees)
    if len(found) > 1:
        raise CorruptedDataError(f"{where}: its kernels are for several archs: {', '.join(map(str, sorted(found)))}")
    content = files.get("__content__")
    check_listed(where, kernels, content)
    if GRAPHS not in files:
        raise CorruptedDataError(f"{where}: {GRAPHS} is missing")
    raw_graphs = _read_graphs(files[GRAPHS])
    graphs = make_graphs(where, GRAPHS, raw_graphs, kernels)
    arrays: dict[str, ArrayArgument] = {}  # for return values, by kernel
    symbols: dict[str, str] = {}  # new names of tasks
    raw_graphs = [
        (name, [(kernel, _with_words(kernel, arguments, kernels, words)) for kernel, arguments in dispatches])
        for name, dispatches in raw_graphs
    ]
    rewritten = {GRAPHS: _write_graphs(raw_graphs)}
    dispatched = dispatched_kernels(graphs)
    for raw in raw_kernels:
        name, result = f"{raw.key}{CODE_SUFFIX}", raw.checked.result
        code = files[name]
        # Graphs do not pass the array, and dispatch kernels under their own names.
        if words is Words.ALL and result is not None and raw.key not in dispatched:
            from ..lowering._llvm_code import return_through_array  # which takes as long as reading a small module

            changed = return_through_array(code, raw.array_argument.data_pointer)
            if changed is not None:
                code = changed
                arrays[raw.key] = raw.array_argument
                kernels[raw.key] = replace(kernels[raw.key], result=result)
        if Arch.CUDA in found:
            code = _rename_tasks(raw.stated, code, symbols)
        rewritten[name] = _without_profiler(code)
    rewritten[METADATA] = _rewritten_metadata(files[METADATA], fields, raw_kernels, arrays, symbols, words)
    kernels = name_parameters(kernels, graphs)
    info = ModuleInfo(
        family=FAMILY,
        archs=tuple(found),
        version=LIBRARY_VERSION,
        kernels=in_listed_order(visible_kernels(kernels, graphs, content), content),
        graphs=graphs,
        all_kernels=kernels,
        fields=tuple(FieldInfo(f"tree {field.key}") for field in fields),
        has_fields=bool(fields),
        field_trees=tuple(sorted(field.key for field in fields)),
        root_buffer_size=sum(field.size for field in fields),
        files={GRAPHS: files[GRAPHS]},
    )
    return info, {**files, **rewritten}


def _check_tasks(kernel: _StatedKernel) -> None:
    """Raise for a launch that no CUDA device can do: the library ends the process where the driver refuses it."""
    for info, _, _, shared in kernel.tasks:
        if not (1 <= info.grid <= MAX_GRID and 1 <= info.block <= MAX_BLOCK and 0 <= shared <= MAX_SHARED):
            raise CorruptedDataError(
                f"{METADATA}: kernel {kernel.key!r}: {info.name} is a launch of {info.grid} blocks of {info.block} "
                f"threads with {shared} bytes of shared memory"
            )


def _rename_tasks(kernel: _StatedKernel, code: bytes, symbols: dict[str, str]) -> bytes:
    """Code whose tasks have names that PTX can state; the new names are added to `symbols`.

    LLVM replaces other characters where it writes PTX, so that the library does not find the functions.
    """
    for name in (task.info.name for task in kernel.tasks):
        if not SYMBOL.fullmatch(name):
            symbols[name] = "".join(c if SYMBOL.fullmatch(f"_{c}") else f"_u{ord(c):x}_" for c in name)
            quoted = b"".join(bytes([c]) if 32 <= c < 127 and c not in b'"\\' else b"\\%02X" % c for c in name.encode())
            code = code.replace(b'@"%b"' % quoted, b"@" + symbols[name].encode())
    return code


def _without_profiler(code: bytes) -> bytes:
    """The code of a kernel without its calls of the profiler. They return nothing, so no value is renumbered."""
    if RUNTIME_MEMBER not in code or PROFILER.search(code) is None:
        return code
    functions = re.split(rb"^(?=define )", code, flags=re.MULTILINE)
    return b"".join(map(_function_without_profiler, functions))


def _function_without_profiler(code: bytes) -> bytes:
    for address in PROFILER.findall(code):
        for loaded in re.findall(rb"(%[\w.]+) = load [^\n]* " + re.escape(address) + rb", align", code):
            code = re.sub(rb"\n[^\n]*call void " + re.escape(loaded) + rb"\([^\n]*", b"", code)
    return code


def _with_gradients(kernel: _Kernel, code: bytes) -> Signature:
    """The signature of a kernel, with the arrays marked whose gradients its code uses."""
    parameters, returns, gradients, _ = kernel.checked
    if gradients:
        # Code takes the addresses of members of other structs too, such as the return values.
        reached = {
            path[0]
            for path, type_ in _member_paths(code)
            if path[1:] == (GRADIENT,) and WITH_GRADIENT.fullmatch(_member_type(type_, path[0]))
        }
        used = reached & gradients
        parameters = tuple(parameter._replace(grad=i in used) for i, parameter in enumerate(parameters))
    return Signature(kernel.key, parameters, returns)


def _member_paths(code: bytes) -> Iterator[tuple[tuple[int, ...], bytes]]:
    """The members whose addresses the code takes: their numbers from the outermost struct on, and the type of that."""
    paths: dict[bytes, tuple[tuple[int, ...], bytes]] = {}  # by name of a variable, which are those of one function
    for result, type_, base, indices in MEMBER.findall(code):
        if not result:
            paths.clear()
            continue
        outer, outermost = paths.get(base, ((), type_))
        paths[result] = outer + tuple(int(index[4:]) for index in indices.split(b", ")[1:]), outermost
        yield paths[result]


def _member_type(struct_type: bytes, number: int) -> bytes:
    """The type of a member of a struct, as the code spells it; empty if it has fewer."""
    members, depth = [b""], 0
    for part in re.findall(rb"[{}\[\]<>]|, |[^{}\[\]<>,]+|,", struct_type[1:-1].strip()):
        depth += (part in (b"{", b"[", b"<")) - (part in (b"}", b"]", b">"))
        if part == b", " and depth == 0:
            members.append(b"")
        else:
            members[-1] += part
    return members[number] if number < len(members) else b""


def _rewritten_metadata(
    data: bytes,
    fields: list[_FieldTree],
    kernels: list[_Kernel],
    arrays: Mapping[str, ArrayArgument],
    symbols: Mapping[str, str],
    words: Words,
) -> bytes:
    """The metadata with room for what launches write, and the arguments changed as `argument_words` and `returns`
    describe.

    The library loads as many trees of fields as there are, from 0 on, so empty trees fill the gaps: the fields that a
    program has before its first kernel are tree 0, even if there are none.
    """
    keys = {field.key for field in fields}
    gaps = sorted(set(range(max(keys, default=0))) - keys)
    empty = [struct.pack("<iiiQQ", key, key, 0, EMPTY_TREE_SIZE, 0) for key in gaps]
    edits = [(FIELDS_AT, FIELDS_AT + 8, struct.pack("<Q", len(keys) + len(gaps)) + b"".join(empty))]
    edits_of: dict[int, _LayoutEdits] = {}  # by what was checked, which many kernels share
    for raw, checked in kernels:
        for task in raw.tasks:
            if task.info.name in symbols:
                edits.append((task.start, task.end, _string(symbols[task.info.name])))
        if id(checked) not in edits_of:
            edits_of[id(checked)] = _layout_edits(raw.layout, checked.parameters, words)
        own, more, size = edits_of[id(checked)]
        array = arrays.get(raw.key)
        if array is not None:
            size = array.end
            more = [*more, _member(array.member)]
            edits += _edits_for_returns(raw, array)
        own = [*own, (raw.layout.size_at, raw.layout.size_at + 8, struct.pack("<Q", size))]
        own += _append(raw.layout.members, more) if more else []
        edits += [(raw.layout_at + start, raw.layout_at + end, replacement) for start, end, replacement in own]
    parts: list[bytes] = []
    position = 8
    for start, end, replacement in sorted(edits):
        parts += [data[position:start], replacement]
        position = end
    return _with_header(b"".join([*parts, data[position:]]))


def _layout_edits(layout: _Layout, parameters: Sequence[Parameter], words: Words) -> _LayoutEdits:
    """The edits to a layout, further members of its struct, and the bytes of that."""
    edits: list[tuple[int, int, bytes]] = []
    more: list[bytes] = []
    size = layout.size
    for parameter, place in zip(parameters, layout.places, strict=True):
        for i, count in enumerate(word_counts(parameter, FAMILY, words)):
            if i == 0:
                edits.append((place.start, place.end, _type(word_struct(count))))
            else:
                offset = place.offset + i * 4 * WORDS_PER_ARGUMENT
                more.append(_member(Member(f"arg_{len(layout.places) + len(more)}", offset, word_struct(count))))
        size = max(size, end_of_write(parameter, FAMILY, place.offset, words))
    return edits, more, size


def _edits_for_returns(raw: _StatedKernel, array: ArrayArgument) -> list[tuple[int, int, bytes]]:
    """State the array among the arguments, and no return values: the library would copy them after each launch."""
    entry = struct.pack("<Qi??Qi", 1, array.number, True, False, 1, 0) + _type(without_offsets(array.member.type))
    entry += struct.pack("<?Qi", False, 0, NDARRAY)
    nothing = struct.pack("<Q", 0) + _type(Struct(())) + struct.pack("<Q", 0)
    return [*_append(raw.arguments_span, [entry]), (raw.layout_at, raw.layout_at + raw.layout.returns_end, nothing)]


def _append(span: _Span, items: list[bytes]) -> list[tuple[int, int, bytes]]:
    """The edits that append items to a list."""
    total = struct.pack("<Q", span.length + len(items))
    return [(span.start, span.start + 8, total), (span.end, span.end, b"".join(items))]


def _with_words(
    kernel: str, arguments: list[GraphArgument], kernels: Mapping[str, KernelInfo], words: Words
) -> list[GraphArgument]:
    """The arguments of a dispatch changed as `argument_words` describes."""
    parameters = kernels[kernel].signature.parameters
    passed = [graph_words(a, p, FAMILY, words) for a, p in zip(arguments, parameters, strict=True)]
    return [own[0] for own in passed] + [word for own in passed for word in own[1:]]


def _write_graphs(graphs: _Graphs) -> bytes:
    """Graphs as `_read_graphs` reads them, with 0 in place of the numbers that are uninitialized."""
    parts = [struct.pack("<Q", len(graphs))]
    for name, dispatches in graphs:
        parts += [_string(name), struct.pack("<Q", len(dispatches))]
        for kernel, arguments in dispatches:
            parts += [_string(kernel), struct.pack("<Q", len(arguments)), *map(_graph_argument, arguments)]
    return _with_header(b"".join(parts))


def graphs_json(files: Mapping[str, bytes]) -> list[Any]:
    """The graphs as gfx modules state them, with 0 in place of the numbers that are uninitialized."""
    return [
        {
            "key": name,
            "value": {
                "dispatches": [
                    {"kernel_name": kernel, "symbolic_args": list(map(_argument_json, arguments))}
                    for kernel, arguments in dispatches
                ]
            },
        }
        for name, dispatches in _read_graphs(files[GRAPHS])
    ]


def _argument_json(argument: GraphArgument) -> dict[str, Any]:
    return {
        "dtype_id": argument.dtype,
        "element_shape": list(argument.elem_shape),
        "field_dim": argument.ndim,
        "name": argument.name,
        "num_channels": 0,
        "tag": argument.tag,
    }


def archs(files: Mapping[str, bytes]) -> tuple[Arch, ...]:
    """The arch of a module by the code of one of its kernels; all LLVM archs if it does not have any."""
    triples = (TRIPLE.search(code) for name, code in files.items() if name.endswith(".ll"))
    found = (ARCHS.get(match[1].decode(errors="replace")) for match in triples if match)
    arch = next((arch for arch in found if arch is not None), None)
    return (Arch.X64, Arch.ARM64, Arch.CUDA) if arch is None else (arch,)


def without_traces(where: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files without the times of their compilation and uninitialized numbers; see `bundle.make_module`."""
    data = bytearray(files[METADATA])
    for kernel, _ in _read_metadata(where, files[METADATA])[1]:
        data[kernel.times.start : kernel.times.end] = bytes(16)
    if GRAPHS not in files:
        raise CorruptedDataError(f"{where}: {GRAPHS} is missing")
    changed = {METADATA: bytes(data), GRAPHS: _write_graphs(_read_graphs(files[GRAPHS]))}
    if TEXT_METADATA in files:
        changed[TEXT_METADATA] = TIMES.sub(rb"\g<1>0", files[TEXT_METADATA])
    return {**files, **changed}


def _graph_argument(a: GraphArgument) -> bytes:
    shape = struct.pack(f"<Q{len(a.elem_shape)}i", len(a.elem_shape), *a.elem_shape)
    return _string(a.name) + struct.pack("<iQi", a.dtype, a.ndim, a.tag) + shape + struct.pack("<Q", 0)


def _type(type_: Type) -> bytes:
    """A type as `_read_type` reads it."""
    if isinstance(type_, Primitive):
        return struct.pack("<ii", PRIMITIVE, type_.number)
    if isinstance(type_, Pointer):
        return struct.pack("<i", POINTER) + _type(type_.target) + struct.pack("<i?", 0, False)
    assert isinstance(type_, Struct)
    return struct.pack("<iQ", STRUCT, len(type_.members)) + b"".join(map(_member, type_.members)) + _string("none")


def _member(member: Member) -> bytes:
    return _type(member.type) + _string(member.name) + struct.pack("<Q", member.offset)


def _string(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _with_header(data: bytes) -> bytes:
    return struct.pack("<Q", len(data) + 8) + data


def _arch_of(name: str, code: bytes) -> Arch:
    match = TRIPLE.search(code)
    if match is None:
        raise CorruptedDataError(f"{name}: it has no target triple, so it is not LLVM IR of a kernel")
    triple = match[1].decode(errors="replace")
    if triple not in ARCHS:
        raise IncompatibleModuleError(f"{name}: compiled for {triple!r}, which the library cannot run on any arch")
    return ARCHS[triple]
