"""Numbers that are digits of a loop's index, of which the index of a field's element is made again.

For a field of a known shape, the compiler divides the index of the loop by numbers, and joins the quotients and
remainders by the same numbers. So the result is the index, and need not be computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ...adopt.llvm._instructions import Instruction

Division: TypeAlias = tuple[str, str, bool]
"""What is divided by what, a number or the name of a value, and whether the result is the remainder."""


class _Digits(NamedTuple):
    """The number ``(index % modulus) / divisor * factor``; the modulus is 0 if there is none."""

    modulus: int
    divisor: int
    factor: int


WHOLE = _Digits(0, 1, 1)


class Digits:
    """The digits of an index, by the names of values."""

    def __init__(self, index: str) -> None:
        self._found = {index: WHOLE}

    def is_index(self, value: str) -> bool:
        """Return whether a value is the index."""
        return self._found.get(value) == WHOLE

    def follow(self, each: Instruction, name: Callable[[str], str], division: Division | None) -> None:
        """Find out whether an instruction computes digits; `name` returns other names of values, or constants."""
        if each.type == "i32" and len(each.operands) == 2:
            left, right = (self._found.get(operand, self._found.get(name(operand))) for operand in each.operands)
            found = _computed(each.opcode, left, right, name(each.operands[1]), division)
            if found is not None:
                self._found[each.result] = found


def _computed(
    opcode: str, left: _Digits | None, right: _Digits | None, number: str, division: Division | None
) -> _Digits | None:
    """The digits that an operation computes from digits, or from some and a number."""
    if left is None:
        return None
    if division is not None:
        return _divided(left, int(division[1]), is_remainder=division[2]) if division[1].isdecimal() else None
    if opcode in ("mul", "shl") and number.isdecimal():
        return left._replace(factor=left.factor * int(number) if opcode == "mul" else left.factor << int(number))
    if opcode == "add" and right is not None:
        return _joined(left, right) or _joined(right, left)
    return None


def _divided(digits: _Digits, number: int, *, is_remainder: bool) -> _Digits | None:
    modulus, divisor, factor = digits
    if factor != 1:
        return None
    if not is_remainder:
        return _Digits(modulus, divisor * number, 1)
    return _Digits(divisor * number, divisor, 1) if modulus % (divisor * number) == 0 else None


def _joined(high: _Digits, low: _Digits) -> _Digits | None:
    """The sum of digits and those before them."""
    is_next = high.divisor == low.modulus and high.factor * low.divisor == low.factor * high.divisor
    return _Digits(high.modulus, low.divisor, low.factor) if is_next else None
