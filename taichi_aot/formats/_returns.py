"""Return values, which the C-API cannot fetch: the library's copy of a module passes their memory as one more ndarray.

The code of a kernel writes its return values into a buffer of the library. In the copy of the module that is passed to
the library that buffer is an ndarray, whose argument follows all others: in gfx modules the binding refers to it, in
LLVM modules the code takes the address from it (`llvm_code`). A kernel whose types or code are not as expected is not
changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..values._dtypes import numpy_dtype
from ..values._enums import DataType
from ..values._signature import Parameter
from ._types import I32, Member, Pointer, Struct, Tensor, Type, data_type, laid_out, size_of
from ._words import end_of_write, word_counts

__all__ = ["ArrayArgument", "ReturnLayout", "array_argument", "return_layout"]

DATA_POINTER = {"gfx": 16, "llvm": 8}  # its offset in the argument of an ndarray
ALIGNMENT = {"gfx": 16, "llvm": 8}  # of that argument
POINTER_BYTES = 8

AnyDType = np.dtype[Any]


class ReturnLayout(NamedTuple):
    """Where the return values of a kernel are in their memory, and what they are in Python.

    Attributes
    ----------
    size : int
        Bytes of the memory, a multiple of 4.
    stored : numpy.dtype
        The memory as the kernel writes it: a struct with a field for each return value.
    dtype : numpy.dtype
        The same fields as Python gets them.
    """

    size: int
    stored: AnyDType
    dtype: AnyDType

    def reader(self, memory: npt.NDArray[np.uint8]) -> Callable[[], Any]:
        """A function that returns what `memory`, an array of `size` bytes, contains at that time.

        A return value is a numpy scalar, an array, or for a struct a `numpy.record`; several values are a tuple.
        """
        fields = memory.view(self.stored).reshape(())
        parts = [(fields[name], self.dtype[name].base) for name in self.dtype.names or ()]
        if len(parts) == 1:
            return lambda: _copy(*parts[0])
        return lambda: tuple([_copy(part, dtype) for part, dtype in parts])


def _copy(part: npt.NDArray[Any], dtype: AnyDType) -> Any:
    copy = part.astype(dtype)
    return copy if copy.ndim else copy[()]


def return_layout(struct: Struct, size: int, family: str) -> ReturnLayout | None:
    """The layout of return values, which the code of a kernel writes as this struct into a buffer of `size` bytes.

    `parameters.make_returns` has checked that they fit. None if there are none, or if Python has no type for one.
    """
    if family == "llvm" and struct != laid_out(struct):
        return None
    padded = -(-size // 4) * 4
    types = _struct_dtypes(struct, padded, family)
    return None if types is None else ReturnLayout(padded, *types)


def _dtypes(type_: Type, family: str) -> tuple[AnyDType, AnyDType] | None:
    """The numpy types of what a kernel writes and of what Python gets."""
    if isinstance(type_, Struct):
        return _struct_dtypes(type_, size_of(type_, family), family)
    element, shape = (type_.element, type_.shape) if isinstance(type_, Tensor) else (type_, ())
    dtype = data_type(element)
    if dtype is None or len(shape) > 2 or min(shape, default=1) < 1:
        return None
    if len(shape) == 2 and shape[1] == 1:  # how the compiler states a vector
        shape = shape[:1]
    result = numpy_dtype(dtype)
    stored = np.dtype(np.int32 if family == "gfx" else np.uint8) if dtype is DataType.U1 else result
    return np.dtype((stored, shape)), np.dtype((result, shape))


def _struct_dtypes(struct: Struct, size: int, family: str) -> tuple[AnyDType, AnyDType] | None:
    names = [member.name for member in struct.members]
    parts = [types for member in struct.members if (types := _dtypes(member.type, family)) is not None]
    if not names or len(parts) < len(names) or len({"", *names}) <= len(names):
        return None
    stored = np.dtype(
        {
            "names": names,
            "formats": [stored for stored, _ in parts],
            "offsets": [member.offset for member in struct.members],
            "itemsize": size,
        }
    )
    return stored, np.dtype((np.record, [(name, dtype) for name, (_, dtype) in zip(names, parts, strict=True)]))


class ArrayArgument(NamedTuple):
    """The ndarray that the return values of a kernel are written to: the last argument.

    Attributes
    ----------
    number : int
        Its number among the C arguments.
    member : Member
        Its member of the argument struct.
    data_pointer : int
        Offset of its data pointer in the argument struct.
    end : int
        Bytes of the argument struct with it.
    """

    number: int
    member: Member
    data_pointer: int
    end: int


def array_argument(parameters: Sequence[Parameter], offsets: Sequence[int], size: int, family: str) -> ArrayArgument:
    """The ndarray for the return values of a kernel whose parameters are at these offsets of `size` bytes."""
    ends = [end_of_write(parameter, family, offset) for parameter, offset in zip(parameters, offsets, strict=True)]
    overflow = sum(max(len(word_counts(parameter, family)) - 1, 0) for parameter in parameters)
    number, alignment = len(parameters) + overflow, ALIGNMENT[family]
    offset = -(-max([size, *ends]) // alignment) * alignment
    shape = Struct((Member("dim_0", 0, I32),))
    array = Struct((Member("shape", 0, shape), Member("data_ptr", DATA_POINTER[family], Pointer(I32))))
    pointer = offset + DATA_POINTER[family]
    return ArrayArgument(number, Member(f"arg_{number}", offset, array), pointer, pointer + POINTER_BYTES)
