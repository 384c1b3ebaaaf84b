"""Fixtures: a Vulkan runtime, and kernels that take textures."""

import pytest
from helpers.archs import need

import taichi_aot
from taichi_aot import Arch


@pytest.fixture
def vk(shared_runtime):
    if Arch.VULKAN not in taichi_aot.available_archs():
        need("vulkan", "no such device on this machine")
    return shared_runtime(Arch.VULKAN)


@pytest.fixture
def textures(vk, texture_folder):
    return vk.load_module(texture_folder / "textures.tcm")
