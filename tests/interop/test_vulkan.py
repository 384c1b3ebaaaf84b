"""Devices and buffers shared with a Vulkan application, in both directions."""

import ctypes
import dataclasses
import gc
import itertools
import os
import sys
import warnings
import weakref
from contextlib import nullcontext

import numpy as np
import pytest
from helpers.archs import needs_taichi, require
from helpers.child import in_child
from helpers.inside import has_lost_gpu_drivers, vulkan_functions
from helpers.memory import as_on_a_discrete_gpu
from helpers.objects import assert_nothing_left
from helpers.raising import assert_raises

import taichi_aot
from taichi_aot import (
    Arch,
    Capability,
    IncompatibleModuleError,
    MemoryUsage,
    NotSupportedError,
    Runtime,
    devices,
    library_path,
)
from taichi_aot.build import build
from taichi_aot.interop import vulkan as tv

vk = pytest.importorskip("vulkan")

from helpers import vulkan_application as app  # noqa: E402

pytestmark = pytest.mark.usefixtures("arch")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="depends on Linux paths or limits")
DATA = np.arange(100, dtype=np.float32)


@pytest.fixture
def arch():
    require("vulkan")
    return Arch.VULKAN


@pytest.fixture
def device():
    return app.Device()


@pytest.fixture
def imported(device):
    with tv.import_runtime(device.info(), owner=device) as runtime:
        yield runtime


# Runtimes.


def test_exported_device_is_the_one_in_use(rt):
    device = app.Device.of(tv.export_runtime(rt))
    name = app.vk.vkGetPhysicalDeviceProperties(device.physical_device).deviceName
    assert name in [found.name for found in taichi_aot.devices() if found.arch is Arch.VULKAN]


@pytest.mark.parametrize("is_discrete", [False, True], ids=["unified", "discrete"])
@pytest.mark.parametrize("flag", ["VERTEX", "INDEX", "UNIFORM"])
def test_renderer_binds_what_a_kernel_wrote(rt, module, flag, is_discrete):
    usage = getattr(app.vk, f"VK_BUFFER_USAGE_{flag}_BUFFER_BIT")
    with as_on_a_discrete_gpu(rt) if is_discrete else nullcontext():
        x, y = rt.full(100, 2.0, usage=MemoryUsage[flag]), rt.zeros(100, usage=MemoryUsage.STORAGE | MemoryUsage[flag])
    module.kernels["saxpy"](3.0, x, y)
    for array, value in ((x, 2), (y, 6)):
        info = tv.export_memory(array)
        assert info.usage & (app.USAGE | usage) == app.USAGE | usage
        device = app.Device.of(tv.export_runtime(rt))
        target = app.Buffer(device, info.size)
        device.record(lambda commands, info=info: bind(app.vk, commands, info.buffer, flag))
        device.copy(app.vk.ffi.cast("VkBuffer", info.buffer), target.buffer, info.size)
        assert np.frombuffer(target.read(), np.float32).tolist() == [value] * 100
    assert not tv.export_memory(rt.zeros(100)).usage & usage


def bind(vk, commands, buffer, flag):
    buffer = vk.ffi.cast("VkBuffer", buffer)
    if flag == "VERTEX":
        vk.vkCmdBindVertexBuffers(commands, 0, 1, [buffer], [0])
    elif flag == "INDEX":
        vk.vkCmdBindIndexBuffer(commands, buffer, 0, vk.VK_INDEX_TYPE_UINT32)


@pytest.mark.parametrize("change", [{"offset": 2**40}, {"offset": 64}, {"memory": 64}])
def test_exported_buffer_stays_where_it_is(rt, change):
    """The host would map memory that is not the buffer's."""
    memory = rt.allocate(DATA.nbytes, host_read=True, host_write=True)
    info = tv.export_memory(memory)
    with pytest.raises(ValueError, match=r"^the buffer is at byte \d+ of memory 0x\w+, not at byte "):
        tv.import_memory(rt, dataclasses.replace(info, **change), host_read=True)
    with tv.import_memory(rt, info, host_read=True) as imported:
        assert len(imported.read()) == DATA.nbytes


