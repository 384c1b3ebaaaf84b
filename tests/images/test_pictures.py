"""Pictures: images from arrays and pillow, and images as pillow pictures and as PNG for notebooks."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from helpers.child import run_in_child
from helpers.textures import COLORS
from scenarios.pictures import import_nothing_early, run_code, without_pillow

from taichi_aot import Format, ImageUsage, NotSupportedError, Runtime

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "images.md"
WIDTH, HEIGHT = 13, 7
OPAQUE = {"uint8": 255, "float32": 1.0}
SEEN_BY_PILLOW = {
    Format.R8: "L",
    Format.R8U: "L",
    **dict.fromkeys((Format.RGBA8, Format.RGBA8SRGB, Format.RGBA8U, Format.BGRA8, Format.BGRA8SRGB), "RGBA"),
}
OTHER_MODES = ["1", "P", "PA", "LA", "La", "RGBa", "RGBX", "CMYK", "YCbCr", "HSV", "LAB", "I", "F", "I;16", "I;16B"]

Array = np.ndarray[Any, Any]


def random_picture(dtype, *shape):
    generator = np.random.default_rng(4)
    return generator.integers(0, 256, shape, np.uint8) if dtype == "uint8" else generator.random(shape, np.float32)


def random_image(vk, extent, format):
    """Return an image of random texels; skip the test if the device does not support the format."""
    try:
        image = vk.allocate_image(extent, format)
    except NotSupportedError as error:
        pytest.skip(str(error))
    if image.dtype.kind == "f":
        image.write(np.random.default_rng(5).random(image.shape).astype(image.dtype))
    else:
        image.write(np.frombuffer(np.random.default_rng(5).bytes(image.nbytes), image.dtype).reshape(image.shape))
    return image


def parsed(png):
    """Return the pixels of a PNG, read by pillow."""
    assert png is not None
    with PIL.Image.open(io.BytesIO(png)) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture)


@pytest.mark.parametrize("channels", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_array_becomes_an_image_of_its_channels(vk, dtype, channels):
    picture = random_picture(dtype, HEIGHT, WIDTH, *[channels] * (channels > 0))
    image = vk.image_from(picture)
    bits = {"uint8": "8", "float32": "32f"}[dtype]
    assert str(image.format) == ("r", "r", "rg", "rgba", "rgba")[channels] + bits
    assert image.extent == (WIDTH, HEIGHT)
    texels = image.to_numpy()
    if channels == 3:
        assert (texels[..., 3] == OPAQUE[dtype]).all()
        texels = texels[..., :3]
    assert texels.tobytes() == picture.tobytes()


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_picture_survives_a_round_trip(vk, mode):
    channels = len(mode)
    picture = PIL.Image.fromarray(random_picture("uint8", HEIGHT, WIDTH, *[channels] * (channels > 1)))
    assert picture.mode == mode
    back = vk.image_from(picture).to_pil()
    expected = picture.convert("RGBA") if mode == "RGB" else picture
    assert (back.mode, back.size) == (expected.mode, (WIDTH, HEIGHT))
    assert back.tobytes() == expected.tobytes()


def test_picture_is_the_right_way_up(vk, textures):
    """Pillow's pixel (x, y) is texel (x, y) in kernels and [y, x] in numpy."""
    picture = PIL.Image.new("RGB", (5, 3))
    picture.putpixel((4, 0), (255, 0, 0))
    picture.putpixel((1, 2), (0, 255, 0))
    image = vk.image_from(picture)
    seen = vk.zeros((3, 5), "f32", elem_shape=4)
    textures.kernels["fetch"](image, seen)
    for texels in (seen.to_numpy(), image.to_numpy() / 255, parsed(image._repr_png_()) / 255):
        assert texels[0, 4].tolist() == [1, 0, 0, 1]
        assert texels[2, 1].tolist() == [0, 1, 0, 1]
        assert texels[..., :3].sum() == 2
    assert image.to_pil().getpixel((4, 0)) == (255, 0, 0, 255)


