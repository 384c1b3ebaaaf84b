"""The core functions of `capi` that do more than convert their arguments and call the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..adopt.modules._make import read_module
from ..adopt.modules._plan_of import plan_of
from ..arrays._image import require_layout
from ..backends._creation import check_device, context_for, create_context, open_runtime
from ..backends._devices import available_archs
from ..bundle._bundle import read_files
from ..bundle._contents import info_of
from ..bundle._graph_shapes import stated_kernel
from ..bundle._source import Source, exactly
from ..driver._library import address_of, check_environment, ffi, lib, load
from ..driver._status import Status, check, error_of, status_kind
from ..handles._c_types import TiAotModule, TiComputeGraph, TiImage, TiKernel, TiMemory, TiRuntime, TiSampler
from ..handles._code import module_files
from ..handles._copies import allocate, copy_between
from ..handles._image import Region
from ..handles._image import allocate_image as allocate_image_handle
from ..handles._memory import AllocationHandle, MemoryHandle, Request
from ..handles._module import ModuleHandle
from ..handles._registry import (
    KnownKernel,
    allocation_handle,
    find_module,
    forget_module,
    forget_runtime,
    freed_error,
    keep_runtime,
    kernel_handle,
    module_handle,
    register_largest,
)
from ..handles._runtime import RuntimeHandle, process
from ..handles._views import array_address, map_for_host
from ..kernels.calls._kernel import require_own_arguments
from ..kernels.modules._compatibility import check_compatible, check_fields, check_trees
from ..values._enums import Arch, Capability, MemoryUsage
from ..values._errors import (
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    BufferStateError,
    ErrorCode,
    InvalidArgumentError,
    NameNotFoundError,
    NotSupportedError,
    ObjectStateError,
    with_code,
    wrong_type,
)
from ..values._image_enums import Format, ImageLayout, ImageUsage
from ..values._signature import Words
from ..values._wording import describe, short
from ._arguments import array_of, find_image, find_memory, require, runtime_of, structure_of
from ._enums import TiArch, TiFormat, TiImageDimension, TiImageLayout
from ._launches import entry_of, wrong_launch
from ._members import Array, as_member, as_number, as_text
from ._structures import (
    TiArgument,
    TiCapabilityLevelInfo,
    TiImageAllocateInfo,
    TiImageExtent,
    TiImageSlice,
    TiMemoryAllocateInfo,
    TiMemorySlice,
    TiNamedArgument,
)

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from .._cdata import Pointer
    from ..bundle._info import ModuleInfo
    from ..values._signature import Signature

A = TypeVar("A", TiMemory, TiImage)
L = TypeVar("L", TiKernel, TiComputeGraph)

# The library and its errors.


def get_version() -> int:
    load()
    return lib.ti_get_version()


def get_available_archs(archs: None) -> tuple[list[int], list[TiArch]]:
    if archs is not None:
        raise ArgumentTypeError(f"archs must be None, not {describe(archs)}")
    found = list(map(TiArch, available_archs()))
    return list(map(int, found)), found


# Runtimes.


def create_runtime(arch: TiArch | int, device: int) -> TiRuntime:
    load()
    check_environment()
    chosen = _known_arch(arch)
    index = as_number(device, "device", 32)
    check_device(chosen, index)
    process.reap()
    context = context_for(chosen, index)
    return keep_runtime(open_runtime(context, chosen, lambda: create_context(context, chosen, index)))


def _known_arch(arch: TiArch | int) -> Arch:
    try:
        return Arch(as_member(TiArch, arch, "arch"))
    except ArgumentOutOfRangeError as error:
        with_code(error, ErrorCode.NOT_SUPPORTED)  # as in C
        raise


def destroy_runtime(runtime: TiRuntime) -> None:
    handle = runtime_of(runtime)
    for allocation, mapping in list(handle.kept.items()):
        if isinstance(allocation, MemoryHandle) and mapping is not None:
            _unmap(handle, allocation)
    handle.context.c.is_borrowed = False  # a runtime of another binding is destroyed too
    handle.close()
    forget_runtime(runtime, handle)


def set_runtime_capabilities_ext(
    runtime: TiRuntime, capabilities: Array[TiCapabilityLevelInfo] | Sequence[TiCapabilityLevelInfo]
) -> None:
    handle = runtime_of(runtime)
    array = array_of(TiCapabilityLevelInfo, capabilities, "capabilities")
    levels = {Capability(each.capability): each.level for each in array if each.capability}  # not RESERVED
    device = handle.backend.device
    if levels or device.levels(handle):  # LLVM archs have none
        device.set_levels(handle, levels)


def get_runtime_capabilities(runtime: TiRuntime) -> list[TiCapabilityLevelInfo]:
    handle = runtime_of(runtime)
    count = ffi.new("uint32_t *")
    handle.check(lib.checked_ti_get_runtime_capabilities(handle.c, count, ffi.NULL))
    array = TiCapabilityLevelInfo.array(count[0])
    handle.check(lib.checked_ti_get_runtime_capabilities(handle.c, count, array.c))
    return [item.copy() for item in array]


def wait(runtime: TiRuntime) -> None:
    runtime_of(runtime).wait()


# Memory.


class _Mapping(NamedTuple):
    """Mapped memory: the context manager and its view."""

    context: Any
    view: Any
    is_owned: bool  # whether `capi` has allocated the memory


def allocate_memory(runtime: TiRuntime, allocate_info: TiMemoryAllocateInfo) -> TiMemory:
    handle = runtime_of(runtime)
    structure_of(TiMemoryAllocateInfo, allocate_info, "allocate_info")
    if not allocate_info.size:
        raise ArgumentOutOfRangeError("the size of memory must be at least 1 byte")
    request = Request(
        allocate_info.size,
        host_read=allocate_info.host_read,
        host_write=allocate_info.host_write,
        export_sharing=allocate_info.export_sharing,
        usage=MemoryUsage(int(allocate_info.usage)),
    )
    return kept(TiMemory, allocate(handle, request))


def kept(cls: type[A], allocation: AllocationHandle) -> A:
    """Keep memory or an image until it is freed, and return its handle."""
    handle = allocation_handle(cls, allocation)
    allocation.runtime.kept[allocation] = None
    return handle


def free_memory(runtime: TiRuntime, memory: TiMemory) -> None:
    handle = runtime_of(runtime)
    allocation = find_memory(handle, memory, "memory")
    if allocation is None:
        handle.check(lib.checked_ti_free_memory(handle.c, ffi.cast("TiMemory", int(memory))))
        return
    if handle.kept.get(allocation) is not None:
        raise BufferStateError(f"the {memory!r} is mapped; unmap it first")
    handle.synchronize()
    allocation.close()
    handle.kept.pop(allocation, None)
    register_largest(memory, handle)


def map_memory(runtime: TiRuntime, memory: TiMemory) -> int:
    handle = runtime_of(runtime)
    allocation = find_memory(handle, memory, "memory")
    if allocation is None:
        result = ffi.new("void **")
        handle.check(lib.checked_ti_map_memory(handle.c, ffi.cast("TiMemory", int(memory)), result))
        return address_of(result[0])
    if handle.kept.get(allocation) is not None:
        raise ObjectStateError(f"the {memory!r} is mapped already")
    context = map_for_host(allocation, "|u1", (allocation.size,))
    view = context.__enter__()
    handle.kept[allocation] = _Mapping(context, view, allocation in handle.kept)
    return array_address(view)


def unmap_memory(runtime: TiRuntime, memory: TiMemory) -> None:
    handle = runtime_of(runtime)
    allocation = find_memory(handle, memory, "memory")
    if allocation is None:
        handle.check(lib.checked_ti_unmap_memory(handle.c, ffi.cast("TiMemory", int(memory))))
        return
    if handle.kept.get(allocation) is None:
        raise ObjectStateError(f"the {memory!r} is not mapped")
    handle.synchronize()  # raises on threads other than OpenGL's, where the mapping would end later
    _unmap(handle, allocation)


def _unmap(handle: RuntimeHandle, allocation: MemoryHandle) -> None:
    mapping: _Mapping = handle.kept.pop(allocation)
    if mapping.is_owned:
        handle.kept[allocation] = None
    mapping.context.__exit__()


def copy_memory_device_to_device(runtime: TiRuntime, dst_memory: TiMemorySlice, src_memory: TiMemorySlice) -> None:
    handle = runtime_of(runtime)
    parts = {"dst_memory": dst_memory, "src_memory": src_memory}
    pointers = [structure_of(TiMemorySlice, part, what) for what, part in parts.items()]
    target, source = (find_memory(handle, part.memory, f"{what}.memory") for what, part in parts.items())
    if dst_memory.size != src_memory.size:
        raise InvalidArgumentError(f"the sizes differ: {dst_memory.size} and {src_memory.size} bytes")
    for allocation, (what, part) in zip((target, source), parts.items(), strict=True):
        if allocation is not None and part.offset + part.size > allocation.size:
            end = part.offset + part.size
            raise ArgumentOutOfRangeError(
                f"{what}: bytes {part.offset} to {end} exceed the memory of {allocation.size} bytes"
            )
        if allocation is not None and allocation.c.mapped and not handle.backend.memory.copies_mapped:
            raise BufferStateError(f"{what}: the memory is mapped, and the library aborts when OpenGL rejects its copy")
    if target is None or source is None:
        handle.check(lib.checked_ti_copy_memory_device_to_device(handle.c, *pointers))
        return
    copy_between(target, dst_memory.offset, source, src_memory.offset, dst_memory.size)


# Images.


def allocate_image(runtime: TiRuntime, allocate_info: TiImageAllocateInfo) -> TiImage:
    handle = runtime_of(runtime)
    structure_of(TiImageAllocateInfo, allocate_info, "allocate_info")
    handle.backend.device.require_images()
    dimension, format = allocate_info.dimension, allocate_info.format
    if dimension > TiImageDimension.TI_IMAGE_DIMENSION_3D:
        raise NotSupportedError("the library allocates no images of layers")
    if format == TiFormat.TI_FORMAT_UNKNOWN:
        raise ArgumentOutOfRangeError("the format of the image is unknown")
    if allocate_info.mip_level_count != 1:
        raise NotSupportedError(f"the library allocates images of 1 mip level, not of {allocate_info.mip_level_count}")
    extent = _extent(allocate_info.extent, dimension + 1)
    usage = ImageUsage(int(allocate_info.usage))
    sharing = allocate_info.export_sharing
    return kept(TiImage, allocate_image_handle(handle, extent, Format(format), usage, export_sharing=sharing))


def _extent(extent: TiImageExtent, ndim: int) -> tuple[int, ...]:
    """Return the extent of an image in that many dimensions."""
    sizes = (extent.width, extent.height, extent.depth)
    if 0 in sizes or any(size != 1 for size in sizes[ndim:]):
        raise ArgumentOutOfRangeError(f"{extent!r} is not the extent of an image of {ndim} dimensions")
    if extent.array_layer_count != 1:
        raise NotSupportedError(f"the library allocates images of 1 layer, not of {extent.array_layer_count}")
    return sizes[:ndim]


def free_image(runtime: TiRuntime, image: TiImage) -> None:
    handle = runtime_of(runtime)
    allocation = find_image(handle, image, "image")
    if allocation is None:
        handle.check(lib.checked_ti_free_image(handle.c, ffi.cast("TiImage", int(image))))
        return
    handle.synchronize()
    allocation.close()
    handle.kept.pop(allocation, None)


def track_image_ext(runtime: TiRuntime, image: TiImage, layout: TiImageLayout | int) -> None:
    _change_layout(runtime, image, layout, lib.TAICHI_AOT_TRACK, lib.checked_ti_track_image_ext)


def transition_image(runtime: TiRuntime, image: TiImage, layout: TiImageLayout | int) -> None:
    _change_layout(runtime, image, layout, lib.TAICHI_AOT_TRANSITION, lib.checked_ti_transition_image)


def _change_layout(runtime: TiRuntime, image: TiImage, layout: TiImageLayout | int, how: int, function: Any) -> None:
    handle = runtime_of(runtime)
    allocation = find_image(handle, image, "image")
    member = as_member(TiImageLayout, layout, "layout")
    if allocation is None:
        handle.check(function(handle.c, ffi.cast("TiImage", int(image)), member))
    else:
        allocation.change_layout(require_layout(ImageLayout(member), allocation.request.usage), how)


def copy_image_device_to_device(runtime: TiRuntime, dst_image: TiImageSlice, src_image: TiImageSlice) -> None:
    handle = runtime_of(runtime)
    parts = {"dst_image": dst_image, "src_image": src_image}
    pointers = [structure_of(TiImageSlice, part, what) for what, part in parts.items()]
    target, source = (find_image(handle, part.image, f"{what}.image") for what, part in parts.items())
    if dst_image.extent != src_image.extent:
        raise InvalidArgumentError(f"the extents differ: {dst_image.extent!r} and {src_image.extent!r}")
    if target is None or source is None:
        handle.check(lib.checked_ti_copy_image_device_to_device(handle.c, *pointers))
        return
    to, from_ = _region(target, dst_image, "dst_image"), _region(source, src_image, "src_image")
    if target.request.format is not source.request.format:
        raise InvalidArgumentError(f"the formats differ: {target.request.format} and {source.request.format}")
    if len(to.extent) != len(from_.extent):
        raise InvalidArgumentError(
            f"an image of {len(to.extent)} dimensions cannot be copied from one of {len(from_.extent)}"
        )
    if target is source and to.overlaps(from_):
        raise InvalidArgumentError("the parts overlap")
    target.copy_from(to, source, from_)


def _region(image: Any, part: TiImageSlice, what: str) -> Region:
    """Return the region of a part, which must lie within the image."""
    if part.mip_level or part.offset.array_layer_offset:
        raise NotSupportedError(f"{what}: the images of the library have one mip level and one layer")
    sizes = image.request.extent
    ndim = len(sizes)
    offset = (part.offset.x, part.offset.y, part.offset.z)
    extent = _extent(part.extent, ndim)
    inside = all(begin + size <= whole for begin, size, whole in zip(offset, extent, sizes, strict=False))
    if not inside or any(offset[ndim:]):
        raise ArgumentOutOfRangeError(
            f"{what}: {part.offset!r} with {part.extent!r} exceeds the image of extent {sizes}"
        )
    return Region(offset[:ndim], extent)


def destroy_sampler(runtime: TiRuntime, sampler: TiSampler) -> None:
    handle = runtime_of(runtime)
    if type(sampler) is not TiSampler:
        raise wrong_type(sampler, f"sampler must be a TiSampler, not {describe(sampler)}")
    if sampler:
        handle.check(lib.checked_ti_destroy_sampler(handle.c, ffi.cast("TiSampler", int(sampler))))


# Modules.


def load_aot_module(runtime: TiRuntime, module_path: str) -> TiAotModule:
    handle = runtime_of(runtime)
    as_text(module_path, "module_path")
    return _load(handle, module_path)


def create_aot_module(runtime: TiRuntime, tcm: Buffer) -> TiAotModule:
    handle = runtime_of(runtime)
    try:
        data = bytearray(memoryview(tcm))  # bytes could be the name of a file
    except TypeError:
        raise wrong_type(tcm, f"tcm must be bytes-like, not {describe(tcm)}") from None
    return _load(handle, data)


def _load(handle: RuntimeHandle, source: Source) -> TiAotModule:
    result = module_handle(*load_module(handle, source))
    handle.kept[result._owner] = None
    return result


def destroy_aot_module(aot_module: TiAotModule) -> None:
    require(TiAotModule, aot_module, "aot_module")
    known = find_module(aot_module)
    if known is None:
        check(lib.checked_ti_destroy_aot_module(ffi.NULL, ffi.cast("TiAotModule", int(aot_module))))
        return
    kept = known.module.runtime.kept
    if known not in kept:  # it belongs to an object, and the library's module to the runtime
        known.module.close()
        return
    unload_module(known.module)
    forget_module(aot_module)
    kept.pop(known, None)


def get_aot_module_kernel(aot_module: TiAotModule, name: str) -> TiKernel:
    return _get(aot_module, name, TiKernel)


def get_aot_module_compute_graph(aot_module: TiAotModule, name: str) -> TiComputeGraph:
    return _get(aot_module, name, TiComputeGraph)


def _get(aot_module: TiAotModule, name: str, cls: type[L]) -> L:
    require(TiAotModule, aot_module, "aot_module")
    as_text(name, "name")
    known = find_module(aot_module)
    graph = cls is TiComputeGraph
    if known is None:
        pointer = fetch_foreign(ffi.cast("TiAotModule", int(aot_module)), name, is_graph=graph)
        return kernel_handle(cls, KnownKernel(pointer))
    info, module = known.info, known.module
    signature = signature_of(info, name, is_graph=graph)
    dispatches = module.plan.dispatches(name) if graph else [signature.parameters]
    if not graph and module.words is Words.ALL:
        result, has_gradients = module.results.get(name), name in module.gradients
        repeats = bool(module.plan.repeats(name))
        require_own_arguments(name, result, has_gradients=has_gradients, repeats=repeats)
    pointer = module.fetch(name, is_graph=graph)
    kernel = KnownKernel(pointer, module, signature, dispatches)
    known.kernels[cls, name] = kernel
    return kernel_handle(cls, kernel)


# Launches: the generated functions call C, or this one if a handle or an array must be made first.


def launch(runtime: TiRuntime, of: TiKernel | TiComputeGraph, args: Any, noun: str) -> None:
    is_graph = noun == "graph"
    handle = runtime_of(runtime)
    require(TiComputeGraph if is_graph else TiKernel, of, "compute_graph" if is_graph else "kernel")
    entry = entry_of(of)
    array: Array[Any] = array_of(TiNamedArgument if is_graph else TiArgument, args, "args")
    foreign = array._owners.foreign(handle.context)
    if foreign is not None:
        raise InvalidArgumentError(f"args: the handle {foreign:#x} belongs to another runtime")
    function = lib.taichi_aot_launch_graph if is_graph else lib.taichi_aot_launch_kernel
    status = function(handle.c, entry.c, len(array), array.c)
    if status:
        raise launch_error(runtime, of, noun, status, array)


def launch_error(
    runtime: TiRuntime, of: TiKernel | TiComputeGraph, noun: str, status: int, args: Sequence[Any] | Array[Any]
) -> Exception:
    kind = status_kind(status)
    if kind == Status.ARGUMENT:
        return wrong_launch(entry_of(of), noun, status, args)
    if kind == Status.FOREIGN:
        return InvalidArgumentError(f"the {of!r} belongs to another runtime")
    if kind == Status.MODULE_CLOSED:
        return freed_error(of)
    if kind == Status.CLOSED:
        runtime_of(runtime)  # raises
    return error_of(status)


def load_module(handle: RuntimeHandle, source: Source) -> tuple[ModuleHandle, ModuleInfo]:
    """Read and check a module, and load the checked copy."""
    with process.loading:
        source_files = read_files(source, exactly(handle.arch, available_archs))
        plan = plan_of(read_module(source_files).described, Words.SCALARS)
        check_compatible(handle.backend, handle.backend.device.levels(handle), plan)
        check_fields(handle, plan)
        check_trees(plan)
        c = ffi.new("taichi_aot_module *")
        handle.loaded.append(c)  # before it is loaded, so that an exception in between cannot lose it
        files = module_files(c, plan)
        files.load(handle)
        c.is_open = 1
        loaded = ModuleHandle(handle, c.ti_module)
        loaded.c, loaded.plan = c, plan
        loaded.files, loaded.words = files, Words.SCALARS
        # This prevents loading a module with fields beside it.
        (handle if plan.has_fields else handle.context).modules[_key(loaded)] = loaded
    return loaded, info_of(plan)


def _key(module: ModuleHandle) -> bytes:
    """Return a key that differs from all contents."""
    return b"%d" % id(module)


def unload_module(module: ModuleHandle) -> None:
    """Destroy a module of the library."""
    handle = module.runtime
    handle.synchronize()
    handle.check(lib.taichi_aot_module_destroy(handle.c, module.c))
    for modules in (handle.modules, handle.context.modules):
        modules.pop(_key(module), None)
    if module.c in handle.loaded:
        handle.loaded.remove(module.c)


def fetch_foreign(ti_module: Pointer[Any], name: str, *, is_graph: bool) -> Pointer[Any]:
    """Fetch a kernel or graph from a module that this package does not know."""
    result: Pointer[Any] = ffi.new("TiComputeGraph *" if is_graph else "TiKernel *")
    function = lib.checked_ti_get_aot_module_compute_graph if is_graph else lib.checked_ti_get_aot_module_kernel
    check(function(ffi.NULL, ti_module, name.encode(), result))
    fetched: Pointer[Any] = result[0]
    return fetched


def signature_of(info: ModuleInfo, name: str, *, is_graph: bool) -> Signature:
    """Return the signature of a kernel or graph. A graph's instance of a kernel has the kernel's shapes."""
    names = info.graphs if is_graph else info.all_kernels
    if name not in names:
        known = ", ".join(map(repr, names)) or "none"
        raise NameNotFoundError(f"the module has no {'graph' if is_graph else 'kernel'} {short(name)}, it has {known}")
    signature = names[name].signature
    if is_graph:
        return signature
    stated = stated_kernel(name, info)
    if stated is None:
        return signature
    pairs = zip(signature.parameters, stated.signature.parameters, strict=True)
    return signature._replace(parameters=tuple(own._replace(name=p.name, shape=p.shape) for own, p in pairs))
