"""Devices and buffers shared with a Vulkan application: lifetimes, finalizers, forks."""

from __future__ import annotations

import ctypes
import gc
import itertools
import os
import sys
import threading
import warnings
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import vulkan as vk
from helpers import vulkan_application as app
from helpers.inside import has_lost_gpu_drivers, vulkan_functions
from helpers.raising import assert_raises

from taichi_aot import Arch, Kernel, Memory, NdArray, Runtime, devices, library_path, object_counts
from taichi_aot.interop import vulkan as tv

events: list[str] = []  # finalizers that ran


class Device(app.Device):
    def __del__(self) -> None:
        events.append("device")
        super().__del__()


class Buffer(app.Buffer):
    def __del__(self) -> None:
        events.append("buffer")
        super().__del__()


class Shared:
    """A runtime on the application's device, with two imports of one buffer and a launched kernel."""

    NAMES = ("rt", "array", "memory", "kernel", "x")

    def __init__(self, module: str) -> None:
        device = Device()
        self.rt: Runtime = tv.import_runtime(device.info(), owner=device)
        buffer = Buffer(device, 400)
        buffer.write(bytes(400))
        self.array: NdArray = tv.import_ndarray(self.rt, buffer.info(), 100, "f32", owner=buffer)
        self.memory: Memory = tv.import_memory(self.rt, buffer.info(), owner=buffer)
        self.kernel: Kernel = self.rt.load_module(module).kernels["saxpy"]
        self.x = self.rt.full(100, 1.0, "f32")
        self.kernel(1.0, self.x, self.array)


def assert_events(*expected: str) -> None:
    assert events == list(expected), events


def assert_nothing_left() -> None:
    gc.collect()
    counts = object_counts()
    assert not any(counts.values()), counts


# Owners that the application passes.


def drop_in_any_order(module: str) -> None:
    for order in itertools.islice(itertools.permutations(Shared.NAMES), 0, None, 7):
        events.clear()
        shared = Shared(module)
        for name in order:
            assert "device" not in events
            delattr(shared, name)
        gc.collect()
        assert_events("buffer", "device")
    del shared
    assert_nothing_left()


def close_in_any_order(module: str) -> None:
    for order in itertools.permutations(("rt", "memory", "array")):
        events.clear()
        shared = Shared(module)
        for name in order:
            getattr(shared, name).close()
            getattr(shared, name).close()
        assert_events("buffer", "device")


def collect_a_reference_cycle(module: str) -> None:
    for _ in range(5):
        events.clear()
        shared: Any = Shared(module)
        shared.itself = shared
        del shared
        gc.collect()
        assert_events("buffer", "device")


def collect_a_reference_cycle_with_its_owners() -> None:
    class Application:
        def __init__(self) -> None:
            self.device = Device()
            self.rt = tv.import_runtime(self.device.info(), owner=self.device)
            self.buffer = Buffer(self.device, 400)
            self.memory = tv.import_memory(self.rt, self.buffer.info(), owner=self.buffer)
            self.memory.fill(1)
            self.itself = self

    for _ in range(5):
        events.clear()
        Application()
        gc.collect()
        gc.collect()
        assert_events("buffer", "device")


def close_with_a_view(module: str) -> None:
    shared = Shared(module)
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


def use_the_runtime_in_a_finalizer(module: str) -> None:
    class Owner(Buffer):
        def __del__(self) -> None:
            runtime = reference()
            assert runtime is not None
            runtime.wait()
            runtime.zeros(3).close()
            super().__del__()

    shared = Shared(module)
    reference = weakref.ref(shared.rt)
    owner = Owner(app.Device.of(tv.export_runtime(shared.rt)), 400)
    memory = tv.import_memory(shared.rt, owner.info(), owner=owner)
    array = tv.import_ndarray(shared.rt, owner.info(), 1, "f32", owner=owner)
    del owner
    memory.close()
    shared.kernel(1.0, array, array)
    del array
    assert_events("buffer")


