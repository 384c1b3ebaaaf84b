"""The handle of a loaded module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..driver._library import ffi, lib
from ..values._errors import LibraryNotFoundError, NotSupportedError, ObjectStateError
from ..values._signature import Words
from ._code import ModuleFiles, fetch
from ._runtime import RuntimeHandle

if TYPE_CHECKING:
    from .._capi import TiAotModule, taichi_aot_module_p
    from .._cdata import Pointer
    from ..bundle._plan import Plan
    from ._plans import ModulePlans


class ModuleHandle:
    """One load of a module. Closing it leaves the library's module loaded in the runtime."""

    plan: Plan  # what the module states

    def __init__(
        self,
        runtime: RuntimeHandle,
        ti_module: TiAotModule,
        plans: ModulePlans | None = None,
        owner: ModuleHandle | None = None,
    ) -> None:
        self.runtime = runtime
        self.plans = plans  # the plans of its kernels and graphs; None if they are not recorded
        # What the library reads when kernels are fetched; None if it needs nothing, or has the files itself.
        self.files: ModuleFiles | None = None
        # What was loaded, which other handles of the same contents share. Its code may end with the last of them.
        self.loaded: Any = None
        self._owner = owner  # the handle that this one borrows the module from; closing it closes this one
        # The layouts of the return values that its kernels write to an array, by kernel.
        self.results: Mapping[str, Any] = {}
        self.gradients: frozenset[str] = frozenset()  # the kernels that are passed gradients, each as one more array
        self.why_without_plans: str = "the module is borrowed"  # the reason why it has no plans, if it has none
        # The arguments that the loaded copy of the module takes as words; NONE if another binding has loaded it.
        self.words: Words = Words.NONE
        # Launches check that it is open.
        self.c: taichi_aot_module_p = ffi.new("taichi_aot_module *", {"ti_module": ti_module, "is_open": 1})
        if owner is not None:
            self.c.owner = owner.c

    @property
    def is_open(self) -> bool:
        return bool(self.c.is_open) and (self._owner is None or self._owner.is_open)

    @property
    def closed(self) -> bool:
        return not self.is_open or not self.runtime.is_open

    def close(self) -> None:
        """Make later launches fail."""
        if not self.closed:
            self.runtime.check(lib.taichi_aot_module_close(self.runtime.c, self.c))

    def require_open(self) -> None:
        """Raise ValueError if the module or its runtime is closed."""
        self.runtime.require_open()
        if not self.is_open:
            raise ObjectStateError("the module is closed")

    def require_library(self) -> TiAotModule:
        """Return ``TiAotModule``, and let the library load it first if it has not; ValueError if it is closed."""
        self.require_open()
        if not self.c.ti_module and self.files is not None:
            self.c.ti_module = self.files.load(self.runtime)
        return self.c.ti_module

    def require_fields_of_library(self) -> None:
        """Raise NotSupportedError if kernels use fields for which the library has other memory."""
        if self.c.trees:
            raise NotSupportedError(
                "the C-API has no handle of the module or its kernels, because its fields are not in memory of the "
                "library: load it with TAICHI_AOT_VULKAN_RECORDING=0"
            )

    def fetch(self, name: str, *, is_graph: bool) -> Pointer[Any]:
        """Fetch a kernel or graph that is in the module from the library."""
        return fetch(self.runtime, self.files, self.require_library(), name, is_graph=is_graph)

    def find(self, name: str, *, is_graph: bool) -> Pointer[Any]:
        """Return ``TiKernel`` or ``TiComputeGraph`` for launches; NULL if it has machine code."""
        self.require_open()
        if self.plans is not None and self.plans.has_code(name, is_graph=is_graph):
            return ffi.NULL
        try:
            return self.fetch(name, is_graph=is_graph)
        except LibraryNotFoundError as error:
            reason = self.why_without_plans if self.plans is None else self.plans.reason(name, is_graph=is_graph)
            what = "graph" if is_graph else "kernel"
            raise LibraryNotFoundError(f"only the C library can launch {what} {name} ({reason}), and {error}") from None
