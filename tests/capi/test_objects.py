"""Objects made from C-API handles, in child processes: a double or early free would crash the process."""

import ctypes
import gc
import os
import zipfile

import numpy as np
import pytest
from helpers.archs import on_vulkan, require
from helpers.capi_arguments import array, f32
from helpers.child import in_child
from helpers.objects import assert_nothing_left
from helpers.raising import assert_raises
from scenarios.another_binding import Binding, own_a_module

from taichi_aot import (
    AotModule,
    Arch,
    Capability,
    Image,
    IncompatibleModuleError,
    Memory,
    NotSupportedError,
    Runtime,
    capi,
    object_counts,
)

# Another binding that creates OpenGL runtimes must set this itself. The library reports the calls that find its arch.
beside_another_binding = in_child(env={"EGL_PLATFORM": "surfaceless"}, quiet=False)
kept = []  # until the interpreter exits


@pytest.fixture
def ownable(arch):
    """An arch whose runtimes can be owned."""
    if arch is Arch.CUDA:
        pytest.skip("runtimes of CUDA cannot be owned")
    return arch


def _raises(errors, match, *calls):
    assert_raises(errors, *calls, match=match)


@beside_another_binding
def test_objects_borrow_from_another_binding(arch, basic):
    binding = Binding(arch)
    handle = capi.TiRuntime(binding.runtime)
    _raises(TypeError, "expected a TiRuntime", lambda: Runtime.from_handle(binding.runtime))
    _raises(ValueError, "is null", lambda: Runtime.from_handle(capi.TiRuntime()))
    with Runtime.from_handle(handle) as rt:
        assert (rt.arch, int(rt.handle)) == (arch, binding.runtime)
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
        rt.load_module(basic).kernels["saxpy"](2.0, x, y)
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


@beside_another_binding
def test_objects_own_handles_of_another_binding(ownable):
    binding = Binding(ownable)
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


@in_child(quiet=False)
def test_objects_and_functions_share_handles(arch, modules):
    """Use objects of `capi` through Python objects and vice versa; only the owner frees each."""
    basic = modules / "basic"
    handle = capi.create_runtime(capi.TiArch(arch.value), 0)
    info = capi.TiMemoryAllocateInfo(size=64, host_read=True, host_write=True, usage=1)
    memory = capi.allocate_memory(handle, info)
    rt = Runtime.from_handle(handle)
    borrowed = Memory.from_handle(rt, memory, 64)
    borrowed.fill(0)
    x = borrowed.ndarray(16, "f32")
    x.fill(2)
    with AotModule.from_handle(rt, capi.load_aot_module(handle, str(basic)), basic) as loaded:
        saxpy = loaded.kernels["saxpy"]
        y = rt.zeros(16, "f32")
        saxpy(3.0, x, y)
        assert y.to_numpy().tolist() == [6.0] * 16
    _raises(ValueError, "closed", lambda: saxpy(3.0, x, y))
    module_handle = capi.load_aot_module(handle, str(basic))
    loaded = AotModule.from_handle(rt, module_handle, basic)
    saxpy = loaded.kernels["saxpy"]
    saxpy(1.0, x, y)
    launch, kernel = saxpy.bind(1.0, x, y), saxpy.handle
    capi.destroy_aot_module(module_handle)
    assert loaded.closed
    arguments = f32(0), array(borrowed, 16), array(borrowed, 16)
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
    for use in (rt.wait, lambda: rt.handle, lambda: rt.allocate(4), lambda: rt.load_module(basic)):
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


