"""Structures, handles and enumerations of capi: they use C's memory layout and check what is stored."""

import copy
import ctypes
import gc
import pickle

import pytest
from helpers.inside import c_address

import taichi_aot
from taichi_aot import capi

INFO = capi.TiMemoryAllocateInfo
KIND, VALUE = capi.TiArgumentType, capi.TiArgumentValue


def test_enums_match_the_names_of_c_and_the_package_values():
    assert capi.TiArch.TI_ARCH_VULKAN == taichi_aot.Arch.VULKAN == 1
    assert taichi_aot.Arch(capi.TiArch.TI_ARCH_X64) is taichi_aot.Arch.X64
    assert capi.TiArch(taichi_aot.Arch.X64) is capi.TiArch.TI_ARCH_X64
    for ours, c, prefix in (
        (taichi_aot.Capability, capi.TiCapability, "TI_CAPABILITY_"),
        (taichi_aot.DataType, capi.TiDataType, "TI_DATA_TYPE_"),
        (taichi_aot.ErrorCode, capi.TiError, "TI_ERROR_"),
        (taichi_aot.Format, capi.TiFormat, "TI_FORMAT_"),
        (taichi_aot.ImageLayout, capi.TiImageLayout, "TI_IMAGE_LAYOUT_"),
    ):
        assert all(c[f"{prefix}{member.name}"] == member for member in ours)
        assert not any(name.endswith("MAX_ENUM") for name in c.__members__)


def test_placeholder_of_an_enumeration_is_not_a_value():
    assert capi.TiFormat.TI_FORMAT_MAX_ENUM == 0xFFFFFFFF
    with pytest.raises(ValueError, match=r"^arch must be a TiArch, not 4294967295$"):
        capi.create_runtime(capi.TiArch.TI_ARCH_MAX_ENUM, 0)


def test_bools_and_flags_have_the_types_of_python():
    info = INFO(host_read=capi.TiBool(capi.TI_TRUE), usage=capi.TiFlags(3))
    assert type(info.host_read) is capi.TiBool
    assert isinstance(info.usage, capi.TiFlags)
    assert info == INFO(host_read=True, usage=3)


def test_archs_are_returned_with_none_too():
    assert capi.get_available_archs(None) == capi.get_available_archs()
    with pytest.raises(TypeError, match=r"^archs must be None, not list$"):
        capi.get_available_archs([])


def test_ctypes_takes_handles_and_structures():
    """The library itself, through another binding in the same process."""
    library = ctypes.CDLL(taichi_aot.library_path())
    library.ti_get_last_error.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    runtime = capi.create_runtime(capi.TiArch.TI_ARCH_X64, 0)
    memory = capi.allocate_memory(runtime, INFO(size=64, host_write=True))
    address = ctypes.c_void_p(capi.map_memory(runtime, memory))
    exported = capi.TiCpuMemoryInteropInfo()
    library.ti_export_cpu_memory(runtime, memory, exported)
    assert exported.ptr == address.value
    several = capi.TiCpuMemoryInteropInfo.array(2)
    library.ti_export_cpu_memory(runtime, memory, several)
    assert several[0] == exported
    assert ctypes.c_void_p.from_param(memory).value == memory.value  # as of declared parameters
    assert library.ti_get_last_error(None, None) == 0
    capi.unmap_memory(runtime, memory)
    capi.destroy_runtime(runtime)


def test_structures_know_their_size():
    assert (capi.TiArgument.sizeof, capi.TiNamedArgument.sizeof) == (160, 168)
    assert capi.TiArgumentValue().sizeof == capi.TiArgument.sizeof - 8
    array = capi.TiNdShape.array(2)
    assert c_address(array[1]) - c_address(array[0]) == capi.TiNdShape.sizeof


def test_structures_have_the_memory_layout_of_c():
    array = capi.TiNdArray(capi.TiMemory(0x1234), capi.TiNdShape(2, [3, 4]), elem_type=capi.TiDataType.TI_DATA_TYPE_I32)
    words = (ctypes.c_uint32 * 4).from_address(c_address(array))
    assert list(words) == [0x1234, 0, 2, 3]
    array.shape.dims[1] = 5  # nested structures share memory
    assert array.shape == capi.TiNdShape(2, [3, 5])
    assert array.memory == capi.TiMemory(0x1234)


def test_repr_can_be_evaluated():
    shape = capi.TiNdShape(2, [3, 4])
    assert repr(shape) == "TiNdShape(dim_count=2, dims=[3, 4])"
    assert eval(repr(shape), vars(capi)) == shape
    argument = capi.TiArgument(KIND.TI_ARGUMENT_TYPE_F32, VALUE(f32=1.5))
    assert repr(argument.value) == "TiArgumentValue(f32=1.5)"


