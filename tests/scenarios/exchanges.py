"""Exchanges of halos between devices of CUDA, by streams and events, without a device."""

from __future__ import annotations

import gc
import itertools
import threading
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np
from helpers.raising import assert_raises

from taichi_aot import DeviceLostError, Runtime
from taichi_aot.distributed import Parts, decompose, exchange, exchange_begin

from .cuda_devices import stream_on
from .fake_cuda import driver

ROWS, COLUMNS = 12, 6  # rows of 24 bytes: the driver looks for races in cells of 8


def two(stack: ExitStack, first: int = 0, second: int = 1) -> tuple[Runtime, Runtime]:
    return stack.enter_context(Runtime("cuda", first)), stack.enter_context(Runtime("cuda", second))


def grid(start: float = 0) -> np.ndarray[Any, Any]:
    return np.arange(ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS) + np.float32(start)


def expect(parts: Parts, whole: np.ndarray[Any, Any]) -> None:
    """Compare each part with a slice of the whole periodic array."""
    padded = np.pad(whole, [(parts.halo, parts.halo), (0, 0)], "wrap")
    for part in parts:
        begin, stop = part.interior[:2]
        found = part.array.to_numpy()
        assert (found == padded[begin : stop + 2 * parts.halo]).all(), (part, found)


def fill(parts: Parts, start: float = 0) -> np.ndarray[Any, Any]:
    whole = grid(start)
    parts.write(whole)
    return whole


def exchange_in_one_call() -> None:
    """Exchanges fill the halos and create nothing; so do those that begin and end, and those of several arrays."""
    devices = [(0, 1), (0, 0), (1, 1), (0, 1, 0, 1, 1)]
    with ExitStack() as stack:
        runtimes = [[stack.enter_context(Runtime("cuda", number)) for number in numbers] for numbers in devices]
        runtimes.append([runtimes[0][0]] * 3)
        for each in runtimes:
            u, v = (decompose((ROWS, COLUMNS), each, halo=halo, periodic=True) for halo in (1, 2))
            for i in range(5):
                if i == 1:
                    before = driver.counts()
                one, other = fill(u, i), fill(v, -i)
                if i == 0:
                    u.exchange()
                    v.exchange()
                elif i == 1:
                    exchange(u, v)
                elif i == 2:
                    with exchange_begin(u, v) as running:
                        assert repr(running) == "<Exchange in progress>"
                    assert repr(running) == "<Exchange ended>"
                elif i == 3:
                    u.exchange_begin()
                    exchange_begin(v)  # never ended: a read waits
                else:
                    for _ in range(10):
                        u.exchange_begin().end()
                        v.exchange_begin().end()
                expect(u, one)
                expect(v, other)
            assert driver.counts() == before, (driver.counts(), before)


def overlap_with_launches(path: str, ends: str) -> None:
    """A kernel that writes a halo races with the copies, unless the exchange has ended before."""
    with ExitStack() as stack:
        runtimes = two(stack)
        saxpy = [rt.load_module(path).kernels["saxpy"] for rt in runtimes]
        parts = [decompose(20, runtimes, halo=2, periodic=True) for _ in range(2)]
        inner = [[rt.full(14, 1.0, "f32") for _ in range(2)] for rt in runtimes]
        whole = np.arange(20, dtype=np.float32)
        parts[0].write(whole)
        for kernel, arrays in zip(saxpy, inner, strict=True):
            kernel(1.0, *arrays)
        running = parts[0].exchange_begin()
        for kernel, arrays in zip(saxpy, inner, strict=True):
            for _ in range(3):
                kernel(1.0, *arrays)
        if ends == "1":
            running.end()
        for kernel, x, y in zip(saxpy, parts[1], parts[0], strict=True):
            kernel(1.0, x.array, y.array)  # writes halos
        for _, result in inner:
            assert (result.to_numpy() == 5).all()


def reuse_memory(path: str, how: str) -> None:
    """Memory that is freed during an exchange is used again after the copies."""
    with ExitStack() as stack:
        runtimes = two(stack)
        saxpy = [rt.load_module(path).kernels["saxpy"] for rt in runtimes]
        sources = [rt.full(14, 1.0, "f32") for rt in runtimes]
        for kernel, x in zip(saxpy, sources, strict=True):
            kernel(0.0, x, x)
        for _ in range(3):
            parts = decompose(20, runtimes, halo=2, periodic=True)
            running = parts.exchange_begin()
            if how == "close":
                parts.close()
            elif how == "drop":
                del parts, running
                gc.collect()
            for rt, kernel, x in zip(runtimes, saxpy, sources, strict=True):
                fresh = rt.empty(14, "f32")
                kernel(1.0, x, fresh)
                fresh.close()
            if how == "close":
                running.end()


