"""Images as arguments of kernels and graphs, compared with the compiler's own runtime."""

import json

import numpy as np
import pytest
from helpers.archives import pack, read_archive
from helpers.textures import RW_FORMATS

from taichi_aot import (
    AddressMode,
    Arch,
    Filter,
    ImageUsage,
    NotSupportedError,
    Runtime,
    Sampler,
    Texture,
    object_counts,
)

WIDTH, HEIGHT = 5, 3


@pytest.fixture(scope="session")
def expected(texture_folder):
    with np.load(texture_folder / "expected.npz") as results:
        return dict(results)


def out_array(vk):
    return vk.zeros((HEIGHT, WIDTH), "f32", elem_shape=4)


@pytest.mark.parametrize("name", RW_FORMATS)
def test_kernels_match_the_compilers_runtime(vk, textures, expected, name):
    try:
        image = vk.allocate_image((WIDTH, HEIGHT), name, usage=ImageUsage.STORAGE | ImageUsage.SAMPLED)
    except NotSupportedError:
        pytest.skip(f"the device does not support {name}")
    out = out_array(vk)
    textures.kernels[f"store_{name}"](image, vk.asarray(expected["INPUT"], elem_shape=4))
    copied = vk.allocate_image((WIDTH, HEIGHT), name)
    copied.write(image.to_numpy())
    for action in ("load", "fetch", "sample"):
        kernel = textures.kernels[f"load_{name}" if action == "load" else action]
        for texture in (image, copied.texture()):
            kernel(texture, out)
            assert out.to_numpy().tobytes() == expected[f"{name}_{action}"].tobytes(), (action, texture)


def test_copies_keep_the_launch_order(vk, textures):
    image, other = (vk.allocate_image((WIDTH, HEIGHT), "r32f") for _ in range(2))
    ones = vk.full((HEIGHT, WIDTH), 1.0)
    out = out_array(vk)
    double = textures.kernels["double"]
    for k in range(20):
        image.copy_from(ones)
        double(image, 2.0)
        other.copy_from(image)
        double(other, float(k))
        image.copy_from(other)
        ones.copy_from(image)
        ones.fill(1.0)
        textures.kernels["fetch"](image, out)
        double(image, 0.0)
        assert (out.to_numpy()[..., 0] == 2.0 * k).all()
    assert not image.to_numpy().any()


def test_graph_passes_one_argument_as_both_kinds_of_texture(vk, textures, expected):
    mixed = textures.graphs["mixed"]
    assert str(mixed.signature.parameters[0]) == "image: rw_texture[r32f, 2]"
    image, out = vk.allocate_image((WIDTH, HEIGHT), "r32f"), out_array(vk)
    arguments = {"image": image, "factor": 3.0, "out": out}
    launch = mixed.bind(**arguments)
    for call in (lambda: mixed(**arguments), launch, vk.sequence([launch])):
        image.write(expected["INPUT"][..., 0].copy())
        call()
        call()
        assert out.to_numpy().tobytes() == expected["MIXED"].tobytes()
    for usage in (ImageUsage.STORAGE, ImageUsage.SAMPLED):
        other = vk.allocate_image((WIDTH, HEIGHT), "r32f", usage=usage)
        with pytest.raises(ValueError, match="without usage " + str((ImageUsage(3) & ~usage).name)):
            launch.update(image=other)


def test_graph_cannot_pass_one_image_to_a_kernel_twice(vk, textures):
    image = vk.allocate_image((WIDTH, HEIGHT), "r32f")
    for call in (textures.graphs["clash"], textures.graphs["clash"].bind):
        with pytest.raises(ValueError, match=r"'source': .* as texture and as rw_texture, but the graph passes this"):
            call(source=image)


