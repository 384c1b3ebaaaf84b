"""Arrays that a body reads at computed places while it stores in others: LLVM cannot compare such ranges itself.

So the whole arrays are compared before. Where they do not overlap, the loads are marked as such. An index is within its
array, whose length is the product of the lengths that join the index.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...adopt.llvm._instructions import Instruction
from ._fixed import SIZES, Fixed
from ._ir import is_pointer
from ._rows import Rows

NODES = 30000  # numbers of nodes of metadata begin here
LINEAR = ("add", "sub", "mul", "shl", "sext", "zext", "trunc")
LIMIT = 1 << 32  # of elements, so that the product with a length is a number of i64


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
            yield f"{name}.small{number} = icmp ult i64 {count}, {LIMIT}"
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
