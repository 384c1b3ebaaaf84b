"""Arrays whose last index is a number everywhere, such as the colour of a pixel.

LLVM reads them in vectors if it knows how many numbers are between two elements. So there is code for arrays that have
just these numbers in their last dimension, and code for others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...adopt.llvm._instructions import Instruction
from ._ir import all_of
from ._rows import Rows

MOST = 16  # numbers of an element that LLVM reads together
PACKED = "%packed"


def packed_lengths(inner: Sequence[Instruction], rows: Rows) -> dict[str, int]:
    """Return the lengths of last dimensions, by name, for arrays that have no other numbers than an element uses."""
    found: dict[str, set[int]] = {}
    others: set[str] = set()  # lengths of dimensions in which the loop moves
    for each in inner:
        joined = rows.joined(each.operands[1]) if each.opcode == "getelementptr" and len(each.operands) == 2 else None
        if joined is None or joined[0].operands[0] == "0":
            continue
        length, last = rows.name(joined[0].operands[1]), rows.name(joined[1])
        if last.isdecimal() and length.startswith("%"):
            found.setdefault(length, set()).add(int(last))
        else:
            others.add(length)
    counts = {length: max(numbers) + 1 for length, numbers in found.items() if length not in others}
    return {length: count for length, count in counts.items() if 2 <= count <= MOST}


def are_packed(lengths: Mapping[str, int]) -> Iterator[str]:
    """What computes `PACKED`: whether all arrays have these lengths."""
    for number, (name, length) in enumerate(lengths.items()):
        yield f"{PACKED}.is{number} = icmp eq i32 {name}, {length}"
    if lengths:
        yield from all_of(PACKED, (f"{PACKED}.is{number}" for number in range(len(lengths))))
