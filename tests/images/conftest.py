"""Fixtures: a Vulkan runtime, and kernels that take textures with what the compiler's own runtime makes of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.archs import need
from helpers.textures import RW_FORMATS

import taichi_aot
from taichi_aot import AotModule, Arch, Runtime

COMPILER = Path(__file__).parents[1] / "helpers" / "compile_textures.py"


@pytest.fixture(scope="session")
def texture_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``textures.tcm`` and ``expected.npz``; see ``helpers/compile_textures.py``."""
    if Arch.VULKAN not in taichi_aot.available_archs():
        need("vulkan", "no such device on this machine")
    folder = tmp_path_factory.mktemp("textures")
    command = [sys.executable, str(COMPILER), str(folder), *RW_FORMATS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        need("vulkan", f"the module cannot be compiled: {done.stderr[-2000:]}")
    return folder


@pytest.fixture
def vk() -> Iterator[Runtime]:
    """A Vulkan runtime."""
    if Arch.VULKAN not in taichi_aot.available_archs():
        need("vulkan", "no such device on this machine")
    with Runtime(Arch.VULKAN) as runtime:
        yield runtime


@pytest.fixture
def textures(vk: Runtime, texture_folder: Path) -> AotModule:
    return vk.load_module(texture_folder / "textures.tcm")
