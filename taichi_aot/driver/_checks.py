"""Failed checks of kernels: the numbers of kernels, and the exception for a failure."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from itertools import count

from ..values._errors import KernelAssertionError, KernelIndexError

__all__ = ["error_of_failure", "formatted", "number_of"]

# The compiler's texts: about an index of an ndarray or matrix, and of a field.
INDEX = re.compile(r"[\[(]kernel=[^\])]*[\])] (?=Out of bound access|Accessing field)")
PLACE = re.compile(r'^File "([^"]*)", line (\d+), in ', re.M)
SPECIFIER = re.compile(r"%([df])")
NOT_SHOWN = re.compile(r"[^\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f]")
COMPILED_NAME = re.compile(r"(.+)_c\d+_\d+")  # the compiler's names for the kernels of graphs

_numbers: dict[str, int] = {}
_next = count(1)


def number_of(kernel: str) -> int:
    """Return the number under which the code of a kernel notes failures, the same for the same name."""
    number = _numbers.get(kernel)
    return _numbers.setdefault(kernel, next(_next)) if number is None else number


def error_of_failure(number: int, template: bytes, arguments: Sequence[int]) -> KernelAssertionError | KernelIndexError:
    """Return the exception for a failure with this number of the kernel."""
    name = next((name for name, each in list(_numbers.items()) if each == number), f"number {number}")
    compiled = COMPILED_NAME.fullmatch(name)
    return _error(compiled[1] if compiled else name, formatted(template.decode(errors="replace"), arguments))


def _error(kernel: str, text: str) -> KernelAssertionError | KernelIndexError:
    index = INDEX.match(text)
    message = text[index.end() :] if index else text
    cls = KernelIndexError if index else KernelAssertionError
    error = cls(f"kernel {kernel}: {message.rstrip()}")
    places = PLACE.findall(text)
    error.kernel = kernel
    if places:
        error.file, error.line = places[-1][0], int(places[-1][1])
    return error


def formatted(template: str, arguments: Sequence[int]) -> str:
    """Return the message with its arguments. The lines of the source after it may have specifiers too."""
    place = PLACE.search(template)
    end = len(template) if place is None else place.start()
    values = iter(arguments)
    message = SPECIFIER.sub(lambda match: _argument(match, values), template[:end])
    return NOT_SHOWN.sub("\N{REPLACEMENT CHARACTER}", message + template[end:])


def _argument(specifier: re.Match[str], values: Iterator[int]) -> str:
    bits = next(values, None)
    if bits is None:
        return specifier[0]
    # The code states no width. It extends shorter types by zeros, so the bits above tell the width.
    data, is_integer = bits.to_bytes(8, "little"), specifier[1] == "d"
    if bits >> 32:
        return repr(struct.unpack("<q" if is_integer else "<d", data)[0])
    if is_integer:
        return str(struct.unpack("<i", data[:4])[0])
    return f"{struct.unpack('<f', data[:4])[0] if bits >> 16 else struct.unpack('<e', data[:2])[0]:.7g}"