def test_application_maps_exported_memory(rt, module):
    device = app.Device.of(tv.export_runtime(rt))
    memory = rt.allocate(DATA.nbytes, host_read=True, host_write=True, export_sharing=True)
    memory.write(DATA)
    info = tv.export_memory(memory)
    assert info.offset == 0
    vk_memory = app.vk.ffi.cast("VkDeviceMemory", info.memory)
    assert bytes(app.vk.vkMapMemory(device.device, vk_memory, info.offset, info.size, 0)) == DATA.tobytes()
    app.vk.vkUnmapMemory(device.device, vk_memory)


@linux_only
def test_another_device_takes_shared_arrays():
    extensions = {"device_extensions": ["VK_KHR_external_memory_fd"]}
    with tv.create_runtime(**extensions) as rt, tv.create_runtime(**extensions) as other:
        ours, theirs = (app.Device.of(tv.export_runtime(runtime)) for runtime in (rt, other))
        x = rt.empty(100, export_sharing=True)
        x.write(DATA)
        y = rt.asarray(DATA + 1, export_sharing=True, usage=MemoryUsage.VERTEX)
        z, two = rt.zeros(100, export_sharing=True), rt.full(100, 2.0, export_sharing=True)
        for array in (x, y, z, two):
            info = tv.export_memory(array)
            assert info.offset == 0  # its memory contains no other array
            buffer = app.SharedBuffer(theirs, info.size, ours.file_descriptor(info.memory))
            with tv.import_ndarray(other, buffer.info(memory=0), 100, np.float32) as found:
                np.testing.assert_array_equal(found.to_numpy(), array.to_numpy())
            del buffer  # before its device


def test_application_uses_its_device_after_close(device):
    for _ in range(3):
        with tv.import_runtime(device.info()) as runtime:
            assert tv.export_runtime(runtime).device == device.info().device
            runtime.asarray(DATA)
        source, target = app.Buffer(device, 400), app.Buffer(device, 400)
        source.write(DATA.tobytes())
        device.copy(source.buffer, target.buffer, 400)
        assert target.read() == DATA.tobytes()


def test_exported_device_can_be_imported(rt, modules):
    array = rt.asarray(DATA)
    with tv.import_runtime(tv.export_runtime(rt), capabilities=rt.capabilities) as other:
        assert other.capabilities == rt.capabilities
        y = tv.import_ndarray(other, tv.export_memory(array), 100, "f32", owner=array)
        x = other.full(100, 1.0, "f32")
        other.load_module(modules / "basic.tcm").kernels["saxpy"](5.0, x, y)
        other.wait()
    np.testing.assert_array_equal(array.to_numpy(), DATA + 5)


def test_vulkan_1_0_device_can_be_imported(modules):
    device = app.Device(app.VERSION_1_0)
    with tv.import_runtime(device.info()) as runtime:
        assert runtime.capabilities == {Capability.SPIRV_VERSION: 0x10000}
        with pytest.raises(IncompatibleModuleError, match=r"SPIR-V 1\.3"):
            runtime.load_module(modules / "basic.tcm")
        assert runtime.asarray(DATA).to_numpy()[-1] == 99


def test_modules_are_checked_against_the_given_capabilities(modules):
    device = app.Device(shaderInt64=1, shaderFloat64=1, shaderInt16=1)
    with tv.import_runtime(device.info()) as runtime, pytest.raises(IncompatibleModuleError, match="spirv_has_float64"):
        runtime.load_module(modules / "table.tcm")
    level = dict.fromkeys(Capability, 1)
    del level[Capability.SPIRV_VERSION], level[Capability.SPIRV_HAS_PHYSICAL_STORAGE_BUFFER]
    with tv.import_runtime(device.info(), capabilities=level) as runtime:
        assert runtime.capabilities[Capability.SPIRV_VERSION] == 0x10500
        runtime.load_module(modules / "table.tcm")
    for bad in ({99: 1}, {Capability.SPIRV_VERSION: -1}):
        with pytest.raises(ValueError, match=r"not a valid Capability|out of range"):
            tv.import_runtime(device.info(), capabilities=bad)


