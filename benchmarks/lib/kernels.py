"""The kernels of the benchmarks, and a program that compiles them in a child process:

    python kernels.py ARCH FOLDER MODULE...

It writes ``FOLDER/MODULE.tcm``, and the same as a folder ``FOLDER/MODULE``, which some variants need. The modules are

launch
    ``saxpy``, and ``serial_saxpy``, whose loop is not parallel, each as a kernel and as a graph that dispatches it;
    ``stored`` and ``returned``, which write 8 bytes to an array and return them; ``added``, which takes three arrays.
    The bundle ``arguments.tib`` has ``added`` too, with the access to its arrays.
throughput
    Kernels with enough work, those of throughput.py.
grids
    Kernels whose loop lengths have different sources; see grids.py.
kernels_N
    N kernels: ``saxpy``, ``saxpy_1`` to ``saxpy_{N - 1}``. Their loops are serial.
"""

import importlib
import os
import sys
import zipfile
from pathlib import Path

import taichi as ti

from taichi_aot.build import Module, export

PARTS = 2**17  # of a reduction

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
F32_2D = ti.types.ndarray(dtype=ti.f32, ndim=2)
I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)
VECTORS = ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=1)


@ti.kernel
def saxpy(a: ti.f32, x: F32_1D, y: F32_1D):
    for i in y:
        y[i] = a * x[i] + y[i]


@ti.kernel
def serial_saxpy(a: ti.f32, x: F32_1D, y: F32_1D):
    ti.loop_config(serialize=True)
    for i in y:
        y[i] = a * x[i] + y[i]


@ti.kernel
def stored(a: ti.f32, out: F32_1D):
    out[0] = a
    out[1] = 2 * a


@ti.kernel
def returned(a: ti.f32) -> ti.types.vector(2, ti.f32):
    return ti.Vector([a, 2 * a])


@export
@ti.kernel
def added(x: F32_1D, y: F32_1D, out: F32_1D):
    out[0] = x[0] + y[0]


@ti.kernel
def reduction(x: F32_1D, total: F32_1D):
    for i in x:
        total[0] += x[i]


@ti.kernel
def reduction_variable(x: F32_1D, total: F32_1D):
    """Sum in a variable: LLVM archs keep one for each thread."""
    sum = 0.0
    for i in x:
        sum += x[i]
    total[0] += sum


@ti.kernel
def reduction_parts(x: F32_1D, total: F32_1D):
    """Sum the sums of every 131,072nd element in a variable."""
    sum = 0.0
    for part in range(PARTS):
        partial = 0.0
        i = part
        while i < x.shape[0]:
            partial += x[i]
            i += PARTS
        sum += partial
    total[0] += sum


@ti.kernel
def reduction_returned(x: F32_1D) -> ti.f32:
    sum = 0.0
    for i in x:
        sum += x[i]
    return sum


@ti.kernel
def least(x: F32_1D, found: F32_1D):
    for i in x:
        ti.atomic_min(found[0], x[i])


@ti.kernel
def most(x: F32_1D, found: F32_1D):
    for i in x:
        ti.atomic_max(found[0], x[i])


@ti.kernel
def counted(x: F32_1D, found: I32_1D):
    for i in x:
        if x[i] > 0.5:
            found[0] += 1


@ti.kernel
def histogram(x: I32_1D, counts: I32_1D):
    for i in x:
        counts[x[i]] += 1


@ti.kernel
def copy(x: F32_1D, y: F32_1D):
    for i in y:
        y[i] = x[i]


@ti.kernel
def sines(x: F32_1D, y: F32_1D):
    for i in y:
        y[i] = ti.sin(x[i]) + ti.exp(-x[i])


@ti.kernel
def transpose(x: F32_2D, y: F32_2D):
    for i, j in x:
        y[j, i] = x[i, j]


@ti.kernel
def matmul(a: F32_2D, b: F32_2D, c: F32_2D):
    for i, j in c:
        sum = 0.0
        for k in range(a.shape[1]):
            sum += a[i, k] * b[k, j]
        c[i, j] = sum


@ti.kernel
def julia(c: ti.f32, steps: F32_2D):
    for i, j in steps:
        x, y = 3.0 * i / steps.shape[0] - 1.5, 3.0 * j / steps.shape[1] - 1.5
        n = 0
        while x * x + y * y < 4.0 and n < 200:
            x, y = x * x - y * y - 0.8, 2 * x * y + c
            n += 1
        steps[i, j] = n


@ti.kernel
def stencil(old: F32_2D, new: F32_2D):
    """Make a Jacobi step: a cell becomes the mean of its four neighbours."""
    for i, j in ti.ndrange((1, old.shape[0] - 1), (1, old.shape[1] - 1)):
        new[i, j] = 0.25 * (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1])


@ti.kernel
def nbody(position: VECTORS, acceleration: VECTORS):
    """Compute the softened gravity of all bodies on each, with masses of 1."""
    for i in position:
        here = position[i]
        total = ti.Vector([0.0, 0.0, 0.0])
        for j in range(position.shape[0]):
            away = position[j] - here
            inverse = ti.rsqrt(away.dot(away) + 1e-4)
            total += away * (inverse * inverse * inverse)
        acceleration[i] = total


