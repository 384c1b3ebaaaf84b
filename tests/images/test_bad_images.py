"""Wrong images raise; tested in child processes, because the library aborts on some of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from helpers.archs import need
from helpers.child import run_scenario

import taichi_aot
from taichi_aot import Arch, Image, ImageSlice, Runtime, Sampler, Texture


@pytest.mark.parametrize("name", ["allocate_bad_extents", "allocate_too_much", "make_bad_copies", "interrupt"])
def test_bad_images_raise(name: str) -> None:
    if Arch.VULKAN not in taichi_aot.available_archs():
        need("vulkan", "no such device on this machine")
    run_scenario(f"images:{name}")


def test_functions_refuse_layers_levels_and_depth() -> None:
    if Arch.VULKAN not in taichi_aot.available_archs():
        need("vulkan", "no such device on this machine")
    run_scenario("images:allocate_layers_levels_and_depth", quiet=False)


def test_other_archs_have_no_images() -> None:
    run_scenario("images:call_on_other_archs")


def test_closed_runtime_allocates_no_image() -> None:
    if Arch.VULKAN not in taichi_aot.available_archs():
        need("vulkan", "no such device on this machine")
    rt = Runtime("vulkan")
    rt.close()
    with pytest.raises(ValueError, match="the runtime is closed"):
        rt.allocate_image((4, 4), "rgba8")


def test_constructors_refuse_other_objects(vk: Runtime) -> None:
    image = vk.allocate_image((5, 3), "r32f")
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: Image(vk, None), "created by Runtime.allocate_image"),  # type: ignore[arg-type]
        (lambda: ImageSlice(5, image), "created by slicing an image"),  # type: ignore[arg-type]
        (lambda: Texture(5, Sampler()), "expected an Image, got int"),  # type: ignore[arg-type]
        (lambda: Texture(image, "nearest"), "expected a Sampler, got str"),  # type: ignore[arg-type]
    ]
    for call, message in calls:
        with pytest.raises(TypeError, match=message):
            call()
