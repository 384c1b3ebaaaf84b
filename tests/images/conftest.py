"""Fixtures: a Vulkan runtime, and kernels that take textures."""

import pytest
from helpers.archs import require

from taichi_aot import Arch


@pytest.fixture
def vk(shared_runtime):
    require("vulkan")
    return shared_runtime(Arch.VULKAN)


@pytest.fixture
def textures(vk, texture_folder):
    return vk.load_module(texture_folder / "textures.tcm")
