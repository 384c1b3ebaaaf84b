"""Plans of launches without the library. A kernel that is not fully understood has none, so the library launches it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple

from ...bundle._info import KernelInfo, ModuleInfo
from ._programs import Program

UNKNOWN_LAYOUT = "an unknown layout of its arguments"


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


class PlannedTask(NamedTuple):
    """A dispatch on the device."""

    code: bytes  # SPIR-V; empty for CUDA and CPUs
    groups: int  # groups, or blocks of CUDA, as compiled
    block: int  # threads in each
    bindings: tuple[PlannedBinding, ...]  # what the code binds; empty for CUDA
    length: Program  # computes the length of its loop, if it is known: threads that go on after it may be left out
    name: str = ""  # the compiler's name for it; on CUDA and CPUs that of the function
    shared: int = 0  # bytes of dynamic shared memory, for CUDA


class Dispatch(NamedTuple):
    """A launch of one kernel; on a CPU with the bytes of its return values."""

    argument_bytes: int
    arguments: tuple[PlannedArgument, ...]
    tasks: tuple[PlannedTask, ...]
    return_bytes: int = 0


def check_kernel(kernel: KernelInfo, kinds: Collection[str], *, has_result: bool) -> None:
    """Raise if a kernel has parameters of other kinds, or return values that it does not write to an array."""
    for parameter in kernel.signature.parameters:
        if parameter.kind not in kinds:
            raise UnplannedError(f"a parameter of kind {parameter.kind}")
        if parameter.grad:
            raise UnplannedError("a gradient")
    if kernel.signature.returns and not has_result:
        raise UnplannedError("return values in a buffer of the library")


class MadePlans(Mapping[str, "Dispatch | str"]):
    """What each kernel of a module dispatches by name, or why it does not have a plan; made when it is asked for."""

    def __init__(self, info: ModuleInfo) -> None:
        self.info = info
        self._made: dict[str, Dispatch | str] = {}

    def _plan(self, name: str) -> Dispatch:
        """Make the plan of a kernel; UnplannedError if it cannot have one."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> Dispatch | str:
        if name not in self._made:
            try:
                self._made[name] = self._plan(name)
            except UnplannedError as reason:
                self._made[name] = str(reason)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.info.all_kernels)

    def __len__(self) -> int:
        return len(self.info.all_kernels)