def test_runtime_enables_extensions(modules):
    extensions = {
        "instance_extensions": ["VK_KHR_surface", "VK_KHR_display"],
        "device_extensions": ("VK_KHR_external_memory_fd",),
    }
    with tv.create_runtime(**extensions) as runtime:
        info = tv.export_runtime(runtime)
        get = app.vk.lib.vkGetDeviceProcAddr
        name = app.vk.ffi.new("char[]", b"vkGetMemoryFdKHR")
        assert get(app.vk.ffi.cast("VkDevice", info.device), name)
        x, y = runtime.asarray(DATA), runtime.asarray(DATA)
        runtime.load_module(modules / "basic.tcm").kernels["saxpy"](1.0, x, y)
        np.testing.assert_array_equal(y.to_numpy(), 2 * DATA)
    with tv.create_runtime() as runtime:
        assert runtime.device_index == 0


@linux_only
@pytest.mark.usefixtures("lavapipe_twice")
@in_child
def test_second_device_enables_extensions():
    assert len([device for device in devices() if device.arch.name == "VULKAN"]) == 2
    for index in (1, 0, 1):
        with tv.create_runtime(index) as created:
            assert created.device_index == index
            with tv.import_runtime(tv.export_runtime(created)) as runtime:
                assert runtime.device_index == index
        Runtime("vulkan", 1 - index).close()


# Memory.


@pytest.mark.parametrize("offset", [0, 4096])
def test_kernel_writes_a_buffer_of_the_application(imported, device, modules, offset):
    buffer = app.Buffer(device, 400, offset=offset)
    buffer.write(DATA.tobytes())
    y = tv.import_ndarray(imported, buffer.info(), 100, np.float32, owner=buffer)
    x = imported.full(100, 1.0, "f32")
    imported.load_module(modules / "basic.tcm").kernels["saxpy"](3.0, x, y)
    imported.wait()
    np.testing.assert_array_equal(np.frombuffer(buffer.read(), np.float32), DATA + 3)
    np.testing.assert_array_equal(y.to_numpy(), DATA + 3)
    with y.map() as view:  # a copy
        view[:] = 7
    imported.wait()
    assert buffer.read() == np.full(100, 7, np.float32).tobytes()
    y.close()
    assert buffer.read() == np.full(100, 7, np.float32).tobytes()


FOLLOWED = """
import taichi as ti

F = ti.types.ndarray(dtype=ti.f32, ndim=1)


@ti.kernel
def followed(x: F, t: F, y: F, z: F):
    for i in range(1):
        t[0] += x[i]
        z[i] = y[0]
"""


@needs_taichi
def test_two_buffers_of_the_application_with_one_memory(imported, device, tmp_path):
    """A loop that reads by one buffer what it adds to the other one."""
    (tmp_path / "followed.py").write_text(FOLLOWED)
    build(tmp_path / "followed.py", tmp_path / "followed.tib", archs=["vulkan"], all_kernels=True)
    buffer = app.Buffer(device, 400)
    buffer.write(DATA.tobytes())
    info = app.vk.VkBufferCreateInfo(size=400, usage=buffer.usage, sharingMode=app.vk.VK_SHARING_MODE_EXCLUSIVE)
    second = app.vk.vkCreateBuffer(device.device, info, None)
    app.vk.vkBindBufferMemory(device.device, second, buffer.memory, 0)
    with (
        tv.import_ndarray(imported, buffer.info(), 100, np.float32) as t,
        tv.import_ndarray(imported, buffer.info(buffer=second), 100, np.float32) as y,
    ):
        z = imported.zeros(1, "f32")
        imported.load_module(tmp_path / "followed.tib").followed(imported.full(1, 5.0, "f32"), t, y, z)
        assert z.to_numpy() == DATA[0] + 5
    app.vk.vkDestroyBuffer(device.device, second, None)


