"""Benchmarks: how long a launch takes the host and the device."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from ..handles._runtime import RuntimeHandle, handle_of
from ..kernels._launch import Launch
from ..kernels._sequence import LaunchSequence
from ..values._errors import (
    ArgumentNotFoundError,
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    count,
    describe,
    four_digits,
    short,
    unit_of,
    with_unit,
)
from ..values._numbers import Arch, as_integer
from ._runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

# An event takes the device up to some 20 us.
SHORTEST = 0.002  # seconds that the launches between two events take
LARGEST_BATCH = 1000


@dataclass(frozen=True, eq=False, repr=False)
class Times:
    """The seconds that a launch took in each measurement of a `Benchmark`.

    Attributes
    ----------
    seconds : numpy.ndarray
        One number for each measurement, in order.

    Examples
    --------
    >>> times = Times(np.array([0.25, 0.5, 1.5]))
    >>> times
    <Times: 500 ms (250 to 1,500), 3 measurements>
    >>> times.median, times.mean
    (0.5, 0.75)
    """

    seconds: npt.NDArray[np.float64]

    @property
    def mean(self) -> float:
        """The arithmetic mean."""
        return float(self.seconds.mean())

    @property
    def std(self) -> float:
        """The standard deviation."""
        return float(self.seconds.std())

    @property
    def min(self) -> float:
        """The shortest time."""
        return float(self.seconds.min())

    @property
    def max(self) -> float:
        """The longest time."""
        return float(self.seconds.max())

    @property
    def median(self) -> float:
        """The median, which a few interruptions by other programs do not change."""
        return float(np.median(self.seconds))

    def __str__(self) -> str:
        unit, _ = unit_of(self.median)
        least, most = (four_digits(seconds / unit) for seconds in (self.min, self.max))
        return f"{with_unit(self.median)} ({least} to {most})"

    def __repr__(self) -> str:
        return f"<Times: {self}, {count(self.seconds, 'measurement')}>"


@dataclass(frozen=True, eq=False, repr=False)
class Benchmark:
    """The result of `benchmark`. Its repr has the medians, minima and maxima.

    Attributes
    ----------
    name : str
        What was launched.
    arch : Arch
        The backend of the runtime.
    host : Times
        Seconds of the host per launch, until the call returned.
    device : Times
        Seconds of the device per launch, by its own clock.
    batch : int
        Number of launches in each measurement.

    Examples
    --------
    >>> result = benchmark(saxpy.bind(2.0, x, y), repeat=20)
    >>> result  # doctest: +SKIP
    <Benchmark of saxpy on x64: device 36.13 us (10.87 to 94.68), host 35.9 us (10.84 to 94.45), 20 x 256 launches>
    >>> result.device.min <= result.device.median <= result.device.max
    True
    >>> result.device.seconds.shape
    (20,)
    """

    name: str
    arch: Arch
    host: Times
    device: Times
    batch: int

    def __repr__(self) -> str:
        launches = f"{len(self.device.seconds):,} x {self.batch:,} launches"
        return f"<Benchmark of {self.name} on {self.arch}: device {self.device}, host {self.host}, {launches}>"


def benchmark(
    launch: Callable[[], object], *, repeat: int = 100, warmup: int = 100, runtime: Runtime | None = None
) -> Benchmark:
    """Measure how long a launch takes the host and the device.

    Events before and after the launches give the device's time; on CPUs it is the host's clock. An event can take
    longer than a launch, so each measurement times a batch of launches and divides by their number. This number is 1,
    2, 4 and so on up to 1000, until a batch takes 2 ms. When a batch begins, the device has finished the previous one.

    If the host launches more slowly than the device computes, the device's time includes its waits for the host.

    Parameters
    ----------
    launch : callable
        What to measure: a bound launch, a `LaunchSequence`, or any function without parameters. C repeats sequences, so
        their times are those of one iteration.
    repeat : int, default 100
        Number of measurements, at least 1.
    warmup : int, default 100
        Number of launches before the first measurement, at least 1. The default exceeds the number after which launches
        are recorded. Some further launches find the size of a batch.
    runtime : Runtime, optional
        The runtime on which the function launches. Bound launches and sequences have their own.

    Returns
    -------
    Benchmark

    Raises
    ------
    TypeError
        If `launch` is not callable, or is neither a bound launch nor a sequence and `runtime` is missing. Also if
        `repeat` or `warmup` is not an integer.
    ValueError
        If `repeat` or `warmup` is less than 1, the launch belongs to another runtime, or the runtime is closed.
    NotSupportedError
        If the device does not have a clock.

    Examples
    --------
    >>> step = saxpy.bind(2.0, x, y)
    >>> benchmark(step, repeat=10, warmup=10).name
    'saxpy'
    >>> result = benchmark(lambda: saxpy(2.0, x, y), repeat=10, runtime=rt)
    >>> result.host.mean > 0
    True
    """
    repeat, warmup = _positive(repeat, "repeat"), _positive(warmup, "warmup")
    runtime, run = _runtime_of(launch, runtime), _loop(launch)
    run(warmup)
    runtime.wait()
    batch = _choose_batch(runtime, run)
    host, device = np.array([_measure(runtime, run, batch) for _ in range(repeat)]).T / batch
    return Benchmark(_name(launch), runtime.arch, Times(host), Times(device), batch)


def _positive(number: object, what: str) -> int:
    value = as_integer(number, what)
    if value < 1:
        raise ArgumentOutOfRangeError(f"{what} must be at least 1, not {short(value)}")
    return value


def _runtime_of(launch: object, runtime: Runtime | None) -> Runtime:
    if not callable(launch):
        raise ArgumentTypeError(f"launch must be a bound launch, a sequence or a function, not {describe(launch)}")
    own: RuntimeHandle | None = None
    if isinstance(launch, Launch):
        own = launch._launcher.target.module.runtime
    elif isinstance(launch, LaunchSequence):
        own = launch._runtime
    if runtime is None:
        if own is None:
            raise ArgumentNotFoundError(
                f"the runtime of {describe(launch)} is unknown: write benchmark(..., runtime=module.runtime), "
                "or pass a bound launch, as in benchmark(kernel.bind(...))"
            )
        return Runtime._of(own, is_borrowed=True)
    if own is not None and handle_of(runtime) is not own:
        raise InvalidArgumentError(f"{launch!r} belongs to another runtime than {runtime!r}; leave out runtime=")
    handle_of(runtime).require_open()
    return runtime


def _loop(launch: Callable[[], object]) -> Callable[[int], None]:
    """Return a function that launches this many times."""
    if isinstance(launch, LaunchSequence):
        return launch

    def run(number: int) -> None:
        for _ in itertools.repeat(None, number):
            launch()

    return run


def _choose_batch(runtime: Runtime, run: Callable[[int], None]) -> int:
    """Return the number of launches between two events."""
    batch = 1
    # Three times, because an interruption by another program makes a short batch long.
    while batch < LARGEST_BATCH and not all(max(_measure(runtime, run, batch)) >= SHORTEST for _ in range(3)):
        batch = min(2 * batch, LARGEST_BATCH)
    return batch


def _measure(runtime: Runtime, run: Callable[[int], None], batch: int) -> tuple[float, float]:
    """Return the seconds of host and device for a batch."""
    with runtime.timer() as timer:
        begin = perf_counter()
        run(batch)
        host = perf_counter() - begin
    return host, timer.seconds


def _name(launch: object) -> str:
    if isinstance(launch, Launch):
        return launch.signature.name
    if isinstance(launch, LaunchSequence):
        return f"a sequence of {len(launch)} launch{'es' * (len(launch) != 1)}"
    return str(getattr(launch, "__name__", type(launch).__name__))
