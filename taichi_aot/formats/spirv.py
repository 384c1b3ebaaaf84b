"""Checks of SPIR-V code: the library passes it to the driver as it is, and a damaged one crashes the process."""

from __future__ import annotations

import struct
from typing import NamedTuple

from ..errors import CorruptedDataError

__all__ = ["SpirvInfo", "read"]

MAGIC = 0x07230203
HEADER_WORDS = 5

OP_ENTRY_POINT = 15
OP_CAPABILITY = 17
OP_DECORATE = 71
OP_FUNCTION = 54
OP_FUNCTION_END = 56
DECORATION_BINDING = 33


class SpirvInfo(NamedTuple):
    """What a module of SPIR-V states of itself."""

    version: tuple[int, int]
    capabilities: frozenset[int]
    bindings: frozenset[int]


def read(name: str, code: bytes) -> SpirvInfo:
    """Walk all instructions of a compute shader.

    Raises
    ------
    CorruptedDataError
        If it is not SPIR-V, ends within an instruction, or has no entry point or function.
    """
    if len(code) < 4 * HEADER_WORDS or len(code) % 4:
        raise CorruptedDataError(f"{name}: {len(code)} bytes are not SPIR-V code")
    words = struct.unpack(f"<{len(code) // 4}I", code)
    if words[0] != MAGIC:
        raise CorruptedDataError(f"{name}: it does not start with SPIR-V's magic number")
    capabilities, bindings = set(), set()
    entry_points = functions = open_functions = 0
    position = HEADER_WORDS
    while position < len(words):
        count, opcode = words[position] >> 16, words[position] & 0xFFFF
        if count == 0 or position + count > len(words):
            raise CorruptedDataError(f"{name}: it ends within the instruction at word {position}")
        operands = words[position + 1 : position + count]
        if opcode == OP_CAPABILITY and operands:
            capabilities.add(operands[0])
        elif opcode == OP_DECORATE and len(operands) == 3 and operands[1] == DECORATION_BINDING:
            bindings.add(operands[2])
        elif opcode == OP_ENTRY_POINT:
            entry_points += 1
        elif opcode == OP_FUNCTION:
            functions += 1
            open_functions += 1
        elif opcode == OP_FUNCTION_END:
            open_functions -= 1
        position += count
    if entry_points != 1 or functions == 0 or open_functions != 0:
        raise CorruptedDataError(f"{name}: it has no entry point with a whole function")
    return SpirvInfo((words[1] >> 16 & 0xFF, words[1] >> 8 & 0xFF), frozenset(capabilities), frozenset(bindings))
