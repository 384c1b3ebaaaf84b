"""Devices and buffers shared with an application of Vulkan, both ways; `vulkan_application` is that application."""

import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.archs import need

import taichi_aot
from taichi_aot import Arch, Capability, IncompatibleModuleError, NotSupportedError, Runtime
from taichi_aot.interop import vulkan as tv

DATA = np.arange(100, dtype=np.float32)


@pytest.fixture
def arch(available):
    if Arch.VULKAN not in available:
        need("vulkan", "no such device on this machine")
    return Arch.VULKAN


@pytest.fixture
def app(arch):
    pytest.importorskip("vulkan")
    from helpers import vulkan_application

    return vulkan_application


@pytest.fixture
def device(app):
    return app.Device()


@pytest.fixture
def imported(device):
    with tv.import_runtime(device.info(), owner=device) as runtime:
        yield runtime


# Runtimes.


def test_an_exported_device_is_the_one_in_use(rt, app):
    device = app.Device.of(tv.export_runtime(rt))
    name = app.vk.vkGetPhysicalDeviceProperties(device.physical_device).deviceName
    assert name in [found.name for found in taichi_aot.devices() if found.arch is Arch.VULKAN]


def test_an_exported_buffer_is_copied_by_the_application(rt, app):
    device = app.Device.of(tv.export_runtime(rt))
    array = rt.asarray(DATA)
    info = tv.export_memory(array)
    assert info.size == DATA.nbytes
    assert info.usage & app.USAGE == app.USAGE
    target = app.Buffer(device, info.size)
    rt.wait()
    device.copy(app.vk.ffi.cast("VkBuffer", info.buffer), target.buffer, info.size)
    assert target.read() == DATA.tobytes()


def test_exported_memory_of_its_own_is_mapped_by_the_application(rt, app, module):
    device = app.Device.of(tv.export_runtime(rt))
    memory = rt.allocate(DATA.nbytes, host_read=True, host_write=True, export_sharing=True)
    memory.write(DATA)
    info = tv.export_memory(memory)
    assert info.offset == 0
    vk_memory = app.vk.ffi.cast("VkDeviceMemory", info.memory)
    assert bytes(app.vk.vkMapMemory(device.device, vk_memory, info.offset, info.size, 0)) == DATA.tobytes()
    app.vk.vkUnmapMemory(device.device, vk_memory)


def test_a_module_runs_on_a_device_of_the_application(imported, modules):
    assert imported.arch is Arch.VULKAN
    module = imported.load_module(modules / "basic.tcm")
    x, y = imported.asarray(DATA), imported.full(100, 1.0, "f32")
    module.kernels["saxpy"](2.0, x, y)
    module.graphs["twice"](2.0, x, y)
    np.testing.assert_array_equal(y.to_numpy(), 1 + 6 * DATA)


def test_the_application_can_use_its_device_after_the_runtime_is_closed(device, app):
    for _ in range(3):
        with tv.import_runtime(device.info()) as runtime:
            assert tv.export_runtime(runtime).device == device.info().device
            runtime.asarray(DATA)
        source, target = app.Buffer(device, 400), app.Buffer(device, 400)
        source.write(DATA.tobytes())
        device.copy(source.buffer, target.buffer, 400)
        assert target.read() == DATA.tobytes()


def test_a_device_that_was_exported_can_be_imported(rt, modules):
    array = rt.asarray(DATA)
    with tv.import_runtime(tv.export_runtime(rt), capabilities=rt.capabilities) as other:
        assert other.capabilities == rt.capabilities
        y = tv.import_ndarray(other, tv.export_memory(array), 100, "f32", owner=array)
        x = other.full(100, 1.0, "f32")
        other.load_module(modules / "basic.tcm").kernels["saxpy"](5.0, x, y)
        other.wait()
    np.testing.assert_array_equal(array.to_numpy(), DATA + 5)


