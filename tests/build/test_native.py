"""The machine code of kernels: what has it and why, the same bytes each time, and what it computes."""

import importlib.util
import re

import pytest
from helpers.archives import read_archive
from helpers.carry import WIDE_TYPES
from helpers.child import TESTS, run_in_child
from helpers.plans import parsed
from scenarios.machine_code import fork_while_others_open, run, run_without_proc

from taichi_aot import AotModule, Runtime, inspect
from taichi_aot.adopt.taichi._native import POOL, RANDOM, RESULTS, ROOTS, TEMPORARIES, verify
from taichi_aot.build import BuildError, build
from taichi_aot.build.code._native import compiled_kernels, why_unavailable
from taichi_aot.build.code._native_needs import shared_fields
from taichi_aot.bundle._files import NATIVE_CODE
from taichi_aot.cli.main import main

pytest.importorskip("llvmlite")
pytest.importorskip("ziglang", exc_type=ImportError)

LOOP = {POOL, TEMPORARIES}  # over an array, whose length is a temporary


@pytest.fixture
def native(build_source):
    return build_source("native_kernels", "x64")


def test_kernels_state_what_they_need(native):
    module = parsed(native)
    needs = {name: kernel.needs for name, kernel in module.native.kernels.items()}
    assert needs == {
        "saxpy": LOOP,
        "total": LOOP | {RESULTS},
        "widen": LOOP,
        "narrow": LOOP,
        "narrow_double": LOOP,
        "noise": LOOP | {RANDOM},
        "require_positive": LOOP,
        "store": {POOL, ROOTS},
        "taichi_aot_get_grid": {POOL, ROOTS},
        "taichi_aot_set_grid": {POOL, ROOTS},
    }
    assert {name for name, kernel in module.native.kernels.items() if kernel.trees} == {
        name for name, used in needs.items() if ROOTS in used
    }
    verify(module.native)


def test_other_kernels_have_a_reason(native):
    accessors = [f"taichi_aot_{role}_cells" for role in ("get", "set", "gather", "scatter")]
    sparse = dict.fromkeys(("activate", *accessors), "uses sparse fields")
    info = inspect(native)
    reason = "uses a field of kernel 'show', which has no machine code"
    shared = dict.fromkeys(("taichi_aot_get_level", "taichi_aot_set_level"), reason)
    assert info.not_native == {**sparse, **shared, "show": "prints"}
    assert info.native_targets == ("aarch64", "aarch64-v8.2", "x86-64-v2", "x86-64-v3", "x86-64-v4")


def test_asserts_are_left_out_without_debug(native):
    with Runtime("x64") as rt:
        module = rt.load_module(native)
        x = rt.asarray([-1.0, 0.0, 1.0])
        module.require_positive(x)
        assert x.to_numpy().tolist() == [0, 1, 2]
        assert not module.info.kernels["require_positive"].checked


def test_fields_are_in_one_place():
    """The library launches graphs with a kernel that has no machine code, and such a kernel's fields are its own."""
    trees = {"show": set(), "fill": {0}, "get": {0}, "move": {1}, "other": {2}, "clear": {2}}
    graphs = {"step": {"fill", "show"}, "quick": {"clear", "other"}}
    assert shared_fields(trees, graphs, {"show": "prints", "move": "uses sparse fields"}, "machine code") == {
        "fill": "uses fields in a graph with kernel 'show', which has no machine code",
        "get": "uses a field of kernel 'fill', which has no machine code",
    }


def test_machine_code_runs_without_the_library(native):
    run_in_child(run, str(native))


def test_machine_code_is_opened_from_a_file_without_proc(native, tmp_path):
    printed = run_in_child(run_without_proc, str(native), str(tmp_path), quiet=False).stdout
    if "not permitted" in printed:
        pytest.skip("only an administrator can hide /proc")


def test_forked_child_does_not_wait_for_threads_that_open_machine_code(native):
    run_in_child(fork_while_others_open, str(native), quiet=False)


def test_library_uses_the_fields_of_machine_code(native, monkeypatch):
    with Runtime("x64") as rt:
        module = rt.load_module(native)
        grid = module.fields["grid"]
        module.kernels["store"](2.0)
        monkeypatch.setenv("TAICHI_AOT_NATIVE", "0")
        others = [AotModule.from_handle(rt, module.handle, native), rt.load_module(native)]
        reasons = (
            "the module is borrowed",
            "the module was loaded with TAICHI_AOT_NATIVE=0, which disables machine code",
        )
        for value, other in enumerate(others):
            assert other.kernels["store"].recording == f"by the library: {reasons[value]}"
            assert (other.fields["grid"].to_numpy() == grid.to_numpy()).all()
            other.kernels["store"](value)
            rt.wait()
            assert (grid.to_numpy() == value).all()


def test_the_same_source_gives_the_same_machine_code(native, tmp_path):
    again = tmp_path / native.name
    build(TESTS / "helpers" / "native_kernels.py", again, archs=["x64"], caps=WIDE_TYPES)
    first, second = parsed(native).native, parsed(again).native
    assert first == second
    for data in first.code.values():
        assert b"/tmp" not in data
        assert b"taichi_aot" not in data.replace(b"taichi_aot_", b"")


def test_inspect_says_which_kernels_have_machine_code(native, capsys):
    assert main(["inspect", str(native)]) == 0
    whole = capsys.readouterr().out
    assert "machine code for aarch64, aarch64-v8.2, x86-64-v2, x86-64-v3, x86-64-v4\n" in whole
    assert re.search(r"^    show +prints$", whole, re.MULTILINE)
    code, none = "machine code for aarch64, ", "no machine code: it prints"
    for name, line, recording in (("saxpy", code, "native"), ("show", none, "by the library: prints")):
        assert main(["inspect", str(native), "--kernel", name]) == 0
        printed = capsys.readouterr().out
        assert f"\n{line}" in printed
        assert printed.endswith(f"\nlaunches on x64: {recording}\n")


def test_machine_code_can_be_left_out(fill, tmp_path, monkeypatch, capsys):
    assert why_unavailable(False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "ziglang" else "found")
    output = tmp_path / "fill.tcm"
    assert main(["build", str(fill), "--arch", "x64", "-o", str(output)]) == 0
    reason = "needs llvmlite and ziglang: pip install 'llvmlite==0.44.*' 'ziglang==0.17.*'"
    assert f"    x64: no machine code: it {reason}\n" in capsys.readouterr().out
    assert not read_archive(output).keys() & set(NATIVE_CODE.values())
    with pytest.raises(BuildError, match="machine code needs llvmlite and ziglang: pip install"):
        build(fill, output, archs=["x64"], native=True)


def test_result_has_the_reasons(native):
    module = parsed(native)
    assert compiled_kernels(module, module.native, "") == (tuple(module.native.kernels), module.native.refused)
    without = module._replace(native=None)
    assert compiled_kernels(without, without.native, "needs a package")[1]["saxpy"] == "needs a package"
    assert compiled_kernels(without, without.native, "") == ((), {})
    assert compiled_kernels(None, None, "needs a package") == ((), {})
