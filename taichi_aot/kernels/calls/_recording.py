"""The state of launches and sequences on the device, and memory for the return values of kernels.

C decides which launches are recorded and when: ``_c/core/policy.c``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...driver._library import ffi, lib
from ...handles._memory import OnDevice, Request, allocate
from ...handles._runtime import RuntimeHandle

if TYPE_CHECKING:
    from ..._capi import taichi_aot_plan_p, taichi_aot_recorded_p, taichi_aot_recording_p
    from ...bundle._plan import ResultLayout
    from ...handles._module import KernelPlans

FREEING = "freeing a recorded launch"


class Recorded(OnDevice):
    """The state of a launch on the device, which keeps the code that it launches."""

    __slots__ = ("c",)

    def __init__(self, runtime: RuntimeHandle, plan: taichi_aot_plan_p, plans: KernelPlans) -> None:
        self.c: taichi_aot_recorded_p = ffi.new("taichi_aot_recorded *", {"plan": plan, "version": -1})
        super().__init__(runtime, self.c, partial(lib.taichi_aot_kept_free, runtime.c), FREEING, plans)


class Recording(OnDevice):
    """The state of a recorded sequence, which keeps the code that its graphs launch."""

    __slots__ = ("c",)

    def __init__(self, runtime: RuntimeHandle, plans: Sequence[KernelPlans | None]) -> None:
        self.c: taichi_aot_recording_p = ffi.new("taichi_aot_recording *")
        super().__init__(runtime, self.c, partial(lib.taichi_aot_kept_free, runtime.c), FREEING, plans)


class HostCopy:
    """A buffer on the host for a copy of a kernel's return values; `value` converts it to the Python value."""

    __slots__ = ("host", "value")

    def __init__(self, layout: ResultLayout) -> None:
        contents = np.zeros(layout.size, np.uint8)
        self.host = ffi.from_buffer(contents)
        self.value = layout.reader(contents)


class Result(HostCopy):
    """Memory for the return values of the launches of one block, and its ``taichi_aot_result *``."""

    __slots__ = ("_memory", "c")

    def __init__(self, runtime: RuntimeHandle, layout: ResultLayout) -> None:
        super().__init__(layout)
        self._memory = allocate(runtime, Request(layout.size, host_write=False, is_result=True))
        self.c = c = ffi.new("taichi_aot_result *", {"memory": self._memory.c, "size": layout.size})
        c.ti_ndarray.memory = self._memory.c.ti_memory  # NULL where the library imports it for a launch
        c.ti_ndarray.shape = {"dim_count": 1, "dims": [layout.size // 4]}
        c.ti_ndarray.elem_type = lib.TI_DATA_TYPE_I32
