"""Failed checks of kernels: the numbers of kernels, and the exception for a failure."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from ..values._errors import FIELD_NODE, KernelAssertionError, KernelIndexError

# Texts of Taichi: about an index of an ndarray or matrix, and of a field. Patterns are compiled when a check fails,
# as that takes longer than the rest of this module, which is imported with the first module that is loaded.
INDEX = r"[\[(]kernel=[^\])]*[\])] (?=Out of bound access|Accessing field)"
OF_ARRAY = r"Out of bound access to ndarray at arg (\d+) with indices \[([-\d, ]+)\]"
OF_FIELD = FIELD_NODE + r" of size \(([\d, ]+)\) with indices \(([-\d, ]+)\)"
PLACE = r'(?m)^File "([^"]*)", line (\d+), in '
SPECIFIER = r"%([df])"
NOT_SHOWN = r"[^\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f]"


class Checked(NamedTuple):
    """A kernel with checks: its name, the names of its parameters, and those of fields by the node in messages."""

    kernel: str
    parameters: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()


_numbers: dict[Checked, int] = {}
_next = count(1)


def number_of(kernel: str, parameters: Iterable[str], fields: Iterable[Sequence[str]] = ()) -> int:
    """Return the number under which a kernel's code records failures, the same for equal kernels."""
    checked = Checked(kernel, tuple(parameters), tuple((node, field) for node, field in fields))
    number = _numbers.get(checked)
    return _numbers.setdefault(checked, next(_next)) if number is None else number


def error_of_failure(
    number: int, template: bytes, arguments: Sequence[int], shapes: Sequence[tuple[int, ...]] = ()
) -> KernelAssertionError | KernelIndexError:
    """Return the exception for a failure with this kernel number; `shapes` are the arrays' by parameter, if known."""
    unknown = Checked(f"kernel_{number}")
    kernel = next((each for each, own in list(_numbers.items()) if own == number), unknown)
    return _error(kernel, formatted(template.decode(errors="replace"), arguments), shapes)


def _error(kernel: Checked, text: str, shapes: Sequence[tuple[int, ...]]) -> KernelAssertionError | KernelIndexError:
    index = re.match(INDEX, text)
    if index:
        message = text[index.end() :]
        message = re.sub(OF_ARRAY, lambda match: _of_array(match, kernel, shapes), message, count=1)
        message = re.sub(OF_FIELD, lambda match: _of_field(match, kernel), message, count=1)
    else:
        message = text
    cls = KernelIndexError if index else KernelAssertionError
    error = cls(f"{kernel.kernel}(): {message.rstrip()}")
    places = re.findall(PLACE, text)
    error.kernel = kernel.kernel
    if places:
        error.file, error.line = places[-1][0], int(places[-1][1])
    return error


def _of_array(match: re.Match[str], kernel: Checked, shapes: Sequence[tuple[int, ...]]) -> str:
    """Return the message about an index of the ndarray with this parameter number."""
    number = int(match[1])
    if number >= len(kernel.parameters):
        return match[0]
    name, shape = kernel.parameters[number], shapes[number] if number < len(shapes) else ()
    return f"{name}[{match[2]}] is out of range" + f"; {name} has shape {shape}" * bool(shape)


def _of_field(match: re.Match[str], kernel: Checked) -> str:
    name = dict(kernel.fields).get(match[1])
    shape = f"({match[2]}{',' * (',' not in match[2])})"
    if name is None:
        return f"index [{match[3]}] of a field of shape {shape} is out of range"
    return f"{name}[{match[3]}] is out of range; field {name} has shape {shape}"


def formatted(template: str, arguments: Sequence[int]) -> str:
    """Return the message with its arguments. The lines of the source after it may have specifiers too."""
    place = re.search(PLACE, template)
    end = len(template) if place is None else place.start()
    values = iter(arguments)
    message = re.sub(SPECIFIER, lambda match: _argument(match, values), template[:end])
    return re.sub(NOT_SHOWN, "\N{REPLACEMENT CHARACTER}", message + template[end:])


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
