"""NdArray: an array of device memory that kernels take as an argument."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._ffi.library import ffi, lib
from ._ffi.status import check
from ._handles.memory import MemoryHandle
from ._handles.resource import Resource
from ._memory.interchange import CPU, CUDA, DEFAULT_STREAM, IS_COPY, VULKAN, dlpack_capsule
from ._memory.layout import ArrayLayout, ShapeLike, array_layout, as_shape
from .dtypes import DTypeLike
from .enums import Arch, DataType
from .memory import Map, Memory, allocate, copy_between, fill_with, read_to, write_from

if TYPE_CHECKING:
    from .runtime import Runtime

__all__ = ["NdArray"]


class NdArray(Resource):
    """An array in memory of the device. Made by `Runtime.empty`, `zeros`, `full` and `asarray`.

    As in Taichi, elements may be vectors or matrices: an array of shape ``(16, 8)`` with ``elem_shape=(3,)`` is a
    2-dimensional array of 3-vectors to a kernel, and ``(16, 8, 3)`` numbers in C order to numpy.

    Attributes
    ----------
    shape : tuple of int
        The shape a kernel sees, without the element shape.
    elem_shape : tuple of int
        ``()`` for scalars, ``(n,)`` for vectors, ``(n, m)`` for matrices.
    """

    __slots__ = ("_handle", "_layout", "_memory", "_native", "_runtime", "_type", "elem_shape", "shape")

    def __init__(self, runtime: Runtime, shape: ShapeLike, dtype: DTypeLike, elem_shape: ShapeLike = ()) -> None:
        self._layout = layout = array_layout(as_shape(shape, "shape"), dtype, as_shape(elem_shape, "elem_shape"))
        self._runtime = runtime
        self._use(allocate(runtime._handle, layout.request))

    @classmethod
    def _over(cls, runtime: Runtime, layout: ArrayLayout, handle: MemoryHandle) -> NdArray:
        """An array in memory that is there."""
        self = object.__new__(cls)
        self._layout = layout
        self._runtime = runtime
        self._use(handle)
        return self

    def _use(self, handle: MemoryHandle) -> None:
        layout = self._layout
        self.shape = layout.shape
        self.elem_shape = layout.elem_shape
        self._type = layout.type
        self._memory: Memory | None = None
        self._handle = handle
        self._native = native = ffi.new("taichi_aot_array *", layout.native[0])
        native.native.memory = handle.native
        native.state = handle.state
        native.open = handle.ticket

    def __init_subclass__(cls) -> None:
        raise TypeError("NdArray cannot be subclassed: launches tell arrays by their very class")

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy dtype of the numbers in the elements."""
        return self._layout.dtype

    @property
    def data_type(self) -> DataType:
        """The Taichi type of the numbers in the elements."""
        return self._type.dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions that a kernel sees."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many numbers it holds, those of the elements counted."""
        return self._layout.size

    @property
    def itemsize(self) -> int:
        """Bytes of one number."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all numbers."""
        return self._layout.nbytes

    @property
    def runtime(self) -> Runtime:
        """The runtime it belongs to."""
        return self._runtime

    @property
    def memory(self) -> Memory:
        """The memory behind it; closing one closes the other."""
        if self._memory is None:
            self._memory = Memory(self._runtime, self._handle)
        return self._memory

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
        """Zero-copy view of shape ``shape + elem_shape``, in a ``with`` statement.

        Entering waits for the device. What was written is visible to the device after the statement. The view, its
        slices and reshapes stay valid as long as they live: the mapping and the allocation live on with them.

        On CUDA and on GPUs with memory of their own the view is a copy that is written back at the end of the
        statement; until then launches with the array are refused, and what is written to the view later is lost.

        Raises
        ------
        ValueError
            If the array is closed.
        """
        layout = self._layout
        return Map(self._handle, layout.dtype.str, layout.numpy_shape)

    def to_numpy(self, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Wait for the device and copy into a numpy array of shape ``shape + elem_shape``.

        Parameters
        ----------
        out : ndarray, optional
            Where to, of that shape and of this dtype, C-contiguous; by default a new array. New memory costs more than
            the copy where it is large, so who reads again and again gives the same.

        Raises
        ------
        TypeError
            If `out` is no numpy array, or of another dtype.
        ValueError
            If `out` is of another shape, not contiguous or not writable; if the array is closed.
        """
        layout = self._layout
        result = np.empty(layout.numpy_shape, layout.dtype) if out is None else out
        if not isinstance(result, np.ndarray) or result.dtype != layout.dtype:
            raise TypeError(
                f"expected a numpy array of {layout.dtype}, got {getattr(out, 'dtype', type(out).__name__)}"
            )
        if result.shape != layout.numpy_shape or not (result.flags.c_contiguous and result.flags.writeable):
            raise ValueError(f"out must be of shape {layout.numpy_shape}, C-contiguous and writable")
        read_to(self._handle, result)
        return result

    def write(self, array: npt.ArrayLike) -> None:
        """Wait for the device and copy `array` into this one.

        Raises
        ------
        TypeError
            If its dtype cannot be cast to this one's by numpy's ``same_kind`` rule.
        ValueError
            If its shape is not ``shape + elem_shape``, or this array is closed.
        """
        source, layout = np.asarray(array), self._layout
        if source.shape != layout.numpy_shape:
            raise ValueError(f"cannot write an array of shape {source.shape} to {self!r}")
        if source.dtype != layout.dtype:
            source = source.astype(layout.dtype, casting="same_kind")
        write_from(self._handle, source if source.flags.c_contiguous else np.ascontiguousarray(source))

    def fill(self, value: Any) -> None:
        """Wait for the device and set every number to `value`, a scalar.

        Raises
        ------
        TypeError, OverflowError
            If numpy cannot convert `value` to the dtype.
        ValueError
            If the array is closed.
        """
        pattern = np.empty((), self._layout.dtype)
        pattern.fill(value)
        if self._handle.is_mappable:
            with self.map() as view:
                view.fill(pattern)
        else:
            fill_with(self._handle, pattern, self.nbytes)

    def copy_from(self, other: NdArray) -> None:
        """Copy all numbers of `other`, of the same runtime, shape and dtype, on the device.

        It runs after what was launched and before what will be launched.

        Raises
        ------
        TypeError
            If `other` is no NdArray, or of another dtype.
        ValueError
            If the shapes differ, the arrays share memory, one is closed, or they belong to different runtimes.
        """
        if not isinstance(other, NdArray):
            raise TypeError(f"expected an NdArray, got {type(other).__qualname__}; write() takes what the host has")
        if other._layout is not self._layout:
            if other.data_type is not self.data_type:
                raise TypeError(f"cannot copy {other.data_type} into {self.data_type}")
            if other.shape != self.shape or other.elem_shape != self.elem_shape:
                raise ValueError(f"cannot copy {other!r} into {self!r}")
        copy_between(self._handle, 0, other._handle, 0, self.nbytes)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """For numpy, where it cannot reach the memory itself: a copy."""
        if copy is False:
            raise ValueError("numpy cannot reach this array without a copy; map() gives a view")
        return self.to_numpy().astype(dtype or self.dtype, copy=False)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """For numpy, on CPU archs: the memory itself.

        An array that numpy makes of it keeps this one. Closing this one meanwhile refuses its use by kernels; the
        memory goes with the last reference.
        """
        if not self._handle.runtime.arch.is_cpu:
            raise AttributeError("__array_interface__: the host cannot reach this array; to_numpy() copies it")
        return self._interface()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """For CuPy, Numba, PyTorch and others, on CUDA: the memory itself, in the order of the default stream.

        See `__array_interface__` for its lifetime.
        """
        if self._handle.runtime.arch is not Arch.CUDA:
            raise AttributeError("__cuda_array_interface__: this array is not on CUDA")
        return self._interface() | {"stream": DEFAULT_STREAM}

    def _interface(self) -> dict[str, Any]:
        handle, layout = self._handle, self._layout
        with handle.runtime.lock:
            handle.use()
            address = handle.export()
        return {
            "shape": layout.numpy_shape,
            "typestr": layout.dtype.str,
            "data": (address, False),
            "strides": None,
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's device type and number: the host where it can map this array, else CUDA or Vulkan."""
        if self._handle.is_mappable:
            return CPU, 0
        return (CUDA if self._handle.runtime.arch is Arch.CUDA else VULKAN), 0

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule of this array, for ``from_dlpack`` of numpy, PyTorch, CuPy and others.

        The memory is shared, after the device is done, and this array cannot be closed while the consumer has it. With
        ``copy=True``, or for the host where it cannot map the array, it is a copy.

        Parameters
        ----------
        stream : int, optional
            On CUDA the consumer's stream, which is made to wait for our work: 1 or None the default stream, -1 none.
        max_version : (int, int), optional
            The newest version of DLPack that the consumer takes; by default one before 1.0.
        dl_device : (int, int), optional
            Where the consumer wants it: where it is, or the host, ``(1, 0)``.
        copy : bool, optional
            True for a copy always, False for one never.

        Raises
        ------
        BufferError
            If it cannot be had there, or not without a copy.
        ValueError
            If the array is closed, or `stream` is none.
        """
        if self.closed:
            raise ValueError("the array is closed")
        device = self.__dlpack_device__()
        wanted = device if dl_device is None else tuple(dl_device)
        if wanted not in (device, (CPU, 0)):
            raise BufferError(f"{self!r} cannot be had on DLPack's device {wanted}")
        if device[0] == VULKAN and wanted == device:
            raise BufferError(f"{self!r} is in memory of the GPU; ask for a copy on the host: dl_device=(1, 0)")
        layout = self._layout
        kind = layout.numpy_shape, self.data_type
        if copy or wanted != device:
            if copy is False:
                raise BufferError(f"{self!r} cannot be had on the host without a copy")
            if wanted[0] == CUDA:
                duplicate = NdArray(self._runtime, self.shape, self.data_type, self.elem_shape)
                duplicate.copy_from(self)
                return duplicate.__dlpack__(stream=stream, max_version=max_version)
            array = self.to_numpy()
            return dlpack_capsule(array, array.ctypes.data, *kind, (CPU, 0), max_version=max_version, flags=IS_COPY)
        with self._handle.runtime.lock:
            mapping = self._handle.map(layout.dtype.str, layout.numpy_shape)
        if device[0] == CUDA:
            self._order_stream(stream)
        elif stream is not None:
            raise ValueError(f"the host has no streams, and stream is {stream}")
        address = mapping.__array_interface__["data"][0]
        return dlpack_capsule(mapping, address, *kind, device, max_version=max_version)

    def _order_stream(self, stream: int | None) -> None:
        """Make a consumer's stream wait for our work."""
        if stream in (0, None, -1, DEFAULT_STREAM):
            if stream == 0:
                raise ValueError("stream 0 is ambiguous on CUDA: 1 is the legacy default stream, 2 that of the thread")
            return
        native = self._handle.runtime.native.pointer
        check(lib.taichi_aot_cuda_order(native, ffi.cast("void *", stream), False))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a 0-dimensional NdArray")
        return self.shape[0]

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        return f"<{state}NdArray shape={self.shape} {self._type} on {self._handle.runtime.arch}>"
