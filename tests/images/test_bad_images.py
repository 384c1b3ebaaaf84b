"""Wrong images raise; tested in child processes, because the library aborts on some of them."""

import contextlib
import gc
import signal
import sys
import time
from functools import partial

import numpy as np
import pytest
from helpers.archs import on_vulkan
from helpers.child import in_child
from helpers.raising import assert_raises

from taichi_aot import (
    Arch,
    Format,
    Image,
    ImageLayout,
    ImageSlice,
    NotSupportedError,
    OutOfMemoryError,
    Runtime,
    Sampler,
    Texture,
    object_counts,
)


def interrupt_each(rt):
    image = rt.allocate_image((2048, 2048), "rgba8")
    texels = np.random.default_rng(1).integers(0, 256, (2048, 2048, 4), np.uint8)
    for work in (lambda: image.write(texels), image.to_numpy, lambda: rt.allocate_image((64, 64), "r8").write(ZEROS)):
        run_until_interrupted(work)
    image.write(texels)
    assert (image.to_numpy() == texels).all()


ZEROS = np.zeros((64, 64), np.uint8)


def run_until_interrupted(work):
    """Send several signals, because those inside a finalizer are lost."""
    end = time.monotonic() + 300
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3, 0.1)
        while time.monotonic() < end:
            work()
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)
        return
    raise AssertionError("not interrupted")


@on_vulkan
@in_child
def test_bad_extents_raise(arch):
    """Allocate images with wrong extents, each of which would abort the process in the library."""
    rt = Runtime(arch)
    allocate = rt.allocate_image
    cases = [
        (ValueError, "1 to 3 sizes", 0),
        (ValueError, "1 to 3 sizes", (0, 4)),
        (ValueError, "1 to 3 sizes", (4, 4, 0)),
        (ValueError, "1 to 3 sizes", ()),
        (ValueError, "1 to 3 sizes", (1, 1, 1, 1)),
        (ValueError, "negative", (-1, 4)),
        (ValueError, "at most", (100_000, 100_000)),
        (ValueError, "at most", (4, 2**31)),
        (ValueError, "at most", (2**32, 4)),
        (ValueError, "at most", 10**30),
        (TypeError, "integer", 1.5),
        (TypeError, "integer", (4, "4")),
        (TypeError, "integer", None),
    ]
    for error, message, extent in cases:
        assert_raises(error, partial(allocate, extent, "rgba8"), match=message)
    for format in (0, 44, -1, "rgb8", "", None, 3.5):
        assert_raises(ValueError, partial(allocate, (4, 4), format), match="unknown format")
    for usage in (0, 8, -1, 2**40):
        assert_raises(ValueError, partial(allocate, (4, 4), "r8", usage=usage), match="unknown usage")
    assert_raises(NotSupportedError, lambda: rt.allocate_image((4, 4), Format.DEPTH32F), match="depth")
    rt.allocate_image((4, 4), "rgba8").write(np.zeros((4, 4, 4), np.uint8))


@on_vulkan
@in_child
def test_too_large_images_raise(arch):
    """Allocate more memory than the machine has: it raises, and the runtime stays usable."""
    rt = Runtime(arch)
    # The second is larger than lavapipe's heap of 2 GiB, although the driver allocates more.
    for extent in ((2048, 2048, 2048), (16384, 8193), (16384, 16384)):
        with contextlib.suppress(OutOfMemoryError):
            rt.allocate_image(extent, "rgba32f").close()
    kept = []  # a device may have room for one
    with pytest.raises(OutOfMemoryError, match="cannot allocate an image of"):
        kept.extend(rt.allocate_image((2048, 2048, 2048), "rgba32f") for _ in range(2))
    for image in kept:
        image.close()
    rt.allocate_image((4, 4), "rgba8").write(np.zeros((4, 4, 4), np.uint8))


