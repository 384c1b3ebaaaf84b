"""Types of cffi objects, with which `_capi.pyi` describes the extension. Only type checkers see this module."""

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeAlias, TypeVar, overload

import numpy.typing as npt
from typing_extensions import Buffer, ParamSpec

Item = TypeVar("Item")
Get = TypeVar("Get")
Set = TypeVar("Set")
Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")
PointerToIt = TypeVar("PointerToIt", covariant=True)

class CData: ...

class Number(CData):
    """The result of a cast to an integer or a real type."""

    def __int__(self) -> int: ...
    def __float__(self) -> float: ...

class Pointer(CData, Generic[Item]):
    """A pointer. ``void *`` is ``Pointer[Any]``: C converts it from and to every other pointer."""

    def __bool__(self) -> bool: ...
    def __add__(self, count: int, /) -> Pointer[Item]: ...
    @overload
    def __getitem__(self, index: int, /) -> Item: ...
    @overload
    def __getitem__(self, index: slice, /) -> Array[Item]: ...
    def __setitem__(self, index: int, value: Item, /) -> None: ...

class Array(Pointer[Item]):
    """An array, which C accepts as a pointer to its first item."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Item]: ...

class Struct(CData, Generic[PointerToIt]):
    """A structure or union by value, with the type of pointers to it."""

class Function(CData, Generic[Parameters, Result]):
    """A pointer to a function."""

    def __bool__(self) -> bool: ...
    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result: ...

class Member(Generic[Get, Set]):
    """A member of a structure that takes more types than it returns."""

    def __get__(self, structure: object, cls: type[object], /) -> Get: ...
    def __set__(self, structure: object, value: Set, /) -> None: ...

class CType:
    kind: str
    cname: str
    item: CType  # of a pointer or an array
    args: tuple[CType, ...]  # of a function
    result: CType
    @property
    def fields(self) -> list[tuple[str, CField]]: ...
    @property
    def elements(self) -> dict[int, str]: ...
    @property
    def relements(self) -> dict[str, int]: ...

class CField:
    type: CType
    offset: int
    bitshift: int
    bitsize: int
    flags: int

# The members of `ffi` have the same names.
_CData: TypeAlias = CData
_CType: TypeAlias = CType

class BaseFFI:
    """The members of `ffi` except those whose result depends on the name of a C type."""

    CData: type[_CData]
    CType: type[_CType]
    NULL: Pointer[Any]
    error: type[Exception]
    def typeof(self, of: str | _CData, /) -> _CType: ...
    def sizeof(self, of: str | _CType | _CData, /) -> int: ...
    def alignof(self, of: str | _CType, /) -> int: ...
    def list_types(self) -> tuple[list[str], list[str], list[str]]: ...
    def string(self, of: Pointer[bytes], maxlen: int = -1, /) -> bytes: ...
    def gc(self, of: Get, destructor: Callable[[Get], object], /) -> Get: ...
    def from_buffer(self, of: Buffer | npt.NDArray[Any], /) -> Array[bytes]: ...
    def buffer(self, of: _CData, size: int = -1, /) -> Buffer: ...
    def memmove(self, target: _CData | Buffer, source: _CData | Buffer, size: int, /) -> None: ...
