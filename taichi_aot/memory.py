"""Memory: an allocation or a part of one, and how the host reaches it."""

from __future__ import annotations

import operator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._handles.memory import MemoryHandle
from ._handles.resource import OwnedResource, Unique
from ._memory.convert import is_array, plain_array
from ._memory.copies import copy_between, fill_with, read_to, write_from

if TYPE_CHECKING:
    from ._handles.resource import Runtime

__all__ = ["Memory", "MemorySlice"]


class _Bytes:
    """A range of the bytes of a memory."""

    __slots__ = ()
    _handle: MemoryHandle
    _offset: int
    _size: int

    @property
    def size(self) -> int:
        """Size in bytes."""
        return self._size

    def read(self, offset: int = 0, size: int | None = None) -> bytes:
        """Copy `size` bytes from `offset` on (default: all to the end) to the host, after the device is done.

        Memory that the host cannot map is read through a buffer that it can.

        Raises
        ------
        IndexError
            If the range does not lie within the memory.
        ValueError
            If the memory is closed.
        """
        offset = operator.index(offset)
        size = self._size - offset if size is None else operator.index(size)
        self._check_range(offset, size)
        data = np.empty(size, np.uint8)
        read_to(self._handle, data, self._offset + offset)
        return data.tobytes()

    def write(self, data: Any, offset: int = 0) -> None:
        """Copy a bytes-like object or a C-contiguous array to `offset`, after the device is done.

        Memory that the host cannot map is written through a buffer that it can.

        Raises
        ------
        IndexError
            If the data does not fit between `offset` and the end.
        TypeError
            If `data` is not a C-contiguous buffer.
        ValueError
            If the memory is closed.
        """
        source = _as_bytes(data)
        offset = operator.index(offset)
        self._check_range(offset, source.size)
        write_from(self._handle, source, self._offset + offset)

    def fill(self, value: int = 0) -> None:
        """Set every byte to `value`, after the device is done.

        Raises
        ------
        OverflowError
            If `value` is not in 0...255.
        ValueError
            If the memory is closed.
        """
        if not 0 <= operator.index(value) <= 255:
            raise OverflowError(f"{value} is not a byte")
        fill_with(self._handle, np.array(value, np.uint8), self._size, self._offset)

    def copy_from(self, other: Memory | MemorySlice) -> None:
        """Copy all bytes of `other`, of the same size, on the device: after what was launched, before what will be.

        Raises
        ------
        TypeError
            If `other` is not a `Memory` or a slice of one.
        ValueError
            If the sizes differ, the ranges overlap, one is closed, or they belong to different runtimes.
        """
        if not isinstance(other, _Bytes):
            raise TypeError(f"expected a Memory or a slice of one, got {type(other).__qualname__}")
        if other._size != self._size:
            raise ValueError(f"cannot copy {other._size} bytes into {self._size}")
        copy_between(self._handle, self._offset, other._handle, other._offset, self._size)

    def __getitem__(self, key: slice) -> MemorySlice:
        if not isinstance(key, slice):
            raise TypeError("memory is sliced by bytes: memory[a:b]")
        if key.step not in (None, 1):
            raise ValueError("a slice of memory has no steps")
        for bound in (key.start, key.stop):
            if bound is not None and not -self._size <= operator.index(bound) <= self._size:
                raise IndexError(f"byte {bound} does not lie within a memory of {self._size} bytes")
        begin, end, _ = key.indices(self._size)
        return MemorySlice(self._handle, self._offset + begin, max(end - begin, 0))

    def __len__(self) -> int:
        return self._size

    def _check_range(self, offset: int, size: int) -> None:
        if offset < 0 or size < 0 or offset + size > self._size:
            raise IndexError(f"bytes {offset} to {offset + size} do not lie within a memory of {self._size} bytes")


def _as_bytes(data: object) -> npt.NDArray[np.uint8]:
    """The bytes of a C-contiguous buffer or array, without a copy."""
    plain: Any = plain_array(data) if is_array(data) else data
    buffer = memoryview(plain)
    if not buffer.c_contiguous:
        raise TypeError("the data must be C-contiguous; numpy.ascontiguousarray makes it so")
    if "O" in buffer.format:
        raise TypeError("the data holds Python objects, not numbers")
    return np.frombuffer(buffer, np.uint8) if buffer.nbytes else np.empty(0, np.uint8)


class MemorySlice(_Bytes, Unique):
    """A range of a memory, made by ``memory[a:b]``: read, written and copied as the whole is. It keeps the memory."""

    __slots__ = ("_handle", "_offset", "_size")

    def __init__(self, handle: MemoryHandle, offset: int, size: int) -> None:
        self._initialize_once("_size")
        self._handle = handle
        self._offset = offset
        self._size = size

    @property
    def offset(self) -> int:
        """Where it begins in the memory, in bytes."""
        return self._offset

    def __repr__(self) -> str:
        state = "closed " if self._handle.closed else ""
        return f"<{state}MemorySlice [{self._offset}:{self._offset + self._size}] on {self._handle.runtime.arch}>"


class Memory(_Bytes, OwnedResource):
    """An allocation of device memory. Made by `Runtime.allocate`, or the memory of an `NdArray`."""

    __slots__ = ("_handle", "_offset", "_size")

    def __init__(self, runtime: Runtime, handle: MemoryHandle) -> None:
        self._initialize_once("_size")
        self._runtime = runtime
        self._handle = handle
        self._offset = 0
        self._size = handle.size

    @property
    def closed(self) -> bool:
        return self._handle.closed

    def close(self) -> None:
        """Free the memory. Closing twice is fine.

        Raises
        ------
        BufferError
            While a view returned by `map` is alive.
        """
        self._handle.close()

    def map(self) -> AbstractContextManager[npt.NDArray[np.uint8]]:
        """Zero-copy view of the bytes, shape ``(size,)``, in a ``with`` statement.

        Entering waits for the device. What was written is visible to the device after the statement. The view, its
        slices and reshapes stay valid as long as they live: the mapping and the allocation live on with them.
        Without ``host_write`` the view is read-only.

        On CUDA the view is a copy that is written back at the end of the statement; until then launches with the
        memory, and copies, are refused, and what is written to the view later is lost.

        Raises
        ------
        ValueError
            If the memory is closed, or was allocated with neither ``host_read`` nor ``host_write``.
        """
        handle = self._handle
        if not (handle.host_read or handle.host_write):
            raise ValueError("the memory is not host-accessible: allocate it with host_read=True or host_write=True")
        return handle.map("|u1", (handle.size,))

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        return f"<{state}Memory of {self.size} bytes on {self._handle.runtime.arch}>"
