# pyright: basic, reportInvalidTypeForm=false
"""Kernels that copy fields, for `_fields`. The compiler reads their source, and their annotations, which are not types.

Each takes a field, the dtype of its numbers, its shape, the smallest index of each dimension, and its element shape.
Kernels of sparse fields also take the parts of the field, one for each set of bitmasked nodes. A part has a function
from `existence`, and fields of numbers with their places in the element, or the whole field with an empty place. Other
sparse nodes need no test: elements without a cell read as 0.
Kernels skip indices outside the array, because its shape comes from a description, which can be wrong.
"""

from typing import Any

from .._archs import TI as ti  # noqa: N811


def getter(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any) -> Any:
    first, is_inside = ti.Vector(first, ti.i32), _inside(len(shape))

    @ti.kernel
    def get(target: _array(dtype, len(shape), elem_shape)):
        for index in ti.grouped(ti.ndrange(*shape)):
            if is_inside(index, target):
                target[index] = field[index + first]

    return get


def setter(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any) -> Any:
    first, is_inside = ti.Vector(first, ti.i32), _inside(len(shape))

    @ti.kernel
    def put(source: _array(dtype, len(shape), elem_shape)):
        for index in ti.grouped(ti.ndrange(*shape)):
            if is_inside(index, source):
                field[index + first] = source[index]

    return put


def sparse_getter(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any, parts: Any) -> Any:
    """Read 0 where a cell does not exist: a deactivated cell of a bitmasked node keeps its contents."""
    first, is_inside = ti.Vector(first, ti.i32), _inside(len(shape))

    @ti.kernel
    def get(target: _array(dtype, len(shape), elem_shape)):
        for index in ti.grouped(ti.ndrange(*shape)):
            if is_inside(index, target):
                element = ti.cast(ti.zero(target[index]), dtype)
                for exists, fields in ti.static(parts):
                    if exists(index):
                        for place, part in ti.static(fields):
                            if ti.static(place):
                                element[place] = part[index + first]
                            else:
                                element = part[index + first]
                target[index] = element

    return get


def sparse_setter(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any, parts: Any) -> Any:
    """Skip zeros (all bits 0) where a cell does not exist, so that writing 0 does not create cells.

    Zeros come last: a bitmasked cell that another element creates still has its old contents.
    """
    first, is_inside = ti.Vector(first, ti.i32), _inside(len(shape))
    has_bits = _has_bits(dtype, elem_shape)
    tested = [
        (exists, [(part, _has_bits(dtype, () if place else elem_shape)) for place, part in fields])
        for exists, fields in parts
    ]

    @ti.kernel
    def put(source: _array(dtype, len(shape), elem_shape)):
        for index in ti.grouped(ti.ndrange(*shape)):
            if is_inside(index, source):  # noqa: SIM102  # the compiler may evaluate both sides of "and"
                if has_bits(source[index]):
                    field[index + first] = source[index]
        for index in ti.grouped(ti.ndrange(*shape)):
            if is_inside(index, source):  # noqa: SIM102
                if not has_bits(source[index]):
                    for exists, fields in ti.static(tested):
                        if exists(index):
                            for part, part_has_bits in ti.static(fields):
                                old = part[index + first]
                                if part_has_bits(old):
                                    part[index + first] = ti.cast(ti.zero(old), dtype)

    return put


def gatherer(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any) -> Any:
    """List the elements of a sparse field other than 0, in any order, as far as the arrays have room; count all."""
    first, has_bits = ti.Vector(first, ti.i32), _has_bits(dtype, elem_shape)

    @ti.kernel
    def gather(count: _array(ti.i32, 1), indices: _array(ti.i32, 2), values: _array(dtype, 1, elem_shape)):
        for index in ti.grouped(field):
            element = field[index]
            if has_bits(element):
                place = ti.atomic_add(count[0], 1)
                if place < indices.shape[0] and place < values.shape[0]:
                    for axis in ti.static(range(len(shape))):
                        indices[place, axis] = index[axis] - first[axis]
                    values[place] = element

    return gather


def scatterer(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any) -> Any:
    first, sizes = ti.Vector(first, ti.i32), tuple(shape)

    @ti.kernel
    def scatter(indices: _array(ti.i32, 2), values: _array(dtype, 1, elem_shape)):
        for place in range(ti.min(indices.shape[0], values.shape[0])):
            index = ti.Vector.zero(ti.i32, len(sizes))
            inside = True
            for axis in ti.static(range(len(sizes))):
                index[axis] = indices[place, axis]
                inside = inside and 0 <= index[axis] < sizes[axis]
            if inside:
                field[index + first] = values[place]

    return scatter


def getter_of_one(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any) -> Any:
    @ti.kernel
    def get(target: _array(dtype, len(shape), elem_shape)):
        target[None] = field[None]

    return get


def setter_of_one(field: Any, dtype: Any, shape: Any, first: Any, elem_shape: Any) -> Any:
    @ti.kernel
    def put(source: _array(dtype, len(shape), elem_shape)):
        field[None] = source[None]

    return put


def existence(nodes: Any) -> Any:
    """Return a function that tells whether bitmasked nodes have cells for an element; its index counts from 0.

    Each node comes with its axes: their indices among the field's axes, and the length of a cell in elements.
    """

    @ti.func
    def exists(index: ti.template()):
        found = True
        for node, axes in ti.static(nodes):
            found = found and ti.is_active(node, [index[axis] // length for axis, length in ti.static(axes)])
        return found

    return exists


def _has_bits(dtype: Any, elem_shape: Any) -> Any:
    integers = {ti.f16: ti.i16, ti.f32: ti.i32, ti.f64: ti.i64}  # of the same size
    bits = integers.get(dtype, dtype)

    @ti.func
    def number_has_bits(number):
        return ti.bit_cast(number, bits) != 0

    @ti.func
    def element_has_bits(element):
        return (ti.bit_cast(element, bits) != 0).any()

    return element_has_bits if elem_shape else number_has_bits


def _inside(ndim: int) -> Any:
    @ti.func
    def is_inside(index: ti.template(), array: ti.template()):
        inside = True
        for i in ti.static(range(ndim)):
            inside = inside and index[i] < array.shape[i]
        return inside

    return is_inside


def _array(dtype: Any, ndim: int, elem_shape: Any = ()) -> Any:
    if elem_shape:
        dtype = (ti.types.vector if len(elem_shape) == 1 else ti.types.matrix)(*elem_shape, dtype)
    return ti.types.ndarray(dtype=dtype, ndim=ndim)
