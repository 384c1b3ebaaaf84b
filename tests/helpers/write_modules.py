"""A program that fills `taichi_aot.build.Module` beside its launches; run as a child process.

    python write_modules.py ARCH FOLDER

writes ``both.tcm``, ``both.tib`` and the folder ``both`` from one module, ``second.tcm`` from another, and what its
launches computed and the errors of wrong calls to ``printed.txt``.
"""

import contextlib
import os
import sys
import warnings
from pathlib import Path

import taichi as ti

from helpers.graphs import array, graph
from taichi_aot.build import BuildError, Module

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)


@ti.kernel
def saxpy(a: ti.f32, x: F32_1D, y: F32_1D):
    """Add a * x to y."""
    for i in y:
        y[i] = a * x[i] + y[i] + grid[0]


@ti.kernel
def triple(source: F32_1D, target: F32_1D):
    for i in target:
        target[i] = 3.0 * source[i]


@ti.kernel
def power(exponent: ti.template(), x: ti.types.ndarray()):
    for i in x:
        x[i] = x[i] ** exponent


@ti.kernel
def wide(x: ti.types.ndarray(dtype=ti.f64, ndim=1)):
    for i in x:
        x[i] = x[i] + 1.0


@ti.data_oriented
class Solver:
    def __init__(self, step):
        self.step = step

    @ti.kernel
    def advance(self, x: F32_1D):
        for i in x:
            x[i] += ti.static(self.step)


def refused(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except (BuildError, OSError, TypeError, ValueError) as error:
        print(type(error).__name__, error)
    else:
        print(call, "is not refused")


def main(name, folder):
    global grid
    refused(Module)
    arch = getattr(ti, name)
    ti.init(arch=arch, offline_cache=False)
    grid = ti.field(ti.f32, shape=4)
    x, y, ints = ti.ndarray(ti.f32, 3), ti.ndarray(ti.f32, 3), ti.ndarray(ti.i32, 3)
    x.fill(2)
    ints.fill(3)
    grid.fill(1)
    start = ti.Vector.field(2, ti.i32, shape=3)
    start[1] = [4, 5]
    saxpy(1.0, x, y)
    power(2, ints)  # another instance than those of the module
    module = Module(arch, ["spirv_has_float64", ti.DeviceCapability.spirv_has_int64])
    late = ti.field(ti.f32, shape=2)  # while the module is filled
    module.add_field("grid", grid)
    module.add_field("start", start, contents=True)
    module.add_kernel(saxpy, shapes={"x": "n", "y": "n"})
    module.add_kernel(power, {"exponent": 3, "x": F32_1D}, "cube")
    module.add_kernel(wide)
    if name == "vulkan":
        refused(Module(arch).add_kernel, wide)
    refused(module.add_kernel, triple, shapes={"source": ("n", "n")})
    module.add_kernel(triple)
    module.add_kernel(Solver(5).advance)
    with module.add_kernel_template(power) as template:
        refused(template.instantiate, exponent=2)
    first, second = array("x"), array("y")
    module.add_graph("ninefold", graph((triple, first, second), (triple, second, first)))
    late.fill(7)
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        (folder / "both").mkdir()
        module.save(folder / "both")
    print(*(each.message for each in shown), Path(shown[0].filename).name if shown else "")
    module.archive(folder / "both.tcm")
    module.archive(folder / "both.tib")
    module.save(folder / "both")
    saxpy(1.0, x, y)
    power(2, ints)
    print(y.to_numpy().tolist(), ints.to_numpy().tolist(), late.to_numpy().tolist())
    second = Module(cpu_threads=3)
    refused(second.archive, folder / "second.tcm")
    second.add_kernel(triple, name="thrice")
    second.archive(str(folder / "second.tcm"))
    refused(module.add_kernel, triple, name="late")
    refused(module.archive, folder / "both.zip")
    refused(module.archive, folder / "lost" / "both.tcm")
    refused(module.save, folder)
    refused(Module, "cuda")
    refused(Module, 3)
    os.environ["TI_ARCH"] = "cuda"  # as if Taichi had not found the device
    refused(Module)
    del os.environ["TI_ARCH"]
    module = Module()
    ti.init(arch=arch)
    refused(module.add_kernel, triple)


if __name__ == "__main__":
    folder = Path(sys.argv[2])
    with open(folder / "printed.txt", "w", encoding="utf-8") as file, contextlib.redirect_stdout(file):
        main(sys.argv[1], folder)
