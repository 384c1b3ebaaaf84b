"""Conversions of numpy and pillow pictures to texels, and of texels to pillow pictures."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..values._convert import plain_array
from ..values._enums import DataType
from ..values._errors import ArgumentTypeError, InvalidArgumentError, NotSupportedError, describe, is_array
from ..values._texels import Format, texel_of

if TYPE_CHECKING:
    import numpy.typing as npt
    from PIL.Image import Image as PilImage

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
