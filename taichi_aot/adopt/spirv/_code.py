"""Checks of SPIR-V code: the library passes it to the driver unchecked, and damaged code crashes the process."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from ...values._errors import CorruptedDataError

MAGIC = 0x07230203
HEADER_WORDS = 5

OP_ENTRY_POINT = 15
OP_CAPABILITY = 17
OP_TYPE_IMAGE = 25
OP_TYPE_POINTER = 32
OP_FUNCTION = 54
OP_FUNCTION_END = 56
OP_VARIABLE = 59
OP_DECORATE = 71
DECORATION_BINDING = 33

# Taichi's names of SPIR-V image formats; SPIR-V has more, which Taichi's kernels do not use.
IMAGE_FORMATS = {
    1: "rgba32f",
    2: "rgba16f",
    3: "r32f",
    4: "rgba8",
    6: "rg32f",
    7: "rg16f",
    9: "r16f",
    10: "rgba16",
    12: "rg16",
    13: "rg8",
    14: "r16",
    15: "r8",
    21: "rgba32i",
    22: "rgba16i",
    23: "rgba8i",
    24: "r32i",
    25: "rg32i",
    26: "rg16i",
    27: "rg8i",
    28: "r16i",
    29: "r8i",
    30: "rgba32u",
    31: "rgba16u",
    32: "rgba8u",
    33: "r32u",
    35: "rg32u",
    36: "rg16u",
    37: "rg8u",
    38: "r16u",
    39: "r8u",
}


class SpirvInfo(NamedTuple):
    """The properties that a SPIR-V module states."""

    version: tuple[int, int]
    capabilities: frozenset[int]
    bindings: frozenset[int]
    image_formats: dict[int, str]  # of storage images, by binding


class _Types:
    """The images that variables point to."""

    def __init__(self) -> None:
        self.formats: dict[int, int] = {}  # by id of an image type
        self.targets: dict[int, int] = {}  # by id of a pointer type
        self.variables: dict[int, int] = {}  # id of a variable to that of its type
        self.bindings: dict[int, int] = {}  # by id of a variable

    def take(self, opcode: int, operands: tuple[int, ...]) -> None:
        """Note an instruction; instructions that are too short for their opcode are ignored."""
        if opcode == OP_TYPE_IMAGE and len(operands) >= 8:
            self.formats[operands[0]] = operands[7]
        elif opcode == OP_TYPE_POINTER and len(operands) == 3:
            self.targets[operands[0]] = operands[2]
        elif opcode == OP_VARIABLE and len(operands) >= 3:
            self.variables[operands[1]] = operands[0]
        elif opcode == OP_DECORATE and len(operands) == 3 and operands[1] == DECORATION_BINDING:
            self.bindings[operands[0]] = operands[2]

    def image_formats(self) -> dict[int, str]:
        """Formats of images by binding, if stated."""
        formats: dict[int, str] = {}
        for variable, binding in self.bindings.items():
            target = self.targets.get(self.variables.get(variable, -1), -1)
            name = IMAGE_FORMATS.get(self.formats.get(target, 0))
            if name is not None:
                formats[binding] = name
        return formats


def read(name: str, code: bytes) -> SpirvInfo:
    """Walk all instructions of a compute shader."""
    words = _words(name, code)
    capabilities: set[int] = set()
    types = _Types()
    entry_points = functions = open_functions = 0
    for opcode, operands in _instructions(name, words):
        types.take(opcode, operands)
        if opcode == OP_CAPABILITY and operands:
            capabilities.add(operands[0])
        elif opcode == OP_ENTRY_POINT:
            entry_points += 1
        elif opcode == OP_FUNCTION:
            functions += 1
            open_functions += 1
        elif opcode == OP_FUNCTION_END:
            open_functions -= 1
    if entry_points != 1 or functions == 0 or open_functions != 0:
        raise CorruptedDataError(f"{name}: it does not have exactly one entry point with a complete function")
    version = (words[1] >> 16 & 0xFF, words[1] >> 8 & 0xFF)
    bindings = frozenset(types.bindings.values())
    return SpirvInfo(version, frozenset(capabilities), bindings, types.image_formats())


def _words(name: str, code: bytes) -> tuple[int, ...]:
    if len(code) < 4 * HEADER_WORDS or len(code) % 4:
        raise CorruptedDataError(f"{name}: {len(code)} bytes are not SPIR-V code")
    words = struct.unpack(f"<{len(code) // 4}I", code)
    if words[0] != MAGIC:
        raise CorruptedDataError(f"{name}: it does not start with SPIR-V's magic number")
    return words


def instructions(name: str, code: bytes) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Opcode and operands of each instruction of code that `read` has checked."""
    return _instructions(name, _words(name, code))


def _instructions(name: str, words: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Opcode and operands of each instruction."""
    position = HEADER_WORDS
    while position < len(words):
        count, opcode = words[position] >> 16, words[position] & 0xFFFF
        if count == 0 or position + count > len(words):
            raise CorruptedDataError(f"{name}: it ends within the instruction at word {position}")
        yield opcode, words[position + 1 : position + count]
        position += count
