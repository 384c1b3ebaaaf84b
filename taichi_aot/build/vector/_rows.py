"""The indices of a loop over several dimensions, row by row: what changes along a row, and what is divided once.

Some loops need less: those whose arrays have a number as the last index, and those that are one row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ...adopt.llvm._instructions import Instruction, read_instruction
from ._fixed import ELEMENT_OF_DENSE, INDEX_OF_LOOP, LOADED, WIDE_ELEMENT, Fixed
from ._ir import all_of

# Numbers that are digits of a loop's index, of which the index of a field's element is made again.
#
# For a field of a known shape, the compiler divides the index of the loop by numbers, and joins the quotients and
# remainders by the same numbers. So the result is the index, and need not be computed.


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


# What changes along a row.


LIMIT = 1 << 30  # of indices and lengths, so that sums of two are numbers of i32
I32 = (-1 << 31, (1 << 31) - 1)
SHORTEST = 8  # row whose length is a number
INDEX, PLACE, ROW = "%row.i", "%row.j", "%row.t"  # the loop's index, the place in the row, and the row's number
KEPT_INDEX = "%index"
WIDE = {INDEX: "%wide.i", PLACE: "%wide.j"}
# At the beginning of a part of a row and of each element. Memory is reached by numbers of i64.
PART = (
    "%wide.counter = alloca i64, align 8",
    "%wide.from = zext i32 %row.from to i64",
    "%wide.base = zext i32 %row.base to i64",
    "%wide.count = zext i32 %row.count to i64",
)
ELEMENT = (
    f"{WIDE[PLACE]} = add nuw nsw i64 %wide.from, %wide.lane",
    f"{WIDE[INDEX]} = add nuw nsw i64 %wide.base, {WIDE[PLACE]}",
)


class Narrow(NamedTuple):
    """How the numbers of i32 are found: at the beginning of a part of a row, and at both ends of each element."""

    part: Sequence[str]
    element: Sequence[str]
    end: Sequence[str]


OF_INDEX = f"{KEPT_INDEX} = call i32 {INDEX_OF_LOOP}(i32 {INDEX})"
CAST = Narrow(
    (), (f"{PLACE} = trunc i64 {WIDE[PLACE]} to i32", f"{INDEX} = trunc i64 {WIDE[INDEX]} to i32", OF_INDEX), ()
)
# By a counter: LLVM sees that sums of it do not wrap, also where an element chooses one.
COUNTED = Narrow(
    ("%row.counter = alloca i32, align 4", "store i32 %row.from, i32* %row.counter, align 4"),
    (f"{PLACE} = load i32, i32* %row.counter, align 4", f"{INDEX} = add nuw nsw i32 %row.base, {PLACE}", OF_INDEX),
    (f"%row.following = add nuw nsw i32 {PLACE}, 1", "store i32 %row.following, i32* %row.counter, align 4"),
)


class Rows:
    """The numbers of a loop for a part of a row.

    The loop's index is ``t * length + j``: ``t`` is the number of the row, and ``j`` the place in it. A value that is
    ``u * length + j`` is linear, and so is a sum of it and a number. None is negative.

    `inner` has the instructions of an element, each after those whose values it has, `counter` is the variable with the
    loop's index, and `fixed` has the values that are the same for each element. `lengths`, if any, has that of a row at
    the end, after multiples of it by which the index is divided too.
    """

    def __init__(self, inner: Sequence[Instruction], counter: str, fixed: Fixed, lengths: Sequence[str] = ()) -> None:
        self.divisors: list[str] = []  # the lengths that have to be positive and below `LIMIT`
        self.multiples = lengths[:-1]
        self.outer: list[Instruction] = []  # what is computed once for a part of a row
        loads = [each.result for each in inner if each.opcode == "load" and each.operands == [counter]]
        self._counters = dict.fromkeys(loads, KEPT_INDEX)
        self.names = dict.fromkeys(loads, INDEX)  # other names of values, or constants
        self._fixed = fixed
        self._definitions = {each.result: each for each in inner if each.result}
        self._replaced: dict[str, Instruction] = {}  # with flags, or in another form
        self._quotients: set[str] = set()  # and remainders, by lengths that are no constants
        self._wides = 0
        self.length = lengths[-1] if lengths else self._find_length(inner)  # of a row; None if the loop is one row
        self.shorter = ""  # a length by which the place in a row is divided
        self._step = int(self.length) if self.length is not None and self.length.isdecimal() and not lengths else 0
        # For each linear value u * length + j, and each multiple u * length: the number u.
        self._linear: dict[str, str] = {}
        self._multiples: dict[str, str] = {}
        self._remainders: dict[str, tuple[str, str]] = {}  # with the dividends, by what is subtracted from these
        self._outer_values: set[str] = set()
        self._digits = Digits(INDEX)
        self._ranges = {INDEX: (0, LIMIT - 1), PLACE: (0, LIMIT - 1)}
        if self.length is not None:
            self._require(self.length)
            self._linear = {INDEX: ROW, PLACE: "0"}
            self._outer_values = {ROW}
            self._ranges |= {ROW: (0, (LIMIT - 1) // (self._step or 1)), PLACE: (0, (self._step or LIMIT) - 1)}
        for multiple in self.multiples:
            self._require(multiple)
        for each in inner:
            self._take(each)
        self._false = {result: "false" for result, name in self.names.items() if name == "false"}

    def kept(self, each: Instruction) -> list[Instruction]:
        """Return what takes the place of an instruction of an element."""
        if each.result in self._counters:
            return []
        # Whether a division rounds down by one more: LLVM cannot always see that it does not.
        replaced = self._replaced.get(each.result)
        flagged = replaced if replaced is not None and replaced.operands == each.operands else each
        new = flagged.renamed(self._fixed.addresses | self._counters | self._fixed.kept_names)
        new.operands = [self._false.get(operand, operand) for operand in new.operands]
        made: list[Instruction] = []
        if each.result in self._quotients & self.names.keys():
            new = read_instruction(f"{each.result} = call i32 {LOADED}i32(i32 {self.names[each.result]})")
        elif new.opcode == "getelementptr" and new.types[1:] == ["i32"]:
            new.operands[1], new.types[1] = self._wide_index(each.operands[1], made), "i64"
            if new.types[0] == "ptr":  # else LLVM 22 checks at run time that addresses do not wrap, at most 16 of them
                new = new.with_flags("inbounds")
        elif new.callee == ELEMENT_OF_DENSE:
            new.operands[2], new.types[2] = self._wide_index(each.operands[2], made), "i64"
            new.callee = WIDE_ELEMENT
        return [*made, new]

    def replace(self, each: Instruction) -> None:
        """Take a choice between two values as what computes a value."""
        self._replaced[each.result] = each

    def is_linear(self, value: str) -> bool:
        """Return whether a value is an index that grows with the place in a row."""
        return value in self._linear

    def is_outer(self, value: str) -> bool:
        """Return whether a value is an index that is the same along a row."""
        return value in self._outer_values

    def divided(self, number: str, remainder: str) -> tuple[str, str]:
        """Return by what the loop's index, or a number of rows, is divided for this remainder, and the quotient."""
        if number == INDEX:
            return (self.length or "", ROW) if remainder == PLACE else ("", "")
        each = self._outer_of(remainder, "urem")
        if each is None or each.operands[0] != number:
            return "", ""
        return each.operands[1], self._outer_division(number, each.operands[1])[0]

    def name(self, operand: str) -> str:
        """Return another name of a value, or the constant that it is."""
        operand = self._fixed.names.get(operand, operand)
        return self.names.get(operand, operand)

    def joined(self, value: str) -> tuple[Instruction, str] | None:
        """Return the product of joined indices and a length, and the index added to it. The first product is 0."""
        total = self._definitions.get(value)
        product = self._definitions.get(total.operands[0]) if total is not None and total.opcode == "add" else None
        if total is None or product is None or (product.opcode, product.type) != ("mul", "i32"):
            return None
        is_first = product.operands[0] == "0"
        return (product, total.operands[1]) if is_first or self.joined(product.operands[0]) is not None else None

    # Divisions

    def _find_length(self, inner: Sequence[Instruction]) -> str | None:
        divisions = filter(None, map(self._division, inner))
        found = [divisor for dividend, divisor, _ in divisions if dividend == INDEX]
        names = [each for each in found if not each.isdecimal()]
        if names:
            return max(names, key=lambda name: (names.count(name), -names.index(name)))
        shortest = min(map(int, found), default=0)
        return str(shortest) if shortest >= SHORTEST else None

    def _division(self, each: Instruction) -> Division | None:
        if each.type != "i32" or len(each.operands) != 2:
            return None
        dividend, divisor = map(self.name, each.operands)
        number = int(divisor) if divisor.isdecimal() else 0
        match each.opcode:
            case "sdiv" | "udiv" | "srem" | "urem" if 0 < number < LIMIT or divisor in self._fixed.values:
                return dividend, divisor, each.opcode.endswith("rem")
            case "lshr" | "ashr" if divisor.isdecimal() and number < 30:
                return dividend, str(1 << number), False
            case "and" if divisor.isdecimal() and number & (number + 1) == 0 and number < LIMIT:
                return dividend, str(number + 1), True
            case _:
                return None

    def _require(self, divisor: str) -> None:
        if not divisor.isdecimal() and divisor not in self.divisors:
            self.divisors.append(divisor)

    def _take(self, each: Instruction) -> None:
        division = self._division(each)
        self._digits.follow(each, self.name, division)
        known = self.names.get(each.result) or (INDEX if self._digits.is_index(each.result) else self._known(each))
        if known is not None:
            self.names[each.result] = known
        elif division is not None:
            self._divide(each, *division)
        elif each.type == "i32" and each.opcode in ("add", "sub", "mul", "shl"):
            dividend, remainder = self._remainders.get(self.name(each.operands[1]), ("", ""))
            if each.opcode == "sub" and dividend and dividend == self._linear.get(self.name(each.operands[0])):
                self._set_linear(each, remainder)
            else:
                self._follow(each)

    def _known(self, each: Instruction) -> str | None:
        """The value of an instruction, if it is another value or a constant."""
        operands = [self.name(operand) for operand in each.operands]
        match (each.opcode, each.type, each.word), operands:
            case ("icmp", "i32", "slt"), [value, "0"] if self._range(value)[0] >= 0:
                return "false"
            case ("icmp", "i1", "ne"), [value, "false"]:
                return value
            case ("and", "i1", _), ["false", _] | [_, "false"]:
                return "false"
            case ("zext", "i1", _), ["false"]:
                return "0"
            case ("sub" | "add", "i32", _), [value, "0"]:
                return value
            case ("add", "i32", _), ["0", value]:
                return value
            case ("mul", "i32", _), ["0", _] | [_, "0"]:
                return "0"
            case ("sub", "i32", _), [value, multiple] if self._linear.get(value, "") == self._multiples.get(multiple):
                return PLACE
            case _:
                return None

    def _divide(self, each: Instruction, dividend: str, divisor: str, is_remainder: bool) -> None:
        if not divisor.isdecimal():
            self._quotients.add(each.result)
        if dividend in self._linear:
            rows = self._rows(divisor)
            if rows is None:
                if dividend == PLACE and not self._step:
                    self.shorter = self.shorter or divisor
                return
            quotient, remainder = self._outer_division(self._linear[dividend], rows)
            if not is_remainder:
                self.names[each.result] = quotient
            elif remainder == "0":
                self.names[each.result] = PLACE
            else:
                self._set_linear(each, remainder)
        elif dividend in self._outer_values:
            self._require(divisor)
            self.names[each.result] = self._outer_division(dividend, divisor)[is_remainder]

    def _set_linear(self, each: Instruction, number: str) -> None:
        """State that an instruction computes the place in a row after a number of rows."""
        base = self._outer(f"mul nuw nsw i32 {number}, {self.length}")
        self._replaced[each.result] = read_instruction(f"{each.result} = add nuw nsw i32 {base}, {PLACE}")
        self._linear[each.result] = number
        self._ranges[each.result] = 0, min(LIMIT, (self._range(number)[1] + 1) * (self._step or LIMIT)) - 1

    def _rows(self, divisor: str) -> str | None:
        """The number of rows that a divisor is, if it is."""
        if divisor == self.length:
            return "1"
        if divisor in self.multiples:
            return self._outer(f"udiv i32 {divisor}, {self.length}")
        is_multiple = divisor.isdecimal() and self._step and int(divisor) % self._step == 0
        return str(int(divisor) // self._step) if is_multiple else None

    def _outer_division(self, number: str, divisor: str) -> tuple[str, str]:
        """Quotient and remainder of a number that is the same along a row."""
        if number == "0" or divisor == "1":
            return number, "0"
        high = self._range(number)[1]
        by = int(divisor) if divisor.isdecimal() else 1
        quotient, remainder = (self._outer(f"{opcode} i32 {number}, {divisor}") for opcode in ("udiv", "urem"))
        self._ranges[quotient] = 0, high // by
        self._ranges[remainder] = 0, min(high, by - 1) if by > 1 else high
        self._outer_values |= {quotient, remainder}
        return quotient, remainder

    def _outer(self, text: str) -> str:
        for each in self.outer:
            if str(each).endswith(f" = {text}"):
                return each.result
        self.outer.append(read_instruction(f"%row.o{len(self.outer)} = {text}"))
        return self.outer[-1].result

    def _outer_of(self, value: str, opcode: str) -> Instruction | None:
        return next((each for each in self.outer if each.result == value and each.opcode == opcode), None)

    # Sums and products

    def _range(self, value: str) -> tuple[int, int]:
        if value.removeprefix("-").isdecimal():
            return int(value), int(value)
        if value in self.divisors:
            return 1, LIMIT - 1
        return self._ranges.get(value, I32)

    def _follow(self, each: Instruction) -> None:
        """Find the range of a sum or product, which does not overflow if it is within i32."""
        left, right = map(self.name, each.operands)
        (a, b), (c, d) = self._range(left), self._range(right)
        if each.opcode == "shl":
            if c != d or not 0 <= c < 31:
                return
            a, b, c, d = a << c, b << c, 0, 0
        elif each.opcode == "mul":
            for number, length in ((left, right), (right, left)):
                if length == self.length and number in self._outer_values:
                    self._multiples[each.result] = number
                elif length in self.multiples and number in self._outer_values:
                    self._subtract(each, number, length)
            products = [x * y for x in (a, b) for y in (c, d)]
            a, b, c, d = min(products), max(products), 0, 0
        low, high = (a - d, b - c) if each.opcode == "sub" else (a + c, b + d)
        if I32[0] <= low and high <= I32[1]:
            self._ranges[each.result] = low, high
            self._replaced[each.result] = each.with_flags("nsw")

    def _subtract(self, product: Instruction, quotient: str, multiple: str) -> None:
        """Note the remainder that is left where the product of a quotient and a multiple is subtracted."""
        each, rows = self._outer_of(quotient, "udiv"), self._rows(multiple)
        if each is not None and rows is not None and each.operands[1] == rows:
            self._remainders[product.result] = each.operands[0], self._outer_division(each.operands[0], rows)[1]

    # Indices of i64

    def _wide_index(self, value: str, made: list[Instruction]) -> str:
        """The name in i64 of the index of an array's element; `made` gets what computes it.

        Sums and products that join several indices do not overflow: the array would have no such element.
        """
        joined = self.joined(value)
        if joined is None:
            return self._wide(value, made)
        product, last = joined
        last = self._wide(last, made)
        if product.operands[0] == "0":
            return last
        first, length = self._wide_index(product.operands[0], made), self._wide(product.operands[1], made)
        first = self._made(f"mul nsw i64 {first}, {length}", made)
        return self._made(f"add nsw i64 {first}, {last}", made)

    def _wide(self, value: str, made: list[Instruction]) -> str:
        value = self.name(value)
        if not value.startswith("%") or value in WIDE:
            return WIDE.get(value, value)
        each = self._replaced.get(value)
        if each is None:
            return self._made(f"sext i32 {value} to i64", made)
        left, right = (self._wide(operand, made) for operand in each.operands[-2:])
        if each.opcode == "select":
            return self._made(f"select i1 {each.operands[0]}, i64 {left}, i64 {right}", made)
        return self._made(f"{each.opcode} nsw i64 {left}, {right}", made)

    def _made(self, text: str, made: list[Instruction]) -> str:
        self._wides += 1
        made.append(read_instruction(f"%wide.{self._wides} = {text}"))
        return made[-1].result


# Arrays whose last index is a number everywhere, such as the colour of a pixel.
#
# LLVM reads them in vectors if it knows how many numbers are between two elements. So there is code for arrays that
# have just these numbers in their last dimension, and code for others.


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


# Loops over several dimensions that are one row, because their arrays have the loop's shape.
#
# Elements of such arrays are one after the other, in the order of the loop's index. If the loop uses its indices only
# for these, it needs no rows, however short they are. The code for a part of a row serves as it is: in the first row,
# all indices but the last are 0.


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