def graph_of(kernel) -> ti.graph.Graph:
    """Build a graph that dispatches ``saxpy`` or ``serial_saxpy``."""
    kind = ti.graph.ArgKind
    a = ti.graph.Arg(kind.SCALAR, "a", ti.f32)
    x = ti.graph.Arg(kind.NDARRAY, "x", ti.f32, ndim=1)
    y = ti.graph.Arg(kind.NDARRAY, "y", ti.f32, ndim=1)
    builder = ti.graph.GraphBuilder()
    builder.dispatch(kernel, a, x, y)
    return builder.compile()


def build_launch(arch) -> Module:
    module = Module(arch)
    for kernel in (saxpy, serial_saxpy):
        module.add_kernel(kernel)
        module.add_graph(f"{kernel.__name__}_graph", graph_of(kernel))
    module.add_kernel(stored)
    module.add_kernel(returned)
    module.add_kernel(added)
    return module


THROUGHPUT = (
    *(copy, saxpy, sines, stencil, transpose, matmul, julia, nbody, histogram),
    *(reduction, reduction_variable, reduction_parts, reduction_returned, least, most, counted),
)


def build_throughput(arch) -> Module:
    module = Module(arch)
    for kernel in THROUGHPUT:
        module.add_kernel(kernel)
    return module


@ti.kernel
def over_array(x: F32_1D):
    for i in x:
        x[i] = 0.5 * x[i] + 1.0


@ti.kernel
def over_matrix(x: F32_2D):
    for i, j in x:
        x[i, j] = 0.5 * x[i, j] + 1.0


@ti.kernel
def over_scalar(n: ti.i32, x: F32_1D):
    for i in range(n):
        x[i] = 0.5 * x[i] + 1.0


@ti.kernel
def over_part(begin: ti.i32, end: ti.i32, x: F32_1D):
    for i in range(begin, end):
        x[i] = 0.5 * x[i] + 1.0


@ti.kernel
def over_product(n: ti.i32, m: ti.i32, x: F32_1D):
    for i in range(n * m):
        x[i] = 0.5 * x[i] + 1.0


@ti.kernel
def over_pairs(n: ti.i32, m: ti.i32, x: F32_1D):
    for i, j in ti.ndrange(n, m):
        x[i * m + j] = 0.5 * x[i * m + j] + 1.0


@ti.kernel
def over_constant(x: F32_1D):
    for i in range(1000):
        x[i] = 0.5 * x[i] + 1.0


@ti.kernel
def over_long_constant(x: F32_1D):
    for i in range(2**20):
        x[i] = 0.5 * x[i] + 1.0


@ti.kernel
def over_rows(n: ti.i32, m: ti.i32, x: F32_1D):
    """Run a short loop with long iterations."""
    for i in range(n):
        for j in range(m):
            x[i * m + j] = 0.5 * x[i * m + j] + 1.0


@ti.kernel
def over_part_of_array(n: ti.i32, x: F32_1D):
    """Run a loop over an array in which most iterations do nothing."""
    for i in x:
        if i < n:
            x[i] = 0.5 * x[i] + 1.0


@ti.kernel
def over_two(n: ti.i32, x: F32_1D):
    """Run two loops of different lengths, each after a serial task."""
    for i in range(n // 2):
        x[i] += 1.0
    for i in range(n):
        x[i] *= 0.5


def build_grids(arch) -> Module:
    module = Module(arch)
    kernels = (over_array, over_matrix, over_scalar, over_part, over_product, over_pairs, over_constant)
    for kernel in (*kernels, over_long_constant, over_rows, over_part_of_array, over_two):
        module.add_kernel(kernel)
    return module


def build_kernels(arch, count: int, folder: Path) -> Module:
    """Build a module of many kernels, with machine code for the CPU.

    Their source is written to a file, because the compiler reads it from a file.
    """
    lines = ["import taichi as ti", "F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)"]
    for i in range(count):
        lines += [
            "@ti.kernel",
            f"def {_name(i)}(a: ti.f32, x: F32_1D, y: F32_1D):",
            "    ti.loop_config(serialize=True)",
            f"    for i in y: y[i] = a * x[i] + y[i] + {float(i)}",
        ]
    path = folder / f"kernels_{count}.py"
    path.write_text("\n".join(lines) + "\n")
    sys.path.insert(0, str(folder))
    source = importlib.import_module(path.stem)
    module = Module(arch)
    for i in range(count):
        module.add_kernel(getattr(source, _name(i)))
    return module


def _name(i: int) -> str:
    return f"saxpy_{i}" if i else "saxpy"


def init(arch: str) -> None:
    """Start the compiler for `arch`; exit if it silently chose another arch."""
    ti.init(arch=getattr(ti, arch), offline_cache=False, log_level=ti.ERROR)
    if ti.lang.impl.current_cfg().arch != getattr(ti, arch):
        raise SystemExit(f"taichi has no arch {arch} here")


def main() -> None:
    arch, folder, names = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    for name in names:
        init(arch)
        if name == "launch":
            module = build_launch(getattr(ti, arch))
        elif name == "throughput":
            module = build_throughput(getattr(ti, arch))
        elif name == "grids":
            module = build_grids(getattr(ti, arch))
        else:
            module = build_kernels(getattr(ti, arch), int(name.removeprefix("kernels_")), folder)
        module.archive(str(folder / f"{name}.tcm"))
        with zipfile.ZipFile(folder / f"{name}.tcm") as archive:
            archive.extractall(folder / name)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # otherwise the compiler may abort in the clean-up of CUDA at Python's exit (cuMemFreeAsync)
