"""Plans of kernels that have machine code: their tasks are called with the argument struct that the module states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...bundle._info import ModuleInfo
from ...bundle._plan import ResultLayout
from ...values._signature import Parameter
from ..taichi._members import gradient_arguments
from ..taichi._native import NativeModule
from ..taichi._plans import (
    ArgumentKind,
    Dispatch,
    PlannedArgument,
    PlannedTask,
    Plans,
    UnplannedError,
    planned_arguments,
)
from ..taichi._programs import Operation, Program
from ..taichi._ptx import PtxModule
from ..taichi._types import Struct
from ._copy import result_layouts
from ._metadata import FAMILY, Kernel


class NativePlans(Plans):
    """The launches of a module's kernels with machine code or PTX."""

    def __init__(self, info: ModuleInfo, stated: Sequence[Kernel], native: NativeModule | PtxModule) -> None:
        self._info = info
        self._native = native
        self._kernels = {kernel.key: kernel for kernel in stated}
        own = [kernel for name, kernel in self._kernels.items() if name in native.kernels]
        self.results: Mapping[str, ResultLayout] = result_layouts(own)
        self.gradients = frozenset(
            each.key
            for each in own
            if each.checked.gradients and planned_gradients(self._parameters(each), each.stated.layout.struct)
        )
        self._arguments: dict[tuple[int, Sequence[Parameter]], tuple[PlannedArgument, ...]] = {}

    def _parameters(self, kernel: Kernel) -> Sequence[Parameter]:
        return self._info.all_kernels[kernel.key].signature.parameters

    def dispatch(self, name: str) -> Dispatch:
        if name not in self._native.kernels:
            raise UnplannedError(self._native.refused[name])
        kernel = self._kernels[name]
        layout, parameters = kernel.stated.layout, self._parameters(kernel)
        key = id(layout), parameters  # which many kernels share
        if key not in self._arguments:
            self._arguments[key] = native_arguments(parameters, layout.struct)
        arguments = self._arguments[key]
        return Dispatch(max(8, layout.size), arguments, self._tasks(name, arguments), layout.return_size)

    def _tasks(self, name: str, arguments: Sequence[PlannedArgument]) -> tuple[PlannedTask, ...]:
        symbols = self._native.kernels[name].tasks
        if not isinstance(self._native, PtxModule):
            lengths = self._native.lengths[name]
            return tuple(
                PlannedTask(symbol)
                if added == 1 and _is_array(length, arguments)
                else PlannedTask(symbol, block=added, length=length)
                for symbol, (added, length) in zip(symbols, lengths, strict=True)
            )
        stated = self._kernels[name].stated.tasks
        return tuple(
            PlannedTask(
                symbol,
                own.groups,
                own.block,
                stated[own.number].shared,
                length=own.length,
                number=own.number,
                fills=own.fills,
                each=own.each,
            )
            for symbol, own in zip(symbols, self._native.tasks[name], strict=True)
        )


def _is_array(length: Program, arguments: Sequence[PlannedArgument]) -> bool:
    """Whether a length is that of an array, which has no more elements than an i32 counts."""
    loads = [operand for operation, operand in length if operation == Operation.LOAD]
    is_product = {operation for operation, _ in length} <= {Operation.LOAD, Operation.MULTIPLY}
    arrays = [[each.offset + 4 * i for i in range(each.size)] for each in arguments if each.kind is ArgumentKind.ARRAY]
    return is_product and sorted(loads) in arrays


def native_arguments(parameters: Sequence[Parameter], struct: Struct) -> tuple[PlannedArgument, ...]:
    """The arguments of a kernel with this argument struct, and its gradients."""
    return (*planned_arguments(parameters, struct.members, FAMILY), *planned_gradients(parameters, struct))


def planned_gradients(parameters: Sequence[Parameter], struct: Struct) -> list[PlannedArgument]:
    arrays = gradient_arguments(parameters, struct, FAMILY)
    return [PlannedArgument(array.number, ArgumentKind.ADDRESS, array.data_pointer, 8) for array in arrays]
