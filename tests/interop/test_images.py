"""Images shared with a Vulkan application."""

import dataclasses
import gc

import numpy as np
import pytest
from helpers.archs import require

from taichi_aot import Arch, ImageLayout, ImageUsage, NotSupportedError, Runtime
from taichi_aot.interop import vulkan as tv

vk = pytest.importorskip("vulkan")
from helpers import vulkan_application as app  # noqa: E402

GENERAL, READ, SOURCE = (
    vk.VK_IMAGE_LAYOUT_GENERAL,
    vk.VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    vk.VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
)


@pytest.fixture
def module_file(texture_folder):
    return texture_folder / "textures.tcm"


@pytest.fixture
def device():
    require("vulkan")
    return app.Device()


@pytest.fixture
def rt(device):
    with tv.import_runtime(device.info(), owner=device) as runtime:
        yield runtime


@pytest.fixture
def module(rt, module_file):
    return rt.load_module(module_file)


@pytest.mark.parametrize(
    ("left_in", "layout"),
    [
        (READ, ImageLayout.SHADER_READ),
        (GENERAL, ImageLayout.SHADER_READ_WRITE),
        (SOURCE, ImageLayout.TRANSFER_SRC),
        (vk.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, ImageLayout.COLOR_ATTACHMENT),
    ],
)
def test_kernel_filters_the_applications_frame(rt, device, module, left_in, layout):
    """The application draws, a kernel filters, and both read the result."""
    frame = app.Picture(device, 5, 3)
    frame.fill((0.2, 0.4, 0.6, 1.0), left_in)
    image = tv.import_image(rt, frame.info(), layout, owner=frame)
    assert (image.extent, str(image.format)) == ((5, 3), "rgba8")
    values = rt.zeros((3, 5), "f32", elem_shape=4)
    module.kernels["fetch"](image, values)
    np.testing.assert_allclose(values.to_numpy(), np.broadcast_to([0.2, 0.4, 0.6, 1], (3, 5, 4)), atol=1e-6)
    values.write(1 - values.to_numpy())
    module.kernels["store_rgba8"](image, values)
    expected = np.broadcast_to(np.array([204, 153, 102, 0], np.uint8), (3, 5, 4))
    np.testing.assert_array_equal(image.to_numpy(), expected)
    image.transition(layout)
    rt.wait()
    if layout is ImageLayout.TRANSFER_SRC:
        assert app.read_image(device, frame.image, SOURCE, 5, 3, 4) == expected.tobytes()
    # The next frame.
    frame.fill((1.0, 0.0, 0.0, 0.0), left_in)
    image.track(layout)
    assert (image.to_numpy() == [255, 0, 0, 0]).all()


def test_application_reads_an_exported_image(rt, device):
    image = rt.allocate_image((5, 3), "rgba8")
    texels = np.random.default_rng(1).integers(0, 256, (3, 5, 4), np.uint8)
    image.write(texels)
    info = tv.export_image(image, ImageLayout.TRANSFER_SRC)
    assert (info.extent, info.image_type, info.format) == ((5, 3, 1), 1, vk.VK_FORMAT_R8G8B8A8_UNORM)
    handle = vk.ffi.cast("VkImage", info.image)
    assert app.read_image(device, handle, SOURCE, 5, 3, 4) == texels.tobytes()
    np.testing.assert_array_equal(image.to_numpy(), texels)
    assert app.read_image(device, handle, SOURCE, 5, 3, 4) == texels.tobytes()  # copies restore the layout


def test_image_cannot_be_closed_while_it_is_imported():
    with Runtime(Arch.VULKAN) as rt, tv.import_runtime(tv.export_runtime(rt)) as other:
        image = rt.allocate_image((5, 3), "rgba8")
        image.write(np.full((3, 5, 4), 7, np.uint8))
        info = tv.export_image(image, ImageLayout.SHADER_READ_WRITE)
        imported = tv.import_image(other, info, ImageLayout.SHADER_READ_WRITE)
        again = tv.import_image(
            other, tv.export_image(imported, ImageLayout.SHADER_READ_WRITE), ImageLayout.SHADER_READ
        )
        with pytest.raises(BufferError, match="the image is imported"):
            image.close()
        assert (imported.to_numpy() == 7).all()
        imported.close()
        with pytest.raises(BufferError, match="the image is imported"):
            image.close()
        again.close()
        image.close()
        with pytest.raises(ValueError, match="closed"):
            tv.import_image(other, info, ImageLayout.SHADER_READ)


