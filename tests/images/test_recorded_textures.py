"""Recorded launches leave images as the library's launches do, and keep the library's layouts correct."""

import numpy as np
import pytest
from helpers.plans import lowered, plans_of
from helpers.textures import RW_FORMATS

from taichi_aot import Arch, ImageLayout, NotSupportedError, Runtime, capi

WIDTH, HEIGHT = 5, 3
REPEAT = 70  # sequences of 64 launches or more are recorded


@pytest.fixture
def both(vk, texture_folder, monkeypatch):
    """The module in a recording runtime and in a non-recording one."""
    with Runtime(Arch.VULKAN) as library:
        recorded = vk.load_module(texture_folder / "textures.tcm")
        monkeypatch.setenv("TAICHI_AOT_VULKAN_RECORDING", "0")
        yield recorded, library.load_module(texture_folder / "textures.tcm")


def image_of(rt, values):
    image = rt.allocate_image((WIDTH, HEIGHT), "r32f")
    image.write(values)
    return image


def random_texels(seed=0):
    return np.random.default_rng(seed).integers(0, 9, (HEIGHT, WIDTH)).astype(np.float32)


def run(rt, launches, *, recorded, repeat=REPEAT):
    sequence = rt.sequence(launches)
    sequence(repeat)
    assert ("recorded" in repr(sequence)) == recorded


def test_all_kernels_with_textures_have_plans(texture_folder):
    plans = plans_of(lowered(texture_folder / "textures.tcm"))
    assert len(plans) > 40
    assert {name: plan for name, plan in plans.items() if isinstance(plan, str)} == {}


@pytest.mark.slow(but="rgba8")
@pytest.mark.parametrize("name", RW_FORMATS)
def test_every_format_is_recorded(both, name):
    found = []
    for module in both:
        rt = module.runtime
        try:
            image = rt.allocate_image((WIDTH, HEIGHT), name)
        except NotSupportedError:
            pytest.skip(f"the device does not support {name}")
        values = rt.asarray(np.random.default_rng(5).random((HEIGHT, WIDTH, 4), np.float32), elem_shape=4)
        outs = [rt.zeros((HEIGHT, WIDTH), "f32", elem_shape=4) for _ in range(3)]
        kernels = module.kernels
        launches = [kernels[f"store_{name}"].bind(image, values), kernels[f"load_{name}"].bind(image, outs[0])]
        launches += [kernels["fetch"].bind(image, outs[1]), kernels["sample"].bind(image, outs[2])]
        run(rt, launches, recorded=module is both[0])
        found.append([image.to_numpy().tobytes(), *(out.to_numpy().tobytes() for out in outs)])
    assert found[0] == found[1]


def test_one_and_three_dimensions_are_recorded(both):
    for module in both:
        rt = module.runtime
        line, volume = rt.allocate_image(7, "rgba32f"), rt.allocate_image((WIDTH, HEIGHT, 4), "rgba32f")
        values = np.random.default_rng(1).random((7, 4), np.float32)
        line.write(values)
        out, out3 = rt.zeros(7, "f32", elem_shape=4), rt.zeros((4, HEIGHT, WIDTH), "f32", elem_shape=4)
        kernels = module.kernels
        launches = [kernels["fetch_1d"].bind(line, out), kernels["index_3d"].bind(volume, 4)]
        run(rt, [*launches, kernels["fetch_3d"].bind(volume, out3)], recorded=module is both[0])
        np.testing.assert_array_equal(out.to_numpy(), values)
        z, y, x = np.indices((4, HEIGHT, WIDTH))
        np.testing.assert_array_equal(out3.to_numpy()[..., :3], np.stack([x, y, z], axis=-1))


def test_unwritten_image_can_be_recorded(both):
    rt = both[0].runtime
    image = rt.allocate_image((WIDTH, HEIGHT), "rg32f")
    run(rt, [both[0].kernels["index_2d"].bind(image, WIDTH, HEIGHT)], recorded=True)
    y, x = np.indices((HEIGHT, WIDTH))
    np.testing.assert_array_equal(image.to_numpy(), np.stack([x, y], axis=-1))


