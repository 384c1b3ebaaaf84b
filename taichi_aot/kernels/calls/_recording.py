"""The state of launches and sequences on the device.

C decides which launches are recorded and when: ``_c/core/policy.c``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...driver._library import ffi, lib
from ...handles._on_device import OnDevice
from ...handles._runtime import RuntimeHandle

if TYPE_CHECKING:
    from ..._capi import taichi_aot_plan_p, taichi_aot_recorded_p, taichi_aot_recording_p
    from ...handles._plans import ModulePlans

FREEING = "freeing a recorded launch"


class Recorded(OnDevice):
    """The state of a launch on the device, which keeps the code that it launches."""

    __slots__ = ("c",)

    def __init__(self, runtime: RuntimeHandle, plan: taichi_aot_plan_p, plans: ModulePlans) -> None:
        self.c: taichi_aot_recorded_p = ffi.new("taichi_aot_recorded *", {"plan": plan, "version": -1})
        super().__init__(runtime, self.c, partial(lib.taichi_aot_kept_free, runtime.c), FREEING, plans)


class Recording(OnDevice):
    """The state of a recorded sequence, which keeps the code that its graphs launch."""

    __slots__ = ("_label", "c")

    def __init__(self, runtime: RuntimeHandle, label: Any, plans: Sequence[ModulePlans | None]) -> None:
        self._label = label
        self.c: taichi_aot_recording_p = ffi.new("taichi_aot_recording *", {"label": label})
        super().__init__(runtime, self.c, partial(lib.taichi_aot_kept_free, runtime.c), FREEING, plans)
