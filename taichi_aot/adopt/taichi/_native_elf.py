"""Shared objects of machine code (ELF, 64 bits): what their code may call, and the functions that they have."""

from __future__ import annotations

import struct

from ...values._errors import CorruptedDataError

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
IDENTITY = b"\x7fELF\x02\x01\x01"
SHARED_OBJECT = 3
X86_64, AARCH64 = 62, 183
LOAD, DYNAMIC_SECTION = 1, 2  # kinds of segments
HASH, STRINGS, SYMBOLS = 4, 5, 6  # tags of the dynamic section
UNDEFINED = 0  # the section of a symbol of another library


def check_code(name: str, data: bytes, target: str, symbols: set[str]) -> None:
    """Check that a shared object is for a kind of CPU, and exports these functions and no others."""
    try:
        machine, exported = _read(data)
    except (struct.error, KeyError, OverflowError, ValueError):
        raise CorruptedDataError(f"{name} is damaged: it is cut off, or not a shared object of 64 bits") from None
    if machine != (AARCH64 if target.startswith("aarch64") else X86_64):
        raise CorruptedDataError(f"{name} is damaged: it is for another machine ({machine})")
    if exported != symbols:
        odd = ", ".join(sorted(map(repr, exported ^ symbols)))
        raise CorruptedDataError(f"{name} is damaged: it has other functions than the module states: {odd[:200]}")


def _read(data: bytes) -> tuple[int, set[str]]:
    """Return the machine of a shared object, and the functions that it exports."""
    identity, kind, machine, _, _, at, _, _, _, _, count, *_ = HEADER.unpack_from(data)
    if not identity.startswith(IDENTITY) or kind != SHARED_OBJECT:
        raise ValueError
    segments = list(SEGMENT.iter_unpack(data[at : at + count * SEGMENT.size]))

    def place(address: int) -> int:
        """Return where in the file what is at an address is."""
        for kind, _, offset, start, _, size, _, _ in segments:
            if kind == LOAD and start <= address < start + size:
                return int(address - start + offset)
        raise ValueError

    begin, size = next(((s[2], s[5]) for s in segments if s[0] == DYNAMIC_SECTION), (0, 0))
    tags = dict(DYNAMIC.iter_unpack(data[begin : begin + size]))
    names, table = place(tags[STRINGS]), place(tags[SYMBOLS])
    _, length = struct.unpack_from("<II", data, place(tags[HASH]))
    symbols = SYMBOL.iter_unpack(data[table : table + length * SYMBOL.size])
    defined = [names + name for name, _, _, section, _, _ in symbols if section != UNDEFINED]
    return machine, {data[start : data.index(b"\0", start)].decode(errors="replace") for start in defined}
