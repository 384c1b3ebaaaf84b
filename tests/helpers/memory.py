"""Memory as other devices have it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from taichi_aot import Runtime
from taichi_aot.backends._gfx import GfxAllocator


@contextmanager
def as_on_a_discrete_gpu(rt: Runtime) -> Iterator[Runtime]:
    """The runtime, which allocates arrays in memory that the host cannot map. Skips on other archs."""
    allocator = rt._handle.allocator
    if not isinstance(allocator, GfxAllocator):
        pytest.skip("the arch has one kind of memory")
    unified = allocator.unified
    allocator.unified = False
    try:
        yield rt
    finally:
        allocator.unified = unified
