"""Runs that a number ends, on CUDA without a device: the device checks the number in loops of the fake driver."""

from __future__ import annotations

import math
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from helpers.failed_checks import Failure
from helpers.inside import recording_policy
from helpers.raising import assert_raises
from helpers.threads import Background, run_together

from taichi_aot import KernelIndexError, LaunchSequence, NdArray, OutOfMemoryError, Runtime, UntilSequence

from .fake_cuda import NON_BLOCKING, driver

Number: TypeAlias = Literal["f64", "f32", "i64", "u64", "i32", "u32", "i16", "u16", "i8", "u8"]
DTYPES: tuple[Number, ...] = ("f64", "f32", "i64", "u64", "i32", "u32", "i16", "u16", "i8", "u8")
policy = recording_policy()
policy.first = 1
policy.checks = 0
BY_HOST = 2**31 - 1  # checks: more than a run makes


def is_checked(until: UntilSequence) -> bool:
    """Whether the device made checks in the last run."""
    return repr(until).endswith("(checked by the device)>")


class Things:
    """A sequence of two launches that adds `step` to one number, and what a loop on the host finds in it."""

    def __init__(self, rt: Runtime, path: str, step: float = 1.25, size: int = 1) -> None:
        self.rt, self.module = rt, rt.load_module(path)
        self.memory = rt.allocate(16 * size)
        self.total: NdArray[Any] = self.memory.ndarray(size, "f32")
        self.ones = rt.full(size, 1.0, "f32")
        saxpy = self.module.kernels["saxpy"]
        self.launches = [saxpy.bind(part * step, self.ones, self.total) for part in (0.75, 0.25)]
        self.sequence: LaunchSequence = rt.sequence(self.launches)

    def begin(self, value: float = 0.0) -> None:
        self.memory.ndarray(self.memory.size, "u8").fill(0)
        self.total.fill(value)

    def by_host(self, number: NdArray[Any], every: int, repeat: int, ends: Callable[[Any], bool]) -> tuple[Any, ...]:
        """Repeat until a check in Python ends it: the iterations, the last number, and what is in the memory."""
        made, value = 0, math.nan
        while made < repeat:
            part = min(every, repeat - made)
            self.sequence(part)
            made += part
            value = number.item()
            if ends(value):
                break
        return made, ends(value), float(value), self.total.tobytes()

    def values(self, number: NdArray[Any], repeat: int) -> list[Any]:
        """What the number is after each iteration."""
        found: list[Any] = []
        for _ in range(repeat):
            self.sequence()
            found.append(number.item())
        return found

    def run(self, until: UntilSequence, repeat: int) -> tuple[Any, ...]:
        made = until(repeat)
        return int(made), made.converged, made.value, self.total.tobytes()


def expect(found: object, expected: object, *what: object) -> None:
    assert repr(found) == repr(expected), (*what, found, expected)  # NaN is NaN


def match_a_loop(path: str) -> None:
    """The same as a loop in Python for all lengths, bounds and repeats, by checks of the device."""
    checked = 0
    with Runtime("cuda") as rt:
        things = Things(rt, path)
        for every in (1, 7, 30):
            for bound in (1.0, 41.0, 100.1, math.inf):
                until = things.sequence.until(things.total, above=bound, check_every=every)
                for repeat in (1, 29, 30, 61, 300):
                    things.begin()
                    expected = things.by_host(things.total, every, repeat, lambda value: value > bound)  # noqa: B023
                    things.begin()
                    expect(things.run(until, repeat), expected, every, bound, repeat)
                    checked += is_checked(until)
        assert checked >= 30, checked
        halved = rt.sequence([things.module.kernels["saxpy"].bind(-0.5, things.total, things.total)])
        things.begin(100.0)
        assert halved.until(things.total, below=1e-3)(1000) == 17


def match_every_dtype(path: str) -> None:
    """Read the bytes of the number that changes as each dtype."""
    with Runtime("cuda") as rt:
        things = Things(rt, path, 1 / 3)
        for dtype in DTYPES:
            number = things.memory.ndarray(1, dtype)
            things.begin(1.0)
            values = things.values(number, 60)
            for bound in {max(values[5:]), sorted(values[5:])[-2], min(values)}:
                things.begin(1.0)
                expected = things.by_host(number, 1, 60, lambda value: value > bound)  # noqa: B023
                things.begin(1.0)
                until = things.sequence.until(number, above=bound)
                expect(things.run(until, 60), expected, dtype, "above", bound)
                assert is_checked(until) or expected[0] == 1, dtype
            for bound in {min(values[5:]), sorted(values[5:])[1], max(values)}:
                things.begin(1.0)
                expected = things.by_host(number, 1, 60, lambda value: value < bound)  # noqa: B023
                things.begin(1.0)
                until = things.sequence.until(number, below=bound)
                expect(things.run(until, 60), expected, dtype, "below", bound)
                assert is_checked(until) or expected[0] == 1, dtype


