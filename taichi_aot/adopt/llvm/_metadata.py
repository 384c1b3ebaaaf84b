"""``metadata.tcb``, the metadata of an LLVM module: its kernels and the memory for its fields.

Values are read with their positions in the file, so that a copy can replace them.
"""

from __future__ import annotations

import re
import struct
from typing import Any, Literal, NamedTuple

import numpy as np

from ...bundle._files import LLVM_METADATA
from ...bundle._info import TaskInfo
from ...values._errors import CorruptedDataError
from ...values._signature import Parameter
from ..taichi._parameters import Argument, make_parameters, make_returns
from ..taichi._returns import return_dtype
from ..taichi._types import Member, Struct, Type, has_gradient, laid_out, without_offsets
from ..taichi._versions import check_llvm_version
from ._tcb import STRUCT, Reader, read_type

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
