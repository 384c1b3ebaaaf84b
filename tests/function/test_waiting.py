"""`Function.call_async` and `Runtime.wait_async`."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from helpers.child import child_environment, in_child
from helpers.inside import has_lost_gpu_drivers
from helpers.machine import resident_bytes
from helpers.objects import FORKED, load_saxpy, run_in_fork
from helpers.raising import assert_raises
from helpers.threads import run_together

from taichi_aot import NotSupportedError, function

X = np.arange(1000, dtype=np.float32)


def saxpy(arch, module):
    """Return a function that returns ``y + a * x``."""
    return function(module, "saxpy", out={"y": "x"}, arch=arch)


def threads():
    return sum(thread.name == "taichi_aot" for thread in threading.enumerate())


class Slow:
    """A scalar whose conversion takes a while and is counted."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.count = 0

    def __float__(self):
        self.count += 1
        time.sleep(self.seconds)
        return 1.0


def call_in_another_thread(use):
    """Await in a new thread, because this thread's event loop is already running."""
    results = []
    run_together(lambda: results.append(asyncio.run(use())))
    assert results[0].tolist() == (2 * X).tolist()


@pytest.mark.slow
@in_child
def test_asyncio_awaits_ten_thousand_calls(arch, basic):
    """One thread makes all calls, the loop keeps running, and memory does not grow."""
    f = saxpy(arch, basic)
    most, ticks, resident = 0, 0, []

    async def main():
        nonlocal most, ticks
        # Every tenth call launches; the others have empty results.
        calls = [f.call_async(float(i), X[: 4 * (i % 10 == 0)]) for i in range(10_000)]
        most = max(most, threads())
        while not calls[-1].done():
            await asyncio.sleep(0)
            ticks += 1
        results = await asyncio.gather(*calls)
        assert [int(result[1]) for result in results[::10]] == list(range(0, 10_000, 10))
        assert {result.shape for result in results} == {(0,), (4,)}

    for _ in range(3):
        asyncio.run(main())
        gc.collect()
        resident.append(resident_bytes())
    assert most == 1
    assert ticks > 100
    # An array or a future takes some hundred bytes. On lavapipe each launch of a kernel keeps 192 bytes.
    assert resident[-1] - resident[0] < 2 * 10_000 * 200, resident


@pytest.mark.slow(but="x64")
@in_child
def test_asyncio_waits_ten_thousand_times(arch, basic):
    """All waits for one runtime share a thread, and each covers the launches before it."""
    rt, kernel = load_saxpy(arch, basic)
    x, y = rt.asarray(X), rt.zeros(1000)

    async def main():
        for _ in range(10):
            kernel(1.0, x, y)
        await rt.wait_async()
        waits = [rt.wait_async() for _ in range(10_000)]
        assert threads() == 1
        await asyncio.gather(*waits)

    asyncio.run(main())
    assert y.to_numpy()[-1] == 9990


@pytest.mark.slow(but="x64")
@in_child
def test_loop_runs_meanwhile(arch, basic):
    """During a call, the loop does other work."""
    f = saxpy(arch, basic)
    ticks = 0

    async def main():
        nonlocal ticks
        await f.call_async(1.0, X)
        call = f.call_async(Slow(1.0), X)
        while not call.done():
            await asyncio.sleep(0.001)
            ticks += 1
        assert call.result().tolist() == X.tolist()

    asyncio.run(main())
    assert ticks > 20


@pytest.mark.slow(but="*")
@in_child
def test_waits_are_cancelled(arch, basic):
    """Cancel a call that has begun, whose result is dropped, and one that has not, which is never made."""
    f = saxpy(arch, basic)
    slow = Slow(0.05)

    async def main():
        calls = [f.call_async(slow, X) for _ in range(4)]
        while not slow.count:
            await asyncio.sleep(0.001)
        calls[0].cancel()  # has begun
        calls[2].cancel()
        results = await asyncio.gather(*calls, return_exceptions=True)
        assert [isinstance(result, asyncio.CancelledError) for result in results] == [True, False, True, False]
        assert slow.count == 3

    asyncio.run(main())


@pytest.mark.slow(but="x64")
@in_child
def test_errors_reach_the_loop(arch, basic):
    rt = load_saxpy(arch, basic)[0]
    f = saxpy(arch, basic)

    async def main():
        errors = await asyncio.gather(f.call_async(1.0), f.call_async("one", X), return_exceptions=True)
        assert all(isinstance(error, TypeError) for error in errors)
        assert "'x'" in str(errors[0])
        assert "parameter 'a'" in str(errors[1])
        wait = rt.wait_async()
        rt.close()
        outcome = (await asyncio.gather(wait, return_exceptions=True))[0]
        assert outcome is None or "closed" in str(outcome)  # the wait may have finished first
        assert (await f.call_async(1.0, X)).tolist() == X.tolist()

    asyncio.run(main())
    assert_raises(ValueError, rt.wait_async, match="closed")
    assert_raises(RuntimeError, lambda: f.call_async(1.0, X), match="no event loop runs")


@pytest.mark.slow(but="x64")
@in_child
def test_loop_is_closed_before_its_calls_end(arch, basic):
    """Close the loop during calls: their results are dropped, and the function works in another loop."""
    f = saxpy(arch, basic)

    async def begin():
        for i in range(200):
            f.call_async(float(i), X)

    async def use():
        return await f.call_async(2.0, X)

    for _ in range(3):
        asyncio.run(begin())
    assert asyncio.run(use()).tolist() == (2 * X).tolist()


@pytest.mark.slow(but="x64")
@in_child
def test_several_loops_await(arch, basic):
    f = saxpy(arch, basic)

    async def main(a):
        for _ in range(20):
            results = await asyncio.gather(*[f.call_async(a, X) for _ in range(10)])
            assert all((result == a * X).all() for result in results)

    run_together(*(lambda a=float(a): asyncio.run(main(a)) for a in range(4)))


@pytest.mark.slow
@in_child
def test_idle_thread_ends(arch, basic):
    """A thread without calls ends, and the next call starts another."""
    f = saxpy(arch, basic)

    async def main():
        await f.call_async(1.0, X)

    for _ in range(2):
        asyncio.run(main())
        assert threads() == 1
        end = time.monotonic() + 300
        while threads() and time.monotonic() < end:
            time.sleep(0.05)
        assert not threads()


@pytest.mark.slow(but="x64")
@in_child
def test_process_exits_with_calls(arch, basic):
    f = saxpy(arch, basic)

    async def main():
        await f.call_async(1.0, X)
        for i in range(10_000):
            f.call_async(float(i), X)

    asyncio.run(main())


@pytest.mark.slow(but="x64")
@in_child
def test_process_forks_with_calls(arch, basic):
    """Fork: the child has neither its parent's thread nor its calls; it starts a thread, or raises on a GPU."""
    f = saxpy(arch, basic)

    async def use():
        return await f.call_async(2.0, X)

    def use_and_exit():
        if has_lost_gpu_drivers():
            assert_raises(NotSupportedError, lambda: call_in_another_thread(use), match="drivers do not survive a fork")
        else:
            call_in_another_thread(use)
        os._exit(FORKED)  # asyncio.run's cleanup would close what the parent's event loop waits for

    async def main():
        calls = [f.call_async(float(i), X) for i in range(200)]
        await calls[0]
        assert run_in_fork(use_and_exit) == FORKED
        assert len(await asyncio.gather(*calls)) == 200

    asyncio.run(main())


def test_asyncio_is_imported_only_when_used():
    program = "import sys, taichi_aot; taichi_aot.function; assert 'asyncio' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], env=child_environment(), check=True)
