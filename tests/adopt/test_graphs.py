"""What a graph may pass to the kernels that it dispatches, as far as their types differ."""

from __future__ import annotations

import pytest

from taichi_aot import CorruptedDataError
from taichi_aot.adopt.taichi._plans import make_graphs
from taichi_aot.adopt.taichi._types import GraphArgument
from taichi_aot.bundle._info import KernelInfo
from taichi_aot.values._numbers import DataType
from taichi_aot.values._signature import Parameter, Signature

MATRIX, TEXTURE, RW_TEXTURE = 1, 3, 4


def texture(kind, ndim=2, format=""):
    return Parameter("x", kind, ndim=ndim, format=format)


def matrix(dtype, *shape):
    return Parameter("x", "matrix", dtype, elem_shape=shape)


def passed_to(argument, *taken):
    """Return the type of an argument that a graph passes to kernels that take these parameters."""
    kernels = {str(i): KernelInfo(Signature(str(i), (parameter,)), ()) for i, parameter in enumerate(taken)}
    graphs = make_graphs("module", "graphs", [("graph", [(name, [argument]) for name in kernels])], kernels)
    return graphs["graph"].signature.parameters[0].type_name


SAMPLED, STORED = texture("texture"), texture("rw_texture", format="r32f")
UNUSED = texture("rw_texture")  # its code does not state the format


@pytest.mark.parametrize("tag", [TEXTURE, RW_TEXTURE])
@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ([SAMPLED], "texture[2]"),
        ([STORED], "rw_texture[r32f, 2]"),
        ([STORED, UNUSED, SAMPLED], "rw_texture[r32f, 2]"),
        ([SAMPLED, UNUSED, STORED], "rw_texture[r32f, 2]"),
        ([SAMPLED, UNUSED], "rw_texture[2]"),
    ],
    ids=str,
)
def test_kernels_decide_the_kind_of_a_texture(tag, taken, expected):
    assert passed_to(GraphArgument("t", tag, 0, 0, ()), *taken) == expected


@pytest.mark.parametrize(
    ("dtype", "taken", "expected"),
    [
        (DataType.F32, [matrix(DataType.F32, 3), matrix(DataType.F32, 3, 1)], "vector(3, f32)"),
        (DataType.F32, [matrix(DataType.F32, 1, 3), matrix(DataType.F32, 3)], "matrix(1, 3, f32)"),
        (DataType.I8, [matrix(DataType.U8, 2), matrix(DataType.I8, 2)], "vector(2, i8)"),
        (DataType.U64, [matrix(DataType.I64, 2, 2)], "matrix(2, 2, u64)"),
    ],
    ids=str,
)
def test_matrices_of_the_same_bits_are_passed(dtype, taken, expected):
    assert passed_to(GraphArgument("m", MATRIX, dtype, 0, (3, 1)), *taken) == expected


@pytest.mark.parametrize(
    ("argument", "taken", "message"),
    [
        (
            GraphArgument("t", TEXTURE, 0, 0, ()),
            [STORED, texture("rw_texture", 2, "rgba8")],
            r"takes rw_texture\[rgba8",
        ),
        (GraphArgument("t", TEXTURE, 0, 0, ()), [SAMPLED, texture("texture", 3)], r"takes texture\[3\]"),
        (GraphArgument("t", TEXTURE, 0, 0, ()), [matrix(DataType.F32, 2)], r"takes vector\(2, f32\)"),
        (GraphArgument("m", MATRIX, DataType.I32, 0, (2, 1)), [SAMPLED], r"takes texture\[2\]"),
        (
            GraphArgument("m", MATRIX, DataType.I32, 0, (2, 1)),
            [matrix(DataType.F32, 2)],
            r"its argument m: vector\(2, i32\) to a kernel that takes vector\(2, f32\)",
        ),
        (
            GraphArgument("m", MATRIX, DataType.U8, 0, (2, 1)),
            [matrix(DataType.U1, 2)],
            r"its argument m: vector\(2, u8\) to a kernel that takes vector\(2, u1\)",
        ),
        (
            GraphArgument("m", MATRIX, DataType.F32, 0, (2, 3)),
            [matrix(DataType.F32, 2, 3), matrix(DataType.F32, 3, 2)],
            r"its argument m: matrix\(2, 3, f32\) to a kernel that takes matrix\(3, 2, f32\)",
        ),
    ],
    ids=str,
)
def test_other_types_are_refused(argument: GraphArgument, taken: list[Parameter], message: str) -> None:
    with pytest.raises(CorruptedDataError, match=message):
        passed_to(argument, *taken)
