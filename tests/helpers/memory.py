"""Memory that behaves as on other devices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from taichi_aot import Runtime


@contextmanager
def as_on_a_discrete_gpu(rt: Runtime) -> Iterator[Runtime]:
    """Make the runtime allocate arrays that the host cannot map; skip the test on archs without such memory."""
    backend = rt._handle.backend
    if backend.code.family != "gfx":
        pytest.skip("the arch has only one kind of memory")
    unified = backend.memory.unified
    backend.memory.unified = False
    try:
        yield rt
    finally:
        backend.memory.unified = unified
