"""NdArray: an array of device memory that kernels take as an argument."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from types import EllipsisType, GenericAlias
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, cast

import numpy as np

from ..driver._library import ffi, lib
from ..handles._interchange import IS_COPY, READ_ONLY, as_pair, dlpack_capsule, stream_pointer
from ..handles._memory import (
    CPU,
    CUDA,
    DEFAULT_STREAM,
    FILL_PART,
    VULKAN,
    Exported,
    MemoryHandle,
    View,
    allocate,
    copy_between,
    fill_with,
    map_for_host,
    write_from,
)
from ..handles._runtime import OwnedResource, Unique
from ..values._errors import (
    ArgumentTypeError,
    InvalidArgumentError,
    InvalidBufferError,
    ObjectStateError,
    TaichiError,
    short,
    with_article,
)
from ..values._items import BINARY, preformatted, refuse_in_place, state_absent, table
from ..values._numbers import (
    Casting,
    DataType,
    DTypeLike,
    MemoryUsage,
    NumberLike,
    as_integer,
    convert_array,
)
from ._layout import (
    ArrayLayout,
    ImagePart,
    LaidOut,
    ShapeLike,
    array_layout,
    as_shape,
    c_strides,
    check_output,
    copy_texels,
    index_range,
    wrong_write,
)
from ._memory import Memory

if TYPE_CHECKING:
    from typing import Generic, overload

    import numpy.typing as npt
    from typing_extensions import CapsuleType, TypeVar

    from .._capi import taichi_aot_array_p
    from ..handles._runtime import Runtime

    Scalar = TypeVar("Scalar", bound=np.generic, covariant=True, default=Any)
else:
    Scalar = np.generic

    class Generic:
        """Makes classes subscriptable at run time, without effect on their objects."""

        __slots__ = ()
        __class_getitem__ = classmethod(GenericAlias)


IndexLike: TypeAlias = "SupportsIndex | slice | EllipsisType | tuple[SupportsIndex | slice | EllipsisType, ...]"

_READ = "the numpy array from to_numpy(), a copy, or from map() has all of numpy's indexing"
_FAILED = "a check in a kernel failed; array.to_numpy() or runtime.wait() raises the error"
_ASSIGN = "write `with array.map() as view: view[...] = ...`"


class _Numbers(LaidOut, Generic[Scalar]):
    """The numbers of an array, or of a part of it."""

    __slots__ = ()
    _c: taichi_aot_array_p  # the array's; its generation ends when the array is closed
    _handle: MemoryHandle
    _offset: int  # in the memory

    def __hash__(self) -> int:  # although `==` raises
        return object.__hash__(self)

    if TYPE_CHECKING:

        @property
        def dtype(self) -> np.dtype[Scalar]:
            """The numpy dtype of the numbers in the elements."""
            raise NotImplementedError

    @property
    def itemsize(self) -> int:
        """Size of one number in bytes."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Size of all numbers in bytes."""
        return self._layout.nbytes

    @property
    def closed(self) -> bool:
        """Whether the array, its memory or its runtime was closed; every other use then raises ValueError."""
        return self._c.generation != self._handle.generation or self._handle.closed

    @property
    def readonly(self) -> bool:
        """Whether the memory was imported with ``readonly=True``: writing to it raises ValueError."""
        return self._handle.readonly

    def _open_handle(self) -> MemoryHandle:
        """Return the handle of the memory; ValueError if the array is closed."""
        if self._c.generation != self._handle.generation:
            raise ObjectStateError("the array is closed")
        return self._handle

    def to_numpy(self, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Scalar]:
        """Wait for the device and copy into a numpy array of shape ``shape + elem_shape``.

        Parameters
        ----------
        out : ndarray, optional
            Array to copy into, of that shape and of this dtype, C-contiguous. By default a new array is created, which
            for a large array takes longer than the copy itself: reuse one if you read repeatedly.

        Returns
        -------
        ndarray
            `out` if it was given.

        Raises
        ------
        TypeError
            If `out` is not a numpy array, or has another dtype.
        ValueError
            If `out` has another shape, is not contiguous or not writable, or the array is closed.
        DeviceLostError
            If a kernel faulted on a CUDA device.

        Examples
        --------
        >>> out = np.empty(3, np.float32)
        >>> x.to_numpy(out) is out
        True
        """
        layout = self._layout
        if out is None:
            plain = out = np.empty(layout.numpy_shape, layout.dtype)
        else:
            plain = check_output(out, layout.numpy_shape, layout.dtype)
        self._open_handle().read(plain, self._offset)
        return out

    def tolist(self) -> Any:
        """Wait for the device and return the numbers as nested lists of Python numbers.

        Examples
        --------
        >>> x.tolist()
        [1.0, 2.0, 3.0]
        """
        return self.to_numpy().tolist()

    def tobytes(self) -> bytes:
        """Wait for the device and return the bytes of the numbers in C order.

        Examples
        --------
        >>> x[:1].tobytes()
        b'\\x00\\x00\\x80?'
        """
        return self.to_numpy().tobytes()

    def item(self, *index: SupportsIndex) -> Any:
        """Wait for the device and return one number as a Python number.

        Parameters
        ----------
        *index : int
            Nothing for the only number of an array, one index among all numbers in C order, or one for each dimension
            of ``shape + elem_shape``.

        Raises
        ------
        IndexError
            If an index is out of range.
        TypeError
            If an index is not an integer.
        ValueError
            If the number of indices does not fit the array, or the array is closed.

        Examples
        --------
        >>> x.item(-1), x[:1].item()
        (3.0, 1.0)
        """
        shape = self._layout.numpy_shape
        if len(index) == 1:
            shape = (self.size,)
        elif not index and self.size == 1:
            index = (0,) * len(shape)
        if len(index) != len(shape):
            raise InvalidArgumentError(
                f"item() got {len(index)} indices for {self!r}, which has {self.size} numbers; tolist() returns all"
            )
        begin, _ = index_range(tuple(as_integer(each, "an index") for each in index), shape, _READ)
        number = np.empty((), self.dtype)
        self._open_handle().read(number, self._offset + begin * self.itemsize)
        return number.item()

    def write(self, array: npt.ArrayLike, *, casting: Casting = "safe") -> None:
        """Wait for the device and copy `array` into this array.

        Parameters
        ----------
        array : array_like
            Numbers of shape ``shape + elem_shape``. Python numbers are converted like arguments of kernels: floats are
            rounded. Arrays of another dtype are cast by the rule `casting`.
        casting : str, default "safe"
            numpy's rule for casts of arrays: ``"same_kind"`` also allows float64 to float32, ``"unsafe"`` any cast.

        Raises
        ------
        TypeError
            If `casting` does not allow the cast to this array's dtype, a Python number in `array` is of another kind,
            or `array` is masked.
        OverflowError
            If a Python integer in `array` does not fit the dtype.
        ValueError
            If the shape differs, `casting` is not a rule of numpy, or this array is closed or read-only.

        Examples
        --------
        >>> y.write([1, 2, 3])
        >>> y.write(np.linspace(0, 1, 3), casting="same_kind")
        >>> y.to_numpy()
        array([0. , 0.5, 1. ], dtype=float32)
        """
        layout = self._layout
        source: Any = array
        if source.__class__ is not np.ndarray or source.dtype is not layout.dtype or casting != "safe":
            source = convert_array(source, layout.type.dtype, "array", casting)
        if source.shape != layout.numpy_shape:
            raise wrong_write(source.shape, self)
        write_from(self._open_handle(), source, self._offset)

    def fill(self, value: NumberLike) -> None:
        """Wait for the device and set every number to `value`, a scalar.

        Raises
        ------
        TypeError
            If `value` is not a number of the array's kind, as for a scalar argument of a kernel.
        OverflowError
            If `value` is an integer that does not fit the dtype.
        ValueError
            If the array is closed or read-only.

        Examples
        --------
        >>> y.fill(2)
        >>> y.to_numpy()
        array([2., 2., 2.], dtype=float32)
        """
        self._fill(value, "value")

    def _fill(self, value: NumberLike, what: str) -> None:
        """Fill the array; `what` names the parameter of the value in messages."""
        pattern = convert_array(value, self.data_type, what)
        if pattern.ndim:
            raise ArgumentTypeError(
                f"{what}: expected a number to fill {self!r} with, got an array of shape {pattern.shape}"
            )
        self._fill_with(pattern)

    def _fill_with(self, pattern: npt.NDArray[Any]) -> None:
        """Fill the array with a converted number."""
        handle, layout = self._open_handle(), self._layout
        if layout.nbytes > FILL_PART and handle.is_mappable and handle.host_write:
            with handle.map(layout.dtype.str, layout.numpy_shape, self._offset) as view:
                view.fill(pattern)
        else:
            fill_with(handle, pattern, layout.nbytes, self._offset)

    def copy_from(self, other: NdArray | ArraySlice | ImagePart) -> None:
        """Copy all numbers of `other`, of the same shape and dtype, on the device.

        The copy runs after earlier launches and before later ones. Numbers that the two share are copied first. An
        array of another runtime is copied after the launches of that runtime: by the driver if both are on CUDA, else
        through the host.

        Parameters
        ----------
        other : NdArray, Image or a slice of one
            The shape of an image must be that of the numbers, including those within elements.

        Raises
        ------
        TypeError
            If `other` is something else, or has another dtype: copies on the device do not convert.
        ValueError
            If the shapes differ, one is closed, this one is read-only, or `other` is an image of another runtime.

        Examples
        --------
        >>> y.copy_from(x)
        >>> y.to_numpy()
        array([1., 2., 3.], dtype=float32)
        """
        if isinstance(other, ImagePart):
            self._copy_texels(other, lib.TAICHI_AOT_READ)
            return
        if not isinstance(other, _Numbers):
            name = type(other).__qualname__
            raise ArgumentTypeError(f"expected an NdArray or an image, got {name}; write() takes arrays of the host")
        if other._layout is not self._layout:
            if other.data_type is not self.data_type:
                cast = f"write(other.to_numpy().astype({str(self.dtype)!r}))"
                raise ArgumentTypeError(
                    f"cannot copy {other.data_type} into {self.data_type} on the device; {cast} converts on the host"
                )
            if other.shape != self.shape or other.elem_shape != self.elem_shape:
                raise InvalidArgumentError(f"cannot copy {other!r} into {self!r}")
        target, source, begin = self._open_handle(), other._open_handle(), other._offset
        if source is target and abs(begin - self._offset) < self.nbytes:  # devices do not copy between them
            source = allocate(target.runtime, self._layout.request_for(MemoryUsage.STORAGE))
            copy_between(source, 0, target, begin, self.nbytes)
            begin = 0
        copy_between(target, self._offset, source, begin, self.nbytes)

    def _copy_texels(self, part: ImagePart, direction: int) -> None:
        """Copy from (READ) or to (WRITE) texels on the device."""
        if part.dtype != self.dtype or self.data_type is DataType.U1:
            raise ArgumentTypeError(f"cannot copy between texels of {part.dtype} and an array of {self.data_type}")
        if part.shape != self._layout.numpy_shape:
            raise InvalidArgumentError(f"cannot copy between {part!r}, whose shape is {part.shape}, and {self!r}")
        copy_texels(part, self._open_handle(), self._offset, direction)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: slice | EllipsisType) -> ArraySlice[Scalar]: ...
        @overload
        def __getitem__(self, key: IndexLike) -> Any: ...

    def __getitem__(self, key: IndexLike) -> Any:
        layout = self._layout
        begin, shape = index_range(key, layout.shape, _READ, layout.elem_shape)
        if shape is not None:
            return self._part(begin, shape)
        element = np.empty(layout.elem_shape, layout.dtype)
        self._open_handle().read(element, self._offset + begin * math.prod(layout.elem_shape) * self.itemsize)
        return element[()]

    def __setitem__(self, key: IndexLike, value: npt.ArrayLike | NdArray[Any] | ArraySlice[Any] | ImagePart) -> None:
        begin, shape = index_range(key, self.shape, _ASSIGN, self.elem_shape)
        part = self._part(begin, shape or ())
        if isinstance(value, _Numbers | ImagePart):
            part.copy_from(cast("NdArray[Any] | ImagePart", value))
            return
        source = convert_array(value, self.data_type, "value")
        if not source.ndim:
            part._fill_with(source)
            return
        try:
            source = np.broadcast_to(source, part._layout.numpy_shape)
        except ValueError:
            raise InvalidArgumentError(f"cannot assign an array of shape {short(source.shape)} to {part!r}") from None
        write_from(part._open_handle(), source, part._offset)

    def _part(self, begin: int, shape: tuple[int, ...]) -> ArraySlice[Scalar]:
        """Return the part of a shape that begins with this element."""
        layout = self._layout
        part = array_layout(shape, layout.type.dtype, layout.elem_shape)
        return ArraySlice(self, part, begin * math.prod(layout.elem_shape) * self.itemsize)

    def __len__(self) -> int:
        if not self.shape:
            raise ArgumentTypeError(f"len() of a 0-dimensional {type(self).__name__}")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the numbers, or the rows as views, on the CPU archs."""
        if not self._is_on_host:
            raise ArgumentTypeError(
                f"{with_article(type(self).__name__)} on {self._handle.runtime.arch} is not iterated: each item would "
                "wait for the device; iterate over array.to_numpy(), which is a copy"
            )
        len(self)
        self._open_handle().runtime.wait()  # raises the failure
        return iter(self._over_memory())

    @property
    def _is_on_host(self) -> bool:
        return bool(self._handle.runtime.backend.interchange.shares_host)

    def _over_memory(self) -> npt.NDArray[Any]:
        """Return a numpy array over the memory itself, on CPU archs, with the lifetime of `__array_interface__`."""
        return np.asarray(Exported(self._handle, self._interface()))

    def _interface(self) -> dict[str, Any]:
        layout, handle = self._layout, self._open_handle()
        return {
            "shape": layout.numpy_shape,
            "typestr": layout.dtype.str,
            "data": (handle.export() + self._offset, not handle.host_write),
            "strides": None,
            "version": 3,
        }

    def __str__(self) -> str:
        from ._layout import summary

        try:
            return summary(self._open_handle(), self._layout, self._offset)
        except TaichiError:  # closed, mapped or lost
            return repr(self)

    def _repr_html_(self) -> str:
        columns = "shape", "type", "bytes", "on", "state"
        state = "closed" if self.closed else "open"
        kind = self._layout.type.for_access(readonly=self.readonly)
        row = self.shape, kind, f"{self.nbytes:,}", self._handle.runtime.arch, state
        return table(columns, [row]) + ("" if self.closed else preformatted(str(self)))

    if not TYPE_CHECKING:  # type checkers must report it as missing

        def __bool__(self):
            raise ArgumentTypeError(
                f"an {type(self).__name__} has no truth value; write `array is not None`, or len(array), or "
                "array.to_numpy().any()"
            )


class NdArray(_Numbers[Scalar], OwnedResource):
    """An array in device memory, created by `Runtime.empty`, `zeros`, `full` and `asarray`.

    ``array[a:b]`` is a slice along the first axis, for reading, writing, filling or copying a part; see `ArraySlice`.

    As in Taichi, elements may be vectors or matrices. To a kernel, an array of shape ``(16, 8)`` with
    ``elem_shape=(3,)`` is a 2-dimensional array of 3-vectors; to numpy, it is an array of shape ``(16, 8, 3)`` in C
    order. The constructor takes the runtime and the parameters of `Runtime.empty`, and raises the same errors.

    Arrays have no operators, and comparing them with ``==`` raises TypeError: kernels compute on the device, numpy with
    `to_numpy` on the host. numpy's own arrays and scalars take a copy, as in ``np.ones(3) + array``. ``array += b``
    raises TypeError.

    Examples
    --------
    >>> a = rt.asarray([[1, 2], [3, 4]], "i32")
    >>> a.shape, a.dtype, a.nbytes
    ((2, 2), dtype('int32'), 16)
    >>> with a.map() as view:
    ...     view[0, 0] = 9
    >>> a.to_numpy()
    array([[9, 2],
           [3, 4]], dtype=int32)
    """

    __slots__ = ("_c", "_grad", "_handle", "_layout", "_memory", "_offset", "_owns_memory", "_type", "_variants")
    _grad: NdArray | None

    def __init__(
        self,
        runtime: Runtime,
        shape: ShapeLike,
        dtype: DTypeLike = np.float32,
        elem_shape: ShapeLike = (),
        *,
        grad: bool = False,
        export_sharing: bool = False,
        usage: MemoryUsage = MemoryUsage.STORAGE,
    ) -> None:
        self._initialize_once("_handle")
        layout = array_layout(as_shape(shape, "shape"), dtype, as_shape(elem_shape, "elem_shape"))
        if grad:
            layout.require_floats()
        request = layout.request_for(usage, export_sharing=export_sharing)
        self._place(runtime, layout, allocate(runtime._handle, request))
        if grad:
            self._add_gradient()

    def _add_gradient(self) -> None:
        layout = self._layout
        self._grad = NdArray(self._runtime, layout.shape, self.data_type, layout.elem_shape)
        self._grad.fill(0)

    @classmethod
    def _over(
        cls, runtime: Runtime, layout: ArrayLayout, handle: MemoryHandle, memory: Memory | None = None, offset: int = 0
    ) -> NdArray:
        """Return an array in existing memory, which it owns unless that is a `Memory`."""
        self = object.__new__(cls)
        self._place(runtime, layout, handle, memory, offset)
        return self

    def _place(
        self, runtime: Runtime, layout: ArrayLayout, handle: MemoryHandle, memory: Memory | None = None, offset: int = 0
    ) -> None:
        self._runtime = runtime
        self._grad = None
        self._layout = layout
        self._type = layout.type.for_access(readonly=True) if handle.readonly else layout.type
        self._memory = memory
        self._owns_memory = memory is None
        self._offset = offset
        self._variants: dict[tuple[int, ...], taichi_aot_array_p] = {}  # of `_c`, by element shape
        self._c = c = ffi.new("taichi_aot_array *", layout.c[0])
        handle.place(c, offset if layout.nbytes else 0)
        self._handle = handle

    def __init_subclass__(cls) -> None:
        raise ArgumentTypeError("NdArray cannot be subclassed: the launch path checks the exact class")

    @property
    def grad(self) -> NdArray[Scalar] | None:
        """The gradient: an array of the same type and shape, zero at first; None unless created with ``grad=True``.

        The array keeps it, and closes it when it is closed itself. See `Kernel.grad`.

        Examples
        --------
        >>> a = rt.full(3, 2.0, grad=True)
        >>> a.grad.to_numpy()
        array([0., 0., 0.], dtype=float32)
        >>> x.grad is None
        True
        """
        return self._grad

    @property
    def offset(self) -> int:
        """Its first byte in `memory`: 0 unless `Memory.ndarray` created it with another offset."""
        return self._offset

    @property
    def memory(self) -> Memory:
        """The memory of the array. Closing it closes the array.

        Closing the array also closes the memory, unless `Memory.ndarray` created the array.
        """
        if self._memory is None:
            self._memory = Memory(self._runtime, self._handle)
        return self._memory

    def close(self) -> None:
        """Free the memory, unless `Memory.ndarray` created the array. Closing a closed array does nothing.

        The gradient of an array with ``grad=True`` is closed too.

        Raises
        ------
        BufferError
            If a view from `map` or a DLPack consumer still uses memory that would be freed.
        """
        if self._grad is not None:
            self._grad.close()
        if self._owns_memory:
            self._handle.close()
        else:
            for c in (self._c, *self._variants.values()):
                c.generation = 0  # launches compare it

    def _with_elem_shape(self, elem_shape: tuple[int, ...]) -> taichi_aot_array_p:
        """Return ``taichi_aot_array *`` of the same bytes with another element shape."""
        c = self._variants.get(elem_shape)
        if c is None:
            c = ffi.new("taichi_aot_array *", self._c[0])
            c.ti_ndarray.elem_shape = {"dim_count": len(elem_shape), "dims": elem_shape}
            self._variants[elem_shape] = c
        return c

    def map(self) -> AbstractContextManager[npt.NDArray[Any]]:
        """Return a context manager that yields a zero-copy numpy view of shape ``shape + elem_shape``.

        Entering waits for the device. Writes to the view are visible to the device after the ``with`` statement. The
        view, its slices and its reshapes stay valid as long as they are referenced: they keep the memory mapped. The
        view of a read-only array is read-only.

        On CUDA and on GPUs with their own memory the view is a copy that is written back at the end of the statement.
        Until then launches with the array raise BufferError, and later writes to the view are lost.

        Raises
        ------
        ValueError
            If the array is closed, or is over memory that the host may not map: see `Runtime.allocate`.

        Examples
        --------
        >>> with y.map() as view:
        ...     view[:] = 5
        >>> y.to_numpy()
        array([5., 5., 5.], dtype=float32)
        """
        layout = self._layout
        return map_for_host(self._open_handle(), layout.dtype.str, layout.numpy_shape, self._offset)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """Access to the memory itself for numpy, on CPU archs.

        A numpy array over the memory keeps this array alive. Once this array is closed, kernels cannot use it, and its
        memory is freed with the last reference to it.

        Raises
        ------
        AttributeError
            On other archs, or if a check of a kernel has failed, until a call reports it.
        ValueError
            If the array is closed.
        """
        if not self._is_on_host:
            raise AttributeError("__array_interface__: the host cannot access this array; to_numpy() copies it")
        if self._handle.runtime.has_failed:  # numpy calls `__array__` then, which raises it
            raise AttributeError(f"__array_interface__: {_FAILED}")
        return self._interface() | {"strides": c_strides(self._layout)}  # pillow takes only arrays that state them

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Access to the memory itself for CuPy, Numba, PyTorch and others, on CUDA, ordered by the default stream.

        The lifetime of the memory is as for `__array_interface__`.

        Raises
        ------
        AttributeError
            On other archs, or if a check of a kernel has failed, until a call reports it.
        ValueError
            If the array is closed.
        """
        if not self._handle.runtime.backend.interchange.shares_cuda:
            raise AttributeError("__cuda_array_interface__: this array is not on CUDA")
        if self._handle.runtime.has_failed:
            raise AttributeError(f"__cuda_array_interface__: {_FAILED}")
        return self._interface() | {"stream": DEFAULT_STREAM}

    def __buffer__(self, flags: int, /) -> memoryview:
        """Return a memoryview of the memory itself, on CPU archs. Python calls this from version 3.12 on.

        The lifetime of the memory is as for `__array_interface__`.

        Raises
        ------
        BufferError
            On other archs, or if a check of a kernel has failed, until a call reports it.
        ValueError
            If the array is closed.

        Examples
        --------
        >>> memoryview(x).tolist()  # doctest: +SKIP
        [1.0, 2.0, 3.0]
        """
        if not self._is_on_host:
            raise InvalidBufferError(f"the host cannot access {self!r}; to_numpy() copies it")
        if self._handle.runtime.has_failed:  # numpy tries the others then
            raise InvalidBufferError(_FAILED)
        view: Any = self._over_memory()
        return memoryview(view)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return DLPack's device type and number: the host if it can map this array, else CUDA or Vulkan."""
        if self._handle.is_mappable:
            return CPU, 0
        runtime = self._handle.runtime
        device: tuple[int, int] = runtime.backend.interchange.dlpack_device(runtime)
        return device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> CapsuleType:
        """Return a DLPack capsule of this array, for ``from_dlpack`` of numpy, PyTorch, CuPy and others.

        The consumer shares the memory, and this array cannot be closed until the consumer releases it. The capsule has
        a copy if ``copy=True``, or if the host is requested and cannot map the array. It also has a copy if the array
        is read-only and the consumer supports only versions before 1.0, which cannot express that.

        Parameters
        ----------
        stream : int, optional
            On CUDA the consumer's stream, which waits for the launched work: 1 or None for the default stream, -1 for
            no synchronization.
        max_version : (int, int), optional
            The newest version of DLPack that the consumer supports; by default a version before 1.0.
        dl_device : (int, int), optional
            The requested device: that of the array, or the host, ``(1, 0)``.
        copy : bool, optional
            True to copy always, False never to copy.

        Raises
        ------
        BufferError
            If the array is not available on the requested device, or not without a copy.
        TypeError
            If an argument is not made of integers.
        ValueError
            If the array is closed, or `stream` is not a stream.

        Examples
        --------
        >>> view = np.from_dlpack(x)  # calls __dlpack__
        >>> view
        array([1., 2., 3.], dtype=float32)
        """
        handle = self._open_handle()
        handle.require_open()
        device = self.__dlpack_device__()
        wanted = device if dl_device is None else as_pair(dl_device, "dl_device")
        if max_version is not None:
            max_version = as_pair(max_version, "max_version")
        if wanted not in (device, (CPU, 0)):
            raise InvalidBufferError(f"{self!r} is not available on DLPack's device {wanted}")
        if device[0] == VULKAN and wanted == device:
            raise InvalidBufferError(f"{self!r} is in GPU memory; request a copy on the host: dl_device=(1, 0)")
        readonly = handle.readonly or (device[0] == CPU and not handle.host_write)
        can_be_readonly = max_version is not None and max_version[0] >= 1  # the capsule
        if copy or wanted != device or (readonly and not can_be_readonly):
            if copy is False:
                raise InvalidBufferError(f"{self!r} is not available on the host without a copy")
            return self._dlpack_copy(wanted, stream, max_version)
        if device[0] != CUDA and stream is not None:
            raise InvalidArgumentError(f"stream must be None on the host, not {stream}")
        layout = self._layout
        kind = lib.TAICHI_AOT_HOLD_DEVICE if device[0] == CUDA else lib.TAICHI_AOT_HOLD_VIEW
        view = View(handle, layout.dtype.str, layout.numpy_shape, kind, self._offset)
        if device[0] == CUDA:
            self._order_stream(stream)
        return dlpack_capsule(
            view,
            view.address,
            layout.numpy_shape,
            self.data_type,
            device,
            max_version=max_version,
            flags=READ_ONLY if readonly else 0,
        )

    def _dlpack_copy(
        self, device: tuple[int, ...], stream: int | None, max_version: tuple[int, int] | None
    ) -> CapsuleType:
        if device[0] == CUDA:
            duplicate = NdArray(self._runtime, self.shape, self.data_type, self.elem_shape)
            duplicate.copy_from(self)
            return duplicate.__dlpack__(stream=stream, max_version=max_version)
        array = self.to_numpy()
        return dlpack_capsule(
            array, array.ctypes.data, array.shape, self.data_type, (CPU, 0), max_version=max_version, flags=IS_COPY
        )

    def _order_stream(self, stream: int | None) -> None:
        """Make a consumer's stream wait for the launched work."""
        if stream in (None, -1, DEFAULT_STREAM):
            return
        if stream == 0:
            raise InvalidArgumentError(
                "stream 0 is ambiguous on CUDA: 1 is the legacy default stream, 2 the per-thread one"
            )
        runtime = self._handle.runtime
        runtime.check(lib.taichi_aot_cuda_order(runtime.c, stream_pointer(stream), False))

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        return f"<{state}NdArray shape={self.shape} {self._type} on {self._handle.runtime.arch}>"


