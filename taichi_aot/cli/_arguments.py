"""Arguments of kernels on the command line: ``a=2``, ``v=1,2,3``, ``x=@x.npy``, ``y=zeros:1024``.

`parse_value` parses a text into a `Value` without knowing the kernel; `content_of` makes its numbers for a parameter.
"""

from __future__ import annotations

import math
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ..values._errors import count, short
from ..values._items import did_you_mean
from ..values._numbers import DataType, numpy_dtype, to_data_type, without_ones
from ..values._signature import LARGEST_SIZE, TEXTURES, Parameter, Signature
from ..values._texels import TEXELS, Format, texel_of
from ._output import ArgumentError

# Arguments of kernels on the command line: ``a=2``, ``v=1,2,3``, ``x=@x.npy``, ``y=zeros:1024``.


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


# Contents of arguments on the command line: literal or generated numbers, and .npy files.


RANDOM_INTEGERS = 100
_INTEGER = re.compile(r"[+-]?([0-9]{1,20}|0[xX][0-9a-fA-F]{1,16})", re.ASCII)
_BOOLEANS = {"0": False, "1": True, "false": False, "true": True}


class Content(NamedTuple):
    """The numbers of an argument before they are created."""

    # shape, dtype: those of the numpy array from `make`, with the dimensions of elements or of an image's channels.
    shape: Shape
    dtype: np.dtype[Any]
    format: Format | None  # the format of an image; None for arrays and numbers
    make: Callable[[], npt.NDArray[Any]]  # creates the array

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        return math.prod(self.shape) * self.dtype.itemsize


def size_of(parameter: Parameter, value: Value) -> int | None:
    """Return the value of an integer parameter, which may be a size in stated shapes; otherwise None."""
    if parameter.kind != "scalar" or value.source != "numbers" or parameter.dtype is None:
        return None
    if numpy_dtype(parameter.dtype).kind not in "iu":
        return None
    number = int(_numbers(value.text, parameter))
    return number if number >= 0 else None


def stated_shape(parameter: Parameter, value: Value) -> Shape | None:
    """Return the shape of an array if its value determines one, else None."""
    if parameter.kind != "ndarray":
        return None
    if value.source in MADE:
        return None if value.sizes is None else _check_ndim(parameter, value.sizes)
    return content_of(parameter, value, ()).shape[: parameter.ndim]


def _check_ndim(parameter: Parameter, sizes: Shape) -> Shape:
    if len(sizes) != parameter.ndim:
        raise ArgumentError(
            f"{parameter.name} takes {parameter.ndim} sizes, not {'x'.join(map(str, sizes))}; it is {parameter}"
        )
    return sizes


def content_of(parameter: Parameter, value: Value, sizes: Shape) -> Content:
    """Return the content of a parameter's value; `sizes` are those of an array if the value does not state them."""
    if parameter.kind in TEXTURES:
        return _image_content(parameter, value)
    if parameter.layout is not None:
        return _record_content(parameter, parameter.layout, value)
    assert parameter.dtype is not None
    if value.type and value.type != str(parameter.dtype):
        raise ArgumentError(f"{parameter.name} has numbers of {parameter.dtype}, not of {value.type}")
    dtype = numpy_dtype(parameter.dtype)
    if value.source == "numbers":
        array = _numbers(value.text, parameter)
        return Content(array.shape, dtype, None, lambda: array)
    if value.source == "file":
        return _array_of_file(parameter, value)
    shape = (*_check_ndim(parameter, sizes if value.sizes is None else value.sizes), *parameter.elem_shape)
    return _made(parameter.name, value, shape, dtype, None)


def count_numbers(parameter: Parameter) -> int:
    """Return the number of numbers of a scalar, matrix or struct."""
    if parameter.layout is not None:
        return sum(map(count_numbers, parameter.members))
    return math.prod(parameter.elem_shape)


# Numbers in the text


def _record_content(parameter: Parameter, layout: np.dtype[Any], value: Value) -> Content:
    """Return the content of a struct, whose numbers are given in order."""
    if value.source != "numbers":
        raise ArgumentError(f"{parameter} takes numbers, in the order of its members")
    items = value.text.split(",")
    if len(items) != count_numbers(parameter):
        raise ArgumentError(f"{parameter} takes {count_numbers(parameter)} numbers, not {len(items)}")
    record = np.zeros((), layout)
    _fill_record(record, parameter, parameter.name, items)
    return Content((), layout, None, lambda: record)


def _fill_record(record: npt.NDArray[Any], parameter: Parameter, path: str, items: Sequence[str]) -> None:
    begin = 0
    for member in parameter.members:
        end = begin + count_numbers(member)
        name = f"{path}.{member.name}"
        if member.layout is not None:
            _fill_record(record[member.name], member, name, items[begin:end])
        else:
            record[member.name] = _numbers(",".join(items[begin:end]), member._replace(name=name))
        begin = end


