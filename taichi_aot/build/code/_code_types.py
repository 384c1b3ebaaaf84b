"""The layout of types in LLVM code, as the code's target lays them out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ...adopt.llvm._instructions import check
from ...values._enums import DTYPES

SIZES = {row.llvm: row.numpy.itemsize for row in DTYPES.values()}
POINTER_BYTES = 8
MOST_ELEMENTS, DEEPEST = 4096, 16
TOKEN = re.compile(r"[{}\[\],*]|\w+|[^\s\w]")


class CodeType(NamedTuple):
    """A type in code."""

    size: int
    alignment: int
    members: tuple[tuple[int, CodeType], ...] = ()  # the offset and the type of each; none of a number or a pointer

    def offset(self, path: list[int]) -> int | None:
        """The offset of a member of a member; None if a number of the path is not one of a member."""
        offset, type_ = 0, self
        for number in path:
            if not 0 <= number < len(type_.members):
                return None
            start, type_ = type_.members[number]
            offset += start
        return offset


@lru_cache(256)
def read_type(text: str) -> CodeType | None:
    """A struct, an array, a number or a pointer to one; None for other types."""
    tokens: list[str] = TOKEN.findall(text)[::-1]
    try:
        type_ = _read(tokens, 0)
    except (LookupError, ValueError):
        return None
    return None if tokens else type_


def _read(tokens: list[str], depth: int) -> CodeType:
    token = tokens.pop()
    if depth > DEEPEST:
        raise ValueError(token)
    if token == "{":
        types = [] if tokens[-1] == "}" else [_read(tokens, depth + 1)]
        while (separator := tokens.pop()) == ",":
            types.append(_read(tokens, depth + 1))
        check(separator == "}")
        type_ = _struct(types)
    elif token == "[":
        count = int(tokens.pop())
        check(0 < count <= MOST_ELEMENTS and tokens.pop() == "x")
        type_ = _struct([_read(tokens, depth + 1)] * count)
        check(tokens.pop() == "]")
    else:
        type_ = CodeType(SIZES[token], SIZES[token])
    while tokens and tokens[-1] == "*":
        tokens.pop()
        type_ = CodeType(POINTER_BYTES, POINTER_BYTES)
    return type_


def _struct(types: list[CodeType]) -> CodeType:
    members: list[tuple[int, CodeType]] = []
    end, largest = 0, 1
    for type_ in types:
        start = -(-end // type_.alignment) * type_.alignment
        members.append((start, type_))
        end, largest = start + type_.size, max(largest, type_.alignment)
    return CodeType(-(-end // largest) * largest, largest, tuple(members))
