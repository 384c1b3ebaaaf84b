"""Arguments that the C-API cannot pass by their own type: they are passed as 32-bit words.

A launch through the C-API cannot pass 64-bit scalars, writes 8-bit elements with 16 bits, and copies at most 128
bytes of a matrix. It only copies a value to the offset in the module's argument struct. In the copy of a module that
is passed to the library, 64-bit scalars, vectors, matrices and structs are therefore structs of 32-bit words at the
same offset; the kernel's code is unchanged. Words beyond the 32nd are passed as overflow arguments, which follow the
kernel's arguments.
"""

from __future__ import annotations

import math

from ._dtypes import item_size
from ._signature import Parameter, Words

WORDS_PER_ARGUMENT = 32


def byte_size(parameter: Parameter, family: str) -> int:
    """Bytes of a scalar, matrix or struct in the argument struct."""
    if parameter.layout is not None:
        return parameter.layout.itemsize
    assert parameter.dtype is not None
    return math.prod(parameter.elem_shape) * item_size(parameter.dtype, family)


def word_counts(parameter: Parameter, family: str, words: Words = Words.ALL) -> tuple[int, ...]:
    """The number of words in each argument for a parameter; empty if it is passed by its own type."""
    if parameter.layout is None and (parameter.kind not in ("scalar", "matrix") or parameter.dtype is None):
        return ()
    if words is Words.NONE:
        return ()
    if parameter.kind == "scalar" and byte_size(parameter, family) <= 4:
        return ()
    total = -(-byte_size(parameter, family) // 4)
    return tuple(min(WORDS_PER_ARGUMENT, total - i) for i in range(0, total, WORDS_PER_ARGUMENT))


def end_of_write(parameter: Parameter, family: str, offset: int, words: Words = Words.ALL) -> int:
    """Where a launch stops writing a scalar, matrix or struct that starts at `offset`; 0 for other kinds.

    Smaller scalars are also written with 32 bits. The next argument overwrites the excess bits, but after the last
    argument the block must have room for them. By its own type each number of 8 bits in a matrix is written with 16.
    """
    if parameter.layout is None and parameter.kind not in ("scalar", "matrix"):
        return 0
    by_own_type = parameter.kind == "matrix" and words is Words.NONE
    return offset + 4 * (sum(word_counts(parameter, family)) or 1) + 4 * by_own_type


def word_argument_name(name: str, i: int) -> str:
    """Name of the i-th graph argument for a parameter."""
    return f"{name}#{i}" if i else name
