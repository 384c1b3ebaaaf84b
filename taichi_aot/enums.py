"""Enumerations of the C-API, with the values of its headers."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING

from .wording import short

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Arch", "Capability", "DataType", "ErrorCode", "MemoryUsage"]


class ErrorCode(IntEnum):
    """Code of an error (``TiError``).

    Examples
    --------
    >>> ErrorCode(-11)
    <ErrorCode.OUT_OF_MEMORY: -11>
    """

    SUCCESS = 0
    NOT_SUPPORTED = -1
    CORRUPTED_DATA = -2
    NAME_NOT_FOUND = -3
    INVALID_ARGUMENT = -4
    ARGUMENT_NULL = -5
    ARGUMENT_OUT_OF_RANGE = -6
    ARGUMENT_NOT_FOUND = -7
    INVALID_INTEROP = -8
    INVALID_STATE = -9
    INCOMPATIBLE_MODULE = -10
    OUT_OF_MEMORY = -11


class Arch(IntEnum):
    """Backend of a runtime (``TiArch``), also by name.

    Raises
    ------
    ValueError
        If the name or number is not an arch.

    Examples
    --------
    >>> Arch("vulkan")
    <Arch.VULKAN: 1>
    >>> str(Arch.VULKAN), Arch.VULKAN.is_llvm
    ('vulkan', False)
    """

    VULKAN = 1
    METAL = 2
    CUDA = 3
    X64 = 4
    ARM64 = 5
    OPENGL = 6
    GLES = 7

    if TYPE_CHECKING:  # what `_missing_` takes is not known to type checkers

        def __new__(cls, value: int | str) -> Self: ...

    @classmethod
    def _missing_(cls, value: object) -> Arch:
        for arch in cls:
            if isinstance(value, str) and arch.name == value.upper():
                return arch
        names = ", ".join(repr(str(arch)) for arch in cls)
        raise ValueError(f"unknown arch {short(value)}; the archs are {names}")

    def __str__(self) -> str:
        return self.name.lower()

    @property
    def is_llvm(self) -> bool:
        """Whether modules for this arch contain LLVM IR; those for the other archs contain SPIR-V."""
        return self in (Arch.X64, Arch.ARM64, Arch.CUDA)

    @property
    def is_cpu(self) -> bool:
        """Whether kernels run on the CPU of the host."""
        return self in (Arch.X64, Arch.ARM64)


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


class DataType(IntEnum):
    """Primitive type of a scalar or of an array's numbers (``TiDataType``).

    Examples
    --------
    >>> x.data_type, str(x.data_type)
    (<DataType.F32: 1>, 'f32')
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

    def __str__(self) -> str:
        return self.name.lower()


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
