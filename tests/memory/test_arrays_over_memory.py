"""Arrays over existing memory: shared bytes, lifetimes and refusals."""

import gc

import numpy as np
import pytest
from helpers.inside import count_imports
from helpers.memory import as_on_a_discrete_gpu
from helpers.scaling import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taichi_aot import Arch, MemoryUsage, NotSupportedError, Runtime

HOST = {"host_read": True, "host_write": True}
DATA = np.arange(256, dtype=np.uint8)


@pytest.fixture
def offsets_rt(rt):
    """A runtime of an arch that supports arrays at an offset."""
    if rt.arch not in (Arch.X64, Arch.CUDA):
        pytest.skip("kernels bind whole buffers, without an offset")
    return rt


def filled(rt, **flags):
    memory = rt.allocate(DATA.size, **flags)
    memory.write(DATA)
    return memory


@pytest.mark.parametrize("flags", [{}, HOST, {"host_read": True}, {"host_write": True}], ids=str)
def test_array_shares_the_bytes_of_its_memory(rt, flags):
    memory = filled(rt, **flags)
    x = memory.ndarray((2, 3), "f32", 4)
    assert (x.shape, x.elem_shape, x.dtype, x.offset) == ((2, 3), (4,), np.float32, 0)
    assert x.memory is memory
    assert x.runtime is rt
    assert x.to_numpy().tobytes() == DATA[:96].tobytes()
    x.fill(2)
    assert memory.read() == np.full(24, 2, np.float32).tobytes() + DATA[96:].tobytes()
    x.write(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
    x[1:].copy_from(x[:1])
    assert memory.read() == np.tile(np.arange(12, dtype=np.float32), 2).tobytes() + DATA[96:].tobytes()


def test_two_dtypes_share_the_same_bytes(rt):
    memory = rt.allocate(16)
    reals, words = memory.ndarray(4, "f32"), memory.ndarray((2, 2), "u32")
    reals.fill(1)
    assert words.to_numpy().tolist() == [[0x3F800000] * 2] * 2
    words[1:].fill(0)
    assert reals.to_numpy().tolist() == [1, 1, 0, 0]
    again = rt.zeros(4)
    again.memory.ndarray((), "i32").fill(-1)
    assert again.memory.ndarray(4, "i32").to_numpy().tolist() == [-1, 0, 0, 0]


# Offsets.


def test_every_operation_uses_the_offset(offsets_rt, module):
    rt = offsets_rt
    memory = filled(rt, **HOST)
    x = memory.ndarray(8, "f32", offset=64)
    assert x.offset == 64
    assert x.to_numpy().tobytes() == DATA[64:96].tobytes()
    x.write(range(8))
    with x.map() as view:
        assert view.tolist() == list(range(8))
        view[0] = 9
    x[1:2].fill(8)
    x[6:].copy_from(x[:2])
    expected = [9, 8, 2, 3, 4, 5, 9, 8]
    assert x.to_numpy().tolist() == expected
    assert np.asarray(x).tolist() == expected
    assert np.from_dlpack(x.memory.ndarray(8, "f32", offset=64), device="cpu").tolist() == expected
    y = rt.zeros(8)
    module.kernels["saxpy"](2.0, x, y)
    module.kernels["saxpy"](1.0, y, x)
    module.graphs["twice"](1.0, y, x)
    assert x.to_numpy().tolist() == [7 * value for value in expected]
    other = rt.zeros(8)
    other.copy_from(x)
    x.copy_from(y)
    assert other.to_numpy().tolist() == [7 * value for value in expected]
    assert memory.read()[:64] == DATA[:64].tobytes()
    assert memory.read()[64:96] == (2 * np.array(expected, np.float32)).tobytes()
    assert memory.read()[96:] == DATA[96:].tobytes()


@pytest.mark.parametrize("offset", [4, 8, 12, 20])
@pytest.mark.parametrize("name", ["array_of_vectors_f32", "array_of_matrices_f32", "array_of_vectors_i32"])
def test_elements_need_the_alignment_of_their_dtype(offsets_rt, modules, name, offset):
    kernel = offsets_rt.load_module(modules / "table.tcm").kernels[name]
    parameter = kernel.signature.parameters[0]
    memory = filled(offsets_rt)
    x = memory.ndarray(4, parameter.dtype, parameter.elem_shape, offset=offset)
    out = offsets_rt.allocate(1024).ndarray(4, parameter.dtype, parameter.elem_shape, offset=1024 - x.nbytes - offset)
    kernel(x, out)
    assert out.to_numpy().tobytes() == DATA[offset : offset + x.nbytes].tobytes()


@pytest.mark.parametrize("name", ["i8", "f16", "u32", "f64"])
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(offset=st.integers(-2, 260), count=st.integers(0, 260))
def test_array_lies_within_the_memory_or_is_refused(arch, name, offset, count):
    if arch is Arch.VULKAN:
        offset = 0
    memory = _memories.setdefault(arch, None) or _memories.update({arch: filled(Runtime(arch))}) or _memories[arch]
    dtype = memory.runtime.empty(0, name).dtype
    if offset < 0 or offset + count * dtype.itemsize > DATA.size:
        with pytest.raises(IndexError, match="256 bytes"):
            memory.ndarray(count, name, offset=offset)
    elif offset % dtype.itemsize:
        with pytest.raises(ValueError, match=f"multiple of {dtype.itemsize}"):
            memory.ndarray(count, name, offset=offset)
    else:
        array = memory.ndarray(count, name, offset=offset)
        assert array.to_numpy().tobytes() == DATA[offset : offset + array.nbytes].tobytes()


_memories = {}


def test_imported_memory_holds_arrays(offsets_rt, module):
    if offsets_rt.arch is not Arch.X64:
        pytest.skip("only x64 imports numpy's memory")
    data = np.arange(16, dtype=np.float32)
    x = offsets_rt.import_memory(data).ndarray(4, "f32", offset=16)
    module.kernels["saxpy"](1.0, x, x)
    assert data.tolist() == [0, 1, 2, 3, 8, 10, 12, 14, *range(8, 16)]
    again = offsets_rt.from_dlpack(data[2:]).memory.ndarray(2, "f32", offset=8)
    assert again.to_numpy().tolist() == [8, 10]


def test_many_arrays_at_one_address_do_not_grow_the_library(offsets_rt):
    memory = offsets_rt.allocate(64)
    assert memory.ndarray(2, "f32", offset=8)._handle.ti_memory_at(8)
    before = count_imports(offsets_rt)
    for _ in range(100):
        assert memory.ndarray(2, "f32", offset=8)._handle.ti_memory_at(8)
    assert count_imports(offsets_rt) == before > 0


def test_offset_on_gfx_archs_is_not_supported(rt):
    if rt.arch not in (Arch.VULKAN, Arch.OPENGL):
        pytest.skip("the arch supports offsets")
    memory = rt.allocate(64)
    with pytest.raises(NotSupportedError, match=r"no arrays at an offset \(here of 16 bytes\)"):
        memory.ndarray(4, "f32", offset=16)
    assert memory.ndarray((0, 3), "f32", offset=16).to_numpy().shape == (0, 3)


# Lifetimes.


def test_closing_the_memory_closes_its_arrays(rt, module):
    memory = rt.allocate(40)
    x, y = memory.ndarray(10, "f32"), rt.zeros(10)
    x.fill(1)
    step = module.kernels["saxpy"].bind(1.0, x, y)
    part = x[1:3]
    memory.close()
    assert x.closed
    assert part.closed
    rt.full(10, 5.0)  # may reuse the same memory
    for use in (step, x.to_numpy, lambda: x.fill(1), lambda: part.fill(1), lambda: memory.ndarray(1, "f32")):
        with pytest.raises(ValueError, match="closed"):
            use()
    x.close()
    assert not y.closed


def test_closing_an_array_leaves_its_memory_open(rt, module):
    memory = rt.allocate(40)
    x, y = memory.ndarray(10, "f32"), memory.ndarray(10, "f32")
    y.fill(1)
    step = module.kernels["saxpy"].bind(1.0, x, rt.zeros(10))
    part = x[:5]
    with x:
        pass
    assert x.closed
    assert part.closed
    assert repr(x).startswith("<closed NdArray")
    assert not memory.closed
    for use in (
        step,
        x.to_numpy,
        lambda: part.to_numpy(),
        lambda: np.asarray(x),
        lambda: module.kernels["saxpy"](1.0, x, x),
        x.__enter__,
    ):
        with pytest.raises(ValueError, match=r"closed|entered"):
            use()
    assert y.to_numpy().tolist() == [1] * 10
    x.close()
    memory.close()
    assert y.closed


def test_array_keeps_the_memory_alive(rt):
    x = filled(rt).ndarray(64, "u32")
    gc.collect()
    rt.full(64, -1, "i32")
    assert x.to_numpy().tobytes() == DATA.tobytes()


def test_view_of_an_array_outlives_it_and_holds_the_memory(rt, on_host):
    memory = filled(rt, **HOST)
    x = memory.ndarray(64, "u32")
    with x.map() as view:
        kept = view[1:]
        x.close()
        with pytest.raises(BufferError):
            memory.close()
    assert kept.tobytes() == DATA[4:].tobytes()
    del view, kept
    gc.collect()
    memory.close()


# Mapping.


def test_memory_without_host_write_is_shared_read_only(rt):
    """numpy before 2.1 requests an older DLPack, which has no read-only flag, and gets a copy."""
    x = filled(rt, host_read=True).ndarray(64, "u32")
    view = np.from_dlpack(x, device="cpu")
    assert view.tobytes() == DATA.tobytes()
    if rt.arch is Arch.CUDA:
        return  # a copy
    x.fill(0)
    if np.lib.NumpyVersion(np.__version__) < "2.1.0":
        assert view.tobytes() == DATA.tobytes()
    else:
        assert not view.flags.writeable
        assert view.tobytes() == bytes(256)
    if rt.arch is Arch.X64:
        assert x.__array_interface__["data"][1]
        with pytest.raises(BufferError, match="without a copy"):
            x.__dlpack__(copy=False)


def test_arrays_of_one_memory_are_views_of_one_copy(rt, module):
    with as_on_a_discrete_gpu(rt):
        x = rt.zeros(8)
    y = x.memory.ndarray((2, 4), "f32")
    with x.map() as first, y.map() as second:
        first[0] = 1
        assert second[0, 0] == 1
        second[1, 3] = 2
        with pytest.raises(BufferError):
            module.kernels["saxpy"](1.0, y.memory.ndarray(8, "f32"), rt.zeros(8))
    assert x.to_numpy().tolist() == [1, 0, 0, 0, 0, 0, 0, 2]


# Refusals and usage.


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"shape": 17}, IndexError, "68 bytes"),
        ({"shape": 16, "offset": 4}, IndexError, "68|offset 4"),
        ({"offset": -4}, IndexError, "offset -4"),
        ({"offset": 1 << 1000}, IndexError, "an integer of 1001 bits"),
        ({"offset": 64}, IndexError, "64 bytes"),
        ({"offset": 2}, ValueError, "multiple of 4, the size of f32, not 2"),
        ({"offset": 4.0}, TypeError, "offset must be an integer, not float 4.0"),
        ({"shape": (2**31 - 1, 4)}, ValueError, "too large"),
        ({"shape": 2**31 - 1}, IndexError, "bytes"),
        ({"elem_shape": (4, 8)}, IndexError, "128 bytes"),
    ],
    ids=str,
)
def test_bad_array_is_refused(rt, arguments, error, message):
    memory = rt.allocate(64)
    with pytest.raises(error, match=message):
        memory.ndarray(**{"shape": 1, "dtype": "f32"} | arguments)


