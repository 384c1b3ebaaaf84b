"""Memory: sizes, flags, views that never dangle, closing."""

import gc
import tracemalloc

import numpy as np
import pytest
from helpers.child import run_scenario

from taichi_aot import Arch, MemoryUsage, OutOfMemoryError, Runtime, TaichiError

MISUSES = [
    "map_twice",
    "free_twice",
    "free_while_mapped",
    "allocate_beyond_all_memory",
    "mix_two_runtimes",
    "zero_dirty_memory",
]


@pytest.mark.parametrize("size", [1, 3, 4096, 1 << 20, (1 << 20) + 1])
def test_bytes_survive_a_round_trip(rt, size):
    memory = rt.allocate(size, host_read=True, host_write=True)
    assert memory.size == size
    assert memory.runtime is rt
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
    memory.write(data)
    assert memory.read() == data.tobytes()
    assert memory.read(size // 2) == data[size // 2 :].tobytes()
    memory.write(b"\x07", size - 1)
    assert memory.read(size - 1, 1) == b"\x07"


@pytest.mark.parametrize("size", [0, -1, -(10**18)])
def test_size_below_one_is_a_value_error(rt, size):
    with pytest.raises(ValueError, match=f"at least 1 byte, not {size}"):
        rt.allocate(size)


@pytest.mark.parametrize("size", [10**13, 10**18, 2**63, 2**64 - 1, 10**30])
def test_impossible_size_is_a_memory_error(rt, size):
    with pytest.raises(MemoryError) as caught:
        rt.allocate(size)
    assert isinstance(caught.value, OutOfMemoryError)
    assert isinstance(caught.value, TaichiError)
    assert "bytes" in str(caught.value)
    assert rt.full(3, 1.0).to_numpy().sum() == 3


@pytest.mark.parametrize("size", ["12", 1.5, None])
def test_size_must_be_an_integer(rt, size):
    with pytest.raises(TypeError):
        rt.allocate(size)


def test_map_needs_a_host_flag_on_every_arch(rt):
    neither = rt.allocate(16)
    with pytest.raises(ValueError, match="not host-accessible"):
        neither.map().__enter__()
    with rt.allocate(16, host_read=True).map() as view:
        assert not view.flags.writeable
    with rt.allocate(16, host_write=True).map() as view:
        view[:] = 1


@pytest.mark.parametrize("flags", [{}, {"host_read": True}, {"host_write": True}], ids=str)
@pytest.mark.parametrize("size", [1, 1000, (4 << 20) + 7, 9 << 20])
def test_device_only_memory_can_be_read_and_written(rt, flags, size):
    memory = rt.allocate(size, **flags)
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
    memory.write(data)
    assert memory.read() == data.tobytes()
    memory.write(b"\x07", size - 1)
    memory.write(b"\x08", 0)
    assert memory.read(size - 1, 1) == (b"\x07" if size > 1 else b"\x08")
    memory.fill(3)
    assert memory.read() == b"\x03" * size


def test_ranges_are_checked(rt):
    memory = rt.allocate(16, host_read=True, host_write=True)
    for use in (
        lambda: memory.read(17),
        lambda: memory.read(-1),
        lambda: memory.read(8, 9),
        lambda: memory.read(0, -1),
        lambda: memory.write(b"12345678", 9),
        lambda: memory.write(b"1", -1),
        lambda: memory.write(bytes(17)),
    ):
        with pytest.raises(IndexError, match="16 bytes"):
            use()
    memory.write(b"", 16)
    assert memory.read(16) == b""


def test_only_contiguous_buffers_are_written(rt):
    memory = rt.allocate(64, host_read=True, host_write=True)
    with pytest.raises(TypeError, match="contiguous"):
        memory.write(np.arange(16, dtype=np.int32)[::2])
    with pytest.raises(TypeError, match="data must be bytes or an array, not"):
        memory.write("text")
    memory.write(np.arange(16, dtype=np.int32).reshape(4, 4))
    assert np.frombuffer(memory.read(), np.int32).tolist() == list(range(16))


def test_view_is_the_memory_itself(rt):
    array = rt.zeros(64, "u8")
    with array.map() as first, array.map() as second, array.memory.map() as third:
        address = first.ctypes.data
        assert address == second.ctypes.data == third.ctypes.data
        if rt.arch is Arch.X64:
            assert address == array.__array_interface__["data"][0]
        assert not first.flags.owndata
        first[:] = np.arange(64)
        assert (second == np.arange(64)).all()
    assert array.memory.read() == bytes(range(64))


def test_view_outlives_the_runtime(arch):
    rt = Runtime(arch)
    array = rt.asarray(np.arange(1000, dtype=np.float32))
    with array.map() as view:
        tail = view[500:].reshape(2, 250)
    del view
    rt.close()
    del rt, array
    gc.collect()
    assert tail.sum() == np.arange(500, 1000).sum()
    tail[:] = 1
    assert tail.sum() == 500


def test_memory_with_live_views_cannot_be_closed(rt):
    array = rt.full(10, 1.0)
    with array.map() as view:
        part = view[2:4]
        del view
        with pytest.raises(BufferError, match="live views"):
            array.close()
        with pytest.raises(BufferError, match="live views"):
            array.memory.close()
    assert not array.closed
    assert part.sum() == 2
    del part
    array.close()
    assert array.closed
    assert array.memory.closed


def test_memory_can_be_mapped_repeatedly(rt):
    memory = rt.allocate(16, host_read=True, host_write=True)
    for i in range(200):
        with memory.map() as view, memory.map() as other:
            view[0] = i
            assert other[0] == i
    del view, other
    memory.close()


def test_closing_twice_frees_once(rt):
    for _ in range(3):
        first = rt.allocate(16, host_read=True, host_write=True)
        first.close()
        first.close()
    a, b = (rt.allocate(16, host_read=True, host_write=True) for _ in range(2))
    a.write(bytes([1]) * 16)
    b.write(bytes([2]) * 16)
    assert a.read() == bytes([1]) * 16


def address(array):
    return array.__array_interface__["data"][0]


def test_dropped_memory_is_reused(rt):
    if rt.arch is not Arch.X64:
        pytest.skip("blocks are pooled on CPU archs")
    assert len({address(rt.empty(1000)) for _ in range(100)}) == 1


def test_large_dropped_block_is_zeroed_on_linux(rt):
    if rt.arch is not Arch.X64:
        pytest.skip("blocks are pooled on CPU archs")
    first = rt.full(1 << 20, 7.0, "f32")
    before = address(first)
    del first
    again = rt.empty(1 << 20)
    assert address(again) == before
    assert not again.to_numpy().any()


@pytest.mark.parametrize("scenario", MISUSES)
def test_misuse_raises(arch, modules, scenario):
    """Run each case in a child process: the library crashes, hangs or corrupts memory on it."""
    beyond = scenario == "allocate_beyond_all_memory"
    # If the device has less memory, the library complains on stderr.
    done = run_scenario(f"memory:{scenario}", arch, modules / "basic.tcm", quiet=not beyond)
    assert all("out of memory" in line for line in done.stderr.splitlines())


@pytest.mark.slow(but="*-900000")
@pytest.mark.parametrize("size", [4096, 100_000, 900_000, 3_000_000])
def test_dropped_arrays_return_their_memory(arch, on_host, size):
    if not on_host:
        pytest.skip("the arch's arrays are not in host memory")
    run_scenario("memory:return_many_arrays", arch, size)


@pytest.mark.slow
def test_allocating_again_and_again_does_not_grow(arch):
    count = 100_000 if arch is Arch.X64 else 10_000
    run_scenario("memory:allocate_again_and_again", arch, count)


def test_usage_is_checked(rt):
    both = MemoryUsage.STORAGE | MemoryUsage.UNIFORM
    memory = rt.allocate(16, host_read=True, host_write=True, usage=both)
    memory.write(bytes(16))
    with pytest.raises(ValueError, match="1024"):
        rt.allocate(16, usage=1024)


@pytest.mark.parametrize("size", [1000, 100_000_000])
def test_map_does_not_copy(rt, on_host, size):
    """Measure what Python and numpy allocate: mapping copies neither in nor out."""
    if not on_host:
        pytest.skip("its views are copies")
    array = rt.empty(size, "u8")
    with array.map() as view:
        address = view.ctypes.data
        view[-1] = 0  # one-time imports and compilation are done
    del view
    tracemalloc.start()
    try:
        with array.map() as view:
            assert address == view.ctypes.data
            view[0] = view[-1] = 5
            tail = view[size // 2 :].reshape(-1, 5)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20_000
    assert tail.base is not None
    assert tail.shape == (size // 10, 5)
    assert tail[-1, -1] == 5


def test_map_keeps_the_launches_of_another_thread(arch, modules):
    run_scenario("atomicity:map_beside_launches", arch, modules / "basic.tcm")


def test_map_needs_a_with_statement(rt):
    with pytest.raises(TypeError, match=r"`with array.map\(\) as view:`"):
        np.asarray(rt.zeros(4).map())
