"""Run machine code of modules without the library."""

from __future__ import annotations

import ctypes
import os
import signal
import tempfile
import threading
from pathlib import Path

import numpy as np
from helpers.inside import machine_code, open_machine_code
from helpers.native_calls import MachineCode
from helpers.objects import FORKED, run_in_fork
from helpers.raising import assert_raises
from helpers.threads import Background

from taichi_aot import Runtime

TARGET = "x86-64-v2"  # which has no instructions for half precision
NEW_MOUNTS, PRIVATE, NOT_EXECUTABLE = 0x20000, 0x44000, 8  # CLONE_NEWNS, MS_REC | MS_PRIVATE, and MS_NOEXEC of Linux


def run(path: str) -> None:
    """Compare what machine code computes with numpy, and see that the library is not loaded."""
    code = MachineCode(Path(path), TARGET)
    dice = np.random.default_rng(5)
    x, y = dice.standard_normal((2, 1000)).astype(np.float32)
    expected = np.float32(1.5) * x + y
    code.call("saxpy", (np.float32(1.5), x, y))
    np.testing.assert_array_equal(y, expected)
    (total,) = code.call("total", (x,))
    np.testing.assert_allclose(total, np.sin(x).sum(), rtol=1e-4)
    code.call("store", (np.float32(2.5),))
    field = np.zeros(100, np.float32)
    code.call("taichi_aot_get_grid", (field,))
    assert (field == 2.5).all()
    _convert_halves(code, dice)
    with open("/proc/self/maps") as file:
        assert "libtaichi_c_api" not in file.read()


def _convert_halves(code: MachineCode, dice: np.random.Generator) -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = halves[~np.isnan(halves)]
    floats = np.empty(halves.size, np.float32)
    code.call("widen", (halves, floats))
    np.testing.assert_array_equal(floats.view(np.uint32), halves.astype(np.float32).view(np.uint32))
    ties = ((floats[:-1].astype(np.float64) + floats[1:]) / 2).astype(np.float32)
    near = np.nextafter(ties, np.float32(np.inf)), np.nextafter(ties, np.float32(0))
    noise = dice.integers(0, 2**32, 10000, dtype=np.uint32).view(np.float32)
    x = np.concatenate([floats, ties, *near, noise])
    x = x[~np.isnan(x)]
    y = np.empty(x.size, np.float16)
    with np.errstate(over="ignore"):
        for kernel, numbers in (("narrow", x), ("narrow_double", x.astype(np.float64))):
            code.call(kernel, (numbers, y))
            np.testing.assert_array_equal(y.view(np.uint16), x.astype(np.float16).view(np.uint16))


def fork_while_others_open(path: str) -> None:
    """Fork while threads open and close machine code: the child can open it too, and does not wait for them."""
    native = machine_code(path)
    code, stop = native.code[TARGET], threading.Event()
    rt = Runtime("x64")
    x = rt.zeros(3, "f32")
    launch = rt.load_module(path).kernels["noise"].bind(x)
    launch()

    def work() -> None:
        while not stop.is_set():
            open_machine_code(code)

    def use_it() -> None:
        signal.alarm(20)
        assert_raises(ValueError, launch, x.to_numpy, match="forked")
        with Runtime("x64") as own:
            y = own.full(3, 1, "f32")
            own.load_module(path).kernels["saxpy"](2.0, y, y)
            assert (y.to_numpy() == 3).all()
        os._exit(FORKED)

    threads = [Background(work) for _ in range(2)]
    statuses = {run_in_fork(use_it) for _ in range(10)}
    stop.set()
    for thread in threads:
        thread.finish()
    assert statuses == {FORKED}, statuses


def run_without_proc(path: str, folder: str) -> None:
    """Hide ``/proc``: code is opened from a file. If files cannot be executed either, the library compiles kernels."""
    libc = ctypes.CDLL(None)
    if libc.unshare(NEW_MOUNTS) or libc.mount(b"none", b"/", None, PRIVATE, None) or hide(libc, "/proc"):
        print("not permitted")
        return
    assert recording_of(path, folder) == "native"
    assert os.listdir(folder) == []
    assert not hide(libc, folder)
    reason = recording_of(path, folder)
    assert reason.startswith("by the library: its machine code cannot be opened: "), reason


def hide(libc: ctypes.CDLL, folder: str) -> int:
    """Mount an empty file system over a folder, whose files cannot be executed."""
    return int(libc.mount(b"none", folder.encode(), b"tmpfs", NOT_EXECUTABLE, None))


def recording_of(path: str, folder: str) -> str:
    """Launch a kernel with a folder for temporary files, and return how."""
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    with Runtime("x64") as rt:
        kernel, x = rt.load_module(path).kernels["saxpy"], rt.full(3, 1, "f32")
        kernel(2.0, x, x)
        rt.wait()
        assert (x.to_numpy() == 3).all()
        return kernel.recording
