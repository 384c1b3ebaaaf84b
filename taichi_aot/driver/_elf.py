"""Detection of truncated shared libraries on Linux: loading one ends the process with SIGBUS."""

from __future__ import annotations

import os
import struct

# Elf64_Ehdr up to e_shnum, and Elf64_Phdr.
FILE_HEADER = struct.Struct("<6s26xQQ6xHHHH")
SEGMENT = struct.Struct("<8xQ16xQ16x")
ELF_64 = b"\x7fELF\x02\x01"  # 64 bits, little-endian


def is_truncated(path: str) -> bool:
    """Return whether a 64-bit ELF file ends before its last segment or its section table does.

    Other kinds of files give False, because the system's loader reports them more precisely. OSError if the file cannot
    be read.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        header = file.read(FILE_HEADER.size)
        if len(header) < FILE_HEADER.size:
            return False
        kind, segments, sections, segment_size, count, section_size, section_count = FILE_HEADER.unpack(header)
        if kind != ELF_64 or segment_size != SEGMENT.size:
            return False
        file.seek(min(segments, size))
        table = file.read(count * segment_size)
    if len(table) < count * segment_size or sections + section_count * section_size > size:
        return True
    return any(offset + length > size for offset, length in SEGMENT.iter_unpack(table))