@in_child
def test_functions_take_handles_of_objects(arch, basic):
    """Pass handles of objects to `capi`, which refuses them once the objects are closed."""
    rt = Runtime(arch)
    memory = rt.allocate(64, host_read=True, host_write=True)
    loaded = rt.load_module(basic)
    kernel, graph = loaded.kernels["saxpy"].handle, loaded.graphs["twice"].handle
    assert (kernel, graph) == (loaded.kernels["saxpy"].handle, loaded.graphs["twice"].handle)
    assert capi.get_aot_module_kernel(loaded.handle, "saxpy") == kernel
    address = capi.map_memory(rt.handle, memory.handle)
    ctypes.memset(address, 7, 64)
    capi.unmap_memory(rt.handle, memory.handle)
    assert memory.read(0, 2) == b"\7\7"
    memory.write(np.full(16, 2, np.float32))
    capi.launch_kernel(rt.handle, kernel, [f32(0.5), array(memory, 16), array(memory, 16)])
    capi.wait(rt.handle)
    assert np.frombuffer(memory.read(), np.float32).tolist() == [3.0] * 16
    runtime_handle, memory_handle, module_handle = rt.handle, memory.handle, loaded.handle
    again = rt.load_module(basic)
    capi.destroy_aot_module(again.handle)  # closes only this object: other loads share the module
    assert again.closed
    assert not loaded.closed
    memory.close()
    assert_raises(ValueError, lambda: capi.map_memory(runtime_handle, memory_handle))
    _raises(ValueError, "closed", lambda: memory.handle)
    loaded.close()
    assert_raises(ValueError, lambda: capi.get_aot_module_kernel(module_handle, "saxpy"))
    for use in (lambda: loaded.handle, lambda: loaded.kernels["saxpy"].handle):
        _raises(ValueError, "closed", use)
    rt.close()
    _raises(ValueError, "closed", lambda: rt.handle)
    assert_raises(ValueError, lambda: capi.wait(runtime_handle))


@in_child
def test_handles_keep_their_objects_alive(arch, basic):
    """Handles keep their objects alive; once dropped, they keep nothing."""
    rt = Runtime(arch)
    loaded, x = rt.load_module(basic), rt.zeros(10)
    handles = [rt.handle, x.memory.handle, loaded.handle, loaded.kernels["saxpy"].handle, loaded.graphs["twice"].handle]
    if arch is Arch.VULKAN:
        handles.append(rt.allocate_image((4, 4), "rgba8").handle)
    handles.append(capi.get_aot_module_kernel(loaded.handle, "saxpy"))
    assert object_counts()["runtimes"] == 1
    del rt, loaded, x
    gc.collect()
    assert object_counts()["runtimes"] == 1  # the handles keep it alive
    del handles
    assert_nothing_left()


@on_vulkan
@in_child
def test_functions_take_handles_of_images(arch):
    rt = Runtime(arch)
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


@beside_another_binding
def test_foreign_module_is_destroyed_with_the_runtime(ownable, modules):
    own_a_module(ownable, modules / "basic")


@beside_another_binding
def test_forked_child_drops_inherited_objects(ownable):
    """A child drops inherited objects, whoever owns them."""
    binding = Binding(ownable)
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


@beside_another_binding
def test_process_ends_with_open_objects(ownable, basic):
    """Exit with open objects of every kind over handles of every kind."""
    binding = Binding(ownable)
    rt = Runtime.from_handle(capi.TiRuntime(binding.runtime), owned=True)
    memory = Memory.from_handle(rt, capi.TiMemory(binding.allocate(64)), 64, host_read=True)
    loaded = rt.load_module(basic)
    with memory.map() as view:
        kept.extend([rt, memory, loaded, AotModule.from_handle(rt, loaded.handle, basic), view])