@pytest.mark.parametrize("offset", [0, 4096])
def test_buffer_of_the_application_is_mapped(imported, device, offset):
    buffer = app.Buffer(device, 400, offset=offset)
    buffer.write(DATA.tobytes())
    memory = tv.import_memory(imported, buffer.info(), owner=buffer, host_read=True, host_write=True)
    assert memory.size == 400
    with memory.map() as view:
        assert view.tobytes() == DATA.tobytes()
        view[:4] = 255
    with pytest.raises(BufferError, match="live views"):
        memory.close()
    del view
    assert buffer.read() == b"\xff" * 4 + DATA.tobytes()[4:]
    memory.write(b"abcd", 8)
    assert memory.read(8, 4) == b"abcd"
    memory.close()
    with pytest.raises(ValueError, match="closed"):
        memory.read()
    assert buffer.read()[8:12] == b"abcd"


def test_unmappable_memory_can_be_imported(imported, device):
    buffer = app.Buffer(device, 400)
    memory = tv.import_memory(imported, buffer.info(memory=0, offset=0), owner=buffer)
    memory.write(DATA)
    assert memory.read() == DATA.tobytes()
    imported.wait()
    assert buffer.read() == DATA.tobytes()
    memory[:40].copy_from(memory[40:80])
    imported.wait()
    assert buffer.read()[:40] == DATA[10:20].tobytes()
    with pytest.raises(ValueError, match="not host-accessible"):
        memory.map()
    info = tv.export_memory(memory)
    assert (info.buffer, info.size, info.usage) == (buffer.info().buffer, 400, app.USAGE)


def test_arrays_can_share_one_buffer(imported, device):
    buffer = app.Buffer(device, 400)
    buffer.write(DATA.tobytes())
    array = tv.import_ndarray(imported, buffer.info(), (4, 8), "f32", elem_shape=3)
    np.testing.assert_array_equal(array.to_numpy(), DATA[:96].reshape(4, 8, 3))
    assert tv.import_ndarray(imported, buffer.info(), 0, "i32").to_numpy().size == 0
    with pytest.raises(ValueError, match="404 bytes, the buffer 400"):
        tv.import_ndarray(imported, buffer.info(), 101, "f32")


# Errors.


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instance": 0}, "the instance is null"),
        ({"physical_device": 0}, "the physical_device is null"),
        ({"device": 0}, "the device is null"),
        ({"compute_queue": 0}, "the compute_queue is null"),
        ({"physical_device": 64}, "does not belong to the instance"),
        ({"api_version": 0}, "not one of Vulkan"),
        ({"api_version": (1 << 22) - 1}, "not one of Vulkan"),
        ({"api_version": 1 << 22 | 5 << 12}, "not one of Vulkan"),
        ({"api_version": 2**32 - 1}, "not one of Vulkan"),
        ({"compute_queue_family_index": 99}, "out of range"),
        ({"graphics_queue": 64, "graphics_queue_family_index": 99}, "out of range"),
    ],
)
def test_invalid_runtime_info_is_rejected(device, change, message):
    with pytest.raises(ValueError, match=message):
        tv.import_runtime(device.info(**change))


def test_version_above_the_devices_is_rejected():
    if all(device.kind != "cpu" for device in taichi_aot.devices() if device.arch is Arch.VULKAN):
        pytest.skip("GPU drivers also export the functions of later versions")
    device = app.Device(app.VERSION_1_0)
    with pytest.raises(ValueError, match=r"created for a version below 1\.3"):
        tv.import_runtime(device.info(api_version=app.VERSION_1_3))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"buffer": 0}, "the buffer is null"),
        ({"size": 0}, "at least 1 byte"),
        ({"memory": 0}, "the memory is null"),
        ({"size": 1 << 20}, "the buffer has at most"),
        ({"usage": 32}, "created without usage TRANSFER_SRC and TRANSFER_DST"),
        ({"usage": 3}, "without usage STORAGE_BUFFER"),
    ],
)
def test_invalid_memory_info_is_rejected(imported, device, change, message):
    buffer = app.Buffer(device, 400)
    with pytest.raises(ValueError, match=message):
        tv.import_memory(imported, buffer.info(**change), host_read=True)


