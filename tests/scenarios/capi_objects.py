"""Objects made from C-API handles: those of `taichi_aot.capi`, and those of another binding of the same library."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable

import numpy as np
from helpers.inside import c_address
from helpers.raising import assert_raises

from scenarios import ArchName
from taichi_aot import AotModule, Arch, Image, Memory, Runtime, capi, library_path, object_counts


class Binding:
    """The library called through ctypes, as by another binding in the same process."""

    def __init__(self, arch: ArchName) -> None:
        self.lib = ctypes.CDLL(library_path())
        for name in ("ti_create_runtime", "ti_allocate_memory", "ti_load_aot_module", "ti_create_aot_module"):
            getattr(self.lib, name).restype = ctypes.c_void_p
        self.runtime = self.lib.ti_create_runtime(int(capi.TiArch[f"TI_ARCH_{arch.upper()}"]), 0)
        assert self.runtime

    def allocate(self, size: int) -> int:
        info = capi.TiMemoryAllocateInfo(
            size=size, host_read=True, host_write=True, usage=capi.TiMemoryUsageFlagBits.TI_MEMORY_USAGE_STORAGE_BIT
        )
        memory: int = self.lib.ti_allocate_memory(ctypes.c_void_p(self.runtime), ctypes.c_void_p(c_address(info)))
        assert memory
        return memory

    def free(self, memory: int) -> None:
        self.lib.ti_free_memory(ctypes.c_void_p(self.runtime), ctypes.c_void_p(memory))

    def wait(self) -> None:
        self.lib.ti_wait(ctypes.c_void_p(self.runtime))

    def error(self) -> int:
        code: int = self.lib.ti_get_last_error(None, None)
        return code

    def destroy(self) -> None:
        self.lib.ti_destroy_runtime(ctypes.c_void_p(self.runtime))


def _raises(errors: type[Exception] | tuple[type[Exception], ...], match: str, *calls: Callable[[], object]) -> None:
    assert_raises(errors, *calls, match=match)


def borrow_from_another_binding(arch: ArchName, module: str) -> None:
    binding = Binding(arch)
    handle = capi.TiRuntime(binding.runtime)
    _raises(TypeError, "expected a TiRuntime", lambda: Runtime.from_handle(binding.runtime))
    _raises(ValueError, "is null", lambda: Runtime.from_handle(capi.TiRuntime()))
    with Runtime.from_handle(handle) as rt:
        assert (rt.arch, int(rt.handle)) == (Arch(arch), binding.runtime)
        foreign = capi.TiMemory(binding.allocate(64))
        _raises(ValueError, "the size is", lambda: Memory.from_handle(rt, foreign, 1 << 30))
        _raises(ValueError, "at least 1", lambda: Memory.from_handle(rt, foreign, 0))
        memory = Memory.from_handle(rt, foreign, 64, host_read=True, host_write=True)
        again = Memory.from_handle(rt, foreign, 64)
        memory.write(np.arange(16, dtype=np.float32))
        with memory.map() as view:
            assert again.read(4, 4) == np.float32(1).tobytes() == view[4:8].tobytes()
        del view
        again.close()
        assert again.closed
        assert not memory.closed
        x, y = memory.ndarray(16, "f32"), rt.zeros(16, "f32")
        rt.load_module(module).kernels["saxpy"](2.0, x, y)
        assert y.to_numpy()[3] == 6
        x.close()
        memory.close()
        _raises(ValueError, "closed", memory.read)
        # Closing the borrowed object did not free the memory: it still has its contents.
        assert Memory.from_handle(rt, foreign, 64).read(4, 4) == np.float32(1).tobytes()
    gc.collect()
    binding.wait()
    binding.free(int(foreign))
    binding.wait()
    binding.destroy()


def own_from_another_binding(arch: ArchName) -> None:
    binding = Binding(arch)
    rt = Runtime.from_handle(capi.TiRuntime(binding.runtime), owned=True)
    _raises(ValueError, "belongs to", lambda: Runtime.from_handle(rt.handle, owned=True))
    foreign = binding.allocate(64)
    memory = Memory.from_handle(rt, capi.TiMemory(foreign), 64, owned=True)
    _raises(ValueError, "belongs to", lambda: Memory.from_handle(rt, memory.handle, 64, owned=True))
    memory.close()
    memory.close()
    kept = binding.allocate(64)  # after a double free, two allocations would share a handle
    assert len({kept, binding.allocate(64), binding.allocate(64)}) == 3
    dropped = Memory.from_handle(rt, capi.TiMemory(kept), 64, owned=True)
    assert not dropped.closed
    del dropped
    gc.collect()
    left = Memory.from_handle(rt, capi.TiMemory(binding.allocate(64)), 64, owned=True)
    rt.close()
    rt.close()
    assert left.closed
    gc.collect()


def share_with_capi(arch: ArchName, module: str) -> None:
    """Use objects of `capi` through Python objects and vice versa; only the owner frees each."""
    handle = capi.create_runtime(capi.TiArch[f"TI_ARCH_{arch.upper()}"], 0)
    info = capi.TiMemoryAllocateInfo(size=64, host_read=True, host_write=True, usage=1)
    memory = capi.allocate_memory(handle, info)
    rt = Runtime.from_handle(handle)
    borrowed = Memory.from_handle(rt, memory, 64)
    borrowed.fill(0)
    x = borrowed.ndarray(16, "f32")
    x.fill(2)
    with AotModule.from_handle(rt, capi.load_aot_module(handle, module), module) as loaded:
        saxpy = loaded.kernels["saxpy"]
        y = rt.zeros(16, "f32")
        saxpy(3.0, x, y)
        assert y.to_numpy().tolist() == [6.0] * 16
    _raises(ValueError, "closed", lambda: saxpy(3.0, x, y))
    module_handle = capi.load_aot_module(handle, module)
    loaded = AotModule.from_handle(rt, module_handle, module)
    saxpy = loaded.kernels["saxpy"]
    saxpy(1.0, x, y)
    launch, kernel = saxpy.bind(1.0, x, y), saxpy.handle
    capi.destroy_aot_module(module_handle)
    assert loaded.closed
    array = capi.TiNdArray(memory, capi.TiNdShape(1, [16]), elem_type=capi.TiDataType.TI_DATA_TYPE_F32)
    arguments = capi.TiArgument.array(3)
    arguments[0].type = capi.TiArgumentType.TI_ARGUMENT_TYPE_F32
    for argument in (arguments[1], arguments[2]):
        argument.type, argument.value.ndarray = capi.TiArgumentType.TI_ARGUMENT_TYPE_NDARRAY, array
    _raises(ValueError, "was freed", lambda: capi.launch_kernel(handle, kernel, arguments))
    for use in (launch, lambda: saxpy(1.0, x, y), lambda: loaded.handle):
        _raises(ValueError, "closed", use)
    capi.free_memory(handle, memory)
    assert borrowed.closed
    for use in (borrowed.read, lambda: borrowed.handle, x.to_numpy):
        _raises(ValueError, "closed", use)
    _raises(ValueError, "was freed", lambda: Memory.from_handle(rt, memory, 64))
    # Closing a borrowed runtime leaves the owner's open; the owner closes everything.
    rt.close()
    assert rt.closed
    for use in (rt.wait, lambda: rt.handle, lambda: rt.allocate(4), lambda: rt.load_module(module)):
        _raises(ValueError, "closed", use)
    capi.wait(handle)
    other, owner = Runtime.from_handle(handle), Runtime.from_handle(handle, owned=True)
    _raises(ValueError, "belongs to", lambda: Runtime.from_handle(handle, owned=True))
    mine = capi.allocate_memory(handle, info)
    owned = Memory.from_handle(owner, mine, 64, owned=True)
    owned.close()
    _raises(ValueError, "freed", lambda: capi.free_memory(handle, mine))
    owner.close()
    assert other.closed
    _raises(ValueError, "was freed", lambda: capi.wait(handle))
    _raises(ValueError, "was freed", lambda: Runtime.from_handle(handle))


def give_handles(arch: ArchName, module: str) -> None:
    """Pass handles of objects to `capi`, which refuses them once the objects are closed."""
    rt = Runtime(arch)
    memory = rt.allocate(64, host_read=True, host_write=True)
    loaded = rt.load_module(module)
    kernel, graph = loaded.kernels["saxpy"].handle, loaded.graphs["twice"].handle
    assert (kernel, graph) == (loaded.kernels["saxpy"].handle, loaded.graphs["twice"].handle)
    assert capi.get_aot_module_kernel(loaded.handle, "saxpy") == kernel
    address = capi.map_memory(rt.handle, memory.handle)
    ctypes.memset(address, 7, 64)
    capi.unmap_memory(rt.handle, memory.handle)
    assert memory.read(0, 2) == b"\7\7"
    array = capi.TiNdArray(
        memory=memory.handle, shape=capi.TiNdShape(dim_count=1, dims=[16]), elem_type=capi.TiDataType.TI_DATA_TYPE_F32
    )
    f32, ndarray = capi.TiArgumentType.TI_ARGUMENT_TYPE_F32, capi.TiArgumentType.TI_ARGUMENT_TYPE_NDARRAY
    arguments = [
        capi.TiArgument(type=f32, value=capi.TiArgumentValue(f32=0.5)),
        *[capi.TiArgument(type=ndarray, value=capi.TiArgumentValue(ndarray=array))] * 2,
    ]
    memory.write(np.full(16, 2, np.float32))
    capi.launch_kernel(rt.handle, kernel, arguments)
    capi.wait(rt.handle)
    assert np.frombuffer(memory.read(), np.float32).tolist() == [3.0] * 16
    runtime_handle, memory_handle, module_handle = rt.handle, memory.handle, loaded.handle
    again = rt.load_module(module)
    capi.destroy_aot_module(again.handle)  # closes only this object: other loads share the module
    assert again.closed
    assert not loaded.closed
    memory.close()
    _raises(ValueError, "", lambda: capi.map_memory(runtime_handle, memory_handle))
    _raises(ValueError, "closed", lambda: memory.handle)
    loaded.close()
    _raises(ValueError, "", lambda: capi.get_aot_module_kernel(module_handle, "saxpy"))
    for use in (lambda: loaded.handle, lambda: loaded.kernels["saxpy"].handle):
        _raises(ValueError, "closed", use)
    rt.close()
    _raises(ValueError, "closed", lambda: rt.handle)
    _raises(ValueError, "", lambda: capi.wait(runtime_handle))


def give_handles_of_images() -> None:
    rt = Runtime("vulkan")
    image = rt.allocate_image((8, 4), "rgba8")
    image.write(np.full((4, 8, 4), 7, np.uint8))
    borrowed = Image.from_handle(rt, image.handle)
    assert (borrowed.extent, borrowed.format, borrowed.usage) == (image.extent, image.format, image.usage)
    assert (borrowed.to_numpy() == 7).all()
    borrowed.close()
    assert borrowed.closed
    _raises(ValueError, "closed", borrowed.to_numpy)
    assert (image.to_numpy() == 7).all()
    _raises(ValueError, "belongs to", lambda: Image.from_handle(rt, image.handle, owned=True))
    bare = Image.from_handle(rt, capi.TiImage(int(image.handle)))
    image.close()
    assert bare.closed
    _raises(ValueError, "closed", bare.to_numpy)
    info = capi.TiImageAllocateInfo(
        dimension=capi.TiImageDimension.TI_IMAGE_DIMENSION_2D,
        extent=capi.TiImageExtent(width=8, height=4, depth=1, array_layer_count=1),
        mip_level_count=1,
        format=capi.TiFormat.TI_FORMAT_RGBA8,
        usage=3,
    )
    made = capi.allocate_image(rt.handle, info)
    owned = Image.from_handle(rt, made, owned=True)
    owned.write(np.full((4, 8, 4), 9, np.uint8))
    owned.close()
    _raises(ValueError, "freed", lambda: capi.free_image(rt.handle, made))
    rt.close()


def fork_with_borrowed(arch: ArchName) -> None:
    """A child drops inherited objects, whoever owns them."""
    binding = Binding(arch)
    rt = Runtime.from_handle(capi.TiRuntime(binding.runtime), owned=True)
    memory = Memory.from_handle(rt, capi.TiMemory(binding.allocate(64)), 64, owned=True)
    memory.fill(3)
    pid = os.fork()
    if pid == 0:
        _raises(ValueError, "forked", memory.read)
        _raises(ValueError, "forked", lambda: rt.handle)
        memory.close()
        rt.close()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    assert memory.read(0, 1) == b"\3"
    rt.close()


def leave_open(arch: ArchName, module: str) -> None:
    """Exit with open objects of every kind over handles of every kind."""
    binding = Binding(arch)
    rt = Runtime.from_handle(capi.TiRuntime(binding.runtime), owned=True)
    memory = Memory.from_handle(rt, capi.TiMemory(binding.allocate(64)), 64, host_read=True)
    loaded = rt.load_module(module)
    with memory.map() as view:
        globals()["kept"] = (rt, memory, loaded, AotModule.from_handle(rt, loaded.handle, module), view)


def own_a_module(arch: ArchName, folder: str) -> None:
    """Own a module that another binding loaded: it is destroyed with the runtime."""
    binding = Binding(arch)
    rt = Runtime.from_handle(capi.TiRuntime(binding.runtime), owned=True)
    ti_module = binding.lib.ti_load_aot_module(ctypes.c_void_p(binding.runtime), os.fsencode(folder))
    loaded = AotModule.from_handle(rt, capi.TiAotModule(ti_module), folder, owned=True)
    _raises(ValueError, "already", lambda: AotModule.from_handle(rt, capi.TiAotModule(ti_module), folder, owned=True))
    x, y = rt.full(4, 2, "f32"), rt.zeros(4, "f32")
    loaded.kernels["saxpy"](2.0, x, y)
    assert y.to_numpy().tolist() == [4.0] * 4
    loaded.close()
    rt.close()


def export_opengl() -> None:
    """Export the context's functions and the buffer of a `Memory`."""
    rt = Runtime("opengl")
    memory = rt.allocate(64)
    assert capi.export_opengl_runtime(rt.handle).get_proc_addr
    info = capi.export_opengl_memory(rt.handle, memory.handle)
    assert (info.buffer > 0, info.size) == (True, 64)
    rt.close()


