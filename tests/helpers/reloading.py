"""Other versions of a compiled module, without the compiler."""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Mapping
from pathlib import Path

from helpers.archives import pack, taichis_own

FIRST_INSTRUCTION = 5  # word of a SPIR-V module
EXTENDED, FMA = 12, 50  # opcode, and number of the extended instruction


def put(path: Path, contents: bytes | Mapping[str, bytes]) -> None:
    """Replace a file in one step, as a build does; files become an archive."""
    part = path.with_name("part")
    part.write_bytes(contents if isinstance(contents, bytes) else pack(contents))
    os.replace(part, path)


def squaring(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a module whose kernel saxpy adds ``a * a`` to y instead of ``a * x``, in graphs too."""
    return {
        name: _squaring(name, data) if name.startswith("saxpy") else data for name, data in taichis_own(files).items()
    }


def _squaring(name: str, data: bytes) -> bytes:
    if name.endswith(".ll"):
        scalar = rb"\2, \2" if b"nvptx" in data else rb"\3, \3"  # the compiler orders factors by target
        changed, count = re.subn(rb"( fmul [a-z ]+) (%\d+), (%\d+)\n", rb"\1 " + scalar + rb"\n", data)
        assert count
        return changed
    words = array("I", data)
    position = FIRST_INSTRUCTION
    while position < len(words):
        length, opcode = words[position] >> 16, words[position] & 0xFFFF
        if opcode == EXTENDED and words[position + 4] == FMA:
            words[position + 6] = words[position + 5]
        position += length
    assert words.tobytes() != data
    return words.tobytes()
