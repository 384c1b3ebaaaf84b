"""Fixtures for the tests of `taichi_aot.capi`: the archs and the module."""

from pathlib import Path

import pytest
from helpers.archs import ARCHS, require

from taichi_aot import Arch

KERNELS = Path(__file__).parents[2] / "examples" / "howto" / "kernels.py"


@pytest.fixture(params=dict.fromkeys((*ARCHS, "opengl")))
def arch(request):
    """Each arch under test, and OpenGL if available, whose runtimes belong to one thread."""
    require(request.param)
    return Arch(request.param)


@pytest.fixture
def howto(arch, build_source):
    """The module of ``examples/howto`` for the arch under test."""
    return build_source(KERNELS, arch, caps=())