def read_extremes(path: str) -> None:
    """Numbers at the ends of their ranges, infinities and NaN, beside a sequence that leaves them alone."""
    with Runtime("cuda") as rt:
        things = Things(rt, path)
        for dtype in DTYPES:
            number: NdArray[Any] = rt.zeros(1, dtype)
            is_real = dtype.startswith("f")
            info: Any = (np.finfo if is_real else np.iinfo)(number.dtype)
            values = [info.min, info.max, 0, *([math.nan, math.inf, info.tiny] if is_real else [7])]
            never = things.sequence.until(number, above=math.inf)
            for value in values:
                number.fill(value)
                made = never(9)
                expect((made, made.converged, made.value), (9, False, float(number.item())), dtype, value)
                assert is_checked(never)


def run_again(path: str) -> None:
    """Run one after the other: updates, other lengths, other bounds, arrays that are closed, and ramps."""
    with Runtime("cuda") as rt:
        things = Things(rt, path)
        total, sequence = things.total, things.sequence
        until = sequence.until(total, above=99, check_every=4)
        for _ in range(3):
            things.begin()
            assert until(1000) == 80
            assert is_checked(until)
            assert until(1000) == 4
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
        ramped = sequence.until(total, above=50)
        made = ramped(1000, ramps={(0, "a"): (1.0, 0.0)})
        assert (made, is_checked(ramped)) == (39, False)
        assert repr(sequence).endswith("(recorded)>")
        sequence(30)
        number = rt.zeros(1)
        gone = sequence.until(number, above=1)
        gone(10)
        number.close()
        assert_raises(ValueError, lambda: gone(10))
        module = rt.load_module(path)
        long = rt.sequence([module.kernels["saxpy"].bind(0.0, things.ones, total)] * 600)
        too_long = long.until(total, above=1e9, check_every=2)
        assert (too_long(20), is_checked(too_long)) == (20, False)
        empty = rt.sequence([module.kernels["saxpy"].bind(1.0, rt.zeros(0), rt.zeros(0))])
        assert empty.until(total, above=1e9, check_every=2)(20) == 20


def run_beside_others(path: str) -> None:
    """Run one sequence in threads, two others with the same number, and calls between."""
    with Runtime("cuda") as rt:
        things = Things(rt, path, 1.0)
        other = rt.sequence(things.launches)
        made: list[int] = []

        def run(sequence: LaunchSequence, every: int) -> None:
            each = sequence.until(things.total, above=5000, check_every=every)(10**9)
            assert each.converged
            made.append(each)

        def update() -> None:
            for _ in range(30):
                things.launches[0].update(x=rt.full(1, 1.0, "f32"))
                assert rt.full(3, 2.0, "f32").to_numpy().sum() == 6

        jobs = [(things.sequence, 10), (things.sequence, 10), (things.sequence, 3), (other, 1)]
        run_together(*(lambda job=job: run(*job) for job in jobs), update)
        assert len(made) == len(jobs)
        assert sum(made) == things.total.item() > 5000


def use_streams(path: str, flags: str) -> None:
    """Run in streams in turn, and change what it works on in others."""
    with Runtime("cuda") as rt:
        things = Things(rt, path, 1.0)
        streams = [driver.stream(int(flags)), driver.stream(NON_BLOCKING)]
        until = things.sequence.until(things.total, above=50, check_every=4)
        for handle in [*streams, *streams]:
            things.begin()
            with rt.stream(handle):
                assert until(1000) == 52
                things.launches[0]()
            assert until(1000) == 4
            with rt.stream(handle):
                things.total.fill(20)
            assert until(1000) == 32
        assert is_checked(until)


def use_two_devices(path: str) -> None:
    """Each device has its own code, graphs and answers; threads run on both."""
    with Runtime("cuda", 0) as first, Runtime("cuda", 1) as second:
        all_things = [Things(rt, path, 1.0) for rt in (first, second)]

        def run(things: Things) -> None:
            until = things.sequence.until(things.total, above=500, check_every=7)
            for _ in range(5):
                things.begin()
                assert until(10_000) == 504
                assert is_checked(until)

        for things in all_things:
            run(things)
        run_together(*(lambda things=things: run(things) for things in all_things))
        assert_raises(ValueError, lambda: all_things[0].sequence.until(all_things[1].total, above=1))


def close_the_number(path: str) -> None:
    """Close the number while the device checks it: the error says how many iterations were made."""
    with Runtime("cuda") as rt:
        things = Things(rt, path, 1.0)
        number = rt.zeros(1)
        until = things.sequence.until(number, above=1, check_every=3)
        thread = Background(until, 10**12)
        while not is_checked(until):
            time.sleep(0.001)
        number.close()
        thread.join()
        match = re.fullmatch(r"the number of until\(\), iteration (\d+): the array is closed", str(thread.error))
        assert match, thread.error
        assert int(match[1]) == things.total.item() > 0