def test_handles_are_integers_or_cffi_handles(device):
    info = device.info()
    assert type(info.instance) is int
    assert info == device.info(instance=info.instance)
    for bad in ("0", 1.0, None, b"x"):
        with pytest.raises(TypeError, match="device must be an integer or a cffi handle"):
            device.info(device=bad)
    for field, bad in (("device", -1), ("device", 1 << 64), ("api_version", 1 << 32)):
        with pytest.raises(ValueError, match=f"{field} is out of range"):
            device.info(**{field: bad})


def test_wrong_types_are_rejected(imported, device):
    buffer = app.Buffer(device, 400)
    for call in (
        lambda: tv.export_runtime(device),
        lambda: tv.export_memory(buffer),
        lambda: tv.export_memory(imported),
        lambda: tv.import_runtime(buffer.info()),
        lambda: tv.import_memory(imported, device.info()),
        lambda: tv.import_memory(device, buffer.info()),
        lambda: tv.import_ndarray(imported, device.info(), 3, "f32"),
        lambda: tv.create_runtime(device_extensions="VK_KHR_swapchain"),
        lambda: tv.create_runtime(instance_extensions=[b"VK_KHR_surface"]),
    ):
        with pytest.raises(TypeError):
            call()
    for name in ("device_index", "api_version"):
        with pytest.raises(TypeError, match=f"{name} must be an integer, not float"):
            tv.create_runtime(**{name: 0.5})


def test_other_archs_are_rejected(device):
    buffer = app.Buffer(device, 400)
    with Runtime("x64") as rt:
        for call in (
            lambda: tv.export_runtime(rt),
            lambda: tv.export_memory(rt.allocate(4)),
            lambda: tv.export_memory(rt.zeros(4)),
            lambda: tv.import_memory(rt, buffer.info()),
            lambda: tv.import_ndarray(rt, buffer.info(), 1, "f32"),
        ):
            with pytest.raises(NotSupportedError, match="arch x64 cannot share with Vulkan"):
                call()


def test_closed_objects_are_rejected(device):
    buffer = app.Buffer(device, 400)
    rt = tv.import_runtime(device.info(), owner=device)
    memory, array = rt.allocate(4), rt.zeros(4)
    memory.close()
    with pytest.raises(ValueError, match="the memory is closed"):
        tv.export_memory(memory)
    rt.close()
    for call in (
        lambda: tv.export_runtime(rt),
        lambda: tv.export_memory(array),
        lambda: tv.import_memory(rt, buffer.info()),
        lambda: tv.import_ndarray(rt, buffer.info(), 1, "f32"),
    ):
        with pytest.raises(ValueError, match="the runtime is closed"):
            call()


def test_missing_extensions_and_versions_are_rejected(arch):
    for extensions in (
        {"device_extensions": ["VK_KHR_no_such_thing"]},
        {"instance_extensions": ["VK_KHR_no_such_thing"]},
        {"device_extensions": ["VK_KHR_swapchain\0"]},
        {"instance_extensions": ["VK_KHR_surface", ""]},
        {"device_extensions": ["VK_KHR_swäpchain"]},
    ):
        with pytest.raises(NotSupportedError, match="has no extension"):
            tv.create_runtime(**extensions)
    for version in (0, (1 << 22) - 1, -1, 1 << 29 | 1 << 22, 1 << 32):
        with pytest.raises(ValueError, match="not one of Vulkan"):
            tv.create_runtime(api_version=version)
    for index in (-1, 99):
        with pytest.raises(ValueError, match="device_index"):
            tv.create_runtime(index)


# In child processes, because these calls could crash.


events = []  # finalizers that ran


class Device(app.Device):
    def __del__(self):
        events.append("device")
        super().__del__()


class Buffer(app.Buffer):
    def __del__(self):
        events.append("buffer")
        super().__del__()


class Shared:
    """A runtime on the application's device, with two imports of one buffer and a launched kernel."""

    NAMES = ("rt", "array", "memory", "kernel", "x")

    def __init__(self, module):
        device = Device()
        self.rt = tv.import_runtime(device.info(), owner=device)
        buffer = Buffer(device, 400)
        buffer.write(bytes(400))
        self.array = tv.import_ndarray(self.rt, buffer.info(), 100, "f32", owner=buffer)
        self.memory = tv.import_memory(self.rt, buffer.info(), owner=buffer)
        self.kernel = self.rt.load_module(module).kernels["saxpy"]
        self.x = self.rt.full(100, 1.0, "f32")
        self.kernel(1.0, self.x, self.array)