class ArraySlice(_Numbers[Scalar], Unique):
    """A part of an array along its first axis, created by ``array[a:b]``. It keeps the memory alive.

    It has the methods of `NdArray` that read, write, fill and copy, which move only these items. Kernels do not accept
    it. Indices are those of slices in Python, but an index out of range raises IndexError.

    Examples
    --------
    >>> x[1:]
    <ArraySlice shape=(2,) of ndarray[f32, 1] on x64>
    >>> x[1:].to_numpy()
    array([2., 3.], dtype=float32)
    >>> x[:2].write([7, 8])
    >>> y[-1:].copy_from(x[:1])
    >>> y.to_numpy()
    array([0., 0., 7.], dtype=float32)
    """

    __slots__ = ("_c", "_handle", "_layout", "_offset")

    def __init__(self, numbers: _Numbers, layout: ArrayLayout, offset: int) -> None:
        self._initialize_once("_offset")
        self._c = numbers._c
        self._handle = numbers._handle
        self._layout = layout
        self._offset = numbers._offset + offset

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        return f"<{state}ArraySlice shape={self.shape} of {self._layout.type} on {self._handle.runtime.arch}>"


# The methods of operators that arrays lack.
_ORDER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_COMPARISONS = {"eq": "==", "ne": "!="}
_UNARY = {"neg": "-{a}", "pos": "+{a}", "invert": "~{a}", "abs": "abs({a})"}