def test_an_imported_device_of_version_1_0(app, modules):
    device = app.Device(app.VERSION_1_0)
    with tv.import_runtime(device.info()) as runtime:
        assert runtime.capabilities == {Capability.SPIRV_VERSION: 0x10000}
        with pytest.raises(IncompatibleModuleError, match=r"SPIR-V 1\.3"):
            runtime.load_module(modules / "basic.tcm")
        assert runtime.asarray(DATA).to_numpy()[-1] == 99


def test_modules_are_held_against_the_capabilities_that_are_given(app, modules):
    device = app.Device(shaderInt64=1, shaderFloat64=1, shaderInt16=1)
    with (
        tv.import_runtime(device.info()) as runtime,
        pytest.raises(IncompatibleModuleError, match="spirv_has_float64"),
    ):
        runtime.load_module(modules / "table.tcm")
    level = dict.fromkeys(Capability, 1)
    del level[Capability.SPIRV_VERSION], level[Capability.SPIRV_HAS_PHYSICAL_STORAGE_BUFFER]
    with tv.import_runtime(device.info(), capabilities=level) as runtime:
        assert runtime.capabilities[Capability.SPIRV_VERSION] == 0x10500
        runtime.load_module(modules / "table.tcm")
    with pytest.raises(NotSupportedError, match="buffer addresses"):
        tv.import_runtime(device.info(), capabilities={Capability.SPIRV_HAS_PHYSICAL_STORAGE_BUFFER: 1})
    for bad in ({99: 1}, {Capability.SPIRV_VERSION: -1}):
        with pytest.raises(ValueError, match=r"not a valid Capability|out of range"):
            tv.import_runtime(device.info(), capabilities=bad)


def test_a_runtime_with_extensions(app, modules):
    extensions = {"instance_extensions": ["VK_KHR_display"], "device_extensions": ("VK_KHR_external_memory_fd",)}
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


@pytest.mark.skipif(sys.platform != "linux", reason="names Mesa's driver by its Linux path")
def test_extensions_on_a_second_device(child, arch, tmp_path):
    drivers = list(Path("/usr/share/vulkan/icd.d").glob("lvp_icd.*.json"))
    if not drivers:
        pytest.skip("no driver of lavapipe in the usual place")
    code = """
from taichi_aot import Runtime, devices
from taichi_aot.interop import vulkan as tv
assert len([device for device in devices() if device.arch.name == "VULKAN"]) == 2
for index in (1, 0, 1):
    with tv.create_runtime(index) as created:
        assert created.device_index == index
        with tv.import_runtime(tv.export_runtime(created)) as runtime:
            print(runtime.device_index, end=" ")
    Runtime("vulkan", 1 - index).close()
"""
    copy = tmp_path / "second.json"
    copy.write_text(drivers[0].read_text())
    paths = os.pathsep.join([str(drivers[0]), str(copy)])
    assert child(code, env={"VK_ICD_FILENAMES": paths, "TI_VISIBLE_DEVICE": None}).stdout == "1 0 1 "


# Memory.


@pytest.mark.parametrize("offset", [0, 4096])
def test_a_buffer_of_the_application_is_written_by_a_kernel(imported, device, app, modules, offset):
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


@pytest.mark.parametrize("offset", [0, 4096])
def test_a_buffer_of_the_application_is_mapped(imported, device, app, offset):
    buffer = app.Buffer(device, 400, offset=offset)
    buffer.write(DATA.tobytes())
    memory = tv.import_memory(imported, buffer.info(), owner=buffer, host_read=True, host_write=True)
    assert memory.size == 400
    with memory.map() as view:
        assert view.tobytes() == DATA.tobytes()
        view[:4] = 255
    with pytest.raises(BufferError, match="living views"):
        memory.close()
    del view
    assert buffer.read() == b"\xff" * 4 + DATA.tobytes()[4:]
    memory.write(b"abcd", 8)
    assert memory.read(8, 4) == b"abcd"
    memory.close()
    with pytest.raises(ValueError, match="closed"):
        memory.read()
    assert buffer.read()[8:12] == b"abcd"


def test_imported_memory_without_access_by_the_host(imported, device, app):
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


