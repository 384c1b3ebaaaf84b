"""The handle of a loaded module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._ffi.library import ffi, lib
from .runtime import RuntimeHandle

if TYPE_CHECKING:
    from .._capi import TiAotModule, taichi_aot_module_p

__all__ = ["ModuleHandle"]


class ModuleHandle:
    """One load of a module, which can be closed on its own; the library's module stays loaded in the runtime.

    Parameters
    ----------
    runtime : RuntimeHandle
        The runtime that has loaded the module.
    ti_module : cdata
        ``TiAotModule``.

    Attributes
    ----------
    c : cdata
        ``taichi_aot_module *``, which launches check.
    """

    __slots__ = ("__weakref__", "c", "runtime")
    c: taichi_aot_module_p
    runtime: RuntimeHandle

    def __init__(self, runtime: RuntimeHandle, ti_module: TiAotModule) -> None:
        self.runtime = runtime
        self.c = ffi.new("taichi_aot_module *", {"ti_module": ti_module, "is_open": 1})

    @property
    def is_open(self) -> bool:
        return bool(self.c.is_open)

    @property
    def closed(self) -> bool:
        return not self.c.is_open or not self.runtime.is_open

    def close(self) -> None:
        """Make later launches fail."""
        if not self.closed:
            self.runtime.check(lib.taichi_aot_module_close(self.runtime.c, self.c))

    def require_open(self) -> TiAotModule:
        """Return ``TiAotModule``; ValueError if the module or its runtime is closed."""
        self.runtime.require_open()
        if not self.c.is_open:
            raise ValueError("the module is closed")
        return self.c.ti_module
