"""Loops over several dimensions that are one row, because their arrays have the loop's shape.

Elements of such arrays are one after the other, in the order of the loop's index. If the loop uses its indices only for
these, it needs no rows, however short they are. The code for a part of a row serves as it is: in the first row, all
indices but the last are 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...adopt.llvm._instructions import Instruction
from ._ir import all_of
from ._rows import INDEX, LIMIT, PLACE, Rows

LENGTH = "%row.length"  # that of a row, or more than all elements
# Instructions that only compute a value.
ARITHMETIC = ("add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "ashr", "lshr", "and", "or", "xor")
PURE = {*ARITHMETIC, "getelementptr", "icmp", "select", "sext", "trunc", "zext"}


class OneRow:
    """What has to be equal if a loop is one row.

    `inner` has the instructions of an element, each after those whose values it has.
    """

    def __init__(self, inner: Sequence[Instruction], rows: Rows) -> None:
        self._rows = rows
        self._same: dict[tuple[str, str], None] = {}  # lengths of arrays, each with the loop's
        # Lengths of the loop, the last first. It has no more elements than their product.
        self._shapes: dict[tuple[str, ...], None] = {}
        if rows.length is not None and (rows.multiples or not rows.length.isdecimal()):
            self._take(inner)

    @property
    def is_possible(self) -> bool:
        return bool(self._same)

    def length(self, end: str) -> Iterator[str]:
        """What computes `LENGTH` for a loop that ends before an index; nothing if each element needs its row."""
        if not self._same:
            return
        yield from (str(each) for each in self._rows.outer if each.operands[0] in self._rows.multiples)
        yield f"%one.last = add i32 {end}, -1"
        for number, (length, own) in enumerate(self._same):
            yield f"%one.same{number} = icmp eq i32 {length}, {own}"
        for number, (*lengths, first) in enumerate(self._shapes):
            index = "%one.last"
            for place, each in enumerate(lengths):
                yield f"%one.index{number}.{place} = udiv i32 {index}, {each}"
                index = f"%one.index{number}.{place}"
            yield f"%one.inside{number} = icmp ult i32 {index}, {first}"
        same = (f"%one.same{number}" for number in range(len(self._same)))
        yield from all_of("%one", (*same, *(f"%one.inside{number}" for number in range(len(self._shapes)))))
        yield f"{LENGTH} = select i1 %one, i32 {LIMIT}, i32 {self._rows.length}"

    def _take(self, inner: Sequence[Instruction]) -> None:
        definitions = {each.result: each for each in inner if each.result}
        left = [operand for each in inner if each.opcode not in PURE for operand in each.operands]
        seen = set[str]()
        while left:
            value = self._rows.name(left.pop())
            each = definitions.get(value)
            if value == PLACE or self._rows.is_outer(value):
                self._same.clear()
                return
            if each is not None and value not in seen and not self._has_index(value):
                left += each.operands
            seen.add(value)

    def _has_index(self, value: str) -> bool:
        """Whether a value joins the loop's indices to the index of an array, if lengths are the same."""
        same: dict[tuple[str, str], None] = {}
        number, divisors = INDEX, list[str]()
        joined = self._rows.joined(value)
        while joined is not None:
            (before, length), last = joined[0].operands, self._rows.name(joined[1])
            divisor, following = self._rows.divided(number, last)
            is_first = before == "0"
            if is_first and same and (divisor or last == number):
                self._same |= same
                if divisor:  # LLVM's remainder by the first length is the index only within the shape
                    self._shapes[(*divisors, divisor)] = None
                return True
            if is_first or not divisor:
                return False
            same[self._rows.name(length), divisor] = None
            number = following
            divisors.append(divisor)
            joined = self._rows.joined(before)
        return False
