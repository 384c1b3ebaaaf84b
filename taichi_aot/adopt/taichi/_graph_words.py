"""The arguments that compute graphs pass in a private copy."""

from __future__ import annotations

import math

from ...values._enums import DataType
from ...values._signature import Parameter, Words
from ...values._words import word_argument_name, word_counts
from ._graphs import MATRIX, NDARRAY, TEXTURE_TAGS
from ._parameters import GraphArgument


def graph_words(argument: GraphArgument, taken: Parameter, family: str, words: Words) -> list[GraphArgument]:
    """The arguments that replace one of a dispatch in a private copy; see `_words`."""
    if argument.tag == NDARRAY and taken.dtype is DataType.U1:  # the library's graphs know no ndarrays of u1
        return [argument._replace(dtype=int(DataType.U8), elem_shape=taken.elem_shape)]
    if argument.tag == NDARRAY:
        return [argument._replace(elem_shape=taken.elem_shape)]
    if taken.kind in TEXTURE_TAGS:  # the library passes the extent of an rw_texture only
        return [argument._replace(tag=TEXTURE_TAGS[taken.kind])]
    counts = word_counts(taken, family, words)
    if argument.tag == MATRIX and not counts:  # the library reads two sizes
        return [argument._replace(elem_shape=(math.prod(taken.elem_shape), 1))]
    return [
        GraphArgument(word_argument_name(argument.name, i), MATRIX, int(DataType.I32), 0, (count, 1))
        for i, count in enumerate(counts)
    ] or [argument]
