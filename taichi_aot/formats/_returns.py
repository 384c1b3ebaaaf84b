"""The types of return values in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..values._dtypes import numpy_dtype
from ._types import Struct, Tensor, Type, data_type

__all__ = ["return_dtype"]


def return_dtype(struct: Struct) -> np.dtype[Any] | None:
    """The types of return values, or of the members of one, as a struct with a field for each.

    None if there are none, or if numpy has no type for one.
    """
    names = [member.name for member in struct.members]
    types = [dtype for member in struct.members if (dtype := _dtype(member.type)) is not None]
    if not names or len(types) < len(names) or len({"", *names}) <= len(names):
        return None
    return np.dtype((np.record, list(zip(names, types, strict=True))))


def _dtype(type_: Type) -> np.dtype[Any] | None:
    if isinstance(type_, Struct):
        return return_dtype(type_)
    element, shape = (type_.element, type_.shape) if isinstance(type_, Tensor) else (type_, ())
    dtype = data_type(element)
    if dtype is None or len(shape) > 2 or min(shape, default=1) < 1:
        return None
    if len(shape) == 2 and shape[1] == 1:  # how the compiler states a vector
        shape = shape[:1]
    return np.dtype((numpy_dtype(dtype), shape))