@pytest.mark.parametrize("number", [-6315286173171161101, 2**64 - 1])
def test_dimensions_that_the_compiler_left_uninitialized_are_accepted(vk, texture_folder, number):
    """Taichi writes uninitialized memory as the dimensions of textures in graphs."""
    files = read_archive(texture_folder / "textures.tcm")
    graphs = json.loads(files["graphs.json"])
    for argument in symbolic_arguments(graphs):
        if argument["tag"] in (3, 4):
            argument["field_dim"] = number
    module = vk.load_module(pack({**files, "graphs.json": json.dumps(graphs).encode()}))
    image, out = vk.allocate_image((WIDTH, HEIGHT), "r32f"), out_array(vk)
    image.write(np.ones((HEIGHT, WIDTH), np.float32))
    module.graphs["mixed"](image=image, factor=2.5, out=out)
    assert (out.to_numpy()[..., 0] == 3.5).all()


def symbolic_arguments(graphs):
    for graph in graphs:
        for dispatch in graph["value"]["dispatches"]:
            yield from dispatch["symbolic_args"]


def test_kernel_takes_one_image_twice(vk, textures):
    image = vk.allocate_image((WIDTH, HEIGHT), "r32f")
    image.write(np.ones((HEIGHT, WIDTH), np.float32))
    out = out_array(vk)
    textures.kernels["both"](image, image.texture(), out)
    assert (out.to_numpy()[..., 0] == 2).all()


def test_image_cannot_be_both_texture_and_rw_texture(vk, textures):
    source, target = (vk.allocate_image((WIDTH, HEIGHT), "r32f") for _ in range(2))
    source.write(np.ones((HEIGHT, WIDTH), np.float32))
    transfer = textures.kernels["transfer"]
    launch = transfer.bind(source, target)
    for call in (transfer, transfer.bind, textures.graphs["move"]):
        for one in (target, target.texture()):
            with pytest.raises(ValueError, match=r"a kernel cannot take one image both as texture and as rw_texture"):
                call(one, target)
    with pytest.raises(ValueError, match=r"transfer\(\) parameter '\w+': the image is also the argument of '\w+'"):
        launch.update(**{transfer.signature.parameters[0].name: target})
    launch()
    assert (target.to_numpy() == 1).all()
    target.write(np.zeros((HEIGHT, WIDTH), np.float32))
    textures.graphs["move"](source=source, target=target)
    assert (target.to_numpy() == 1).all()


def test_bound_launch_keeps_its_image(vk, textures):
    image = vk.allocate_image((WIDTH, HEIGHT), "r32f")
    launch = textures.kernels["double"].bind(image, 2.0)
    before = object_counts()["images"]
    del image
    assert object_counts()["images"] == before
    launch()
    del launch
    assert object_counts()["images"] == before - 1


# Wrong arguments.


def closing(image):
    image.close()
    return image


