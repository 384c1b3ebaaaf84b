"""Enumerations of the C-API, with the values of its headers."""

from __future__ import annotations

import operator
import re
from enum import EnumMeta, IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ._errors import ArgumentOutOfRangeError
from ._wording import short

if TYPE_CHECKING:
    from typing_extensions import Self

# The names of members, as type checkers know them.
ArchName: TypeAlias = Literal["vulkan", "metal", "cuda", "x64", "arm64", "opengl", "gles"]
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


class _EnumType(EnumMeta):
    """Looks members up without the ``repr`` of an unknown value, which may run user code or never return."""

    if not TYPE_CHECKING:  # type checkers know the `__new__` below

        def __call__(cls, value):
            if isinstance(value, str):
                member = cls.__members__.get(value.upper())
            else:
                number = _index_of(value)
                member = cls._value2member_map_.get(number)
                value = value if number is None else number  # the message shows members of other enums as numbers
            if member is None:
                noun = re.sub("(?<=[a-z])(?=[A-Z])", " ", cls.__name__).lower()
                names = ", ".join(repr(str(known)) for known in cls)
                hint = cls._hint(value)
                raise ArgumentOutOfRangeError(f"unknown {noun} {short(value)}; known are {names}{hint}")
            return member

        def _hint(cls, value):
            """Return the end of the message about an unknown name: the one that was meant, if one is close."""
            if not isinstance(value, str):
                return ""
            from ._items import did_you_mean

            name = value.lower()
            return did_you_mean(_ARCHS.get(name, name) if cls.__name__ == "Arch" else name, map(str, cls))


# Other names of archs.
_ARCHS = {
    **dict.fromkeys(["amd64", "intel", "x86", "x86_64", "x86-64"], "x64"),
    **dict.fromkeys(["aarch64", "arm", "armv8"], "arm64"),
    **dict.fromkeys(["nvidia", "ptx"], "cuda"),
    **dict.fromkeys(["gl", "glsl"], "opengl"),
    **dict.fromkeys(["vk", "spirv"], "vulkan"),
}


def _index_of(value: Any) -> int | None:
    """Return the value as an integer; None if it is not one."""
    try:
        return int.__index__(operator.index(value))
    except TypeError:
        return None


class _NamedEnum(IntEnum, metaclass=_EnumType):
    """An enumeration that also accepts its members' names, and whose ``str`` is the name in lower case."""

    if TYPE_CHECKING:

        def __new__(cls, value: int | str) -> Self: ...

    def __str__(self) -> str:
        return self.name.lower()


class Arch(_NamedEnum):
    """Backend of a runtime (``TiArch``), from its number or name.

    Raises
    ------
    ValueError
        If the name or number is not an arch.

    Examples
    --------
    >>> Arch("vulkan")
    <Arch.VULKAN: 1>
    >>> str(Arch.VULKAN)
    'vulkan'
    """

    VULKAN = 1
    METAL = 2
    CUDA = 3
    X64 = 4
    ARM64 = 5
    OPENGL = 6
    GLES = 7

    @property
    def is_llvm(self) -> bool:
        """Whether modules for this arch contain LLVM IR; those for the other archs contain SPIR-V."""
        return self in (Arch.X64, Arch.ARM64, Arch.CUDA)

    @property
    def is_cpu(self) -> bool:
        """Whether kernels run on the CPU of the host."""
        return self in (Arch.X64, Arch.ARM64)


def arch_of(named: Arch | ArchName | str | None) -> Arch | None:
    """Return the arch of a name; None for None. ValueError if it is not an arch."""
    return None if named is None else Arch(named)


class Capability(IntEnum):
    """Capability of a device (``TiCapability``).

    Examples
    --------
    >>> Capability.SPIRV_HAS_INT64 in rt.capabilities  # a CPU runtime has none
    False
    """

    SPIRV_VERSION = 1
    SPIRV_HAS_INT8 = 2
    SPIRV_HAS_INT16 = 3
    SPIRV_HAS_INT64 = 4
    SPIRV_HAS_FLOAT16 = 5
    SPIRV_HAS_FLOAT64 = 6
    SPIRV_HAS_ATOMIC_INT64 = 7
    SPIRV_HAS_ATOMIC_FLOAT16 = 8
    SPIRV_HAS_ATOMIC_FLOAT16_ADD = 9
    SPIRV_HAS_ATOMIC_FLOAT16_MINMAX = 10
    SPIRV_HAS_ATOMIC_FLOAT = 11
    SPIRV_HAS_ATOMIC_FLOAT_ADD = 12
    SPIRV_HAS_ATOMIC_FLOAT_MINMAX = 13
    SPIRV_HAS_ATOMIC_FLOAT64 = 14
    SPIRV_HAS_ATOMIC_FLOAT64_ADD = 15
    SPIRV_HAS_ATOMIC_FLOAT64_MINMAX = 16
    SPIRV_HAS_VARIABLE_PTR = 17
    SPIRV_HAS_PHYSICAL_STORAGE_BUFFER = 18
    SPIRV_HAS_SUBGROUP_BASIC = 19
    SPIRV_HAS_SUBGROUP_VOTE = 20
    SPIRV_HAS_SUBGROUP_ARITHMETIC = 21
    SPIRV_HAS_SUBGROUP_BALLOT = 22
    SPIRV_HAS_NON_SEMANTIC_INFO = 23
    SPIRV_HAS_NO_INTEGER_WRAP_DECORATION = 24


class DataType(_NamedEnum):
    """Primitive type of a scalar or of an array's numbers (``TiDataType``), from its number or Taichi's name.

    Raises
    ------
    ValueError
        If the name or number is not a type.

    Examples
    --------
    >>> x.data_type, str(x.data_type), DataType("u8")
    (<DataType.F32: 1>, 'f32', <DataType.U8: 8>)
    """

    F16 = 0
    F32 = 1
    F64 = 2
    I8 = 3
    I16 = 4
    I32 = 5
    I64 = 6
    U1 = 7
    U8 = 8
    U16 = 9
    U32 = 10
    U64 = 11


class MemoryUsage(IntFlag):
    """Permitted uses of an allocation (``TiMemoryUsageFlags``). Kernel arguments need STORAGE.

    Examples
    --------
    >>> memory = rt.allocate(256, usage=MemoryUsage.STORAGE | MemoryUsage.VERTEX)
    """

    STORAGE = 1
    UNIFORM = 2
    VERTEX = 4
    INDEX = 8


class Format(_NamedEnum):
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


class Filter(_NamedEnum):
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


class AddressMode(_NamedEnum):
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
