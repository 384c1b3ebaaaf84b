"""Kernels of Quadrants that were built with debug check indices and asserts, and kernels that print."""

import json

import pytest
from helpers.archives import pack, read_archive
from helpers.archs import needs_quadrants
from helpers.child import TESTS, run_in_child
from helpers.raising import raised

from taichi_aot import Arch, CorruptedDataError, KernelAssertionError, KernelIndexError, Runtime, inspect
from taichi_aot.build import build

pytestmark = needs_quadrants

SOURCE = TESTS / "helpers" / "quadrants_checked_kernels.py"


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    path = tmp_path_factory.mktemp("checked") / "kernels.tib"
    return build(SOURCE, path, archs=["x64", "vulkan"], debug=True)


def failure(rt, call):
    def call_and_wait():
        call()
        rt.wait()

    error = raised(call_and_wait)
    assert isinstance(error, (KernelAssertionError, KernelIndexError)), repr(error)
    place = error.line and SOURCE.read_text().splitlines()[error.line - 1].strip()
    return type(error), str(error).split("\n")[0], error.kernel, place


@pytest.fixture
def rt():
    with Runtime("x64") as runtime:  # of its own, since modules for the CPU share their fields
        yield runtime


@pytest.fixture
def kernels(rt, checked):
    return rt.load_module(checked.path).kernels


def test_a_failed_check_has_the_kernel_and_its_line(rt, kernels):
    x, zeros = rt.full(4, 1.0), rt.zeros(5)
    expected = {
        lambda: kernels.shift(x, 2): ("shift(): x[4] is out of range; x has shape (4,)", "x[i] = x[i + n]"),
        lambda: kernels.shift(zeros, 0): ("shift(): positive", 'assert x[i] > 0, "positive"'),
        lambda: kernels.write(4, 2): (
            "write(): grid[4, 2] is out of range; field grid has shape (4, 5)",
            "grid[i, j] = 1.0",
        ),
        lambda: kernels.blow(-1): ("blow(): wind[-1] is out of range; field wind has shape (7,)", None),
        lambda: kernels.limit(x, -3): ("limit(): n is -3", 'assert n > 3, f"n is {n}"'),
    }
    for call, (message, line) in expected.items():
        kind, text, kernel, place = failure(rt, call)
        assert (text, place) == (message, line)
        assert kind is (KernelIndexError if "out of range" in message else KernelAssertionError)
        assert kernel == message.partition("(")[0]
    assert x.to_numpy().tolist() == [1.0] * 4  # the tasks after the failed one do not run


def test_the_bundle_states_its_checks_and_builds_warn_where_there_are_none(checked):
    assert inspect(checked.path).modules[Arch.X64].kernels["shift"].checked
    assert any("debug=True is without effect on vulkan" in each for each in checked.warnings)
    assert any("kernel tell" in each and "prints nothing on vulkan" in each for each in checked.warnings)


def test_without_debug_asserts_are_left_out(rt, tmp_path):
    source = tmp_path / "kernels.py"
    source.write_text(SOURCE.read_text())
    result = build(source, archs=["x64"], output=tmp_path / "kernels.tib")
    assert any(
        each.startswith("kernel shift (kernels.py, line 16) has an assert, which is left out")
        for each in result.warnings
    )
    x = rt.zeros(5)
    rt.load_module(result.path).kernels.limit(x, -3)
    assert x.to_numpy().tolist() == [5.0] * 5


def tell(path):
    with Runtime("x64") as rt:
        rt.load_module(path).kernels.tell(rt.full(4, 1.5), 4)


def test_kernels_print_and_checked_ones_report_overflows(checked):
    lines = run_in_child(tell, str(checked.path)).stdout.splitlines()
    assert lines[:2] == [
        "x is 1.500000 4",
        'Addition overflow detected in File "quadrants_checked_kernels.py", line 48, in tell:',
    ]
    assert lines[-1] == str(-(2**31) + 3)


def test_a_record_outside_the_struct_is_refused(rt, tmp_path):
    files = dict(read_archive(build(SOURCE, tmp_path / "kernels.tcm", archs=["x64"], debug=True).path))
    plan = json.loads(files["plan.json"])
    for begin in (-1, 2**40):
        plan["runtime"]["members"]["error_message_template"] = begin
        (tmp_path / "damaged.tcm").write_bytes(pack(files | {"plan.json": json.dumps(plan).encode()}))
        with pytest.raises(CorruptedDataError, match=r"error_message_template is damaged|leaves its struct"):
            rt.load_module(tmp_path / "damaged.tcm")
