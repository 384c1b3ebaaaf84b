"""Runs that a number ends, on CUDA without a device, against loops on the host."""

from __future__ import annotations

import math
from typing import Any

from helpers.failed_checks import Failure
from helpers.fake_cuda import NON_BLOCKING, driver
from helpers.objects import wait_until_written
from helpers.raising import assert_raises
from helpers.threads import Background, run_together

from taichi_aot import KernelIndexError, LaunchSequence, NdArray, OutOfMemoryError, Runtime


class Things:
    """A sequence of two launches that adds `step` to one number, which a loop on the host can read too."""

    def __init__(self, rt: Runtime, path: str, step: float = 1.25) -> None:
        self.rt, self.module = rt, rt.load_module(path)
        self.memory = rt.allocate(16)
        self.total: NdArray[Any] = self.memory.ndarray(1, "f32")
        self.ones = rt.full(1, 1.0, "f32")
        saxpy = self.module.kernels["saxpy"]
        self.launches = [saxpy.bind(part * step, self.ones, self.total) for part in (0.75, 0.25)]
        self.sequence: LaunchSequence = rt.sequence(self.launches)

    def begin(self) -> None:
        self.memory.ndarray(16, "u8").fill(0)

    def by_host(self, number: NdArray[Any], every: int, repeat: int, bound: float) -> tuple[Any, ...]:
        """Repeat until a check in Python ends it: the iterations, the last number, and what is in the memory."""
        made, value = 0, math.nan
        while made < repeat and not value > bound:
            part = min(every, repeat - made)
            self.sequence(part)
            made += part
            value = number.item()
        return made, value > bound, float(value), self.memory.ndarray(16, "u8").tobytes()

    def by_until(self, number: NdArray[Any], every: int, repeat: int, bound: float) -> tuple[Any, ...]:
        made = self.sequence.until(number, above=bound, check_every=every)(repeat)
        return int(made), made.converged, made.value, self.memory.ndarray(16, "u8").tobytes()


def match_a_loop(path: str) -> None:
    """The same as a loop in Python for lengths, bounds and repeats, and for numbers of any bytes of the memory."""
    with Runtime("cuda") as rt:
        things = Things(rt, path, 1 / 3)
        for dtype in ("f64", "f32", "i64", "u16", "i8"):
            number = things.memory.ndarray(1, dtype)
            for every in (1, 7, 30):
                for bound in (1.0, 41.0, math.inf):
                    for repeat in (1, 29, 61):
                        things.begin()
                        expected = things.by_host(number, every, repeat, bound)
                        things.begin()
                        found = things.by_until(number, every, repeat, bound)
                        assert repr(found) == repr(expected), (dtype, every, bound, repeat)  # NaN is NaN
        assert repr(things.sequence).endswith("(recorded)>")


def run_again(path: str) -> None:
    """Run one after the other: updates, other lengths, other bounds, arrays that are closed, and ramps."""
    with Runtime("cuda") as rt:
        things = Things(rt, path)
        total, sequence = things.total, things.sequence
        until = sequence.until(total, above=99, check_every=4)
        things.begin()
        assert [until(1000), until(1000)] == [80, 4]
        things.launches[0].update(a=1.0)
        things.begin()
        assert until(1000) == 76  # of 1.3125 each: 99.75
        wide = rt.full(1, 2.0, "f32")
        things.launches[1].update(x=wide)
        things.begin()
        assert sequence.until(total, above=100, check_every=4)(1000) == 64  # 1.625 each: 62 are 100.75
        wide.close()
        things.begin()
        assert_raises(ValueError, lambda: until(1000))
        assert total.item() == 1.0  # the first launch of the first iteration
        things.launches[1].update(x=things.ones)
        assert sequence.until(total, above=1e6, check_every=3)(3 * 50 + 2) == 152
        things.begin()
        assert sequence.until(total, above=50)(1000, ramps={(0, "a"): (1.0, 0.0)}) == 39


def use_streams(path: str) -> None:
    """Run in streams in turn, and change what it works on in others."""
    with Runtime("cuda") as rt:
        things = Things(rt, path, 1.0)
        until = things.sequence.until(things.total, above=50, check_every=4)
        for handle in [driver.stream(0), driver.stream(NON_BLOCKING)] * 2:
            things.begin()
            with rt.stream(handle):
                assert until(1000) == 52
                things.launches[0]()
            assert until(1000) == 4
            with rt.stream(handle):
                things.total.fill(20)
            assert until(1000) == 32


def use_two_devices(path: str) -> None:
    with Runtime("cuda", 0) as first, Runtime("cuda", 1) as second:
        all_things = [Things(rt, path, 1.0) for rt in (first, second)]

        def run(things: Things) -> None:
            until = things.sequence.until(things.total, above=500, check_every=7)
            for _ in range(5):
                things.begin()
                assert until(10_000) == 504

        run_together(*(lambda things=things: run(things) for things in all_things))
        assert_raises(ValueError, lambda: all_things[0].sequence.until(all_things[1].total, above=1))


def end_while_it_runs(path: str) -> None:
    """A check in a kernel fails, then the runtime is closed, while a thread runs: nothing is left."""
    before = driver.counts()
    with Runtime("cuda") as rt:
        x, number = rt.zeros(4), rt.zeros(1)
        set_1d = rt.load_module(path).kernels["set_1d"].bind(x, 4)
        until = rt.sequence([set_1d]).until(number, above=1, check_every=2)
        for act, error in ((Failure(rt).note, KernelIndexError), (rt.close, ValueError)):
            x.fill(0)
            thread = Background(until, 10**12)
            wait_until_written(x)
            act()
            thread.join()
            assert isinstance(thread.error, error), thread.error
    after = driver.counts()
    assert (after["exec"], after["graph"]) == (before["exec"], before["graph"])


def fail(path: str) -> None:
    """The error of a launch or of reading the number says how much was made; the next run is whole."""
    with Runtime("cuda") as rt:
        things = Things(rt, path)
        until = things.sequence.until(things.total, above=99, check_every=4)
        until(20)
        for failure in ("cuGraphLaunch:2:4", "cuMemcpyDtoHAsync_v2:2:3"):
            things.begin()
            text = "no error"
            driver.fail(failure)
            try:
                until(1000)
            except OutOfMemoryError as error:
                text = str(error)
            driver.fail("")
            made = int(text.split("iteration ")[1].split(":")[0])
            assert things.total.item() == 1.25 * made > 0, (text, things.total.item())
            things.begin()
            assert until(1000) == 80
