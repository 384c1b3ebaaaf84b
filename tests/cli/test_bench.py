"""The command ``bench``: any kernel or graph of any module, with made-up arguments."""

import re

import pytest

from taichi_aot import Arch
from taichi_aot.__main__ import main
from taichi_aot.demo import mpm88


def run_bench(capfd, *arguments):
    """Exit status, stdout, and stderr without the progress bar."""
    status = main(["bench", *map(str, arguments)])
    captured = capfd.readouterr()
    return status, captured.out, captured.err.split("\r")[-1].strip()


@pytest.fixture
def demo(tmp_path):
    """A module that names its parameters, for x64."""
    path = tmp_path / "mpm88.tcm"
    path.write_bytes(mpm88.module_bytes(Arch.X64))
    return path


def test_kernel_is_measured(arch, modules, capfd):
    status, out, _ = run_bench(capfd, modules / "basic.tcm", "saxpy", "--arch", arch)
    assert status == 0
    assert out.startswith("saxpy(")
    assert f"({arch})" in out
    assert "1048576" in out
    assert "8,388,608 bytes of arrays per launch" in out
    assert re.search(r"^[\d,]+ launches/s \(\d+ batches of \d+ launches and a wait\)$", out, re.MULTILINE)
    assert re.search(r"^us per launch: median [\d.,]+, min [\d.,]+, max [\d.,]+$", out, re.MULTILINE)


def test_shapes_by_name(demo, capfd):
    status, out, _ = run_bench(capfd, demo, "clear_grid", "--shape", "momentum=128,128", "mass=128,128")
    assert status == 0
    assert "momentum 128x128, mass 128x128" in out
    assert "196,608 bytes" in out


@pytest.mark.parametrize("name", ["matrix_f64", "array_of_matrices_f32", "graph_vector_i8"])
def test_made_up_arguments_of_every_kind(modules, capfd, name):
    status, out, error = run_bench(capfd, modules / "table.tcm", name)
    assert status == 0, error
    assert out.startswith(f"{name}(")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "no kernel or graph 'nothing', it has kernels "),
        (["saxpy", "--shape", "x"], "a shape must be given as NAME=SIZE,SIZE"),
        (["saxpy", "--shape", "x=1,-1"], "a shape must be given as NAME=SIZE,SIZE"),
        (["saxpy", "--shape", "q=1"], "has no ndarray 'q'; its ndarrays are: "),
        (["saxpy", "--arch", "metal"], "unknown arch 'metal'; known are "),
    ],
)
def test_errors_are_one_line(modules, capfd, arguments, message):
    status, out, error = run_bench(capfd, modules / "basic.tcm", *arguments)
    assert (status, out) == (2, "")
    assert error.startswith("error: ")
    assert message in error
    assert "\n" not in error


def test_wrong_number_of_dimensions_and_missing_file(demo, tmp_path, capfd):
    status, _, error = run_bench(capfd, demo, "clear_grid", "--shape", "momentum=128")
    assert status == 2
    assert error.endswith(
        "parameter momentum: ndarray[vector(2, f32), 2, shape=(rows, columns)] has 2 dimensions; (128,) has 1"
    )
    status, _, error = run_bench(capfd, tmp_path / "missing.tcm", "iota")
    assert status == 2
    assert "missing.tcm" in error


def test_kernel_that_ends_its_process_is_an_error(demo, capfd):
    # Time steps of 1 throw the particles far out of the grid.
    status, _, error = run_bench(capfd, demo, "substep", "--shape", "momentum=128,128", "mass=128,128")
    assert status == 4
    assert error.splitlines()[-1].startswith("error: substep ended its process (-")
