"""Forms of a loop for what only a launch knows: where comparisons with the index change, and which arrays overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...adopt.llvm._instructions import Instruction, read_instruction
from ._fixed import LOADED, SIZES, Fixed
from ._ir import all_of, is_pointer
from ._rows import INDEX, LIMIT, PLACE, Rows

# Places in a row at which comparisons with the index change, such as those with the edges of a grid.
#
# A row is split there, so that in each part a comparison has one result. LLVM would compute under masks, which are slow
# on some CPUs, and read elements one by one where an index is limited. There is code for the inside of a row, where the
# results are known, and code for other parts.


BEGINNING = 16  # places; after them is the inside of most rows
MOST = 8  # comparisons; a row has a part more for each
SWAPPED = {"slt": "sgt", "sle": "sge", "sgt": "slt", "sge": "sle", "eq": "eq", "ne": "ne"}
# After how many places from the bound on the result is another one.
CHANGES = {"slt": (0,), "sge": (0,), "sgt": (1,), "sle": (1,), "eq": (0, 1), "ne": (0, 1)}
EXTREMES = {"@max_i32": "sgt", "@min_i32": "slt", "@llvm.smax.i32": "sgt", "@llvm.smin.i32": "slt"}
INSIDE = "%split.inside"
PARTS = """\
  store i32 %row.from, i32* %row.k, align 4
  br label %split.test
split.test:
  %split.k = load i32, i32* %row.k, align 4
  %split.more = icmp slt i32 %split.k, %row.to
  br i1 %split.more, label %split.part, label %split.done
split.part:
{head}
  %split.count = sub nuw nsw i32 {end}, %split.k
{part}
  store i32 {end}, i32* %row.k, align 4
  br label %split.test, !llvm.loop {KEEP}
