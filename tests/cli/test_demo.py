"""The demo on every arch, through the command line and through its parts; its bundle matches a new build."""

import importlib.util
import io
import json
import re
import sys
import zipfile
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from helpers.archs import require
from helpers.child import LAVAPIPE_WARNING, run_in_child
from PIL import Image

import taichi_aot
from taichi_aot import Arch, NotSupportedError, Runtime
from taichi_aot.__main__ import main
from taichi_aot.demo import mpm88

ROOT = Path(__file__).parents[2]


def fluid_positions(arch, steps, particles=8192):
    with Runtime(arch) as rt:
        fluid = mpm88.Fluid(rt, particles)
        fluid.advance(steps)
        return fluid.x.to_numpy()


@pytest.mark.slow
def test_fluid_agrees_on_both_archs():
    """Positions after 200 steps agree to 2e-5 of the box at the median and to 1e-3 everywhere.

    Both archs compute in float32 without fast-math, but add a cell's particles with atomics, in no fixed order. So each
    step differs by some 1e-7 relative, and the fluid amplifies that. The bounds are about ten times the observed
    differences; by then, the particles have moved a hundred times farther.
    """
    require("x64", "vulkan")
    x64, vulkan = (fluid_positions(arch, 200) for arch in (Arch.X64, Arch.VULKAN))
    difference = np.abs(x64 - vulkan).max(axis=1)
    assert np.median(difference) < 2e-5
    assert difference.max() < 1e-3
    assert np.abs(x64 - fluid_positions(Arch.X64, 0)).max() > 5e-3


@pytest.mark.slow(but="x64")
def test_fluid_falls_and_stays_in_its_box(arch):
    start, later = fluid_positions(arch, 0), fluid_positions(arch, 600)
    assert np.isfinite(later).all()
    assert later.min() > 0
    assert later.max() < 1
    assert later[:, 1].mean() < start[:, 1].mean() - 0.01
    assert later[:, 0].max() > start[:, 0].max() + 0.02


@pytest.mark.slow(but="x64")
def test_command_writes_a_picture_of_the_fluid(arch, tmp_path, capfd):
    out = tmp_path / "a.png"
    assert main(["demo", "--arch", str(arch), "--out", str(out), "--steps", "150", "--size", "8192"]) == 0
    captured = capfd.readouterr()
    assert re.search(rf"device: .* \({arch}, ", captured.out)
    assert re.search(r"600 kernel launches in [\d.]+ s: [\d,]+ launches/s", captured.out)
    assert captured.err.replace(LAVAPIPE_WARNING, "") == ""  # progress is for terminals
    with Image.open(out) as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    assert pixels.shape == (768, 768, 3)
    blue = pixels[..., 2] - pixels[..., 0] > 40
    # The dam fills the lower left; the right half of the box is still empty.
    assert blue[600:740, 40:250].mean() > 0.95
    assert blue[:, 400:].mean() < 0.02


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--out", "/no/such/folder/a.png"],
            "argument --out: there is no folder '/no/such/folder' (see taichi-aot demo --help)",
        ),
        (["--size", "1000000"], "the size is 1 to 20,000 particles, not 1,000,000"),
        (["--steps", "1000000000000"], "the steps are 1 to 1,000,000, not 1,000,000,000,000"),
    ],
)
def test_errors_are_one_line(arguments, message, capfd):
    assert main(["demo", "--arch", "x64", *arguments]) == 2
    assert capfd.readouterr().err == f"error: {message}\n"


@pytest.mark.parametrize(("most", "frames"), [(2000, 3), (2, 2)])
def test_animation_has_a_limited_number_of_frames(most, frames, tmp_path, monkeypatch):
    monkeypatch.setattr("taichi_aot.cli._bench.MOST_FRAMES", most)
    out = tmp_path / "a.gif"
    assert main(["demo", "--arch", "x64", "--steps", "101", "--size", "2048", "--out", str(out)]) == 0
    with Image.open(out) as picture:
        assert picture.n_frames == frames
    assert list(tmp_path.iterdir()) == [out]


def test_arch_without_a_bundled_module_is_not_supported():
    with pytest.raises(NotSupportedError, match="x64, vulkan, cuda, not for opengl"):
        mpm88.module_bytes(Arch.OPENGL)


def run_without_pillow():
    sys.modules["PIL"] = None  # makes its import fail
    print(main(["demo"]))


def test_demo_names_the_packages_to_install():
    done = run_in_child(run_without_pillow, quiet=False)
    assert done.stdout == "3\n"
    assert "pip install pillow\n" in done.stderr


def test_bundle_is_stored_and_compressed_as_a_whole():
    assert len(resources.files("taichi_aot.demo").joinpath("mpm88.tib.xz").read_bytes()) < 82_000
    with zipfile.ZipFile(io.BytesIO(mpm88.bundle_bytes())) as bundle:
        assert {entry.compress_type for entry in bundle.infolist()} == {zipfile.ZIP_STORED}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems cannot compile for all archs")
@pytest.mark.skipif(importlib.util.find_spec("taichi") is None, reason="needs taichi")
def test_bundle_matches_a_new_build(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    import make_demo

    made, shipped = contents(make_demo.build_demo()), contents(mpm88.bundle_bytes())
    assert made.keys() == shipped.keys()
    assert [each for each in made if made[each] != shipped[each]] == []


def contents(bundle):
    """Return a bundle's files by path; for x64 only the description, because LLVM vectorizes for the build's CPU."""
    found = {}
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
