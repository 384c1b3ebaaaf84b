"""Time and memory of a build: a file of 100 kernels for x64, Vulkan and CUDA.

    python benchmarks/build_time.py --kernels 100 --archs x64,vulkan,cuda

The kernels are of five kinds: an update of arrays, a stencil in two dimensions, a sum, particles that scatter to a
grid, and a product of matrices. Each arch is compiled in a child process, one process per core at a time. The peak
memory is the child's (`ru_maxrss`); the last line has the total time and the parent's memory.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import tempfile
import time
from pathlib import Path

from taichi_aot.build import build

HEAD = """import taichi as ti
from taichi_aot.build import export

F32 = ti.types.ndarray(dtype=ti.f32, ndim=1)
GRID = ti.types.ndarray(dtype=ti.f32, ndim=2)
VECTORS = ti.types.ndarray(dtype=ti.types.vector(2, ti.f32), ndim=1)
MATRICES = ti.types.ndarray(dtype=ti.types.matrix(3, 3, ti.f32), ndim=1)
"""
KINDS = (
    """
@export(shapes={{"x": "n", "y": "n"}})
@ti.kernel
def update_{i}(a: ti.f32, x: F32, y: F32):
    for i in y:
        y[i] = a * x[i] + {i}.0 * ti.sin(y[i])
""",
    """
@export(shapes={{"x": ("n", "m"), "y": ("n", "m")}})
@ti.kernel
def stencil_{i}(x: GRID, y: GRID):
    for i, j in ti.ndrange((1, x.shape[0] - 1), (1, x.shape[1] - 1)):
        y[i, j] = {i}.0 * x[i, j] + x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]
""",
    """
@export
@ti.kernel
def total_{i}(x: F32) -> ti.f32:
    result = {i}.0
    for i in x:
        result += x[i] * x[i]
    return result
""",
    """
@export(shapes={{"x": "n", "v": "n"}})
@ti.kernel
def scatter_{i}(x: VECTORS, v: VECTORS, mass: GRID):
    for p in x:
        base = int(x[p] * {i}.0 - 0.5)
        offset = x[p] - base
        w = [0.5 * (1.5 - offset) ** 2, 0.75 - (offset - 1.0) ** 2, 0.5 * (offset - 0.5) ** 2]
        for i, j in ti.static(ti.ndrange(3, 3)):
            mass[base + ti.Vector([i, j])] += w[i].x * w[j].y * v[p].norm()
""",
    """
@export(shapes={{"a": "n", "b": "n", "c": "n"}})
@ti.kernel
def product_{i}(a: MATRICES, b: MATRICES, c: MATRICES):
    for i in c:
        c[i] = a[i] @ b[i] + {i}.0 * a[i].transpose()
""",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernels", type=int, default=100)
    parser.add_argument("--archs", default="x64,vulkan,cuda")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "kernels.py")
        kernels = (KINDS[i % len(KINDS)].format(i=i) for i in range(options.kernels))
        source.write_text(HEAD + "".join(kernels), encoding="utf-8")
        begin = time.perf_counter()
        result = build(source, Path(folder, "kernels.tib"), archs=options.archs.split(","))
        seconds = time.perf_counter() - begin
        size = result.path.stat().st_size
    print(f"{len(result.kernels)} kernels, {len(os.sched_getaffinity(0))} cores, Python {platform.python_version()}")
    for each in result.modules:
        print(f"{each.arch!s:<8}{each.seconds:>8.1f} s{each.peak_memory / 2**20:>8.0f} MiB{each.size:>12,} bytes")
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(f"{'all':<8}{seconds:>8.1f} s{own:>8.0f} MiB{size:>12,} bytes")


if __name__ == "__main__":
    main()
