"""Whether the compiler's passes add or multiply the floats of an element in another order than its statements.

They make vectors of several numbers of one element. That keeps the order, except where a vector is reduced to a number,
and where shuffled vectors are joined by one operation after another, which LLVM then may exchange.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...adopt.llvm._instructions import UnknownCodeError
from ._ir import Function, read_function

REDUCED, SHUFFLE = "llvm.vector.reduce.f", "shufflevector"
ASSOCIATIVE = ("fadd", "fmul")


def functions_of_blocks(llvm: Any, code: str) -> set[str]:
    """Return the names of the functions in IR, before any passes of our own, that have or use code in another order."""
    if SHUFFLE not in code and REDUCED not in code:
        return set()
    functions = [each for each in llvm.parse_assembly(code).functions if not each.is_declaration]
    used = {each.name: set(_used(llvm, each)) for each in functions}
    found = {each.name for each in functions if _is_reordered(each)}
    found |= {name for name, others in used.items() if any(each.startswith(REDUCED) for each in others)}
    users = found
    while users:
        users = {name for name, others in used.items() if name not in found and not found.isdisjoint(others)}
        found |= users
    return found


def _used(llvm: Any, function: Any) -> Iterator[str]:
    """The functions that a function calls, or whose addresses it has."""
    for block in function.blocks:
        for each in block.instructions:
            for operand in each.operands if each.opcode in ("call", "store") else ():
                if operand.value_kind == llvm.ValueKind.function:
                    yield operand.name


def _is_reordered(function: Any) -> bool:
    if not any(each.opcode == SHUFFLE for block in function.blocks for each in block.instructions):
        return False
    try:
        return _joins_shuffled(read_function(str(function)))
    except UnknownCodeError:
        return True


def _joins_shuffled(function: Function) -> bool:
    """Whether an operation that may be reordered has a shuffled result of the same operation."""
    definitions = {each.result: each for each in function.instructions()}

    def shuffled(value: str) -> Iterator[str]:
        each = definitions.get(value)
        if each is not None and each.opcode == SHUFFLE:
            for operand in each.operands[:2]:
                yield from shuffled(operand)
                yield definitions[operand].opcode if operand in definitions else ""

    operations = [each for each in definitions.values() if each.opcode in ASSOCIATIVE and "reassoc" in each.flags]
    return any(each.opcode in shuffled(value) for each in operations for value in each.operands)
