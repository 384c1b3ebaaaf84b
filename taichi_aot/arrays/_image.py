"""Images, which kernels take as textures, parts of them, samplers, and pictures of numpy and pillow as texels."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..driver._library import ffi, keeping_failures, lib
from ..handles._image import ImageHandle, Region, adopt_image, allocate_image, c_extent
from ..handles._registry import TiImage, address_in, allocation_handle, find_shared, note_adopted
from ..handles._runtime import OwnedResource, Unique, handle_of
from ..values._errors import (
    ArgumentIndexError,
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    NotSupportedError,
    TaichiError,
    describe,
    is_array,
    short,
)
from ..values._items import refuse_in_place
from ..values._numbers import Casting, DataType, convert_array, plain_array
from ..values._texels import (
    AddressMode,
    AddressModeName,
    Filter,
    FilterName,
    Format,
    FormatName,
    ImageLayout,
    ImageUsage,
    texel_of,
)
from ._layout import CopiedForNumpy, ImagePart, ShapeLike, as_shape, check_output, slice_range, usage_flags

if TYPE_CHECKING:
    import numpy.typing as npt
    from PIL.Image import Image as PilImage
    from typing_extensions import Self

    from ..handles._runtime import Runtime
    from ._ndarray import ArraySlice, NdArray


# By dtype: the value of an opaque alpha, and the formats of 1 to 4 channels. Devices do not support RGB images.
FORMATS: dict[np.dtype[Any], tuple[float, tuple[Format, ...]]] = {
    np.dtype(np.uint8): (255, (Format.R8, Format.RG8, Format.RGBA8, Format.RGBA8)),
    np.dtype(np.float32): (1.0, (Format.R32F, Format.RG32F, Format.RGBA32F, Format.RGBA32F)),
}
MODES = ("L", "RGB", "RGBA")  # of pillow, whose texels need no conversion
CONVERSIONS = {
    "1": 'picture.convert("L")',
    "F": "np.asarray(picture)",
    "I": "np.asarray(picture, np.float32)",
    "La": 'picture.convert("LA").convert("RGBA")',
    **dict.fromkeys(("I;16", "I;16B", "I;16L", "I;16N"), "np.asarray(picture, np.float32) / 65535"),
    **dict.fromkeys(("LA", "P", "PA", "RGBa"), 'picture.convert("RGBA")'),
}
BLUE_FIRST = (Format.BGRA8, Format.BGRA8SRGB)


def texels_of(picture: object) -> tuple[npt.NDArray[Any], Format]:
    """Return the texels of a picture and their format; RGB becomes RGBA with an opaque alpha."""
    array = plain_array(picture) if is_array(picture) else _array_of_pil(picture)
    if array.dtype not in FORMATS:
        raise ArgumentTypeError(
            f"a picture is an array of uint8 (0 to 255) or float32 (0 to 1), not of {array.dtype}: convert it, or "
            "write it to an image that allocate_image() has allocated with a format for its dtype"
        )
    if array.ndim == 2:
        array = array[:, :, None]
    if array.ndim != 3 or not 1 <= array.shape[2] <= 4:
        raise InvalidArgumentError(
            "a picture is an array of shape (height, width) or (height, width, channels), with 1 to 4 channels, not "
            f"{array.shape}"
        )
    opaque, formats = FORMATS[array.dtype]
    channels = array.shape[2]
    if channels == 3:
        colors, array = array, np.empty((*array.shape[:2], 4), array.dtype)
        for channel in range(3):  # numpy copies them faster one by one
            array[..., channel] = colors[..., channel]
        array[..., 3] = opaque
    return array if channels > 1 else array[:, :, 0], formats[channels - 1]


def _array_of_pil(picture: Any) -> npt.NDArray[Any]:
    pillow = sys.modules.get("PIL.Image")  # before it is imported, its pictures cannot exist
    if pillow is None or not isinstance(picture, pillow.Image):
        raise ArgumentTypeError(
            f"a picture is a numpy array of uint8 or float32, or a picture of pillow, not {describe(picture)}"
        )
    if picture.mode not in MODES:
        conversion = CONVERSIONS.get(picture.mode, 'picture.convert("RGB")')
        raise ArgumentTypeError(
            f"a picture of pillow has the mode {', '.join(MODES)}, not {picture.mode}; convert it by {conversion}"
        )
    return plain_array(np.asarray(picture))


def pil_picture(format: Format, shape: tuple[int, ...], read: Callable[[], npt.NDArray[Any]]) -> PilImage:
    """Return a pillow picture of the texels, of a format and shape, that `read` returns."""
    try:
        import PIL.Image
    except ImportError as error:
        raise ImportError("to_pil() needs pillow: pip install pillow", name="PIL") from error
    data_type, channels, _ = texel_of(format)
    if data_type is not DataType.U8 or channels == 2:
        raise NotSupportedError(
            f"pillow has no pictures with texels of {format}, only of 8-bit numbers with 1 or 4 channels; convert what "
            "to_numpy() returns, for example (texels * 255).astype(np.uint8), for PIL.Image.fromarray()"
        )
    ndim = len(shape) - (channels > 1)
    if ndim != 2:
        raise InvalidArgumentError(f"a picture has 2 dimensions, the image has {ndim}; to_numpy() returns its texels")
    texels = read()
    if format in BLUE_FIRST:
        texels = texels[..., [2, 1, 0, 3]]
    return PIL.Image.fromarray(np.ascontiguousarray(texels))


# Images, which kernels take as textures, parts of them, and samplers.


SHOWN = 1024  # texels of a side in a notebook


class _Texels(ImagePart, CopiedForNumpy):
    """The methods for texels that `Image` and `ImageSlice` share."""

    __slots__ = ()

    @property
    def format(self) -> Format:
        """The format of the texels."""
        return self._handle.request.format

    @property
    def extent(self) -> tuple[int, ...]:
        """``(width[, height[, depth]])``, in texels."""
        return self._region.extent

    @property
    def ndim(self) -> int:
        """Number of dimensions, without the channels."""
        return len(self._region.extent)

    @property
    def nbytes(self) -> int:
        """Size of the texels in bytes."""
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize

    def to_numpy(self, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Wait for the device and copy the texels into a numpy array.

        Parameters
        ----------
        out : ndarray, optional
            Array to copy into, of this `shape` and `dtype`, C-contiguous. By default a new array is created.

        Returns
        -------
        ndarray
            `out` if it was given. Rows are from the top, columns from the left. Channels are in the stored order: that
            of ``bgra8`` is blue, green, red, alpha.

        Raises
        ------
        TypeError, ValueError
            As for `NdArray.to_numpy`.

        Examples
        --------
        >>> image = rt.allocate_image((640, 480), "rgba8")  # doctest: +SKIP
        >>> image.to_numpy().shape  # doctest: +SKIP
        (480, 640, 4)
        """
        if out is None:
            plain = out = np.empty(self.shape, self.dtype)
        else:
            plain = check_output(out, self.shape, self.dtype)
        self._handle.transfer(self._region, plain, lib.TAICHI_AOT_READ)
        return out

    def write(self, array: npt.ArrayLike, *, casting: Casting = "safe") -> None:
        """Wait for the device and copy an array of the host into the texels.

        Parameters
        ----------
        array : array_like
            Numbers of this `shape`, as `to_numpy` returns them.
        casting : str, default "safe"
            numpy's rule for casts of arrays, as for `NdArray.write`.

        Raises
        ------
        TypeError, OverflowError, ValueError
            As for `NdArray.write`; no rule but ``"unsafe"`` casts floats into ``rgba8``.

        Examples
        --------
        >>> image = rt.allocate_image((640, 480), "rgba8")  # doctest: +SKIP
        >>> image.write(np.zeros((480, 640, 4), np.uint8))  # doctest: +SKIP
        """
        source = convert_array(array, self._handle.request.texel.data_type, "array", casting)
        if source.shape != self.shape:
            lacks_alpha = source.shape[-1:] == (3,) and self.shape == (*source.shape[:-1], 4)
            hint = "; runtime.image_from() makes an image of it, with a fourth channel" * lacks_alpha
            raise InvalidArgumentError(
                f"cannot write an array of shape {short(source.shape)} to {self!r}, whose shape is {self.shape}{hint}"
            )
        self._handle.transfer(self._region, np.ascontiguousarray(source), lib.TAICHI_AOT_WRITE)

    def copy_from(self, other: Image | ImageSlice | NdArray | ArraySlice) -> None:
        """Copy the texels of another image, or an array, on the device, after earlier launches and before later ones.

        Parameters
        ----------
        other : Image, NdArray, or a slice of one
            An image of the same format and extent, or an array of this `dtype`, of the same runtime. The array's shape
            and element shape together must be this `shape`.

        Raises
        ------
        TypeError
            If `other` is something else, or has another format or dtype.
        ValueError
            If the extents or shapes differ, the parts of one image overlap, one is closed, or they belong to different
            runtimes.
        BufferError
            If an array is mapped, on devices that map a copy.

        Examples
        --------
        >>> image.copy_from(other)  # doctest: +SKIP
        >>> image[:8, :8].copy_from(other[8:16, 8:16])  # doctest: +SKIP
        >>> image.copy_from(rt.zeros((480, 640), "u8", elem_shape=4))  # doctest: +SKIP
        """
        if not isinstance(other, _Texels):
            copy = getattr(other, "_copy_texels", None)  # of arrays and their slices
            if copy is not None:
                copy(self, lib.TAICHI_AOT_WRITE)
                return
            raise ArgumentTypeError(
                f"expected an Image, a slice of one or an NdArray, got {type(other).__qualname__}; "
                "write() takes arrays of the host"
            )
        if other.format is not self.format:
            raise ArgumentTypeError(f"cannot copy texels of {other.format} into texels of {self.format}")
        if other.extent != self.extent:
            raise InvalidArgumentError(f"cannot copy {other!r} into {self!r}: their extents differ")
        if other._handle.runtime is not self._handle.runtime:
            raise InvalidArgumentError(
                "cannot copy from an image of another runtime; to_numpy() and write() copy through the host"
            )
        if other._handle is self._handle and self._region.overlaps(other._region):
            raise InvalidArgumentError(f"cannot copy {other!r} into {self!r}: they overlap")
        other._handle.require_open()
        self._handle.require_open()
        self._handle.copy_from(self._region, other._handle, other._region)

    def __getitem__(self, key: slice | tuple[slice, ...]) -> ImageSlice:
        return ImageSlice(self._handle, _sliced(self._region, key))

    def to_pil(self) -> PilImage:
        """Wait for the device and copy the texels into a picture of pillow, which must be installed.

        Returns
        -------
        PIL.Image.Image
            Of mode ``L`` for formats of one channel, else ``RGBA``, also for ``bgra8``.

        Raises
        ------
        ImportError
            If pillow is not installed.
        NotSupportedError
            If the texels are not 8-bit numbers (floats, say), or have two channels.
        ValueError
            If there are not 2 dimensions, or the image is closed.

        Examples
        --------
        >>> image = rt.allocate_image((640, 480), "rgba8")  # doctest: +SKIP
        >>> image.to_pil().save("image.png")  # doctest: +SKIP
        >>> image[:100, 40:60].to_pil().size  # doctest: +SKIP
        (20, 100)
        """
        return pil_picture(self.format, self.shape, self.to_numpy)

    def _repr_png_(self) -> bytes | None:
        try:
            picture = keeping_failures(self.to_pil)
        except (ImportError, TaichiError):  # closed, lost, or none that pillow can show
            return None
        picture.thumbnail((SHOWN, SHOWN))
        file = io.BytesIO()
        picture.save(file, "PNG")
        return file.getvalue()


