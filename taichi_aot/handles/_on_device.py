"""State on a device that finalizers free."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from ._memory import is_released
from ._runtime import RuntimeHandle


class _Release:
    """Frees what an `OnDevice` has, also after an interrupt of its finalizer."""

    __slots__ = ("_free", "_kept", "_runtime", "_what", "c")

    def __init__(
        self, runtime: RuntimeHandle, c: Any, free: Callable[[Any, Any, bool], int], what: str, kept: object
    ) -> None:
        self._runtime = runtime.c
        self._kept = kept
        self._free = free
        self._what = what
        self.c = c

    def release(self, *, may_wait: bool) -> bool:
        return is_released(self._free(self._runtime, self.c, may_wait), f"freeing {self._what}")


class OnDevice:
    """Device state, created at its first use, and freed by a finalizer or with the runtime.

    `c`: the structure in which C notes the state. `free`: the C function that frees it, which may be called again.
    `what`: noun for messages about a failure. `kept`: what must live as long as the state, such as the code that a
    graph launches.
    """

    __slots__ = ("__weakref__", "_release", "_runtime")

    def __init__(
        self, runtime: RuntimeHandle, c: Any, free: Callable[[Any, Any, bool], int], what: str, kept: object = None
    ) -> None:
        self._runtime = runtime
        self._release = release = _Release(runtime, c, free, what, kept)
        runtime.releases[release] = weakref.ref(self)

    def __del__(self) -> None:
        release = getattr(self, "_release", None)
        if release is not None:
            self._runtime.release(release)