def _numbers(text: str, parameter: Parameter) -> npt.NDArray[Any]:
    """Return the numbers of a scalar, matrix or array, in its shape."""
    assert parameter.dtype is not None
    if parameter.ndim > 1:
        raise ArgumentError(f"{parameter.name} has {parameter.ndim} dimensions: give @FILE.npy, or full: and so on")
    numbers = _parse_numbers(parameter.name, text, parameter.dtype)
    each = math.prod(parameter.elem_shape)
    if parameter.ndim == 1 and len(numbers) % each == 0:
        return numbers.reshape(-1, *parameter.elem_shape)
    if len(numbers) != each:
        multiple = "a multiple of " * (parameter.ndim == 1)
        raise ArgumentError(f"{parameter} takes {multiple}{each} numbers, not {len(numbers)}")
    return numbers.reshape(parameter.elem_shape)


def _parse_numbers(name: str, text: str, data_type: DataType) -> npt.NDArray[Any]:
    dtype = numpy_dtype(data_type)
    read = {"b": _boolean, "i": _integer, "u": _integer}.get(dtype.kind, _real)
    items = [item.strip() for item in text.split(",")]
    try:
        return np.array([read(item, dtype) for item in items], dtype)
    except ArgumentError as error:
        raise ArgumentError(f"{name}: {error} of {data_type}") from None


def _boolean(text: str, dtype: np.dtype[Any]) -> bool:
    if text.lower() not in _BOOLEANS:
        raise ArgumentError(f"{short(text)} is not true, false, 1 or 0,")
    return _BOOLEANS[text.lower()]


def _integer(text: str, dtype: np.dtype[Any]) -> int:
    if not _INTEGER.fullmatch(text):
        raise ArgumentError(f"{short(text)} is not an integer")
    number = int(text, 16 if "x" in text.lower() else 10)
    limits = np.iinfo(dtype)
    if not limits.min <= number <= limits.max:
        raise ArgumentError(f"{number} is not in {limits.min}...{limits.max}, the integers")
    return number


def _real(text: str, dtype: np.dtype[Any]) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ArgumentError(f"{short(text)} is not a number") from None
    is_infinity = math.isinf(number) and "inf" in text.lower()  # otherwise its digits exceed f64
    if abs(number) > float(np.finfo(dtype).max) and not is_infinity:
        raise ArgumentError(f"{short(text)} is beyond the numbers")
    return number


# Generated numbers


def _made(name: str, value: Value, shape: Shape, dtype: np.dtype[Any], format: Format | None) -> Content:
    size = math.prod(shape)
    match value.source:
        case "full":
            return Content(shape, dtype, format, _filler(name, value.text, shape, dtype))
        case "rand":
            return Content(shape, dtype, format, lambda: _random(name, shape, dtype, is_image=format is not None))
        case "arange":
            largest = 1 if dtype.kind == "b" else np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max
            if size - 1 > largest:
                raise ArgumentError(f"{name}: 0 to {size - 1:,} exceeds the numbers of {to_data_type(dtype)}")
            # numpy computes the steps in the dtype itself; f16 is too coarse for this
            wide = np.dtype(np.float32) if dtype == np.float16 else np.dtype(np.int8) if dtype.kind == "b" else dtype
            return Content(shape, dtype, format, lambda: np.arange(size, dtype=wide).astype(dtype).reshape(shape))
        case _:
            return Content(shape, dtype, format, lambda: np.zeros(shape, dtype))


def _filler(name: str, text: str, shape: Shape, dtype: np.dtype[Any]) -> Callable[[], npt.NDArray[Any]]:
    """Return a function that creates an array of one number, or of the numbers of an element (the last dimensions)."""
    numbers = _parse_numbers(name, text, to_data_type(dtype))
    if len(numbers) == 1:
        return lambda: np.full(shape, numbers[0], dtype)
    # The last dimensions that together have this many numbers.
    element = next((shape[i:] for i in range(len(shape)) if math.prod(shape[i:]) == len(numbers)), None)
    if element is None:
        raise ArgumentError(f"{name}: full: takes one number or those of an element, not {len(numbers)}")
    return lambda: np.array(np.broadcast_to(numbers.reshape(element), shape))


def _random(name: str, shape: Shape, dtype: np.dtype[Any], *, is_image: bool) -> npt.NDArray[Any]:
    generator = np.random.default_rng(zlib.crc32(name.encode(errors="surrogatepass")))
    if dtype.kind == "f":
        kind = np.float64 if dtype == np.float64 else np.float32
        return generator.random(shape, kind).astype(dtype, copy=False)
    if dtype.kind == "b":
        return generator.integers(0, 2, shape, np.uint8).astype(dtype)
    limits = np.iinfo(dtype)
    low, high = (limits.min, limits.max) if is_image else (0, RANDOM_INTEGERS - 1)
    return generator.integers(low, high, shape, dtype.type, endpoint=True)


# Numbers in files


