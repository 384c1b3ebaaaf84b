"""Images: copies from and to the host and arrays, slices, formats, layouts, lifetimes."""

import gc
import itertools
import threading

import numpy as np
import pytest
from helpers.archs import on_vulkan
from helpers.child import in_child
from helpers.machine import resident_bytes
from helpers.raising import assert_raises
from helpers.textures import COLORS

from taichi_aot import ImageLayout, ImageUsage, NotSupportedError, Runtime, object_counts

EXTENTS = {1: (13,), 2: (13, 7), 3: (13, 7, 5)}


def random_texels(image, seed=1):
    """Return random bits; floats may be NaN."""
    data = np.random.default_rng(seed).bytes(image.nbytes)
    return np.frombuffer(data, image.dtype).reshape(image.shape)


def same(a, b):
    return bool(a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes())


def allocate(vk, extent, format):
    try:
        return vk.allocate_image(extent, format)
    except NotSupportedError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("ndim", EXTENTS)
@pytest.mark.parametrize("format", COLORS, ids=str)
def test_texels_are_copied_bit_by_bit(vk, format, ndim):
    extent = EXTENTS[ndim]
    image, other = allocate(vk, extent, format), allocate(vk, extent, format)
    texels = random_texels(image)
    image.write(texels)
    assert same(image.to_numpy(), texels)
    # Regions.
    here, there = (slice(1, 4),) * ndim, (slice(2, 5),) * ndim
    assert same(image[here].to_numpy(), texels[here])
    changed = texels.copy()
    changed[here] = random_texels(image, 2)[here]
    image[here].write(changed[here])
    assert same(image.to_numpy(), changed)
    # On the device.
    other.copy_from(image)
    assert same(other.to_numpy(), changed)
    image[here].copy_from(other[there])
    changed[here] = other.to_numpy()[there]
    assert same(image.to_numpy(), changed)
    array = vk.empty(image.shape, image.dtype)
    array.copy_from(image)
    assert same(array.to_numpy(), changed)
    other.write(np.zeros(image.shape, image.dtype))
    other.copy_from(array)
    assert same(other.to_numpy(), changed)
    part = vk.asarray(np.ascontiguousarray(texels[here]))
    other[there].copy_from(part)
    changed[there] = texels[here]
    assert same(other.to_numpy(), changed)
    part.copy_from(image[there])
    assert same(part.to_numpy(), image.to_numpy()[there])


def test_random_regions_match_numpy(vk):
    rng = np.random.default_rng(4)
    image = vk.allocate_image((37, 29, 11), "rgba8")
    mirror = random_texels(image).copy()
    image.write(mirror)
    for _ in range(200):
        key = tuple(slice(*sorted(rng.choice(size + 1, 2, replace=False).tolist())) for size in (11, 29, 37))
        if rng.random() < 0.5:
            mirror[key] = rng.integers(0, 256, mirror[key].shape, np.uint8)
            image[key].write(mirror[key])
        assert same(image[key].to_numpy(), np.ascontiguousarray(mirror[key]))
    assert same(image.to_numpy(), mirror)