refuse_in_place(_Texels)


def _sliced(region: Region, key: slice | tuple[slice, ...]) -> Region:
    """Return the part of a region that slices ``[[z, ]y, ]x`` select."""
    keys = key if isinstance(key, tuple) else (key,)
    ndim = len(region.extent)
    if len(keys) > ndim:
        raise ArgumentIndexError(f"an image of {ndim} dimensions is sliced by at most {ndim} slices, not {len(keys)}")
    offset, extent = list(region.offset), list(region.extent)
    for axis, part in zip(range(ndim - 1, -1, -1), keys, strict=False):
        if not isinstance(part, slice):
            raise ArgumentTypeError(
                f"images are sliced by ranges of texels, image[y0:y1, x0:x1], not indexed by {describe(part)}; "
                "the numpy array from to_numpy() has all of numpy's indexing"
            )
        begin, end = slice_range(part, extent[axis], "texels along this axis")
        if end == begin:
            raise ArgumentIndexError(f"the slice {begin}:{end} of an image has no texels")
        offset[axis] += begin
        extent[axis] = end - begin
    return Region(tuple(offset), tuple(extent))


def _require_handle(handle: object, instead: str) -> None:
    """Raise TypeError unless it is a handle of this package; the message says what to do instead."""
    if not isinstance(handle, ImageHandle):
        raise ArgumentTypeError(instead)