def test_arrays_over_a_buffer(imported, device, app):
    buffer = app.Buffer(device, 400)
    buffer.write(DATA.tobytes())
    array = tv.import_ndarray(imported, buffer.info(), (4, 8), "f32", elem_shape=3)
    np.testing.assert_array_equal(array.to_numpy(), DATA[:96].reshape(4, 8, 3))
    assert tv.import_ndarray(imported, buffer.info(), 0, "i32").to_numpy().size == 0
    with pytest.raises(ValueError, match="404 bytes, the buffer 400"):
        tv.import_ndarray(imported, buffer.info(), 101, "f32")


# What is refused.


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instance": 0}, "the instance is null"),
        ({"physical_device": 0}, "the physical_device is null"),
        ({"device": 0}, "the device is null"),
        ({"compute_queue": 0}, "the compute_queue is null"),
        ({"physical_device": 64}, "none of the instance"),
        ({"api_version": 0}, "not one of Vulkan"),
        ({"api_version": (1 << 22) - 1}, "not one of Vulkan"),
        ({"api_version": 1 << 22 | 5 << 12}, "not one of Vulkan"),
        ({"api_version": 2**32 - 1}, "not one of Vulkan"),
        ({"compute_queue_family_index": 99}, "out of range"),
        ({"graphics_queue": 64, "graphics_queue_family_index": 99}, "out of range"),
    ],
)
def test_runtimes_that_cannot_be_imported(device, change, message):
    with pytest.raises(ValueError, match=message):
        tv.import_runtime(device.info(**change))


def test_a_version_that_the_device_was_not_made_for(app):
    if all(device.kind != "cpu" for device in taichi_aot.devices() if device.arch is Arch.VULKAN):
        pytest.skip("drivers of GPUs have the functions of later versions too")
    device = app.Device(app.VERSION_1_0)
    with pytest.raises(ValueError, match=r"made for a version below 1\.3"):
        tv.import_runtime(device.info(api_version=app.VERSION_1_3))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"buffer": 0}, "the buffer is null"),
        ({"size": 0}, "at least 1 byte"),
        ({"memory": 0}, "the memory is null"),
        ({"size": 1 << 20}, "the buffer has at most"),
        ({"usage": 32}, "without usage TRANSFER_SRC and TRANSFER_DST"),
        ({"usage": 3}, "without usage STORAGE_BUFFER"),
    ],
)
def test_memory_that_cannot_be_imported(imported, device, app, change, message):
    buffer = app.Buffer(device, 400)
    with pytest.raises(ValueError, match=message):
        tv.import_memory(imported, buffer.info(**change), host_read=True)


def test_handles_are_integers_or_of_cffi(device):
    info = device.info()
    assert type(info.instance) is int
    assert info == device.info(instance=info.instance)
    for bad in ("0", 1.0, None, b"x"):
        with pytest.raises(TypeError, match="device must be an integer or a cffi handle"):
            device.info(device=bad)
    for field, bad in (("device", -1), ("device", 1 << 64), ("api_version", 1 << 32)):
        with pytest.raises(ValueError, match=f"{field} is out of range"):
            device.info(**{field: bad})


def test_wrong_objects(imported, device, app):
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


def test_other_archs_are_refused(device, app):
    buffer = app.Buffer(device, 400)
    with Runtime("x64") as rt:
        for call in (
            lambda: tv.export_runtime(rt),
            lambda: tv.export_memory(rt.allocate(4)),
            lambda: tv.export_memory(rt.zeros(4)),
            lambda: tv.import_memory(rt, buffer.info()),
            lambda: tv.import_ndarray(rt, buffer.info(), 1, "f32"),
        ):
            with pytest.raises(NotSupportedError, match="arch x64 shares nothing with Vulkan"):
                call()


def test_what_is_closed_is_refused(device, app):
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


def test_runtimes_that_cannot_be_created(arch):
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


