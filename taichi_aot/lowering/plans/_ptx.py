"""Plans of kernels that have PTX: their functions are launched with the argument struct that the module states."""

from __future__ import annotations

from functools import cached_property

from ...formats._parse import ParsedModule
from ...formats._ptx import PtxModule
from .._lower import lower
from ._kernel_plans import KernelPlans
from ._native import NativePlans
from ._plans import PlannedTask

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
        self._ptx = ptx

    def _tasks(self, name: str) -> tuple[PlannedTask, ...]:
        tasks, symbols = self._kernels[name].stated.tasks, self._ptx.kernels[name].tasks
        return tuple(
            PlannedTask(b"", task.info.grid, task.info.block, (), length, symbol, task.shared)
            for task, symbol, length in zip(tasks, symbols, self._ptx.lengths[name], strict=True)
        )

    @property
    def of_library(self) -> KernelPlans:
        return self._recorded

    @cached_property
    def _recorded(self) -> KernelPlans:
        """The plans of the copy that the library is given."""
        return KernelPlans(lower(self._module))
