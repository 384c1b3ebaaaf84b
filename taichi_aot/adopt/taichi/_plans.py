"""Plans of launches without the library. A kernel that is not fully understood has none, so the library launches it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from ...bundle._plan import ResultLayout
from ...values._signature import WORDS_PER_ARGUMENT, Parameter, byte_size, word_counts
from ._parameters import TEXTURE_DIMS
from ._programs import Program
from ._types import Member, Struct

TEXTURES = ("texture", "rw_texture")


class UnplannedError(Exception):
    """A kernel does not have a plan; the text is the reason, such as what the kernel uses."""


class ArgumentKind(IntEnum):
    """How an argument stands in the argument struct."""

    VALUE = 0  # the bits of a scalar
    WORDS = 1  # the bytes of a tensor
    ARRAY = 2  # the sizes of its dimensions
    ADDRESS = 3  # the address of an array on the device
    EXTENT = 4  # the sizes of a texture


class BindingKind(IntEnum):
    """The kinds of a task's bindings."""

    ARGUMENTS = 0
    TEMPORARIES = 1
    ROOT = 2  # the memory of a tree of fields
    ARRAY = 3
    TEXTURE = 4
    RW_TEXTURE = 5
    RETURNS = 6  # memory for unused return values
    SCRATCH = 7  # memory for partial results


class Threads(IntEnum):
    """How many threads a loop of known length gets."""

    AS_COMPILED = 0  # at most
    OF_ELEMENTS = 1  # one for each element, up to what fills the device several times over
    RESIDENT = 2  # at most as many as the device holds at a time
    OF_SEVERAL = 3  # for code that does several elements at a time, for GPUs: one for each of those, but a full device
    RESIDENT_IN_LOOPS = 4  # as RESIDENT, where the loop has inner ones


class PlannedArgument(NamedTuple):
    """An argument of the launch, by number, in the argument struct. `size` is in bytes; of sizes it is their number."""

    source: int
    kind: ArgumentKind
    offset: int
    size: int


class PlannedBinding(NamedTuple):
    """A binding, and the number of the launch's argument if it is an array or a texture, or that of a tree."""

    number: int
    kind: BindingKind
    source: int


class PlannedCode(NamedTuple):
    """SPIR-V of a task, for devices with capabilities, and for launches that bind different buffers."""

    file: str
    needs: tuple[str, ...] = ()
    apart: tuple[tuple[int, int], ...] = ()  # pairs of bindings, by their numbers, whose buffers are different
    threads: Threads = Threads.AS_COMPILED


class PlannedTask(NamedTuple):
    """A dispatch on the device."""

    name: str  # the compiler's name for it; on CUDA and CPUs that of the function
    groups: int = 0  # groups, or blocks of CUDA, as compiled
    block: int = 0  # threads in each; on a CPU what the code may add to the last index of its loop
    shared: int = 0  # bytes of dynamic shared memory, for CUDA
    bindings: tuple[PlannedBinding, ...] = ()  # what the code binds; empty for CUDA
    length: Program = ()  # computes the length of its loop, if it is known: threads that go on after it may be left out
    codes: tuple[PlannedCode, ...] = ()  # the first that fits is used; by default the SPIR-V that has the task's name
    number: int = 0  # of the module's task, where not all are launched
    fills: int = 0  # how many times its groups may fill a device; 0: any number
    each: int = 1  # iterations that a thread had better do


class Dispatch(NamedTuple):
    """A launch of one kernel; on a CPU with the bytes of its return values."""

    argument_bytes: int
    arguments: tuple[PlannedArgument, ...]
    tasks: tuple[PlannedTask, ...]
    return_bytes: int = 0


def planned_arguments(parameters: Sequence[Parameter], members: Sequence[Member], family: str) -> list[PlannedArgument]:
    """The arguments for the parameters, whose members of the argument struct these are.

    Words beyond the 32nd of one are those of arguments after all others.
    """
    found: list[PlannedArgument] = []
    overflow = len(parameters)
    for number, (parameter, member) in enumerate(zip(parameters, members, strict=True)):
        if parameter.kind == "ndarray":
            found += planned_array(number, member, parameter.ndim)
            continue
        if family == "gfx" and parameter.kind in TEXTURES:
            found.append(PlannedArgument(number, ArgumentKind.EXTENT, member.offset, TEXTURE_DIMS))
            continue
        if parameter.dtype is None and parameter.layout is None:
            raise UnplannedError(f"a parameter of kind {parameter.kind}")
        counts, size = word_counts(parameter, family), byte_size(parameter, family)
        if not counts:
            found.append(PlannedArgument(number, ArgumentKind.VALUE, member.offset, size))
        if family == "gfx":
            size = 4 * sum(counts)  # of a struct of whole words
        step = 4 * WORDS_PER_ARGUMENT
        for begin in range(0, step * len(counts), step):
            source = number
            if begin:
                source, overflow = overflow, overflow + 1
            found.append(PlannedArgument(source, ArgumentKind.WORDS, member.offset + begin, min(step, size - begin)))
    return found


def planned_array(number: int, member: Member, ndim: int) -> tuple[PlannedArgument, PlannedArgument]:
    """The sizes and the address of an ndarray, whose struct begins with them."""
    assert isinstance(member.type, Struct)
    shape, data = member.type.members[:2]
    return (
        PlannedArgument(number, ArgumentKind.ARRAY, member.offset + shape.offset, ndim),
        PlannedArgument(number, ArgumentKind.ADDRESS, member.offset + data.offset, 8),
    )


class Plans:
    """The launches of a module's kernels; here of one without code of its own, which `what` names."""

    # results, gradients: the layouts of the return values that its code writes to an array, by kernel, and the kernels
    # whose code is passed gradients.
    results: Mapping[str, ResultLayout] = {}
    gradients: frozenset[str] = frozenset()

    def __init__(self, what: str) -> None:
        self._what = what

    def dispatch(self, name: str) -> Dispatch:
        """Return what a kernel launches; UnplannedError if it cannot have a plan."""
        raise UnplannedError(f"the module has no {self._what}")
