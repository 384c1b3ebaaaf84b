"""Random numbers: seeds of runtimes, modules and functions."""

import pickle
from functools import partial
from hashlib import sha256

import numpy as np
import pytest
from helpers.archs import ARCHS, need, require
from helpers.child import run_in_child

import taichi_aot
from taichi_aot import Arch, NotSupportedError, Runtime, function
from taichi_aot.build import build

SOURCE = """
import taichi as ti
from taichi_aot.build import export

ti.init(random_seed=%d)
Floats = ti.types.ndarray(ti.f32, 1)


@export(shapes={"x": "n"})
@ti.kernel
def draw(x: Floats):
    for i in x:
        x[i] = ti.random()
"""
SIZE = 200_000  # some hundred tasks on the CPU


@pytest.fixture(scope="session")
def bundles(tmp_path_factory):
    """The kernel, without a seed and with seed 7."""
    made = []
    for seed in (0, 7):
        source = tmp_path_factory.mktemp("random") / "kernels.py"
        source.write_text(SOURCE % seed)
        made.append(build(source, source.with_suffix(".tib"), archs=["x64", "vulkan"]).path)
    return made


def drawn(module, size=SIZE):
    x = module.runtime.zeros(size, "f32")
    module.draw(x)
    return x.to_numpy()


def draw_seeded(path, seed, arch="x64"):
    with taichi_aot.load(path, arch=arch, seed=seed) as module:
        return drawn(module), drawn(module)


@pytest.fixture(params=["x64", "vulkan"])
def arch(request):
    return request.param if request.param in ARCHS else need(request.param, "no such device on this machine")


def test_one_seed_draws_the_same_numbers(bundles, arch):
    first, second = draw_seeded(bundles[0], 5, arch)
    again, later = draw_seeded(bundles[0], np.random.SeedSequence(5), arch)
    assert (first == again).all()
    assert (second == later).all()
    for other in (second, *(draw_seeded(bundles[0], seed, arch)[0] for seed in (6, [5, 1], 2**70))):
        assert (first == other).mean() < 1e-3


def test_opengl_has_no_seeds():
    require("opengl")
    with pytest.raises(NotSupportedError, match="arch opengl has no seeds: the library draws its random numbers"):
        Runtime("opengl", seed=5)
    with Runtime("opengl") as rt, pytest.raises(NotSupportedError, match="has no seeds"):
        rt.seed(5)


def test_seed_starts_again(bundles, arch):
    with Runtime(arch, seed=5) as rt, rt.load_module(bundles[0]) as module:
        first = drawn(module)
        rt.seed(5)
        assert (drawn(module) == first).all()
        rt.seed(np.random.SeedSequence(5).spawn(1)[0])
        assert (drawn(module) != first).mean() > 0.999


def print_drawn(path):
    module = taichi_aot.load(path, arch="x64", seed=3)
    print(module.draw.recording.startswith("native"), [sha256(drawn(module)).hexdigest() for _ in range(3)])


@pytest.mark.parametrize("native", ["1", "0"])
def test_numbers_do_not_depend_on_threads(bundles, native):
    """Machine code and the library draw from the states of the runtime."""
    outputs = {
        run_in_child(
            print_drawn, bundles[0], env={"TAICHI_AOT_NATIVE": native, "TAICHI_AOT_CPU_THREADS": threads}
        ).stdout
        for threads in ("1", "2", "2", "4")
    }
    assert len(outputs) == 1
    assert outputs.pop().startswith(str(native == "1"))


def test_launches_of_all_forms_draw_from_one_stream(bundles, arch):
    """The count of tasks on Vulkan is right though groups begin late."""
    found = []
    for _ in range(2):
        with taichi_aot.load(bundles[0], arch=arch) as module:
            rt, x = module.runtime, module.runtime.zeros(SIZE, "f32")
            launch = module.draw.bind(x)
            numbers = []
            for way in (launch, rt.sequence([launch]), partial(module.draw, x)) * 2:
                way()
                numbers.append(x.to_numpy())
            rt.sequence([launch])(repeat=20)
            found.append([*numbers, x.to_numpy()])
    assert all((a == b).all() for a, b in zip(*found, strict=True))
    assert len({each.tobytes() for each in found[0]}) == 7


def test_seed_of_the_source_is_the_default(bundles):
    info = taichi_aot.inspect(bundles[1])
    assert (info.modules[Arch.X64].seed, info.modules[Arch.X64].to_dict()["seed"]) == (7, 7)
    plain, stated = (draw_seeded(path, None)[0] for path in bundles)
    assert (plain != stated).mean() > 0.999
    assert (draw_seeded(bundles[1], None)[0] == stated).all()
    assert (draw_seeded(bundles[1], 5)[0] == draw_seeded(bundles[0], 5)[0]).all()  # what the caller says counts


def test_functions_have_seeds(bundles):
    f, same, other = (function(bundles[0], "draw", out={"x": SIZE}, arch="x64", seed=seed) for seed in (11, 11, 12))
    assert f is same is pickle.loads(pickle.dumps(f))
    assert f != other
    first = f()
    assert (first == draw_seeded(bundles[0], 11)[0]).all()
    assert (first != other()).mean() > 0.999


@pytest.mark.parametrize(
    ("seed", "kind", "message"),
    [
        (-1, ValueError, "seed must not be negative: -1"),
        (1.5, TypeError, "seed is an integer, a sequence of them, or a numpy.random.SeedSequence, not float"),
        ("1", TypeError, "not str"),
        (True, TypeError, "not bool"),
        ([1, -2], ValueError, "negative"),
    ],
)
def test_wrong_seeds(bundles, seed, kind, message):
    for call in (
        lambda: Runtime("x64", seed=seed),
        lambda: taichi_aot.load(bundles[0], arch="x64", seed=seed),
        lambda: function(bundles[0], "draw", out={"x": SIZE}, seed=seed),
    ):
        with pytest.raises(kind, match=message):
            call()


def test_load_into_a_runtime_takes_no_seed(bundles):
    with Runtime("x64") as rt, pytest.raises(ValueError, match=r"a runtime has its own seed: write runtime\.seed"):
        taichi_aot.load(bundles[0], runtime=rt, seed=1)
    with pytest.raises(ValueError, match="closed"):
        rt.seed(1)


@pytest.mark.scaled
def test_streams_are_uniform_and_independent(bundles, arch, request):
    """Chi-squared tests over 256 bins, correlations of neighbours, and of the streams of neighbouring seeds."""
    count, last = 1_000_000, None
    with taichi_aot.load(bundles[0], arch=arch) as module:
        for seed in range(100 if request.config.getoption("--all") else 5):
            module.runtime.seed(seed)
            numbers = drawn(module, count).astype(np.float64)
            bins = np.bincount((numbers * 256).astype(np.intp), minlength=256)[:256]
            chi_squared = ((bins - count / 256) ** 2 / (count / 256)).sum()
            assert abs(chi_squared - 255) < 6 * np.sqrt(2 * 255)
            centred = numbers - 0.5
            limit = 6 / 12 / np.sqrt(count)  # six standard deviations of a mean of products
            for lag in (1, 2, 512):
                assert abs((centred[lag:] * centred[:-lag]).mean()) < limit
            assert last is None or abs((centred * last).mean()) < limit
            last = centred
