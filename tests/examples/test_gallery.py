"""The gallery's programs compute the same on every arch, draw pictures, and share memory where they claim to."""

import importlib
import importlib.util
import sys
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from helpers.archs import ARCHS, needs_taichi, require
from helpers.child import run_child
from helpers.julia import escape_counts

import taichi_aot

GALLERY = Path(__file__).parents[2] / "examples" / "gallery"


pytestmark = needs_taichi


@pytest.fixture(scope="module")
def programs():
    """A function that imports a program of the gallery."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(GALLERY))
        patch.setenv("MPLBACKEND", "Agg")
        yield importlib.import_module
    for path in GALLERY.glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """A function that builds the bundle of a kernel file once and returns its path."""
    from taichi_aot.build import build

    folder = tmp_path_factory.mktemp("gallery")

    def built(name):
        path = folder / f"{name}.tib"
        if not path.is_file():
            build(GALLERY / f"{name}_kernels.py", path, archs=ARCHS)
        return path

    return built


def both(path, run):
    """Run a program on x64 and on Vulkan; return both results."""
    require("x64", "vulkan")
    results = []
    for arch in ("x64", "vulkan"):
        with taichi_aot.load(path, arch) as module:
            results.append(run(module))
    return results


@pytest.mark.slow
def test_corals_are_the_same_on_both_archs(programs, bundle):
    reaction = programs("reaction")
    x64, vulkan = both(bundle("reaction"), lambda module: reaction.run(module, 32, 60))
    np.testing.assert_allclose(x64, vulkan, atol=1e-5)
    assert x64[..., 1].max() > 0.1
    assert reaction.draw(x64).shape == (64, 64, 3)


@pytest.mark.slow
def test_sand_is_stable_and_equal_on_both_archs(programs, bundle):
    sandpile = programs("sandpile")
    x64, vulkan = both(bundle("sandpile"), lambda module: sandpile.run(module, 33, 1500))
    np.testing.assert_array_equal(x64, vulkan)
    assert x64.max() <= 3
    assert x64.sum() == 1500  # no sand fell over the edge
    for turned in (x64.T, x64[::-1], x64[:, ::-1]):
        np.testing.assert_array_equal(turned, x64)
    assert sandpile.draw(x64).shape == (99, 99, 3)


@pytest.mark.slow
def test_spheres_are_equally_bright_on_both_archs(programs, bundle):
    """A few pixels may differ: a ray at the edge of a sphere can miss it on one arch."""
    spheres = programs("spheres")
    x64, vulkan = both(bundle("spheres"), lambda module: spheres.run(module, 64, 4))
    assert np.mean(np.abs(x64 - vulkan).max(axis=2) < 1e-3) > 0.9
    assert abs(x64.mean() - vulkan.mean()) < 0.02
    assert np.isfinite(x64).all()
    assert x64.std() > 0.1
    assert spheres.draw(x64).shape == (40, 64, 3)


@pytest.mark.slow
def test_julia_counts_iterations(programs, bundle, arch):
    """Only a few points at the edge of the set may differ, because of single precision."""
    julia = programs("julia")
    with taichi_aot.load(bundle("julia"), str(arch)) as module:
        scene = julia.Julia(module, 48)
        scene.advance(20)
        counts = scene.counts.to_numpy()
        assert scene.draw().shape == (48, 48, 3)
    turn = np.exp(2j * np.pi * 20 / julia.FRAMES)
    expected = escape_counts(julia.OUTSIDE * (turn / 2 - turn**2 / 4), 96, 3.2, julia.ITERATIONS)
    inside = expected == julia.ITERATIONS
    assert np.mean((counts == 0) != inside) < 0.02
    both = ~inside & (counts > 0)
    # The smooth count of a point that escaped with |z| between 64 and 64^2 is up to one less.
    assert np.mean((counts <= expected + 1.01) & (counts >= expected - 0.01) | ~both) > 0.98


@pytest.mark.slow
def test_bodies_follow_gravity(programs, bundle, arch):
    nbody, steps = programs("nbody"), 7
    with taichi_aot.load(bundle("nbody"), str(arch)) as module:
        scene = nbody.Galaxies(module, 64)
        x = scene.x.to_numpy().astype(float)
        v, mass = scene.v.to_numpy().astype(float), scene.mass.to_numpy().astype(float)
        scene.advance(steps)
        moved = scene.x.to_numpy()
        assert scene.draw().shape == (nbody.PIXELS, nbody.PIXELS, 3)
    for _ in range(steps):
        away = x[None] - x[:, None]
        inverse = 1 / np.sqrt((away**2).sum(axis=2) + nbody.SOFTNESS**2)
        v += nbody.TIME_STEP * (mass[None, :, None] * inverse[..., None] ** 3 * away).sum(axis=1)
        x += nbody.TIME_STEP * v
    np.testing.assert_allclose(moved, x, atol=2e-6)


@pytest.mark.slow
def test_waves_follow_the_wave_equation(programs, bundle, arch):
    waves, size, steps = programs("waves"), 40, 31
    with taichi_aot.load(bundle("wave"), str(arch)) as module:
        scene = waves.Wave(module, size)
        now, before = (array.to_numpy().astype(float) for array in (scene.height, scene.before))
        scene.advance(steps)
        height = scene.height.to_numpy()
        assert scene.draw().shape == (size, size, 3)
    speed = np.where(scene.lens, waves.GLASS, waves.SPEED)
    y, x = (np.mgrid[:size, :size] + 0.5) / size
    friction = 0.15 * np.clip(1 - np.minimum.reduce([x, y, 1 - x, 1 - y]) / 0.1, 0, 1) ** 2
    for _ in range(steps):
        padded = np.pad(now, 1)
        around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:] - 4 * now
        now, before = now + (1 - friction) * (now - before) + speed**2 * around, now
    assert np.abs(now).max() > 0.05
    np.testing.assert_allclose(height, now, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("size", [32, 33])
def test_cells_follow_the_rules(programs, bundle, arch, size):
    with taichi_aot.load(bundle("life"), str(arch)) as module:
        scene = programs("life").Life(module, size)
        lives = scene.age.to_numpy() > 0
        assert (lives == lives[::-1]).all()
        assert (lives == lives[:, ::-1]).all()
        for rounds in (1, 2, 17):
            scene.advance(rounds)
            for _ in range(rounds):
                rolled = [np.roll(lives, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
                neighbours = np.sum(rolled, axis=0)
                lives = (neighbours == 3) | (lives & (neighbours == 2))
            np.testing.assert_array_equal(scene.age.to_numpy() > 0, lives)
        assert scene.draw().shape == (3 * size, 3 * size, 3)


@pytest.mark.slow
def test_filter_averages_nearby_pixels(programs, bundle, arch):
    program = programs("filter")
    radius = program.RADIUS
    with taichi_aot.load(bundle("filter"), str(arch)) as module:
        pages = program.run(module, 24, 1)
    assert program.draw(pages).shape == (18, 48, 3)
    grainy, smooth = pages[:, :24], pages[:, 24:]
    padded = np.pad(grainy.astype(float), ((radius, radius), (radius, radius), (0, 0)), mode="edge")
    rows, columns = smooth.shape[:2]
    total, weights = np.zeros(smooth.shape), np.zeros((rows, columns, 1))
    for i in range(2 * radius + 1):
        for j in range(2 * radius + 1):
            pixels = padded[i : i + rows, j : j + columns]
            near = ((i - radius) ** 2 + (j - radius) ** 2) / (0.5 * radius**2)
            like = ((pixels - grainy) ** 2).sum(axis=2, keepdims=True) / program.CONTRAST**2
            total += np.exp(-near - like) * pixels
            weights += np.exp(-near - like)
    np.testing.assert_allclose(smooth, total / weights, atol=1e-5)


@pytest.mark.slow
def test_pond_shares_its_memory(programs, bundle, arch, on_host):
    ripples = programs("ripples")
    with taichi_aot.load(bundle("wave"), str(arch)) as module:
        pond = ripples.Pond(module, 64)
        window = ripples.Window(pond, rain=np.random.default_rng(1))
        pond.drop(32, 32)
        lowest = pond.now.to_numpy()[32, 32]
        assert lowest == pytest.approx(-1)
        for frame in range(12):
            window.draw(frame)
        heights = pond.now.to_numpy()
        np.testing.assert_array_equal(window.image.get_array(), heights)
        assert heights[32, 32] > lowest + 0.5
        assert np.abs(heights).max() > 0.05
        addresses = set()
        for _ in range(2):
            with pond.now.map() as view:
                pond.drop(10, 10)
                assert view[10, 10] < heights[10, 10] - 0.9  # what the mouse writes
                addresses.add(view.ctypes.data)
            del view
            pond.step()
        assert len(addresses) == 1 or not on_host
        ripples.plt.close(window.figure)


@pytest.mark.slow
def test_left_mouse_button_makes_a_drop(programs, bundle):
    from matplotlib.backend_bases import MouseEvent

    ripples = programs("ripples")
    with taichi_aot.load(bundle("wave"), "x64") as module:
        pond = ripples.Pond(module, 64)
        window = ripples.Window(pond)
        window.figure.canvas.draw()
        x, y = window.image.axes.transData.transform((20, 40))
        for button, expected in ((3, 0.0), (1, -1.0)):
            MouseEvent("button_press_event", window.figure.canvas, x, y, button)._process()
            assert pond.now.to_numpy()[40, 20] == pytest.approx(expected, abs=0.02)
        ripples.plt.close(window.figure)


def run(*arguments, status=0):
    return run_child(*arguments, env={"MPLBACKEND": "Agg"}, status=status)


@pytest.mark.slow
def test_programs_run_from_the_command_line(bundle, tmp_path):
    still = tmp_path / "sand.png"
    run(GALLERY / "sandpile.py", still, "--size", 21, "--steps", 300, "--arch", "x64")  # compiles its kernels
    moving = tmp_path / "pond.gif"
    run(*(GALLERY / "ripples.py", moving, "--size", 32, "--steps", 5, "--arch", "x64"), *("--module", bundle("wave")))
    animated = tmp_path / "waves.gif"
    run(GALLERY / "waves.py", animated, "--size", 32, "--steps", 21, "--arch", "x64", "--module", bundle("wave"))
    with PIL.Image.open(still) as picture:
        assert picture.size == (63, 63)
    for path, frames in ((moving, 5), (animated, 3)):
        with PIL.Image.open(path) as picture:
            assert getattr(picture, "n_frames", 1) == frames


@pytest.mark.slow(but="arguments2*")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.jpg"], "argument out: a.jpg is not a .png in a folder that exists"),
        (["/no/such/folder/a.png"], "argument out: /no/such/folder/a.png is not a .png in a folder that exists"),
        (["a.png", "--size", "0"], "argument --size: must be a positive integer, not 0"),
    ],
)
def test_wrong_arguments_are_refused_before_work_starts(arguments, message):
    done = run(GALLERY / "spheres.py", *arguments, status=2)
    assert done.stderr.endswith(f"error: {message}\n")


@pytest.mark.parametrize("arguments", [["--module", "none.tib"], ["--arch", "abacus", "--module", "none.tib"]])
def test_program_errors_are_one_line(arguments, tmp_path):
    done = run(GALLERY / "sandpile.py", tmp_path / "a.png", *arguments, status=1)
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


def test_programs_are_short():
    for path in GALLERY.glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) < 100, path.name
