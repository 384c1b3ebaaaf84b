"""Plans of launches without the library. A kernel that is not fully understood has none, so the library launches it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import TypeAlias

from ...bundle._info import LaunchArgument, LaunchInfo, ResultLayout
from ...values._signature import WORDS_PER_ARGUMENT, Parameter, byte_size, word_counts
from ._parameters import TEXTURE_DIMS
from ._types import Member, Struct

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


def flat(program: Program) -> tuple[int, ...]:
    """A program as a launch states it."""
    return tuple(number for operation in program for number in operation)


def program_of(numbers: Sequence[int]) -> Program:
    """The program that a launch states."""
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


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


TEXTURES = ("texture", "rw_texture")


class UnplannedError(Exception):
    """A kernel does not have a plan; the text is the reason, such as what the kernel uses."""


class ArgumentKind(IntEnum):
    """How an argument stands in the argument struct."""

    VALUE = 0  # the bits of a scalar
    WORDS = 1  # the bytes of a tensor
    ARRAY = 2  # the sizes of its dimensions
    ADDRESS = 3  # the address of an array on the device
    EXTENT = 4  # the sizes of a texture


class BindingKind(IntEnum):
    """The kinds of a task's bindings."""

    ARGUMENTS = 0
    TEMPORARIES = 1
    ROOT = 2  # the memory of a tree of fields
    ARRAY = 3
    TEXTURE = 4
    RW_TEXTURE = 5
    RETURNS = 6  # memory for unused return values
    SCRATCH = 7  # memory for partial results


class Threads(IntEnum):
    """How many threads a loop of known length gets."""

    AS_COMPILED = 0  # at most
    OF_ELEMENTS = 1  # one for each element, up to what fills the device several times over
    RESIDENT = 2  # at most as many as the device holds at a time
    OF_SEVERAL = 3  # for code that does several elements at a time, for GPUs: one for each of those, but a full device
    RESIDENT_IN_LOOPS = 4  # as RESIDENT, where the loop has inner ones


def planned_arguments(parameters: Sequence[Parameter], members: Sequence[Member], family: str) -> list[LaunchArgument]:
    """The arguments for the parameters, whose members of the argument struct these are.

    Words beyond the 32nd of one are those of arguments after all others.
    """
    found: list[LaunchArgument] = []
    overflow = len(parameters)
    for number, (parameter, member) in enumerate(zip(parameters, members, strict=True)):
        if parameter.kind == "ndarray":
            found += planned_array(number, member, parameter.ndim)
            continue
        if family == "gfx" and parameter.kind in TEXTURES:
            found.append(LaunchArgument(number, ArgumentKind.EXTENT, member.offset, TEXTURE_DIMS))
            continue
        if parameter.dtype is None and parameter.layout is None:
            raise UnplannedError(f"a parameter of kind {parameter.kind}")
        counts, size = word_counts(parameter, family), byte_size(parameter, family)
        if not counts:
            found.append(LaunchArgument(number, ArgumentKind.VALUE, member.offset, size))
        if family == "gfx":
            size = 4 * sum(counts)  # of a struct of whole words
        step = 4 * WORDS_PER_ARGUMENT
        for begin in range(0, step * len(counts), step):
            source = number
            if begin:
                source, overflow = overflow, overflow + 1
            found.append(LaunchArgument(source, ArgumentKind.WORDS, member.offset + begin, min(step, size - begin)))
    return found


def planned_array(number: int, member: Member, ndim: int) -> tuple[LaunchArgument, LaunchArgument]:
    """The sizes and the address of an ndarray, whose struct begins with them."""
    assert isinstance(member.type, Struct)
    shape, data = member.type.members[:2]
    return (
        LaunchArgument(number, ArgumentKind.ARRAY, member.offset + shape.offset, ndim),
        LaunchArgument(number, ArgumentKind.ADDRESS, member.offset + data.offset, 8),
    )


class Plans:
    """The launches of a module's kernels; here of one without code of its own, which `what` names."""

    # results, gradients: the layouts of the return values that its code writes to an array, by kernel, and the kernels
    # whose code is passed gradients.
    results: Mapping[str, ResultLayout] = {}
    gradients: frozenset[str] = frozenset()

    def __init__(self, what: str) -> None:
        self._what = what

    def dispatch(self, name: str) -> LaunchInfo:
        """Return what a kernel launches; UnplannedError if it cannot have a plan."""
        raise UnplannedError(f"the module has no {self._what}")
