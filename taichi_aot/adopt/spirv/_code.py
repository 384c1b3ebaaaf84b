"""Checks of SPIR-V code: the library passes it to the driver unchecked, and damaged code crashes the process."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ...values._errors import CorruptedDataError

MAGIC = 0x07230203
HEADER_WORDS = 5

OP_ENTRY_POINT = 15
OP_CAPABILITY = 17
OP_TYPE_INT = 21
OP_TYPE_FLOAT = 22
OP_TYPE_IMAGE = 25
OP_TYPE_POINTER = 32
OP_FUNCTION = 54
OP_FUNCTION_END = 56
OP_VARIABLE = 59
OP_DECORATE = 71
DECORATION_BINDING = 33
# Loads, stores, exchanges and arithmetic of integers; minima, maxima and sums of floats.
ATOMICS = frozenset({*range(227, 243), 5614, 5615, 6035})
INT64_ATOMICS = 12  # a capability

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
    atomic_bits: frozenset[int]  # of the numbers that it changes atomically


def read(name: str, code: bytes) -> SpirvInfo:
    """Walk all instructions of a compute shader."""
    words = _words(name, code)
    # Instructions that are too short for their opcode are ignored.
    of = by_opcode(_instructions(name, words))
    functions = len(of[OP_FUNCTION])
    if len(of[OP_ENTRY_POINT]) != 1 or functions == 0 or len(of[OP_FUNCTION_END]) != functions:
        raise CorruptedDataError(f"{name}: it does not have exactly one entry point with a complete function")
    bindings = {o[0]: o[2] for o in of[OP_DECORATE] if len(o) == 3 and o[1] == DECORATION_BINDING}
    types = {o[1]: o[0] for o in of[OP_VARIABLE] if len(o) >= 3}  # of variables
    targets = {o[0]: o[2] for o in of[OP_TYPE_POINTER] if len(o) == 3}
    formats = {o[0]: IMAGE_FORMATS.get(o[7], "") for o in of[OP_TYPE_IMAGE] if len(o) >= 8}
    images = {
        binding: formats.get(targets.get(types.get(variable, -1), -1), "") for variable, binding in bindings.items()
    }
    atomic = {o[0] for opcode in ATOMICS for o in of[opcode] if o}  # types; stores have none
    integers, floats = ({o[0]: o[1] for o in of[kind] if len(o) >= 2} for kind in (OP_TYPE_INT, OP_TYPE_FLOAT))
    bits = {type_: found for type_, found in {**integers, **floats}.items() if type_ in atomic}
    needed = {INT64_ATOMICS for type_, found in bits.items() if type_ in integers and found == 64}
    return SpirvInfo(
        (words[1] >> 16 & 0xFF, words[1] >> 8 & 0xFF),
        frozenset(o[0] for o in of[OP_CAPABILITY] if o) | needed,
        frozenset(bindings.values()),
        {binding: stated for binding, stated in images.items() if stated},
        frozenset(bits.values()),
    )


def with_capabilities(name: str, code: bytes) -> bytes:
    """Return code that declares the capabilities that `read` finds and the compilers leave out."""
    declared = {o[0] for opcode, o in instructions(name, code) if opcode == OP_CAPABILITY}
    missing = [(2 << 16 | OP_CAPABILITY, each) for each in sorted(read(name, code).capabilities - declared)]
    head = 4 * HEADER_WORDS
    return code[:head] + b"".join(struct.pack("<2I", *each) for each in missing) + code[head:]


def by_opcode(instructions: Iterable[tuple[int, tuple[int, ...]]]) -> Mapping[int, list[tuple[int, ...]]]:
    """The operands of all instructions of each opcode, in order."""
    found: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
    for opcode, operands in instructions:
        found[opcode].append(operands)
    return found


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