def test_equality_compares_the_union_member_in_use():
    one, other = (capi.TiArgument(KIND.TI_ARGUMENT_TYPE_I32, VALUE(i32=7)) for _ in range(2))
    other.value.ndarray.elem_type = capi.TiDataType.TI_DATA_TYPE_I8  # bytes that the integer does not use
    assert one == other
    other.value.i32 = 8
    assert one != other
    assert VALUE(i32=1) != VALUE(i32=2)
    assert capi.TiNdShape() != capi.TiImageOffset()
    with pytest.raises(TypeError):
        hash(one)


def test_copies_and_arrays_own_their_memory():
    argument = capi.TiNamedArgument("foo", capi.TiArgument(KIND.TI_ARGUMENT_TYPE_I32, VALUE(i32=7)))
    copied, array = argument.copy(), capi.TiNamedArgument.array([argument, argument])
    argument.name = "bar"
    argument.argument.value.i32 = 8
    del argument
    gc.collect()
    others = [capi.TiNamedArgument("zap") for _ in range(100)]  # in memory that was freed, if any was
    assert {other.name for other in others} == {"zap"}
    assert copied.name == array[0].name == array[-1].name == "foo"
    assert copied.argument.value.i32 == array[1].argument.value.i32 == 7
    first = array[0]
    del array
    gc.collect()
    assert first.name == "foo"  # an item keeps the array
    for thing in (first, capi.TiMemory(1)):
        with pytest.raises(TypeError, match=r"^cannot pickle"):
            pickle.dumps(thing)
        with pytest.raises(TypeError):
            copy.copy(thing)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            lambda: INFO(size=-1),
            OverflowError,
            r"^TiMemoryAllocateInfo.size must be from 0 to 18446744073709551615, not",
        ),
        (lambda: INFO(size=1 << 64), OverflowError, "TiMemoryAllocateInfo.size"),
        (lambda: INFO(size=1.0), TypeError, "^TiMemoryAllocateInfo.size must be an integer, not float 1.0"),
        (lambda: INFO(host_read=2), OverflowError, "^TiMemoryAllocateInfo.host_read"),
        (lambda: INFO(usage=16), ValueError, "^TiMemoryAllocateInfo.usage must consist of TiMemoryUsageFlagBits"),
        (lambda: capi.TiArgument(type=6), ValueError, "^TiArgument.type must be a TiArgumentType, not 6"),
        (lambda: capi.TiNdArray(memory=capi.TiImage(1)), TypeError, "^TiNdArray.memory must be a TiMemory"),
        (lambda: capi.TiNdArray(memory=5), TypeError, "^TiNdArray.memory must be a TiMemory"),
        (lambda: capi.TiNdArray(shape=3), TypeError, "^TiNdArray.shape must be a TiNdShape"),
        (lambda: capi.TiNdShape(1, [1] * 17), ValueError, "^TiNdShape.dims has 16 places, not 17"),
        (lambda: capi.TiNdShape(1, [-1]), OverflowError, r"^TiNdShape.dims\[0\]"),
        (lambda: capi.TiNdShape().dims[16], IndexError, "^index 16 is out of range: TiNdShape.dims has 16 items"),
        (lambda: capi.TiNamedArgument("a\0b"), ValueError, "^TiNamedArgument.name must not contain a null character"),
        (lambda: capi.TiNamedArgument(b"a"), TypeError, "^TiNamedArgument.name must be a str"),
        (lambda: capi.TiArgument.array(-1), OverflowError, "^the length must be"),
        (lambda: capi.TiArgument.array([1]), TypeError, "^item 0 must be a TiArgument, not int 1"),
        (lambda: capi.TiArgument.array(2)[2], IndexError, "^index 2 is out of range: the array has 2 items"),
        (lambda: capi.TiRuntime(-1), OverflowError, "^the address of a TiRuntime"),
        (lambda: capi.TiRuntime("1"), TypeError, "^the address of a TiRuntime must be an int"),
    ],
)
def test_error_names_the_member_and_the_wrong_value(change, error, message):
    with pytest.raises(error, match=message):
        change()


def test_zero_and_none_are_null_handles():
    for null in (0, None, capi.TI_NULL_HANDLE, capi.TiMemory()):
        assert not capi.TiNdArray(memory=null).memory
    assert len({capi.TiMemory(1), capi.TiMemory(1), capi.TiImage(1)}) == 2


def test_memory_imported_twice_is_freed_twice():
    """Both imports have one handle."""
    runtime = capi.create_runtime(capi.TiArch.TI_ARCH_X64, 0)
    buffer = (ctypes.c_char * 64)()
    address = ctypes.addressof(buffer)
    whole, half = (capi.import_cpu_memory(runtime, address, size) for size in (64, 32))
    assert whole == half
    capi.free_memory(runtime, half)
    with pytest.raises(ValueError, match=r"^the TiMemory\(0x\w+\) was freed$"):
        capi.free_memory(runtime, half)
    assert capi.export_cpu_memory(runtime, whole).size == 64
    assert capi.export_cpu_memory(runtime, capi.TiMemory(int(whole))).size == 64
    capi.destroy_runtime(runtime)
