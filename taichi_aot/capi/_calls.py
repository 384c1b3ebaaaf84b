"""The functions of `capi` that do more than to convert their arguments and call: checks, and what is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .._ffi.library import check_environment, ffi, lib, load
from .._ffi.pointers import address_of
from .._ffi.status import check
from .._handles.creation import check_device, context_for, create_context
from .._handles.memory import MemoryHandle, Request
from .._handles.runtime import RuntimeHandle, State, process
from .._memory.copies import LARGEST, allocate
from .._memory.cuda import CudaPool
from .._memory.host import HostPool
from .._memory.interchange import Shared
from .._memory.opening import open_runtime
from .._memory.views import array_address, map_for_host
from ..device import available_archs
from ..enums import Arch, MemoryUsage
from ..errors import InvalidInteropError
from ..formats import Source
from ..wording import describe
from ._enums import TiArch, TiError
from ._handles import Handle, TiAotModule, TiComputeGraph, TiImage, TiKernel, TiMemory, TiRuntime
from ._members import Array, Structure, as_member, as_number, as_text
from ._modules import fetch, load_module, require_name, unload_module
from ._records import (
    AllocationRecord,
    ModuleRecord,
    allocation_handle,
    find_allocation,
    find_runtime,
    freed,
    launch_handle,
    module_handle,
    modules,
    runtime_handle,
    runtimes,
)
from ._structures import (
    TiArgument,
    TiCapabilityLevelInfo,
    TiMemoryAllocateInfo,
    TiNamedArgument,
)

if TYPE_CHECKING:
    from typing_extensions import Buffer

S = TypeVar("S", bound=Structure)
L = TypeVar("L", TiKernel, TiComputeGraph)

# Arguments.


def require(cls: type[Handle], handle: Any, what: str) -> None:
    """Raise TypeError unless `handle` is one of that type, ValueError for the null handle."""
    if type(handle) is not cls:
        raise TypeError(f"{what} must be a {cls.__name__}, not {describe(handle)}")
    if not handle:
        raise ValueError(f"{what} is the null handle")


def runtime_of(runtime: TiRuntime) -> RuntimeHandle:
    """The private handle of a runtime, which is open."""
    require(TiRuntime, runtime, "runtime")
    handle: RuntimeHandle | None = runtime._owner or find_runtime(int(runtime))
    if handle is None:
        handle = _adopt(runtime)
    if handle.state is State.INHERITED:
        raise handle.closed_error()
    if handle.state is not State.OPEN:
        raise freed(runtime)
    handle.require_open()
    return handle


# The archs of the runtimes that share what they have with an API.
_SHARING = {
    "cpu": (Arch.X64, Arch.ARM64),
    "cuda": (Arch.CUDA,),
    "opengl": (Arch.OPENGL, Arch.GLES),
    "vulkan": (Arch.VULKAN,),
}


def runtime_sharing_with(api: str, runtime: TiRuntime) -> RuntimeHandle:
    """The private handle of a runtime that exports to an API and imports from it: the library does not always check."""
    handle = runtime_of(runtime)
    if handle.arch not in _SHARING[api]:
        raise InvalidInteropError(f"a runtime of arch {handle.arch} shares nothing with {api}")
    return handle


def _adopt(runtime: TiRuntime) -> RuntimeHandle:
    """A private handle for a runtime of another binding of the library."""
    raise NotImplementedError


def record_of(handle: RuntimeHandle, allocation: TiMemory | TiImage, what: str) -> AllocationRecord | None:
    """What is known of memory or an image, which is open; None if it is the address alone."""
    record: AllocationRecord | None = allocation._owner or find_allocation(type(allocation), handle, int(allocation))
    if record is None:
        return None
    if record.allocation.closed:
        raise freed(allocation)
    if record.allocation.runtime is not handle:
        raise ValueError(f"{what}: the {allocation!r} belongs to another runtime")
    return record


def memory_of(handle: RuntimeHandle, memory: TiMemory, what: str) -> Any:
    """``TiMemory`` for the library."""
    require(TiMemory, memory, what)
    record_of(handle, memory, what)
    return ffi.cast("TiMemory", int(memory))


def image_of(handle: RuntimeHandle, image: TiImage, what: str) -> Any:
    """``TiImage`` for the library."""
    require(TiImage, image, what)
    record_of(handle, image, what)
    return ffi.cast("TiImage", int(image))


def structure_of(cls: type[Structure], structure: Any, what: str) -> Any:
    """The pointer to a structure."""
    if type(structure) is not cls:
        raise TypeError(f"{what} must be a {cls.__name__}, not {describe(structure)}")
    return structure.c


def array_of(cls: type[S], items: Any, what: str) -> Array[S]:
    """An array of structures."""
    if type(items) is Array and items._cls is cls:
        return items
    if isinstance(items, (str, bytes)) or not isinstance(items, Sequence):
        raise TypeError(f"{what} must be a sequence of {cls.__name__}, not {describe(items)}")
    return Array(cls, items)


# The library and its errors.


def get_version() -> int:
    load()
    return lib.ti_get_version()


def get_available_archs() -> tuple[list[int], list[TiArch]]:
    archs = [TiArch(arch) for arch in available_archs()]
    return [int(arch) for arch in archs], archs


def get_last_error() -> str:
    load()
    size = ffi.new("uint64_t *")
    lib.ti_get_last_error(size, ffi.NULL)
    message = ffi.new("char[]", size[0] + 1)
    lib.ti_get_last_error(size, message)
    return ffi.string(message).decode(errors="replace")


def set_last_error(error: TiError | int, message: str) -> None:
    load()
    lib.ti_set_last_error(as_member(TiError, error, "error"), as_text(message, "message"))


# Runtimes.


def create_runtime(arch: TiArch | int, device: int) -> TiRuntime:
    load()
    check_environment()
    number = as_member(TiArch, arch, "arch")
    index = as_number(device, "device", 32)
    if number not in set(Arch):
        raise ValueError(f"arch must be a backend, not {number!r}")
    chosen = Arch(number)
    check_device(chosen, index)
    process.reap()
    context = context_for(chosen)
    return _created(open_runtime(context, chosen, lambda: create_context(context, chosen, index)))


def _created(handle: RuntimeHandle) -> TiRuntime:
    runtime = runtime_handle(handle)
    runtimes.setdefault(int(runtime), []).append(handle)
    return runtime


def destroy_runtime(runtime: TiRuntime) -> None:
    handle = runtime_of(runtime)
    handle.close()
    found = runtimes.get(int(runtime), [])
    if handle in found:
        found.remove(handle)
    if not found:
        runtimes.pop(int(runtime), None)


def set_runtime_capabilities_ext(
    runtime: TiRuntime, capabilities: Array[TiCapabilityLevelInfo] | Sequence[TiCapabilityLevelInfo]
) -> None:
    handle = runtime_of(runtime)
    array = array_of(TiCapabilityLevelInfo, capabilities, "capabilities")
    handle.check(lib.checked_ti_set_runtime_capabilities_ext(handle.c, len(array), array.c))


def get_runtime_capabilities(runtime: TiRuntime) -> list[TiCapabilityLevelInfo]:
    handle = runtime_of(runtime)
    count = ffi.new("uint32_t *")
    handle.check(lib.checked_ti_get_runtime_capabilities(handle.c, count, ffi.NULL))
    array = TiCapabilityLevelInfo.array(count[0])
    handle.check(lib.checked_ti_get_runtime_capabilities(handle.c, count, array.c))
    return [item.copy() for item in array]


def wait(runtime: TiRuntime) -> None:
    handle = runtime_of(runtime)
    handle.check(lib.taichi_aot_wait(handle.c, False))


# Memory.


def allocate_memory(runtime: TiRuntime, allocate_info: TiMemoryAllocateInfo) -> TiMemory:
    handle = runtime_of(runtime)
    structure_of(TiMemoryAllocateInfo, allocate_info, "allocate_info")
    if not allocate_info.size:
        raise ValueError("the size of memory must be at least 1 byte")
    request = Request(
        allocate_info.size,
        host_read=allocate_info.host_read,
        host_write=allocate_info.host_write,
        export_sharing=allocate_info.export_sharing,
        usage=MemoryUsage(int(allocate_info.usage)),
    )
    return _kept(handle, allocate(handle, request))


def _kept(handle: RuntimeHandle, allocation: MemoryHandle) -> TiMemory:
    """The handle of memory that its runtime keeps until it is freed."""
    memory = allocation_handle(TiMemory, allocation, allocation.c.ti_memory)
    handle.kept.add(memory._owner)
    return memory


def free_memory(runtime: TiRuntime, memory: TiMemory) -> None:
    handle = runtime_of(runtime)
    require(TiMemory, memory, "memory")
    record = record_of(handle, memory, "memory")
    if record is None:
        handle.check(lib.checked_ti_free_memory(handle.c, ffi.cast("TiMemory", int(memory))))
        return
    handle.synchronize()
    record.allocation.close()
    handle.kept.discard(record)


def map_memory(runtime: TiRuntime, memory: TiMemory) -> int:
    handle = runtime_of(runtime)
    require(TiMemory, memory, "memory")
    record = record_of(handle, memory, "memory")
    if record is None:
        result = ffi.new("void **")
        handle.check(lib.checked_ti_map_memory(handle.c, ffi.cast("TiMemory", int(memory)), result))
        return address_of(result[0])
    allocation = record.allocation
    assert isinstance(allocation, MemoryHandle)
    if record.mapping is not None:
        raise ValueError(f"the {memory!r} is mapped already")
    context = map_for_host(allocation, "|u1", (allocation.size,))
    view = context.__enter__()
    record.mapping = (context, view)
    handle.kept.add(record)
    return array_address(view)


def unmap_memory(runtime: TiRuntime, memory: TiMemory) -> None:
    handle = runtime_of(runtime)
    require(TiMemory, memory, "memory")
    record = record_of(handle, memory, "memory")
    if record is None:
        handle.check(lib.checked_ti_unmap_memory(handle.c, ffi.cast("TiMemory", int(memory))))
        return
    if record.mapping is None:
        raise ValueError(f"the {memory!r} is not mapped")
    context, _ = record.mapping
    record.mapping = None
    context.__exit__()


def import_cpu_memory(runtime: TiRuntime, ptr: int, memory_size: int) -> TiMemory:
    return _import_shared(runtime_sharing_with("cpu", runtime), ptr, memory_size)


def import_cuda_memory(runtime: TiRuntime, ptr: int, memory_size: int) -> TiMemory:
    return _import_shared(runtime_sharing_with("cuda", runtime), ptr, memory_size)


def _import_shared(handle: RuntimeHandle, ptr: int, memory_size: int) -> TiMemory:
    address, size = as_number(ptr, "ptr", 64), as_number(memory_size, "memory_size", 64)
    if not address:
        raise ValueError("ptr is null")
    if not size:
        raise ValueError("memory_size must be at least 1 byte")
    if address + size > LARGEST:
        raise ValueError(f"ptr and memory_size: {size} bytes at {address:#x} exceed the address space")
    pool = handle.allocator
    assert isinstance(pool, (HostPool, CudaPool))
    return _kept(handle, pool.import_memory(handle, Shared(None, address, (size,), np.dtype(np.uint8), 1)))


# Modules.


def load_aot_module(runtime: TiRuntime, module_path: str) -> TiAotModule:
    handle = runtime_of(runtime)
    as_text(module_path, "module_path")
    return _load(handle, module_path)


def create_aot_module(runtime: TiRuntime, tcm: Buffer) -> TiAotModule:
    handle = runtime_of(runtime)
    try:
        data = bytes(memoryview(tcm))
    except TypeError:
        raise TypeError(f"tcm must be bytes-like, not {describe(tcm)}") from None
    return _load(handle, data)


def _load(handle: RuntimeHandle, source: Source) -> TiAotModule:
    result = module_handle(*load_module(handle, source))
    handle.kept.add(result._owner)
    return result


def _module_of(aot_module: TiAotModule) -> ModuleRecord | None:
    require(TiAotModule, aot_module, "aot_module")
    record: ModuleRecord | None = aot_module._owner or modules.get(int(aot_module))
    if record is not None and record.module.closed:
        raise freed(aot_module)
    return record


def destroy_aot_module(aot_module: TiAotModule) -> None:
    record = _module_of(aot_module)
    if record is None:
        check(lib.checked_ti_destroy_aot_module(ffi.NULL, ffi.cast("TiAotModule", int(aot_module))))
        return
    unload_module(record.module)
    record.module.runtime.kept.discard(record)


def get_aot_module_kernel(aot_module: TiAotModule, name: str) -> TiKernel:
    return _get(aot_module, name, TiKernel)


def get_aot_module_compute_graph(aot_module: TiAotModule, name: str) -> TiComputeGraph:
    return _get(aot_module, name, TiComputeGraph)


def _get(aot_module: TiAotModule, name: str, cls: type[L]) -> L:
    record = _module_of(aot_module)
    as_text(name, "name")
    graph = cls is TiComputeGraph
    if record is None:
        return cls(address_of(fetch(None, ffi.cast("TiAotModule", int(aot_module)), name, graph=graph)))
    signature = None
    if record.info is not None:
        known = record.info.graphs if graph else record.info.all_kernels
        require_name(known, name, "graph" if graph else "kernel")
        signature = known[name].signature
    module = record.module
    return launch_handle(cls, module, fetch(module.runtime, module.require_open(), name, graph=graph), signature)


# Launches.


def launch_kernel(runtime: TiRuntime, kernel: TiKernel, args: Array[TiArgument] | Sequence[TiArgument]) -> None:
    handle = runtime_of(runtime)
    require(TiKernel, kernel, "kernel")
    array = array_of(TiArgument, args, "args")
    handle.check(lib.checked_ti_launch_kernel(handle.c, ffi.cast("TiKernel", int(kernel)), len(array), array.c))


def launch_compute_graph(
    runtime: TiRuntime, compute_graph: TiComputeGraph, args: Array[TiNamedArgument] | Sequence[TiNamedArgument]
) -> None:
    handle = runtime_of(runtime)
    require(TiComputeGraph, compute_graph, "compute_graph")
    array = array_of(TiNamedArgument, args, "args")
    graph = ffi.cast("TiComputeGraph", int(compute_graph))
    handle.check(lib.checked_ti_launch_compute_graph(handle.c, graph, len(array), array.c))


# Not written yet.


def _not_yet(*arguments: object) -> Any:
    raise NotImplementedError


allocate_image = free_image = destroy_sampler = copy_memory_device_to_device = copy_image_device_to_device = _not_yet
set_cuda_stream = get_cuda_stream = import_opengl_runtime = create_vulkan_runtime_ext = _not_yet
import_vulkan_runtime = import_vulkan_memory = import_vulkan_image = _not_yet