def drop_in_another_thread(module: str) -> None:
    box = [Shared(module)]

    def work() -> None:
        shared = box.pop()
        assert shared.array.to_numpy()[0] == 1
        del shared
        gc.collect()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    Shared(module).rt.close()
    gc.collect()
    assert sorted(events) == ["buffer", "buffer", "device", "device"], events


def exit_with_a_reference_cycle(module: str) -> None:
    shared: Any = Shared(module)
    shared.itself = shared


def exit_with_owners_in_globals(module: str) -> None:
    device = app.Device()
    rt = tv.import_runtime(device.info(), owner=device)
    buffer = app.Buffer(device, 400)
    array = tv.import_ndarray(rt, buffer.info(), 100, "f32", owner=buffer)
    rt.load_module(module).kernels["saxpy"](1.0, array, array)
    globals().update(device=device, rt=rt, buffer=buffer, array=array)


def fork(module: str) -> None:
    warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
    shared = Shared(module)
    shared.rt.wait()
    pid = os.fork()
    if pid == 0:
        use_what_a_fork_inherited(shared, module)
        sys.exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    assert shared.array.to_numpy()[0] == 1


def use_what_a_fork_inherited(shared: Shared, module: str) -> None:
    assert_inherited_objects_are_closed(shared.rt, shared.memory, shared.array)
    del shared.rt, shared.memory, shared.array
    gc.collect()
    assert_events()
    if not has_lost_gpu_drivers():
        with Runtime("vulkan") as rt:
            assert rt.full(3, 2.0).to_numpy()[0] == 2
        Shared(module).rt.close()


def assert_inherited_objects_are_closed(rt: Runtime, memory: Memory, array: NdArray) -> None:
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


def use_beside_other_runtimes(module: str) -> None:
    others = [Runtime("vulkan") for _ in range(2)]
    first = [other.full(100, 1.0, "f32") for other in others]
    shared = Shared(module)
    kernels = [other.load_module(module).kernels["saxpy"] for other in others]
    for _ in range(3):
        inner = Shared(module)
        for kernel, array in zip(kernels, first, strict=True):
            kernel(1.0, array, array)
        shared.kernel(1.0, shared.x, shared.array)
        assert inner.array.to_numpy()[0] == 1
        inner.rt.close()
        del inner
    assert shared.array.to_numpy()[0] == 4
    del shared
    assert all(array.to_numpy()[0] == 8 for array in first)
    others[0].close()
    assert first[1].to_numpy()[0] == 8


# Devices and buffers that this package exports and imports again.


def import_an_exported_device_twice() -> None:
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


def drop_an_exported_runtime() -> None:
    first = Runtime("vulkan")
    second = tv.import_runtime(tv.export_runtime(first))
    del first
    gc.collect()
    assert second.full(100, 1.0).to_numpy()[0] == 1
    del second
    assert_nothing_left()


def export_a_device_again_after_its_runtime_is_closed() -> None:
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


def import_the_device_of_a_closed_runtime() -> None:
    for make in (partial(Runtime, "vulkan"), tv.create_runtime):
        runtime = make()
        info = tv.export_runtime(runtime)
        runtime.close()
        assert_raises(ValueError, partial(tv.import_runtime, info), match="is closed")
        del runtime
        assert_raises(ValueError, partial(tv.import_runtime, info), match="is closed")
    assert_nothing_left()


def import_the_device_of_a_closed_import() -> None:
    device = Device()
    runtime = tv.import_runtime(device.info())
    info = tv.export_runtime(runtime)
    runtime.close()
    with tv.import_runtime(info, owner=device) as again:  # the device belongs to the application
        assert again.full(3, 1.0).to_numpy()[0] == 1


Import = tuple[Runtime, NdArray, NdArray]  # a runtime, its array, and an import of the array


def import_on_the_same_runtime() -> Import:
    rt = Runtime("vulkan")
    array = rt.full(100, 1.0, "f32")
    return rt, array, tv.import_ndarray(rt, tv.export_memory(array), 100, "f32")


