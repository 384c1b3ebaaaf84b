"""Arguments of kernels on the command line: ``a=2``, ``v=1,2,3``, ``x=@x.npy``, ``y=zeros:1024``.

`parse_value` parses a text into a `Value` without knowing the kernel; `_contents` makes its numbers for a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from ..values._enums import DataType
from ..values._image_enums import Format
from ..values._items import did_you_mean
from ..values._signature import LARGEST_SIZE, Signature
from ..values._wording import short
from ._codes import ArgumentError

Shape: TypeAlias = tuple[int, ...]

MADE = ("zeros", "full", "rand", "arange")
# Names that numpy and others have for generated numbers, and the forms here.
SYNONYMS = {"ones": "full:{}:1", "empty": "zeros:{}", "random": "rand:{}", "range": "arange:{}"}

# The forms of an argument, and what each means.
FORMS = {
    "a=2.5  v=1,2,3": "a number; the numbers of a vector, a matrix (by rows) or a 1-dimensional array",
    "x=@x.npy": "the numbers in a .npy file; x=@x.npy:f32 converts them",
    "x=zeros:1024": "all 0; several sizes in the order in which kernels index: zeros:640x480",
    "x=full:64x64:0.5": "all the same number, or the numbers of an element: full:64:1,0,0",
    "x=rand:1024": "from 0 to 1, integers from 0 to 99; the same in each run",
    "x=arange:1024": "0, 1, 2 ...",
    "x=zeros  x=full::0.5": "without sizes: the stated sizes, else about a million elements",
    "tex=zeros:64x64:r32f": "an image and its format, if the kernel does not state one",
}

TYPES = frozenset([*map(str, DataType), *map(str, Format)])
_SIZES = re.compile(r"[0-9]+(x[0-9]+){0,7}", re.ASCII)


class Value(NamedTuple):
    """The value of an argument on the command line, after its name."""

    source: str  # ``"numbers"``, ``"file"``, ``"zeros"``, ``"full"``, ``"rand"`` or ``"arange"``
    text: str = ""  # the numbers of ``"numbers"`` or ``"full"``, separated by commas, or the path of a file
    sizes: Shape | None = None  # stated sizes
    type: str = ""  # stated name of a dtype or format, or empty


def split_assignment(text: str, form: str = "NAME=VALUE") -> tuple[str, str]:
    """Split at the first ``=``; return the name and the value; ArgumentError if either is missing."""
    name, _, value = text.partition("=")
    if not name or not value:
        raise ArgumentError(f"expected {form}, not {short(text)}")
    return name, value


def parse_value(text: str) -> Value:
    """Parse the value of an argument; ArgumentError if it does not have one of the `FORMS`."""
    rest, _, stated = text.rpartition(":")
    if not rest or stated not in TYPES:
        rest, stated = text, ""
    if text.startswith("@"):
        if len(rest) == 1 or "\0" in rest:
            raise ArgumentError(f"expected the path of a file after '@', not {short(text)}")
        return Value("file", rest[1:], type=stated)
    source, colon, rest = rest.partition(":")
    if source == "full":
        sizes, colon, number = rest.partition(":")
        if not colon or not number:
            raise ArgumentError(f"expected full:SIZES:NUMBER or full::NUMBER, not {short(text)}")
        return Value("full", number, _parse_sizes(sizes, text), stated)
    if source in MADE:
        return Value(source, "", _parse_sizes(rest, text), stated)
    if colon or not source or source in SYNONYMS or source.endswith(".npy") or re.search(r"[][()]", source):
        known = "numbers, @FILE, zeros:, full:, rand: or arange:"
        raise ArgumentError(f"expected {known} (see --help), not {short(text)}{_meant(text, source, rest)}")
    return Value("numbers", source, type=stated)


def _meant(text: str, source: str, rest: str) -> str:
    """Return the end of a message about an unknown form of a value."""
    if source.endswith(".npy"):
        return f"; did you mean {short(f'@{text}')}?"
    call = re.fullmatch(r"(?:\w+\.)*(\w+)\((.*)\)", source)
    if call:  # np.zeros(64, 64)
        return _meant(f"{call[1]}:{call[2]}", call[1], re.sub(", *", "x", call[2].strip("()")))
    if re.search(r"[][()]", source):  # [1, 2, 3]
        return f"; did you mean {short(re.sub(r'[][() ]', '', text))}?"
    if source in SYNONYMS:
        return f"; did you mean {short(SYNONYMS[source].format(rest).rstrip(':'))}?"
    return did_you_mean(text, [f"{each}:{rest}".rstrip(":") for each in MADE])


def _parse_sizes(text: str, whole: str) -> Shape | None:
    if not text:
        return None
    if not _SIZES.fullmatch(text):
        raise ArgumentError(f"expected sizes such as 1024 or 640x480, not {short(text)} in {short(whole)}")
    sizes = [size.lstrip("0") or "0" for size in text.split("x")]
    for size in sizes:
        if len(size) > len(str(LARGEST_SIZE)) or int(size) > LARGEST_SIZE:
            raise ArgumentError(f"a size is at most 2^31 - 1, because kernels index with i32, not {short(size)}")
    return tuple(map(int, sizes))


def read_assignments(signature: Signature, texts: Iterable[str]) -> dict[str, Value]:
    """Parse arguments; return the values by the names of parameters."""
    known = [parameter.name for parameter in signature.parameters]
    values: dict[str, Value] = {}
    for place, text in enumerate(texts):
        try:
            name, value = split_assignment(text)
        except ArgumentError as error:
            raise ArgumentError(f"{error}{_assigned(text, known, place)}") from None
        if name not in known:
            hint = did_you_mean(name, known)
            raise ArgumentError(f"{signature.name} has no parameter {short(name)}; it is {signature}{hint}")
        if name in values:
            raise ArgumentError(f"{name} is given twice")
        try:
            values[name] = parse_value(value)
        except ArgumentError as error:
            raise ArgumentError(f"{name}: {error}") from None
    return values


def _assigned(text: str, known: Sequence[str], place: int) -> str:
    """Return the end of a message about a text that is not NAME=VALUE: what it could mean at its place."""
    name = text.rstrip("=")
    if name in known:
        return f"; did you mean {short(f'{name}=VALUE')}?"
    return (
        f"; did you mean {short(f'{known[place]}={text}')}?" if text and "=" not in text and place < len(known) else ""
    )
