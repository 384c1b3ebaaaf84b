"""Archs and the module of the function-level API's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.archs import ARCHS, need

from taichi_aot import Arch
from taichi_aot.build import build

KERNELS = Path(__file__).parents[2] / "examples" / "howto" / "kernels.py"


@pytest.fixture(params=dict.fromkeys((*ARCHS, "opengl")))
def arch(request: pytest.FixtureRequest, available: tuple[Arch, ...]) -> Arch:
    """Each arch under test, and OpenGL where there is one: a thread of its own is among what can be wrong."""
    if Arch(request.param) not in available:
        need(request.param, "no such device on this machine")
    return Arch(request.param)


@pytest.fixture(scope="session")
def build_howto(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Arch], Path]:
    """The module of ``examples/howto`` for an arch."""
    folder = tmp_path_factory.mktemp("howto")

    def build_for(arch: Arch) -> Path:
        path = folder / f"{arch}.tcm"
        if not path.exists():
            build(KERNELS, path, archs=[str(arch)])
        return path

    return build_for


@pytest.fixture
def howto(arch: Arch, build_howto: Callable[[Arch], Path]) -> Path:
    """The module of ``examples/howto`` for the arch under test."""
    return build_howto(arch)