def _array_of_file(parameter: Parameter, value: Value) -> Content:
    """Return the content of a scalar, matrix or array from a file."""
    assert parameter.dtype is not None
    dtype = numpy_dtype(parameter.dtype)
    array = _open_npy(value.text)
    shape, elements = array.shape[: parameter.ndim], array.shape[parameter.ndim :]
    is_flat = parameter.kind == "matrix" and elements == (math.prod(parameter.elem_shape),)
    is_same = is_flat or without_ones(elements) == without_ones(parameter.elem_shape)
    if array.ndim < parameter.ndim or not is_same:
        wanted = [*["any"] * parameter.ndim, *map(str, parameter.elem_shape)]
        sizes = f": ({', '.join(wanted)})" if wanted else ""
        raise ArgumentError(
            f"{value.text} has {count(array.shape, 'dimension')}, its shape is {array.shape}; {parameter} takes "
            f"{count(wanted, 'dimension')}{sizes}"
        )
    convert = _converter(parameter.name, value, array, dtype)
    full = (*shape, *parameter.elem_shape)
    return Content(full, dtype, None, lambda: convert().reshape(full))


def _require_file(path: str) -> None:
    """Raise OSError if a file does not exist, ArgumentError if it is a pipe or the like."""
    try:
        is_file = stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        file, _, stated = path.rpartition(":")
        if os.path.isfile(file):
            raise ArgumentError(
                f"{short(stated)} after {file} is not a dtype such as f32, or a format such as rgba8"
            ) from None
        raise
    except ValueError:  # a character that paths cannot have
        is_file = False
    if not is_file:  # opening a pipe would block
        folder = os.path.isdir(path)
        raise ArgumentError(f"{path} is {'a folder: name a file in it' if folder else 'not a file'}")


def _open_npy(path: str) -> npt.NDArray[Any]:
    """Map the array in a file, so that it does not take memory until it is read."""
    _require_file(path)
    try:
        array: npt.NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
    except OSError:
        raise
    except Exception as error:  # numpy parses the header with Python's parser, which raises various exceptions
        raise ArgumentError(f"{path} is not a .npy file with numbers: {error}") from None
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise ArgumentError(f"{path} has {array.dtype}; kernels take numbers of up to 64 bits")
    return array


def _converter(
    name: str, value: Value, array: npt.NDArray[Any], dtype: np.dtype[Any]
) -> Callable[[], npt.NDArray[Any]]:
    """Return a function that converts the numbers of a file to `dtype`, if they have it or a type was stated."""
    if array.dtype.newbyteorder("=") != dtype and not value.type:
        raise ArgumentError(
            f"{value.text} has {array.dtype}, {name} takes {dtype}; write {name}=@{value.text}:TYPE to convert it"
        )

    def convert() -> npt.NDArray[Any]:
        with np.errstate(all="ignore"):
            result = np.ascontiguousarray(array.astype(dtype))
            if dtype.kind in "iub" and array.dtype.newbyteorder("=") != dtype and not np.array_equal(result, array):
                raise ArgumentError(f"{value.text}: a number is not one of {to_data_type(dtype)}")
        return result.reshape(array.shape)

    return convert


# Images


def _image_content(parameter: Parameter, value: Value) -> Content:
    """Return the content of an image; its format is the kernel's, else the stated one."""
    format = _image_format(parameter, value)
    if value.source == "numbers":
        raise ArgumentError(f"{parameter.name} is an image: give a file, or zeros: with sizes such as 640x480")
    if value.source == "file":
        return _texels_of_file(parameter, value, format)
    if value.sizes is None:
        raise ArgumentError(
            f"{parameter.name} is an image and needs sizes: {value.source}:{'x'.join(['64'] * parameter.ndim)}"
        )
    format = format or Format.RGBA32F
    dtype, channels = _texel(format)
    return _made(parameter.name, value, (*_check_ndim(parameter, value.sizes)[::-1], *channels), dtype, format)


def _image_format(parameter: Parameter, value: Value) -> Format | None:
    if not value.type:
        return Format(parameter.format) if parameter.format else None
    if value.type not in map(str, TEXELS):
        raise ArgumentError(f"{parameter.name} is an image: its type is a format such as rgba8, not {value.type}")
    if parameter.format and parameter.format != value.type:
        raise ArgumentError(f"{parameter.name} has the format {parameter.format}, not {value.type}")
    return Format(value.type)


def _texel(format: Format) -> tuple[np.dtype[Any], Shape]:
    texel = texel_of(format)
    return numpy_dtype(texel.data_type), (texel.channels,) if texel.channels > 1 else ()


def _texels_of_file(parameter: Parameter, value: Value, format: Format | None) -> Content:
    array = _open_npy(value.text)
    if format is None:
        raise ArgumentError(f"the format of {parameter.name} is not known: write @{value.text}:FORMAT, such as rgba8")
    dtype, channels = _texel(format)
    if array.ndim != parameter.ndim + len(channels) or array.shape[parameter.ndim :] != channels:
        wanted = ", ".join([*("width", "height", "depth")[: parameter.ndim][::-1], *map(str, channels)])
        raise ArgumentError(f"{value.text} has the shape {array.shape}; an image of {format} has ({wanted})")
    return Content(array.shape, dtype, format, _converter(parameter.name, value, array, dtype))