def test_the_example_in_the_documentation(app, modules, child, tmp_path):
    text = (Path(__file__).parents[2] / "docs" / "interop.md").read_text(encoding="utf-8")
    code = next(code for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "VulkanMemoryInfo" in code)
    done = child(code.replace('"saxpy.tcm"', repr(str(modules / "basic.tcm"))))
    assert done.stdout.startswith("[1.000e+00 3.000e+00 5.000e+00")


# Lifetimes.

PRELUDE = f"""
import gc, itertools, os, sys, threading, weakref
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
import numpy as np
from taichi_aot import Runtime
from taichi_aot._drivers.fork import gpu_drivers
from taichi_aot._handles.runtime import process
from taichi_aot.interop import vulkan as tv
from helpers import vulkan_application as app

MODULE = sys.argv[1]
events = []


class Device(app.Device):
    def __del__(self):
        events.append("device")
        super().__del__()


class Buffer(app.Buffer):
    def __del__(self):
        events.append("buffer")
        super().__del__()


def make():
    device = Device()
    rt = tv.import_runtime(device.info(), owner=device)
    buffer = Buffer(device, 400)
    buffer.write(bytes(400))
    array = tv.import_ndarray(rt, buffer.info(), 100, "f32", owner=buffer)
    memory = tv.import_memory(rt, buffer.info(), owner=buffer)
    module = rt.load_module(MODULE)
    kernel, x = module.kernels["saxpy"], rt.full(100, 1.0, "f32")
    kernel(1.0, x, array)
    return dict(rt=rt, array=array, memory=memory, kernel=kernel, x=x)


def must_raise(*uses):
    for use in uses:
        try:
            use()
        except ValueError:
            continue
        raise SystemExit("a use went through")
"""

