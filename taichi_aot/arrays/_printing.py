"""Values of arrays as text, of which only those that are shown are read from the device; imported on demand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ..driver._library import keeping_failures
from ..handles._memory import MemoryHandle
from ._layout import ArrayLayout, c_strides

if TYPE_CHECKING:
    import numpy.typing as npt

MOST = 10_000  # numbers in a text, whatever numpy's options
WHOLE = 1 << 16  # bytes of rows that are read whole


def summary(memory: MemoryHandle, layout: ArrayLayout, offset: int) -> str:
    """Return the text that numpy prints for the numbers at this offset of the memory, after waiting for the device."""
    return keeping_failures(lambda: _text(memory, layout, offset))


def _text(memory: MemoryHandle, layout: ArrayLayout, offset: int) -> str:
    options = np.get_printoptions()
    if layout.size <= min(options["threshold"], MOST):
        numbers = np.empty(layout.numpy_shape, layout.dtype)
        memory.read(numbers, offset)
        return str(numbers)
    edge = options["edgeitems"]
    while edge > 1 and math.prod(min(size, 2 * edge) for size in layout.numpy_shape) > MOST:
        edge -= 1
    return np.array2string(_edges(memory, layout, offset, edge), threshold=0, edgeitems=edge)


def _edges(memory: MemoryHandle, layout: ArrayLayout, offset: int, edge: int) -> npt.NDArray[Any]:
    """Return the numbers at both ends of each dimension; numpy leaves out the one between them."""
    sizes, strides = layout.numpy_shape, c_strides(layout)
    kept: list[Sequence[int]] = [range(n) if n <= 2 * edge else [*range(edge + 1), *range(n - edge, n)] for n in sizes]
    outer = next(i for i in range(len(sizes) + 1) if layout.dtype.itemsize * math.prod(sizes[i:]) <= WHOLE)
    rows = np.empty(sizes[outer:], layout.dtype)
    result = np.empty([len(each) for each in kept], layout.dtype)
    for place in product(*map(range, result.shape[:outer])):
        begin = sum(kept[axis][i] * stride for axis, (i, stride) in enumerate(zip(place, strides, strict=False)))
        memory.read(rows, offset + begin)
        result[place] = rows[np.ix_(*kept[outer:])]
    return result
