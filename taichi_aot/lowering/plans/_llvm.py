"""Plans of kernels in modules of CUDA code.

Each task is a function that is passed the context: a struct with the address of the argument struct. The metadata says
where the arguments are in that; the code must agree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from ...formats._files import LLVM_METADATA
from ...formats._info import KernelInfo, TaskInfo
from ...formats._llvm_ir import VALUE, Function
from ...formats._llvm_metadata import read_kernel
from ...formats._tcb import Reader, encode_string
from ...formats._types import Member, Pointer, Struct, size_of
from ...values._dtypes import item_size
from ...values._enums import Arch
from ...values._signature import Parameter
from .._llvm_code import LOCAL, VALUE_OF_LAST, C, uses_are_known
from .._llvm_code import MEMBER as CONTEXT_MEMBER
from .._lower import LoweredModule
from .._words import word_counts
from ._llvm_loops import RANGE_FOR, KernelCode
from ._llvm_types import read_type
from ._plans import UNKNOWN_LAYOUT, ArgumentKind, Dispatch, PlannedArgument, PlannedTask, UnplannedError, check_kernel

__all__ = ["planner"]

SERIAL = "serial"
NOTHING, UNKNOWN_CONTEXT = Function(b"", b""), "an unknown context"
SPARSE = re.compile(rb"@(Bitmasked|Dynamic|Hash|Pointer)_")  # functions of nodes whose cells come and go
HEAD = re.compile(rb"%s\* byval\(%s\) %%context\) " % (C, C))  # of a task
# The address of the argument struct, as a struct.
STRUCT = re.compile(
    rb"^ *(%s) = getelementptr (?:inbounds )?%s, %s\* %s, i\d+ 0, i32 0\n *%s = bitcast i8\*\* \1 to (.*)\*\*$"
    % (VALUE, C, C, VALUE, VALUE),
    re.M,
)


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


def _launch_layout(data: bytes, kernel: str) -> LaunchLayout:
    """How a kernel is launched, by the metadata that the library is given."""
    reader = Reader(LLVM_METADATA, data)
    reader.position = data.index(encode_string(kernel) * 2)  # its key, twice
    stated = read_kernel(reader)
    layout = stated.layout
    return LaunchLayout(tuple((task.info, task.shared) for task in stated.tasks), layout.struct, layout.size)


def planner(module: LoweredModule) -> Callable[[str], Dispatch]:
    """A function that makes the plan of a kernel."""
    info, files = module.info, module.files

    def plan(name: str) -> Dispatch:
        kernel = info.all_kernels[name]
        has_result = name in module.results
        check_kernel(kernel, has_result=has_result)
        if info.archs != (Arch.CUDA,):
            raise UnplannedError("the module has no machine code")
        layout = _launch_layout(files[LLVM_METADATA], name)
        return _plan(kernel, layout, files[f"{name}.ll"], has_result=has_result)

    return plan


def _plan(kernel: KernelInfo, layout: LaunchLayout, code: bytes, *, has_result: bool) -> Dispatch:
    if not layout.tasks:
        raise UnplannedError("nothing to launch")
    loops = KernelCode(code)
    own = b"\n".join([code.partition(b"\ndefine ")[0], *(function.body for function in loops.functions.values())])
    _check_tasks([task.kind for task, _ in layout.tasks], own)
    if any(not HEAD.match(loops.functions.get(b"@" + task.name.encode(), NOTHING).head) for task, _ in layout.tasks):
        raise UnplannedError(UNKNOWN_CONTEXT)
    _check_code(own)
    _check_layout(own, kernel, layout.struct)
    lengths = loops.loop_lengths(task for task, _ in layout.tasks)
    tasks = tuple(
        PlannedTask(b"", task.grid, task.block, (), length, task.name, shared)
        for (task, shared), length in zip(layout.tasks, lengths, strict=True)
    )
    return Dispatch(max(8, -(-layout.size // 8) * 8), _arguments(kernel, layout.struct, has_result=has_result), tasks)


def _check_tasks(kinds: Collection[str], code: bytes) -> None:
    """Raise for fields whose cells the runtime lists, allocates and frees. Dense fields are addresses in its struct."""
    nodes = ", ".join(sorted({name.decode().lower() for name in SPARSE.findall(code)}))
    if nodes and any(kind.startswith("gc_") for kind in kinds):
        raise UnplannedError(f"deactivated cells of a sparse field ({nodes})")
    if nodes and any(kind.startswith("listgen_") for kind in kinds):
        raise UnplannedError(f"a loop over cells of a sparse field ({nodes})")
    if nodes:
        raise UnplannedError(f"cells of a sparse field ({nodes})")
    for kind in kinds:
        if kind not in (SERIAL, RANGE_FOR):
            raise UnplannedError(f"a task of kind {kind}")


def _check_code(code: bytes) -> None:
    uses = b"\n".join(line for line in code.split(b"\n") if b"RuntimeContext" in line)
    if LOCAL.search(uses):
        raise UnplannedError("a real function (ti.experimental.real_func)")
    if VALUE_OF_LAST.search(uses):
        raise UnplannedError("return values in a buffer of the library")
    if not uses_are_known(uses):
        raise UnplannedError(UNKNOWN_CONTEXT)


def _check_layout(code: bytes, kernel: KernelInfo, struct: Struct) -> None:
    """Raise if the code has the arguments at other places than the metadata."""
    structs = [text for _, text in STRUCT.findall(code)]
    uses = [number for *_, number in CONTEXT_MEMBER.findall(code) if number == b"0"]
    parts = tuple(
        part
        for parameter, member in zip(kernel.signature.parameters, struct.members, strict=False)
        for part in _parts(parameter, member)
    )
    found = [read_type(text) for text in set(structs)]
    if len(structs) != len(uses) or any(type_ is None or type_.parts != parts for type_ in found):
        raise UnplannedError(UNKNOWN_LAYOUT)


def _parts(parameter: Parameter, member: Member) -> list[tuple[int, int]]:
    """The offset and the size of each number of an argument, and of each pointer, whose size is negative."""
    if parameter.kind == "ndarray" and isinstance(member.type, Struct):
        found: list[tuple[int, int]] = []
        for inner in member.type.members:
            size = size_of(inner.type, "llvm")
            is_pointer = isinstance(inner.type, Pointer)
            steps = [(0, -size)] if is_pointer else [(at, 4) for at in range(0, size, 4)]
            found += [(member.offset + inner.offset + at, each) for at, each in steps]
        return found
    if parameter.dtype is None:
        raise UnplannedError(UNKNOWN_LAYOUT)
    size = item_size(parameter.dtype, "llvm")
    return [(member.offset + i * size, size) for i in range(math.prod(parameter.elem_shape))]


def _arguments(kernel: KernelInfo, struct: Struct, *, has_result: bool) -> tuple[PlannedArgument, ...]:
    """The arguments, each where its member of the struct is: parameters, overflow arguments, the array of a result."""
    parameters, last = kernel.signature.parameters, len(struct.members) - 1
    found: list[PlannedArgument] = []
    for number, member in enumerate(struct.members):
        parameter = parameters[number] if number < len(parameters) else None
        if parameter is not None and parameter.kind == "ndarray":
            found += _array(number, member, parameter.ndim)
        elif parameter is None and has_result and number == last:
            found += _array(number, member, 1)
        elif parameter is None or word_counts(parameter, "llvm"):
            size = size_of(member.type, "llvm")
            found.append(PlannedArgument(number, ArgumentKind.WORDS, member.offset, size))
        else:
            assert parameter.dtype is not None
            size = item_size(parameter.dtype, "llvm")
            found.append(PlannedArgument(number, ArgumentKind.VALUE, member.offset, size))
    return tuple(found)


def _array(number: int, member: Member, ndim: int) -> list[PlannedArgument]:
    if not isinstance(member.type, Struct) or len(member.type.members) < 2:
        raise UnplannedError(UNKNOWN_LAYOUT)
    shape, data = member.type.members[:2]
    return [
        PlannedArgument(number, ArgumentKind.ARRAY, member.offset + shape.offset, ndim),
        PlannedArgument(number, ArgumentKind.ADDRESS, member.offset + data.offset, 8),
    ]
