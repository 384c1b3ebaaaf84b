"""The symbols that a shared library exports and takes from others, read from its file."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

# Elf64_Ehdr's e_shoff, e_shentsize and e_shnum; Elf64_Shdr; Elf64_Sym.
FILE_HEADER = struct.Struct("<40xQ10xHH2x")
SECTION = struct.Struct("<4xI16xQQI12xQ")  # sh_type, sh_offset, sh_size, sh_link, sh_entsize
SYMBOL = struct.Struct("<IBxH16x")  # st_name, st_info, st_shndx
DYNAMIC_SYMBOLS = 11  # SHT_DYNSYM
FUNCTION = 2  # STT_FUNC


def exported_functions(path: str) -> set[str]:
    """The names of the functions that the dynamic symbol table of a 64-bit little-endian ELF file defines."""
    return {name for name, info, section in _symbols(path) if info & 0xF == FUNCTION and section != 0}


def undefined_symbols(path: str) -> set[str]:
    """The names of the symbols that the file takes from the libraries that it needs."""
    return {name for name, _, section in _symbols(path) if name and section == 0}


def _symbols(path: str) -> Iterator[tuple[str, int, int]]:
    """Name, ``st_info`` and ``st_shndx`` of the dynamic symbols."""
    data = Path(path).read_bytes()
    assert data[:6] == b"\x7fELF\x02\x01", path
    offset, size, count = FILE_HEADER.unpack_from(data)
    sections = [SECTION.unpack_from(data, offset + i * size) for i in range(count)]
    for kind, begin, length, link, _ in sections:
        if kind != DYNAMIC_SYMBOLS:
            continue
        strings = sections[link][1]
        for name, info, section in SYMBOL.iter_unpack(data[begin : begin + length]):
            yield data[strings + name : data.index(b"\0", strings + name)].decode(), info, section
