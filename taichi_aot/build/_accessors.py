# pyright: basic, reportInvalidTypeForm=false
"""Kernels that copy fields, for `_fields`. The compiler reads their source, and their annotations, which are not types.

Each takes a field, the dtype of its numbers, its shape, the smallest index of each dimension, and its element shape.
What is outside of the array is left out: its shape comes from a description, which can be wrong.
"""

from typing import Any

from ._taichi import TI as ti  # noqa: N811

BITS = {ti.f16: ti.i16, ti.f32: ti.i32, ti.f64: ti.i64}  # the integer of the same size


def getter(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any) -> Any:
    first, is_inside = ti.Vector(first, ti.i32), _inside(len(shape))

    @ti.kernel
    def get(target: _array(dtype, shape, elem_shape)):
        for index in ti.grouped(ti.ndrange(*shape)):
            if is_inside(index, target):
                target[index] = field[index + first]

    return get


def setter(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any) -> Any:
    first, is_inside = ti.Vector(first, ti.i32), _inside(len(shape))

    @ti.kernel
    def put(source: _array(dtype, shape, elem_shape)):
        for index in ti.grouped(ti.ndrange(*shape)):
            if is_inside(index, source):
                field[index + first] = source[index]

    return put


def sparse_setter(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any) -> Any:
    """Leaves elements alone that hold the same bits, so that zeros do not create cells."""
    first, is_inside = ti.Vector(first, ti.i32), _inside(len(shape))
    bits = BITS.get(dtype, dtype)

    @ti.func
    def numbers_differ(old, new):
        return ti.bit_cast(old, bits) != ti.bit_cast(new, bits)

    @ti.func
    def elements_differ(old, new):
        return (ti.bit_cast(old, bits) != ti.bit_cast(new, bits)).any()

    differ = elements_differ if elem_shape else numbers_differ

    @ti.kernel
    def put(source: _array(dtype, shape, elem_shape)):
        for index in ti.grouped(ti.ndrange(*shape)):
            if is_inside(index, source):  # noqa: SIM102  # the compiler may evaluate both sides of "and"
                if differ(field[index + first], source[index]):
                    field[index + first] = source[index]

    return put


def getter_of_one(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any) -> Any:
    @ti.kernel
    def get(target: _array(dtype, shape, elem_shape)):
        target[None] = field[None]

    return get


def setter_of_one(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any) -> Any:
    @ti.kernel
    def put(source: _array(dtype, shape, elem_shape)):
        field[None] = source[None]

    return put


def _inside(ndim: int) -> Any:
    @ti.func
    def is_inside(index: ti.template(), array: ti.template()):
        inside = True
        for i in ti.static(range(ndim)):
            inside = inside and index[i] < array.shape[i]
        return inside

    return is_inside


def _array(dtype: Any, shape: Any, elem_shape: Any) -> Any:
    if elem_shape:
        dtype = (ti.types.vector if len(elem_shape) == 1 else ti.types.matrix)(*elem_shape, dtype)
    return ti.types.ndarray(dtype=dtype, ndim=len(shape))
