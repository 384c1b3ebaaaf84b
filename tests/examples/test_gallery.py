"""The gallery's programs compute the same on every arch, draw pictures, and share memory where they claim to."""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import PIL.Image
import pytest
from helpers.archs import ARCHS, needs_taichi

import taichi_aot
from taichi_aot import AotModule, Arch

GALLERY = Path(__file__).parents[2] / "examples" / "gallery"

Array = np.ndarray[Any, Any]

pytestmark = needs_taichi


@pytest.fixture(scope="module")
def programs() -> Iterator[Callable[[str], ModuleType]]:
    """A function that imports a program of the gallery."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(GALLERY))
        patch.setenv("MPLBACKEND", "Agg")
        yield importlib.import_module
    for name in ("program", "reaction", "ripples", "sandpile", "spheres"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function that builds the bundle of a kernel file once and returns its path."""
    from taichi_aot.build import build

    folder = tmp_path_factory.mktemp("gallery")

    def built(name: str) -> Path:
        path = folder / f"{name}.tib"
        if not path.is_file():
            build(GALLERY / f"{name}_kernels.py", path, archs=ARCHS)
        return path

    return built


def both(available: tuple[Arch, ...], path: Path, run: Callable[[AotModule], Array]) -> list[Array]:
    """Run a program on x64 and on Vulkan; return both results."""
    if Arch.VULKAN not in available or Arch.X64 not in available:
        pytest.skip("needs x64 and Vulkan")
    results = []
    for arch in ("x64", "vulkan"):
        with taichi_aot.load(path, arch) as module:
            results.append(run(module))
    return results


@pytest.mark.slow
def test_corals_are_the_same_on_both_archs(
    programs: Callable[[str], ModuleType], bundle: Callable[[str], Path], available: tuple[Arch, ...]
) -> None:
    reaction = programs("reaction")
    x64, vulkan = both(available, bundle("reaction"), lambda module: reaction.run(module, 32, 60))
    np.testing.assert_allclose(x64, vulkan, atol=1e-5)
    assert x64[..., 1].max() > 0.1
    assert reaction.draw(x64).shape == (64, 64, 3)


@pytest.mark.slow
def test_sand_is_stable_and_equal_on_both_archs(
    programs: Callable[[str], ModuleType], bundle: Callable[[str], Path], available: tuple[Arch, ...]
) -> None:
    sandpile = programs("sandpile")
    x64, vulkan = both(available, bundle("sandpile"), lambda module: sandpile.run(module, 33, 1500))
    np.testing.assert_array_equal(x64, vulkan)
    assert x64.max() <= 3
    assert x64.sum() == 1500  # no sand fell over the edge
    for turned in (x64.T, x64[::-1], x64[:, ::-1]):
        np.testing.assert_array_equal(turned, x64)
    assert sandpile.draw(x64).shape == (99, 99, 3)


@pytest.mark.slow
def test_spheres_are_equally_bright_on_both_archs(
    programs: Callable[[str], ModuleType], bundle: Callable[[str], Path], available: tuple[Arch, ...]
) -> None:
    """A few pixels may differ: a ray at the edge of a sphere can miss it on one arch."""
    spheres = programs("spheres")
    x64, vulkan = both(available, bundle("spheres"), lambda module: spheres.run(module, 64, 4))
    assert np.mean(np.abs(x64 - vulkan).max(axis=2) < 1e-3) > 0.9
    assert abs(x64.mean() - vulkan.mean()) < 0.02
    assert np.isfinite(x64).all()
    assert x64.std() > 0.1
    assert spheres.draw(x64).shape == (40, 64, 3)


@pytest.mark.slow
def test_pond_shares_its_memory(
    programs: Callable[[str], ModuleType], bundle: Callable[[str], Path], arch: Arch, on_host: bool
) -> None:
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
def test_left_mouse_button_makes_a_drop(programs: Callable[[str], ModuleType], bundle: Callable[[str], Path]) -> None:
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


def run(*arguments: object, status: int = 0) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(taichi_aot.__file__).parents[1]), "MPLBACKEND": "Agg"}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == status, f"{done.stdout}\n{done.stderr}"
    return done


@pytest.mark.slow
def test_programs_run_from_the_command_line(bundle: Callable[[str], Path], tmp_path: Path) -> None:
    still = tmp_path / "sand.png"
    run(GALLERY / "sandpile.py", still, "--size", 21, "--steps", 300, "--arch", "x64")  # compiles its kernels
    moving = tmp_path / "pond.gif"
    run(
        *(GALLERY / "ripples.py", moving, "--size", 32, "--steps", 5, "--arch", "x64"),
        *("--module", bundle("wave")),
    )
    with PIL.Image.open(still) as picture:
        assert picture.size == (63, 63)
    with PIL.Image.open(moving) as picture:
        assert getattr(picture, "n_frames", 1) == 5


@pytest.mark.slow(but="arguments2*")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.jpg"], "argument out: a.jpg is not a .png in a folder that exists"),
        (["/no/such/folder/a.png"], "argument out: /no/such/folder/a.png is not a .png in a folder that exists"),
        (["a.png", "--size", "0"], "argument --size: must be a positive integer, not 0"),
    ],
)
def test_wrong_arguments_are_refused_before_work_starts(arguments: list[str], message: str) -> None:
    done = run(GALLERY / "spheres.py", *arguments, status=2)
    assert done.stderr.endswith(f"error: {message}\n")


@pytest.mark.parametrize("arguments", [["--module", "none.tib"], ["--arch", "abacus", "--module", "none.tib"]])
def test_program_errors_are_one_line(arguments: list[str], tmp_path: Path) -> None:
    done = run(GALLERY / "sandpile.py", tmp_path / "a.png", *arguments, status=1)
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


def test_programs_are_short() -> None:
    for path in GALLERY.glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) < 100, path.name
