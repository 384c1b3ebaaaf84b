"""Shared objects of machine code (ELF, 64 bits, little-endian): a check of all that the system's loader trusts.

The loader maps what the headers state and follows the addresses in the dynamic section. If they are wrong, it reads
beyond the mapped memory, or the process ends with SIGBUS. The check accepts what such code has: code, constants,
symbols, and relocations.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from ...values._errors import CorruptedDataError

__all__ = ["FUNCTIONS", "LIBRARIES", "check_code", "check_symbols"]

# The libraries that code may need, with their functions that kernels call. None of those calls back, allocates memory,
# or reads files.
LIBRARIES = {
    "libm.so.6": frozenset(
        f"{name}{suffix}"
        for name in (
            *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh"),
            *("erf", "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod"),
            *("frexp", "hypot", "ldexp", "lgamma", "llrint", "llround", "log", "log10", "log1p", "log2", "logb"),
            *("lrint", "lround", "modf", "nearbyint", "pow", "remainder", "rint", "round", "roundeven", "sin"),
            *("sincos", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc"),
        )
        for suffix in ("", "f")
    ),
    "libc.so.6": frozenset({"memcpy", "memmove", "memset", "strlen"}),
}
FUNCTIONS = frozenset[str]().union(*LIBRARIES.values())

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SEGMENT = struct.Struct("<IIQQQQQQ")
DYNAMIC = struct.Struct("<QQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELOCATION = struct.Struct("<QIIq")  # offset, type, symbol, addend
IDENTITY = b"\x7fELF\x02\x01\x01"
SHARED_OBJECT = 3
X86_64, AARCH64 = 62, 183
LOAD, DYNAMIC_SECTION, HEADERS, GNU_STACK = 1, 2, 6, 0x6474E551  # kinds of segments
EXECUTABLE, WRITABLE, READABLE = 1, 2, 4
NEEDED, PLT_SIZE, PLT_GOT, HASH, STRINGS, SYMBOLS, RELOCATIONS = 1, 2, 3, 4, 5, 6, 7
RELOCATIONS_SIZE, STRINGS_SIZE, PLT = 8, 10, 23
TABLES = {PLT_SIZE, PLT_GOT, HASH, STRINGS, SYMBOLS, RELOCATIONS, RELOCATIONS_SIZE, STRINGS_SIZE, PLT}
RELATIVE_COUNT = 0x6FFFFFF9
# Sizes of entries, kind of the relocations of the PLT, and flags: symbols are bound when the object is opened.
FIXED = {9: RELOCATION.size, 11: SYMBOL.size, 20: RELOCATIONS, 30: 8, 0x6FFFFFFB: 1}
# By machine: an address in this object, and the address of a symbol, as such, in a table or for the PLT.
RELATIVE = {X86_64: 8, AARCH64: 1027}
SYMBOLIC = {X86_64: {1, 6, 7}, AARCH64: {257, 1025, 1026}}
GLOBAL_BINDINGS = {1, 2}
FUNCTION = 2  # the type of a symbol
UNDEFINED = 0
PAGE = 0x1000
MAX_MEMORY = 1 << 28


class _Segment(NamedTuple):
    """A part of the file in memory."""

    flags: int
    offset: int
    address: int
    file_size: int
    memory_size: int


class _Object:
    """A shared object: its segments, and the tables that its dynamic section names."""

    def __init__(self, name: str, data: bytes, machine: int) -> None:
        self.name, self.data, self.machine = name, data, machine
        self.segments = self._read_segments()
        self.needed: list[int] = []
        self.tags = self._read_dynamic()
        self.strings = self.part(self.tags.get(STRINGS, -1), self.tags.get(STRINGS_SIZE, 0), "strings")
        if not self.strings.endswith(b"\0"):
            raise self.error("its strings do not end")
        self.symbols = self._read_symbols()

    def error(self, what: str) -> CorruptedDataError:
        return CorruptedDataError(f"{self.name} is damaged: {what}")

    def part(self, address: int, size: int, what: str) -> bytes:
        """The bytes at an address, all of which must be in the file."""
        for segment in self.segments:
            start = address - segment.address
            if 0 <= start <= segment.file_size - size:
                return self.data[segment.offset + start : segment.offset + start + size]
        raise self.error(f"its {what} are not in the file")

    def string(self, offset: int) -> bytes:
        if not 0 <= offset < len(self.strings):
            raise self.error("a name is not in the file")
        return self.strings[offset : self.strings.index(b"\0", offset)]

    def is_within(self, address: int, size: int, flag: int) -> bool:
        """Whether memory of an address is in a segment that has a flag."""
        return any(
            segment.flags & flag
            and segment.address <= address
            and address + size <= segment.address + segment.memory_size
            for segment in self.segments
        )

    def _read_segments(self) -> list[_Segment]:
        data = self.data
        if len(data) < HEADER.size:
            raise self.error("it is cut off")
        identity, kind, machine, _, _, at, _, _, _, entry_size, count, *_ = HEADER.unpack_from(data)
        if not identity.startswith(IDENTITY) or kind != SHARED_OBJECT:
            raise self.error("it is not a shared object of 64 bits")
        if machine != self.machine:
            raise self.error(f"it is for another machine ({machine})")
        if entry_size != SEGMENT.size or not 0 < count <= 32 or at + count * SEGMENT.size > len(data):
            raise self.error("its table of segments is not in the file")
        loaded: list[_Segment] = []
        self._dynamic = (-1, 0)
        for i in range(count):
            kind, flags, offset, address, _, file_size, memory_size, align = SEGMENT.unpack_from(
                data, at + i * SEGMENT.size
            )
            if kind == DYNAMIC_SECTION:
                self._dynamic = (address, file_size)
            elif kind == GNU_STACK:
                if flags != READABLE | WRITABLE or memory_size:
                    raise self.error("it wants another stack")
            elif kind == HEADERS:
                if address != at or at + count * SEGMENT.size > PAGE:
                    raise self.error("its table of segments is not in memory")
            elif kind != LOAD:
                raise self.error(f"it has a segment of kind {kind:#x}")
            if kind != LOAD:
                continue
            end = loaded[-1].address + loaded[-1].memory_size if loaded else 0
            if offset + file_size > len(data) or not file_size <= memory_size <= MAX_MEMORY:
                raise self.error("a segment is not in the file")
            if not end <= address <= MAX_MEMORY or align not in (0x1000, 0x10000) or (address - offset) % align:
                raise self.error("a segment is at a wrong address")
            if flags not in (READABLE, READABLE | WRITABLE, READABLE | EXECUTABLE):
                raise self.error("a segment has wrong permissions")
            if not loaded and (offset or address or file_size < at + count * SEGMENT.size):
                raise self.error("its table of segments is not in memory")
            loaded.append(_Segment(flags, offset, address, file_size, memory_size))
        if not loaded:
            raise self.error("it has no segments")
        return loaded

    def _read_dynamic(self) -> dict[int, int]:
        address, size = self._dynamic
        tags: dict[int, int] = {}
        if not self.is_within(address, size, WRITABLE):  # the loader writes addresses there
            raise self.error("its dynamic section is not in writable memory")
        for tag, value in DYNAMIC.iter_unpack(self.part(address, size - size % DYNAMIC.size, "dynamic section")):
            if tag == 0:
                return tags
            if tag == NEEDED:
                self.needed.append(value)
            elif tag in tags or (tag not in TABLES and tag != RELATIVE_COUNT and FIXED.get(tag) != value):
                raise self.error(f"its dynamic section has the tag {tag:#x}")
            else:
                tags[tag] = value
        raise self.error("its dynamic section does not end")

    def _read_symbols(self) -> list[tuple[bytes, int, int, int, int]]:
        """The name, kind, section, address and size of each symbol; the hash table states their number."""
        at = self.tags.get(HASH, -1)
        buckets, count = struct.unpack("<II", self.part(at, 8, "hashes"))
        if not 0 < buckets <= len(self.data) or not 0 < count <= len(self.data):
            raise self.error("its hash table is not in the file")
        table = struct.unpack(f"<{buckets + count}I", self.part(at + 8, 4 * (buckets + count), "hashes"))
        chain: Sequence[int] = table[buckets:]
        # Each entry leads to an earlier one, so that a search ends.
        if max(table[:buckets]) >= count or any(following >= max(i, 1) for i, following in enumerate(chain)):
            raise self.error("its hash table leads nowhere")
        data = self.part(self.tags.get(SYMBOLS, -1), count * SYMBOL.size, "symbols")
        return [
            (self.string(name), info, section, address, size)
            for name, info, _, section, address, size in SYMBOL.iter_unpack(data)
        ]

    def _relative_at_start(self, table: bytes) -> int:
        """How many relocations are relative before the first other one. The loader does not look at their kinds."""
        kinds = [kind for _, kind, _, _ in RELOCATION.iter_unpack(table[: len(table) - len(table) % RELOCATION.size])]
        return next((i for i, kind in enumerate(kinds) if kind != RELATIVE[self.machine]), len(kinds))

    def check_relocations(self) -> None:
        """Raise if the loader would write elsewhere than to writable memory, or use other symbols than there are."""
        for at, size in ((RELOCATIONS, RELOCATIONS_SIZE), (PLT, PLT_SIZE)):
            if self.tags.get(size, 0) == 0:
                continue
            table = self.part(self.tags.get(at, -1), self.tags[size], "relocations")
            if at == RELOCATIONS and self.tags.get(RELATIVE_COUNT, 0) > self._relative_at_start(table):
                raise self.error("its relocations are in another order")
            if len(table) % RELOCATION.size:
                raise self.error("its relocations are cut off")
            for address, kind, symbol, addend in RELOCATION.iter_unpack(table):
                if not self.is_within(address, 8, WRITABLE):
                    raise self.error("a relocation writes outside of its data")
                if kind == RELATIVE[self.machine]:
                    if symbol or not 0 <= addend <= MAX_MEMORY:
                        raise self.error("a relocation has a wrong address")
                elif kind not in SYMBOLIC[self.machine] or not 0 < symbol < len(self.symbols) or addend:
                    raise self.error(f"it has a relocation of kind {kind}")


def _read(name: str, data: bytes, target: str) -> _Object:
    return _Object(name, data, AARCH64 if target.startswith("aarch64") else X86_64)


def check_code(name: str, data: bytes, target: str) -> None:
    """Check that the system's loader can open a shared object.

    Parameters
    ----------
    name : str
        Its file, for messages.
    data : bytes
    target : str
        The kind of CPU.

    Raises
    ------
    CorruptedDataError
        If it is damaged, is for another machine, or has what such code does not need: code that runs when it is
        opened, other libraries, functions of other libraries that kernels do not call.
    """
    found = _read(name, data, target)
    for offset in found.needed:
        if found.string(offset).decode(errors="replace") not in LIBRARIES:
            raise found.error(f"it needs {found.string(offset)!r}")
    for symbol, info, section, address, size in found.symbols[1:]:
        if section == UNDEFINED and symbol.decode(errors="replace") not in FUNCTIONS:
            raise found.error(f"it uses {symbol!r}")
        if section != UNDEFINED and (info & 15 != FUNCTION or not found.is_within(address, max(size, 1), EXECUTABLE)):
            raise found.error(f"{symbol!r} is not in its code")
    found.check_relocations()


def check_symbols(name: str, data: bytes, target: str, symbols: set[str]) -> None:
    """Check that a shared object, which `check_code` accepts, exports these functions and no others.

    Raises
    ------
    CorruptedDataError
        If it does not.
    """
    found = _read(name, data, target)
    exported = {
        symbol.decode(errors="replace")
        for symbol, info, section, _, _ in found.symbols[1:]
        if section != UNDEFINED and info >> 4 in GLOBAL_BINDINGS
    }
    if exported != symbols:
        odd = ", ".join(sorted(map(repr, exported ^ symbols)))
        raise found.error(f"it has other functions than the module states: {odd[:200]}")
