"""Plans of kernels that have PTX: their functions are launched with the argument struct that the module states."""

from __future__ import annotations

from collections.abc import Sequence

from ...bundle._info import ModuleInfo
from ..taichi._plans import PlannedTask
from ..taichi._ptx import PtxModule
from ._metadata import Kernel
from ._native_plans import NativePlans


class PtxPlans(NativePlans):
    """As `NativePlans`, of a module with PTX.

    `info, stated`: as for `NativePlans`.
    """

    def __init__(self, info: ModuleInfo, stated: Sequence[Kernel], ptx: PtxModule) -> None:
        super().__init__(info, stated, ptx)
        self._ptx = ptx  # its PTX

    def _tasks(self, name: str) -> tuple[PlannedTask, ...]:
        tasks, symbols = self._kernels[name].stated.tasks, self._ptx.kernels[name].tasks
        return tuple(
            PlannedTask(b"", task.info.grid, task.info.block, (), length, symbol, task.shared)
            for task, symbol, length in zip(tasks, symbols, self._ptx.lengths[name], strict=True)
        )
