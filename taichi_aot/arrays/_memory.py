"""Memory: an allocation or a part of it, and access by the host."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..handles._memory import Adoption, DetachedMemory, MemoryHandle, copy_between, fill_with, map_for_host, write_from
from ..handles._registry import TiMemory, address_in, allocation_handle, find_shared, note_adopted
from ..handles._runtime import OwnedResource, Unique, handle_of
from ..values._errors import (
    ArgumentIndexError,
    ArgumentOutOfRangeError,
    ArgumentOverflowError,
    ArgumentTypeError,
    InvalidArgumentError,
    describe,
    is_array,
    short,
)
from ..values._items import refuse_in_place
from ..values._numbers import DTypeLike, MemoryUsage, as_integer, plain_array
from ._layout import ShapeLike, array_layout, as_shape, slice_range, usage_flags

if TYPE_CHECKING:
    from typing import overload

    import numpy.typing as npt
    from typing_extensions import Buffer

    from ..handles._runtime import NdArray, Runtime
    from ..values._numbers import DTypeOf, Float32, Scalar


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

    @property
    def readonly(self) -> bool:
        """Whether it was imported with ``readonly=True``: writing to it or to its arrays raises ValueError."""
        return self._handle.readonly

    def read(self, offset: int = 0, size: int | None = None) -> bytes:
        """Wait for the device and copy bytes to the host, through a staging buffer if the host cannot map the memory.

        Parameters
        ----------
        offset : int, default 0
            First byte.
        size : int, optional
            Number of bytes; by default all to the end.

        Raises
        ------
        IndexError
            If the range does not lie within the memory.
        ValueError
            If the memory is closed.

        Examples
        --------
        >>> rt.asarray([1, 2], "i32").memory.read(0, 4)
        b'\\x01\\x00\\x00\\x00'
        """
        offset = as_integer(offset, "offset")
        size = self._size - offset if size is None else as_integer(size, "size")
        self._check_range(offset, size)
        data = np.empty(size, np.uint8)
        self._handle.read(data, self._offset + offset)
        return data.tobytes()

    def write(self, data: Buffer | npt.NDArray[Any], offset: int = 0) -> None:
        """Wait for the device and copy from the host, through a staging buffer if the host cannot map the memory.

        Parameters
        ----------
        data : bytes-like
            A C-contiguous buffer or numpy array.
        offset : int, default 0
            Byte to begin at.

        Raises
        ------
        IndexError
            If the data does not fit between `offset` and the end.
        TypeError
            If `data` is not a C-contiguous buffer, or contains Python objects.
        ValueError
            If the memory is closed or read-only.

        Examples
        --------
        >>> memory = rt.allocate(4)
        >>> memory.write(b"abcd")
        >>> memory.write(np.array([65, 66], np.uint8), offset=2)
        >>> memory.read()
        b'abAB'
        """
        source = _as_bytes(data)
        offset = as_integer(offset, "offset")
        self._check_range(offset, source.size)
        write_from(self._handle, source, self._offset + offset)

    def fill(self, value: int = 0) -> None:
        """Wait for the device and set every byte to `value`.

        Raises
        ------
        OverflowError
            If `value` is not in 0...255.
        ValueError
            If the memory is closed or read-only.

        Examples
        --------
        >>> memory = rt.allocate(4)
        >>> memory.fill()
        >>> memory[1:3].fill(65)
        >>> memory.read()
        b'\\x00AA\\x00'
        """
        number = as_integer(value, "value")
        if not 0 <= number <= 255:
            raise ArgumentOverflowError(f"value must be a byte, 0 to 255, not {short(number)}")
        fill_with(self._handle, np.array(number, np.uint8), self._size, self._offset)

    def copy_from(self, other: Memory | MemorySlice) -> None:
        """Copy all bytes of `other`, of the same size, on the device, after earlier launches and before later ones.

        Memory of another runtime is copied after the launches of that runtime: by the driver if both are on CUDA, else
        through the host.

        Raises
        ------
        TypeError
            If `other` is not a `Memory` or a slice of one.
        ValueError
            If the sizes differ, the ranges overlap, one is closed, or this one is read-only.

        Examples
        --------
        >>> y.memory[0:4].copy_from(x.memory[8:12])
        >>> y.to_numpy()
        array([3., 0., 0.], dtype=float32)
        """
        if not isinstance(other, _Bytes):
            raise ArgumentTypeError(f"expected a Memory or a slice of one, got {type(other).__qualname__}")
        if other._size != self._size:
            raise InvalidArgumentError(f"cannot copy {other._size} bytes into {self._size}")
        copy_between(self._handle, self._offset, other._handle, other._offset, self._size)

    def __getitem__(self, key: slice) -> MemorySlice:
        if not isinstance(key, slice):
            raise ArgumentTypeError("memory is sliced by bytes: memory[a:b]")
        begin, end = slice_range(key, self._size, "bytes")
        return MemorySlice(self._handle, self._offset + begin, end - begin)

    def __len__(self) -> int:
        return self._size

    def _check_range(self, offset: int, size: int) -> None:
        if offset < 0 or size < 0 or offset + size > self._size:
            begin, end = short(offset), short(offset + size)
            raise ArgumentIndexError(f"bytes {begin} to {end} do not lie within a memory of {self._size} bytes")


refuse_in_place(_Bytes, "memory.ndarray(shape, dtype) is an array of numbers over it")


def _as_bytes(data: object) -> npt.NDArray[np.uint8]:
    """Return the bytes of a C-contiguous buffer or array, without a copy."""
    plain: Any = plain_array(data) if is_array(data) else data
    try:
        buffer = memoryview(plain)
    except TypeError:
        raise ArgumentTypeError(f"data must be bytes or an array, not {describe(data)}") from None
    if not buffer.c_contiguous:
        raise ArgumentTypeError("the data must be C-contiguous; use numpy.ascontiguousarray")
    if "O" in buffer.format:
        raise ArgumentTypeError("the data contains Python objects, not numbers")
    return np.frombuffer(buffer, np.uint8) if buffer.nbytes else np.empty(0, np.uint8)


class MemorySlice(_Bytes, Unique):
    """A range of a memory's bytes, created by ``memory[a:b]``; it keeps the memory alive.

    It has the methods of `Memory` that read, write, fill and copy. Indices are those of slices in Python, but an index
    out of range raises IndexError.

    Examples
    --------
    >>> x.memory[4:8]
    <MemorySlice [4:8] on x64>
    >>> np.frombuffer(x.memory[4:8].read(), np.float32)
    array([2.], dtype=float32)
    """

    __slots__ = ("_handle", "_offset", "_size")

    def __init__(self, handle: MemoryHandle, offset: int, size: int) -> None:
        self._initialize_once("_size")
        self._handle = handle
        self._offset = offset
        self._size = size

    @property
    def offset(self) -> int:
        """Its first byte in the memory."""
        return self._offset

    def __repr__(self) -> str:
        state = "closed " if self._handle.closed else ""
        return f"<{state}MemorySlice [{self._offset}:{self._offset + self._size}] on {self._handle.runtime.arch}>"


class Memory(_Bytes, OwnedResource):
    """An allocation of device memory, created by `Runtime.allocate`, or the memory of an `NdArray`.

    Examples
    --------
    >>> memory = rt.allocate(1024)
    >>> memory.size, memory.closed
    (1024, False)
    >>> memory.close()
    >>> memory
    <closed Memory of 1024 bytes on x64>
    """

    __slots__ = ("_handle", "_is_borrowed", "_offset", "_size")

    def __init__(self, runtime: Runtime, handle: MemoryHandle) -> None:
        self._initialize_once("_size")
        self._runtime = runtime
        self._handle = handle
        self._is_borrowed = False
        self._offset = 0
        self._size = handle.size

    @classmethod
    def from_handle(
        cls,
        runtime: Runtime,
        handle: TiMemory,
        size: int,
        owned: bool = False,
        *,
        host_read: bool = False,
        host_write: bool = False,
        usage: MemoryUsage = MemoryUsage.STORAGE,
    ) -> Memory:
        """Return memory over an existing ``TiMemory``.

        Parameters
        ----------
        runtime : Runtime
            The runtime that has allocated it.
        handle : TiMemory
            An allocation of `taichi_aot.capi`, of another binding (``capi.TiMemory(address)``), or the `handle` of a
            `Memory`.
        size : int
            Size in bytes: at most the allocated size.
        owned : bool, default False
            Whether closing this object frees the ``TiMemory``. Otherwise closing affects only this object. When the
            owner frees memory of this package, all objects over it are closed. An owner in another binding must keep
            the memory until they are closed. On CPU archs the library writes a line to stderr when it frees its own
            memory.
        host_read, host_write, usage
            The options of its allocation in another binding, as for `Runtime.allocate`.

        Raises
        ------
        TypeError
            If `runtime` is not a `Runtime`, or `handle` is not a `capi.TiMemory`.
        ValueError
            If the handle is null, the size is less than 1 or more than the library has allocated, the runtime is
            closed, or the memory is to be owned and already belongs to an object. A handle of another runtime, or of
            memory that another binding has freed, cannot be detected and may crash the process.

        Examples
        --------
        >>> memory = rt.allocate(4)
        >>> with Memory.from_handle(rt, memory.handle, 4) as borrowed:
        ...     borrowed.write(b"abcd")
        >>> memory.read()
        b'abcd'
        """
        parent = handle_of(runtime)
        parent.require_open()
        address = address_in(TiMemory, handle)
        number = as_integer(size, "size")
        if number < 1:
            raise ArgumentOutOfRangeError(f"the size of memory must be at least 1 byte, not {short(number)}")
        known = find_shared(handle, parent, owned=bool(owned))
        if known is None:
            adoption = Adoption(
                address,
                number,
                owned=bool(owned),
                host_read=bool(host_read),
                host_write=bool(host_write),
                usage=usage_flags(MemoryUsage, usage),
            )
            adopted = parent.backend.memory.adopt(parent, adoption)
            note_adopted(handle, adopted, owned=bool(owned))
            return cls(runtime, adopted)
        assert isinstance(known, MemoryHandle)
        if number > known.size:
            raise InvalidArgumentError(f"the size is {short(number)} bytes, but the memory has {known.size}")
        self = cls(runtime, known)
        self._size = number
        self._is_borrowed = not owned
        return self

    @property
    def handle(self) -> TiMemory:
        """The ``TiMemory`` for `taichi_aot.capi` and other bindings, which must not free it.

        It is valid until the memory is closed: on CPU archs and CUDA a later allocation can have the same handle. The
        handle of an array's memory is ``array.memory.handle``; the array begins at ``array.offset`` in it.

        Raises
        ------
        ValueError
            If the memory is closed.

        Examples
        --------
        >>> from taichi_aot import capi
        >>> memory = rt.allocate(64, host_read=True)
        >>> capi.export_cpu_memory(rt.handle, memory.handle).size >= 64
        True
        """
        return allocation_handle(TiMemory, self._handle)

    def close(self) -> None:
        """Free the memory. Closing closed memory does nothing.

        Raises
        ------
        BufferError
            If a view from `map` or a DLPack consumer still uses the memory.
        """
        if self._is_borrowed:
            self._handle = DetachedMemory(self._handle)
        else:
            self._handle.close()

    def map(self) -> AbstractContextManager[npt.NDArray[np.uint8]]:
        """Return a context manager that yields a zero-copy numpy view of the bytes: shape ``(size,)``, dtype uint8.

        Entering waits for the device. Writes to the view are visible to the device after the ``with`` statement. The
        view, its slices and its reshapes stay valid as long as they are referenced: they keep the memory mapped.
        Without ``host_write`` the view is read-only.

        On CUDA the view is a copy that is written back at the end of the statement. Until then launches and copies with
        the memory raise BufferError, and later writes to the view are lost.

        Raises
        ------
        ValueError
            If the memory is closed, or was allocated with neither ``host_read`` nor ``host_write``.

        Examples
        --------
        >>> memory = rt.allocate(4, host_read=True, host_write=True)
        >>> with memory.map() as view:
        ...     view[:] = 1, 2, 3, 4
        >>> memory.read()
        b'\\x01\\x02\\x03\\x04'
        """
        return map_for_host(self._handle, "|u1", (self._size,))

    if TYPE_CHECKING:

        @overload
        def ndarray(
            self, shape: ShapeLike, dtype: Float32 | None, elem_shape: ShapeLike = ..., offset: int = ...
        ) -> NdArray[np.float32]: ...
        @overload
        def ndarray(
            self, shape: ShapeLike, dtype: DTypeOf[Scalar], elem_shape: ShapeLike = ..., offset: int = ...
        ) -> NdArray[Scalar]: ...
        @overload
        def ndarray(
            self, shape: ShapeLike, dtype: DTypeLike, elem_shape: ShapeLike = ..., offset: int = ...
        ) -> NdArray: ...

    def ndarray(  # type: ignore[misc]  # mypy does not know a type of a union
        self, shape: ShapeLike, dtype: DTypeLike, elem_shape: ShapeLike = (), offset: int = 0
    ) -> NdArray:
        """Return an array over this memory, for kernels to read and write.

        Arrays over one memory may overlap. Each keeps the memory alive but does not own it: closing the memory closes
        its arrays, and closing such an array affects only that array.

        Parameters
        ----------
        shape, dtype, elem_shape
            As for `Runtime.empty`.
        offset : int, default 0
            Byte at which the array begins, a multiple of the dtype's size. On Vulkan and OpenGL kernels take whole
            buffers, and the offset must be 0.

        Raises
        ------
        IndexError
            If the array does not lie within the memory.
        NotSupportedError
            If `offset` is not 0 on Vulkan or OpenGL.
        TypeError
            If Taichi does not have the dtype.
        ValueError
            If `offset` is not a multiple of the dtype's size, or the memory was allocated without
            `MemoryUsage.STORAGE` or is closed. Also as for `Runtime.empty`.

        Examples
        --------
        >>> memory = rt.allocate(1024)
        >>> points, velocities = memory.ndarray(32, "f32", 3), memory.ndarray(32, "f32", 3, offset=512)
        >>> velocities.fill(1)
        >>> velocities.offset, points.memory is velocities.memory
        (512, True)
        """
        self._handle.require_open()
        layout = array_layout(as_shape(shape, "shape"), dtype, as_shape(elem_shape, "elem_shape"))
        offset = as_integer(offset, "offset")
        if offset < 0 or offset + layout.nbytes > self._size:
            raise ArgumentIndexError(
                f"an array of shape {layout.numpy_shape} has {layout.nbytes} bytes, and does not fit at offset "
                f"{short(offset)} into a memory of {self._size} bytes"
            )
        if offset % layout.dtype.itemsize:
            raise InvalidArgumentError(
                f"offset must be a multiple of {layout.dtype.itemsize}, the size of {layout.type.dtype}, not {offset}"
            )
        if not self._handle.usage & MemoryUsage.STORAGE:
            raise InvalidArgumentError("kernels cannot use the memory: it was allocated without MemoryUsage.STORAGE")
        return self._runtime._array_over(self, layout, offset)

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        return f"<{state}Memory of {self.size} bytes on {self._handle.runtime.arch}>"