WRONG = {
    "an ndarray": (TypeError, "expected rw_texture\\[r32f, 2\\], got .*NdArray", lambda rt: rt.zeros((3, 5))),
    "a number": (TypeError, "got int 3", lambda _: 3),
    "an array": (TypeError, "got a numpy array", lambda _: np.zeros((3, 5), np.float32)),
    "another format": (
        TypeError,
        "got an image of rgba8 with 2 .*; runtime.allocate_image\\(\\(width, height\\), 'r32f'\\) makes one$",
        lambda rt: rt.allocate_image((5, 3), "rgba8"),
    ),
    "other dimensions": (
        TypeError,
        "got an image of r32f with 3 .*allocate_image\\(\\(width, height\\), 'r32f'\\) makes one$",
        lambda rt: rt.allocate_image((5, 3, 1), "r32f"),
    ),
    "usage": (
        ValueError,
        "without usage STORAGE",
        lambda rt: rt.allocate_image((5, 3), "r32f", usage=ImageUsage.SAMPLED).texture(),
    ),
    "closed": (ValueError, "the image is closed", lambda rt: closing(rt.allocate_image((5, 3), "r32f"))),
    "foreign": (ValueError, "another runtime", lambda _: Runtime(Arch.VULKAN).allocate_image((5, 3), "r32f")),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_texture_is_an_error(vk, textures, case):
    error, message, make = WRONG[case]
    double = textures.kernels["double"]
    right = vk.allocate_image((5, 3), "r32f")
    launch = double.bind(right, 2.0)
    wrong = make(vk)
    for call in (double, double.bind):
        with pytest.raises(error, match=message) as caught:
            call(wrong, 2.0)
        assert "double() parameter 'image'" in str(caught.value)
    with pytest.raises(error, match=message):
        launch.update(image=wrong)
    launch()
    with pytest.raises(error, match=message):
        textures.graphs["filter"](target=wrong, factor=2.0, source=right, out=out_array(vk))


def test_sampled_texture_needs_the_usage(vk, textures):
    image = vk.allocate_image((5, 3), "r32f", usage=ImageUsage.STORAGE)
    with pytest.raises(ValueError, match="without usage SAMPLED"):
        textures.kernels["fetch"](image, out_array(vk))


def test_image_is_not_an_ndarray(vk, textures):
    image = vk.allocate_image((5, 3), "rgba32f")
    with pytest.raises(TypeError, match=r"'out': expected ndarray\[vector\(4, f32\), 2\], got an image of rgba32f"):
        textures.kernels["fetch"](image, image)
    with pytest.raises(TypeError, match="'factor'"):
        textures.kernels["double"](vk.allocate_image((5, 3), "r32f"), image)


# Samplers.


def test_default_sampler_is_the_librarys(vk, textures):
    """The default sampler interpolates linearly and repeats beyond the edges."""
    image = vk.allocate_image((WIDTH, HEIGHT), "r32f")
    values = np.random.default_rng(3).random((HEIGHT, WIDTH), np.float32)
    image.write(values)
    out = out_array(vk)
    textures.kernels["sample"](image.texture(sampler=Sampler()), out)
    for y, x in np.ndindex(HEIGHT, WIDTH):
        u, v = (x - 0.7) / 3.1 * WIDTH - 0.5, (y + 0.4) / 2.3 * HEIGHT - 0.5
        i, j = int(np.floor(u)), int(np.floor(v))
        a, b = u - i, v - j
        i0, i1, j0, j1 = i % WIDTH, (i + 1) % WIDTH, j % HEIGHT, (j + 1) % HEIGHT
        upper = (1 - a) * values[j0, i0] + a * values[j0, i1]
        lower = (1 - a) * values[j1, i0] + a * values[j1, i1]
        assert out.to_numpy()[y, x, 0] == pytest.approx((1 - b) * upper + b * lower, abs=0.01)


@pytest.mark.parametrize(
    "sampler",
    [
        Sampler(mag_filter=Filter.NEAREST),
        Sampler(min_filter=Filter.NEAREST),
        Sampler(address_mode=AddressMode.CLAMP_TO_EDGE),
        Sampler(address_mode=AddressMode.MIRRORED_REPEAT),
    ],
)
def test_other_samplers_are_not_supported(vk, sampler):
    with pytest.raises(NotSupportedError, match="ti_create_sampler"):
        vk.allocate_image((5, 3), "r32f").texture(sampler=sampler)
    with pytest.raises(NotSupportedError, match="ti_create_sampler"):
        Texture(vk.allocate_image((5, 3), "r32f"), sampler)


def test_sampler_is_checked(vk):
    with pytest.raises(TypeError, match="expected a Sampler, got str"):
        vk.allocate_image((5, 3), "r32f").texture(sampler="linear")


def test_texture_knows_its_image(vk):
    image = vk.allocate_image((5, 3), "r32f")
    texture = image.texture()
    assert texture.image is image
    assert texture.sampler == Sampler()
    assert repr(texture) == "<Texture of <Image extent=(5, 3) r32f on vulkan>>"
    image.close()
    assert texture.closed
