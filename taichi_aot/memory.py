"""Memory: an allocation or a part of one, and how the host reaches it."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._ffi.library import ffi
from ._ffi.pointers import address_of
from ._handles.memory import MemoryHandle, Request
from ._handles.resource import Resource
from ._handles.runtime import RuntimeHandle
from .errors import OutOfMemoryError

if TYPE_CHECKING:
    from .runtime import Runtime

__all__ = ["Map", "Memory", "MemorySlice", "allocate", "copy_between", "fill_with", "read_to", "write_from"]

# No machine addresses more; the library answers sizes near 2^64 with handles to nothing.
LARGEST = 1 << 47
FILL_PART = 1 << 20  # bytes of a pattern that are copied at a time


# What the public classes share, on handles.


def allocate(runtime: RuntimeHandle, request: Request) -> MemoryHandle:
    """Allocate memory with any contents."""
    if request.size > LARGEST:
        raise OutOfMemoryError(f"cannot allocate {request.size} bytes: no device addresses more than {LARGEST}")
    if not runtime.open:
        raise runtime.closed_error()
    return runtime.allocator.allocate(runtime, request)


class Map:
    """What `map` gives: a context manager that yields a view of the memory, after the device is done.

    Where the host cannot map, the view is a copy that is written back at the end.
    """

    __slots__ = ("_copies", "_memory", "_shape", "_typestr")

    def __init__(self, memory: MemoryHandle, typestr: str, shape: tuple[int, ...]) -> None:
        self._memory = memory
        self._typestr = typestr
        self._shape = shape
        self._copies: list[npt.NDArray[Any]] = []  # one for each time that it was entered

    def __enter__(self) -> npt.NDArray[Any]:
        memory = self._memory
        with memory.runtime.lock:
            if memory.is_mappable:
                return np.asarray(memory.map(self._typestr, self._shape))
            memory.use()
            if memory.stage is None:
                data = np.empty(memory.size, np.uint8)
                memory.read_to(array_address(data), 0, data.size)
                memory.begin_stage(Stage(data))
            memory.stage.users += 1
            data = memory.stage.data
        size = math.prod(self._shape) * np.dtype(self._typestr).itemsize
        copy: npt.NDArray[Any] = data[:size].view(self._typestr).reshape(self._shape)
        copy.flags.writeable = memory.host_write
        self._copies.append(copy)
        return copy

    def __exit__(self, *exc_info: object) -> None:
        if not self._copies:
            return
        self._copies.pop().flags.writeable = False  # what is written later would be lost
        memory = self._memory
        with memory.runtime.lock:
            stage = memory.stage
            assert stage is not None
            stage.users -= 1
            if stage.users:
                return
            memory.begin_stage(None)
            if memory.host_write and not memory.closed:
                memory.write_from(array_address(stage.data), 0, memory.size)


class Stage:
    """The host's copy of memory that it cannot map, while it is in use."""

    __slots__ = ("data", "users")

    def __init__(self, data: npt.NDArray[np.uint8]) -> None:
        self.data = data
        self.users = 0


def _check_not_staged(memory: MemoryHandle) -> None:
    if memory.stage is not None:
        raise BufferError("the memory is mapped, and this arch maps a copy; leave that `with` block first")


def array_address(array: npt.NDArray[Any]) -> int:
    """Where the numbers of a contiguous array are; ``array.ctypes.data`` takes three times as long."""
    return address_of(ffi.from_buffer(array))


def read_to(memory: MemoryHandle, target: npt.NDArray[Any], offset: int = 0) -> None:
    """Copy to all of `target`, which is contiguous, after the device is done."""
    with memory.runtime.lock:
        memory.use()
        memory.read_to(array_address(target), offset, target.nbytes)


def write_from(memory: MemoryHandle, source: npt.NDArray[Any], offset: int = 0) -> None:
    """Copy all of `source`, which is contiguous, after the device is done."""
    with memory.runtime.lock:
        memory.use()
        _check_not_staged(memory)
        memory.write_from(array_address(source), offset, source.nbytes)


def copy_between(target: MemoryHandle, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
    """Copy on the device, in the order of launches. The ranges lie within the memories.

    Raises
    ------
    ValueError
        If one is closed, they belong to different runtimes, or the ranges overlap.
    """
    if source.runtime is not target.runtime:
        raise ValueError("cannot copy from memory of another runtime; read() and write() go through the host")
    with target.runtime.lock:
        source.use()
        target.use()
        _check_not_staged(source)
        _check_not_staged(target)
        if source is target and max(offset, source_offset) < min(offset, source_offset) + size:
            raise ValueError(f"cannot copy {size} bytes from offset {source_offset} to {offset}: the ranges overlap")
        if size:
            target.copy_from(offset, source, source_offset, size)


def fill_with(memory: MemoryHandle, pattern: npt.NDArray[Any], size: int, offset: int = 0) -> None:
    """Fill `size` bytes with a number, after the device is done."""
    part = np.full(max(1, min(size, FILL_PART) // pattern.itemsize), pattern)
    write_from(memory, part[: size // pattern.itemsize], offset)
    for begin in range(part.nbytes, size, part.nbytes):
        copy_between(memory, offset + begin, memory, offset, min(part.nbytes, size - begin))


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
        buffer = memoryview(data)
        if not buffer.c_contiguous:
            raise TypeError("the data must be C-contiguous; numpy.ascontiguousarray makes it so")
        source = np.frombuffer(buffer, np.uint8) if buffer.nbytes else np.empty(0, np.uint8)
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
            If `other` is no memory.
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


class MemorySlice(_Bytes):
    """A range of a memory, made by ``memory[a:b]``: read, written and copied as the whole is. It keeps the memory."""

    __slots__ = ("__weakref__", "_handle", "_offset", "_size")

    def __init__(self, handle: MemoryHandle, offset: int, size: int) -> None:
        self._handle = handle
        self._offset = offset
        self._size = size

    @property
    def offset(self) -> int:
        """Where it begins in the memory, in bytes."""
        return self._offset

    def __reduce__(self) -> str:
        raise TypeError("cannot pickle or copy a MemorySlice: it belongs to memory of this process")

    def __repr__(self) -> str:
        state = "closed " if self._handle.closed else ""
        return f"<{state}MemorySlice [{self._offset}:{self._offset + self._size}] on {self._handle.runtime.arch}>"


class Memory(_Bytes, Resource):
    """An allocation of device memory. Made by `Runtime.allocate`, or the memory of an `NdArray`.

    Attributes
    ----------
    size : int
        Size in bytes.
    runtime : Runtime
        The runtime it belongs to.
    """

    __slots__ = ("_handle", "_offset", "_size", "runtime")

    def __init__(self, runtime: Runtime, handle: MemoryHandle) -> None:
        self.runtime = runtime
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
            While a view that `map` gave still lives.
        """
        self._handle.close()

    def map(self) -> Map:
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
        return Map(handle, "|u1", (handle.size,))

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        return f"<{state}Memory of {self.size} bytes on {self._handle.runtime.arch}>"
