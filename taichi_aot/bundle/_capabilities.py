"""The capabilities of SPIR-V code, and the device capabilities that they need."""

from __future__ import annotations

from ..values._enums import Capability

SHADER = 1  # the capability that all compute shaders need

# Operands of OpCapability and the corresponding capability of a device.
DEVICE_CAPABILITIES = {
    9: Capability.SPIRV_HAS_FLOAT16,
    10: Capability.SPIRV_HAS_FLOAT64,
    11: Capability.SPIRV_HAS_INT64,
    12: Capability.SPIRV_HAS_ATOMIC_INT64,
    22: Capability.SPIRV_HAS_INT16,
    39: Capability.SPIRV_HAS_INT8,
    61: Capability.SPIRV_HAS_SUBGROUP_BASIC,
    62: Capability.SPIRV_HAS_SUBGROUP_VOTE,
    63: Capability.SPIRV_HAS_SUBGROUP_ARITHMETIC,
    64: Capability.SPIRV_HAS_SUBGROUP_BALLOT,
    4441: Capability.SPIRV_HAS_VARIABLE_PTR,
    4442: Capability.SPIRV_HAS_VARIABLE_PTR,
    5347: Capability.SPIRV_HAS_PHYSICAL_STORAGE_BUFFER,
    6033: Capability.SPIRV_HAS_ATOMIC_FLOAT_ADD,
    6034: Capability.SPIRV_HAS_ATOMIC_FLOAT64_ADD,
    6095: Capability.SPIRV_HAS_ATOMIC_FLOAT16_ADD,
}
# SPIR-V's names of capabilities that Taichi does not name.
OTHER_CAPABILITIES = {
    0: "Matrix",
    1: "Shader",
    43: "Sampled1D",
    44: "Image1D",
    46: "SampledBuffer",
    47: "ImageBuffer",
    49: "StorageImageExtendedFormats",
    50: "ImageQuery",
    55: "StorageImageReadWithoutFormat",
    56: "StorageImageWriteWithoutFormat",
}


def capability_name(number: int) -> str:
    """The name of an operand of OpCapability: Taichi's if it has one (``spirv_has_int8``), else SPIR-V's."""
    if number in DEVICE_CAPABILITIES:
        return DEVICE_CAPABILITIES[number].name.lower()
    return OTHER_CAPABILITIES.get(number, f"SPIR-V capability {number}")