def test_wrong_handles_raise(rt, module, modules):
    memory = rt.allocate(16)
    saxpy = module.kernels["saxpy"]
    for call in (
        lambda: Runtime.from_handle(memory.handle),
        lambda: Memory.from_handle(rt, rt.handle, 16),
        lambda: Memory.from_handle(rt, int(memory.handle), 16),
        lambda: Memory.from_handle(rt.handle, memory.handle, 16),
        lambda: Memory.from_handle(rt, memory.handle, "16"),
        lambda: AotModule.from_handle(rt, saxpy.handle, modules / "basic.tcm"),
    ):
        with pytest.raises(TypeError):
            call()
    for refused in (
        lambda: Memory.from_handle(rt, capi.TiMemory(), 16),
        lambda: Memory.from_handle(rt, memory.handle, 17),
        lambda: Memory.from_handle(rt, memory.handle, -1),
        lambda: AotModule.from_handle(rt, capi.TiAotModule(), modules / "basic.tcm"),
        lambda: AotModule.from_handle(rt, module.handle, modules / "basic.tcm", owned=True),
        lambda: Memory.from_handle(rt, memory.handle, 16, owned=True),
        lambda: Runtime.from_handle(rt.handle, owned=True),
    ):
        with pytest.raises(ValueError, match=r"null|size|belongs"):
            refused()


def test_memory_of_another_runtime_is_refused(arch, rt):
    with Runtime(arch) as other:
        memory = other.allocate(16)
        with pytest.raises(ValueError, match="belongs to another runtime"):
            Memory.from_handle(rt, memory.handle, 16)


def test_kernel_that_returns_a_value_has_no_handle(rt, modules, tmp_path):
    path = modules / "returns.tcm"
    zipfile.ZipFile(path).extractall(tmp_path)
    module = rt.load_module(path)
    name = next(name for name, kernel in module.info.kernels.items() if kernel.return_dtype is not None)
    with pytest.raises(NotSupportedError, match=name):
        _ = module.kernels[name].handle
    plain = AotModule.from_handle(rt, capi.load_aot_module(rt.handle, str(tmp_path)), path)
    with pytest.raises(NotSupportedError, match=name):
        plain.kernels[name]


def test_capabilities_of_an_open_runtime_can_be_changed(arch, modules):
    with Runtime(arch) as rt:
        before = dict(rt.capabilities)
        if arch.is_llvm:
            with pytest.raises(NotSupportedError, match="no capabilities"):
                rt.set_capabilities({})
            return
        rt.set_capabilities({Capability.SPIRV_VERSION: 0x10000})
        assert rt.capabilities == {Capability.SPIRV_VERSION: 0x10000}
        with pytest.raises(IncompatibleModuleError):
            rt.load_module(modules / "basic.tcm")
        rt.set_capabilities(before)
        assert rt.capabilities == before
        assert rt.load_module(modules / "basic.tcm").kernels
        if arch is Arch.OPENGL:
            with pytest.raises(NotSupportedError, match="no addresses"):
                rt.set_capabilities({**before, Capability.SPIRV_HAS_PHYSICAL_STORAGE_BUFFER: 1})
        for levels in ({Capability.SPIRV_VERSION: -1}, {Capability.SPIRV_VERSION: 1 << 32}, {12345: 1}):
            with pytest.raises(ValueError, match=r"out of range|12345"):
                rt.set_capabilities(levels)
        for wrong in ([Capability.SPIRV_VERSION], {Capability.SPIRV_VERSION: "1"}):
            with pytest.raises(TypeError):
                rt.set_capabilities(wrong)
        assert rt.capabilities == before
    with pytest.raises(ValueError, match="closed"):
        rt.set_capabilities(before)


def test_current_stream_is_that_of_the_innermost_context(arch, rt):
    if arch is not Arch.CUDA:
        with pytest.raises(NotSupportedError, match="no streams"):
            _ = rt.current_stream
        return
    assert rt.current_stream == 0
    with rt.stream(2):  # the per-thread default stream
        assert rt.current_stream == 2
        with rt.stream(1):
            assert rt.current_stream == 1
        assert rt.current_stream == 2
    assert rt.current_stream == 0


@in_child
def test_opengl_runtime_and_memory_are_exported():
    """Export the context's functions and the buffer of a `Memory`."""
    require("opengl")
    rt = Runtime("opengl")
    memory = rt.allocate(64)
    assert capi.export_opengl_runtime(rt.handle).get_proc_addr
    info = capi.export_opengl_memory(rt.handle, memory.handle)
    assert (info.buffer > 0, info.size) == (True, 64)
    rt.close()
