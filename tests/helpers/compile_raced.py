"""Write a module with Taichi alone, whose atomic additions race for a device; run as a child process.

    python compile_raced.py FILE

The kernel ``taken`` numbers the elements of an array.
"""

import sys

import taichi as ti

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)


@ti.kernel
def taken(x: F32_1D, t: F32_1D):
    for i in x:
        x[i] = ti.atomic_add(t[0], 1.0)


def main(path: str) -> None:
    ti.init(arch=ti.vulkan, offline_cache=False)
    module = ti.aot.Module()
    module.add_kernel(taken)
    module.archive(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
