"""Numbers as kernels take them: one rule for every place where a Python or numpy number goes in."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..enums import DataType

__all__ = ["INTEGER_RANGES", "convert"]

INTEGER_RANGES = {
    DataType.I8: (-(2**7), 2**7 - 1),
    DataType.I16: (-(2**15), 2**15 - 1),
    DataType.I32: (-(2**31), 2**31 - 1),
    DataType.I64: (-(2**63), 2**63 - 1),
    DataType.U1: (0, 1),
    DataType.U8: (0, 2**8 - 1),
    DataType.U16: (0, 2**16 - 1),
    DataType.U32: (0, 2**32 - 1),
    DataType.U64: (0, 2**64 - 1),
}


def convert(value: Any, dtype: DataType) -> int | float:
    """A number as what is written for a scalar of `dtype`; half floats as their bits.

    Raises
    ------
    TypeError
        If it is not a number of that kind: a float is no integer, an integer is a float.
    OverflowError
        If an integer does not fit, or is too large for any float.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if dtype in INTEGER_RANGES:
        number = int(value) if isinstance(value, np.bool_) else operator.index(value)
        low, high = INTEGER_RANGES[dtype]
        if not low <= number <= high:
            raise OverflowError(f"{number} does not fit {dtype}")
        return number
    if dtype is DataType.F16 and isinstance(value, np.float16):
        return int(value.view(np.uint16))
    real = isinstance(value, np.floating | np.integer | np.bool_)
    if not real and (isinstance(value, np.ndarray | np.generic) or not hasattr(type(value), "__float__")):
        raise TypeError("not a real number")
    if dtype is DataType.F16:
        with np.errstate(over="ignore"):
            return int(np.float16(float(value)).view(np.uint16))
    return float(value)
