"""One build of one file, shared by the tests that examine it."""

import textwrap
from pathlib import Path

import pytest
from helpers.archs import needs_taichi

from taichi_aot.build import build

KERNELS = Path(__file__).parent / "kernels.py"
ARCHS = ("x64", "vulkan")
HEAD = """import taichi as ti
from taichi_aot.build import export

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
"""


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(needs_taichi)


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """``kernels.py`` as a bundle for x64 and Vulkan."""
    return build(KERNELS, tmp_path_factory.mktemp("built") / "kernels.tib", archs=ARCHS)


@pytest.fixture
def source(tmp_path):
    """A function that writes a source file with the usual imports."""

    def write(text, name="kernels.py"):
        path = tmp_path / name
        path.write_text(HEAD + textwrap.dedent(text), encoding="utf-8")
        return path

    return write
