"""Which floats are added and multiplied in which order, so that two forms of a loop can be compared.

LLVM puts the terms of a sum in order by the places of loads and divisions, which are others in another form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256

from ...adopt.llvm._instructions import Instruction
from ._ir import FLOATS, Function, in_order

ADDED = ("fadd", "fsub", "fmul", "fdiv", "frem")
COMMUTED = ("fadd", "fmul")
ROOT = "@llvm.sqrt."
UNNAMED = "?"


def has_same_terms(one: Function, other: Function, sums: frozenset[str]) -> bool:
    """Return whether two forms of a function have the same sums and products.

    Passes add numbers to the names of the numbers that iterations pass on. So these have the same names in both forms,
    or are in the same order.
    """
    return any(
        terms_of(one, sums, counts_phis=counts) == terms_of(other, sums, counts_phis=counts) for counts in (False, True)
    )


def terms_of(function: Function, sums: frozenset[str], *, counts_phis: bool) -> set[str]:
    """Return a digest of each sum and product of a function, except for those with numbers that are sums of the loop.

    `sums` are the names of loads of these numbers. `counts_phis`: whether the numbers that iterations pass on are told
    by their order.
    """
    terms = _Terms({each.result: each for each in function.instructions()}, sums)
    if counts_phis:
        terms.count_phis(function)
    return set(terms.of(function))


def has_choice(function: Function) -> bool:
    """Return whether flags of instructions let LLVM put terms in another order, or approximate a square root."""
    free = {each.result: _kind(each) for each in function.instructions() if "reassoc" in each.flags}
    return any(
        "afn" in each.flags
        if each.callee.startswith(ROOT)
        else _kind(each) in COMMUTED and any(free.get(operand) == _kind(each) for operand in each.operands)
        for each in function.instructions()
    )


def _kind(each: Instruction) -> str:
    return "fadd" if each.opcode == "fsub" else each.opcode


class _Terms:
    def __init__(self, definitions: Mapping[str, Instruction], sums: frozenset[str]) -> None:
        self._definitions = definitions
        self._sums = sums
        self._known: dict[str, str | None] = {}

    def count_phis(self, function: Function) -> None:
        phis = [each.result for each in in_order(function) if each.opcode == "phi" and each.type in FLOATS]
        self._known = {name: f"phi {number}" for number, name in enumerate(phis)}

    def of(self, function: Function) -> Iterator[str]:
        for each in in_order(function):  # the operands of each are known
            digest = self._digest(each.result)
            if digest is not None and each.opcode in ADDED:
                yield digest

    def _digest(self, value: str) -> str | None:
        """A digest of how a value is computed; None if it depends on a sum of the loop."""
        if value not in self._definitions:
            return _base(value)
        if value not in self._known:
            self._known[value] = self._describe(self._definitions[value])
        return self._known[value]

    def _describe(self, each: Instruction) -> str | None:
        if _base(each.result) in self._sums:
            return None
        is_float = each.type in FLOATS and each.opcode in (*ADDED, "fneg", "fpext", "fptrunc", "call")
        if not is_float or each.callee.startswith("@taichi_aot."):
            return _base(each.result)
        parts = [self._digest(operand) for operand in each.operands]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        order = sorted(known) if each.opcode in COMMUTED else known
        return sha256(f"{each.opcode}{each.callee}({', '.join(order)})".encode()).hexdigest()


def _base(value: str) -> str:
    """The name that a value has before passes, which add to it; the same for all values that passes have made."""
    if not value.startswith("%"):
        return value
    name = value[1:].partition(".")[0]
    return name if name == "lane" or (name[:1] == "v" and name[1:].isdecimal()) else UNNAMED