def assert_events(*expected):
    assert events == list(expected), events


def use_what_a_fork_inherited(shared, module):
    assert_inherited_objects_are_closed(shared.rt, shared.memory, shared.array)
    del shared.rt, shared.memory, shared.array
    gc.collect()
    assert_events()
    if not has_lost_gpu_drivers():
        with Runtime("vulkan") as rt:
            assert rt.full(3, 2.0).to_numpy()[0] == 2
        Shared(module).rt.close()


def assert_inherited_objects_are_closed(rt, memory, array):
    info = tv.VulkanMemoryInfo(buffer=64, size=4, usage=35)
    assert [rt.closed, memory.closed, array.closed] == [True, True, True]
    assert_raises(
        ValueError,
        rt.wait,
        memory.read,
        array.to_numpy,
        lambda: tv.export_runtime(rt),
        lambda: tv.export_memory(memory),
        lambda: tv.export_memory(array),
        lambda: tv.import_memory(rt, info),
    )
    rt.close()
    memory.close()


def import_on_the_same_runtime():
    rt = Runtime("vulkan")
    array = rt.full(100, 1.0, "f32")
    return rt, array, tv.import_ndarray(rt, tv.export_memory(array), 100, "f32")


def import_on_another_runtime():
    rt = Runtime("vulkan")
    array = rt.full(100, 1.0, "f32")
    other = tv.import_runtime(tv.export_runtime(rt))
    return rt, array, tv.import_ndarray(other, tv.export_memory(array), 100, "f32")


IMPORTS = (import_on_the_same_runtime, import_on_another_runtime)


def use_up_file_descriptors():
    """Open files until the limit is reached."""
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    files = []
    try:
        while True:
            files.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        return files


def free_some(files):
    """Close enough files for a driver to create a runtime."""
    for file in files[-64:]:
        os.close(file)


@in_child
def test_shared_objects_are_dropped_in_any_order(basic):
    for order in itertools.islice(itertools.permutations(Shared.NAMES), 0, None, 7):
        events.clear()
        shared = Shared(basic)
        for name in order:
            assert "device" not in events
            delattr(shared, name)
        gc.collect()
        assert_events("buffer", "device")
    del shared
    assert_nothing_left()


@in_child
def test_shared_objects_are_closed_in_any_order(basic):
    for order in itertools.permutations(("rt", "memory", "array")):
        events.clear()
        shared = Shared(basic)
        for name in order:
            getattr(shared, name).close()
            getattr(shared, name).close()
        assert_events("buffer", "device")


@in_child
def test_shared_objects_are_closed_with_a_view(basic):
    shared = Shared(basic)
    buffer = Buffer(app.Device.of(tv.export_runtime(shared.rt)), 400)
    memory = tv.import_memory(shared.rt, buffer.info(), owner=buffer, host_read=True)
    with memory.map() as view:
        part = view[:4]
    del view, buffer
    shared.rt.close()
    del shared, memory
    gc.collect()
    assert_events("buffer")  # the import that is not mapped
    part.sum()
    del part
    gc.collect()
    assert_events("buffer", "buffer", "device")


@in_child
def test_finalizer_uses_the_imported_runtime(basic):
    class Owner(Buffer):
        def __del__(self):
            runtime = reference()
            assert runtime is not None
            runtime.wait()
            runtime.zeros(3).close()
            super().__del__()

    shared = Shared(basic)
    reference = weakref.ref(shared.rt)
    owner = Owner(app.Device.of(tv.export_runtime(shared.rt)), 400)
    memory = tv.import_memory(shared.rt, owner.info(), owner=owner)
    array = tv.import_ndarray(shared.rt, owner.info(), 1, "f32", owner=owner)
    del owner
    memory.close()
    shared.kernel(1.0, array, array)
    del array
    assert_events("buffer")


