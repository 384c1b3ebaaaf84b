"""The handle of a loaded module."""

from __future__ import annotations

from typing import Any

from .._ffi.library import ffi, lib
from .runtime import RuntimeHandle

__all__ = ["ModuleHandle"]


class ModuleHandle:
    """One loading of a module: closed by itself, while the native module stays with the runtime."""

    __slots__ = ("__weakref__", "native", "runtime", "state")

    def __init__(self, runtime: RuntimeHandle, native: Any) -> None:
        self.runtime = runtime
        self.native = native
        self.state = ffi.new("int64_t *", 1)  # not 0 while it is open

    @property
    def open(self) -> bool:
        return bool(self.state[0])

    @property
    def closed(self) -> bool:
        return not self.open or not self.runtime.open

    def close(self) -> None:
        """Refuse every launch from now on."""
        lib.taichi_aot_store(self.runtime.native.pointer, self.state, 0)

    def use(self) -> Any:
        """The native module, for one call. The runtime's lock is held."""
        self.runtime.use()
        if not self.open:
            raise ValueError("the module is closed")
        return self.native