@pytest.mark.parametrize("seed", range(6))
def test_random_order_matches_numpy(both, seed):
    """Run sequences, library launches, copies and transitions in random order; compare with numpy."""
    module, rt = both[0], both[0].runtime
    rng = np.random.default_rng(seed)
    mirrors = [random_texels(i) for i in range(3)]
    images = [image_of(rt, mirror) for mirror in mirrors]
    array, out = rt.zeros((HEIGHT, WIDTH)), rt.zeros((HEIGHT, WIDTH), "f32", elem_shape=4)
    kernels = module.kernels
    negate = [rt.sequence([kernels["double"].bind(image, -1.0)]) for image in images]
    show = [rt.sequence([kernels["double"].bind(image, -1.0), kernels["fetch"].bind(image, out)]) for image in images]
    move = {
        (i, j): rt.sequence([kernels["transfer"].bind(images[i], images[j])])
        for i in range(3)
        for j in range(3)
        if i != j
    }
    for sequence in (*negate, *show):
        sequence(REPEAT)  # even, so that negations cancel
    for _ in range(200):
        i, j = rng.choice(3, 2, replace=False)
        image, mirror = images[i], mirrors[i]
        match rng.integers(0, 12):
            case 0:
                negate[i](3)
                mirrors[i] = -mirror
            case 1:
                show[i](3)
                mirrors[i] = -mirror
                if rng.random() < 0.3:
                    np.testing.assert_array_equal(out.to_numpy()[..., 0], mirrors[i])
            case 2:
                move[i, j](REPEAT)
                mirrors[j] = mirror.copy()
            case 3:
                kernels["double"](image, -1.0)
                mirrors[i] = -mirror
            case 4:
                kernels["fetch"](image, out)
                if rng.random() < 0.3:
                    np.testing.assert_array_equal(out.to_numpy()[..., 0], mirror)
            case 5:
                image.copy_from(images[j])
                mirrors[i] = mirrors[j].copy()
            case 6:
                mirror[:, 2:] = rng.integers(0, 9)
                image[:, 2:].write(mirror[:, 2:])
            case 7:
                np.testing.assert_array_equal(image.to_numpy(), mirror)
            case 8:
                image.transition(ImageLayout.SHADER_READ if rng.random() < 0.5 else ImageLayout.TRANSFER_SRC)
            case 9:
                image[1:].copy_from(images[j][:-1])
                mirror[1:] = mirrors[j][:-1]
            case 10:
                image[:1].copy_from(image[2:])
                mirror[:1] = mirror[2:]
            case 11:
                array.copy_from(image)
                images[j].copy_from(array)
                mirrors[j] = mirror.copy()
    for image, mirror in zip(images, mirrors, strict=True):
        np.testing.assert_array_equal(image.to_numpy(), mirror)


def test_graph_takes_one_image_under_two_names(both):
    for module in both:
        rt = module.runtime
        image, other = image_of(rt, random_texels()), image_of(rt, random_texels(1))
        out = rt.zeros((HEIGHT, WIDTH), "f32", elem_shape=4)
        filter = module.graphs["filter"].bind(target=image, factor=-1.0, source=image, out=out)
        run(rt, [filter, module.graphs["move"].bind(source=image, target=other)], recorded=module is both[0], repeat=71)
        for found in (out.to_numpy()[..., 0], image.to_numpy(), other.to_numpy()):
            np.testing.assert_array_equal(found, -random_texels())


def test_graph_with_both_kinds_of_one_texture_is_recorded(both):
    """Launches of the kernels before and after need the layouts that the graph has left."""
    found = []
    for module in both:
        rt = module.runtime
        image, out = image_of(rt, random_texels()), rt.zeros((HEIGHT, WIDTH), "f32", elem_shape=4)
        launches = [
            module.graphs["mixed"].bind(image=image, factor=-1.0, out=out),
            module.graphs["swapped"].bind(source=image, factor=1.0, out=out),
            module.kernels["double"].bind(image, -1.0),
        ]
        for launch in launches:
            run(rt, [launch], recorded=module is both[0], repeat=71)
        run(rt, launches, recorded=module is both[0])
        module.graphs["mixed"](image=image, factor=2.0, out=out)
        found.append([image.to_numpy().tobytes(), out.to_numpy().tobytes()])
    assert found[0] == found[1]


def test_ramps_and_updates_match_the_library(both):
    found = []
    for module in both:
        rt = module.runtime
        first, second = image_of(rt, random_texels()), image_of(rt, random_texels(1))
        launch = module.kernels["double"].bind(first, 2.0)
        sequence = rt.sequence([launch])
        sequence(100, ramps={"factor": (1.5, -0.005)})
        launch.update(image=second, factor=-1.0)
        sequence(REPEAT + 1)
        first.close()
        third = image_of(rt, random_texels(2))  # may reuse the handle of the first image
        launch.update(image=third)
        sequence(REPEAT + 1)
        assert ("recorded" in repr(sequence)) == (module is both[0])
        found.append([image.to_numpy().tolist() for image in (second, third)])
    assert found[0] == found[1]


def test_closed_image_ends_a_recorded_sequence(both):
    rt = both[0].runtime
    image, other = image_of(rt, random_texels()), image_of(rt, random_texels(1))
    launches = [both[0].kernels["double"].bind(each, -1.0) for each in (image, other)]
    sequence = rt.sequence(launches)
    sequence(REPEAT)
    other.close()
    with pytest.raises(ValueError, match=r"^launch 1 \(double\), iteration 0: .*closed"):
        sequence(REPEAT)
    np.testing.assert_array_equal(image.to_numpy(), -random_texels())


def test_image_can_be_closed_while_the_device_uses_it(both):
    rt = both[0].runtime
    last = image_of(rt, np.zeros((HEIGHT, WIDTH), np.float32))
    for k in range(20):
        image = image_of(rt, np.full((HEIGHT, WIDTH), k, np.float32))
        rt.sequence([both[0].kernels["transfer"].bind(image, last)])(REPEAT)
        image.close()
    assert (last.to_numpy() == 19).all()


def test_waiting_launches_do_not_take_the_error_of_an_earlier_call(both):
    double, rt = both[0].kernels["double"], both[0].runtime
    ones = np.ones((HEIGHT, WIDTH), np.float32)
    first, second = image_of(rt, ones), image_of(rt, ones)
    launches = double.bind(first, 2.0), double.bind(second, 2.0)
    for _ in range(REPEAT):
        for launch in launches:
            launch()
    second.write(ones)
    double(first, 1.0)  # by the library, which then has to say which layout images are in
    for launch in launches:
        launch()
    capi.set_last_error(capi.TiError.TI_ERROR_INVALID_STATE, "of the application")
    rt.wait()
    np.testing.assert_array_equal(second.to_numpy(), 2 * ones)
