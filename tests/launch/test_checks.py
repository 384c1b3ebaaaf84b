"""Kernels that check their indices and asserts."""

import pickle
import re

import pytest
from helpers.child import run_scenario

from taichi_aot import KernelAssertionError, KernelIndexError, TaichiError, inspect
from taichi_aot.driver._checks import formatted
from taichi_aot.formats._read import read_module
from taichi_aot.lowering._llvm_checks import Guards, Record, leave_failed_tasks, note_failures


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


@pytest.mark.parametrize(
    ("template", "arguments", "expected"),
    [
        ("n is %d", [2**32 - 1], "n is -1"),
        ("%d%d", [7], "7%d"),
        ("%f", [0x3FC00000], "1.5"),
        ("%f", [0x3FF8000000000000], "1.5"),
        ("%f", [0x3E00], "1.5"),
        ("100% wrong, %s", [1], "100% wrong, %s"),
        ('%d\nFile "k.py", line 3, in k:\n    x[i %d]', [1, 2], '1\nFile "k.py", line 3, in k:\n    x[i %d]'),
        ("a\x1b[2J\r\x00b", [], "a\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b"),
    ],
)
def test_messages_have_their_arguments(template, arguments, expected):
    assert formatted(template, arguments) == expected


@pytest.mark.slow(but="x64")
@pytest.mark.parametrize("target", ["x64", "cuda"])
def test_changed_code_is_valid(target, build_source):
    llvm = pytest.importorskip("llvmlite.binding")
    llvm.initialize_native_target()
    module = read_module(build_source("checked_kernels", target), target)
    for name, kernel in module.info.kernels.items():
        code = note_failures(module.files[f"{name}.ll"], Record(4096, 4104, 4108, 6160), 3)
        assert code is not None
        assert kernel.checked
        assert not re.search(rb"getelementptr inbounds %struct\.LLVMRuntime[^\n]*, i32 (19|2[012])\b", code)
        assert code.count(b"store i64 3, i64*") == 1
        if target == "x64":
            code = leave_failed_tasks(code, Guards(1, 2, 3))
            assert code.count(b"inttoptr (i64 3 to void ()*)") == 1
            assert code.count(b"inttoptr (i64 1 to void (void (") == len(kernel.tasks)
        llvm.parse_assembly(code.decode()).verify()


def test_code_that_is_not_understood_stays():
    code = b"%struct.LLVMRuntime = type { i8* }\n\ndefine void @taichi_assert_format() {\n  store i64 1, i64* %1\n}\n"
    assert note_failures(code, Record(1, 2, 3, 4), 1) is None
    assert leave_failed_tasks(code, Guards(1, 2, 3)) == code


CHECK = b"""define void @task(%struct.RuntimeContext* %context) {
  ret void
}

define internal void @taichi_assert_format(%struct.LLVMRuntime* %0) {
  %1 = load i1, i1* @passed
  br i1 %1, label %2, label %3

2:                                                ; preds = %0
  br label %4

3:                                                ; preds = %0
  br label %4

4:                                                ; preds = %2, %3
  ret void
}
"""


@pytest.mark.parametrize(
    ("line", "other"),
    [
        (b"  br i1 %1, label %2, label %3", b"  br label %3"),
        (b"  br i1 %1, label %2, label %3", b"  br i1 true, label %2, label %3"),
        (b"  br i1 %1, label %2, label %3", b"  br i1 %1, label %5, label %3"),
        (b"  br label %4\n\n3:", b"  store i64 1, i64* @code\n  br label %4\n\n3:"),
        (b"  br label %4\n\n4:", b"  ret void\n\n4:"),
    ],
)
def test_tasks_are_left_where_the_function_for_checks_is_understood(line, other):
    assert b"taichi_aot.failed" in leave_failed_tasks(CHECK, Guards(1, 2, 3))
    assert line in CHECK
    unknown = CHECK.replace(line, other)
    assert leave_failed_tasks(unknown, Guards(1, 2, 3)) == unknown
