"""A source with every kind of argument; textures are added where the arch has them."""

import taichi as ti
from helpers import compile_modules as kinds

from taichi_aot.build import export

for kernel in (
    kinds.no_dimensions,
    kinds.write_no_dimensions,
    kinds.vectors_of_one,
    kinds.größe,
    kinds.with_gradient,
    kinds.takes_struct,
    kinds.takes_pack,
    kinds.several_returns,
    kinds.small_mixed,
    kinds.large,
):
    export(kernel)


@export
@ti.kernel
def show(x: kinds.F32_1D):
    for i in x:
        print("x", x[i])


@ti.kernel
def double(x: ti.types.ndarray(ndim=1)):
    for i in x:
        x[i] = 2 * x[i]


def build(module):
    # The instance for i32 is compiled first, by a graph, and again between the two that are added.
    builder = ti.graph.GraphBuilder()
    builder.dispatch(double, ti.graph.Arg(ti.graph.ArgKind.NDARRAY, "x", ti.i32, ndim=1))
    module.add_kernel(double, {"x": ti.types.ndarray(ti.f32, 1)}, "double_f32")
    module.add_kernel(double, {"x": ti.ndarray(ti.i32, 1)}, "double_i32")
    module.add_kernel(double, {"x": ti.types.ndarray(ti.f32, 1)}, "again")
    module.add_graph("double_graph", builder.compile())
    if ti.cfg.arch == ti.vulkan:
        module.add_kernel(kinds.store_texels)
        module.add_kernel(kinds.fetch_texels)