def close_the_runtime(path: str) -> None:
    """Close a runtime while a thread runs: nothing is left."""
    before = driver.counts()
    with Runtime("cuda") as rt:
        things = Things(rt, path)
        until = things.sequence.until(things.total, above=math.inf, check_every=2)
        until(100)
        assert is_checked(until)
        assert driver.count("exec") > 0
        thread = Background(until, 10**12)
        while things.total.item() < 1000:
            time.sleep(0.001)
    thread.join()
    assert isinstance(thread.error, ValueError), thread.error
    after = driver.counts()
    assert after["exec"] == before["exec"]
    assert after["graph"] == before["graph"]


def save_and_load(path: str, folder: str) -> None:
    with Runtime("cuda") as rt:
        things = Things(rt, path)
        file = str(Path(folder) / "until.tib")
        things.sequence.until(things.total, above=99, check_every=4).save(file, total=things.total)
        total = rt.zeros(1)
        until = rt.load_sequence(file)(x=things.ones, total=total)
        assert isinstance(until, UntilSequence)
        assert until(1000) == 80
        assert is_checked(until)


def stay_flat(path: str) -> None:
    """Many runs, by new objects too, leave nothing."""
    with Runtime("cuda") as rt:
        things = Things(rt, path)

        def run() -> None:
            for every in range(1, 12):
                things.begin()
                things.sequence.until(things.total, above=20, check_every=every)(100)
            rt.sequence(things.launches).until(things.total, above=1e9, check_every=2)(100)

        run()
        run()
        before = driver.counts()
        for _ in range(5):
            run()
        assert driver.counts() == before, (before, driver.counts())


def fail(path: str, failure: str) -> None:
    """A call of the driver fails: the host makes the checks, or those that are left, and the result is the same."""
    with Runtime("cuda") as rt:
        things = Things(rt, path)
        things.sequence(10)
        until = things.sequence.until(things.total, above=99, check_every=4)
        driver.fail(failure)
        for _ in range(2):
            things.begin()
            expect(things.run(until, 1000)[:3], (80, True, 100.0))
        by_device = is_checked(until)
        driver.fail("")
        things.begin()
        assert until(1000) == 80
        other = rt.sequence(things.launches).until(things.total, above=999, check_every=4)
        assert other(1000) == 720
        print(by_device, is_checked(until))


def fail_to_launch(path: str) -> None:
    """An error of the launch itself ends the run, and the next one is whole."""
    with Runtime("cuda") as rt:
        things = Things(rt, path)
        until = things.sequence.until(things.total, above=99, check_every=4)
        until(20)
        things.begin()
        driver.fail("cuGraphLaunch:2:4")
        try:
            until(1000)
        except OutOfMemoryError as error:
            text = str(error)
        driver.fail("")
        made = int(text.split("iteration ")[1].split(":")[0])
        assert things.total.item() == 1.25 * made > 0, (text, things.total.item())
        things.begin()
        assert until(1000) == 80


def run_in_signal_handlers(path: str) -> None:
    """Signal handlers run the same sequence between two calls of a run: each counts its own iterations."""
    with Runtime("cuda") as rt:
        things = Things(rt, path, 1.0)
        inner: list[int] = []
        outer: list[int] = []

        def handle(*_: object) -> None:
            inner.append(things.sequence.until(things.total, above=math.inf, check_every=4)(100))
            signal.setitimer(signal.ITIMER_REAL, 0.01)

        signal.signal(signal.SIGALRM, handle)
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        while len(inner) < 5:
            bound = things.total.item() + 5000
            outer.append(things.sequence.until(things.total, above=bound, check_every=4)(10**9))
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        assert sum(inner) + sum(outer) == things.total.item() < 1 << 24


def fail_a_check(path: str) -> None:
    """A check in a kernel fails while the device checks the number: the run ends with its error."""
    with Runtime("cuda") as rt:
        module = rt.load_module(path)
        number = rt.zeros(1)
        until = rt.sequence([module.kernels["set_1d"].bind(rt.zeros(4), 4)]).until(number, above=1, check_every=2)
        thread = Background(until, 10**12)
        while not is_checked(until):
            time.sleep(0.001)
        Failure(rt).note()
        thread.join()
        assert isinstance(thread.error, KernelIndexError), thread.error
        assert until(100) == 100


def end_early(path: str, runs: str) -> None:
    """Runs that end at the first check, and then one that does not end."""
    with Runtime("cuda") as rt:
        things = Things(rt, path)
        until = things.sequence.until(things.total, above=1.0, check_every=1)
        for _ in range(int(runs)):
            things.begin()
            assert until(10**6) == 1
            rt.wait()
        assert things.sequence.until(things.total, above=math.inf, check_every=1)(20000) == 20000
