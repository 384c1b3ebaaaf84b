"""Enumerations of the C-API for images, with the values of its headers, and formats of texels in numpy and Vulkan."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Literal, NamedTuple, TypeAlias

from ._errors import NotSupportedError
from ._numbers import DataType, NamedEnum, numpy_dtype

# The names of members, as type checkers know them.
FilterName: TypeAlias = Literal["nearest", "linear"]
AddressModeName: TypeAlias = Literal["repeat", "mirrored_repeat", "clamp_to_edge"]
FormatName: TypeAlias = Literal[
    "r8", "rg8", "rgba8", "rgba8srgb", "bgra8", "bgra8srgb",
    "r8u", "rg8u", "rgba8u", "r8i", "rg8i", "rgba8i",
    "r16", "rg16", "rgb16", "rgba16", "r16u", "rg16u", "rgb16u", "rgba16u",
    "r16i", "rg16i", "rgb16i", "rgba16i", "r16f", "rg16f", "rgb16f", "rgba16f",
    "r32u", "rg32u", "rgb32u", "rgba32u", "r32i", "rg32i", "rgb32i", "rgba32i",
    "r32f", "rg32f", "rgb32f", "rgba32f",
    "depth16", "depth24stencil8", "depth32f",
]  # fmt: skip


class Format(NamedEnum):
    """Format of an image's texels (``TiFormat``), from its number or Taichi's name.

    The name states the channels and their bits. Without a letter after the bits, a channel is a fraction stored as an
    unsigned integer: 255 in ``rgba8`` is 1.0 to kernels. ``u`` and ``i`` are integers, ``f`` floating-point numbers.

    Raises
    ------
    ValueError
        If the name or number is not a format.

    Examples
    --------
    >>> Format("rgba8"), str(Format.R32F)
    (<Format.RGBA8: 3>, 'r32f')
    """

    R8 = 1
    RG8 = 2
    RGBA8 = 3
    RGBA8SRGB = 4
    BGRA8 = 5
    BGRA8SRGB = 6
    R8U = 7
    RG8U = 8
    RGBA8U = 9
    R8I = 10
    RG8I = 11
    RGBA8I = 12
    R16 = 13
    RG16 = 14
    RGB16 = 15
    RGBA16 = 16
    R16U = 17
    RG16U = 18
    RGB16U = 19
    RGBA16U = 20
    R16I = 21
    RG16I = 22
    RGB16I = 23
    RGBA16I = 24
    R16F = 25
    RG16F = 26
    RGB16F = 27
    RGBA16F = 28
    R32U = 29
    RG32U = 30
    RGB32U = 31
    RGBA32U = 32
    R32I = 33
    RG32I = 34
    RGB32I = 35
    RGBA32I = 36
    R32F = 37
    RG32F = 38
    RGB32F = 39
    RGBA32F = 40
    DEPTH16 = 41
    DEPTH24STENCIL8 = 42
    DEPTH32F = 43


class ImageUsage(IntFlag):
    """Permitted uses of an image (``TiImageUsageFlags``).

    Kernels need STORAGE for an ``rw_texture`` and SAMPLED for a ``texture``; ATTACHMENT is for an application's
    render passes.

    Examples
    --------
    >>> ImageUsage.STORAGE | ImageUsage.SAMPLED
    <ImageUsage.STORAGE|SAMPLED: 3>
    """

    STORAGE = 1
    SAMPLED = 2
    ATTACHMENT = 4


class ImageLayout(IntEnum):
    """Arrangement of an image's texels on the device (``TiImageLayout``).

    Launches and copies change the layout as needed. Only an application that shares the image needs to know it.

    Examples
    --------
    >>> ImageLayout.COLOR_ATTACHMENT
    <ImageLayout.COLOR_ATTACHMENT: 4>
    """

    UNDEFINED = 0
    SHADER_READ = 1
    SHADER_WRITE = 2
    SHADER_READ_WRITE = 3
    COLOR_ATTACHMENT = 4
    COLOR_ATTACHMENT_READ = 5
    DEPTH_ATTACHMENT = 6
    DEPTH_ATTACHMENT_READ = 7
    TRANSFER_DST = 8
    TRANSFER_SRC = 9
    PRESENT_SRC = 10


class Filter(NamedEnum):
    """Filter of a `Sampler` between texels (``TiFilter``), from its number or name.

    Raises
    ------
    ValueError
        If the name or number is not a filter.

    Examples
    --------
    >>> Sampler().mag_filter, Filter("nearest")
    (<Filter.LINEAR: 1>, <Filter.NEAREST: 0>)
    """

    NEAREST = 0
    LINEAR = 1


class AddressMode(NamedEnum):
    """Address mode of a `Sampler` beyond an image's edges (``TiAddressMode``), from its number or name.

    Raises
    ------
    ValueError
        If the name or number is not an address mode.

    Examples
    --------
    >>> Sampler().address_mode, AddressMode("clamp_to_edge")
    (<AddressMode.REPEAT: 0>, <AddressMode.CLAMP_TO_EDGE: 2>)
    """

    REPEAT = 0
    MIRRORED_REPEAT = 1
    CLAMP_TO_EDGE = 2


# Formats of texels: their types in numpy and their formats in Vulkan.


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
