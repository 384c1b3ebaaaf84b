"""Graphs of kernels, for sources of modules."""

import taichi as ti


def graph(*dispatches):
    """Return the graph of these dispatches, each a kernel and its arguments."""
    builder = ti.graph.GraphBuilder()
    for dispatch in dispatches:
        builder.dispatch(*dispatch)
    return builder.compile()


def scalar(name, dtype=ti.f32):
    return ti.graph.Arg(ti.graph.ArgKind.SCALAR, name, dtype)


def matrix(name, dtype):
    """Return an argument that is a matrix or a vector."""
    return ti.graph.Arg(ti.graph.ArgKind.MATRIX, name, dtype)


def array(name, dtype=ti.f32, ndim=1):
    return ti.graph.Arg(ti.graph.ArgKind.NDARRAY, name, dtype, ndim=ndim)


def texture(name, ndim=2):
    return ti.graph.Arg(ti.graph.ArgKind.TEXTURE, name, ndim=ndim)


def rw_texture(name, fmt, ndim=2):
    return ti.graph.Arg(ti.graph.ArgKind.RWTEXTURE, name, fmt=fmt, ndim=ndim)
