"""Plans of kernels that have PTX: their functions are launched with the argument struct that the module states."""

from __future__ import annotations

from functools import cached_property

from ...formats._files import CODE_SUFFIX
from ...formats._parse import ParsedModule
from ...formats._ptx import PtxModule
from .._lower import lower
from ._kernel_plans import KernelPlans
from ._llvm import RANGE_FOR
from ._llvm_loops import KernelCode
from ._native import NativePlans
from ._plans import Dispatch, PlannedTask
from ._programs import Program, Value

__all__ = ["PtxPlans"]


class PtxPlans(NativePlans):
    """As `NativePlans`, of a module with PTX.

    Parameters
    ----------
    module : ParsedModule
        The module.
    ptx : PtxModule
        Its PTX.
    """

    def __init__(self, module: ParsedModule, ptx: PtxModule) -> None:
        super().__init__(module, ptx)
        self._module = module

    def _tasks(self, name: str) -> tuple[PlannedTask, ...]:
        tasks, symbols = self._kernels[name].stated.tasks, self._native.kernels[name].tasks
        return tuple(
            PlannedTask(b"", task.info.grid, task.info.block, (), (), symbol, task.shared)
            for task, symbol in zip(tasks, symbols, strict=True)
        )

    def complete(self, name: str, dispatch: Dispatch) -> Dispatch:
        """Return a dispatch of a kernel with the lengths of its loops, for which the code of the kernel is read."""
        code = KernelCode(self._module.files[f"{name}{CODE_SUFFIX}"])
        stored: dict[int, Value] = {}  # lengths that serial tasks have stored
        tasks: list[PlannedTask] = []
        for stated, task in zip(self._kernels[name].stated.tasks, dispatch.tasks, strict=True):
            info = stated.info
            length: Program = (code.loop_length(info.name, stored) or ()) if info.kind == RANGE_FOR else ()
            stored = code.stored_lengths(info.name, stored)
            tasks.append(task._replace(length=length))
        return dispatch._replace(tasks=tuple(tasks))

    @property
    def of_library(self) -> KernelPlans:
        return self._recorded

    @cached_property
    def _recorded(self) -> KernelPlans:
        """The plans of the copy that the library is given."""
        return KernelPlans(lower(self._module))
