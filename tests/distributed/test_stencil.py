"""A stencil on the parts of an array equals the same one on one device, bit for bit."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from helpers.archs import REQUIRED, need
from helpers.stencil import Relaxation, exact_grid, relaxed

from taichi_aot import Runtime, available_archs
from taichi_aot.distributed import PartsSequence, overlap, sequence

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


@pytest.mark.parametrize("axis", [0, 1])
def test_interior_is_computed_during_the_exchange(relaxation, axis):
    grid = exact_grid(24, 24)
    steps, count = 4, 2
    run = relaxation(count, grid, axis=axis, periodic=True)

    def compute(part, begin, stop):
        columns = 1, part.array.shape[1 - axis] - 1
        ranges = ((begin, stop), columns) if axis == 0 else (columns, (begin, stop))
        run.kernels[part.index](part.array, run.next[part.index].array, *ranges[0], *ranges[1])

    for _ in range(steps):
        with run.now.exchange_begin():
            for part in run.now:
                compute(part, part.interior.local_begin + 1, part.interior.local_stop - 1)
        for part in run.now:
            begin, stop = part.interior[2:]
            compute(part, begin, begin + 1)
            compute(part, stop - 1, stop)
        run.swap()
    found = run.now.to_numpy()
    assert found.tobytes() == np.ascontiguousarray(relaxed(grid, steps, axis, True)).tobytes()


def bound(run, now, after, begin=0, stop=0):
    """Bind the steps of all parts from one array to the other, on rows that `begin` and `stop` shift inwards."""
    launches = []
    for part, target in zip(now, after, strict=True):
        rows = part.interior.local_begin + begin, part.interior.local_stop - stop
        ranges = [(1, size - 1) for size in part.array.shape]
        ranges[now.axis] = rows
        launches.append(run.kernels[part.index].bind(part.array, target.array, *ranges[0], *ranges[1]))
    return launches


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("periodic", [False, True], ids=["bounded", "periodic"])
def test_sequence_equals_numpy_bit_for_bit(relaxation, periodic, axis):
    grid = exact_grid(22, 19)
    for count in (1, 2, 3, 4):
        run = relaxation(count, grid, periodic=periodic, axis=axis)
        one, other = run.now, run.next
        loop = sequence([one, *bound(run, one, other), other, *bound(run, other, one)])
        assert len(loop) == 2 + 2 * count
        loop(repeat=2)
        if axis == 0 and all(str(part.runtime.arch) == "cuda" for part in one):
            assert repr(loop).endswith("(recorded)>")
        expected = relaxed(grid, 4, axis, periodic)
        assert one.to_numpy().tobytes() == np.ascontiguousarray(expected).tobytes(), count


def test_sequence_computes_the_interior_beside_the_exchange(relaxation):
    grid = exact_grid(24, 24)
    for count in (1, 2, 3):
        run = relaxation(count, grid, periodic=True)
        steps = []
        for now, after in ((run.now, run.next), (run.next, run.now)):
            rows = 24 // count
            steps.append(overlap(now, bound(run, now, after, 1, 1)))
            steps += bound(run, now, after, 0, rows - 1)
            steps += bound(run, now, after, rows - 1, 0)
        sequence(steps)(repeat=2)
        assert run.now.to_numpy().tobytes() == relaxed(grid, 4, 0, True).tobytes(), count


def test_sequence_names_the_step_that_fails(relaxation):
    grid = exact_grid(12, 12)
    run = relaxation(2, grid)
    loop = sequence([run.now, *bound(run, run.now, run.next), overlap(run.next, bound(run, run.now, run.next))])
    loop(repeat=3)
    assert repr(loop).startswith("<PartsSequence of exchange, relax, relax, overlap with relax, relax")
    run.next[1].array.close()
    with pytest.raises(ValueError, match=r"^step 2 \(relax\), iteration 0: .*closed"):
        loop()
    run.now[0].array.close()
    with pytest.raises(ValueError, match=r"^step 0 \(exchange\), iteration 0: part 0 .*closed"):
        loop(5)


def test_sequences_refuse_other_steps(relaxation):
    run = relaxation(2, exact_grid(8, 8))
    launch = bound(run, run.now, run.next)[0]
    for steps, message in (
        (launch, "steps must be an iterable of launches, Parts"),
        ("abc", "steps must be an iterable"),
        ([launch, 3], r"steps\[1\] must be a launch from bind\(\), Parts or overlap\(\), not int 3"),
        ([run.kernels[0]], r"steps\[0\] must be"),
    ):
        with pytest.raises(TypeError, match=message):
            sequence(steps)
    with pytest.raises(ValueError, match="needs at least one step"):
        sequence([])
    with pytest.raises(TypeError, match=r"launches\[0\] must be a launch from bind\(\)"):
        overlap(run.now, [run.next])
    with pytest.raises(TypeError, match="expected Parts"):
        overlap([3], [launch])
    with pytest.raises(TypeError, match="parts must be an iterable"):
        overlap(3, [launch])
    with pytest.raises(TypeError, match=r"created by taichi_aot.distributed.sequence\(\)"):
        PartsSequence()
    loop = sequence([launch])
    for repeat, error in ((-1, ValueError), (2**63, OverflowError), (1.5, TypeError)):
        with pytest.raises(error):
            loop(repeat)
    loop(0)
