"""The solver of the example ends as a loop on the host does, bit for bit."""

from pathlib import Path

import numpy as np
import pytest
from helpers.archs import needs_taichi
from helpers.child import run_child
from helpers.headers import load_file

import taichi_aot

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = needs_taichi


@pytest.fixture(scope="module")
def jacobi():
    return load_file("jacobi", EXAMPLES / "jacobi.py")


@pytest.fixture
def bundle(build_source, arch):
    return build_source(EXAMPLES / "jacobi_kernels.py", arch, caps=())


def by_numpy(cells, steps):
    for _ in range(steps):
        mean = np.float32(0.25) * (cells[:-2, 1:-1] + cells[2:, 1:-1] + cells[1:-1, :-2] + cells[1:-1, 2:])
        cells = cells.copy()
        cells[1:-1, 1:-1] = mean
    return cells


def test_solver_matches_a_loop_on_the_host(jacobi, bundle, arch):
    with taichi_aot.load(bundle, arch) as module:
        by_host, by_device = jacobi.Plate(module, 20), jacobi.Plate(module, 20)
        expected = by_host.solve_by_host(1e-4)
        made = by_device.solve(1e-4)
        assert made == expected
        assert made.converged
        assert made.value == by_host.change.item() < 1e-4
        assert by_device.now.tobytes() == by_host.now.tobytes()
        np.testing.assert_allclose(by_device.now.to_numpy(), by_numpy(jacobi.plate(20), 2 * made), rtol=1e-4, atol=1e-6)


@pytest.mark.slow(but="x64")
def test_program_prints_what_it_found(bundle, arch):
    options = ["--arch", arch, "--module", bundle, "--size", 16, "--below", 1e-4]
    done = run_child(EXAMPLES / "jacobi.py", *options)
    first, second = done.stdout.splitlines()
    assert first.startswith("converged after ")
    assert second.startswith("mean temperature 0.2")