def test_kernels_cannot_use_memory_without_storage(rt):
    memory = rt.allocate(64, usage=MemoryUsage.VERTEX)
    with pytest.raises(ValueError, match=r"without MemoryUsage\.STORAGE"):
        memory.ndarray(4, "f32")


@pytest.mark.parametrize("usage", [MemoryUsage.VERTEX, MemoryUsage.STORAGE | MemoryUsage.INDEX, MemoryUsage(15), 4])
def test_arrays_may_have_other_uses(rt, module, usage):
    x = rt.asarray([1.0, 2.0], "f32", usage=usage)
    y, z = rt.zeros(2, usage=usage), rt.full(2, 3.0, usage=usage)
    module.kernels["saxpy"](2.0, x, y)
    module.kernels["saxpy"](1.0, y, z)
    assert z.to_numpy().tolist() == [5, 7]
    assert rt.empty((), "i8", usage=usage).memory.ndarray((), "i8").shape == ()


@pytest.mark.parametrize(("usage", "error"), [(16, ValueError), (-1, ValueError), (1.0, TypeError), (None, TypeError)])
def test_unknown_use_is_refused(rt, usage, error):
    for create in (rt.empty, rt.zeros, rt.allocate, rt.asarray):
        with pytest.raises(error, match=r"[uU]sage"):
            create(3, usage=usage)
    with pytest.raises(error, match=r"[uU]sage"):
        rt.full(3, 1, usage=usage)
