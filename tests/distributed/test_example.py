"""The examples of several devices and processes run from the command line and equal one device."""

import re
from pathlib import Path

import pytest
from helpers.archs import needs_taichi, require
from helpers.child import run_child
from helpers.ranks import run_mpi

from taichi_aot.build import build

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE = EXAMPLES / "heat.py"
WAVE = EXAMPLES / "wave.py"

pytestmark = needs_taichi


def run(*arguments, status=0):
    done = run_child(EXAMPLE, *arguments, status=status)
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def bundle(made_once):
    """The option with the kernels of heat.py, which it would build at each run."""

    def build_into(folder):
        build(EXAMPLES / "heat_kernels.py", folder / "heat.tib", archs=["x64", "vulkan"])

    return "--bundle", made_once.folder("heat", build_into) / "heat.tib"


def test_heat_on_two_devices_equals_one():
    assert_equals_one(2)


def test_heat_on_several_devices_equals_one(bundle):
    require("vulkan")
    assert_equals_one(3, "x64", "vulkan:0", "x64", *bundle)


def assert_equals_one(count, *arguments):
    printed = run(*arguments, "--rows", 12, "--columns", 16, "--steps", 9)
    assert re.search(rf"^{count} devices, 9 steps: the mean temperature is 0\.[0-9]*[1-9]", printed, re.M)
    assert "equal to one device bit for bit: True" in printed


def test_heat_on_rows_of_one_element_each_equals_one(bundle):
    assert "equal to one device bit for bit: True" in run(
        *["x64"] * 3, *bundle, "--rows", 3, "--columns", 16, "--steps", 4
    )


def test_wrong_devices_and_sizes_are_explained(bundle):
    assert "error: " in run("x64:7", *bundle, status=1)
    assert "cannot be split into 2 parts" in run(*bundle, "--rows", 1, status=1)


@pytest.fixture(scope="module")
def wave(tmp_path_factory):
    """The arguments of a small wave, and what one core prints for it."""
    folder = tmp_path_factory.mktemp("wave")
    run_child("-m", "taichi_aot", "build", EXAMPLES / "wave_kernels.py", "--arch", "x64", cwd=folder)
    arguments = ["--bundle", str(folder / "wave_kernels.tib"), "--size", "75", "--steps", "30"]
    done = run_child(WAVE, *arguments, "--picture", folder / "wave.png")
    assert re.fullmatch(r"30 steps on 75 x 75: SHA-256 [0-9a-f]{64}\n", done.stdout)
    assert (folder / "wave.png").read_bytes().startswith(b"\x89PNG")
    return arguments, done.stdout


def test_wave_on_processes_of_mpi_has_the_same_bits(wave):
    arguments, expected = wave
    assert run_mpi(4, WAVE, "--on", "mpi", *arguments).stdout == expected


def test_wave_on_workers_of_dask_has_the_same_bits(wave):
    pytest.importorskip("distributed")
    arguments, expected = wave
    done = run_child(WAVE, "--on", "dask", *arguments)
    assert done.stdout == expected, done.stderr
