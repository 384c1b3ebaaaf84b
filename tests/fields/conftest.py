"""A new runtime for each test, because a runtime takes only one module with fields."""

from __future__ import annotations

import pytest

from taichi_aot import Runtime


@pytest.fixture
def rt(own_rt: Runtime) -> Runtime:
    return own_rt
