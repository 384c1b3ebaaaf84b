"""Return values, which the C-API cannot fetch: the private copy of a module passes their memory as one more ndarray.

The code of a kernel writes its return values into a buffer of the library. In the copy that buffer is an ndarray, whose
argument follows all others: in gfx modules the binding refers to it, in LLVM modules the code takes the address from it
(`_llvm_code`). A kernel whose types or code are not as expected is not changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..formats._types import Struct, Type, laid_out, size_of

__all__ = ["ReturnLayout", "return_layout"]

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


def return_layout(struct: Struct, size: int, dtype: AnyDType | None, family: str) -> ReturnLayout | None:
    """The layout of return values, which the code of a kernel writes as this struct into a buffer of `size` bytes.

    `dtype` is that of `KernelInfo.return_dtype`. None if there are none, or if they are not where code expects them.
    """
    if dtype is None or (family == "llvm" and struct != laid_out(struct)):
        return None
    padded = -(-size // 4) * 4
    return ReturnLayout(padded, _stored_struct(struct, padded, dtype, family), dtype)


def _stored_struct(struct: Struct, size: int, dtype: AnyDType, family: str) -> AnyDType:
    return np.dtype(
        {
            "names": [member.name for member in struct.members],
            "formats": [_stored(member.type, dtype[member.name], family) for member in struct.members],
            "offsets": [member.offset for member in struct.members],
            "itemsize": size,
        }
    )


def _stored(type_: Type, dtype: AnyDType, family: str) -> AnyDType:
    """The numpy type of what a kernel writes, by that of what Python gets."""
    if isinstance(type_, Struct):
        return _stored_struct(type_, size_of(type_, family), dtype, family)
    if dtype.base.kind == "b":
        return np.dtype((np.int32 if family == "gfx" else np.uint8, dtype.shape))
    return dtype
