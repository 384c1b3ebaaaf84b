"""The struct of the compiler's runtime, ``LLVMRuntime``, of which kernels use some members."""

from __future__ import annotations

import re
from collections.abc import Iterable

TEMPORARIES_BYTES = 1 << 20  # the compiler refuses kernels that need more, and its code checks nothing

# Of Taichi 1.7.4, without the numbers that the compiler adds to the names of types.
RUNTIME_TYPE = b"""\
%struct.LLVMRuntime = type { %struct.PreallocatedMemoryChunk, %struct.PreallocatedMemoryChunk, i8* (i8*, i64, i64)*, \
void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag*)*, i8*, [512 x i8*], [512 x i64], i8*, \
void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager*], [1024 x %struct.NodeManager*], \
[1024 x i8*], i8*, %struct.RandState*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, \
i32, i32, i64 }
"""
CHUNK_TYPE = b"%struct.PreallocatedMemoryChunk = type { i8*, i8*, i64 }\n"
RUNTIME_MEMBERS = {
    "roots": 7,
    "thread_pool": 9,
    "parallel_for": 10,
    "temporaries": 14,
    "rand_states": 15,
    "error_message_template": 19,
    "error_message_arguments": 20,
    "error_message_lock": 21,
    "error_code": 22,
}

SIZES = {"i8": 1, "i32": 4, "i64": 8}  # which are their alignments too, on every target
POINTER_SIZE = 8
ARRAY = re.compile(r"\[(\d+) x (.*)\]")


def runtime_layout() -> tuple[int, dict[str, int]]:
    """Return the size of the struct, and the offsets of its members. All 64-bit targets have the same layout."""
    end, offsets = _layout(_members(RUNTIME_TYPE))
    return end, {name: offsets[number] for name, number in RUNTIME_MEMBERS.items()}


def _layout(types: Iterable[str]) -> tuple[int, list[int]]:
    """The size of a struct with members of these types, and their offsets."""
    offsets: list[int] = []
    end, largest = 0, 1
    for type_ in types:
        size, alignment = _size(type_)
        offset = _aligned(end, alignment)
        offsets.append(offset)
        end, largest = offset + size, max(largest, alignment)
    return _aligned(end, largest), offsets


def _size(type_: str) -> tuple[int, int]:
    """The size and the alignment of a type."""
    if type_.endswith("*"):
        return POINTER_SIZE, POINTER_SIZE
    if array := ARRAY.fullmatch(type_):
        size, alignment = _size(array[2])
        return int(array[1]) * size, alignment
    if type_ in SIZES:
        return SIZES[type_], SIZES[type_]
    return _layout(_members(CHUNK_TYPE))[0], POINTER_SIZE


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def _members(definition: bytes) -> list[str]:
    """The types of the members of a struct. Those of functions have commas between parentheses."""
    found, depth = [""], 0
    for character in definition.decode().partition("{")[2].rpartition("}")[0]:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return [member.strip() for member in found]
