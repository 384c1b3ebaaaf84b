"""Plans of kernels that have machine code: their tasks are called with the argument struct that the module states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from ...bundle._info import ModuleInfo
from ...bundle._plan import ResultLayout
from ...values._signature import Parameter
from ...values._words import WORDS_PER_ARGUMENT, byte_size, word_counts
from ..taichi._members import gradient_arguments
from ..taichi._native import NativeKernel
from ..taichi._plans import (
    UNKNOWN_LAYOUT,
    ArgumentKind,
    Dispatch,
    MadePlans,
    PlannedArgument,
    PlannedTask,
    UnplannedError,
)
from ..taichi._ptx import PtxModule
from ..taichi._types import Struct
from ._copy import result_layouts
from ._metadata import FAMILY, Kernel

WORD_BYTES = 4


class Code(Protocol):
    """Machine code or PTX, as a module states it."""

    @property
    def kernels(self) -> Mapping[str, NativeKernel]: ...
    @property
    def refused(self) -> Mapping[str, str]: ...


class NativePlans(MadePlans):
    """What each kernel of a module calls by name, or why the library launches it; made when it is asked for."""

    def __init__(self, info: ModuleInfo, stated: Sequence[Kernel], native: Code) -> None:
        super().__init__(info)
        self._native = native  # its machine code
        self._kernels = {kernel.key: kernel for kernel in stated}
        own = [kernel for name, kernel in self._kernels.items() if name in native.kernels]
        # The layouts of the return values of kernels that have machine code, by kernel.
        self.results: Mapping[str, ResultLayout] = result_layouts(own)
        # Those of these kernels that are passed gradients.
        self.gradients = frozenset(kernel.key for kernel in own if kernel.checked.gradients and self._gradients(kernel))
        self._arguments: dict[tuple[int, Sequence[Parameter]], tuple[PlannedArgument, ...]] = {}

    def _gradients(self, kernel: Kernel) -> list[PlannedArgument]:
        layout = kernel.stated.layout
        arrays = gradient_arguments(self._parameters(kernel), layout.struct, FAMILY)
        return [PlannedArgument(array.number, ArgumentKind.ADDRESS, array.data_pointer, 8) for array in arrays]

    def _parameters(self, kernel: Kernel) -> Sequence[Parameter]:
        return self.info.all_kernels[kernel.key].signature.parameters

    def _plan(self, name: str) -> Dispatch:
        if name not in self._native.kernels:
            raise UnplannedError(self._native.refused[name])
        kernel = self._kernels[name]
        layout, parameters = kernel.stated.layout, self._parameters(kernel)
        key = id(layout), parameters  # which many kernels share
        if key not in self._arguments:
            self._arguments[key] = (*planned_arguments(parameters, layout.struct), *self._gradients(kernel))
        return Dispatch(max(8, layout.size), self._arguments[key], self._tasks(name), layout.return_size)

    def _tasks(self, name: str) -> tuple[PlannedTask, ...]:
        return tuple(PlannedTask(b"", 0, 0, (), (), symbol) for symbol in self._native.kernels[name].tasks)


def planned_arguments(parameters: Sequence[Parameter], struct: Struct) -> Iterator[PlannedArgument]:
    """The arguments for the parameters; words beyond the 32nd of one are those of arguments after all others."""
    overflow = len(parameters)
    for number, (parameter, member) in enumerate(zip(parameters, struct.members, strict=True)):
        if parameter.dtype is None and parameter.layout is None:
            raise UnplannedError(f"a parameter of kind {parameter.kind}")
        if parameter.kind == "ndarray":
            if not isinstance(member.type, Struct) or len(member.type.members) < 2:
                raise UnplannedError(UNKNOWN_LAYOUT)
            shape, data = member.type.members[:2]
            yield PlannedArgument(number, ArgumentKind.ARRAY, member.offset + shape.offset, parameter.ndim)
            yield PlannedArgument(number, ArgumentKind.ADDRESS, member.offset + data.offset, 8)
            continue
        counts = word_counts(parameter, FAMILY)
        if not counts:
            yield PlannedArgument(number, ArgumentKind.VALUE, member.offset, byte_size(parameter, FAMILY))
        size, step = byte_size(parameter, FAMILY), WORD_BYTES * WORDS_PER_ARGUMENT
        for begin in range(0, step * len(counts), step):
            source = number
            if begin:
                source, overflow = overflow, overflow + 1
            yield PlannedArgument(source, ArgumentKind.WORDS, member.offset + begin, min(step, size - begin))


class PtxPlans(NativePlans):
    """As `NativePlans`, of a module with PTX."""

    def __init__(self, info: ModuleInfo, stated: Sequence[Kernel], ptx: PtxModule) -> None:
        super().__init__(info, stated, ptx)
        self._ptx = ptx  # its PTX

    def _tasks(self, name: str) -> tuple[PlannedTask, ...]:
        tasks, symbols = self._kernels[name].stated.tasks, self._ptx.kernels[name].tasks
        return tuple(
            PlannedTask(b"", task.info.grid, task.info.block, (), length, symbol, task.shared)
            for task, symbol, length in zip(tasks, symbols, self._ptx.lengths[name], strict=True)
        )