class ImageSlice(_Texels, Unique):
    """A box of an image's texels, created by ``image[y0:y1, x0:x1]``; it keeps the image alive.

    It has the methods of `Image` that read, write and copy. Indices are those of slices in Python, in the order of
    `Image.shape`, but an index out of range raises IndexError.

    Examples
    --------
    >>> image = rt.allocate_image((640, 480), "rgba8")  # doctest: +SKIP
    >>> image[:100, 40:60]  # doctest: +SKIP
    <ImageSlice offset=(40, 0) extent=(20, 100) rgba8 on vulkan>
    """

    __slots__ = ("_handle", "_region")

    def __init__(self, handle: ImageHandle, region: Region) -> None:
        self._initialize_once("_region")
        _require_handle(handle, "an ImageSlice is created by slicing an image")
        self._handle = handle
        self._region = region

    @property
    def offset(self) -> tuple[int, ...]:
        """Its first texel in the image, ``(x[, y[, z]])``."""
        return self._region.offset

    def __repr__(self) -> str:
        state = "closed " if self._handle.closed else ""
        where = f"offset={self.offset} extent={self.extent}"
        return f"<{state}ImageSlice {where} {self.format} on {self._handle.runtime.arch}>"


class Image(_Texels, OwnedResource):
    """An image in device memory, created by `Runtime.allocate_image`. Kernels and graphs take it as a texture.

    Kernels index texels by ``(x[, y[, z]])``. Arrays of the host have the shape
    ``([[depth, ]height, ]width[, channels])``, in C order, as pictures are everywhere.

    Examples
    --------
    >>> with Runtime("vulkan") as vulkan:  # doctest: +SKIP
    ...     image = vulkan.allocate_image((640, 480), "rgba8")
    ...     image.write(np.zeros((480, 640, 4), np.uint8))
    ...     image[:100, 40:60].to_numpy().shape
    (100, 20, 4)
    """

    __slots__ = ("_c", "_handle", "_is_borrowed", "_region")
    _is_whole = True

    def __init__(self, runtime: Runtime, handle: ImageHandle) -> None:
        self._initialize_once("_handle")
        _require_handle(handle, "an Image is created by Runtime.allocate_image")
        extent = handle.request.extent
        self._is_borrowed = False
        self._runtime = runtime
        self._region = Region((0,) * len(extent), extent)
        self._c = c = ffi.new("taichi_aot_array *")
        texture = c.ti_texture
        texture.image = handle.image.ti_image
        texture.dimension = lib.TI_IMAGE_DIMENSION_1D + len(extent) - 1
        texture.extent = c_extent(extent)
        texture.format = int(handle.request.format)
        c.memory = handle.c
        c.generation = handle.generation
        self._handle = handle

    def __init_subclass__(cls) -> None:
        raise ArgumentTypeError("Image cannot be subclassed: the launch path checks the exact class")

    @classmethod
    def from_handle(cls, runtime: Runtime, handle: TiImage, owned: bool = False) -> Image:
        """Return an image over an existing ``TiImage``, whose extent, format and usage the library states.

        Parameters
        ----------
        runtime : Runtime
            The runtime that has allocated it, of arch Vulkan.
        handle : TiImage
            An image of `taichi_aot.capi`, of another binding (``capi.TiImage(address)``), or the `handle` of an
            `Image`.
        owned : bool, default False
            Whether closing this object frees the ``TiImage``, as for `Memory.from_handle`.

        Raises
        ------
        NotSupportedError
            On archs other than Vulkan, or if kernels cannot take such an image.
        TypeError
            If `runtime` is not a `Runtime`, or `handle` is not a `capi.TiImage`.
        ValueError
            If the handle is null, the runtime is closed, or the image is to be owned and already belongs to an object.
            A handle of another runtime, or of an image that another binding has freed, cannot be detected and may
            crash the process.

        Examples
        --------
        >>> with Image.from_handle(rt, image.handle) as borrowed:  # doctest: +SKIP
        ...     borrowed.extent == image.extent
        True
        """
        parent = handle_of(runtime)
        parent.require_open()
        parent.backend.device.require_images()
        address = address_in(TiImage, handle)
        known = find_shared(handle, parent, owned=bool(owned))
        if known is None:
            adopted = adopt_image(parent, address, owned=bool(owned))
            note_adopted(handle, adopted, owned=bool(owned))
            return cls(runtime, adopted)
        assert isinstance(known, ImageHandle)
        self = cls(runtime, known)
        self._is_borrowed = not owned
        return self

    @property
    def handle(self) -> TiImage:
        """The ``TiImage`` for `taichi_aot.capi` and other bindings, which must not free it.

        It is valid until the image is closed.

        Raises
        ------
        ValueError
            If the image is closed.

        Examples
        --------
        >>> from taichi_aot import capi
        >>> layout = capi.TiImageLayout.TI_IMAGE_LAYOUT_SHADER_READ
        >>> capi.transition_image(rt.handle, image.handle, layout)  # doctest: +SKIP
        """
        return allocation_handle(TiImage, self._handle)

    @property
    def usage(self) -> ImageUsage:
        """The permitted uses."""
        return self._handle.request.usage

    def close(self) -> None:
        """Free the image. Closing a closed image does nothing.

        Raises
        ------
        BufferError
            If another runtime has imported it.
        """
        if self._is_borrowed:
            self._c.generation = 0  # open images have other generations
            self._handle = self._handle.detached()
        else:
            self._handle.close()

    def texture(self, *, sampler: Sampler | None = None) -> Texture:
        """Return the image with a sampler, as an argument of a kernel. Without a sampler, pass the image itself.

        Raises
        ------
        TypeError
            If `sampler` is not a `Sampler`.
        NotSupportedError
            If it is not the default one, the only one that the library has.

        Examples
        --------
        >>> blur(image.texture(sampler=Sampler()), out)  # doctest: +SKIP
        """
        return Texture(self, Sampler() if sampler is None else sampler)

    def transition(self, layout: ImageLayout) -> None:
        """Change the layout for an application that shares the image, after earlier launches and before later ones.

        Launches and copies change the layout themselves. Copies then return to this layout.

        Raises
        ------
        ValueError
            If the layout is undefined or unknown, the image lacks the usage that it needs, or the image is closed.
        NotSupportedError
            If it is a layout for depth images.

        Examples
        --------
        >>> image.transition(ImageLayout.SHADER_READ)  # doctest: +SKIP
        >>> rt.wait()  # the application may use the image now  # doctest: +SKIP
        """
        layout = require_layout(layout, self.usage)
        if layout is ImageLayout.UNDEFINED:
            raise ArgumentOutOfRangeError("an image cannot be brought into an undefined layout")
        self._handle.change_layout(layout, lib.TAICHI_AOT_TRANSITION)

    def track(self, layout: ImageLayout) -> None:
        """Record the layout in which an application has left the image. UNDEFINED lets the device discard the texels.

        Raises
        ------
        ValueError, NotSupportedError
            As for `transition`.

        Examples
        --------
        >>> image.track(ImageLayout.COLOR_ATTACHMENT)  # doctest: +SKIP
        """
        self._handle.change_layout(require_layout(layout, self.usage), lib.TAICHI_AOT_TRACK)

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        return f"<{state}Image extent={self.extent} {self.format} on {self._handle.runtime.arch}>"


