"""A source with every kind of argument; textures are added where the arch has them."""

import taichi as ti
from helpers import compile_modules as kinds
from helpers.graphs import array, graph

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
    kinds.forth,
):
    export(kernel)

export(shapes={"y": "n", "x": "n"})(kinds.back)


INNER = ti.types.argpack(scale=ti.f32, y=ti.types.ndarray(ti.u32, 1))
OUTER = ti.types.argpack(z=ti.types.ndarray(ti.i32, 2), inner=INNER, x=kinds.F32_1D)
MORE = ti.types.argpack(w=ti.types.ndarray(ti.math.vec3, 1))


@export
@ti.kernel
def takes_packs_of_arrays(n: ti.i32, p: OUTER, out: kinds.F32_1D, q: MORE):
    for i in out:
        out[i] = n + p.z[i, 0] + p.inner.y[i] + p.x[i] + q.w[i][0]


@export
@ti.kernel
def show(x: kinds.F32_1D):
    for i in x:
        print("x", x[i])


@ti.kernel
def double(x: ti.types.ndarray(ndim=1)):
    for i in x:
        x[i] = 2 * x[i]


@ti.data_oriented
class Left:
    @ti.kernel
    def clear(self, left: kinds.F32_1D):
        for i in left:
            left[i] = 0


@ti.data_oriented
class Right:
    @ti.kernel
    def clear(self, right: kinds.F32_1D):
        for i in right:
            right[i] = 0


def build(module):
    module.add_kernel(Right().clear, name="clear_right")
    module.add_kernel(Left().clear)  # the compiler named the first one's code like this
    # The graph compiles the i32 instance first; it is compiled again between the two f32 instances.
    of_integers = graph((double, array("x", ti.i32)))
    module.add_kernel(double, {"x": ti.types.ndarray(ti.f32, 1)}, "double_f32")
    module.add_kernel(double, {"x": ti.ndarray(ti.i32, 1)}, "double_i32")
    module.add_kernel(double, {"x": ti.types.ndarray(ti.f32, 1)}, "again")
    module.add_graph("double_graph", of_integers)
    first, second = array("first"), array("second")
    module.add_graph("there_and_back", graph((kinds.forth, first, second), (kinds.back, second, first)))
    if ti.cfg.arch == ti.vulkan:
        module.add_kernel(kinds.store_texels)
        module.add_kernel(kinds.fetch_texels)