@pytest.mark.parametrize("format", COLORS, ids=str)
def test_pillow_shows_supported_formats(vk, format):
    image = random_image(vk, (WIDTH, HEIGHT), format)
    if format not in SEEN_BY_PILLOW:
        with pytest.raises(NotSupportedError, match=rf"texels of {format}, .* to_numpy\(\) returns"):
            image.to_pil()
        return
    picture = image.to_pil()
    assert (picture.mode, picture.size) == (SEEN_BY_PILLOW[format], (WIDTH, HEIGHT))
    texels = image.to_numpy()
    if format.name.startswith("BGRA"):
        texels = texels[..., [2, 1, 0, 3]]
    assert (np.asarray(picture) == texels).all()
    assert (np.asarray(image[1:4, 2:9].to_pil()) == texels[1:4, 2:9]).all()
    # The picture is a copy.
    image.write(np.zeros(image.shape, image.dtype))
    assert (np.asarray(picture) == texels).all()


@pytest.mark.parametrize("extent", [(5,), (5, 4, 3), (5, 4, 1)])
def test_picture_needs_two_dimensions(vk, extent):
    image = random_image(vk, extent, Format.RGBA8)
    with pytest.raises(ValueError, match=f"2 dimensions, the image has {len(extent)}"):
        image.to_pil()
    assert image._repr_png_() is None


def test_notebooks_show_what_pillow_can(vk):
    texels = random_picture("uint8", HEIGHT, WIDTH, 4)
    assert (parsed(vk.image_from(texels)._repr_png_()) == texels).all()
    assert (parsed(vk.image_from(texels)[2:5, 1:3]._repr_png_()) == texels[2:5, 1:3]).all()
    assert vk.image_from(random_picture("float32", HEIGHT, WIDTH))._repr_png_() is None
    assert parsed(vk.image_from(random_picture("uint8", 512, 4096))._repr_png_()).shape == (128, 1024)


def test_closed_image_has_no_picture(vk):
    image = vk.image_from(random_picture("uint8", HEIGHT, WIDTH))
    part = image[:2]
    image.close()
    assert image._repr_png_() is None
    assert part._repr_png_() is None
    with pytest.raises(ValueError, match="closed"):
        image.to_pil()


def test_array_may_have_any_memory_layout(vk):
    base = random_picture("uint8", 2 * HEIGHT, WIDTH, 4)
    base.flags.writeable = False
    for picture in (base[::-2, ::-1], base.transpose(1, 0, 2), base[..., ::-1], base[..., 1], np.asfortranarray(base)):
        assert (vk.image_from(picture).to_numpy() == picture).all()


def test_usage_is_passed_to_the_image(vk):
    picture = random_picture("uint8", HEIGHT, WIDTH, 4)
    assert vk.image_from(picture).usage == ImageUsage.STORAGE | ImageUsage.SAMPLED
    assert vk.image_from(picture, usage=ImageUsage.SAMPLED).usage == ImageUsage.SAMPLED
    with pytest.raises(ValueError, match="usage"):
        vk.image_from(picture, usage=0)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "i8", "f2", "f8", ">f4", "c8", "O", "U1", "M8[s]"])
def test_other_dtypes_are_refused(vk, dtype):
    with pytest.raises(TypeError, match=r"uint8 \(0 to 255\) or float32 \(0 to 1\), not of .*allocate_image"):
        vk.image_from(np.zeros((HEIGHT, WIDTH), dtype))


@pytest.mark.parametrize(
    "shape", [(), (3,), (2, 3, 0), (2, 3, 5), (3, 200, 300), (2, 3, 4, 1), (0, 3, 4), (3, 0), (0, 0, 3)]
)
def test_other_shapes_are_refused(vk, shape):
    with pytest.raises(ValueError, match=r"channels|at least 1"):
        vk.image_from(np.zeros(shape, np.uint8))