split.done:"""


class _Comparison(NamedTuple):
    """A comparison of the place in a row, to which a number is added, with a bound."""

    word: str
    added: int
    bound: str

    @property
    def inside(self) -> bool:
        """The result inside a row: after a bound near its beginning, and before others."""
        is_beginning = _is_number(self.bound) and int(self.bound) - self.added <= BEGINNING
        ordered = ("sgt", "sge") if is_beginning else ("slt", "sle")
        return self.word in ("ne", *ordered)


class Splits:
    """The comparisons of the place in a row with numbers that are the same for each element.

    `inner` has the instructions of an element, each after those whose values it has.
    """

    def __init__(self, inner: Sequence[Instruction], fixed: Fixed, rows: Rows) -> None:
        self._fixed, self._rows = fixed, rows
        self._place = INDEX if rows.length is None else PLACE
        self._definitions = {each.result: each for each in inner if each.result}
        self._bounds: dict[str, str] = {}  # the names of what is computed before rows
        # Passes would join results that are equal, and change sums. So the one of each number is 2 n or 2 n + 1.
        self._found: dict[_Comparison, int] = {}
        self._results: dict[str, str] = {}  # their names in a part, by those of instructions
        for each in inner:
            word = EXTREMES.get(each.callee, each.word if each.opcode == "icmp" else "")
            if each.type == "i32" and word in SWAPPED and each.result not in rows.names:
                self._take(each, word)

    def __bool__(self) -> bool:
        return bool(self._found)

    @property
    def inside(self) -> dict[str, str]:
        """The results inside a row, by the parameters of a part that have them."""
        return {f"i32 {_result(n)}": f"i32 {2 * n + each.inside}" for each, n in self._found.items()}

    def kept(self, each: Instruction) -> list[Instruction]:
        """Return what takes the place of an instruction that compares, in a part of a row; nothing for others."""
        result = self._results.get(each.result)
        if result is None:
            return []
        name = each.result if each.opcode == "icmp" else _flag(each)
        number = read_instruction(f"{name}.number = call i32 {LOADED}i32(i32 {result})")
        kept = [number, read_instruction(f"{name} = trunc i32 {name}.number to i1")]
        return kept if each.opcode == "icmp" else [*kept, *self._rows.kept(_selected(each))]

    def places(self) -> Iterator[str]:
        """What computes the places, or what is outside a row where there is none."""
        yield from (f"{name} = {text}" for text, name in self._bounds.items())
        for name, (bound, added) in self._changes():
            yield f"{name}.wide = sext i32 {bound} to i64"
            yield f"{name}.at = add nsw i64 {name}.wide, {added}"
            yield f"{name}.positive = icmp sgt i64 {name}.at, 0"
            yield f"{name}.from = select i1 {name}.positive, i64 {name}.at, i64 0"
            yield f"{name}.small = icmp slt i64 {name}.from, {LIMIT}"
            yield f"{name}.to = select i1 {name}.small, i64 {name}.from, i64 {LIMIT}"
            yield f"{name} = trunc i64 {name}.to to i32"

    def parts(self, part: str, packed: str, keep: str) -> str:
        """Return the code for a row, of that for `%split.count` elements from `%split.k` on.

        It has a value `INSIDE`: whether the part is inside its row, and `packed` holds, if that is not empty.
        """
        head: list[str] = []
        end = "%row.to"
        for name, _ in self._changes():
            head += [
                f"{name}.later = icmp slt i32 %split.k, {name}",
                f"{name}.earlier = icmp slt i32 {name}, {end}",
                f"{name}.next = and i1 {name}.later, {name}.earlier",
                f"{name}.end = select i1 {name}.next, i32 {name}, i32 {end}",
            ]
            end = f"{name}.end"
        conditions = [packed] if packed else []
        for each, number in self._found.items():
            result = _result(number)
            head += [
                f"{result}.place = add nsw i32 %split.k, {each.added}",
                f"{result}.holds = icmp {each.word} i32 {result}.place, {each.bound}",
                f"{result}.one = zext i1 {result}.holds to i32",
                f"{result} = add nuw nsw i32 {result}.one, {2 * number}",
                f"{result}.inside = icmp eq i1 {result}.holds, {str(each.inside).lower()}",
            ]
            conditions.append(f"{result}.inside")
        head += all_of(INSIDE, conditions)
        return PARTS.format(head="\n".join(f"  {each}" for each in head), end=end, part=part, KEEP=keep)

    def _changes(self) -> Iterator[tuple[str, tuple[str, int]]]:
        """Names for the places; bounds, and what is added to them."""
        found = dict.fromkeys((bound, by - added) for word, added, bound in self._found for by in CHANGES[word])
        for number, each in enumerate(found):
            yield f"%split.{number}", each

    def _take(self, each: Instruction, word: str) -> None:
        left, right = each.operands
        for place, value, own in ((left, right, word), (right, left, SWAPPED[word])):
            added = self._added(place)
            bound = self._bound(value) if added is not None and len(self._found) < MOST else None
            if added is not None and bound is not None:
                number = self._found.setdefault(_Comparison(own, added, bound), len(self._found))
                self._results[each.result] = _result(number)
                if each.opcode != "icmp":
                    self._rows.replace(_selected(each))
                return

    def _added(self, value: str) -> int | None:
        """The number of which the place and it are this value."""
        value = self._rows.name(value)
        if value == self._place:
            return 0
        each = self._definitions.get(value)
        if each is None or each.opcode not in ("add", "sub") or self._rows.name(each.operands[0]) != self._place:
            return None
        number = each.operands[1]
        if not _is_number(number) or abs(int(number)) >= LIMIT:
            return None
        return int(number) if each.opcode == "add" else -int(number)

    def _bound(self, value: str) -> str | None:
        """The name of a value that is the same for each element, or a number."""
        value = self._rows.name(value)
        if _is_number(value) or value in self._fixed.values:
            return value
        each = self._definitions.get(value)
        if each is None or each.opcode not in ("add", "sub", "mul"):
            return None
        left, right = map(self._bound, each.operands)
        if left is None or right is None:
            return None
        return self._bounds.setdefault(f"{each.opcode} i32 {left}, {right}", f"%split.bound{len(self._bounds)}")


def _result(number: int) -> str:
    return f"%split.is{number}"


def _flag(each: Instruction) -> str:
    return f"{each.result}.is"


def _selected(each: Instruction) -> Instruction:
    """A call that computes an extreme, as a choice."""
    left, right = each.operands
    return read_instruction(f"{each.result} = select i1 {_flag(each)}, i32 {left}, i32 {right}")


def _is_number(value: str) -> bool:
    return value.removeprefix("-").isdecimal()


# Arrays that a body reads at computed places while it stores in others: LLVM cannot compare such ranges itself.
#
# So the whole arrays are compared before. Where they do not overlap, the loads are marked as such. An index is within
# its array, whose length is the product of the lengths that join the index.


NODES = 30000  # numbers of nodes of metadata begin here
LINEAR = ("add", "sub", "mul", "shl", "sext", "zext", "trunc")
MOST_ELEMENTS = 1 << 32  # of elements, so that the product with a length is a number of i64


class _Array(NamedTuple):
    """An array: its address with the type, the lengths whose product is its own, and the type of its numbers."""

    address: str
    type: str
    lengths: tuple[str, ...]
    number: str


class Gathers:
    """The arrays that a body reads at computed places, and those in which it stores.

    `inner` has the instructions of an element, each after those whose values it has. If an element has a loop, elements
    run side by side (`_lanes`), which takes the same comparison.
    """

    def __init__(self, inner: Sequence[Instruction], fixed: Fixed, rows: Rows, *, has_loop: bool) -> None:
        self._fixed, self._rows = fixed, rows
        self._definitions = {each.result: each for each in inner if each.result}
        self._stores: dict[str, list[str]] = {}  # what is stored at an address
        for each in inner:
            if each.opcode == "store":
                self._stores.setdefault(each.operands[1], []).append(each.operands[0])
        self._types = {each.result: each.type for each in fixed.instructions if each.opcode == "load"}
        self._arrays: dict[str, _Array] = {}  # by the address of an element
        computed: set[str] = set()
        for each in inner:
            array = self._array(each)
            if array is not None:
                self._arrays[each.result] = array
                if self._is_computed(each.operands[1], set()):
                    computed.add(each.result)
        reads = [each.operands[0] for each in inner if each.opcode == "load" and each.operands[0] in self._arrays]
        stores = [each for each in self._stores if each in self._arrays]
        self._stored = self._distinct(stores)
        addresses = {each.address for each in self._stored}
        found = self._distinct(each for each in reads if has_loop or each in computed)
        self._read = [each for each in found if computed.isdisjoint(stores) and each.address not in addresses]
        self._gathered = {each.address for each in self._read} if self._stored else set[str]()

    def stated(self, each: Instruction) -> Instruction:
        """Return an instruction with metadata, if it loads or stores a number of an array."""
        array = self._arrays.get(each.operands[-1]) if each.opcode in ("load", "store") else None
        if array is None or not self._gathered:
            return each
        kind = "!alias.scope" if array.address in self._gathered else "!noalias"
        return each.copy(rest=f"{each.rest}, {kind} !{NODES + 2}")

    def nodes(self) -> Iterator[str]:
        """What defines the nodes of metadata."""
        if self._gathered:
            yield f"!{NODES} = distinct !{{!{NODES}}}"
            yield f"!{NODES + 1} = distinct !{{!{NODES + 1}, !{NODES}}}"
            yield f"!{NODES + 2} = !{{!{NODES + 1}}}"

    def conditions(self, last: str) -> Iterator[str]:
        """What computes, at the end, whether `last` holds and the arrays do not overlap."""
        if not self._gathered:
            return
        arrays = [*self._read, *self._stored]
        for number, array in enumerate(arrays):
            for text in self._end(f"%apart.{number}", array, last):
                yield text
                last = text.partition(" = ")[0] if " = and i1 " in text else last
        for number in range(len(self._read)):
            for other in range(len(self._read), len(arrays)):
                name, one, two = f"%apart.{number}.from.{other}", f"%apart.{number}", f"%apart.{other}"
                yield f"{name}.before = icmp ule i64 {one}.end, {two}.begin"
                yield f"{name}.after = icmp ule i64 {two}.end, {one}.begin"
                yield f"{name} = or i1 {name}.before, {name}.after"
                yield f"{name}.all = and i1 {last}, {name}"
                last = f"{name}.all"

    def _end(self, name: str, array: _Array, last: str) -> Iterator[str]:
        yield f"{name}.begin = ptrtoint {array.type} {array.address} to i64"
        count = "1"
        for number, length in enumerate(array.lengths):
            yield f"{name}.length{number} = zext i32 {length} to i64"
            yield f"{name}.count{number} = mul i64 {count}, {name}.length{number}"
            count = f"{name}.count{number}"
            yield f"{name}.small{number} = icmp ult i64 {count}, {MOST_ELEMENTS}"
            yield f"{name}.holds{number} = and i1 {last}, {name}.small{number}"
            last = f"{name}.holds{number}"
        yield f"{name}.bytes = mul i64 {count}, {SIZES[array.number]}"
        yield f"{name}.end = add i64 {name}.begin, {name}.bytes"

    def _array(self, each: Instruction) -> _Array | None:
        """The array of whose element an instruction computes the address."""
        if each.opcode != "getelementptr" or len(each.operands) != 2 or each.type not in SIZES:
            return None
        address = self._fixed.names.get(each.operands[0], each.operands[0])
        lengths = self._lengths(each.operands[1])
        type_ = self._types.get(address, "")
        return _Array(address, type_, lengths, each.type) if is_pointer(type_) and lengths else None

    def _lengths(self, index: str) -> tuple[str, ...]:
        """The lengths that join an index, (0 * length + i) * length + j; none if it is computed otherwise."""
        joined = self._rows.joined(index)
        if joined is None:
            return ()
        outer, length = joined[0].operands
        length = self._fixed.names.get(length, length)
        if not (length.isdecimal() or length in self._fixed.values):
            return ()
        if outer == "0":
            return (length,)
        before = self._lengths(outer)
        return (*before, length) if before else ()

    def _distinct(self, addresses: Iterator[str] | list[str]) -> list[_Array]:
        return list(dict.fromkeys(self._arrays[each] for each in addresses))

    def _is_computed(self, value: str, seen: set[str]) -> bool:
        """Whether a value may be other than a sum of the loop's indices, times numbers that do not change."""
        value = self._rows.name(value)
        each = self._definitions.get(value)
        if each is None or value in seen or self._rows.is_linear(value) or self._fixed.is_taken(each):
            return False
        seen.add(value)
        values = each.operands
        if each.opcode == "load":  # of a variable
            values = self._stores.get(each.operands[0], [])
            return not values or any(self._is_computed(one, seen) for one in values)
        return each.opcode not in LINEAR or any(self._is_computed(one, seen) for one in values)
