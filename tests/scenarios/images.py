"""Images: flat memory over many cycles, lifetimes, and calls that would crash without checks."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from helpers.machine import resident_bytes
from helpers.raising import assert_raises

from taichi_aot import (
    Arch,
    Format,
    Image,
    ImageLayout,
    NotSupportedError,
    OutOfMemoryError,
    Runtime,
    capi,
    library_path,
    object_counts,
)


def check(error: type[Exception], message: str, call: Callable[[], object]) -> None:
    assert_raises(error, call, match=message)


def allocate_layers_levels_and_depth() -> None:
    """The library refuses the first five too; it allocates depth images, and treats them as if they had colours."""
    runtime = capi.create_runtime(capi.TiArch.TI_ARCH_VULKAN, 0)
    library = ctypes.CDLL(library_path())
    library.ti_allocate_image.restype = ctypes.c_void_p
    dimension, format = capi.TiImageDimension, capi.TiFormat
    info = capi.TiImageAllocateInfo(
        dimension.TI_IMAGE_DIMENSION_2D,
        capi.TiImageExtent(4, 4, 1, 1),
        mip_level_count=1,
        format=format.TI_FORMAT_RGBA8,
        usage=capi.TiImageUsageFlags.TI_IMAGE_USAGE_SAMPLED_BIT,
    )

    def changed(**members: Any) -> capi.TiImageAllocateInfo:
        other = info.copy()
        for name, value in members.items():
            setattr(other, name, value)
        return other

    layers = [
        changed(dimension=dimension.TI_IMAGE_DIMENSION_1D_ARRAY, extent=capi.TiImageExtent(4, 1, 1, 2)),
        changed(dimension=dimension.TI_IMAGE_DIMENSION_2D_ARRAY),
        changed(dimension=dimension.TI_IMAGE_DIMENSION_CUBE, extent=capi.TiImageExtent(4, 4, 1, 6)),
        changed(extent=capi.TiImageExtent(4, 4, 1, 2)),
    ]
    levels = changed(mip_level_count=2)
    for other, word in [*((each, "layer") for each in layers), (levels, "1 mip level, not of 2")]:
        assert library.ti_allocate_image(runtime, other) is None
        check(NotSupportedError, word, partial(capi.allocate_image, runtime, other))
    for depth in (format.TI_FORMAT_DEPTH16, format.TI_FORMAT_DEPTH24STENCIL8, format.TI_FORMAT_DEPTH32F):
        check(NotSupportedError, "depth", partial(capi.allocate_image, runtime, changed(format=depth)))
    capi.free_image(runtime, capi.allocate_image(runtime, info))
    capi.destroy_runtime(runtime)


def copy_and_allocate_repeatedly() -> None:
    """Write and read 1,000 times, allocate 1,000 images: memory does not grow."""
    rt = Runtime("vulkan")
    texels = np.random.default_rng(1).integers(0, 256, (256, 256, 4), np.uint8)
    image = rt.allocate_image((256, 256), "rgba8")
    out = np.empty_like(texels)
    array = rt.zeros((256, 256), "u8", elem_shape=4)

    def copy() -> None:
        image.write(texels)
        image[:8, :8].copy_from(image[8:16, 8:16])
        array.copy_from(image)
        image.copy_from(array)
        image.to_numpy(out)

    def allocate() -> None:
        with rt.allocate_image((256, 256), "rgba8") as each:
            each.write(texels)
        rt.allocate_image((64, 64, 4), "r32f").copy_from(rt.zeros((4, 64, 64)))

    for work in (copy, allocate):
        for _ in range(200):
            work()
        before = resident_bytes()
        for _ in range(1000):
            work()
        grown = resident_bytes() - before
        assert grown < 4 << 20, f"{work.__name__}: {grown >> 10} KiB more"
    gc.collect()
    assert object_counts()["images"] == 1


def drop_and_close_beside_launches() -> None:
    """Drop and close images before and after their runtime, during copies and launches."""
    for order in range(6):
        rt = Runtime("vulkan")
        image, array = rt.allocate_image((64, 64), "r32f"), rt.zeros((64, 64))
        image.copy_from(array)
        array.copy_from(image)
        if order == 0:
            del image, array
        elif order == 1:
            array.close()
            image.close()
        elif order == 2:
            del rt
        elif order == 3:
            part = image[1:]
            del rt, image
            gc.collect()
            part.to_numpy()
        elif order == 4:
            rt.close()
            assert image.closed
            check(ValueError, "closed", image.to_numpy)
        gc.collect()
    image = array = part = None  # type: ignore[assignment]
    rt = None  # type: ignore[assignment]
    gc.collect()
    assert not any(object_counts().values()), object_counts()


def allocate_bad_extents() -> None:
    """Allocate images with wrong extents, each of which would abort the process in the library."""
    rt = Runtime("vulkan")
    allocate: Any = rt.allocate_image
    cases: list[tuple[type[Exception], str, object]] = [
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
        check(error, message, partial(allocate, extent, "rgba8"))
    for format in (0, 44, -1, "rgb8", "", None, 3.5):
        check(ValueError, "unknown format", partial(allocate, (4, 4), format))
    for usage in (0, 8, -1, 2**40):
        check(ValueError, "usage of an image", partial(allocate, (4, 4), "r8", usage=usage))
    check(NotSupportedError, "depth", lambda: rt.allocate_image((4, 4), Format.DEPTH32F))
    rt.allocate_image((4, 4), "rgba8").write(np.zeros((4, 4, 4), np.uint8))


def allocate_too_much() -> None:
    """Allocate more memory than the machine has: it raises, and the runtime stays usable."""
    rt = Runtime("vulkan")
    # The second is larger than lavapipe's heap of 2 GiB, although the driver allocates more.
    for extent in ((2048, 2048, 2048), (16384, 8193), (16384, 16384)):
        with contextlib.suppress(OutOfMemoryError):
            rt.allocate_image(extent, "rgba32f").close()
    kept: list[Image] = []  # a device may have room for one
    check(
        OutOfMemoryError,
        "cannot allocate an image of",
        lambda: kept.extend(rt.allocate_image((2048, 2048, 2048), "rgba32f") for _ in range(2)),
    )
    for image in kept:
        image.close()
    rt.allocate_image((4, 4), "rgba8").write(np.zeros((4, 4, 4), np.uint8))


def make_bad_copies() -> None:
    rt, foreign = Runtime("vulkan"), Runtime("vulkan")
    image = rt.allocate_image((5, 3), "rgba8")
    write: Any = image.write
    to_numpy: Any = image.to_numpy
    slice_of: Any = image.__getitem__
    copy_from: Any = image.copy_from
    transition: Any = image.transition
    track: Any = image.track
    right: Any = np.zeros((3, 5, 4), np.uint8)
    for shape in ((5, 3, 4), (3, 5), (3, 5, 3), (3, 5, 4, 1), (60,), ()):
        check(ValueError, "shape", partial(write, np.zeros(shape, np.uint8)))
    for data in (right.astype("f4"), right.astype("c8"), np.ma.masked_equal(right, 0), right.astype("S"), None):
        check(TypeError, "", partial(write, data))
    check(OverflowError, "fit", lambda: image.write(np.full((3, 5, 4), 256, object)))
    read_only = right.copy()
    read_only.flags.writeable = False
    for out in (read_only, np.zeros((3, 5, 8), np.uint8)[..., ::2], np.zeros((5, 3, 4), np.uint8)):
        check(ValueError, "out must be", partial(to_numpy, out))
    for result in (right.astype("f4"), right.tolist(), bytearray(60)):
        check(TypeError, "expected a numpy array of uint8", partial(to_numpy, result))
    for key in (
        slice(0, 4),
        slice(-4, 2),
        (slice(0, 3), slice(0, 6)),
        slice(2, 2),
        slice(3, None),
        (slice(None),) * 3,
        slice(10**30, None),
    ):
        check(IndexError, "", partial(slice_of, key))
    for index in (1, (1, 2), None, Ellipsis, "x"):
        check(TypeError, "sliced", partial(slice_of, index))
    check(ValueError, "step", lambda: image[::2])
    check(TypeError, "", partial(slice_of, slice("a", None)))
    # Other images and arrays.
    check(TypeError, "rgba8u", lambda: image.copy_from(rt.allocate_image((5, 3), "rgba8u")))
    check(ValueError, "extents", lambda: image.copy_from(rt.allocate_image((3, 5), "rgba8")))
    check(ValueError, "extents", lambda: image.copy_from(rt.allocate_image((5, 3, 1), "rgba8")))
    check(ValueError, "overlap", lambda: image.copy_from(image))
    check(ValueError, "overlap", lambda: image[1:].copy_from(image[:2]))
    check(ValueError, "runtime", lambda: image.copy_from(foreign.allocate_image((5, 3), "rgba8")))
    check(ValueError, "runtime", lambda: image.copy_from(foreign.zeros((3, 5), "u8", 4)))
    check(ValueError, "runtime", lambda: foreign.zeros((3, 5), "u8", 4).copy_from(image))
    check(TypeError, "i8", lambda: image.copy_from(rt.zeros((3, 5), "i8", 4)))
    check(TypeError, "", lambda: rt.allocate_image((5, 3), "r8").copy_from(rt.zeros((3, 5), "u1")))
    check(ValueError, "shape", lambda: image.copy_from(rt.zeros((5, 3), "u8", 4)))
    check(ValueError, "shape", lambda: rt.zeros((5, 3), "u8", 4).copy_from(image))
    for other in (right, rt.allocate(60), None, image.texture()):
        check(TypeError, "expected an Image", partial(copy_from, other))
    closed_array, closed_image = rt.zeros((3, 5), "u8", 4), rt.allocate_image((5, 3), "rgba8")
    part, texture = closed_image[1:], closed_image.texture()
    closed_array.close()
    closed_image.close()
    check(ValueError, "the memory is closed", lambda: image.copy_from(closed_array))
    check(ValueError, "the memory is closed", lambda: closed_array.copy_from(image))
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
        check(ValueError, "closed", use)
    assert texture.closed
    # Layouts.
    for layout in (ImageLayout.DEPTH_ATTACHMENT, ImageLayout.DEPTH_ATTACHMENT_READ):
        check(NotSupportedError, "depth", partial(transition, layout))
        check(NotSupportedError, "depth", partial(track, layout))
    for layout in (ImageLayout.COLOR_ATTACHMENT, ImageLayout.COLOR_ATTACHMENT_READ):
        check(ValueError, "ATTACHMENT", partial(transition, layout))
    check(ValueError, "undefined", lambda: image.transition(ImageLayout.UNDEFINED))
    for unknown in (11, -1, "general", None):
        check(ValueError, "", partial(transition, unknown))
    image.write(right)
    assert not image.to_numpy().any()


def call_on_other_archs() -> None:
    for arch, reason in ((Arch.X64, "no textures"), (Arch.OPENGL, "the library allocates none")):
        try:
            rt = Runtime(arch)
        except NotSupportedError:
            continue
        check(NotSupportedError, reason, partial(rt.allocate_image, (4, 4), "rgba8"))


def interrupt() -> None:
    """Interrupt writing, reading and allocating images: KeyboardInterrupt, and everything works afterwards."""
    sys.unraisablehook = lambda _: None  # finalizers may be interrupted too
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    rt = Runtime("vulkan")
    interrupt_each(rt)
    rt.close()
    gc.collect()
    assert object_counts()["images"] == 0


def interrupt_each(rt: Runtime) -> None:
    image = rt.allocate_image((2048, 2048), "rgba8")
    texels = np.random.default_rng(1).integers(0, 256, (2048, 2048, 4), np.uint8)
    for work in (lambda: image.write(texels), image.to_numpy, lambda: rt.allocate_image((64, 64), "r8").write(ZEROS)):
        run_until_interrupted(work)
    image.write(texels)
    assert (image.to_numpy() == texels).all()


ZEROS = np.zeros((64, 64), np.uint8)


def run_until_interrupted(work: Callable[[], object]) -> None:
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