@in_child
def test_process_exits_with_owners_in_globals(basic):
    device = app.Device()
    rt = tv.import_runtime(device.info(), owner=device)
    buffer = app.Buffer(device, 400)
    array = tv.import_ndarray(rt, buffer.info(), 100, "f32", owner=buffer)
    rt.load_module(basic).kernels["saxpy"](1.0, array, array)
    globals().update(device=device, rt=rt, buffer=buffer, array=array)


@in_child
def test_owners_are_dropped_while_shared(basic):
    shared = Shared(basic)
    rt, array = shared.rt, shared.array
    other = tv.import_runtime(tv.export_runtime(rt), owner=rt)
    same = tv.import_ndarray(other, tv.export_memory(array), 100, "f32", owner=array)
    del rt, array, shared
    gc.collect()
    assert_events()
    assert same.to_numpy()[0] == 1
    other.close()
    gc.collect()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform has no fork")
@in_child
def test_forked_child_refuses_shared_objects(basic):
    warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
    shared = Shared(basic)
    shared.rt.wait()
    pid = os.fork()
    if pid == 0:
        use_what_a_fork_inherited(shared, basic)
        sys.exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    assert shared.array.to_numpy()[0] == 1


@in_child
def test_exported_device_is_imported_twice():
    for order in itertools.permutations(("first", "second", "third")):
        first = Runtime("vulkan")
        second = tv.import_runtime(tv.export_runtime(first))
        third = tv.import_runtime(tv.export_runtime(second))
        runtimes = {"first": first, "second": second, "third": third}
        arrays = {name: runtime.full(100, 1.0, "f32") for name, runtime in runtimes.items()}
        del first, second, third
        for name in order:
            for array in arrays.values():
                assert array.to_numpy()[0] == 1
            runtimes.pop(name).close()
            del arrays[name], array
        assert_nothing_left()


@in_child
def test_device_is_exported_again_after_its_runtime_is_closed():
    first = Runtime("vulkan")
    second = tv.import_runtime(tv.export_runtime(first))
    first.close()
    info = tv.export_runtime(second)
    third = tv.import_runtime(info)
    second.close()
    fourth = tv.import_runtime(info)  # the third runtime keeps the device
    third.close()
    assert fourth.full(100, 1.0).to_numpy()[0] == 1
    fourth.close()
    assert_raises(ValueError, lambda: tv.import_runtime(info), match="is closed")
    assert_nothing_left()


@in_child
def test_device_of_a_closed_import_is_imported():
    device = Device()
    runtime = tv.import_runtime(device.info())
    info = tv.export_runtime(runtime)
    runtime.close()
    with tv.import_runtime(info, owner=device) as again:  # the device belongs to the application
        assert again.full(3, 1.0).to_numpy()[0] == 1


@in_child
def test_array_whose_buffer_is_imported_cannot_be_closed():
    for make in IMPORTS:
        rt, array, imported = make()
        assert_raises(BufferError, array.close)
        rt.full(100, 3.0, "f32").close()
        assert imported.to_numpy()[99] == 1
        imported.close()
        array.close()
        rt.close()
    del rt, array, imported
    assert_nothing_left()


@in_child
def test_array_whose_buffer_is_imported_may_be_dropped():
    for make in IMPORTS:
        rt, array, imported = make()
        del array
        gc.collect()
        others = [rt.full(100, 3.0, "f32") for _ in range(10)]
        assert imported.to_numpy()[99] == 1
        del others, imported
        rt.close()
    del rt
    assert_nothing_left()


@in_child
def test_runtime_of_an_imported_buffer_is_closed():
    for make in IMPORTS:
        rt, array, imported = make()
        rt.close()
        assert array.closed
        del array
        gc.collect()
        if imported.closed:
            assert_raises(ValueError, imported.to_numpy, match="closed")
        else:
            assert imported.to_numpy()[99] == 1
            imported.fill(2)
            assert imported.to_numpy()[99] == 2
    del rt, imported
    assert_nothing_left()


