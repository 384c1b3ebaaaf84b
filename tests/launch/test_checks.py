"""Kernels that check their indices and asserts."""

import pickle

import pytest
from helpers.child import run_scenario

from taichi_aot import KernelAssertionError, KernelIndexError, TaichiError, inspect


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


def test_modules_state_their_checks(checked, modules):
    info = inspect(checked)
    assert {name for name, kernel in info.kernels.items() if not kernel.checked} == set()
    assert "checks indices and asserts" in str(info)
    assert not any(kernel.checked for kernel in inspect(modules / "basic.tcm").kernels.values())


@pytest.mark.parametrize("cls", [KernelAssertionError, KernelIndexError])
def test_errors_are_those_of_python_and_can_be_pickled(cls):
    error = cls("kernel k: n > 3")
    error.kernel, error.file, error.line = "k", "k.py", 7
    assert isinstance(error, TaichiError)
    assert isinstance(error, AssertionError if cls is KernelAssertionError else IndexError)
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.kernel, copied.file, copied.line) == (str(error), "k", "k.py", 7)
