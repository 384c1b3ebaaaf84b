"""Fixtures: a Vulkan runtime, and kernels that take textures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.archs import need

import taichi_aot
from taichi_aot import AotModule, Arch, Runtime


@pytest.fixture
def vk(shared_runtime: Callable[[Arch], Runtime]) -> Runtime:
    if Arch.VULKAN not in taichi_aot.available_archs():
        need("vulkan", "no such device on this machine")
    return shared_runtime(Arch.VULKAN)


@pytest.fixture
def textures(vk: Runtime, texture_folder: Path) -> AotModule:
    return vk.load_module(texture_folder / "textures.tcm")
