"""Fixtures for the tests of `taichi_aot.capi`: the archs and the module."""

import zipfile
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
def howto(arch, build_source, tmp_path):
    """The folder of the module of ``examples/howto``, as the library takes it on each arch."""
    with zipfile.ZipFile(build_source(KERNELS, arch, caps=())) as archive:
        archive.extractall(tmp_path / "howto")
    return tmp_path / "howto"
