"""Kernels that check their indices and asserts."""

import pickle
import random

import numpy as np
import pytest
from helpers.child import TESTS, in_child
from helpers.failed_checks import Failure
from helpers.inside import leave_failures
from helpers.memory import as_on_a_discrete_gpu
from helpers.raising import raised
from helpers.threads import run_together

from taichi_aot import (
    Arch,
    KernelAssertionError,
    KernelIndexError,
    Runtime,
    TaichiError,
    default_runtime,
    function,
    inspect,
)

SOURCE = (TESTS / "helpers" / "checked_kernels.py").read_text().splitlines()


FAR = 2**31 - 1  # times the size of an element: far beyond the memory of any array here


def load(path):
    rt = Runtime("x64")
    return rt, rt.load_module(path)


def line_of(error):
    assert error.file == "checked_kernels.py"
    assert error.line is not None
    return SOURCE[error.line - 1].strip()


def failure(rt, call, cls):
    """Return the error that a call or the wait after it raises."""

    def call_and_wait():
        call()
        rt.wait()

    error = raised(call_and_wait)
    assert type(error) is cls, repr(error)
    return error


@pytest.fixture(scope="module")
def checked(build_source):
    return build_source("checked_kernels", "x64")


@in_child
def test_failure_has_the_kernel_and_its_line(checked):
    rt, module = load(checked)
    x, v, scale = rt.zeros(4), rt.zeros(5, "f32", 3), np.zeros((6, 6), np.float32)

    def set_after(i, j):
        module.set_after(scale, 1, x, v, i, j)

    def both_fail():
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


@in_child
def test_failed_asserts_are_reported(checked):
    rt, module = load(checked)
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


@in_child
def test_launches_go_on_after_checks_that_the_compiler_decides(checked):
    rt, module = load(checked)
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


@in_child
def test_each_kind_of_wait_reports(checked):
    rt, module = load(checked)
    x, fails = rt.zeros(4), module.at_least.bind(0)
    result = module.root_of.bind(-1)

    def map_it():
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


@in_child
def test_random_indices_are_checked(checked):
    rt, module = load(checked)
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


@in_child
def test_threads_report_their_own_failures(checked):
    rt, module = load(checked)
    errors = []

    x = rt.zeros(1000)

    def work():
        for distance in range(1, 25):
            try:
                module.shift(x, distance * 1000)
                rt.wait()
            except KernelIndexError as error:
                errors.append(error)

    run_together(*[work] * 4)
    assert 0 < len(errors) <= 96
    rt.wait()


def mapped(x):
    with x.map() as view:
        return view


READS = {
    "to_numpy": lambda x: x.to_numpy(),
    "asarray": np.asarray,
    "array": np.array,
    "sum": np.sum,
    "part": lambda x: np.asarray(x[1:]),
    "item": lambda x: x[0],
    "tolist": lambda x: x.tolist(),
    "tobytes": lambda x: x[:1].tobytes(),
    "map": mapped,
    "bytes": lambda x: x.memory.read(),
    "dlpack": lambda x: x.__dlpack__(dl_device=(1, 0)),
    "iteration": lambda x: list(x if x.runtime.arch is Arch.X64 else x[:2].tolist()),
}
SHOWS = {
    "str": str,
    "format": format,
    "repr": repr,
    "html": lambda x: x._repr_html_(),
    "part": lambda x: str(x[1:]),
    "event": lambda x: repr(x.runtime.record_event()),
}


@pytest.fixture(params=["", "discrete"])
def array(request, rt):
    if not request.param:
        return rt.zeros(4)
    with as_on_a_discrete_gpu(rt):
        return rt.zeros(4)


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_reading_values_raises_what_has_failed(array, read):
    failure = Failure(array.runtime)
    failure.note()
    with pytest.raises(KernelIndexError, match=r"set_1d\(\): x\[4\] is out of range"):
        read(array)
    read(array)


@pytest.mark.parametrize("show", SHOWS.values(), ids=SHOWS)
def test_showing_an_array_leaves_what_has_failed_to_the_next_read(array, show):
    failure = Failure(array.runtime)
    failure.note()
    assert type(show(array)) is str
    with pytest.raises(KernelIndexError, match=r"set_1d\(\): x\[4\] is out of range"):
        array.to_numpy()
    array.runtime.wait()


def test_showing_an_array_while_another_one_is_shown_leaves_what_has_failed(array):
    """As a finalizer or a signal handler may."""
    Failure(array.runtime).note()
    leave_failures(lambda: [repr(array), leave_failures(lambda: None), array.to_numpy()])
    with pytest.raises(KernelIndexError):
        array.runtime.wait()


def test_showing_an_image_leaves_what_has_failed_to_the_next_read(rt):
    if rt.arch is not Arch.VULKAN:
        pytest.skip("the arch has no images")
    image = rt.allocate_image((4, 4), "rgba8")
    Failure(rt).note()
    assert image._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(KernelIndexError):
        image.to_numpy()


def test_protocols_leave_what_has_failed_to_the_next_read(array):
    """What numpy tries before `__array__` does not raise it: numpy ignores most errors of it."""
    if array.runtime.arch is not Arch.X64:
        pytest.skip("the host cannot access the array")
    Failure(array.runtime).note()
    for error, use in ((AttributeError, lambda: array.__array_interface__), (BufferError, lambda: array.__buffer__(0))):
        with pytest.raises(error, match=r"a check in a kernel failed; array\.to_numpy\(\) or runtime\.wait\(\)"):
            use()
    with pytest.raises(KernelIndexError):
        array.runtime.wait()
    assert array.__array_interface__["shape"] == (4,)


@in_child
def test_failures_belong_to_the_runtime_of_their_kernel(checked):
    (first, failing), (second, sound) = load(checked), load(checked)
    failing.at_least(0)
    sound.at_least(4)
    second.wait()
    assert isinstance(raised(first.wait), AssertionError)
    failing.at_least(0)
    first.close()
    sound.at_least(0)
    assert isinstance(raised(second.wait), AssertionError)
    second.close()


@in_child
def test_functions_raise_their_own_failures(checked):
    """A function raises the failure of its own launch, whether its results are copied or in memory of the host."""
    shift = function(checked, "shift", out="x", arch="x64")
    for size in (4, 1 << 20):
        x = np.zeros(size, np.float32)
        assert type(raised(lambda: shift(x, FAR - size))) is KernelIndexError  # noqa: B023
        default_runtime("x64").wait()
        assert shift(x, 0).all()


def test_modules_state_their_checks(checked, modules):
    info = inspect(checked)
    assert {name for name, kernel in info.kernels.items() if not kernel.checked} == set()
    assert "checks indices and asserts" in str(info)
    assert not any(kernel.checked for kernel in inspect(modules / "basic.tcm").kernels.values())


@pytest.mark.parametrize("cls", [KernelAssertionError, KernelIndexError])
def test_errors_are_those_of_python_and_can_be_pickled(cls):
    error = cls("k(): n > 3")
    error.kernel, error.file, error.line = "k", "k.py", 7
    assert isinstance(error, TaichiError)
    assert isinstance(error, AssertionError if cls is KernelAssertionError else IndexError)
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.kernel, copied.file, copied.line) == (str(error), "k", "k.py", 7)
