"""A source with every way to export; `conftest.py` builds it once."""

import constants
import taichi as ti

import taichi_aot.build
from taichi_aot.build import export

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)

ti.init(arch=ti.cuda, cpu_max_num_threads=5, debug=True)


@export(shapes={"x": "n", "y": ("n",)})
@ti.kernel
def saxpy(a: ti.f32, x: F32_1D, y: F32_1D):
    """Add a * x to y."""
    for i in y:
        y[i] = a * x[i] + y[i]


@ti.kernel
@export("dot")
def dot_product(x: F32_1D, y: F32_1D) -> ti.f32:
    result = 0.0
    for i in x:
        result += x[i] * y[i]
    return result


@ti.aot.export
@ti.kernel
def fill(x: ti.types.ndarray(dtype=ti.i32, ndim=1)):
    for i in x:
        x[i] = constants.ANSWER


@ti.aot.export_as("scaled")
@ti.kernel
def scale(m: ti.types.matrix(2, 2, ti.f32), x: F32_1D):
    for i in x:
        x[i] *= m[0, 1]


@taichi_aot.build.export(template_types={"step": 3, "out": ti.types.ndarray(dtype=ti.f32, ndim=1)})
@ti.kernel
def count(step: ti.template(), out: ti.types.ndarray()):
    for i in out:
        out[i] = step * i


@export(shapes={"m": ("rows", 3), "x": "rows"})
@ti.kernel
def rows(m: ti.types.ndarray(dtype=ti.f32, ndim=2), x: F32_1D):
    for i, j in m:
        m[i, j] = x[i]


@ti.kernel
def power(exponent: ti.template(), x: F32_1D):
    for i in x:
        x[i] = x[i] ** exponent


@ti.data_oriented
class Box:
    def __init__(self, size):
        self.size = size

    @ti.kernel
    def put(self, x: F32_1D):
        for i in x:
            x[i] = self.size


_a = ti.graph.Arg(ti.graph.ArgKind.SCALAR, "a", ti.f32)
_x = ti.graph.Arg(ti.graph.ArgKind.NDARRAY, "x", ti.f32, ndim=1)
_y = ti.graph.Arg(ti.graph.ArgKind.NDARRAY, "y", ti.f32, ndim=1)
_builder = ti.graph.GraphBuilder()
_builder.dispatch(saxpy, _a, _x, _y)
_builder.dispatch(saxpy, _a, _x, _y)
twice = _builder.compile()

_z, _u, _v = (ti.graph.Arg(ti.graph.ArgKind.NDARRAY, name, ti.f32, ndim=1) for name in "zuv")
_m = ti.graph.Arg(ti.graph.ArgKind.NDARRAY, "m", ti.f32, ndim=2)
_builder = ti.graph.GraphBuilder()
_builder.dispatch(saxpy, _a, _x, _y)
_builder.dispatch(saxpy, _a, _u, _v)
_builder.dispatch(saxpy, _a, _y, _z)
_builder.dispatch(rows, _m, _z)
chain = _builder.compile()


def build(module):
    module.add_kernel(power, template_args={"exponent": 2}, name="square")
    module.add_kernel(power, template_args={"exponent": 3}, name="cube", shapes={"x": 4})
    module.add_kernel(Box(5).put)
    with module.add_kernel_template(power) as template:
        template.instantiate(exponent=4)
    module.add_graph("again", twice)


if __name__ == "__main__":
    raise AssertionError("a build does not run the source as a program")
