"""Taichi's binary files (``.tcb``): numbers, strings, lists and types one after the other, without padding."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, TypeVar

from ...values._errors import CorruptedDataError
from ..taichi._types import Member, Nothing, Pointer, Primitive, Struct, Tensor, Type

NOTHING, PRIMITIVE, POINTER, TENSOR, STRUCT = -1, 0, 1, 2, 3  # kinds of types
MAX_TYPE_DEPTH = 16
U8, U16, I32, U64 = map(struct.Struct, ("<B", "<H", "<i", "<Q"))
MAX_ALIKE = 16  # items that are remembered of those that begin with the same bytes

T = TypeVar("T")


class Reader:
    """Little-endian, no padding; a string is a u64 length and bytes, a list a u64 count and items."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        self.position = 0
        self._read: dict[tuple[str, bytes], list[tuple[bytes, Any]]] = {}

    def error(self, text: str) -> CorruptedDataError:
        return CorruptedDataError(f"{self.name}: {text} at byte {self.position}")

    def numbers(self, layout: struct.Struct) -> tuple[int, ...]:
        """Numbers that stand one after the other."""
        try:
            values = layout.unpack_from(self.data, self.position)
        except struct.error:
            raise self.error("the file ends too early") from None
        self.position += layout.size
        return values

    def boolean(self) -> bool:
        (value,) = self.numbers(U8)
        if value > 1:
            raise self.error(f"a boolean is {value}")
        return value == 1

    def u16(self) -> int:
        return self.numbers(U16)[0]

    def i32(self) -> int:
        return self.numbers(I32)[0]

    def u64(self) -> int:
        return self.numbers(U64)[0]

    def string(self) -> str:
        size = self.u64()
        if size > len(self.data) - self.position:
            raise self.error(f"a string of {size} bytes does not fit")
        raw = self.data[self.position : self.position + size]
        self.position += size
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            raise self.error("a string is not UTF-8") from None
        if "\0" in text:
            raise self.error("a string holds a NUL")
        return text

    def list_of(self, item: Callable[[], T], smallest: int) -> list[T]:
        """A list whose items take at least `smallest` bytes each."""
        count = self.u64()
        if count * smallest > len(self.data) - self.position:
            raise self.error(f"a list of {count} items does not fit")
        return [item() for _ in range(count)]

    def once(self, what: str, item: Callable[[], T]) -> T:
        """An item, which is read once of several with the same bytes. It must not have positions in the file."""
        start = self.position
        alike = self._read.setdefault((what, self.data[start : start + 64]), [])
        for data, known in alike:
            if self.data.startswith(data, start):
                self.position += len(data)
                result: T = known
                return result
        new = item()
        if len(alike) < MAX_ALIKE:
            alike.append((self.data[start : self.position], new))
        return new

    def integers(self) -> list[int]:
        return self.list_of(self.i32, 4)

    def start(self) -> None:
        size = self.u64()
        if size != len(self.data):
            raise CorruptedDataError(f"{self.name}: its header states {size} bytes, but it has {len(self.data)}")

    def end(self) -> None:
        if self.position != len(self.data):
            raise self.error("bytes trail")


def read_type(reader: Reader, depth: int = 0) -> Type:
    if depth > MAX_TYPE_DEPTH:
        raise reader.error("types are nested too deeply")
    kind = reader.i32()
    if kind == NOTHING:
        return Nothing()
    if kind == PRIMITIVE:
        primitive = reader.i32()
        if not 0 <= primitive <= 13:
            raise reader.error(f"unknown primitive type {primitive}")
        return Primitive(primitive)
    if kind == POINTER:
        target = read_type(reader, depth + 1)
        reader.i32()  # address space
        reader.boolean()
        return Pointer(target)
    if kind == TENSOR:
        shape = tuple(reader.integers())
        if any(size < 1 for size in shape):
            raise reader.error(f"a tensor has the shape {shape}")
        return Tensor(shape, read_type(reader, depth + 1))
    if kind == STRUCT:
        return _read_struct(reader, depth + 1)
    raise reader.error(f"unknown kind of type {kind}")


def _read_struct(reader: Reader, depth: int) -> Struct:
    """A struct, without the number that identifies it as one."""

    def member() -> Member:
        type_ = read_type(reader, depth)
        return Member(reader.string(), offset=reader.u64(), type=type_)

    members = reader.list_of(member, 20)
    reader.string()  # layout
    return Struct(tuple(members))


def encode_type(type_: Type) -> bytes:
    """A type as `read_type` reads it."""
    if isinstance(type_, Primitive):
        return struct.pack("<ii", PRIMITIVE, type_.number)
    if isinstance(type_, Pointer):
        return struct.pack("<i", POINTER) + encode_type(type_.target) + struct.pack("<i?", 0, False)
    assert isinstance(type_, Struct)
    return (
        struct.pack("<iQ", STRUCT, len(type_.members))
        + b"".join(map(encode_member, type_.members))
        + encode_string("none")
    )


def encode_member(member: Member) -> bytes:
    """A member of a struct as `_read_struct` reads it."""
    return encode_type(member.type) + encode_string(member.name) + struct.pack("<Q", member.offset)


def encode_string(text: str) -> bytes:
    """A string as `Reader.string` reads it."""
    return struct.pack("<Q", len(text.encode())) + text.encode()


def with_header(data: bytes) -> bytes:
    """The contents of a file after the number of its bytes."""
    return struct.pack("<Q", len(data) + 8) + data