def create_image(
    runtime: Runtime,
    extent: ShapeLike,
    format: Format | FormatName,
    usage: ImageUsage | None,
    *,
    export_sharing: bool,
) -> Image:
    """Create the image of `Runtime.allocate_image`."""
    sizes = as_shape(extent, "extent")
    if not 1 <= len(sizes) <= 3 or 0 in sizes:
        raise ArgumentOutOfRangeError(f"the extent of an image must be 1 to 3 sizes of at least 1, not {short(sizes)}")
    flags = None if usage is None else usage_flags(ImageUsage, usage, least=1)
    handle = allocate_image(runtime._handle, sizes, Format(format), flags, export_sharing=bool(export_sharing))
    return Image(runtime, handle)


class Texture(Unique):
    """An image with a sampler, created by `Image.texture`, as an argument of a kernel or graph.

    Examples
    --------
    >>> image.texture()  # doctest: +SKIP
    <Texture of <Image extent=(640, 480) rgba8 on vulkan>>
    """

    __slots__ = ("_image", "_sampler")

    def __init__(self, image: Image, sampler: Sampler) -> None:
        self._initialize_once("_sampler")
        if not isinstance(image, Image):
            raise ArgumentTypeError(f"expected an Image, got {type(image).__qualname__}")
        self._image = image
        self._sampler = require_default(sampler)

    @property
    def image(self) -> Image:
        """The image."""
        return self._image

    @property
    def sampler(self) -> Sampler:
        """The sampler."""
        return self._sampler

    @property
    def closed(self) -> bool:
        """Whether the image is closed."""
        return self._image.closed

    def __repr__(self) -> str:
        return f"<Texture of {self._image!r}>"