# Larger than the staging buffer, or than one part of it.
@pytest.mark.parametrize(
    "extent", [(1000, 1000), (16384, 3), (3, 16384), (4096, 3000), (64, 64, 2000), (16384,)], ids=str
)
def test_large_images_are_copied_whole(vk, extent):
    image = vk.allocate_image(extent, "rgba16f")
    texels = random_texels(image)
    image.write(texels)
    assert same(image.to_numpy(), texels)
    half = (slice(extent[-1] // 3, None),)
    if extent[-1] > 2:
        assert same(image[half].to_numpy(), texels[half])


def test_shape_is_the_reversed_extent(vk):
    image = vk.allocate_image((4, 3), "r8")
    assert (image.extent, image.shape, image.ndim, image.nbytes) == ((4, 3), (3, 4), 2, 12)
    image.write(np.arange(12, dtype=np.uint8).reshape(3, 4))
    assert image[1:2].to_numpy().tolist() == [[4, 5, 6, 7]]
    assert image[:, 1:2].to_numpy().tolist() == [[1], [5], [9]]
    assert image[1:][1:, 2:].to_numpy().tolist() == [[10, 11]]
    assert image[-1:, -2:].offset == (2, 2)


def test_part_of_an_array_is_copied_both_ways(vk):
    image = vk.allocate_image((4, 3), "rgba8")
    texels = random_texels(image)
    array = vk.zeros((9, 4), "u8", elem_shape=4)
    array[2:5].write(texels)
    image.copy_from(array[2:5])
    assert same(image.to_numpy(), texels)
    array[6:8].copy_from(image[1:])
    assert same(array[6:8].to_numpy(), texels[1:])
    assert not array[5:6].to_numpy().any()
    assert not array[8:].to_numpy().any()
    with pytest.raises(ValueError, match="shape"):
        image.copy_from(array[2:4])
    array.close()
    with pytest.raises(ValueError, match="closed"):
        image.copy_from(array[2:5])


def test_numpy_reads_an_image(vk):
    image = vk.allocate_image((4, 3), "r32f")
    image.write(np.ones((3, 4), np.float32))
    assert np.asarray(image).sum() == 12
    assert np.asarray(image, np.int8).dtype == np.int8
    assert np.mean(image) == 1
    out = np.zeros((3, 4), np.float32)
    assert image.to_numpy(out) is out
    assert out.all()


def test_write_converts_like_an_ndarray(vk):
    image = vk.allocate_image((2, 2), "r32f")
    image.write([[1, 2], [3, 4.5]])
    assert image.to_numpy().tolist() == [[1, 2], [3, 4.5]]
    image.write(np.arange(4, dtype=np.int16).reshape(2, 2)[::-1, ::-1])  # not contiguous, of another dtype
    assert image.to_numpy().tolist() == [[3, 2], [1, 0]]


def test_views_of_an_array_do_not_block_host_copies(vk):
    image, array = vk.allocate_image((4, 3), "r32f"), vk.zeros((3, 4))
    with array.map() as view:
        view[:] = 7
    image.copy_from(array)
    assert (image.to_numpy() == 7).all()


# Formats.


def test_usage_is_what_the_device_supports(vk):
    assert vk.allocate_image(4, "rgba8").usage == ImageUsage.STORAGE | ImageUsage.SAMPLED
    image = vk.allocate_image((4, 4), "rgba8srgb")
    texels = random_texels(image)
    image.write(texels)
    assert same(image.to_numpy(), texels)
    if ImageUsage.STORAGE not in image.usage:
        with pytest.raises(NotSupportedError, match="rgba8srgb"):
            vk.allocate_image((4, 4), "rgba8srgb", usage=ImageUsage.STORAGE)


def test_shareable_image_can_be_copied(vk):
    image = vk.allocate_image((4, 4), "rgba8", export_sharing=True)
    texels = random_texels(image)
    image.write(texels)
    assert same(image.to_numpy(), texels)


# Layouts.


@pytest.mark.parametrize(
    "layout",
    [
        ImageLayout.SHADER_READ,
        ImageLayout.SHADER_WRITE,
        ImageLayout.SHADER_READ_WRITE,
        ImageLayout.COLOR_ATTACHMENT,
        ImageLayout.TRANSFER_DST,
        ImageLayout.TRANSFER_SRC,
        ImageLayout.PRESENT_SRC,
    ],
)
def test_texels_survive_layout_changes(vk, layout):
    usage = ImageUsage.STORAGE | ImageUsage.SAMPLED | ImageUsage.ATTACHMENT
    image = vk.allocate_image((4, 3), "rgba8", usage=usage)
    texels = random_texels(image)
    image.write(texels)
    image.transition(layout)
    image.track(layout)
    image.transition(layout)
    assert same(image.to_numpy(), texels)
    image[1:].write(texels[1:])
    other = vk.allocate_image((4, 3), "rgba8")
    other.copy_from(image)
    assert same(other.to_numpy(), texels)


def test_image_tracked_as_undefined_is_writable(vk):
    image = vk.allocate_image((4, 3), "rgba8")
    image.track(ImageLayout.UNDEFINED)
    image.write(random_texels(image))
    assert same(image.to_numpy(), random_texels(image))


# Lifetimes.


def test_slices_keep_the_image(vk):
    before = object_counts()["images"]
    part = vk.allocate_image((4, 3), "r8")[1:]
    assert object_counts()["images"] == before + 1
    assert part.to_numpy().shape == (2, 4)
    del part
    assert object_counts()["images"] == before


def test_image_can_be_closed_twice(vk):
    with vk.allocate_image((4, 3), "r8") as image:
        part = image[1:]
        assert not image.closed
    assert image.closed
    image.close()
    assert repr(image) == "<closed Image extent=(4, 3) r8 on vulkan>"
    assert repr(part).startswith("<closed ImageSlice offset=(0, 1) extent=(4, 2) r8")


@on_vulkan
@pytest.mark.slow
@in_child
def test_copied_and_dropped_images_are_freed(arch):
    """Write and read 1,000 times, allocate 1,000 images: memory does not grow."""
    rt = Runtime(arch)
    texels = np.random.default_rng(1).integers(0, 256, (256, 256, 4), np.uint8)
    image = rt.allocate_image((256, 256), "rgba8")
    out = np.empty_like(texels)
    array = rt.zeros((256, 256), "u8", elem_shape=4)

    def copy():
        image.write(texels)
        image[:8, :8].copy_from(image[8:16, 8:16])
        array.copy_from(image)
        image.copy_from(array)
        image.to_numpy(out)

    def allocate():
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


@on_vulkan
@in_child
def test_images_are_dropped_and_closed_beside_launches(arch):
    """Drop and close images before and after their runtime, during copies and launches."""
    for order in range(6):
        rt = Runtime(arch)
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
            assert_raises(ValueError, image.to_numpy, match="closed")
        gc.collect()
    image = array = part = None
    rt = None
    gc.collect()
    assert not any(object_counts().values()), object_counts()


def test_image_is_closed_while_other_threads_copy(vk):
    image = vk.allocate_image((64, 64), "rgba8")
    other = vk.zeros((64, 64), "u8", elem_shape=4)
    texels = random_texels(image)
    outcomes = []

    def work(number):
        try:
            for k in itertools.count():
                if number == 0 and k == 20:
                    image.close()
                [lambda: image.write(texels), image.to_numpy, lambda: image.copy_from(other)][(number + k) % 3]()
        except ValueError as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert outcomes == ["the image is closed"] * 4
