# pyright: basic, reportInvalidTypeForm=false
"""Kernels that copy fields of Quadrants. The compiler reads their source, and annotations that are not types.

They skip indices outside the array, because its shape comes from a description, which can be wrong.
"""

import math
from typing import Any

from .._options import BuildError
from ..compile._fields import LARGEST_ARRAY, compute_type


def parts_of(name: str, field: Any) -> list[tuple[str, Any]]:
    """Return a field, or the fields of the members of one of structs, by their paths."""
    if not hasattr(field, "get_member_field"):
        return [(name, field)]
    return [part for key in field.keys for part in parts_of(f"{name}.{key}", field.get_member_field(key))]


def accessors_of(qd: Any, name: str, field: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the description of a field, and the kernels that copy it to and from an array, by name.

    BuildError if it is no field of numbers, vectors or matrices in dense nodes.
    """
    if not hasattr(field, "vars") or not hasattr(field, "snode"):
        raise BuildError(f"field {name} is a {type(field).__name__}: export a field of numbers, vectors or matrices")
    node = field.snode.ptr
    if node is None or field.vars[0].ptr.snode() is None:
        raise BuildError(f"field {name} is not placed: give it a shape, or place it below qd.root")
    shape = tuple(int(each) for each in field.shape)
    elem_shape = (field.n, field.m)[: field.ndim] if hasattr(field, "ndim") else ()
    dtype = compute_type(str(field.dtype))
    described = {"name": name, "dtype": dtype, "shape": list(shape), "elem_shape": list(elem_shape)}
    if math.prod(shape) * math.prod(elem_shape) > LARGEST_ARRAY:
        return {**described, "get": "", "set": ""}, {}
    get, put = _kernels(qd, field, getattr(qd, dtype), shape, elem_shape)
    names = {"get": f"taichi_aot_get_{name}", "set": f"taichi_aot_set_{name}"}
    return {**described, **names}, {names["get"]: get, names["set"]: put}


def _kernels(qd: Any, field: Any, dtype: Any, shape: Any, elem_shape: Any) -> tuple[Any, Any]:
    if elem_shape:
        dtype = (qd.types.vector if len(elem_shape) == 1 else qd.types.matrix)(*elem_shape, dtype)
    array, ndim = qd.types.ndarray(dtype=dtype, ndim=len(shape)), len(shape)
    if not shape:

        @qd.kernel
        def get_one(target: array):
            target[None] = field[None]

        @qd.kernel
        def set_one(source: array):
            field[None] = source[None]

        return get_one, set_one

    @qd.func
    def is_inside(index: qd.template(), data: qd.template()):
        inside = True
        for i in qd.static(range(ndim)):
            inside = inside and index[i] < data.shape[i]
        return inside

    @qd.kernel
    def get(target: array):
        for index in qd.grouped(qd.ndrange(*shape)):
            if is_inside(index, target):
                target[index] = field[index]

    @qd.kernel
    def put(source: array):
        for index in qd.grouped(qd.ndrange(*shape)):
            if is_inside(index, source):
                field[index] = source[index]

    return get, put
