"""Counts of living objects."""

from __future__ import annotations

import gc
from collections.abc import Callable

import taichi_aot
from taichi_aot._handles import memory, module, runtime


def _count_handles() -> dict[str, int]:
    living = gc.get_objects()
    return {
        "runtimes": len(runtime.process.runtimes),
        "memories": sum(isinstance(thing, memory.MemoryHandle) for thing in living),
        "modules": sum(isinstance(thing, module.ModuleHandle) for thing in living),
    }


object_counts: Callable[[], dict[str, int]] = getattr(taichi_aot, "object_counts", _count_handles)
