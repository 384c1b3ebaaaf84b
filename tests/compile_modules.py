"""Compiles the modules that the tests load; run by a session fixture as a child process.

    python compile_modules.py ARCH FOLDER

writes ``basic.tcm`` and the same module as the folder ``basic``. Only the first output of a ``taichi.aot.Module`` is
complete on LLVM archs, so the folder is unpacked from the archive.
"""

import sys
import zipfile
from pathlib import Path

import taichi as ti

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)


@ti.kernel
def saxpy(a: ti.f32, x: F32_1D, y: F32_1D):
    for i in y:
        y[i] = a * x[i] + y[i]


@ti.kernel
def iota(start: ti.i32, v: ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=2)):
    for i in ti.grouped(v):
        v[i] = ti.Vector([start, i[0], i[1]], dt=ti.f32)


@ti.kernel
def store(value: ti.i32, real: ti.f32, ints: I32_1D, reals: F32_1D):
    ints[0] = value
    reals[0] = real


@ti.kernel
def spin(count: ti.i32, out: I32_1D):
    for i in out:
        value = i
        for _ in range(count):
            value = value * 1664525 + 1013904223
        out[i] = value


@ti.kernel
def swap(first: F32_1D, second: F32_1D):
    for i in first:
        first[i], second[i] = second[i], first[i]


@ti.kernel
def answer(out: I32_1D) -> ti.i32:
    out[0] = 42
    return 42


def build_module(arch) -> ti.aot.Module:
    module = ti.aot.Module(arch)
    for kernel in (saxpy, iota, store, spin, swap, answer):
        module.add_kernel(kernel)
    kind = ti.graph.ArgKind
    a = ti.graph.Arg(kind.SCALAR, "a", ti.f32)
    x = ti.graph.Arg(kind.NDARRAY, "x", ti.f32, ndim=1)
    y = ti.graph.Arg(kind.NDARRAY, "y", ti.f32, ndim=1)
    twice = ti.graph.GraphBuilder()
    twice.dispatch(saxpy, a, x, y)
    twice.dispatch(saxpy, a, x, y)
    module.add_graph("twice", twice.compile())
    # Dispatched with its parameters in both orders, so that the names in this graph say nothing about the kernel's.
    both = ti.graph.GraphBuilder()
    both.dispatch(swap, x, y)
    both.dispatch(swap, y, x)
    module.add_graph("both", both.compile())
    return module


def main() -> None:
    arch, folder = getattr(ti, sys.argv[1]), Path(sys.argv[2])
    ti.init(arch=arch, offline_cache=False, log_level=ti.ERROR)
    if ti.lang.impl.current_cfg().arch != arch:
        raise SystemExit(f"taichi cannot compile for {sys.argv[1]} here")
    build_module(arch).archive(str(folder / "basic.tcm"))
    with zipfile.ZipFile(folder / "basic.tcm") as archive:
        archive.extractall(folder / "basic")


if __name__ == "__main__":
    main()
