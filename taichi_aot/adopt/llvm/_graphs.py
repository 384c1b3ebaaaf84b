"""``graphs.tcb``, the compute graphs of an LLVM module."""

from __future__ import annotations

import struct
from typing import TypeAlias

from ...bundle._files import LLVM_GRAPHS
from ..taichi._parameters import GraphArgument
from ._tcb import Reader, encode_string, with_header

Graphs: TypeAlias = list[tuple[str, list[tuple[str, list[GraphArgument]]]]]  # name, then kernel and arguments


def read_graphs(data: bytes) -> Graphs:
    """Read the graphs, which are not checked against the kernels yet."""
    reader = Reader(LLVM_GRAPHS, data)
    reader.start()

    def argument() -> GraphArgument:
        name, dtype, ndim, tag = reader.string(), reader.i32(), reader.u64(), reader.i32()
        elem_shape = tuple(reader.integers())
        reader.u64()  # number of channels: uninitialized except for textures
        return GraphArgument(name, tag, dtype, ndim, elem_shape)

    def dispatch() -> tuple[str, list[GraphArgument]]:
        return reader.string(), reader.list_of(argument, 40)

    def graph() -> tuple[str, list[tuple[str, list[GraphArgument]]]]:
        return reader.string(), reader.list_of(dispatch, 16)

    graphs = reader.list_of(graph, 16)
    reader.end()
    return graphs


def encode_graphs(graphs: Graphs) -> bytes:
    """Graphs as `read_graphs` reads them, with 0 in place of the numbers that are uninitialized."""
    parts = [struct.pack("<Q", len(graphs))]
    for name, dispatches in graphs:
        parts += [encode_string(name), struct.pack("<Q", len(dispatches))]
        for kernel, arguments in dispatches:
            parts += [encode_string(kernel), struct.pack("<Q", len(arguments)), *map(_encode_argument, arguments)]
    return with_header(b"".join(parts))


def _encode_argument(a: GraphArgument) -> bytes:
    shape = struct.pack(f"<Q{len(a.elem_shape)}i", len(a.elem_shape), *a.elem_shape)
    return encode_string(a.name) + struct.pack("<iQi", a.dtype, a.ndim, a.tag) + shape + struct.pack("<Q", 0)