# The replacements for attributes of other libraries' arrays.
_HOST = "array.to_numpy() copies it to the host"
_COPY = "create one by runtime.empty(array.shape, array.dtype, array.elem_shape), and copy by its copy_from(array)"
_WRITE = "array.write(data) copies numbers into it"
_ABSENT = {
    **dict.fromkeys(["asnumpy", "copy_to_host", "cpu", "get", "numpy", "values"], _HOST),
    **dict.fromkeys(["clone", "copy"], _COPY),
    **dict.fromkeys(["assign", "from_numpy", "put", "set"], _WRITE),
    "element_shape": "array.elem_shape is the shape of its elements",
}
_FREE, _WAIT = "array.close() frees its memory", "array.runtime.wait() waits for the device"
_ABSENT_OF_ARRAYS = {
    **dict.fromkeys(
        ["flatten", "ravel", "reshape", "view"],
        "array.memory.ndarray(shape, array.dtype, offset=array.offset) is an array over its memory",
    ),
    **dict.fromkeys(
        ["astype", "to"],
        "array.runtime.asarray(array.to_numpy(), dtype, array.elem_shape) copies it with another dtype",
    ),
    **dict.fromkeys(["delete", "free"], _FREE),
    **dict.fromkeys(["sync", "synchronize", "wait"], _WAIT),
    "device": "array.runtime is its runtime, and array.runtime.arch its backend",
    "to_torch": "torch.from_dlpack(array) shares its memory",
}


