"""Compile a small module with a graph and a field; run as a child process, from any folder.

    python compile_small.py ARCH PATH

The compiler reads annotations, so there is no ``from __future__``.
"""

import sys

import taichi as ti

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)


def main(arch_name: str, path: str) -> None:
    # A first compilation has other attributes in its LLVM IR than later ones, which read the cache.
    ti.init(arch=getattr(ti, arch_name), offline_cache=False, log_level=ti.ERROR)
    field = ti.Vector.field(3, ti.f32, shape=(4, 4))

    @ti.kernel
    def scale(a: ti.f32, x: F32_1D, y: F32_1D):
        for i in y:
            y[i] = a * x[i] + field[0, 0][0]

    @ti.kernel
    def total(x: F32_1D) -> ti.f32:
        result = 0.0
        for i in x:
            result += x[i]
        return result

    module = ti.aot.Module()
    module.add_field("field", field)
    module.add_kernel(total)
    module.add_kernel(scale)
    kind = ti.graph.ArgKind
    x, y = (ti.graph.Arg(kind.NDARRAY, name, ti.f32, ndim=1) for name in "xy")
    builder = ti.graph.GraphBuilder()
    builder.dispatch(scale, ti.graph.Arg(kind.SCALAR, "a", ti.f32), x, y)
    module.add_graph("once", builder.compile())
    module.archive(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
