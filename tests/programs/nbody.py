"""Bodies that attract each other; a graph runs both kernels of a step."""

import taichi as ti

from taichi_aot.build import export

BODIES = ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=1)
SOFT = 0.01


@export(shapes={"x": "n", "v": "n"})
@ti.kernel
def attract(dt: ti.f32, x: BODIES, v: BODIES):
    for i in x:
        acceleration = ti.Vector([0.0, 0.0, 0.0])
        for j in range(x.shape[0]):
            between = x[j] - x[i]
            acceleration += between / (between.norm_sqr() + SOFT) ** 1.5
        v[i] += dt * acceleration


@export(shapes={"x": "n", "v": "n"})
@ti.kernel
def move(dt: ti.f32, x: BODIES, v: BODIES):
    for i in x:
        x[i] += dt * v[i]


_dt = ti.graph.Arg(ti.graph.ArgKind.SCALAR, "dt", ti.f32)
_x, _v = (ti.graph.Arg(ti.graph.ArgKind.NDARRAY, name, ti.types.vector(3, ti.f32), ndim=1) for name in "xv")
_builder = ti.graph.GraphBuilder()
_builder.dispatch(attract, _dt, _x, _v)
_builder.dispatch(move, _dt, _x, _v)
step = _builder.compile()
