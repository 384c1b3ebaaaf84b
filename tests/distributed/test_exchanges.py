"""Exchanges over devices of CUDA, tested with a fake driver, without a device."""

import threading
from contextlib import ExitStack
from functools import partial

import numpy as np
import pytest
from helpers.child import in_child, run_in_child
from helpers.fake_cuda import driver, read_log
from helpers.raising import assert_raises

from taichi_aot import DeviceLostError, Runtime
from taichi_aot.distributed import decompose

pytestmark = pytest.mark.usefixtures("fake_cuda")


FUNCTIONS = ("cuCtxSetCurrent", "cuEventCreate", "cuEventRecord", "cuMemcpyPeerAsync", "cuStreamWaitEvent")


@pytest.fixture(scope="session")
def path(build_source):
    return build_source("ptx_kernels", "cuda")


ROWS, COLUMNS = 12, 6  # rows of 24 bytes: the driver looks for races in cells of 8


def two(stack, first=0, second=1):
    return stack.enter_context(Runtime("cuda", first)), stack.enter_context(Runtime("cuda", second))


def grid(start=0):
    return np.arange(ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS) + np.float32(start)


def expect(parts, whole):
    """Compare each part with a slice of the whole periodic array."""
    padded = np.pad(whole, [(parts.halo, parts.halo), (0, 0)], "wrap")
    for part in parts:
        begin, stop = part.interior[:2]
        found = part.array.to_numpy()
        assert (found == padded[begin : stop + 2 * parts.halo]).all(), (part, found)


def fill(parts, start=0):
    whole = grid(start)
    parts.write(whole)
    return whole


def exchange_between_all():
    """Exchanges of one array and of several fill the halos and create nothing."""
    devices = [(0, 1), (0, 0), (1, 1), (0, 1, 0, 1, 1)]
    with ExitStack() as stack:
        runtimes = [[stack.enter_context(Runtime("cuda", number)) for number in numbers] for numbers in devices]
        runtimes.append([runtimes[0][0]] * 3)
        for each in runtimes:
            u, v = (decompose((ROWS, COLUMNS), each, halo=halo, periodic=True) for halo in (1, 2))
            for i in range(3):
                if i == 1:
                    before = driver.counts()
                one, other = fill(u, i), fill(v, -i)
                if i == 0:
                    u.exchange()
                    v.exchange()
                else:
                    u.exchange(v)
                expect(u, one)
                expect(v, other)
            assert driver.counts() == before, (driver.counts(), before)


def test_devices_copy_to_each_other(fake_cuda):
    run_in_child(exchange_between_all, env={"FAKE_CUDA_TRACE": "1"})
    calls = read_log(fake_cuda).calls
    assert "cuMemcpyPeerAsync" in calls
    assert "cuEventSynchronize" not in calls


@pytest.mark.parametrize("what", ["array", "first", "second"])
@in_child
def test_exchange_names_what_is_closed(what):
    """An exchange names what is closed, and what is left can be exchanged with others."""
    with ExitStack() as stack:
        a, b = two(stack)
        parts = decompose((ROWS, COLUMNS), [a, b], periodic=True)
        fill(parts)
        parts.exchange()
        if what == "array":
            parts[1].array.close()
        else:
            (a if what == "first" else b).close()
        number = 0 if what == "first" else 1
        closed = "memory" if what == "array" else "runtime"
        assert_raises(ValueError, parts.exchange, match=f"on cuda:{number}: the {closed} is closed")
        left = [part for part in parts if part.index != number]
        assert left[0].array.to_numpy().shape == (ROWS // 2 + 2, COLUMNS)
        with Runtime("cuda", number) as again:
            other = decompose((ROWS, COLUMNS), [left[0].runtime, again], periodic=True)
            whole = fill(other)
            other.exchange()
            expect(other, whole)


@in_child
def test_exchanges_are_in_order_with_streams(path):
    """Exchanges follow launches on streams of the thread, and precede later ones."""
    with ExitStack() as stack:
        runtimes = two(stack)
        saxpy = [rt.load_module(path).kernels["saxpy"] for rt in runtimes]
        parts = [decompose(20, runtimes, halo=2, periodic=True) for _ in range(2)]
        for rt in runtimes:
            stack.enter_context(rt.stream(driver.stream_on(rt)))
        whole = np.arange(20, dtype=np.float32)
        for each in parts:
            each.write(whole)
        for _ in range(20):
            parts[0].exchange()
            for kernel, x, y in zip(saxpy, *parts, strict=True):
                kernel(1.0, x.array, y.array)
            parts[1].exchange()
        parts[0].exchange()
        assert (parts[1].to_numpy() == 21 * whole).all()


@pytest.mark.parametrize("name", FUNCTIONS)
@in_child(quiet=False)
def test_faults_of_the_driver_do_not_change_the_result(name):
    """Whichever call fails, the halos are filled in another way, or an error names a part."""
    with ExitStack() as stack:
        runtimes = [*two(stack), stack.enter_context(Runtime("cuda", 0))]
        for number in range(1, 14):
            parts = decompose((ROWS, COLUMNS), runtimes, periodic=True)
            whole = fill(parts, number)
            driver.fail(f"{name}:1:{number}")
            message = ""
            try:
                parts.exchange()
            except RuntimeError as error:
                message = str(error)
            driver.fail("")
            if message:
                assert "on cuda:0" in message, message
                assert "on cuda:1" in message or "cuCtxSetCurrent" in name, message
                parts.exchange()
            expect(parts, whole)


@in_child(quiet=False)
def test_lost_device_ends_exchanges():
    """A device is lost in an exchange: every call says so, and nothing hangs."""
    a, b = Runtime("cuda", 0), Runtime("cuda", 1)
    parts = decompose((ROWS, COLUMNS), [a, b], periodic=True)
    parts.exchange()
    driver.fail("cuMemcpyPeerAsync:700")
    for call in (parts.exchange, parts.exchange, parts.to_numpy):
        with pytest.raises(DeviceLostError, match=r"^part "):
            call()
    a.close()
    b.close()


def test_driver_without_peer_copies_passes_the_host(old_driver):
    without = old_driver("cuMemcpyPeerAsync", "cuCtxEnablePeerAccess")
    run_in_child(exchange_between_all, env={"LD_LIBRARY_PATH": str(without)})


@in_child
def test_threads_exchange_at_the_same_time(path):
    """Several threads exchange and launch at the same time, in both directions."""
    with ExitStack() as stack:
        a, b = two(stack)
        saxpy = a.load_module(path).kernels["saxpy"]
        x, y = a.full(14, 1.0, "f32"), a.zeros(14)
        groups = [decompose((ROWS, COLUMNS), each, periodic=True) for each in ([a, b], [b, a], [b, a, b])]
        wholes = [fill(parts, i) for i, parts in enumerate(groups)]

        def work(parts):
            for _ in range(500):
                parts.exchange()

        threads = [threading.Thread(target=partial(work, parts)) for parts in groups]
        for thread in threads:
            thread.start()
        for _ in range(500):
            saxpy(1.0, x, y)
            b.empty(14).close()
        for thread in threads:
            thread.join()
        for parts, whole in zip(groups, wholes, strict=True):
            expect(parts, whole)
        assert (y.to_numpy() == 500).all()
