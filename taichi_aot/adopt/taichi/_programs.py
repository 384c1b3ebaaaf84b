"""How long the loops of tasks are: programs that compute it from the arguments of a launch.

The compiler gives a loop whose length it does not know as many threads as saturate a device. Each of them strides
over the loop: thread t does the iterations t, t + threads, t + 2 * threads and so on. So fewer threads are right as
well, and for a short loop faster. The length is an expression of the arguments, such as the size of an array or a
scalar, which the loop's task computes itself or a serial task of the kernel stores before it. Plans state the programs,
and ``_c/core/recorder.c`` runs them without checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import TypeAlias

DEEPEST = 16  # entries of the stack of a program
LONGEST = 64  # operations of one


class Operation(IntEnum):
    """An operation of a program, which works on a stack of integers. Those that load take an offset, and `CONSTANT` a
    number.
    """

    CONSTANT = 0
    LOAD = 1  # the bytes at the operand in the argument struct
    ADD = 2
    SUBTRACT = 3
    MULTIPLY = 4
    SHIFT = 5  # to the left
    SMALLEST = 6
    LARGEST = 7
    LOAD_WIDE = 8  # the same of 64 bits, as the code has too, but for casts to 32 bits


Program: TypeAlias = "tuple[tuple[int, int], ...]"  # operations with their operands; empty: the length is not known

# What code computes: a leaf is a name and a number, an inner node a name and two operands.
Value: TypeAlias = "tuple[str, int] | tuple[str, Value, Value]"

CONSTANT, ARGUMENT, WIDE_ARGUMENT, TEMPORARY = "constant", "argument", "wide argument", "temporary"
BIT, UNKNOWN = "bit", "unknown"  # 0 or 1; any number

OPERATIONS = {
    "add": Operation.ADD,
    "subtract": Operation.SUBTRACT,
    "multiply": Operation.MULTIPLY,
    "shift": Operation.SHIFT,
    "smallest": Operation.SMALLEST,
    "largest": Operation.LARGEST,
}

LOADS = {ARGUMENT: Operation.LOAD, WIDE_ARGUMENT: Operation.LOAD_WIDE}
LEAVES = frozenset((Operation.CONSTANT, *LOADS.values()))


def constant(value: Value | None) -> int | None:
    """The number, if a value is one."""
    return value[1] if value is not None and len(value) == 2 and value[0] == CONSTANT else None


def signed(number: int) -> int:
    """A number of 32 bits as a signed one."""
    return number - (1 << 32) if number >> 31 else number


def is_settled(value: Value) -> bool:
    """Whether a value does not depend on temporaries, which may change."""
    if len(value) == 3:
        return is_settled(value[1]) and is_settled(value[2])
    return value[0] != TEMPORARY


def binary(name: str, left: Value | None, right: Value | None) -> Value | None:
    """An inner node; None if an operand is unknown, or if it is too large: code may square a number repeatedly."""
    if left is None or right is None or _size(left) + _size(right) >= LONGEST:
        return None
    return name, left, right


def _size(value: Value) -> int:
    return 1 + _size(value[1]) + _size(value[2]) if len(value) == 3 else 1


def with_stored(value: Value | None, stored: Mapping[int, Value]) -> Value | None:
    """A value with what is known of the temporaries, by offset, in their place."""
    if value is not None and len(value) == 3:
        return binary(value[0], with_stored(value[1], stored), with_stored(value[2], stored))
    return stored.get(value[1], value) if value is not None and value[0] == TEMPORARY else value


def program(value: Value | None, *, is_exact: bool = False) -> Program | None:
    """The program that computes a value, or a larger number; None if it depends on more than the arguments.

    With `is_exact` it computes the value itself.
    """
    bound = value if value is None or is_exact else _bound(value)
    found = None if bound is None else _operations(bound)
    return found if found is not None and depth(found) <= DEEPEST else None


def _bound(value: Value) -> Value | None:
    """The value, or if no program computes it one that is not smaller."""
    if _operations(value) is not None:
        return value
    if len(value) == 2:
        return None
    name, left, right = value
    if name == "subtract" and right == (BIT, 0) and _is_quotient(left):  # rounded down: it cannot wrap around
        return _bound(left)
    if _is_quotient(value):
        return binary("largest", _bound(left), (CONSTANT, 0))
    if name == "smallest":
        a, b = _bound(left), _bound(right)
        return binary(name, a, b) or a or b
    return binary(name, _bound(left), _bound(right)) if name == "largest" else None


def _is_quotient(value: Value) -> bool:
    """Whether a value is divided by a constant of at least 2, towards zero."""
    return len(value) == 3 and value[0] == "divide" and (constant(value[2]) or 0) >= 2


def _operations(value: Value) -> Program | None:
    """The operations that compute a value, operands first; None if there are none for it."""
    if len(value) == 3:
        left, right = _operations(value[1]), _operations(value[2])
        if left is None or right is None or value[0] not in OPERATIONS:
            return None
        return (*left, *right, (OPERATIONS[value[0]], 0))
    if value[0] == CONSTANT:
        return ((Operation.CONSTANT, value[1]),)
    return ((LOADS[value[0]], value[1]),) if value[0] in LOADS else None


def depth(operations: Iterable[tuple[int, int]]) -> int:
    """The most entries that a program has on its stack."""
    deepest = entries = 0
    for operation, _ in operations:
        entries += 1 if operation in LEAVES else -1
        deepest = max(deepest, entries)
    return deepest
