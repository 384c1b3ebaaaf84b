"""Programs that compute how long the loop of a task is, from the arguments of a launch.

``adopt/taichi/_programs`` makes them of expressions in the code, plans state them, and
``_c/core/recorder.c`` runs them without checks.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TypeAlias

DEEPEST = 16  # entries of the stack of a program
LONGEST = 64  # operations of one


class Operation(IntEnum):
    """An operation of a program, which works on a stack of 32-bit integers. The first two take an operand."""

    CONSTANT = 0
    LOAD = 1  # the bytes at the operand in the argument struct
    ADD = 2
    SUBTRACT = 3
    MULTIPLY = 4
    SHIFT = 5  # to the left
    SMALLEST = 6
    LARGEST = 7


Program: TypeAlias = "tuple[tuple[int, int], ...]"  # operations with their operands; empty: the length is not known


def depth(operations: Iterable[tuple[int, int]]) -> int:
    """The most entries that a program has on its stack."""
    deepest = entries = 0
    for operation, _ in operations:
        entries += 1 if operation <= Operation.LOAD else -1
        deepest = max(deepest, entries)
    return deepest
