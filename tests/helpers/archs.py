"""The archs under test, whether a missing one fails or skips a test, and whether the compiler is installed."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import NoReturn

import pytest

import taichi_aot
from taichi_aot import Arch

# Tests of an arch named in this variable fail instead of being skipped if the arch is missing. The variable also adds
# archs that are not tested by default: cuda, opengl.
REQUIRED = [name for name in os.environ.get("TAICHI_AOT_TEST_ARCHS", "").split(",") if name]
ARCHS = tuple(dict.fromkeys(("x64", "vulkan", *REQUIRED)))
HAS_TAICHI = find_spec("taichi") is not None
on_x64 = pytest.mark.parametrize("arch", ["x64"], indirect=True)
on_vulkan = pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
needs_taichi = pytest.mark.skipif(not HAS_TAICHI, reason="needs taichi")


def _has(package: str, release: str) -> bool:
    """Return whether a release is installed; a module of that name may be a folder of tests."""
    try:
        return version(package).startswith(release)
    except PackageNotFoundError:
        return False


HAS_QUADRANTS = _has("quadrants", "") and _has("llvmlite", "0.50.")
needs_quadrants = pytest.mark.skipif(
    not HAS_QUADRANTS,
    reason="needs the extra quadrants, in an environment of its own: quadrants, llvmlite 0.50, ziglang",
)


def need(arch: str, reason: str) -> NoReturn:
    """Skip the test because an arch is missing, or fail it if the arch is required."""
    if arch in REQUIRED:
        pytest.fail(f"{arch} is required by TAICHI_AOT_TEST_ARCHS: {reason}")
    pytest.skip(f"{arch}: {reason}")


def require(*archs: Arch | str) -> None:
    """Skip the test, or fail it, unless this machine has devices of these archs."""
    for arch in archs:
        if Arch(arch) not in taichi_aot.available_archs():
            need(str(arch), "no such device on this machine")