def read_handles_and_drop(arch: ArchName, module: str) -> None:
    """Handles keep their objects alive; once dropped, they keep nothing."""
    rt = Runtime(arch)
    loaded, x = rt.load_module(module), rt.zeros(10)
    handles = [rt.handle, x.memory.handle, loaded.handle, loaded.kernels["saxpy"].handle, loaded.graphs["twice"].handle]
    if arch == "vulkan":
        handles.append(rt.allocate_image((4, 4), "rgba8").handle)
    handles.append(capi.get_aot_module_kernel(loaded.handle, "saxpy"))
    assert object_counts()["runtimes"] == 1
    del rt, loaded, x
    gc.collect()
    assert object_counts()["runtimes"] == 1  # the handles keep it alive
    del handles
    gc.collect()
    counts = object_counts()
    assert not any(counts.values()), counts


def find_by_address(arch: ArchName, module: str) -> None:
    """Find the kernel of a module that `capi` loaded from an integer address."""
    runtime = capi.create_runtime(capi.TiArch[f"TI_ARCH_{arch.upper()}"], 0)
    loaded = capi.load_aot_module(runtime, module)
    address = int(capi.get_aot_module_kernel(loaded, "saxpy"))
    gc.collect()
    assert_raises(TypeError, lambda: capi.launch_kernel(runtime, capi.TiKernel(address), []), match="saxpy")
    capi.destroy_aot_module(loaded)
    capi.destroy_runtime(runtime)
