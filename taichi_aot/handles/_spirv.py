"""The SPIR-V of a module on a Vulkan device, with the memory of its fields."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from ..driver._library import check, ffi, lib
from ..values._enums import Capability

if TYPE_CHECKING:
    from .._capi import taichi_aot_memory_p, taichi_aot_runtime_p
    from ..bundle._plan import Plan
    from ._random import RandomNumbers
    from ._runtime import RuntimeHandle


class SpirvCode:
    """The code of a module, as `PtxCode`. C passes a kernel's code to the driver at the kernel's first launch.

    `trees` has the ``taichi_aot_memory *`` of each tree of fields, which ends with the runtime; NULL if there are none,
    or the library has them: it launches a kernel that uses them.
    """

    ends_with_modules = is_of_runtime = False
    way = "recorded"
    device_threads = 0  # plans do not ask
    roots = checks = 0
    runtime: Any = ffi.NULL

    def __init__(self, plan: Plan, runtime: RuntimeHandle) -> None:
        self._levels = runtime.backend.device.levels(runtime)
        random = runtime.random
        if not random.follow:
            random.follow = (partial(_write_words, runtime.c),)
            if random.seed is not None:
                _write_words(runtime.c, random)
        using = [raw for raw in plan.kernels.values() if raw.get("trees")]
        self.trees: Any = ffi.NULL
        if using and not any("library" in raw["launch"] for raw in using):
            # The runtime keeps this memory until it is freed.
            self.trees = ffi.new(
                "taichi_aot_memory *[]", [_allocate(runtime, size) for size in plan.stated["tree_sizes"]]
            )

    @property
    def has_fields(self) -> bool:
        """Whether kernels use fields without the library."""
        return bool(self.trees)

    def open(self, kernel: str) -> bool:
        """Return whether the code of a kernel can be used."""
        return True

    def has(self, needs: Iterable[str]) -> bool:
        """Return whether the device has capabilities, by their names."""
        return all(self._levels.get(Capability[name.upper()]) for name in needs)

    def function(self, kernel: str, symbol: str) -> int:
        """Return 0: a task has no address."""
        return 0


def _write_words(c: taichi_aot_runtime_p, random: RandomNumbers) -> None:
    check(lib.taichi_aot_vulkan_seed(c, ffi.new("uint32_t[]", random.words())))


def _allocate(runtime: RuntimeHandle, size: int) -> taichi_aot_memory_p:
    """Allocate the memory of a tree of fields, which the runtime frees."""
    c = ffi.new("taichi_aot_memory *", {"generation": 1})
    runtime.backend.memory.in_use[c] = 0  # before it is allocated, so that an exception in between cannot lose it
    info = ffi.new("TiMemoryAllocateInfo *", {"size": size, "usage": lib.TI_MEMORY_USAGE_STORAGE_BIT})
    runtime.check(lib.taichi_aot_allocate(runtime.require_open(), info, c))
    runtime.check(lib.taichi_aot_vulkan_clear(runtime.c, c))
    return c
