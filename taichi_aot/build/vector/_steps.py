"""Addresses that grow by the same number of bytes from lane to lane, so that LLVM need not prove it."""

from __future__ import annotations

from collections.abc import Mapping, Set

from ...adopt.llvm._instructions import Instruction
from ._fixed import INDEX_OF_LOOP, LOADED, SIZES

MOST = 1 << 16  # bytes, so that the indices of lanes near one that is within its array do not wrap
HIDING = {"sext", "zext"}
WIDE = ("i32", "i64")  # types whose numbers do not wrap near the index of an element
EXTREMES = {"@llvm.smax.": "sge", "@llvm.smin.": "sle"}  # how an index compares with a limit that does not change it


class Steps:
    """By how much the values of an element grow from lane to lane.

    `varying` are those that differ between lanes, and `counter` is the index of the loop over elements.
    """

    def __init__(self, definitions: Mapping[str, Instruction], varying: Set[str], counter: str) -> None:
        self.definitions, self.varying, self.counter = definitions, varying, counter
        self._known: dict[tuple[str, bool], int | None] = {}

    def of(self, value: str, *, limits: bool) -> int | None:
        """Return the step of a value; None if it may have others. `limits`: where no limit of an index is reached."""
        if value not in self.varying:
            return 0
        if value == self.counter:
            return 1
        key = value, limits
        if key not in self._known:
            self._known[key] = None
            found = self._step(self.definitions[value], limits)
            self._known[key] = found if found is not None and abs(found) < MOST else None
        return self._known[key]

    def is_hidden(self, value: str) -> bool:
        """Return whether a value has a step, by an index of 32 bits that LLVM does not know not to wrap."""
        if value not in self.varying or value == self.counter or self.of(value, limits=True) is None:
            return False
        each = self.definitions[value]
        return each.opcode in HIDING or any(map(self.is_hidden, each.operands))

    def _step(self, each: Instruction, limits: bool) -> int | None:
        steps = [self.of(operand, limits=limits) for operand in each.operands]
        known = [step for step in steps if step is not None]
        if each.opcode == "phi" or not known or len(known) < len(steps):
            return None
        last = each.operands[-1]
        match each.opcode:
            case "add" | "sub" if each.type in WIDE:
                return known[0] + known[1] if each.opcode == "add" else known[0] - known[1]
            case "mul" if each.type in WIDE and last.isdecimal():
                return known[0] * int(last)
            case "shl" if each.type in WIDE and last.isdecimal():
                return known[0] << min(int(last), 31)
            case "or" if self._adds(each):
                return known[0]
            case "sext" | "trunc" | "zext" if each.type in WIDE and each.word in WIDE:
                return known[0] if each.opcode != "zext" or limits else None
            case "bitcast" if each.word.endswith("*"):
                return known[0]
            case "getelementptr" if len(known) == 2 and each.type in SIZES:
                return known[0] + known[1] * SIZES[each.type]
            case "call" if each.callee.startswith((LOADED, INDEX_OF_LOOP)):
                return known[0]
            case "call" if limits and each.type == "i32" and each.callee[:11] in EXTREMES and 0 in known:
                return sum(known)
            case _:
                return None

    def _adds(self, each: Instruction) -> bool:
        """Whether an instruction sets bits that are 0."""
        number, bits = each.operands
        shifted = self.definitions.get(number)
        by = shifted.operands[1] if shifted is not None and shifted.opcode == "shl" else ""
        return by.isdecimal() and bits.isdecimal() and int(bits) < 1 << int(by)


class First:
    """What computes values of the first lane: `lines`, and `conditions` under which those of all lanes follow.

    `names` are those of values that are the same in all lanes. Names of new values end with `suffix`.
    """

    def __init__(self, steps: Steps, names: Mapping[str, str], suffix: str, lanes: int) -> None:
        self.lines: list[str] = []
        self.conditions: list[str] = []
        self._steps, self._names, self._suffix, self._last = steps, names, suffix, lanes - 1
        self.found: dict[str, tuple[str, int]] = {}  # addresses of the first lane, and their steps, by that of any
        self._done: dict[str, str] = {}

    def of(self, value: str) -> str:
        """Return the name of a value of the first lane."""
        if value not in self._steps.varying or value == self._steps.counter:
            return self._names.get(value, value)
        if value not in self._done:
            self._done[value] = self._computed(self._steps.definitions[value])
        return self._done[value]

    def take(self, address: str, step: int) -> None:
        """Take an address that grows by so many numbers."""
        self.found[address] = self.of(address), step

    def _computed(self, each: Instruction) -> str:
        operands = [self.of(operand) for operand in each.operands]
        if each.callee[:11] in EXTREMES:
            varying = each.operands[1] in self._steps.varying
            self._limit(each, operands[varying], f"{EXTREMES[each.callee[:11]]} i32", operands[not varying])
            return operands[varying]
        new = each.copy(result=f"{each.result}{self._suffix}", operands=operands, flags=(), rest="")
        if each.opcode == "zext":
            self._limit(each, operands[0], f"sge {each.type}", "0")
            new.opcode = "sext"
        self.lines.append(str(new))
        return new.result

    def _limit(self, each: Instruction, number: str, compares: str, limit: str) -> None:
        """Have no lane reach a limit: neither the first nor the last do, and numbers do not wrap between them."""
        step = sum(self._steps.of(operand, limits=True) or 0 for operand in each.operands)
        name, type_ = f"{each.result}{self._suffix}", each.type
        self.lines += [
            f"  {name}.last = add {type_} {number}, {self._last * step}",
            f"  {name}.begins = icmp {compares} {number}, {limit}",
            f"  {name}.ends = icmp {compares} {name}.last, {limit}",
            f"  {name}.grows = icmp {'sge' if step >= 0 else 'sle'} {type_} {name}.last, {number}",
        ]
        self.conditions += [f"{name}.begins", f"{name}.ends", f"{name}.grows"]