_DEPTH = (ImageLayout.DEPTH_ATTACHMENT, ImageLayout.DEPTH_ATTACHMENT_READ)
_NEEDED = {
    ImageLayout.SHADER_READ: ImageUsage.SAMPLED,
    ImageLayout.COLOR_ATTACHMENT: ImageUsage.ATTACHMENT,
    ImageLayout.COLOR_ATTACHMENT_READ: ImageUsage.ATTACHMENT,
}


def require_layout(layout: ImageLayout, usage: ImageUsage) -> ImageLayout:
    """Return the layout if an image of that usage can have it."""
    if layout not in list(ImageLayout):
        raise ArgumentOutOfRangeError(
            f"unknown layout {short(layout)}; the layouts are {', '.join(ImageLayout.__members__)}"
        )
    layout = ImageLayout(layout)
    if layout in _DEPTH:
        raise NotSupportedError(f"the layout {layout.name} is for depth images, which are not supported")
    needed = _NEEDED.get(layout)
    if needed is not None and needed not in usage:
        raise InvalidArgumentError(f"the layout {layout.name} needs an image with usage {needed.name}")
    return layout


class _Members(NamedTuple):
    mag_filter: Filter
    min_filter: Filter
    address_mode: AddressMode


class Sampler(_Members):
    """A sampler of a texture. The C library has only the default one.

    Parameters
    ----------
    mag_filter, min_filter : Filter or str, default LINEAR
        Filters between texels.
    address_mode : AddressMode or str, default REPEAT
        Addressing beyond the edges.

    Raises
    ------
    ValueError
        If a filter or the address mode does not exist.

    Examples
    --------
    >>> Sampler().mag_filter
    <Filter.LINEAR: 1>
    >>> Sampler("nearest")
    <Sampler mag_filter=nearest min_filter=linear address_mode=repeat>
    """

    __slots__ = ()

    def __new__(
        cls,
        mag_filter: Filter | FilterName = Filter.LINEAR,
        min_filter: Filter | FilterName = Filter.LINEAR,
        address_mode: AddressMode | AddressModeName = AddressMode.REPEAT,
    ) -> Self:
        return super().__new__(cls, Filter(mag_filter), Filter(min_filter), AddressMode(address_mode))

    def __repr__(self) -> str:
        members = " ".join(f"{name}={value}" for name, value in zip(self._fields, self, strict=True))
        return f"<Sampler {members}>"


def require_default(sampler: object) -> Sampler:
    """Return the sampler if it is the default one."""
    if not isinstance(sampler, Sampler):
        raise ArgumentTypeError(f"expected a Sampler, got {type(sampler).__qualname__}")
    if sampler != Sampler():
        raise NotSupportedError(
            f"the library samples with {Sampler()} only, not with {sampler}; ti_create_sampler is not implemented"
        )
    return sampler
