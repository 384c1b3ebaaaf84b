"""What functions of `capi` take, as the library takes it: checked handles, structures and sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .._drivers.cuda import cuda_devices
from .._ffi.library import ffi, lib, load
from .._handles.memory import MemoryHandle
from .._handles.runtime import Context, RuntimeHandle, State
from .._memory.image import ImageHandle
from .._memory.opening import open_runtime
from ..device import CPU_ARCH
from ..enums import Arch
from ..errors import InvalidInteropError
from ..wording import describe
from ._handles import Handle, TiImage, TiMemory, TiRuntime
from ._members import Array, Structure
from ._records import find_allocation, find_runtime, freed, keep_runtime

if TYPE_CHECKING:
    from .._capi import TiImage as TiImagePointer
    from .._capi import TiMemory as TiMemoryPointer
    from .._capi import taichi_aot_runtime_p
    from .._cdata import Pointer

__all__ = [
    "array_of",
    "find_image",
    "find_memory",
    "image_of",
    "memory_of",
    "require",
    "runtime_of",
    "runtime_sharing_with",
    "structure_of",
]

S = TypeVar("S", bound=Structure)


def require(cls: type[Handle], handle: object, what: str) -> None:
    """Raise TypeError unless `handle` is one of that type, ValueError for the null handle."""
    if type(handle) is not cls:
        raise TypeError(f"{what} must be a {cls.__name__}, not {describe(handle)}")
    if not handle:
        raise ValueError(f"{what} is the null handle")


def runtime_of(runtime: TiRuntime) -> RuntimeHandle:
    """The private handle of a runtime, which is open."""
    require(TiRuntime, runtime, "runtime")
    handle: RuntimeHandle = runtime._owner or find_runtime(runtime) or _adopt(int(runtime))
    runtime._owner = handle
    if handle.state is State.INHERITED:
        raise handle.closed_error()
    if handle.state is not State.OPEN:
        raise freed(runtime)
    handle.require_open()
    return handle


# The archs of the runtimes that share what they have with an API.
SHARING = {
    "cpu": (Arch.X64, Arch.ARM64),
    "cuda": (Arch.CUDA,),
    "opengl": (Arch.OPENGL, Arch.GLES),
    "vulkan": (Arch.VULKAN,),
}


def runtime_sharing_with(api: str, runtime: TiRuntime) -> RuntimeHandle:
    """The private handle of a runtime that exports to an API and imports from it: the library does not always check."""
    handle = runtime_of(runtime)
    if handle.arch not in SHARING[api]:
        raise InvalidInteropError(f"a runtime of arch {handle.arch} shares nothing with {api}")
    return handle


def _adopt(address: int) -> RuntimeHandle:
    """A private handle for a runtime of another binding of the library, which only `destroy_runtime` destroys."""
    load()
    arch = _arch_of(address)
    context = Context(arch)  # of OpenGL, it belongs to this thread
    context.c.ti_runtime = ffi.cast("TiRuntime", address)
    context.shared = True
    handle = open_runtime(context, arch, lambda: None)
    keep_runtime(handle)
    return handle


def _arch_of(address: int) -> Arch:
    """The arch of a runtime, of which the library has no function: what it can do is tried."""
    context = Context(Arch.VULKAN)
    context.c.ti_runtime = ffi.cast("TiRuntime", address)
    runtime = ffi.new("taichi_aot_runtime *", {"context": context.c, "state": State.OPEN})
    count = ffi.new("uint32_t *")
    lib.checked_ti_get_runtime_capabilities(runtime, count, ffi.NULL)
    if count[0]:  # of those with capabilities, OpenGL has no images
        return Arch.VULKAN if _has_images(runtime) else Arch.OPENGL
    return Arch.CUDA if cuda_devices() and _has_cuda_memory(runtime) else CPU_ARCH


def _has_images(runtime: taichi_aot_runtime_p) -> bool:
    image, info = ffi.new("TiImage *"), ffi.new("TiImageAllocateInfo *", {"mip_level_count": 1})
    info.dimension, info.format = lib.TI_IMAGE_DIMENSION_2D, lib.TI_FORMAT_RGBA8
    info.extent = {"width": 1, "height": 1, "depth": 1, "array_layer_count": 1}
    info.usage = lib.TI_IMAGE_USAGE_SAMPLED_BIT
    if lib.checked_ti_allocate_image(runtime, info, image):
        return False
    lib.checked_ti_free_image(runtime, image[0])
    return True


def _has_cuda_memory(runtime: taichi_aot_runtime_p) -> bool:
    memory, info = ffi.new("TiMemory *"), ffi.new("TiMemoryAllocateInfo *", {"size": 4})
    lib.checked_ti_allocate_memory(runtime, info, memory)
    status = lib.checked_ti_export_cuda_memory(runtime, memory[0], ffi.new("TiCudaMemoryInteropInfo *"))
    lib.checked_ti_free_memory(runtime, memory[0])
    return status == 0


def find_memory(handle: RuntimeHandle, memory: TiMemory, what: str) -> MemoryHandle | None:
    """The private handle of memory; None if only its address is known."""
    require(TiMemory, memory, what)
    return cast("MemoryHandle | None", find_allocation(memory, handle))


def find_image(handle: RuntimeHandle, image: TiImage, what: str) -> ImageHandle | None:
    """The private handle of an image; None if only its address is known."""
    require(TiImage, image, what)
    return cast("ImageHandle | None", find_allocation(image, handle))


def memory_of(handle: RuntimeHandle, memory: TiMemory, what: str) -> TiMemoryPointer:
    """``TiMemory`` for the library."""
    find_memory(handle, memory, what)
    return ffi.cast("TiMemory", int(memory))


def image_of(handle: RuntimeHandle, image: TiImage, what: str) -> TiImagePointer:
    """``TiImage`` for the library."""
    find_image(handle, image, what)
    return ffi.cast("TiImage", int(image))


def structure_of(cls: type[Structure], structure: object, what: str) -> Pointer[Any]:
    """The pointer to a structure."""
    if not isinstance(structure, cls):
        raise TypeError(f"{what} must be a {cls.__name__}, not {describe(structure)}")
    return structure.c


def array_of(cls: type[S], items: Array[S] | Sequence[S], what: str) -> Array[S]:
    """An array of structures."""
    given: Any = items
    if isinstance(given, Array):
        array = cast("Array[S]", given)
        if array._cls is not cls:
            raise TypeError(f"{what} must be an array of {cls.__name__}, not of {array._cls.__name__}")
        return array
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        raise TypeError(f"{what} must be a sequence of {cls.__name__}, not {describe(items)}")
    return Array(cls, cast("Sequence[S]", given))
