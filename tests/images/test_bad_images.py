"""Wrong images: each its exception. They run in child processes, because the library aborts on some of them."""

from __future__ import annotations

import pytest
from helpers.archs import need
from helpers.child import run_scenario

import taichi_aot
from taichi_aot import Arch, Runtime


@pytest.mark.parametrize("name", ["bad_extents", "too_large", "bad_copies", "interrupt"])
def test_bad_images(name: str) -> None:
    if Arch.VULKAN not in taichi_aot.available_archs():
        need("vulkan", "no such device on this machine")
    run_scenario(f"images:{name}", timeout=120)


def test_other_archs_have_no_images() -> None:
    run_scenario("images:other_archs")


def test_closed_runtime() -> None:
    if Arch.VULKAN not in taichi_aot.available_archs():
        need("vulkan", "no such device on this machine")
    rt = Runtime("vulkan")
    rt.close()
    with pytest.raises(ValueError, match="the runtime is closed"):
        rt.allocate_image((4, 4), "rgba8")
