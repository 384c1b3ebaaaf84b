"""Marks: points in the order of what a runtime gives its device."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..driver._library import ffi, lib
from ._on_device import OnDevice
from ._runtime import RuntimeHandle

if TYPE_CHECKING:
    from .._capi import taichi_aot_mark_p
    from .._cdata import Pointer


class Mark(OnDevice):
    """A mark after all work so far, with the device's time."""

    __slots__ = ("_c",)
    _c: taichi_aot_mark_p

    def __init__(self, runtime: RuntimeHandle) -> None:
        self._c = ffi.new("taichi_aot_mark *")
        super().__init__(runtime, self._c, partial(lib.taichi_aot_mark_free, runtime.c), "freeing an event")
        runtime.check(lib.taichi_aot_mark_set(runtime.require_open(), self._c, True))

    @property
    def runtime(self) -> RuntimeHandle:
        """The runtime that it belongs to."""
        return self._runtime

    def ask(self, ns: int = 0) -> int:
        """Wait at most this many nanoseconds, and return the status."""
        return lib.taichi_aot_mark_wait(self._runtime.c, self._c, ns)

    def seconds_to(self, other: Mark) -> float:
        """Return the device's time from this mark to another; the device has reached both."""
        seconds: Pointer[float] = ffi.new("double *")
        self._runtime.check(lib.taichi_aot_mark_elapsed(self._runtime.require_open(), self._c, other._c, seconds))
        return seconds[0]
