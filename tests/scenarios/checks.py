"""Kernels with checks that fail, which would end the process or write beyond memory if the task went on."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
from helpers.raising import raised
from helpers.threads import run_together

from taichi_aot import AotModule, KernelAssertionError, KernelIndexError, Runtime, default_runtime, function

SOURCE = (Path(__file__).parents[1] / "helpers" / "checked_kernels.py").read_text().splitlines()
FAR = 2**31 - 1  # times the size of an element: far beyond the memory of any array here


def run(path: str, *scenarios: str) -> None:
    """Run scenarios of this module in turn, with one runtime."""
    with Runtime("x64") as rt:
        module = rt.load_module(path)
        for scenario in scenarios:
            print(scenario, flush=True)
            globals()[scenario](rt, module)


def report_the_kernel_and_its_line(rt: Runtime, module: AotModule) -> None:
    x, v, scale = rt.zeros(4), rt.zeros(5, "f32", 3), np.zeros((6, 6), np.float32)

    def set_after(i: int, j: int) -> None:
        module.set_after(scale, 1, x, v, i, j)

    def both_fail() -> None:
        set_after(0, 7)
        module.set_1d(rt.zeros(9), 9)

    for call, kernel, code, text in (
        (lambda: module.set_1d(x, 4), "set_1d", "x[i] = 1.0", "x[4] is out of range; x has shape (4,)\n"),
        (lambda: module.set_1d(x, -1), "set_1d", "x[i] = 1.0", "x[-1] is out of range"),
        (lambda: module.set_1d(x, FAR), "set_1d", "x[i] = 1.0", f"x[{FAR}] is out of range"),
        (
            lambda: module.set_2d(rt.zeros((2, 3)), 1, FAR),
            "set_2d",
            "x[i, j] = 1.0",
            f"x[1, {FAR}] is out of range; x has shape (2, 3)\n",
        ),
        (lambda: set_after(4, 0), "set_after", "x[i] = scale[0, 0]", "x[4] is out of range; x has shape (4,)\n"),
        (
            lambda: set_after(0, 7),
            "set_after",
            "v[j] = ti.Vector([big, 0.0, 0.0])",
            "v[7] is out of range; v has shape (5,)\n",
        ),
        (both_fail, "set_after", "", "v has shape (5,)\n"),
        (lambda: module.set_both(rt.zeros(4), 0, rt.zeros(6), 6), "set_1d", "x[i] = 1.0", "x[6] is out of range\n"),
        (
            lambda: module.set_line(8),
            "set_line",
            "line[i] = 1.0",
            "index [8] of a field of shape (8,) is out of range\n",
        ),
        (
            lambda: module.set_table(-5, 2),
            "set_table",
            "table[i, j] = 1.0",
            "table[-5, 2] is out of range; field table has shape (5, 7)\n",
        ),
        (lambda: module.set_vector(FAR), "set_vector", "", f"index [{FAR}] of a field of shape (6,) is out of range"),
        (lambda: module.shift(x, FAR - 3), "shift", "x[i + distance] = 1.0", "; x has shape (4,)\n"),
        (lambda: module.sum_until(x, 10**9), "sum_until", "total += x[i]", "; x has shape (4,)\n"),
        (lambda: module.pick(FAR), "pick", "numbers[i] += 1.0", f"[3] matrix with index [{FAR}]"),
    ):
        error = failure(rt, call, KernelIndexError)
        assert error.kernel == kernel
        assert str(error).startswith(f"{kernel}(): ")
        assert text in str(error), str(error)
        assert not code or line_of(error) == code
    assert x.to_numpy().tolist() == [0, 0, 0, 0]


def report_asserts(rt: Runtime, module: AotModule) -> None:
    x = rt.full(4, 1.5)
    for call, code, text in (
        (lambda: module.at_least(3), "assert n > 3", "at_least(): n > 3\n"),
        (
            lambda: module.describe(x, -(2**40), 0.1, 0.5),
            'assert x[i] < 0, f"x is {x[i]} at {i}: {whole}, {real}, {half}, 100% wrong"',
            f"describe(): x is 1.5 at 0: {-(2**40)}, 0.1, 0.5, 100% wrong\n",
        ),
        (
            lambda: module.root_of(-1),
            'assert x >= 0, "a negative number has no root"',
            "root_of(): a negative number has no root\n",
        ),
        (lambda: module.power(2, -1), "return base**exponent", "power(): Negative exponent in pow(int, int)"),
    ):
        error = failure(rt, call, KernelAssertionError)
        assert str(error).startswith(text), str(error)
        assert line_of(error) == code
        assert "^^^" in str(error)
    module.at_least(4)
    assert module.root_of(4) == 2
    rt.wait()


def continue_after_checks_that_the_compiler_decides(rt: Runtime, module: AotModule) -> None:
    o, table = rt.zeros(12, "i32"), module.fields["table"]
    table.write(np.zeros((5, 7), np.float32))
    module.decided(o, 12)
    rt.wait()
    assert o.to_numpy().tolist() == list(range(12))
    assert table.to_numpy()[:, 0].tolist() == [3, 3, 3, 3, 0]
    o.fill(0)
    failure(rt, lambda: module.decided(o, 6), KernelAssertionError)
    assert o.to_numpy().tolist() == [*range(6), *[0] * 6]  # one part of the loop, which ends there
    error = failure(rt, lambda: module.never(o), KernelAssertionError)
    assert line_of(error) == "assert i & 7 > 8"
    assert o.to_numpy().tolist() == [*range(6), *[0] * 6]


def report_at_each_kind_of_wait(rt: Runtime, module: AotModule) -> None:
    x, fails = rt.zeros(4), module.at_least.bind(0)
    result = module.root_of.bind(-1)

    def map_it() -> None:
        with x.map():
            pass

    event = rt.record_event()
    for wait in (
        rt.wait,
        event.wait,
        lambda: rt.wait(timeout=10),
        x.to_numpy,
        map_it,
        lambda: x.write(np.ones(4, np.float32)),
        lambda: x[0].item(),
        rt.sequence([fails, result]),
        lambda: rt.sequence([fails])(repeat=10_000_000),
    ):
        fails()
        error = raised(wait)
        assert type(error) is KernelAssertionError, repr(error)
        rt.wait()  # each failure is reported once
    result()
    assert type(raised(result.result)) is KernelAssertionError
    module.at_least(0)
    module.set_1d(x, 4)
    assert type(raised(rt.wait)) is KernelAssertionError  # the first one
    rt.wait()


def check_random_indices(rt: Runtime, module: AotModule) -> None:
    number = random.Random(31)
    shapes = {"set_1d": (4,), "set_2d": (3, 5), "set_table": (5, 7)}
    arrays = {name: rt.zeros(shape) for name, shape in shapes.items() if name.endswith("d")}
    for _ in range(200):
        name, shape = number.choice(list(shapes.items()))
        index = tuple(number.choice([number.randrange(-2, n + 2), number.randrange(n), FAR, -FAR]) for n in shape)
        target = arrays[name] if name in arrays else module.fields[name.removeprefix("set_")]
        target.write(np.zeros(shape, np.float32))
        expected = np.zeros(shape, np.float32)
        arguments = (target, *index) if name in arrays else index
        if all(0 <= i < n for i, n in zip(index, shape, strict=True)):
            expected[index] = 1
            module.kernels[name](*arguments)
        else:
            failure(rt, lambda: module.kernels[name](*arguments), KernelIndexError)  # noqa: B023
        assert np.array_equal(target.to_numpy(), expected), (name, index)


def fail_in_many_threads(rt: Runtime, module: AotModule) -> None:
    errors: list[Exception] = []

    x = rt.zeros(1000)

    def work() -> None:
        for distance in range(1, 25):
            try:
                module.shift(x, distance * 1000)
                rt.wait()
            except KernelIndexError as error:
                errors.append(error)

    run_together(*[work] * 4)
    assert 0 < len(errors) <= 96
    rt.wait()


def line_of(error: KernelAssertionError | KernelIndexError) -> str:
    assert error.file == "checked_kernels.py"
    assert error.line is not None
    return SOURCE[error.line - 1].strip()


def failure(
    rt: Runtime, call: Callable[[], object], cls: type[KernelAssertionError | KernelIndexError]
) -> KernelAssertionError | KernelIndexError:
    """Return the error that a call or the wait after it raises."""

    def call_and_wait() -> None:
        call()
        rt.wait()

    error = raised(call_and_wait)
    assert type(error) is cls, repr(error)
    return error


def call_functions(path: str) -> None:
    """A function raises the failure of its own launch, whether its results are copied or in memory of the host."""
    shift = function(path, "shift", out="x", arch="x64")
    for size in (4, 1 << 20):
        x = np.zeros(size, np.float32)
        assert type(raised(lambda: shift(x, FAR - size))) is KernelIndexError  # noqa: B023
        default_runtime("x64").wait()
        assert shift(x, 0).all()


def load_twice(path: str) -> None:
    """Failures belong to the runtime of their kernel; closing a runtime with one is fine."""
    first, second = Runtime("x64"), Runtime("x64")
    failing, sound = first.load_module(path), second.load_module(Path(path))
    failing.at_least(0)
    sound.at_least(4)
    second.wait()
    assert isinstance(raised(first.wait), AssertionError)
    failing.at_least(0)
    first.close()
    sound.at_least(0)
    assert isinstance(raised(second.wait), AssertionError)
    second.close()
