"""`benchmark`, and the texts for its times."""

import re

import numpy as np
import pytest

from taichi_aot import ArgumentNotFoundError, Times, benchmark
from taichi_aot.runtime import _benchmark

NUMBER = r"[\d.,]+"
TIME = rf"{NUMBER} (s|ms|us|ns) \({NUMBER} to {NUMBER}\)"


@pytest.fixture
def launch(rt, module):
    return module.kernels["saxpy"].bind(1.0, rt.full(100, 1.0, "f32"), rt.zeros(100))


@pytest.fixture(autouse=True)
def brief(monkeypatch):
    monkeypatch.setattr(_benchmark, "SHORTEST", 0.0002)


def test_bound_launch_is_measured(launch, rt):
    result = benchmark(launch, repeat=5, warmup=3)
    assert (result.name, result.arch) == ("saxpy", rt.arch)
    assert result.batch & (result.batch - 1) == 0 or result.batch == _benchmark.LARGEST_BATCH
    for times in (result.host, result.device):
        assert times.seconds.shape == (5,)
        assert times.seconds.dtype == np.float64
        assert 0 < times.min <= times.median <= times.max < 1
    assert re.fullmatch(
        rf"<Benchmark of saxpy on {rt.arch}: device {TIME}, host {TIME}, 5 x {NUMBER} launches>", repr(result)
    )


def test_host_takes_as_long_as_a_cpu(launch, arch):
    if not arch.is_cpu:
        pytest.skip("the device works by itself")
    result = benchmark(launch, repeat=3, warmup=1)
    assert (result.device.seconds >= result.host.seconds).all()  # the events are around the host's readings


@pytest.mark.parametrize("repeat", [1, 4])
def test_function_is_called_in_batches(rt, repeat):
    calls = 0

    def call():
        nonlocal calls
        calls += 1
        rt.flush()

    result = benchmark(call, repeat=repeat, warmup=7, runtime=rt)
    assert result.name == "call"
    smaller = result.batch - 1  # 1, 2, 4 and so on
    if result.batch < _benchmark.LARGEST_BATCH:  # three batches were long enough
        assert 7 + smaller + (3 + repeat) * result.batch <= calls <= 7 + 3 * smaller + (3 + repeat) * result.batch


def test_sequence_is_repeated_in_c(rt, launch, module):
    total = rt.zeros(100)
    add = module.kernels["saxpy"].bind(1.0, rt.full(100, 1.0, "f32"), total)
    result = benchmark(rt.sequence([launch, add]), repeat=2, warmup=10, runtime=rt)
    assert result.name == "a sequence of 2 launches"
    assert total.to_numpy()[0] >= 10 + 2 * result.batch


def test_long_launches_are_measured_one_by_one(rt, monkeypatch):
    monkeypatch.setattr(_benchmark, "SHORTEST", 0.0)
    calls = []
    result = benchmark(lambda: calls.append(0), repeat=2, warmup=1, runtime=rt)
    assert (result.batch, len(calls)) == (1, 1 + 3 + 2)
    assert result.name == "<lambda>"


def test_wrong_calls_say_what_to_write(rt, own_rt, launch):
    with pytest.raises(ArgumentNotFoundError, match=r"the runtime of function is unknown: .*=module\.runtime"):
        benchmark(lambda: None)
    with pytest.raises(TypeError, match="launch must be a bound launch, a sequence or a function, not int 3"):
        benchmark(3)
    with pytest.raises(TypeError, match=r"repeat must be an integer, not float 1\.5"):
        benchmark(launch, repeat=1.5)
    for name in ("repeat", "warmup"):
        with pytest.raises(ValueError, match=f"{name} must be at least 1, not 0"):
            benchmark(launch, **{name: 0})
    with pytest.raises(ValueError, match=r"belongs to another runtime than <Runtime .*; leave out runtime="):
        benchmark(launch, runtime=own_rt)
    with pytest.raises(TypeError, match="expected a Runtime, got str"):
        benchmark(launch, runtime="x64")
    own_rt.close()
    with pytest.raises(ValueError, match="the runtime is closed"):
        benchmark(lambda: None, runtime=own_rt)


def test_error_of_a_launch_is_raised(rt):
    with pytest.raises(ZeroDivisionError):
        benchmark(lambda: 1 / 0, runtime=rt)


def test_times_have_statistics():
    times = Times(np.array([4e-6, 1e-6, 2e-6, 1e-6]))
    found = times.mean, times.median, times.min, times.max, times.std
    assert found == pytest.approx((2e-6, 1.5e-6, 1e-6, 4e-6, np.std([4e-6, 1e-6, 2e-6, 1e-6])))
    assert all(type(number) is float for number in found)
    assert repr(times) == "<Times: 1.5 us (1 to 4), 4 measurements>"