@in_child
def test_buffer_is_imported_by_its_numbers():
    rt = Runtime("vulkan")
    array = rt.full(100, 1.0, "f32")
    exported = tv.export_memory(array)
    numbers = {name: getattr(exported, name) for name in ("buffer", "size", "usage", "memory", "offset")}
    imported = tv.import_ndarray(rt, tv.VulkanMemoryInfo(**numbers), 100, "f32")
    again = tv.import_ndarray(rt, tv.export_memory(imported), 100, "f32")
    imported.close()
    assert_raises(BufferError, array.close)
    assert again.to_numpy()[99] == 1
    again.close()
    array.close()
    assert_raises(ValueError, lambda: tv.import_memory(rt, exported), match="is closed")


@pytest.mark.slow
@in_child
def test_budget_of_the_driver_is_the_free_memory():
    """Import a device whose driver states budgets: those of the heaps on the device are free memory."""
    instance_function = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
    real = instance_function(vulkan_functions())

    def list_extensions(_device, _layer, count, properties):
        count[0] = 2
        if properties:
            array = vk.ffi.cast("VkExtensionProperties *", properties)
            array[0].extensionName, array[1].extensionName = b"VK_KHR_swapchain", b"VK_EXT_memory_budget"
        return 0

    def list_heaps(_device, out):
        properties = vk.ffi.cast("VkPhysicalDeviceMemoryProperties2 *", out)
        budget = vk.ffi.cast("VkPhysicalDeviceMemoryBudgetPropertiesEXT *", properties.pNext)
        assert budget.sType == vk.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT
        # Size, flags, budget, usage: on the device, of the host, on the device, and with more in use than the budget.
        heaps = [(100, 1, 90, 20), (1000, 0, 900, 1), (10, 1, 10, 4), (7, 1, 1, 3)]
        memory = properties.memoryProperties
        memory.memoryHeapCount = len(heaps)
        for i, heap in enumerate(heaps):
            memory.memoryHeaps[i].size, memory.memoryHeaps[i].flags, budget.heapBudget[i], budget.heapUsage[i] = heap

    counter = ctypes.POINTER(ctypes.c_uint32)
    pretended = {
        b"vkEnumerateDeviceExtensionProperties": ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, counter, ctypes.c_void_p
        )(list_extensions),
        b"vkGetPhysicalDeviceMemoryProperties2": ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(list_heaps),
    }
    is_pretending = False  # the library allocates by the real numbers

    def get(instance, name):
        if is_pretending and name in pretended:
            return ctypes.cast(pretended[name], ctypes.c_void_p).value
        function = real(instance, name)
        return function

    callback, device = instance_function(get), Device()
    address = ctypes.cast(callback, ctypes.c_void_p).value or 0
    with tv.import_runtime(device.info(get_instance_proc_addr=address), owner=(device, callback)) as rt:
        is_pretending = True
        assert rt.memory_info()[2:] == (76, 117), rt.memory_info()


@linux_only
@in_child
def test_runtime_without_file_descriptors_raises_oserror():
    is_software = all(device.kind == "cpu" for device in devices() if device.arch is Arch.VULKAN)
    rt = Runtime("vulkan")
    x = rt.full(3, 1.0)
    rt.wait()
    calls = [
        lambda: Runtime("vulkan"),
        lambda: Runtime(),
        tv.create_runtime,
        lambda: tv.import_runtime(tv.export_runtime(rt)),
        devices,
    ]
    files = use_up_file_descriptors()
    assert_raises(OSError, *calls, match="the limit of open files is reached")
    if is_software:  # GPU drivers need a descriptor per wait
        assert x.to_numpy().tolist() == [1, 1, 1]
        assert rt.full(1000, 2.0).to_numpy().tolist() == [2] * 1000
    free_some(files)
    with Runtime("vulkan") as again:
        assert again.full(3, 1.0).to_numpy()[0] == 1


@pytest.mark.usefixtures("c_library")
@linux_only
@in_child
def test_start_without_file_descriptors_raises_oserror():
    library_path()
    files = use_up_file_descriptors()
    assert_raises(OSError, devices, lambda: Runtime("vulkan"), match="the limit of open files is reached")
    free_some(files)
    Runtime("vulkan").close()
