"""State on a device that finalizers free, such as marks in the order of what a runtime gives its device."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ..driver._library import Status, ffi, lib, log_failure

if TYPE_CHECKING:
    from .._cdata import Pointer
    from ._runtime import RuntimeHandle

_NOT_NOW = (Status.BUSY, Status.REENTERED, Status.WRONG_THREAD)


def is_released(status: int, what: str) -> bool:
    """Return whether a finalizer's call needs no repetition, and log its failure."""
    if status in _NOT_NOW:
        return False
    log_failure(status, what)
    return True


class Release:
    """Frees what an `OnDevice` has; outlives it if its finalizer was interrupted."""

    __slots__ = ("_free", "_kept", "_what", "c")

    def __init__(self, c: Any, free: Callable[[Any, bool], int], what: str, kept: object) -> None:
        self._free = free
        self._what = what
        self._kept = kept
        self.c = c

    def release(self, *, may_wait: bool) -> bool:
        return is_released(self._free(self.c, may_wait), self._what)


class OnDevice:
    """Device state, created at its first use, and freed by a finalizer or with the runtime.

    `c`: the structure in which C notes the state. `free`: frees it, given `c` and whether it may wait; it may be called
    again. `what`: what it does, for messages about a failure. `kept`: what must live as long as the state, such as the
    code that a graph launches.
    """

    __slots__ = ("__weakref__", "_release", "runtime")

    def __init__(
        self, runtime: RuntimeHandle, c: Any, free: Callable[[Any, bool], int], what: str, kept: object = None
    ) -> None:
        self.runtime = runtime
        self._release = release = Release(c, free, what, kept)
        runtime.releases[release] = weakref.ref(self)

    def __del__(self) -> None:
        release = getattr(self, "_release", None)
        if release is not None:
            self.runtime.release(release)


class Mark(OnDevice):
    """A mark after all work so far, with the device's time."""

    __slots__ = ("_c",)

    def __init__(self, runtime: RuntimeHandle) -> None:
        self._c = ffi.new("taichi_aot_mark *")
        super().__init__(runtime, self._c, partial(lib.taichi_aot_mark_free, runtime.c), "freeing an event")
        runtime.check(lib.taichi_aot_mark_set(runtime.require_open(), self._c, True))

    def ask(self, ns: int = 0) -> int:
        """Wait at most this many nanoseconds, and return the status."""
        return lib.taichi_aot_mark_wait(self.runtime.c, self._c, ns)

    def seconds_to(self, other: Mark) -> float:
        """Return the device's time from this mark to another; the device has reached both."""
        seconds: Pointer[float] = ffi.new("double *")
        self.runtime.check(lib.taichi_aot_mark_elapsed(self.runtime.require_open(), self._c, other._c, seconds))
        return seconds[0]
