"""Kernels that check their indices and asserts."""

import pickle

import numpy as np
import pytest
from helpers.child import run_scenario
from helpers.failed_checks import Failure
from helpers.inside import leave_failures
from helpers.memory import as_on_a_discrete_gpu

from taichi_aot import Arch, KernelAssertionError, KernelIndexError, TaichiError, inspect


@pytest.fixture(scope="module")
def checked(build_source):
    return build_source("checked_kernels", "x64")


def test_failed_checks_are_reported_and_the_next_launches_work(checked):
    run_scenario(
        "checks:run",
        checked,
        "report_the_kernel_and_its_line",
        "report_asserts",
        "continue_after_checks_that_the_compiler_decides",
        "report_at_each_kind_of_wait",
        "check_random_indices",
        "fail_in_many_threads",
    )
    run_scenario("checks:load_twice", checked)


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
        with pytest.raises(error, match=r"a check of a kernel has failed; array\.to_numpy\(\) or runtime\.wait\(\)"):
            use()
    with pytest.raises(KernelIndexError):
        array.runtime.wait()
    assert array.__array_interface__["shape"] == (4,)


def test_functions_raise_their_own_failures(checked):
    run_scenario("checks:call_functions", checked)


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
