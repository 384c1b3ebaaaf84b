"""A stencil on the parts of an array equals the same one on one device, bit for bit."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from helpers.archs import REQUIRED, need
from helpers.stencil import Relaxation, exact_grid, relaxed

from taichi_aot import Runtime, available_archs

KINDS = {"x64": ("x64",), "vulkan": ("vulkan",), "mixed": ("vulkan", "x64")}
KINDS |= {"cuda": ("cuda",)} if "cuda" in REQUIRED else {}


@pytest.fixture(scope="module")
def pool():
    """Four runtimes of each arch."""
    runtimes = {str(arch): [Runtime(arch) for _ in range(4)] for arch in available_archs() if str(arch) != "opengl"}
    yield runtimes
    for each in runtimes.values():
        for runtime in each:
            runtime.close()


@pytest.fixture(params=KINDS)
def relaxation(request, pool, build_source):
    """Make a relaxation on a number of runtimes, of one arch or of two in turn."""
    archs = KINDS[request.param]
    for arch in archs:
        if arch not in pool:
            need(arch, "no such device on this machine")

    def relaxation_on(count, grid, **options):
        names = [archs[i % len(archs)] for i in range(count)]
        runtimes = [pool[name][i] for i, name in enumerate(names)]
        return Relaxation(grid, runtimes, [build_source("stencil_kernels", name) for name in names], **options)

    return relaxation_on


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("periodic", [False, True], ids=["bounded", "periodic"])
@pytest.mark.parametrize("halo", [1, 2])
def test_parts_equal_numpy_bit_for_bit(relaxation, halo, periodic, axis):
    grid = exact_grid(22, 19)
    for count in (1, 2, 3, 4):
        found = relaxation(count, grid, halo=halo, periodic=periodic, axis=axis).run(4 // halo)
        expected = relaxed(grid, 4, axis, periodic)
        assert found.tobytes() == np.ascontiguousarray(expected).tobytes(), count


def test_parts_equal_one_device_when_steps_round(relaxation):
    grid = np.random.default_rng(2).random((40, 30), np.float32)
    runs = [relaxation(count, grid, periodic=True) for count in (1, 2, 4)]
    one, *others = [run.run(30) for run in runs]
    for found in others:
        # Compilers of two archs may contract differently.
        if len({part.runtime.arch for part in runs[-1].now}) == 1:
            assert found.tobytes() == one.tobytes()
        np.testing.assert_allclose(found, one, 1e-5)


def test_thread_for_each_part(relaxation):
    """Each thread computes its part. The last one to finish a step exchanges the halos for all."""
    grid = exact_grid(24, 16)
    steps, count = 4, 3
    run = relaxation(count, grid)
    run.now.exchange()

    def finish_step():
        run.swap()
        run.now.exchange()

    barrier = threading.Barrier(count, finish_step, timeout=60)

    def compute(number):
        for _ in range(steps):
            run.step(number, 0)
            barrier.wait()

    with ThreadPoolExecutor(count) as threads:
        list(threads.map(compute, range(count)))
    assert run.now.to_numpy().tobytes() == relaxed(grid, steps, 0, False).tobytes()
