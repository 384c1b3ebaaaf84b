"""Memory: sizes, flags, views that never dangle, closing."""

import gc
import threading
import tracemalloc
from contextlib import suppress

import numpy as np
import pytest
from helpers.child import in_child
from helpers.machine import is_on_host, resident_bytes
from helpers.objects import load_saxpy
from helpers.raising import assert_raises
from helpers.threads import Background

from taichi_aot import Arch, OutOfMemoryError, Runtime, TaichiError


def allocate_for_host(rt, size):
    return rt.allocate(size, host_read=True, host_write=True)


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


@in_child
def test_array_can_be_mapped_twice(arch):
    memory = allocate_for_host(Runtime(arch), 64)
    first, second = memory.map(), memory.map()
    first.__exit__(None, None, None)
    with first as view, second as other, first as third:
        view[:] = 7
        assert (other == 7).all()
        assert (third == 7).all()
        del view, other, third
    first.__exit__(None, None, None)
    second.__exit__(None, None, None)
    memory.close()
    first.__exit__(None, None, None)
    assert_raises(ValueError, first.__enter__, memory.map().__enter__)


@in_child
def test_mapped_memory_is_not_freed(arch):
    rt = Runtime(arch)
    memory, array = allocate_for_host(rt, 64), rt.full(16, 3.0)
    with memory.map() as view, array.map() as other:
        assert_raises(BufferError, memory.close, array.close, array.memory.close)
        view[:] = 1
        part = other[3:]
    del view, other
    memory.close()
    if is_on_host(arch):
        assert_raises(BufferError, array.close)
    assert part.sum() == 13 * 3
    del array, memory
    gc.collect()
    rt.close()
    assert part.sum() == 13 * 3


@pytest.fixture
def in_host_memory(on_host):
    if not on_host:
        pytest.skip("the system does not see the memory of a GPU")


@pytest.mark.parametrize("size", [4096, 100_000, 900_000, 3_000_000])
@pytest.mark.slow(but="*-900000")
@in_child
def test_dropped_arrays_return_their_memory(arch, in_host_memory, size):
    """Drop 200 MB of arrays at once: the memory returns to the system."""
    rt = Runtime(arch)
    count = (200 << 20) // size
    before = resident_bytes()
    arrays = [rt.full(size, 1, "u8") for _ in range(count)]
    used = resident_bytes() - before
    assert used > 150 << 20, used
    del arrays
    rt.wait()
    left = resident_bytes() - before
    assert left < used / 2, (used, left)  # Vulkan's allocator keeps a block of 64 MiB
    again = [rt.full(size, 1, "u8") for _ in range(min(count, 1000))]
    assert all(array.to_numpy().all() for array in again[::7])


@pytest.mark.slow
@in_child
def test_allocating_again_and_again_does_not_grow(arch):
    rt = Runtime(arch)

    def churn(count):
        for i in range(count):
            rt.zeros(1 + i % 3000)

    count = 100_000 if arch is Arch.X64 else 10_000
    churn(max(3000, count // 10))
    before = resident_bytes()
    churn(count)
    assert resident_bytes() - before < 4 << 20, resident_bytes() - before


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


@in_child
def test_map_keeps_the_launches_of_another_thread(arch, basic):
    """The array has the effect of every accepted launch, although a map may be a copy that is written back."""
    rt, saxpy = load_saxpy(arch, basic)
    one, y = rt.full(1000, 1.0, "f32"), rt.zeros(1000)
    stop = threading.Event()
    accepted = 0

    def launch():
        nonlocal accepted
        while not stop.is_set():
            with suppress(BufferError):  # the array is mapped
                saxpy(1.0, one, y)
                accepted += 1

    thread = Background(launch)
    for _ in range(300):
        with y.map() as view:
            assert view[0] >= 0
    stop.set()
    thread.finish()
    assert accepted > 0
    assert y.to_numpy().tolist() == [accepted] * 1000


def test_map_needs_a_with_statement(rt):
    with pytest.raises(TypeError, match=r"`with array.map\(\) as view:`"):
        np.asarray(rt.zeros(4).map())
