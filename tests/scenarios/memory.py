"""Memory: map and free in every order, odd sizes, mixed-up runtimes, repeated allocation."""

from __future__ import annotations

import gc

from helpers.machine import is_on_host, resident_bytes
from helpers.raising import assert_raises

from scenarios import ArchName
from taichi_aot import Memory, Runtime, object_counts


def allocate_for_host(rt: Runtime, size: int) -> Memory:
    return rt.allocate(size, host_read=True, host_write=True)


def map_twice(arch: ArchName, _module: str) -> None:
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


def free_twice(arch: ArchName, _module: str) -> None:
    rt = Runtime(arch)
    for _ in range(10):
        memory = allocate_for_host(rt, 64)
        memory.close()
        memory.close()
        a, b = allocate_for_host(rt, 64), allocate_for_host(rt, 64)
        a.write(bytes([1]) * 64)
        b.write(bytes([2]) * 64)
        assert a.read() == bytes([1]) * 64


def free_while_mapped(arch: ArchName, _module: str) -> None:
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


def allocate_beyond_all_memory(arch: ArchName, _module: str) -> None:
    rt = Runtime(arch)
    for size in (1 << 40, 1 << 44, (1 << 47) - 1, 1 << 47, 2**63 - 1, 2**63, 2**64 - 1, 2**64):
        try:
            memory = allocate_for_host(rt, size)
        except MemoryError:
            continue
        assert size <= 1 << 44, size  # a system that overcommits
        memory.close()
    assert rt.full(10, 1.0).to_numpy().sum() == 10


def mix_two_runtimes(arch: ArchName, module: str) -> None:
    """Mix memory of two runtimes, whose handles in the library are equal."""
    one, two = Runtime(arch), Runtime(arch)
    a, b = one.full(16, 1.0, "f32"), two.full(16, 2.0, "f32")
    kernels = one.load_module(module).kernels
    saxpy, swap = kernels["saxpy"], kernels["swap"]
    assert_raises(
        ValueError,
        lambda: saxpy(1.0, a, b),
        lambda: saxpy(1.0, b, a),
        lambda: swap(a, b),
        lambda: saxpy.bind(1.0, b, b),
    )
    two.close()
    assert_raises(ValueError, lambda: saxpy(1.0, a, b), lambda: a.copy_from(b), lambda: a.memory.copy_from(b.memory))
    assert a.to_numpy().tolist() == [1] * 16


def zero_dirty_memory(arch: ArchName, _module: str) -> None:
    rt = Runtime(arch)
    for _ in range(20):
        rt.full(1 << 18, 7.0)
        assert not rt.zeros(1 << 18).to_numpy().any()


def return_many_arrays(arch: ArchName, size: str) -> None:
    """Drop 200 MB of arrays at once: the memory returns to the system."""
    rt = Runtime(arch)
    count = (200 << 20) // int(size)
    before = resident_bytes()
    arrays = [rt.full(int(size), 1, "u8") for _ in range(count)]
    used = resident_bytes() - before
    assert used > 150 << 20, used
    del arrays
    rt.wait()
    left = resident_bytes() - before
    assert left < used / 2, (used, left)  # Vulkan's allocator keeps a block of 64 MiB
    again = [rt.full(int(size), 1, "u8") for _ in range(min(count, 1000))]
    assert all(array.to_numpy().all() for array in again[::7])


def allocate_again_and_again(arch: ArchName, count: str) -> None:
    rt = Runtime(arch)

    def churn(count: int) -> None:
        for i in range(count):
            rt.zeros(1 + i % 3000)

    churn(max(3000, int(count) // 10))
    before = resident_bytes()
    churn(int(count))
    assert resident_bytes() - before < 4 << 20, resident_bytes() - before


def return_again_and_again(arch: ArchName, module: str) -> None:
    """Call kernels repeatedly: calls reuse the memory of return values, and dropped launches free it."""
    rt = Runtime(arch)
    kernel = rt.load_module(module).kernels["scalar_i64"]

    def churn(count: int) -> None:
        for i in range(count):
            assert kernel(i) == i
            if i % 10 == 0:
                launch = kernel.bind(-i)
                launch()
                assert launch.result() == -i

    churn(2000)
    memories, before = object_counts()["memories"], resident_bytes()
    churn(10_000)
    assert object_counts()["memories"] == memories
    assert resident_bytes() - before < 6 << 20, resident_bytes() - before  # lavapipe leaks 200 bytes per launch
