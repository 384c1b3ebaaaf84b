"""The kernel and the compute graph for the two programs in this folder.

Compile them for x64 with

    python -m taichi_aot build examples/howto/kernels.py -o howto.tcm --arch x64
"""

import taichi as ti

from taichi_aot.build import export

MATRICES = ti.types.ndarray(dtype=ti.types.matrix(4, 4, ti.f32), ndim=1)


@export
@ti.kernel
def foo(offset: ti.i32, scale: ti.f32, matrices: MATRICES):
    for i in matrices:
        for j, k in ti.static(ti.ndrange(4, 4)):
            matrices[i][j, k] = offset + scale * i + j * 4 + k


def _bar() -> ti.graph.Graph:
    """Build a graph of one dispatch, whose arguments have their own names."""
    kind = ti.graph.ArgKind
    builder = ti.graph.GraphBuilder()
    builder.dispatch(
        foo,
        ti.graph.Arg(kind.SCALAR, "foo", ti.i32),
        ti.graph.Arg(kind.SCALAR, "bar", ti.f32),
        ti.graph.Arg(kind.NDARRAY, "baz", ti.types.matrix(4, 4, ti.f32), ndim=1),
    )
    return builder.compile()


bar = _bar()
