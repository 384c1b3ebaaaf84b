"""The functions of `taichi_aot.capi` call those of C, one to one."""

import ctypes
import gc
import weakref

import pytest
from helpers.archs import on_vulkan
from helpers.capi_arguments import array, f32
from helpers.child import in_child, run_in_child
from helpers.raising import assert_raises
from scenarios.another_binding import Binding
from scenarios.capi import ANYWHERE, NOWHERE, OF_ARCH, UNCALLED, bad_handles, every_function

from taichi_aot import CorruptedDataError, ErrorCode, Memory, NotSupportedError, Runtime, capi, object_counts

INFO = capi.TiMemoryAllocateInfo
KINDS = capi.TiArgumentType


def test_tables_list_every_function():
    functions = {name for name in capi.__all__ if name.islower() and name != "ffi"}
    assert {name for table in (ANYWHERE, NOWHERE, *OF_ARCH.values()) for name in table} | {*UNCALLED} == functions


@pytest.mark.parametrize("scenario", [every_function, bad_handles])
def test_functions(arch, howto, scenario):
    run_in_child(scenario, str(arch), str(howto), quiet=False)


@in_child(quiet=False)
def test_program_of_the_c_api(arch, modules):
    """Write to memory, launch a kernel with it, and read it, with the functions of the C-API alone."""
    assert capi.get_version() == capi.TI_C_API_VERSION
    numbers, archs = capi.get_available_archs(None)
    assert numbers == archs
    assert int(arch) in archs
    capi.set_last_error(capi.TI_ERROR_INVALID_STATE, "not today")
    assert capi.get_last_error() == "not today"
    runtime = capi.create_runtime(capi.TiArch(arch), device=0)
    info = INFO(size=16, host_write=True, host_read=True, usage=capi.TI_MEMORY_USAGE_STORAGE_BIT)
    x, y = (capi.allocate_memory(runtime, info) for _ in range(2))
    for memory in (x, y):
        (ctypes.c_float * 4).from_address(capi.map_memory(runtime, memory))[:] = [1, 2, 3, 4]
        capi.unmap_memory(runtime, memory)
    module = capi.load_aot_module(runtime, str(modules / "basic"))
    saxpy = capi.get_aot_module_kernel(module, "saxpy")
    capi.launch_kernel(runtime, saxpy, [f32(2), array(x, 4), array(y, 4)])
    twice = capi.get_aot_module_compute_graph(module, "twice")
    pairs = zip(("a", "x", "y"), (f32(0), array(x, 4), array(y, 4)), strict=True)
    capi.launch_compute_graph(runtime, twice, args=[capi.TiNamedArgument(*pair) for pair in pairs])
    capi.wait(runtime)
    assert (ctypes.c_float * 4).from_address(capi.map_memory(runtime, y))[:] == [3, 6, 9, 12]
    capi.unmap_memory(runtime, y)
    for memory in (x, y):
        capi.free_memory(runtime, memory)
    capi.destroy_runtime(runtime)


@on_vulkan
@in_child(quiet=False)
def test_error_of_the_library_is_raised(arch):
    runtime = capi.create_runtime(capi.TiArch(arch), 0)
    with pytest.raises(NotSupportedError) as caught:
        capi.create_sampler(runtime, capi.TiSamplerCreateInfo())
    assert (caught.value.code, caught.value.routine) == (ErrorCode.NOT_SUPPORTED, "ti_create_sampler")
    with pytest.raises(CorruptedDataError):
        capi.load_aot_module(runtime, "/missing")
    assert capi.get_last_error()
    capi.destroy_runtime(runtime)


def test_functions_take_what_they_declare():
    for call in (capi.wait, lambda: capi.wait(capi.TiRuntime(8), 1), lambda: capi.wait(rt=1)):
        with pytest.raises(TypeError, match=r"^wait\(\): "):
            call()