def test_owner_lives_as_long_as_the_image(rt, device):
    gone = []

    class Frame(app.Picture):
        def __del__(self):
            gone.append(1)
            super().__del__()

    frame = Frame(device, 5, 3)
    frame.fill((1.0, 0.0, 0.0, 0.0), READ)
    image = tv.import_image(rt, frame.info(), ImageLayout.SHADER_READ, owner=frame)
    array = rt.zeros((3, 5), "u8", elem_shape=4)
    array.copy_from(image)
    del frame
    gc.collect()
    assert not gone
    image.close()
    gc.collect()
    assert gone
    assert (array.to_numpy() == [255, 0, 0, 0]).all()


WRONG = {
    "null": (ValueError, "null", {"image": 0}),
    "type": (ValueError, "image_type 3", {"image_type": 3}),
    "tiling": (ValueError, "tiling 2", {"tiling": 2}),
    "mips": (NotSupportedError, "mip_level_count 2", {"mip_level_count": 2}),
    "layers": (NotSupportedError, "array_layer_count 0", {"array_layer_count": 0}),
    "samples": (NotSupportedError, "sample_count 4", {"sample_count": 4}),
    "format": (NotSupportedError, "VkFormat 126", {"format": 126}),
    "zero": (ValueError, "extent", {"extent": (5, 0, 1)}),
    "deep": (ValueError, "extent", {"extent": (5, 3, 2)}),
    "flat": (ValueError, "extent", {"image_type": 0}),
    "large": (ValueError, "this one has only", {"extent": (5000, 3000, 1)}),
    "usage": (ValueError, "TRANSFER_SRC", {"usage": 0xC}),
    "attachment": (ValueError, "SAMPLED or STORAGE", {"usage": 0x13}),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_image_is_an_error(rt, device, case):
    error, message, fields = WRONG[case]
    frame = app.Picture(device, 5, 3)
    info = dataclasses.replace(frame.info(), **fields)
    with pytest.raises(error, match=message):
        tv.import_image(rt, info, ImageLayout.UNDEFINED)


def test_usage_follows_the_imported_image(rt, device, module):
    usage = vk.VK_IMAGE_USAGE_TRANSFER_SRC_BIT | vk.VK_IMAGE_USAGE_TRANSFER_DST_BIT | vk.VK_IMAGE_USAGE_SAMPLED_BIT
    frame = app.Picture(device, 5, 3, usage=usage)
    image = tv.import_image(rt, frame.info(), ImageLayout.UNDEFINED, owner=frame)
    assert image.usage == ImageUsage.SAMPLED
    with pytest.raises(ValueError, match="without usage STORAGE"):
        module.kernels["store_rgba8"](image, rt.zeros((3, 5), "f32", elem_shape=4))
    with pytest.raises(ValueError, match="COLOR_ATTACHMENT needs"):
        tv.import_image(rt, frame.info(), ImageLayout.COLOR_ATTACHMENT)


def test_wrong_types_are_rejected(rt, device):
    info = app.Picture(device, 5, 3).info()
    with pytest.raises(TypeError, match="VulkanImageInfo"):
        tv.import_image(rt, 3, ImageLayout.UNDEFINED)
    with pytest.raises(TypeError, match="expected a Runtime"):
        tv.import_image(3, info, ImageLayout.UNDEFINED)
    with pytest.raises(ValueError, match="17"):
        tv.import_image(rt, info, 17)
    with pytest.raises(TypeError, match="expected an Image"):
        tv.export_image(rt, ImageLayout.SHADER_READ)
    with Runtime("x64") as cpu, pytest.raises(NotSupportedError, match="x64"):
        tv.import_image(cpu, info, ImageLayout.UNDEFINED)
    for extent in (3, (1, 2), "abcd", (1, 2, 3, 4)):
        with pytest.raises(TypeError, match="extent"):
            dataclasses.replace(info, extent=extent)
    for extent in ((1, 2, -1), (2**32, 1, 1)):
        with pytest.raises(ValueError, match="extent is out of range"):
            dataclasses.replace(info, extent=extent)


def test_closed_image_is_not_exported(rt):
    image = rt.allocate_image((5, 3), "rgba8")
    for layout in (ImageLayout.UNDEFINED, ImageLayout.COLOR_ATTACHMENT):
        with pytest.raises(ValueError, match="layout"):
            tv.export_image(image, layout)
    image.close()
    with pytest.raises(ValueError, match="closed"):
        tv.export_image(image, ImageLayout.SHADER_READ)
