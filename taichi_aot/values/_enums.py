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


class NamedEnum(IntEnum, metaclass=_EnumType):
    """An enumeration that also accepts its members' names, and whose ``str`` is the name in lower case."""

    if TYPE_CHECKING:

        def __new__(cls, value: int | str) -> Self: ...

    def __str__(self) -> str:
        return self.name.lower()


class Arch(NamedEnum):
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


class DataType(NamedEnum):
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
