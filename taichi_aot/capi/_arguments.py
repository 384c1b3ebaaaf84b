"""Arguments of `capi` functions, checked and converted for the library: handles, structures and sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..backends._creation import adopt_runtime
from ..driver._library import ffi, load
from ..handles._c_types import Handle, TiImage, TiMemory, TiRuntime
from ..handles._image import ImageHandle
from ..handles._memory import MemoryHandle
from ..handles._registry import find_allocation, keep_runtime, open_runtime_of
from ..handles._runtime import RuntimeHandle
from ..values._errors import ArgumentNullError, ArgumentTypeError, InvalidInteropError, wrong_type
from ..values._wording import describe
from ._members import Array, Structure

if TYPE_CHECKING:
    from .._capi import TiImage as TiImagePointer
    from .._capi import TiMemory as TiMemoryPointer
    from .._cdata import Pointer

S = TypeVar("S", bound=Structure)


def require(cls: type[Handle], handle: object, what: str) -> None:
    """Raise TypeError unless `handle` has that type, ValueError for the null handle."""
    if type(handle) is not cls:
        raise wrong_type(handle, f"{what} must be a {cls.__name__}, not {describe(handle)}")
    if not handle:
        raise ArgumentNullError(f"{what} is the null handle")


def runtime_of(runtime: TiRuntime) -> RuntimeHandle:
    """Return the private handle of an open runtime."""
    require(TiRuntime, runtime, "runtime")
    handle = open_runtime_of(runtime)
    if handle is None:  # another binding's runtime, which only `destroy_runtime` destroys
        load()
        handle = adopt_runtime(int(runtime), owned=False)
        keep_runtime(handle)
    runtime._owner = handle
    handle.require_open()
    return handle


def runtime_sharing_with(api: str, runtime: TiRuntime) -> RuntimeHandle:
    """Return the private handle of a runtime that can share with an API, which the library does not always check."""
    handle = runtime_of(runtime)
    if handle.backend.interchange.api != api:
        raise InvalidInteropError(f"a runtime of arch {handle.arch} shares nothing with {api}")
    return handle


def find_memory(handle: RuntimeHandle, memory: TiMemory, what: str) -> MemoryHandle | None:
    """Return the private handle of memory; None if only its address is known."""
    require(TiMemory, memory, what)
    return cast("MemoryHandle | None", find_allocation(memory, handle))


def find_image(handle: RuntimeHandle, image: TiImage, what: str) -> ImageHandle | None:
    """Return the private handle of an image; None if only its address is known."""
    require(TiImage, image, what)
    handle.backend.device.require_images()
    return cast("ImageHandle | None", find_allocation(image, handle))


def memory_of(handle: RuntimeHandle, memory: TiMemory, what: str) -> TiMemoryPointer:
    """Return ``TiMemory`` for the library."""
    find_memory(handle, memory, what)
    return ffi.cast("TiMemory", int(memory))


def image_of(handle: RuntimeHandle, image: TiImage, what: str) -> TiImagePointer:
    """Return ``TiImage`` for the library."""
    find_image(handle, image, what)
    return ffi.cast("TiImage", int(image))


def structure_of(cls: type[Structure], structure: object, what: str) -> Pointer[Any]:
    if not isinstance(structure, cls):
        raise wrong_type(structure, f"{what} must be a {cls.__name__}, not {describe(structure)}")
    return structure.c


def array_of(cls: type[S], items: Array[S] | Sequence[S], what: str) -> Array[S]:
    given: Any = items
    if isinstance(given, Array):
        array = cast("Array[S]", given)
        if array._cls is not cls:
            raise ArgumentTypeError(f"{what} must be an array of {cls.__name__}, not of {array._cls.__name__}")
        return array
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        raise wrong_type(items, f"{what} must be a sequence of {cls.__name__}, not {describe(items)}")
    return Array(cls, cast("Sequence[S]", given))
