"""Return values, which the C-API cannot fetch: the private copy of a module passes their memory as one more ndarray.

The code of a kernel writes its return values into a buffer of the library. In the copy that buffer is an ndarray, whose
argument follows all others: in gfx modules the binding refers to it, in LLVM modules the code takes the address from it
(`llvm/_result_code`). A kernel whose types or code are not as expected is not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...bundle._plan import ResultLayout
from ...values._enums import DataType, numpy_dtype
from ._types import Struct, Tensor, Type, data_type, laid_out, size_of

AnyDType = np.dtype[Any]


def return_layout(struct: Struct, size: int, dtype: AnyDType | None, family: str) -> ResultLayout | None:
    """The layout of return values, which the code of a kernel writes as this struct into a buffer of `size` bytes.

    `dtype` is that of `KernelInfo.return_dtype`. None if there are none, or if they are not where code expects them.
    """
    if dtype is None or (family == "llvm" and struct != laid_out(struct)):
        return None
    padded = -(-size // 4) * 4
    return ResultLayout(padded, _stored_struct(struct, padded, dtype, family), dtype)


def _stored_struct(struct: Struct, size: int, dtype: AnyDType, family: str) -> AnyDType:
    return placed_dtype(struct, [_stored(member.type, dtype[member.name], family) for member in struct.members], size)


def placed_dtype(struct: Struct, formats: Sequence[AnyDType], size: int) -> AnyDType:
    """A struct as a numpy type of `size` bytes, with its members of these types where they are."""
    names = [member.name for member in struct.members]
    offsets = [member.offset for member in struct.members]
    parts: Any = {"names": names, "formats": list(formats), "offsets": offsets, "itemsize": size}
    placed: AnyDType = np.dtype(parts)
    return placed


def number_dtype(dtype: DataType | None, shape: tuple[int, ...]) -> AnyDType | None:
    """A number, vector or matrix as a numpy type; None if it has none."""
    if dtype is None or len(shape) > 2 or min(shape, default=1) < 1:
        return None
    if len(shape) == 2 and shape[1] == 1:  # how the compiler states a vector
        shape = shape[:1]
    return np.dtype((numpy_dtype(dtype), shape))


def _stored(type_: Type, dtype: AnyDType, family: str) -> AnyDType:
    """Return the numpy type that a kernel writes for a type in Python."""
    if isinstance(type_, Struct):
        return _stored_struct(type_, size_of(type_, family), dtype, family)
    if dtype.base.kind == "b":
        return np.dtype((np.int32 if family == "gfx" else np.uint8, dtype.shape))
    return dtype


def return_dtype(struct: Struct) -> AnyDType | None:
    """The types of return values, or of the members of one, as a struct; None if there are none, or numpy lacks one."""
    names = [member.name for member in struct.members]
    types = [dtype for member in struct.members if (dtype := _dtype(member.type)) is not None]
    if not names or len(types) < len(names) or len({"", *names}) <= len(names):
        return None
    return np.dtype((np.record, list(zip(names, types, strict=True))))


def _dtype(type_: Type) -> AnyDType | None:
    if isinstance(type_, Struct):
        return return_dtype(type_)
    element, shape = (type_.element, type_.shape) if isinstance(type_, Tensor) else (type_, ())
    return number_dtype(data_type(element), shape)
