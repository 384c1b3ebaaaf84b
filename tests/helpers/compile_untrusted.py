"""Compile a module whose kernels end in different ways, for tests of ``validate``; run as a child process.

    python compile_untrusted.py ARCH FILE

The kernels: ``double`` is sound; ``divide`` divides by the zeros of an array, which ends the process on x64;
``forever``, for x64 only, does not return; ``flags`` takes an ndarray of u1, which cannot be passed on Vulkan. The
graph ``twice`` dispatches ``double`` twice.
"""

import os
import sys

import taichi as ti

from helpers.graphs import array, graph

I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)


@ti.kernel
def double(x: I32_1D):
    for i in x:
        x[i] *= 2


@ti.kernel
def divide(x: I32_1D, y: I32_1D):
    for i in range(1):
        y[i] = (x[i] + 7) // x[i]


@ti.kernel
def forever(x: I32_1D):
    for _ in range(1):
        while x[0] == 0:
            x[1] += 1


@ti.kernel
def flags(x: ti.types.ndarray(dtype=ti.u1, ndim=1)):
    for i in x:
        x[i] = not x[i]


def main(arch: str, path: str) -> None:
    ti.init(arch=getattr(ti, arch), offline_cache=False)
    module = ti.aot.Module()
    for kernel in (double, divide, flags, *((forever,) if arch == "x64" else ())):
        module.add_kernel(kernel)
    module.add_graph("twice", graph(*[(double, array("x", ti.i32))] * 2))
    module.archive(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # Taichi may abort in CUDA's clean-up at exit (cuMemFreeAsync)
