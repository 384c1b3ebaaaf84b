"""Device memory for the return values of a kernel, and its copies on the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...driver._library import ffi, lib
from ...handles._copies import allocate
from ...handles._memory import Request
from ...handles._runtime import RuntimeHandle

if TYPE_CHECKING:
    from ...bundle._plan import ResultLayout


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
