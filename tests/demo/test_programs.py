"""The demo programs compute what numpy computes on every arch, and their bundles match a new build."""

from __future__ import annotations

import io
import json
import lzma
import sys
import zipfile
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.archs import needs_taichi
from PIL import Image

import taichi_aot
from taichi_aot import Arch, NotSupportedError, Runtime
from taichi_aot.demo import PROGRAMS
from taichi_aot.demo.filter import CONTRAST, RADIUS, Filter
from taichi_aot.demo.julia import FRAMES, ITERATIONS, OUTSIDE, Julia
from taichi_aot.demo.life import Life
from taichi_aot.demo.nbody import SOFTNESS, TIME_STEP, Galaxies
from taichi_aot.demo.program import load_kernels, read_bundle, show
from taichi_aot.demo.wave import GLASS, SPEED, Wave

ROOT = Path(__file__).parents[2]

Array = np.ndarray[Any, Any]


def counts_of(constant: complex, size: int) -> Array:
    """Count the steps z -> z^2 + c until z has escaped."""
    line = (np.arange(size) + 0.5 - size / 2) * 3.2 / size
    z = line[None, :] - 1j * line[:, None]
    counts = np.zeros(z.shape)
    for _ in range(ITERATIONS):
        near = np.abs(z) < 64
        z = np.where(near, z * z + constant, z)
        counts += near
    return counts


def test_julia_counts_iterations(arch: Arch) -> None:
    """Only a few points at the edge of the set may differ, because of single precision."""
    with Runtime(arch) as rt:
        program = Julia(rt, 48)
        program.advance(20)
        counts = program.counts.to_numpy()
    turn = np.exp(2j * np.pi * 20 / FRAMES)
    expected = counts_of(OUTSIDE * (turn / 2 - turn**2 / 4), 96)
    inside = expected == ITERATIONS
    assert np.mean((counts == 0) != inside) < 0.02
    both = ~inside & (counts > 0)
    # The smooth count of a point that escaped with |z| between 64 and 64^2 is up to one less.
    assert np.mean((counts <= expected + 1.01) & (counts >= expected - 0.01) | ~both) > 0.98


def test_bodies_follow_gravity(arch: Arch) -> None:
    steps = 7
    with Runtime(arch) as rt:
        program = Galaxies(rt, 64)
        x = program.x.to_numpy().astype(float)
        v, mass = program.v.to_numpy().astype(float), program.mass.to_numpy().astype(float)
        program.advance(steps)
        moved = program.x.to_numpy()
    for _ in range(steps):
        away = x[None] - x[:, None]
        inverse = 1 / np.sqrt((away**2).sum(axis=2) + SOFTNESS**2)
        v += TIME_STEP * (mass[None, :, None] * inverse[..., None] ** 3 * away).sum(axis=1)
        x += TIME_STEP * v
    np.testing.assert_allclose(moved, x, atol=2e-6)


def test_waves_follow_the_wave_equation(arch: Arch) -> None:
    size, steps = 40, 31
    with Runtime(arch) as rt:
        program = Wave(rt, size)
        now, before = (array.to_numpy().astype(float) for array in (program.height, program.before))
        program.advance(steps)
        height = program.height.to_numpy()
    speed = np.where(program.lens, GLASS, SPEED)
    y, x = (np.mgrid[:size, :size] + 0.5) / size
    friction = 0.15 * np.clip(1 - np.minimum.reduce([x, y, 1 - x, 1 - y]) / 0.1, 0, 1) ** 2
    for _ in range(steps):
        padded = np.pad(now, 1)
        around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:] - 4 * now
        now, before = now + (1 - friction) * (now - before) + speed**2 * around, now
    assert np.abs(now).max() > 0.05
    np.testing.assert_allclose(height, now, atol=1e-5)


