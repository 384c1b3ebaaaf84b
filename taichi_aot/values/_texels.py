"""Formats of texels: their types in numpy and their formats in Vulkan."""

from __future__ import annotations

from typing import NamedTuple

from ._dtypes import numpy_dtype
from ._enums import DataType
from ._errors import NotSupportedError
from ._image_enums import Format


class Texel(NamedTuple):
    """One texel of a format."""

    data_type: DataType  # type of the stored numbers
    channels: int  # number of channels
    vulkan: int  # the ``VkFormat``

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        return self.channels * numpy_dtype(self.data_type).itemsize


# The VkFormat that the library uses: for r16u to rgba16u it is that of r16 to rgba16.
TEXELS = {
    Format.R8: Texel(DataType.U8, 1, 9),
    Format.RG8: Texel(DataType.U8, 2, 16),
    Format.RGBA8: Texel(DataType.U8, 4, 37),
    Format.RGBA8SRGB: Texel(DataType.U8, 4, 43),
    Format.BGRA8: Texel(DataType.U8, 4, 44),
    Format.BGRA8SRGB: Texel(DataType.U8, 4, 50),
    Format.R8U: Texel(DataType.U8, 1, 13),
    Format.RG8U: Texel(DataType.U8, 2, 20),
    Format.RGBA8U: Texel(DataType.U8, 4, 41),
    Format.R8I: Texel(DataType.I8, 1, 14),
    Format.RG8I: Texel(DataType.I8, 2, 21),
    Format.RGBA8I: Texel(DataType.I8, 4, 42),
    Format.R16: Texel(DataType.U16, 1, 70),
    Format.RG16: Texel(DataType.U16, 2, 77),
    Format.RGB16: Texel(DataType.U16, 3, 84),
    Format.RGBA16: Texel(DataType.U16, 4, 91),
    Format.R16U: Texel(DataType.U16, 1, 70),
    Format.RG16U: Texel(DataType.U16, 2, 77),
    Format.RGB16U: Texel(DataType.U16, 3, 84),
    Format.RGBA16U: Texel(DataType.U16, 4, 91),
    Format.R16I: Texel(DataType.I16, 1, 75),
    Format.RG16I: Texel(DataType.I16, 2, 82),
    Format.RGB16I: Texel(DataType.I16, 3, 89),
    Format.RGBA16I: Texel(DataType.I16, 4, 96),
    Format.R16F: Texel(DataType.F16, 1, 76),
    Format.RG16F: Texel(DataType.F16, 2, 83),
    Format.RGB16F: Texel(DataType.F16, 3, 90),
    Format.RGBA16F: Texel(DataType.F16, 4, 97),
    Format.R32U: Texel(DataType.U32, 1, 98),
    Format.RG32U: Texel(DataType.U32, 2, 101),
    Format.RGB32U: Texel(DataType.U32, 3, 104),
    Format.RGBA32U: Texel(DataType.U32, 4, 107),
    Format.R32I: Texel(DataType.I32, 1, 99),
    Format.RG32I: Texel(DataType.I32, 2, 102),
    Format.RGB32I: Texel(DataType.I32, 3, 105),
    Format.RGBA32I: Texel(DataType.I32, 4, 108),
    Format.R32F: Texel(DataType.F32, 1, 100),
    Format.RG32F: Texel(DataType.F32, 2, 103),
    Format.RGB32F: Texel(DataType.F32, 3, 106),
    Format.RGBA32F: Texel(DataType.F32, 4, 109),
}


def texel_of(format: Format) -> Texel:
    """Return the texel of a format; NotSupportedError if it is a depth format."""
    if format not in TEXELS:
        raise NotSupportedError(
            f"images of {format} are not supported: the library changes the layout of every image as if it had colours"
        )
    return TEXELS[format]


def format_of_vulkan(number: int) -> Format:
    """Return the format for a ``VkFormat``; NotSupportedError if Taichi does not have it, or it is a depth format."""
    for format, texel in TEXELS.items():
        if texel.vulkan == number:
            return format
    raise NotSupportedError(f"images of VkFormat {number} are not supported: it is not a colour format of Taichi")
