"""Arguments that the C-API cannot pass by their own type: they are passed as 32-bit words.

A launch through the C-API cannot pass 64-bit scalars, writes 8-bit elements with 16 bits, and copies at most 128
bytes of a matrix. It only copies a value to the offset in the module's argument struct. In the copy of a module that
is passed to the library, 64-bit scalars, vectors and matrices are therefore structs of 32-bit words at the same
offset; the kernel's code is unchanged. Words beyond the 32nd are passed as overflow arguments, which follow the
kernel's arguments.
"""

from __future__ import annotations

import math

from ..dtypes import numpy_dtype
from ..enums import DataType
from ..signature import Parameter

__all__ = ["WORDS_PER_ARGUMENT", "byte_size", "end_of_write", "item_size", "word_argument_name", "word_counts"]

WORDS_PER_ARGUMENT = 32


def item_size(dtype: DataType, family: str) -> int:
    """Bytes of a number in the argument struct: booleans have 4 in SPIR-V."""
    return 4 if dtype is DataType.U1 and family == "gfx" else numpy_dtype(dtype).itemsize


def byte_size(parameter: Parameter, family: str) -> int:
    """Bytes of a scalar or matrix in the argument struct."""
    assert parameter.dtype is not None
    return math.prod(parameter.elem_shape) * item_size(parameter.dtype, family)


def word_counts(parameter: Parameter, family: str) -> tuple[int, ...]:
    """The number of words in each argument for a parameter; empty if it is passed by its own type."""
    if parameter.kind not in ("scalar", "matrix") or parameter.dtype is None:
        return ()
    if parameter.kind == "scalar" and item_size(parameter.dtype, family) <= 4:
        return ()
    words = -(-byte_size(parameter, family) // 4)
    return tuple(min(WORDS_PER_ARGUMENT, words - i) for i in range(0, words, WORDS_PER_ARGUMENT))


def end_of_write(parameter: Parameter, family: str, offset: int, *, as_words: bool = True) -> int:
    """Where a launch stops writing a scalar or matrix that starts at `offset`; 0 for other kinds.

    Smaller scalars are also written with 32 bits. The next argument overwrites the excess bits, but after the last
    argument the block must have room for them. By its own type (not `as_words`) each number of 8 bits in a matrix is
    written with 16.
    """
    if parameter.kind not in ("scalar", "matrix"):
        return 0
    return offset + 4 * (sum(word_counts(parameter, family)) or 1) + 4 * (not as_words)


def word_argument_name(name: str, i: int) -> str:
    """Name of the i-th graph argument for a parameter."""
    return f"{name}#{i}" if i else name
