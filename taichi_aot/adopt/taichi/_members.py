"""Members of a private copy's argument structs that replace the module's, or are added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...bundle._info import ModuleInfo
from ...bundle._plan import ResultLayout
from ...values._signature import Parameter, end_of_write, word_counts
from ._types import I32, Member, Pointer, Struct

DATA_POINTER = {"gfx": 16, "llvm": 8}  # its offset in the argument of an ndarray
ALIGNMENT = {"gfx": 16, "llvm": 8}  # of that argument
POINTER_BYTES = 8


def word_struct(count: int) -> Struct:
    """A struct of 32-bit words."""
    return Struct(tuple(Member(f"w_{i}", 4 * i, I32) for i in range(count)))


class ArrayArgument(NamedTuple):
    """An ndarray that the copy has in addition: a gradient, or the memory for return values."""

    number: int  # its number among the C arguments
    member: Member  # its member of the argument struct
    data_pointer: int  # offset of its data pointer in the argument struct
    end: int  # bytes of the argument struct with it


def array_argument(parameters: Sequence[Parameter], offsets: Sequence[int], size: int, family: str) -> ArrayArgument:
    """The ndarray for the return values of a kernel whose parameters are at these offsets of `size` bytes."""
    ends = [end_of_write(parameter, family, offset) for parameter, offset in zip(parameters, offsets, strict=True)]
    number = _without_gradients(parameters, family) + sum(parameter.grad for parameter in parameters)
    alignment = ALIGNMENT[family]
    offset = -(-max([size, *ends]) // alignment) * alignment
    shape = Struct((Member("dim_0", 0, I32),))
    array = Struct((Member("shape", 0, shape), Member("data_ptr", DATA_POINTER[family], Pointer(I32))))
    pointer = offset + DATA_POINTER[family]
    return ArrayArgument(number, Member(f"arg_{number}", offset, array), pointer, pointer + POINTER_BYTES)


def gradient_arguments(parameters: Sequence[Parameter], struct: Struct, family: str) -> list[ArrayArgument]:
    """The ndarrays for the gradients that a kernel with this argument struct uses.

    Each lies over the argument of its array: a launch writes the same sizes again, and then the address of the gradient
    to where the library, which passes the arguments in order, has written NULL.
    """
    number = _without_gradients(parameters, family)
    found: list[ArrayArgument] = []
    for parameter, member in zip(parameters, struct.members, strict=False):
        if parameter.grad:
            assert isinstance(member.type, Struct)
            shape, _, gradient = member.type.members
            array = Struct((shape, Member("data_ptr", gradient.offset, Pointer(I32))))
            pointer = member.offset + gradient.offset
            found.append(
                ArrayArgument(number, Member(f"arg_{number}", member.offset, array), pointer, pointer + POINTER_BYTES)
            )
            number += 1
    return found


def _without_gradients(parameters: Sequence[Parameter], family: str) -> int:
    """The number of arguments for the parameters, with their overflow arguments."""
    return sum(len(word_counts(parameter, family)) or 1 for parameter in parameters)


class LoweredModule(NamedTuple):
    """The private copy of a module."""

    info: ModuleInfo
    files: dict[str, bytes]  # the files of the copy by name
    # The layouts of return values by kernel. The values of other kernels cannot be fetched.
    results: Mapping[str, ResultLayout]
    gradients: frozenset[str] = frozenset()  # the kernels whose gradients are passed, each as one more ndarray
