"""Memory shared with numpy."""

from __future__ import annotations

import gc
from array import array
from mmap import mmap

import numpy as np
from helpers.inside import share_with_cuda
from helpers.machine import resident_bytes
from helpers.raising import assert_raises
from helpers.threads import run_together

from scenarios import ArchName
from scenarios.objects import load_saxpy
from taichi_aot import NotSupportedError, Runtime, object_counts


def import_at_any_alignment(arch: ArchName, _module: str) -> None:
    rt = Runtime(arch)
    data = np.zeros(1000, np.uint8)
    for offset in range(1, 20):
        memory = rt.import_memory(data[offset : offset + 100])
        memory.write(bytes([offset]) * 100)
        assert data[offset] == data[offset + 99] == offset
        assert data[offset + 100] != offset
        memory.close()


def collect_imports_in_cycles() -> None:
    """Collect an import in a cycle: the collector clears its memoryview, which must be unexported by then."""
    rt = Runtime("x64")
    for source in (bytearray(64), memoryview(bytearray(64)), array("d", [0.0] * 8), mmap(-1, 64)):
        for _ in range(500):
            memory = rt.import_memory(source)
            memory.write(b"\1" * 64)
            cycle: list[object] = [memory]
            cycle.append(cycle)
            del memory, cycle
            gc.collect(0)
        gc.collect()
        assert bytes(source) == b"\1" * 64
    assert object_counts()["memories"] == 0
    for _ in range(200):  # as a CUDA runtime does with host memory
        try:
            share_with_cuda(bytearray(64))
        except ValueError as error:
            error.args = (error, error.__traceback__)
        gc.collect()


def import_one_address_again_and_again(arch: ArchName, module: str) -> None:
    rt, saxpy = load_saxpy(arch, module)
    data = np.zeros(100, np.float32)
    one = rt.full(100, 1.0, "f32")
    for _ in range(1000):
        saxpy(1.0, one, rt.from_dlpack(data))
    assert (data == 1000).all()


def import_our_own_memory(arch: ArchName, _module: str) -> None:
    rt = Runtime(arch)
    memory = rt.allocate(400, host_read=True, host_write=True)
    memory.fill(1)
    with memory.map() as view:
        again = rt.import_memory(view)
    again.fill(2)
    again.close()
    del again, view
    gc.collect()
    assert memory.read() == bytes([2]) * 400
    memory.close()


def drop_the_owner(arch: ArchName, module: str) -> None:
    rt, saxpy = load_saxpy(arch, module)
    data = np.arange(100, dtype=np.float32)
    array = rt.from_dlpack(data)
    del data
    gc.collect()
    junk = [np.full(100, 7, np.float32) for _ in range(100)]
    saxpy(1.0, array, array)
    assert array.to_numpy().tolist() == [2 * i for i in range(100)]
    launch = saxpy.bind(1.0, array, array)
    del array
    gc.collect()
    junk += [np.full(100, 7, np.float32) for _ in range(100)]
    launch()


def import_what_cannot_be_shared(arch: ArchName, _module: str) -> None:
    rt = Runtime(arch)
    frozen = np.zeros(4, np.float32)
    frozen.flags.writeable = False
    assert_raises(
        BufferError,
        lambda: rt.import_memory(frozen),
        lambda: rt.import_memory(bytes(4)),
        lambda: rt.import_memory(np.zeros((4, 4))[:, 1]),
        lambda: rt.from_dlpack(np.zeros(8, np.float32)[::2]),
    )
    assert_raises(
        TypeError,
        lambda: rt.import_memory(None),  # type: ignore[arg-type]
        lambda: rt.import_memory(3),  # type: ignore[arg-type]
        lambda: rt.from_dlpack("text"),  # type: ignore[call-overload]
        lambda: rt.from_dlpack(np.zeros(3, complex)),
    )
    assert_raises(ValueError, lambda: rt.import_memory(bytearray()), lambda: rt.import_memory(np.empty(0)))


def import_into_a_closed_runtime(arch: ArchName, module: str) -> None:
    data = np.ones(100, np.float32)

    def use() -> None:
        rt, saxpy = load_saxpy(arch, module)
        array, memory = rt.from_dlpack(data), rt.import_memory(data)
        rt.close()
        assert_raises(
            ValueError,
            lambda: rt.import_memory(data),
            array.to_numpy,
            memory.read,
            lambda: saxpy(1.0, array, array),
        )

    use()
    gc.collect()
    assert (data == 1).all()


def refuse_host_memory(arch: ArchName, _module: str) -> None:
    rt = Runtime(arch)
    data = np.ones(4, np.float32)
    error = ValueError if arch == "cuda" else NotSupportedError
    assert_raises(error, lambda: rt.import_memory(data), lambda: rt.from_dlpack(data))
    assert rt.asarray(data).to_numpy().tolist() == [1] * 4


def import_without_growing() -> None:
    """Import the same memory repeatedly: the library leaks per import, so it must import once."""
    rt = Runtime("x64")
    data = np.zeros(1000, np.float32)

    def churn(count: int) -> None:
        for _ in range(count):
            rt.from_dlpack(data)
            rt.import_memory(data)

    churn(1000)
    before = resident_bytes()
    churn(50_000)
    assert resident_bytes() - before < 1 << 20, resident_bytes() - before


left_at_exit: list[object] = []


def share_in_threads() -> None:
    rt = Runtime("x64")

    def work() -> None:
        for i in range(400):
            data = np.full(100 + i % 7, i, np.float32)
            ours = rt.from_dlpack(data)
            theirs = np.from_dlpack(ours)
            assert (theirs == i).all()
            cycle: list[object] = [ours, theirs]
            cycle.append(cycle)
            if i % 50 == 0:
                gc.collect()
            assert np.asarray(rt.full(10, i, "f32")).sum() == 10 * i

    run_together(work, work, work, work)
    left = rt.full(10, 1.0)
    left_at_exit.extend([np.from_dlpack(left), rt.full(10, 1.0).__dlpack__()])
