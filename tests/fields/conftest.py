"""A runtime for each test: one with a module with fields takes no other such module."""

from __future__ import annotations

import pytest

from taichi_aot import Runtime


@pytest.fixture
def rt(own_rt: Runtime) -> Runtime:
    return own_rt
