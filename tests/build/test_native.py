"""The machine code of kernels: what has it and why, the same bytes each time, and what it computes."""

import ctypes
import importlib.util
import os
import re
import signal
import tempfile
import threading

import numpy as np
import pytest
from helpers.archives import read_archive
from helpers.carry import WIDE_TYPES
from helpers.child import TESTS, in_child
from helpers.inside import machine_code, open_machine_code
from helpers.native_calls import load_for
from helpers.objects import FORKED, run_in_fork
from helpers.plans import parsed
from helpers.raising import assert_raises
from helpers.threads import Background
from scenarios.imports import is_loaded

from taichi_aot import AotModule, Runtime, inspect
from taichi_aot.adopt.taichi._native import POOL, RANDOM, RESULTS, ROOTS, TEMPORARIES, verify_native
from taichi_aot.build import BuildError, build
from taichi_aot.build.code._native import shared_fields, why_unavailable
from taichi_aot.build.output._build import compiled_kernels
from taichi_aot.bundle._files import NATIVE_CODE
from taichi_aot.cli.main import main

pytest.importorskip("llvmlite")
pytest.importorskip("ziglang", exc_type=ImportError)

TARGET = "x86-64-v2"  # which has no instructions for half precision
NEW_MOUNTS, PRIVATE, NOT_EXECUTABLE = 0x20000, 0x44000, 8  # CLONE_NEWNS, MS_REC | MS_PRIVATE, and MS_NOEXEC of Linux
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
    verify_native(module.native)


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


def convert_halves(module, dice):
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = halves[~np.isnan(halves)]
    floats = np.empty(halves.size, np.float32)
    module.widen(halves, floats)
    np.testing.assert_array_equal(floats.view(np.uint32), halves.astype(np.float32).view(np.uint32))
    ties = ((floats[:-1].astype(np.float64) + floats[1:]) / 2).astype(np.float32)
    near = np.nextafter(ties, np.float32(np.inf)), np.nextafter(ties, np.float32(0))
    noise = dice.integers(0, 2**32, 10000, dtype=np.uint32).view(np.float32)
    x = np.concatenate([floats, ties, *near, noise])
    x = x[~np.isnan(x)]
    y = np.empty(x.size, np.float16)
    with np.errstate(over="ignore"):
        for kernel, numbers in (("narrow", x), ("narrow_double", x.astype(np.float64))):
            module.kernels[kernel](numbers, y)
            np.testing.assert_array_equal(y.view(np.uint16), x.astype(np.float16).view(np.uint16))


@in_child
def test_machine_code_runs_without_the_library(native):
    """Compare what machine code computes with numpy, and see that the library is not loaded."""
    with Runtime("x64") as rt:
        module = load_for(rt, native, TARGET)
        dice = np.random.default_rng(5)
        x, y = dice.standard_normal((2, 1000)).astype(np.float32)
        expected = np.float32(1.5) * x + y
        module.saxpy(1.5, x, y)
        np.testing.assert_array_equal(y, expected)
        np.testing.assert_allclose(module.total(x), np.sin(x).sum(), rtol=1e-4)
        module.store(2.5)
        assert (module.fields["grid"].to_numpy() == 2.5).all()
        convert_halves(module, dice)
    assert not is_loaded()


def hide(libc, folder):
    """Mount an empty file system over a folder, whose files cannot be executed."""
    return libc.mount(b"none", folder.encode(), b"tmpfs", NOT_EXECUTABLE, None)


def recording_of(path, folder):
    """Launch a kernel with a folder for temporary files, and return how."""
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    with Runtime("x64") as rt:
        kernel, x = rt.load_module(path).kernels["saxpy"], rt.full(3, 1, "f32")
        kernel(2.0, x, x)
        rt.wait()
        assert (x.to_numpy() == 3).all()
        return kernel.recording


@in_child(quiet=False)
def test_machine_code_is_opened_from_a_file_without_proc(native, tmp_path):
    """Hide ``/proc``: code is opened from a file. If files cannot be executed either, the library compiles kernels."""
    libc, folder = ctypes.CDLL(None), str(tmp_path)
    if libc.unshare(NEW_MOUNTS) or libc.mount(b"none", b"/", None, PRIVATE, None) or hide(libc, "/proc"):
        pytest.skip("only an administrator can hide /proc")
    assert recording_of(native, folder) == "native"
    assert os.listdir(folder) == []
    assert not hide(libc, folder)
    reason = recording_of(native, folder)
    assert reason.startswith("by the library: its machine code cannot be opened: "), reason


@in_child(quiet=False)
def test_forked_child_does_not_wait_for_threads_that_open_machine_code(native):
    """Fork while threads open and close machine code: the child can open it too, and does not wait for them."""
    code, stop = machine_code(native).code[TARGET], threading.Event()
    rt = Runtime("x64")
    x = rt.zeros(3, "f32")
    launch = rt.load_module(native).kernels["noise"].bind(x)
    launch()

    def work():
        while not stop.is_set():
            open_machine_code(code)

    def use_it():
        signal.alarm(20)
        assert_raises(ValueError, launch, x.to_numpy, match="forked")
        with Runtime("x64") as own:
            y = own.full(3, 1, "f32")
            own.load_module(native).kernels["saxpy"](2.0, y, y)
            assert (y.to_numpy() == 3).all()
        os._exit(FORKED)

    threads = [Background(work) for _ in range(2)]
    statuses = {run_in_fork(use_it) for _ in range(10)}
    stop.set()
    for thread in threads:
        thread.finish()
    assert statuses == {FORKED}, statuses


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
    assert len(re.findall(r"^    the accessors of fields +uses (?:sparse fields|a field)", whole, re.MULTILINE)) == 2
    assert "taichi_aot_" not in whole
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
    module, info = parsed(native), inspect(native)
    assert compiled_kernels(info, "") == (tuple(module.native.kernels), module.native.refused)
    without = info._replace(code=None)
    assert compiled_kernels(without, "needs a package")[1]["saxpy"] == "needs a package"
    assert compiled_kernels(without, "") == ((), {})
    assert compiled_kernels(None, "needs a package") == ((), {})