@pytest.mark.parametrize(
    "picture",
    [None, 1, 2.5, np.float32(1), "photo.png", b"", bytearray(4), [[1, 2], [3, 4]], memoryview(b"1"), PIL.Image],
    ids=lambda picture: type(picture).__name__,
)
def test_other_objects_are_refused(vk, picture):
    with pytest.raises(TypeError, match=r"numpy array of uint8 or float32, or a picture of pillow, not "):
        vk.image_from(picture)


def test_masked_array_is_refused(vk):
    with pytest.raises(TypeError, match="masked"):
        vk.image_from(np.ma.array(np.zeros((HEIGHT, WIDTH), np.uint8), mask=True))


def test_subclass_of_an_array_is_read_as_an_array(vk):
    class Liar(np.ndarray[Any, Any]):
        shape = property(lambda _: (1000, 1000, 4))
        dtype = property(lambda _: np.dtype(np.float32))

    texels = random_picture("uint8", HEIGHT, WIDTH)
    assert (vk.image_from(np.ndarray.view(texels, Liar)).to_numpy() == texels).all()


def test_subclass_of_a_picture_is_read_by_its_array(vk):
    class Liar(PIL.Image.Image):
        texels: Array = np.zeros((HEIGHT, WIDTH))

        __array_interface__ = property(lambda self: self.texels.__array_interface__)

    liar = Liar()
    liar._mode = "L"
    with pytest.raises(TypeError, match="not of float64"):
        vk.image_from(liar)
    Liar.texels = np.ones((HEIGHT, WIDTH, 2), np.float32)
    assert vk.image_from(liar).format is Format.RG32F


@pytest.mark.parametrize("mode", OTHER_MODES)
def test_message_names_a_conversion_that_works(vk, mode):
    picture = PIL.Image.new(mode, (WIDTH, HEIGHT))
    with pytest.raises(TypeError, match=rf"L, RGB, RGBA, not {mode}; convert it by ") as caught:
        vk.image_from(picture)
    conversion = re.findall(r"convert it by (.*)$", str(caught.value))[0]
    assert vk.image_from(eval(conversion, {"np": np, "picture": picture})).extent == (WIDTH, HEIGHT)


def test_closed_runtime_and_huge_pictures_raise():
    rt = Runtime("vulkan")
    with pytest.raises(ValueError, match=r"at most"):
        rt.image_from(np.broadcast_to(np.uint8(0), (1, 1 << 24)))
    rt.close()
    with pytest.raises(ValueError, match="closed"):
        rt.image_from(np.zeros((2, 2), np.uint8))


def test_x64_does_not_support_images():
    with Runtime("x64") as rt, pytest.raises(NotSupportedError, match=r"no images.*Runtime\('vulkan'\)"):
        rt.image_from(np.zeros((2, 2), np.uint8))


def test_numpy_gets_a_copy(vk):
    picture = random_picture("float32", HEIGHT, WIDTH)
    image = vk.image_from(picture)
    assert (np.asarray(image) == picture).all()
    assert np.asarray(image, np.float64).dtype == np.float64
    assert (np.asarray(image[1:3]) == picture[1:3]).all()
    with pytest.raises(ValueError, match="without a copy"):
        image.__array__(copy=False)


def test_images_work_without_pillow(vk):
    run_in_child(without_pillow)


def test_pillow_is_imported_only_when_needed():
    run_in_child(import_nothing_early)


def test_documented_code_runs(vk, tmp_path):
    text = DOCUMENTATION.read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(# negative.py\n.*?)^```$", text, re.DOTALL | re.MULTILINE)
    picture = random_picture("uint8", 48, 64, 3)
    PIL.Image.fromarray(picture).save(tmp_path / "photo.png")
    done = run_in_child(run_code, code, tmp_path)
    assert f"# {done.stdout.strip()}\n" in code
    with PIL.Image.open(tmp_path / "negative.png") as negative:
        assert negative.mode == "RGBA"
        assert (np.asarray(negative.convert("RGB")) == 255 - picture).all()