@on_vulkan
@in_child
def test_bad_copies_raise(arch):
    rt, foreign = Runtime(arch), Runtime(arch)
    image = rt.allocate_image((5, 3), "rgba8")
    write = image.write
    to_numpy = image.to_numpy
    slice_of = image.__getitem__
    copy_from = image.copy_from
    transition = image.transition
    track = image.track
    right = np.zeros((3, 5, 4), np.uint8)
    for shape in ((5, 3, 4), (3, 5), (3, 5, 3), (3, 5, 4, 1), (60,), ()):
        assert_raises(ValueError, partial(write, np.zeros(shape, np.uint8)), match="shape")
    for data in (right.astype("f4"), right.astype("c8"), np.ma.masked_equal(right, 0), right.astype("S"), None):
        assert_raises(TypeError, partial(write, data), match="")
    assert_raises(OverflowError, lambda: image.write(np.full((3, 5, 4), 256, object)), match="fit")
    read_only = right.copy()
    read_only.flags.writeable = False
    for out in (read_only, np.zeros((3, 5, 8), np.uint8)[..., ::2], np.zeros((5, 3, 4), np.uint8)):
        assert_raises(ValueError, partial(to_numpy, out), match="out must be")
    for result in (right.astype("f4"), right.tolist(), bytearray(60)):
        assert_raises(TypeError, partial(to_numpy, result), match="expected a numpy array of uint8")
    for key in (
        slice(0, 4),
        slice(-4, 2),
        (slice(0, 3), slice(0, 6)),
        slice(2, 2),
        slice(3, None),
        (slice(None),) * 3,
        slice(10**30, None),
    ):
        assert_raises(IndexError, partial(slice_of, key), match="")
    for index in (1, (1, 2), None, Ellipsis, "x"):
        assert_raises(TypeError, partial(slice_of, index), match="sliced")
    assert_raises(ValueError, lambda: image[::2], match="step")
    assert_raises(TypeError, partial(slice_of, slice("a", None)), match="")
    # Other images and arrays.
    assert_raises(TypeError, lambda: image.copy_from(rt.allocate_image((5, 3), "rgba8u")), match="rgba8u")
    assert_raises(ValueError, lambda: image.copy_from(rt.allocate_image((3, 5), "rgba8")), match="extents")
    assert_raises(ValueError, lambda: image.copy_from(rt.allocate_image((5, 3, 1), "rgba8")), match="extents")
    assert_raises(ValueError, lambda: image.copy_from(image), match="overlap")
    assert_raises(ValueError, lambda: image[1:].copy_from(image[:2]), match="overlap")
    assert_raises(ValueError, lambda: image.copy_from(foreign.allocate_image((5, 3), "rgba8")), match="runtime")
    assert_raises(ValueError, lambda: image.copy_from(foreign.zeros((3, 5), "u8", 4)), match="runtime")
    assert_raises(ValueError, lambda: foreign.zeros((3, 5), "u8", 4).copy_from(image), match="runtime")
    assert_raises(TypeError, lambda: image.copy_from(rt.zeros((3, 5), "i8", 4)), match="i8")
    assert_raises(TypeError, lambda: rt.allocate_image((5, 3), "r8").copy_from(rt.zeros((3, 5), "u1")), match="")
    assert_raises(ValueError, lambda: image.copy_from(rt.zeros((5, 3), "u8", 4)), match="shape")
    assert_raises(ValueError, lambda: rt.zeros((5, 3), "u8", 4).copy_from(image), match="shape")
    for other in (right, rt.allocate(60), None, image.texture()):
        assert_raises(TypeError, partial(copy_from, other), match="expected an Image")
    closed_array, closed_image = rt.zeros((3, 5), "u8", 4), rt.allocate_image((5, 3), "rgba8")
    part, texture = closed_image[1:], closed_image.texture()
    closed_array.close()
    closed_image.close()
    assert_raises(ValueError, lambda: image.copy_from(closed_array), match="the memory is closed")
    assert_raises(ValueError, lambda: closed_array.copy_from(image), match="the memory is closed")
    for use in (
        lambda: image.copy_from(closed_image),
        lambda: closed_image.copy_from(image),
        lambda: closed_image.copy_from(rt.zeros((3, 5), "u8", 4)),
        lambda: rt.zeros((3, 5), "u8", 4).copy_from(closed_image),
        lambda: closed_image.write(right),
        closed_image.to_numpy,
        part.to_numpy,
        lambda: part.write(right[1:]),
        lambda: closed_image.transition(ImageLayout.SHADER_READ),
        lambda: closed_image.track(ImageLayout.SHADER_READ),
        closed_image.__enter__,
    ):
        assert_raises(ValueError, use, match="closed")
    assert texture.closed
    # Layouts.
    for layout in (ImageLayout.DEPTH_ATTACHMENT, ImageLayout.DEPTH_ATTACHMENT_READ):
        assert_raises(NotSupportedError, partial(transition, layout), match="depth")
        assert_raises(NotSupportedError, partial(track, layout), match="depth")
    for layout in (ImageLayout.COLOR_ATTACHMENT, ImageLayout.COLOR_ATTACHMENT_READ):
        assert_raises(ValueError, partial(transition, layout), match="ATTACHMENT")
    assert_raises(ValueError, lambda: image.transition(ImageLayout.UNDEFINED), match="undefined")
    for unknown in (11, -1, "general", None):
        assert_raises(ValueError, partial(transition, unknown), match="")
    image.write(right)
    assert not image.to_numpy().any()


@on_vulkan
@in_child
def test_copies_can_be_interrupted(arch):
    """Interrupt writing, reading and allocating images: KeyboardInterrupt, and everything works afterwards."""
    sys.unraisablehook = lambda _: None  # finalizers may be interrupted too
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    rt = Runtime(arch)
    interrupt_each(rt)
    rt.close()
    gc.collect()
    assert object_counts()["images"] == 0


@in_child
def test_other_archs_have_no_images():
    for arch, reason in ((Arch.X64, "no textures"), (Arch.OPENGL, "the library allocates none")):
        try:
            rt = Runtime(arch)
        except NotSupportedError:
            continue
        assert_raises(NotSupportedError, partial(rt.allocate_image, (4, 4), "rgba8"), match=reason)


def test_constructors_refuse_other_objects(vk):
    image = vk.allocate_image((5, 3), "r32f")
    calls = [
        (lambda: Image(vk, None), "created by Runtime.allocate_image"),
        (lambda: ImageSlice(5, image), "created by slicing an image"),
        (lambda: Texture(5, Sampler()), "expected an Image, got int"),
        (lambda: Texture(image, "nearest"), "expected a Sampler, got str"),
    ]
    for call, message in calls:
        with pytest.raises(TypeError, match=message):
            call()
