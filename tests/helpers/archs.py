"""Which archs must be there, and what to do where one is not."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

# With this variable set, an arch that it names fails where it would otherwise be skipped. It also adds archs to those
# that are tested always: cuda, opengl.
REQUIRED = [name for name in os.environ.get("TAICHI_AOT_TEST_ARCHS", "").split(",") if name]
ARCHS = tuple(dict.fromkeys(("x64", "vulkan", *REQUIRED)))


def need(arch: str, reason: str) -> NoReturn:
    """Skip the test for the lack of an arch, or fail it where the arch is required."""
    if arch in REQUIRED:
        pytest.fail(f"{arch} is required by TAICHI_AOT_TEST_ARCHS: {reason}")
    pytest.skip(f"{arch}: {reason}")
