"""Functions in threads and in other processes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np
import numpy.typing as npt
from helpers.inside import lock_of_the_default_runtime, pretend_gpu_was_used
from helpers.machine import resident_bytes
from helpers.objects import FORKED, run_in_fork
from helpers.raising import assert_raises
from helpers.threads import run_together

import taichi_aot
from scenarios import ArchName
from taichi_aot import Function, NotSupportedError, default_runtime, function

SIZES = (1, 1000, 100_000)  # the last one is imported where the device can use host memory


def saxpy(arch: ArchName, module: str) -> Function:
    """Return a function that returns ``y + a * x``."""
    return function(module, "saxpy", out={"y": "x"}, arch=arch)


def numbers(i: int) -> npt.NDArray[Any]:
    return np.arange(i, i + SIZES[i % len(SIZES)], dtype=np.float32) % 1000


def check(results: Iterable[npt.NDArray[Any]], count: int) -> None:
    """Check the results of ``saxpy(i, numbers(i), numbers(i))``."""
    kept = list(results)
    assert len(kept) == count
    for i, result in enumerate(kept):
        assert np.array_equal(result, (i + 1) * numbers(i)), i


def arguments(count: int) -> tuple[list[float], list[npt.NDArray[Any]], list[npt.NDArray[Any]]]:
    arrays = [numbers(i) for i in range(count)]
    return [float(i) for i in range(count)], arrays, arrays


def argument_tuples(f: Function, count: int) -> list[tuple[float, npt.NDArray[Any], npt.NDArray[Any]]]:
    return list(zip(*arguments(count), strict=True))


def use_pool(arch: ArchName, module: str, method: str) -> None:
    """Use the function in the parent first, as in an interactive session."""
    f = saxpy(arch, module)
    check([f(*each) for each in argument_tuples(f, 3)], 3)
    with multiprocessing.get_context(method).Pool(2) as pool:
        check(pool.starmap(f, argument_tuples(f, 30), chunksize=1), 30)
    check([f(*each) for each in argument_tuples(f, 3)], 3)


def use_executor(arch: ArchName, module: str, method: str) -> None:
    f = saxpy(arch, module)
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        check(pool.map(f, *arguments(30)), 30)


def use_threads(arch: ArchName, module: str) -> None:
    """Each result is a separate array, whatever runs at the same time."""
    f = saxpy(arch, module)
    with ThreadPoolExecutor(8) as pool:
        check(pool.map(f, *arguments(200)), 200)


def use_joblib(arch: ArchName, module: str, backend: str) -> None:
    from joblib import Parallel, delayed

    f = saxpy(arch, module)
    check([f(*each) for each in argument_tuples(f, 3)], 3)
    check(Parallel(n_jobs=2, backend=backend)(delayed(f)(*each) for each in argument_tuples(f, 30)), 30)


def call_with_pid(f: Function, a: float, x: npt.NDArray[Any]) -> tuple[int, npt.NDArray[Any]]:
    return os.getpid(), f(a, x)


def call_slowly(f: Function, a: float, x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    time.sleep(0.2)
    return f(a, x)  # type: ignore[no-any-return]


def lose_a_worker(arch: ArchName, module: str) -> None:
    """Kill a worker: its executor breaks, as with any function, but a new executor works."""
    f, x = saxpy(arch, module), numbers(1)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        worker, result = pool.submit(call_with_pid, f, 2.0, x).result()
        assert np.array_equal(result, 2 * x)
        calls = [pool.submit(call_slowly, f, 2.0, x) for _ in range(5)]
        os.kill(worker, signal.SIGKILL)
        for call in calls:
            assert isinstance(call.exception(), BrokenProcessPool)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        assert np.array_equal(pool.submit(call_slowly, f, 3.0, x).result(), 3 * x)


def lose_a_worker_of_joblib(arch: ArchName, module: str) -> None:
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    f, x = saxpy(arch, module), numbers(1)
    with Parallel(n_jobs=1 + 1) as parallel:
        calls = (delayed(call_or_die)(f, float(i), x) for i in range(6))
        assert_raises(TerminatedWorkerError, lambda: parallel(calls))
    results = Parallel(n_jobs=2)(delayed(f)(float(i), x) for i in range(6))
    assert all(np.array_equal(result, i * x) for i, result in enumerate(results))


def call_or_die(f: Function, a: float, x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    result = f(a, x)
    if a == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return result  # type: ignore[no-any-return]


def call_a_thousand_times(arch: ArchName, module: str) -> None:
    """Unpickle the function for each call: calls and functions leave nothing behind."""
    f = saxpy(arch, module)
    pickled = pickle.dumps(f)
    resident, blocks, counts = [], [], []
    for _ in range(4):
        for i in range(1000):
            g = pickle.loads(pickled)
            assert g(1.0, numbers(i))[0] == i
        del g
        gc.collect()
        resident.append(resident_bytes())
        blocks.append(sys.getallocatedblocks())
        counts.append(taichi_aot.object_counts())
    assert counts[-1] == counts[1]
    assert blocks[-1] - blocks[1] < 1000, blocks  # less than one for two calls
    assert counts[-1]["runtimes"] == counts[-1]["modules"] == 1
    # On lavapipe each launch keeps 192 bytes, and resident memory grows in steps of up to 0.6 MB.
    assert resident[-1] - resident[1] < 2 * 1000 * 192 + 1e6, resident


def fork_and_call(arch: ArchName, module: str) -> None:
    """Fork: the child calls in a new runtime, and the parent continues in its own."""
    f, x = saxpy(arch, module), numbers(1)
    runtime = default_runtime(arch)
    assert np.array_equal(f(2.0, x), 2 * x)

    def child() -> None:
        assert runtime.closed
        assert np.array_equal(f(3.0, x), 3 * x)
        assert default_runtime(arch) is not runtime
        assert taichi_aot.object_counts()["runtimes"] == 1

    assert run_in_fork(child) == FORKED
    assert default_runtime(arch) is runtime
    assert np.array_equal(f(4.0, x), 4 * x)


def fork_after_a_gpu_was_used(arch: ArchName, module: str) -> None:
    """A call in the child raises, because drivers do not survive a fork."""
    f, x = saxpy(arch, module), numbers(1)
    pretend_gpu_was_used()

    def child() -> None:
        assert_raises(NotSupportedError, lambda: f(2.0, x), match="drivers do not survive a fork")

    assert run_in_fork(child) == FORKED


def fork_while_a_thread_makes_the_runtime(arch: ArchName, module: str) -> None:
    """Fork while another thread holds the lock: the child does not wait for it."""
    f, x, lock = saxpy(arch, module), numbers(1), lock_of_the_default_runtime()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lock.acquire).result()

        def child() -> None:
            assert np.array_equal(f(3.0, x), 3 * x)

        assert run_in_fork(child) == FORKED
        pool.submit(lock.release).result()


def make_the_runtime_in_threads(arch: ArchName, module: str) -> None:
    f, x = saxpy(arch, module), numbers(1)
    runtimes: list[object] = []

    def work() -> None:
        runtimes.append(default_runtime(arch))
        assert np.array_equal(f(3.0, x), 3 * x)

    run_together(*[work] * 8)
    assert len(runtimes) == 8
    assert len(set(map(id, runtimes))) == 1
    assert taichi_aot.object_counts()["runtimes"] == taichi_aot.object_counts()["modules"] == 1
