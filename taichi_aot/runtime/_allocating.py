"""The part of `Runtime` that creates arrays, memory and images, or shares those of other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..arrays._layout import ArrayLayout, ShapeLike, array_layout, split_shape, usage_flags
from ..arrays._memory import Memory
from ..arrays._ndarray import NdArray
from ..handles._interchange import Shared, SharedLike, import_shared, shared_array, shared_bytes
from ..handles._memory import MemoryHandle, Request, allocate, write_fresh
from ..handles._runtime import Resource, RuntimeHandle
from ..values._errors import ArgumentOutOfRangeError, short
from ..values._numbers import DTypeLike, MemoryUsage, NumberLike, as_integer, as_numbers

if TYPE_CHECKING:
    from typing import TypedDict, overload

    import numpy.typing as npt
    from numpy.typing import ArrayLike as NumpyArrayLike
    from PIL.Image import Image as PilImage
    from typing_extensions import Unpack

    from ..arrays._image import Image
    from ..handles._runtime import Runtime
    from ..values._numbers import DTypeOf, Float32, Scalar
    from ..values._texels import Format, FormatName, ImageUsage

    class Options(TypedDict, total=False):
        """The keywords of `Runtime.empty`."""

        grad: bool
        export_sharing: bool
        usage: MemoryUsage


class Allocating(Resource):
    """The part of `Runtime` that creates what has memory on its device."""

    __slots__ = ()
    _handle: RuntimeHandle

    def allocate(
        self,
        size: int,
        *,
        host_read: bool = False,
        host_write: bool = False,
        export_sharing: bool = False,
        usage: MemoryUsage = MemoryUsage.STORAGE,
    ) -> Memory:
        """Allocate uninitialized memory.

        Parameters
        ----------
        size : int
            Size in bytes, at least 1.
        host_read, host_write : bool, default False
            Whether `Memory.map` may read and write the memory. All archs enforce this, even where mapping would work
            without the flags. `Memory.read` and `Memory.write` do not need them.
        export_sharing : bool, default False
            Whether other APIs may import it (Vulkan).
        usage : MemoryUsage, default STORAGE
            How kernels and pipelines may use it.

        Raises
        ------
        ValueError
            If `size` is not positive, `usage` has an unknown flag, or the runtime is closed.
        TypeError
            If `size` or `usage` is not an integer.
        OutOfMemoryError
            If the device or the host does not have enough memory.

        Examples
        --------
        >>> memory = rt.allocate(64, host_read=True, host_write=True)
        >>> with memory.map() as view:
        ...     view[:] = 7
        >>> memory.read(0, 2)
        b'\\x07\\x07'
        """
        size = as_integer(size, "size")
        if size < 1:
            raise ArgumentOutOfRangeError(f"the size of memory must be at least 1 byte, not {short(size)}")
        flags = usage_flags(MemoryUsage, usage)
        request = Request(size, host_read, host_write, export_sharing=export_sharing, usage=flags)
        return Memory(cast("Runtime", self), allocate(self._handle, request))

    def allocate_image(
        self,
        extent: ShapeLike,
        format: Format | FormatName,
        *,
        usage: ImageUsage | None = None,
        export_sharing: bool = False,
    ) -> Image:
        """Allocate an image with undefined texels, for kernels that take a ``texture`` or an ``rw_texture`` (Vulkan).

        Parameters
        ----------
        extent : int or sequence of int
            ``(width[, height[, depth]])`` in texels, in the order in which kernels index them. The image has one mip
            level and one layer, because the library does not allocate other images.
        format : Format or str
            Format of the texels, or Taichi's name for it (``"rgba8"``).
        usage : ImageUsage, optional
            How kernels may use it: STORAGE for ``rw_texture``, SAMPLED for ``texture``. By default both, or the one
            that the device supports for the format.
        export_sharing : bool, default False
            Whether other APIs may import its memory.

        Raises
        ------
        NotSupportedError
            On archs other than Vulkan, for depth formats, or if the device does not support the format for this
            usage and number of dimensions.
        TypeError
            If a size is not an integer.
        ValueError
            If `extent` does not have 1 to 3 sizes, a size is less than 1 or more than the device supports, the format
            or the usage is unknown, or the runtime is closed.
        OutOfMemoryError
            If the device does not have enough memory.

        Examples
        --------
        >>> vulkan = Runtime("vulkan")  # doctest: +SKIP
        >>> vulkan.allocate_image((640, 480), "rgba8")  # doctest: +SKIP
        <Image extent=(640, 480) rgba8 on vulkan>
        """
        self._handle.backend.device.require_images()
        from ..arrays._image import create_image

        return create_image(cast("Runtime", self), extent, format, usage, export_sharing=export_sharing)

    def image_from(self, picture: npt.NDArray[Any] | PilImage, *, usage: ImageUsage | None = None) -> Image:
        """Copy a picture into a new image, in a format with its number of channels (Vulkan).

        Parameters
        ----------
        picture : ndarray or PIL.Image.Image
            An array of uint8 or float32 of shape ``(height, width)`` or ``(height, width, channels)``, top row first,
            or a pillow picture of mode ``L``, ``RGB`` or ``RGBA``. One channel becomes ``r8`` or ``r32f``, two ``rg8``
            or ``rg32f``, four ``rgba8`` or ``rgba32f``. **Three become four**, with an alpha of 255 or 1.0, because
            kernels cannot take images with three channels.
        usage : ImageUsage, optional
            As for `allocate_image`.

        Raises
        ------
        NotSupportedError
            On archs other than Vulkan, or if the device does not support the format for this usage.
        TypeError
            If `picture` is something else, an array of another dtype, or a picture of another mode; the message names
            the conversion.
        ValueError
            If the array has another number of dimensions or channels, its width or height is 0 or more than the device
            supports, the usage is unknown, or the runtime is closed.
        OutOfMemoryError
            If the device does not have enough memory.

        Examples
        --------
        >>> import PIL.Image  # doctest: +SKIP
        >>> vulkan.image_from(PIL.Image.open("photo.jpg"))  # doctest: +SKIP
        <Image extent=(640, 480) rgba8 on vulkan>
        >>> vulkan.image_from(np.zeros((480, 640), np.float32)).format  # doctest: +SKIP
        <Format.R32F: 37>
        """
        from ..arrays._image import texels_of

        self._handle.backend.device.require_images()
        texels, format = texels_of(picture)
        height, width = texels.shape[:2]
        image = self.allocate_image((width, height), format, usage=usage)
        image.write(texels)
        return image

    if TYPE_CHECKING:

        @overload
        def empty(
            self, shape: ShapeLike, dtype: Float32 | None = ..., elem_shape: ShapeLike = ..., **options: Unpack[Options]
        ) -> NdArray[np.float32]: ...
        @overload
        def empty(
            self, shape: ShapeLike, dtype: DTypeOf[Scalar], elem_shape: ShapeLike = ..., **options: Unpack[Options]
        ) -> NdArray[Scalar]: ...
        @overload
        def empty(
            self, shape: ShapeLike, dtype: DTypeLike, elem_shape: ShapeLike = ..., **options: Unpack[Options]
        ) -> NdArray: ...

    def empty(  # type: ignore[misc]  # mypy does not know a type of a union
        self,
        shape: ShapeLike,
        dtype: DTypeLike = np.float32,
        elem_shape: ShapeLike = (),
        *,
        grad: bool = False,
        export_sharing: bool = False,
        usage: MemoryUsage = MemoryUsage.STORAGE,
    ) -> NdArray:
        """Create an uninitialized array.

        Parameters
        ----------
        shape : int or sequence of int
            The shape that kernels see, up to 12 dimensions; it may be ``()`` and may contain zeros.
        dtype : numpy dtype, DataType or str, default float32
            Type of the numbers. A str such as ``"f32"`` or ``"i8"`` is Taichi's name; ``"i8"`` has 8 bits.
        elem_shape : int or sequence of int, default ()
            ``(n,)`` for elements that are vectors, ``(n, m)`` for matrices.
        grad : bool, default False
            Whether the array has a gradient, `NdArray.grad`, for the adjoints of kernels (`Kernel.grad`). Its numbers
            must be floats.
        export_sharing : bool, default False
            Whether other APIs may import its memory (Vulkan), which then contains no other buffer.
        usage : MemoryUsage, default STORAGE
            How Vulkan pipelines may use its buffer: a renderer that shares the device (`taichi_aot.interop.vulkan`) can
            bind it as a VERTEX, INDEX or UNIFORM buffer. STORAGE, which kernels need, is implied. Other archs ignore
            it.

        Raises
        ------
        TypeError
            If Taichi does not have the dtype, or `grad` is true and it is not a float.
        ValueError
            If a dimension is negative, the shape has more than 12 dimensions, the array would have at least 2^31
            numbers, `usage` has an unknown flag, or the runtime is closed.
        OutOfMemoryError
            If the device or the host does not have enough memory.

        Examples
        --------
        >>> rt.empty((16, 8), "f32", elem_shape=3)
        <NdArray shape=(16, 8) ndarray[vector(3, f32), 2] on x64>
        """
        return NdArray(
            cast("Runtime", self), shape, dtype, elem_shape, grad=grad, export_sharing=export_sharing, usage=usage
        )

    if TYPE_CHECKING:

        @overload
        def zeros(
            self, shape: ShapeLike, dtype: Float32 | None = ..., elem_shape: ShapeLike = ..., **options: Unpack[Options]
        ) -> NdArray[np.float32]: ...
        @overload
        def zeros(
            self, shape: ShapeLike, dtype: DTypeOf[Scalar], elem_shape: ShapeLike = ..., **options: Unpack[Options]
        ) -> NdArray[Scalar]: ...
        @overload
        def zeros(
            self, shape: ShapeLike, dtype: DTypeLike, elem_shape: ShapeLike = ..., **options: Unpack[Options]
        ) -> NdArray: ...

    def zeros(  # type: ignore[misc]  # mypy does not know a type of a union
        self,
        shape: ShapeLike,
        dtype: DTypeLike = np.float32,
        elem_shape: ShapeLike = (),
        *,
        grad: bool = False,
        export_sharing: bool = False,
        usage: MemoryUsage = MemoryUsage.STORAGE,
    ) -> NdArray:
        """Create an array of zeros, with the parameters and errors of `empty`.

        Examples
        --------
        >>> rt.zeros(3, "i32").to_numpy()
        array([0, 0, 0], dtype=int32)
        """
        return self.full(shape, 0, dtype, elem_shape, grad=grad, export_sharing=export_sharing, usage=usage)

    if TYPE_CHECKING:

        @overload
        def full(
            self,
            shape: ShapeLike,
            fill_value: NumberLike,
            dtype: Float32 | None = ...,
            elem_shape: ShapeLike = ...,
            **options: Unpack[Options],
        ) -> NdArray[np.float32]: ...
        @overload
        def full(
            self,
            shape: ShapeLike,
            fill_value: NumberLike,
            dtype: DTypeOf[Scalar],
            elem_shape: ShapeLike = ...,
            **options: Unpack[Options],
        ) -> NdArray[Scalar]: ...
        @overload
        def full(
            self,
            shape: ShapeLike,
            fill_value: NumberLike,
            dtype: DTypeLike,
            elem_shape: ShapeLike = ...,
            **options: Unpack[Options],
        ) -> NdArray: ...

    def full(  # type: ignore[misc]  # mypy does not know a type of a union
        self,
        shape: ShapeLike,
        fill_value: NumberLike,
        dtype: DTypeLike = np.float32,
        elem_shape: ShapeLike = (),
        *,
        grad: bool = False,
        export_sharing: bool = False,
        usage: MemoryUsage = MemoryUsage.STORAGE,
    ) -> NdArray:
        """Create an array filled with `fill_value`, with the other parameters, defaults and errors of `empty`.

        Raises
        ------
        TypeError, OverflowError
            If `fill_value` does not fit the dtype, as for `NdArray.fill`.

        Examples
        --------
        >>> rt.full(3, 1.5).to_numpy()
        array([1.5, 1.5, 1.5], dtype=float32)
        """
        array = NdArray(
            cast("Runtime", self), shape, dtype, elem_shape, grad=grad, export_sharing=export_sharing, usage=usage
        )
        array._fill(fill_value, "fill_value")
        return array

    if TYPE_CHECKING:

        @overload
        def asarray(
            self, data: NumpyArrayLike, dtype: Float32, elem_shape: ShapeLike = ..., **options: Unpack[Options]
        ) -> NdArray[np.float32]: ...
        @overload
        def asarray(
            self, data: NumpyArrayLike, dtype: DTypeOf[Scalar], elem_shape: ShapeLike = ..., **options: Unpack[Options]
        ) -> NdArray[Scalar]: ...
        @overload
        def asarray(
            self, data: npt.NDArray[Scalar], dtype: None = ..., elem_shape: ShapeLike = ..., **options: Unpack[Options]
        ) -> NdArray[Scalar]: ...
        @overload
        def asarray(
            self, data: NumpyArrayLike, dtype: DTypeLike = ..., elem_shape: ShapeLike = ..., **options: Unpack[Options]
        ) -> NdArray: ...

    def asarray(  # type: ignore[misc]  # mypy does not know a type of a union
        self,
        data: npt.ArrayLike,
        dtype: DTypeLike = None,
        elem_shape: ShapeLike = (),
        *,
        grad: bool = False,
        export_sharing: bool = False,
        usage: MemoryUsage = MemoryUsage.STORAGE,
    ) -> NdArray:
        """Copy `data` into a new array.

        Parameters
        ----------
        data : array_like
            Numbers, of shape ``shape + elem_shape``.
        dtype : numpy dtype, DataType or str, optional
            Type to convert to: arrays are cast as by ``astype``, and Python numbers converted like arguments of
            kernels. By default arrays and numbers of numpy keep their dtype. As in Taichi, Python's floats are f32,
            and its integers i32; its booleans are u1.
        elem_shape : int or sequence of int, default ()
            The last dimensions of `data` that form one element: ``data`` of shape ``(100, 3)`` with ``elem_shape=3`` is
            a 1-dimensional array of 100 vectors.
        grad, export_sharing, usage
            As for `empty`.

        Raises
        ------
        TypeError
            If Taichi does not have the dtype, `data` is a masked array, or a Python number is of another kind.
        OverflowError
            If a Python integer does not fit the dtype.
        ValueError
            If the last dimensions of `data` are not `elem_shape`, and as for `empty`.
        OutOfMemoryError
            If the device or the host does not have enough memory.

        Examples
        --------
        >>> rt.asarray(np.ones((100, 3), np.float32), elem_shape=3)
        <NdArray shape=(100,) ndarray[vector(3, f32), 1] on x64>
        """
        source = as_numbers(data, dtype, "data")
        shape, elements = split_shape(source.shape, elem_shape)
        layout = array_layout(shape, source.dtype, elements)
        if grad:
            layout.require_floats()
        request = layout.request_for(usage, export_sharing=export_sharing)
        handle = allocate(self._handle, request)
        write_fresh(handle, source)
        array = NdArray._over(cast("Runtime", self), layout, handle)
        if grad:
            array._add_gradient()
        return array

    def import_memory(self, source: SharedLike, *, readonly: bool = False) -> Memory:
        """Share the memory of `source` without a copy. The result keeps this memory alive.

        Parameters
        ----------
        source : object
            On CPU archs any object with a buffer (numpy array, bytearray, mmap, ctypes), ``__dlpack__`` or
            ``__array_interface__``. On CUDA any object with ``__cuda_array_interface__`` or ``__dlpack__``: arrays of
            CuPy, Numba, PyTorch and others; launches wait for the stream that they name.
        readonly : bool, default False
            True for memory that must not be written to, such as a `bytes` object. Only kernels that do not write to it
            take its arrays, as for `from_dlpack`; other writes raise an error.

        Raises
        ------
        NotSupportedError
            On archs other than CPUs and CUDA; use `Memory.write`, which copies.
        TypeError
            If `source` does not share memory, or its buffer contains Python objects.
        BufferError
            If its memory is not C-contiguous, or is read-only without ``readonly=True``.
        ValueError
            If its memory is on another device or empty, or the runtime is closed.

        Examples
        --------
        >>> data = bytearray(4)
        >>> rt.import_memory(data).write(b"abcd")
        >>> data
        bytearray(b'abcd')
        >>> rt.import_memory(b"constant", readonly=True).read(0, 5)
        b'const'
        """
        shared = shared_bytes(source, self._sharing_device(), readonly=readonly)
        if not shared.nbytes:
            raise ArgumentOutOfRangeError("the size of memory must be at least 1 byte, but the source is empty")
        return Memory(cast("Runtime", self), self._import(shared, readonly))

    if TYPE_CHECKING:

        @overload
        def from_dlpack(
            self, source: npt.NDArray[Scalar], elem_shape: ShapeLike = ..., *, readonly: bool = ...
        ) -> NdArray[Scalar]: ...
        @overload
        def from_dlpack(self, source: SharedLike, elem_shape: ShapeLike = ..., *, readonly: bool = ...) -> NdArray: ...

    def from_dlpack(self, source: SharedLike, elem_shape: ShapeLike = (), *, readonly: bool = False) -> NdArray:
        """Create an array over the memory of `source` without a copy. The array keeps this memory alive.

        Parameters
        ----------
        source : object
            An object with ``__dlpack__``, ``__cuda_array_interface__``, ``__array_interface__`` or a buffer, of shape
            ``shape + elem_shape`` and on the device of this runtime.
        elem_shape : int or sequence of int, default ()
            The last dimensions of `source` that form one element, as for `asarray`.
        readonly : bool, default False
            True for an array that must not be written to, such as a JAX array. A kernel takes it only if the module
            states that the kernel does not write to it: the parameter's `Parameter.access` is ``"r"``. Modules for
            CPUs and SPIR-V state this; modules for CUDA only in bundles with one of them. Other writes to the array
            raise ValueError, and its views are read-only. A writable source stays writable elsewhere.

        Raises
        ------
        NotSupportedError, TypeError, BufferError, ValueError
            As for `import_memory`, and if Taichi does not have the dtype, or the last dimensions are not `elem_shape`.

        Examples
        --------
        >>> data = np.zeros(3, np.float32)
        >>> rt.from_dlpack(data).fill(2)
        >>> data
        array([2., 2., 2.], dtype=float32)
        >>> data.flags.writeable = False
        >>> rt.from_dlpack(data, readonly=True)
        <NdArray shape=(3,) read-only ndarray[f32, 1] on x64>
        """
        shared = shared_array(source, self._sharing_device(), readonly=readonly)
        shape, elements = split_shape(shared.shape, elem_shape)
        layout = array_layout(shape, shared.dtype, elements)
        return NdArray._over(cast("Runtime", self), layout, self._import(shared, readonly))

    def _array_over(self, memory: Memory, layout: ArrayLayout, offset: int) -> NdArray:
        """Create an array for `Memory.ndarray`."""
        return NdArray._over(cast("Runtime", self), layout, memory._handle, memory, offset)

    def _sharing_device(self) -> tuple[int, int]:
        """Return DLPack's type and number of the device that this runtime can share memory with."""
        interchange = self._handle.backend.interchange
        interchange.require_interface()
        device: tuple[int, int] = interchange.dlpack_device(self._handle)
        return device

    def _import(self, shared: Shared, readonly: bool) -> MemoryHandle:
        memory = import_shared(self._handle, shared)
        if readonly:
            memory.protect()
        return memory