SCENARIOS = {
    "dropped in every order": """
for i, order in enumerate(itertools.permutations(make())):
    if i % 7 == 0:
        events.clear()
        things = make()
        for name in order:
            assert "device" not in events
            del things[name]
        gc.collect()
        assert events == ["buffer", "device"], events
assert not process.owners and not process.owners_to_drop
""",
    "closed in every order": """
for order in itertools.permutations(["rt", "memory", "array"]):
    events.clear()
    things = make()
    for name in order:
        things[name].close()
        things[name].close()
    assert events == ["buffer", "device"], (order, events)
""",
    "in a reference cycle": """
for _ in range(5):
    events.clear()
    things = make()
    things["self"] = things
    del things
    gc.collect()
    assert events == ["buffer", "device"], events
""",
    "in a reference cycle with its owners": """
for _ in range(5):
    events.clear()
    class App:
        pass
    application = App()
    application.device = Device()
    application.rt = tv.import_runtime(application.device.info(), owner=application.device)
    application.buffer = Buffer(application.device, 400)
    application.memory = tv.import_memory(application.rt, application.buffer.info(), owner=application.buffer)
    application.memory.fill(1)
    application.self = application
    del application
    gc.collect()
    gc.collect()
    assert events == ["buffer", "device"], events
""",
    "closed with a view": """
things = make()
buffer = Buffer(app.Device.of(tv.export_runtime(things["rt"])), 400)
memory = tv.import_memory(things["rt"], buffer.info(), owner=buffer, host_read=True)
with memory.map() as view:
    part = view[:4]
del view, buffer
things["rt"].close()
things.clear()
del memory
gc.collect()
assert events == ["buffer"], events  # the one that is not mapped
part.sum()
del part
gc.collect()
assert events == ["buffer", "buffer", "device"], events
""",
    "an owner that uses the runtime in its finalizer": """
class Owner(Buffer):
    def __del__(self):
        rt().wait()
        rt().zeros(3).close()
        super().__del__()
things = make()
rt = weakref.ref(things["rt"])
owner = Owner(app.Device.of(tv.export_runtime(things["rt"])), 400)
memory = tv.import_memory(things["rt"], owner.info(), owner=owner)
array = tv.import_ndarray(things["rt"], owner.info(), 1, "f32", owner=owner)
del owner
memory.close()
things["kernel"](1.0, array, array)
del array
assert events == ["buffer"], events
""",
    "dropped by another thread": """
box = [make()]
def work():
    things = box.pop()
    assert things["array"].to_numpy()[0] == 1
    del things
    gc.collect()
thread = threading.Thread(target=work)
thread.start()
thread.join()
make()["rt"].close()
gc.collect()
assert sorted(events) == ["buffer", "buffer", "device", "device"], events
""",
    "at exit": """
things = make()
things["self"] = things
""",
    "at exit, with owners that are globals": """
device = app.Device()
rt = tv.import_runtime(device.info(), owner=device)
buffer = app.Buffer(device, 400)
array = tv.import_ndarray(rt, buffer.info(), 100, "f32", owner=buffer)
rt.load_module(MODULE).kernels["saxpy"](1.0, array, array)
""",
    "after a fork": """
import warnings
warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
things = make()
things["rt"].wait()
pid = os.fork()
if pid == 0:
    rt, memory, array = (things[name] for name in ("rt", "memory", "array"))
    info = tv.VulkanMemoryInfo(buffer=64, size=4, usage=35)
    assert rt.closed and memory.closed and array.closed
    must_raise(
        rt.wait, memory.read, array.to_numpy, lambda: tv.export_runtime(rt), lambda: tv.export_memory(memory),
        lambda: tv.export_memory(array), lambda: tv.import_memory(rt, info),
    )
    rt.close()
    memory.close()
    del things, rt, memory, array
    gc.collect()
    assert events == [], events
    if not gpu_drivers.lost:
        with Runtime("vulkan") as rt:
            assert rt.full(3, 2.0).to_numpy()[0] == 2
        make()["rt"].close()
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
assert things["array"].to_numpy()[0] == 1
""",
    "beside other runtimes": """
others = [Runtime("vulkan") for _ in range(2)]
first = [other.full(100, 1.0, "f32") for other in others]
things = make()
kernels = [other.load_module(MODULE).kernels["saxpy"] for other in others]
for _ in range(3):
    inner = make()
    for kernel, array in zip(kernels, first):
        kernel(1.0, array, array)
    things["kernel"](1.0, things["x"], things["array"])
    assert inner["array"].to_numpy()[0] == 1
    inner["rt"].close()
    del inner
assert things["array"].to_numpy()[0] == 4
things.clear()
assert all(array.to_numpy()[0] == 8 for array in first)
others[0].close()
assert first[1].to_numpy()[0] == 8
""",
    "a device of this package under two runtimes": """
for order in itertools.permutations(["first", "second", "third"]):
    first = Runtime("vulkan")
    second = tv.import_runtime(tv.export_runtime(first))
    third = tv.import_runtime(tv.export_runtime(second))
    runtimes = dict(first=first, second=second, third=third)
    arrays = {name: runtime.full(100, 1.0, "f32") for name, runtime in runtimes.items()}
    del first, second, third
    for name in order:
        for array in arrays.values():
            assert array.to_numpy()[0] == 1
        runtimes.pop(name).close()
        arrays.pop(name)
    gc.collect()
    assert not process.owners and not process.runtimes and not process.owners_to_drop
first = Runtime("vulkan")
second = tv.import_runtime(tv.export_runtime(first))
del first
gc.collect()
assert second.full(100, 1.0).to_numpy()[0] == 1
del second
gc.collect()
assert not process.owners and not process.runtimes
""",
    "exported and imported again, the first one dropped": """
things = make()
rt, array = things["rt"], things["array"]
other = tv.import_runtime(tv.export_runtime(rt), owner=rt)
same = tv.import_ndarray(other, tv.export_memory(array), 100, "f32", owner=array)
del rt, array
things.clear()
gc.collect()
assert events == []
assert same.to_numpy()[0] == 1
other.close()
gc.collect()
""",
}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_ends_the_process(app, modules, child, scenario):
    code = PRELUDE + SCENARIOS[scenario] + "\nprint('reached the end')\n"
    assert "reached the end" in child(code, modules / "basic.tcm", timeout=120).stdout