@pytest.mark.parametrize("size", [32, 33])
def test_cells_follow_the_rules(arch: Arch, size: int) -> None:
    with Runtime(arch) as rt:
        program = Life(rt, size)
        lives = program.age.to_numpy() > 0
        assert (lives == lives[::-1]).all()
        assert (lives == lives[:, ::-1]).all()
        for rounds in (1, 2, 17):
            program.advance(rounds)
            for _ in range(rounds):
                rolled = [np.roll(lives, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
                neighbours = np.sum(rolled, axis=0)
                lives = (neighbours == 3) | (lives & (neighbours == 2))
            np.testing.assert_array_equal(program.age.to_numpy() > 0, lives)


def test_filter_averages_nearby_pixels(arch: Arch) -> None:
    with Runtime(arch) as rt:
        program = Filter(rt, 24)
        program.advance(1)
        smooth = program.pixels.to_numpy()
    padded = np.pad(program.grainy.astype(float), ((RADIUS, RADIUS), (RADIUS, RADIUS), (0, 0)), mode="edge")
    rows, columns = smooth.shape[:2]
    total, weights = np.zeros(smooth.shape), np.zeros((rows, columns, 1))
    for i in range(2 * RADIUS + 1):
        for j in range(2 * RADIUS + 1):
            pixels = padded[i : i + rows, j : j + columns]
            near = ((i - RADIUS) ** 2 + (j - RADIUS) ** 2) / (0.5 * RADIUS**2)
            like = ((pixels - program.grainy) ** 2).sum(axis=2, keepdims=True) / CONTRAST**2
            total += np.exp(-near - like) * pixels
            weights += np.exp(-near - like)
    np.testing.assert_allclose(smooth, total / weights, atol=1e-5)


SMALL: dict[str, int] = {"mpm88": 2048, "julia": 40, "nbody": 64, "wave": 64, "life": 40, "filter": 48}
STATES: dict[str, Callable[[Any], Array]] = {
    "mpm88": lambda program: program.x.to_numpy(),
    "julia": lambda program: program.counts.to_numpy(),
    "nbody": lambda program: program.x.to_numpy(),
    "wave": lambda program: program.height.to_numpy(),
    "life": lambda program: program.age.to_numpy(),
    "filter": lambda program: program.pixels.to_numpy(),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_archs_agree(name: str, available: tuple[Arch, ...]) -> None:
    if Arch.VULKAN not in available or Arch.X64 not in available:
        pytest.skip("needs x64 and Vulkan")
    states = []
    for arch in (Arch.X64, Arch.VULKAN):
        with Runtime(arch) as rt:
            program = PROGRAMS[name](rt, SMALL[name])
            program.advance(9)
            states.append(STATES[name](program).astype(float))
    difference = np.abs(states[0] - states[1])
    if name == "julia":  # after a hundred roundings, points at the edge of the set may diverge
        assert np.mean(difference < 0.05) > 0.95
    else:
        assert difference.max() < 1e-4


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_write_pictures_and_animations(name: str, tmp_path: Path) -> None:
    with Runtime("x64") as rt:
        for suffix, frames in ((".png", 1), (".gif", 3)):
            program = PROGRAMS[name](rt, SMALL[name])
            out = tmp_path / f"a{suffix}"
            steps = 2 * program.steps_per_frame + 1
            shown: list[int] = []
            done = show(program, out, steps, shown.append)
            assert shown == [*range(0, steps, program.steps_per_frame), steps]
            assert done.launches == steps * program.launches_per_step
            with Image.open(out) as picture:
                assert getattr(picture, "n_frames", 1) == frames
                assert len(np.unique(np.asarray(picture.convert("RGB")))) > 3
    assert {path.name for path in tmp_path.iterdir()} == {"a.png", "a.gif"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_size_out_of_range_is_a_value_error(name: str) -> None:
    with Runtime("x64") as rt, pytest.raises(ValueError, match=r"the size is [\d,]+ to [\d,]+ .*, not 1,000,000,000"):
        PROGRAMS[name](rt, 10**9)


def test_arch_without_a_bundled_module_is_not_supported(available: tuple[Arch, ...]) -> None:
    if Arch.OPENGL not in available:
        pytest.skip("needs OpenGL")
    with Runtime("opengl") as rt, pytest.raises(NotSupportedError, match="x64, vulkan, cuda, not for opengl"):
        load_kernels(rt)


BUNDLES = ("demos", "mpm88")


@pytest.mark.parametrize("name", BUNDLES)
def test_bundle_is_stored_uncompressed(name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(read_bundle(name))) as bundle:
        for entry in bundle.infolist():
            assert entry.compress_type == zipfile.ZIP_STORED


def test_bundles_are_compressed_together() -> None:
    packed = resources.files("taichi_aot.demo").joinpath("bundles.tib.xz").read_bytes()
    assert len(packed) < 80_000
    with zipfile.ZipFile(io.BytesIO(lzma.decompress(packed))) as bundles:
        assert bundles.namelist() == [f"{name}.tib" for name in BUNDLES]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems cannot compile for all archs")
@needs_taichi
@pytest.mark.parametrize("name", BUNDLES)
def test_bundle_matches_a_new_build(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    import make_demos

    made, shipped = contents(make_demos.build_demo(name)), contents(read_bundle(name))
    assert made.keys() == shipped.keys()
    assert [each for each in made if made[each] != shipped[each]] == []


def contents(bundle: bytes) -> dict[str, object]:
    """Return a bundle's files by path; for x64 only the description, because LLVM vectorizes for the build's CPU."""
    found: dict[str, object] = {}
    with zipfile.ZipFile(io.BytesIO(bundle)) as files:
        for name in files.namelist():
            data = files.read(name)
            if name == "x64.tcm":
                found[name] = taichi_aot.inspect(data).to_dict()
            elif name.endswith(".tcm"):
                found |= {f"{name}/{each}": value for each, value in contents(data).items()}
            else:
                found[name] = data
    description = json.loads(str(found["bundle.json"], "utf-8")) if "bundle.json" in found else {}
    if "x64" in description.get("archs", {}):
        del description["archs"]["x64"]["sha256"]
        found["bundle.json"] = description
    return found
