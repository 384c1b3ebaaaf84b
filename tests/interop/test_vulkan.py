"""Devices and buffers shared with a Vulkan application, in both directions."""

import dataclasses
import os
import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from helpers.archs import need
from helpers.child import run_scenario
from helpers.memory import as_on_a_discrete_gpu

import taichi_aot
from taichi_aot import Arch, Capability, IncompatibleModuleError, MemoryUsage, NotSupportedError, Runtime
from taichi_aot.interop import vulkan as tv

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="depends on Linux paths or limits")
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


def test_exported_device_is_the_one_in_use(rt, app):
    device = app.Device.of(tv.export_runtime(rt))
    name = app.vk.vkGetPhysicalDeviceProperties(device.physical_device).deviceName
    assert name in [found.name for found in taichi_aot.devices() if found.arch is Arch.VULKAN]


def test_application_copies_an_exported_buffer(rt, app):
    device = app.Device.of(tv.export_runtime(rt))
    array = rt.asarray(DATA)
    info = tv.export_memory(array)
    assert info.size == DATA.nbytes
    assert info.usage & app.USAGE == app.USAGE
    target = app.Buffer(device, info.size)
    rt.wait()
    device.copy(app.vk.ffi.cast("VkBuffer", info.buffer), target.buffer, info.size)
    assert target.read() == DATA.tobytes()


@pytest.mark.parametrize("is_discrete", [False, True], ids=["unified", "discrete"])
@pytest.mark.parametrize("flag", ["VERTEX", "INDEX", "UNIFORM"])
def test_renderer_binds_what_a_kernel_wrote(rt, app, module, flag, is_discrete):
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


def test_application_maps_exported_memory(rt, app, module):
    device = app.Device.of(tv.export_runtime(rt))
    memory = rt.allocate(DATA.nbytes, host_read=True, host_write=True, export_sharing=True)
    memory.write(DATA)
    info = tv.export_memory(memory)
    assert info.offset == 0
    vk_memory = app.vk.ffi.cast("VkDeviceMemory", info.memory)
    assert bytes(app.vk.vkMapMemory(device.device, vk_memory, info.offset, info.size, 0)) == DATA.tobytes()
    app.vk.vkUnmapMemory(device.device, vk_memory)


@linux_only
def test_another_device_takes_shared_arrays(app):
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


def test_module_runs_on_a_device_of_the_application(imported, modules):
    assert imported.arch is Arch.VULKAN
    module = imported.load_module(modules / "basic.tcm")
    x, y = imported.asarray(DATA), imported.full(100, 1.0, "f32")
    module.kernels["saxpy"](2.0, x, y)
    module.graphs["twice"](2.0, x, y)
    np.testing.assert_array_equal(y.to_numpy(), 1 + 6 * DATA)


def test_application_uses_its_device_after_close(device, app):
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


def test_vulkan_1_0_device_can_be_imported(app, modules):
    device = app.Device(app.VERSION_1_0)
    with tv.import_runtime(device.info()) as runtime:
        assert runtime.capabilities == {Capability.SPIRV_VERSION: 0x10000}
        with pytest.raises(IncompatibleModuleError, match=r"SPIR-V 1\.3"):
            runtime.load_module(modules / "basic.tcm")
        assert runtime.asarray(DATA).to_numpy()[-1] == 99


def test_modules_are_checked_against_the_given_capabilities(app, modules):
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


def test_runtime_enables_extensions(app, modules):
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


@linux_only
def test_second_device_enables_extensions(app, tmp_path):
    drivers = list(Path("/usr/share/vulkan/icd.d").glob("lvp_icd.*.json"))
    if not drivers:
        pytest.skip("lavapipe is not installed in the usual place")
    copy = tmp_path / "second.json"
    copy.write_text(drivers[0].read_text())
    paths = os.pathsep.join([str(drivers[0]), str(copy)])
    env = {"VK_ICD_FILENAMES": paths, "TI_VISIBLE_DEVICE": None}
    run_scenario("vulkan:create_with_extensions_on_two_devices", env=env)


# Memory.


@pytest.mark.parametrize("offset", [0, 4096])
def test_kernel_writes_a_buffer_of_the_application(imported, device, app, modules, offset):
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
def test_buffer_of_the_application_is_mapped(imported, device, app, offset):
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


def test_unmappable_memory_can_be_imported(imported, device, app):
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


def test_arrays_can_share_one_buffer(imported, device, app):
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


def test_version_above_the_devices_is_rejected(app):
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
def test_invalid_memory_info_is_rejected(imported, device, app, change, message):
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


def test_wrong_types_are_rejected(imported, device, app):
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


def test_other_archs_are_rejected(device, app):
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


def test_closed_objects_are_rejected(device, app):
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


@pytest.mark.parametrize(
    "scenario",
    [
        "drop_in_any_order",
        "close_in_any_order",
        "collect_a_reference_cycle",
        "close_with_a_view",
        "use_the_runtime_in_a_finalizer",
        "drop_in_another_thread",
        "exit_with_a_reference_cycle",
        "exit_with_owners_in_globals",
        "use_beside_other_runtimes",
        "launch_on_an_imported_buffer",
        "share_and_drop_the_owners",
        pytest.param("fork", marks=pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform has no fork")),
    ],
)
def test_lifetimes_of_shared_objects(app, modules, scenario):
    run_scenario(f"vulkan:{scenario}", modules / "basic.tcm")


@pytest.mark.parametrize(
    "scenario",
    [
        "collect_a_reference_cycle_with_its_owners",
        "import_an_exported_device_twice",
        "drop_an_exported_runtime",
        "export_a_device_again_after_its_runtime_is_closed",
        "import_the_device_of_a_closed_runtime",
        "import_the_device_of_a_closed_import",
        "close_an_array_whose_buffer_is_imported",
        "drop_an_array_whose_buffer_is_imported",
        "close_the_runtime_of_an_imported_buffer",
        "import_a_buffer_by_its_numbers",
    ],
)
def test_exported_handles_stay_valid_while_imported(app, scenario):
    run_scenario(f"vulkan:{scenario}")


@pytest.mark.slow
def test_budget_of_the_driver_is_the_free_memory(app):
    run_scenario("vulkan:state_a_budget")


@linux_only
@pytest.mark.parametrize("scenario", ["run_without_file_descriptors", "start_without_file_descriptors"])
def test_exhausted_file_descriptors_raise_oserror(app, scenario):
    run_scenario(f"vulkan:{scenario}")