def import_on_another_runtime() -> Import:
    rt = Runtime("vulkan")
    array = rt.full(100, 1.0, "f32")
    other = tv.import_runtime(tv.export_runtime(rt))
    return rt, array, tv.import_ndarray(other, tv.export_memory(array), 100, "f32")


IMPORTS = (import_on_the_same_runtime, import_on_another_runtime)


def close_an_array_whose_buffer_is_imported() -> None:
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


def drop_an_array_whose_buffer_is_imported() -> None:
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


def close_the_runtime_of_an_imported_buffer() -> None:
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


def import_a_buffer_by_its_numbers() -> None:
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


def launch_on_an_imported_buffer(module: str) -> None:
    rt = Runtime("vulkan")
    array = rt.full(100, 1.0, "f32")
    other = tv.import_runtime(tv.export_runtime(rt), capabilities=rt.capabilities)
    imported = tv.import_ndarray(other, tv.export_memory(array), 100, "f32")
    rt.load_module(module).kernels["saxpy"](1.0, array, array)
    rt.wait()
    other.load_module(module).kernels["saxpy"](1.0, imported, imported)
    other.wait()
    assert array.to_numpy()[99] == 4
    del array
    rt.close()
    assert imported.to_numpy()[99] == 4


def share_and_drop_the_owners(module: str) -> None:
    shared = Shared(module)
    rt, array = shared.rt, shared.array
    other = tv.import_runtime(tv.export_runtime(rt), owner=rt)
    same = tv.import_ndarray(other, tv.export_memory(array), 100, "f32", owner=array)
    del rt, array, shared
    gc.collect()
    assert_events()
    assert same.to_numpy()[0] == 1
    other.close()
    gc.collect()


# Other devices and limits.


def create_with_extensions_on_two_devices() -> None:
    assert len([device for device in devices() if device.arch.name == "VULKAN"]) == 2
    for index in (1, 0, 1):
        with tv.create_runtime(index) as created:
            assert created.device_index == index
            with tv.import_runtime(tv.export_runtime(created)) as runtime:
                assert runtime.device_index == index
        Runtime("vulkan", 1 - index).close()


def use_up_file_descriptors() -> list[int]:
    """Open files until the limit is reached."""
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    files: list[int] = []
    try:
        while True:
            files.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        return files


def free_some(files: list[int]) -> None:
    """Close enough files for a driver to create a runtime."""
    for file in files[-64:]:
        os.close(file)


def run_without_file_descriptors() -> None:
    is_software = all(device.kind == "cpu" for device in devices() if device.arch is Arch.VULKAN)
    rt = Runtime("vulkan")
    x = rt.full(3, 1.0)
    rt.wait()
    calls: list[Callable[[], object]] = [
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


def start_without_file_descriptors() -> None:
    library_path()
    files = use_up_file_descriptors()
    assert_raises(OSError, devices, lambda: Runtime("vulkan"), match="the limit of open files is reached")
    free_some(files)
    Runtime("vulkan").close()


def state_a_budget() -> None:
    """Import a device whose driver states budgets: those of the heaps on the device are free memory."""
    instance_function = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
    real = instance_function(vulkan_functions())

    def list_extensions(_device: int, _layer: int, count: Any, properties: int | None) -> int:
        count[0] = 2
        if properties:
            array = vk.ffi.cast("VkExtensionProperties *", properties)
            array[0].extensionName, array[1].extensionName = b"VK_KHR_swapchain", b"VK_EXT_memory_budget"
        return 0

    def list_heaps(_device: int, out: int) -> None:
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

    def get(instance: int, name: bytes) -> int | None:
        if is_pretending and name in pretended:
            return ctypes.cast(pretended[name], ctypes.c_void_p).value
        function: int | None = real(instance, name)
        return function

    callback, device = instance_function(get), Device()
    address = ctypes.cast(callback, ctypes.c_void_p).value or 0
    with tv.import_runtime(device.info(get_instance_proc_addr=address), owner=(device, callback)) as rt:
        is_pretending = True
        assert rt.memory_info()[2:] == (76, 117), rt.memory_info()