def close_during_an_exchange(what: str) -> None:
    """What ends between the begin and the end of an exchange does not end the others."""
    with ExitStack() as stack:
        a, b = two(stack)
        parts = decompose((ROWS, COLUMNS), [a, b], periodic=True)
        fill(parts)
        running = parts.exchange_begin()
        if what == "array":
            parts[1].array.close()
        else:
            (a if what == "first" else b).close()
        running.end()
        number = 0 if what == "first" else 1
        for call in (parts.exchange, lambda: parts.exchange_begin().end()):
            assert_raises(
                ValueError, call, match=f"on cuda:{number}: the {'memory' if what == 'array' else 'runtime'} is closed"
            )
        left = [part for part in parts if part.index != number]
        assert left[0].array.to_numpy().shape == (ROWS // 2 + 2, COLUMNS)
        with Runtime("cuda", number) as again:
            other = decompose((ROWS, COLUMNS), [left[0].runtime, again], periodic=True)
            whole = fill(other)
            other.exchange()
            expect(other, whole)


def reopen() -> None:
    """A runtime of a device takes the streams of an earlier one."""
    counts = []
    for _ in range(5):
        with ExitStack() as stack:
            parts = decompose((ROWS, COLUMNS), two(stack), periodic=True)
            whole = fill(parts)
            parts.exchange()
            expect(parts, whole)
        counts.append({kind: driver.count(kind) for kind in ("stream", "event")})
    assert counts[1] == counts[-1], counts


def exchange_on_streams(path: str) -> None:
    """Exchanges follow launches on streams of the thread, and precede later ones."""
    with ExitStack() as stack:
        runtimes = two(stack)
        saxpy = [rt.load_module(path).kernels["saxpy"] for rt in runtimes]
        parts = [decompose(20, runtimes, halo=2, periodic=True) for _ in range(2)]
        for rt in runtimes:
            stack.enter_context(rt.stream(stream_on(rt)))
        whole = np.arange(20, dtype=np.float32)
        for each in parts:
            each.write(whole)
        for i in range(20):
            parts[0].exchange() if i % 2 else parts[0].exchange_begin().end()
            for kernel, x, y in zip(saxpy, *parts, strict=True):
                kernel(1.0, x.array, y.array)
            parts[1].exchange()
        parts[0].exchange()
        assert (parts[1].to_numpy() == 21 * whole).all()


def exchange_with_faults(name: str) -> None:
    """Whichever call fails, the halos are filled in another way, or an error names a part."""
    with ExitStack() as stack:
        runtimes = [*two(stack), stack.enter_context(Runtime("cuda", 0))]
        for number, begins in itertools.product(range(1, 14), (False, True)):
            parts = decompose((ROWS, COLUMNS), runtimes, periodic=True)
            whole = fill(parts, number)
            driver.fail(f"{name}:1:{number}")
            message = ""
            try:
                if begins:
                    parts.exchange_begin().end()
                else:
                    parts.exchange()
            except RuntimeError as error:
                message = str(error)
            driver.fail("")
            if message:
                assert "on cuda:0" in message, message
                assert "on cuda:1" in message or "cuCtxSetCurrent" in name, message
                parts.exchange()
            expect(parts, whole)


def lose_a_device(name: str) -> None:
    """A device is lost in an exchange, or between its begin and its end: every call says so, and nothing hangs."""
    a, b = Runtime("cuda", 0), Runtime("cuda", 1)
    parts = decompose((ROWS, COLUMNS), [a, b], periodic=True)
    parts.exchange()
    running = parts.exchange_begin() if name == "later" else None
    driver.fail("cuMemcpyPeerAsync:700" if running is None else "cuStreamWaitEvent:700")
    for call in (parts.exchange if running is None else running.end, parts.exchange, parts.to_numpy):
        try:
            call()
        except DeviceLostError as error:
            print(str(error).startswith("part "))
    a.close()
    b.close()


def stay_flat(count: str) -> None:
    """Exchanges keep nothing."""
    with ExitStack() as stack:
        parts = decompose((ROWS, COLUMNS), two(stack), periodic=True)
        whole = fill(parts)
        parts.exchange()
        before = driver.counts()
        for _ in range(int(count) // 2):
            parts.exchange()
            parts.exchange_begin().end()
        assert driver.counts() == before
        expect(parts, whole)


def exchange_in_threads(path: str) -> None:
    """Several threads exchange and launch at the same time, in both directions."""
    with ExitStack() as stack:
        a, b = two(stack)
        saxpy = a.load_module(path).kernels["saxpy"]
        x, y = a.full(14, 1.0, "f32"), a.zeros(14)
        groups = [decompose((ROWS, COLUMNS), each, periodic=True) for each in ([a, b], [b, a], [b, a, b])]
        wholes = [fill(parts, i) for i, parts in enumerate(groups)]

        def work(parts: Parts) -> None:
            for _ in range(500):
                parts.exchange()
                parts.exchange_begin().end()

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
