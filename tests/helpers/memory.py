"""Memory as other devices have it."""

from __future__ import annotations

import pytest

from taichi_aot import Runtime
from taichi_aot._memory.gfx import GfxAllocator


def as_on_a_discrete_gpu(rt: Runtime) -> Runtime:
    """The runtime, which from now on allocates arrays in memory that the host cannot map. Skips on other archs."""
    allocator = rt._handle.allocator
    if not isinstance(allocator, GfxAllocator):
        pytest.skip("the arch has one kind of memory")
    allocator.unified = False
    return rt