def test_structures_are_those_of_cffi():
    shape = capi.TiNdShape(2, [3, 4])
    array = capi.TiNdArray(memory=capi.TiMemory(0x1234), shape=shape, elem_type=capi.TI_DATA_TYPE_I32)
    assert capi.ffi.typeof(array) is capi.ffi.typeof("TiNdArray *")
    assert [*array.shape.dims[0:2], array.shape.dim_count, array.elem_type] == [3, 4, 2, capi.TI_DATA_TYPE_I32]
    assert int(capi.ffi.cast("uintptr_t", array.memory)) == 0x1234
    argument = capi.TiArgument(KINDS.TI_ARGUMENT_TYPE_NDARRAY, {"ndarray": array[0]})
    assert argument.value.ndarray.shape.dims[1] == 4
    assert not capi.TiNdArray(memory=None).memory


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: INFO(bytes=1), TypeError, r"^TiMemoryAllocateInfo has the members size, host_write"),
        (lambda: INFO(1, size=1), TypeError, "has the members"),
        (lambda: INFO(*range(6)), TypeError, "has the members"),
        (lambda: INFO(size=-1), OverflowError, None),
        (lambda: INFO(size="1"), TypeError, None),
        (lambda: capi.TiNdArray(memory=capi.TiImage(1)), TypeError, "TiNdArray.memory must be a TiMemory"),
        (lambda: capi.TiNdArray(memory=5), TypeError, "TiNdArray.memory must be a TiMemory"),
        (lambda: capi.TiRuntime(-1), OverflowError, "^the address of a TiRuntime"),
        (lambda: capi.TiRuntime("1"), TypeError, "^the address of a TiRuntime must be an int"),
    ],
)
def test_wrong_members_raise(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_structures_keep_what_they_point_to():
    name, memory = "a name that is not a constant " * 3, capi.TiMemory(8)
    named = capi.TiNamedArgument(name=name, argument=capi.TiArgument())
    kept = weakref.ref(argument := capi.TiNdArray(memory=memory))
    outer = capi.TiArgument(value={"ndarray": argument[0]})
    gc.collect()
    assert capi.ffi.string(named.name).decode() == name
    del argument, outer
    gc.collect()
    assert kept() is None


def test_handles_differ_by_type_and_address():
    assert capi.TiMemory(1) == capi.TiMemory(1) != capi.TiMemory(2)
    assert capi.TiMemory(1) != capi.TiImage(1)
    assert len({capi.TiMemory(1), capi.TiMemory(1), capi.TiImage(1)}) == 2
    assert (bool(capi.TiMemory()), int(capi.TiMemory(7)), capi.TiMemory(7).value) == (False, 7, 7)


@in_child(env={"EGL_PLATFORM": "surfaceless"}, quiet=False)
def test_runtime_of_another_binding_is_known_as_long_as_its_handle(arch):
    """Wait for a runtime by its address: nothing remains of it, and it stays the binding's."""
    binding = Binding(arch)
    for _ in range(3):
        handle = capi.TiRuntime(binding.runtime)
        capi.wait(handle)
        assert object_counts()["runtimes"] == 1
        assert Runtime.from_handle(handle).arch is arch
        del handle
        gc.collect()
        assert object_counts()["runtimes"] == 0
    binding.wait()
    capi.destroy_runtime(capi.TiRuntime(binding.runtime))


@in_child(quiet=False)
def test_freed_addresses_may_come_again(arch):
    runtime = capi.create_runtime(capi.TiArch(arch), 0)
    rt = Runtime.from_handle(runtime)
    for _ in range(3):  # most archs use the address again
        memory = capi.allocate_memory(runtime, INFO(size=64, usage=1))
        shared = Memory.from_handle(rt, memory, 64)
        capi.free_memory(runtime, memory)
        assert shared.closed
        assert_raises(ValueError, lambda: Memory.from_handle(rt, memory, 64), match="was freed")  # noqa: B023
    capi.destroy_runtime(runtime)
