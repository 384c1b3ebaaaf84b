"""Failed checks of kernels, without a kernel that has any."""

from __future__ import annotations

import ctypes

from helpers.inside import check_addresses, number_of_kernel
from taichi_aot import Runtime


class Failure:
    """Where the kernels of a runtime note a failed check."""

    def __init__(self, rt: Runtime) -> None:
        kernel, lock, self._message, arguments = check_addresses(rt)
        self._kernel, self.lock = ctypes.c_int64.from_address(kernel), ctypes.c_int32.from_address(lock)
        self._arguments = (ctypes.c_uint64 * 2).from_address(arguments)

    def note(self) -> None:
        text = b"[kernel=set_1d_c80_0] Out of bound access to ndarray at arg 0 with indices [%d]\n"
        ctypes.memmove(self._message, text + b"\0", len(text) + 1)
        self._arguments[0], self._kernel.value = 4, number_of_kernel("set_1d", "x", "i")