def _operator(code: str, instead: str, of_itself: bool | None = None) -> Callable[..., Any]:
    """Return the method of an operator: it raises, except between an array and numpy, which computes with a copy."""

    def operator(self: _Numbers, other: object = None) -> Any:
        if of_itself is not None and other is self:  # weak references to it compare their objects
            return of_itself
        if isinstance(other, np.generic) or hasattr(type(other), "__array_ufunc__"):
            return NotImplemented
        raise ArgumentTypeError(f"`{code}` is not defined for an {type(self).__name__}; {instead}")

    return operator


def _state_what_is_absent() -> None:
    reflected = {f"r{name}": symbol for name, symbol in BINARY.items()}
    codes = {name: f"{{a}} {symbol} {{b}}" for name, symbol in (BINARY | reflected | _ORDER | _COMPARISONS).items()}
    for name, code in (codes | _UNARY).items():
        on_host = code.format(a="a.to_numpy()", b="b.to_numpy()")
        instead = f"launch a kernel that computes it, or compute on the host: {on_host}"
        if name in _COMPARISONS:
            instead = f"write `a is{' not' * (name == 'ne')} b`, or compare on the host: {on_host}"
        of_itself = name == "eq" if name in _COMPARISONS else None
        setattr(_Numbers, f"__{name}__", _operator(code.format(a="a", b="b"), instead, of_itself))
    refuse_in_place(_Numbers)
    of_numpy = [name for name in dir(np.ndarray) if not name.startswith("_") and not hasattr(NdArray, name)]
    state_absent(_Numbers, {name: f"write array.to_numpy().{name}, which reads a copy" for name in of_numpy} | _ABSENT)
    state_absent(NdArray, _ABSENT_OF_ARRAYS)


_state_what_is_absent()
