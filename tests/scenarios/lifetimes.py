"""Drop and close in every order; cycles, threads, forks, and process exit."""

from __future__ import annotations

import atexit
import gc
import itertools
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from helpers.inside import begin_to_close, free_mark, pretend_gpu_was_used, was_gpu_used
from helpers.machine import is_on_host
from helpers.raising import assert_raises
from helpers.threads import Background, interrupt_after, run_together

from scenarios import ArchName
from scenarios.objects import FORKED, NAMES, make, run_in_fork
from taichi_aot import (
    Arch,
    ErrorCode,
    NdArray,
    NotSupportedError,
    Runtime,
    WaitTimeoutError,
    available_archs,
    capi,
    object_counts,
)


def drop_in_every_order(arch: ArchName, module: str, step: str) -> None:
    for order in itertools.islice(itertools.permutations(NAMES), 0, None, int(step)):
        things = make(arch, module)
        for name in order:
            delattr(things, name)


def close_in_every_order(arch: ArchName, module: str, step: str) -> None:
    for order in itertools.islice(itertools.permutations(["rt", "module", "x", "memory"]), 0, None, int(step)):
        things = make(arch, module)
        for name in order:
            getattr(things, name).close()
            getattr(things, name).close()


def collect_a_cycle(arch: ArchName, module: str) -> None:
    for _ in range(5):
        things = make(arch, module)
        things.others = things
        del things
        gc.collect()


def collect_a_cycle_with_views(arch: ArchName, module: str) -> None:
    for _ in range(5):
        things = make(arch, module)
        context = things.x.map()
        things.others = [things, context, context.__enter__()[3:]]
        del things, context
        gc.collect()


kept: list[object] = []  # until the interpreter exits


def exit_with_everything_open(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    context = things.x.map()
    things.others = [things, context, context.__enter__()]
    things.kernel(1.0, things.y, things.y)
    kept.append(things)


def exit_with_a_view_of_a_closed_runtime(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    with things.x.map() as view:
        pass
    things.rt.close()
    kept.extend([things, view])


def exit_with_modules_cleared_first(arch: ArchName, module: str) -> None:
    """Exit as Nuitka's programs do: run exit handlers, clear modules, finalize objects."""
    things = make(arch, module)
    things.others = [things.x.map(), import_buffer(things.rt)]
    if is_on_host(arch):
        things.others = [things.others, things.x.__dlpack__()]
    if things.rt.arch is Arch.VULKAN:
        things.others = [things.others, things.rt.allocate_image((4, 4), "rgba8")]
    atexit._run_exitfuncs()
    ours = [
        each for name, each in sys.modules.items() if name.startswith("taichi_aot") and isinstance(each, ModuleType)
    ]
    for each in ours:
        vars(each).update(dict.fromkeys(key for key in vars(each) if not key.startswith("__")))
    del things
    gc.collect()


def import_buffer(rt: Runtime) -> object:
    """Return imported foreign memory if the runtime's arch is on the host, else None."""
    return rt.import_memory(bytearray(4096)) if rt.arch.is_cpu else None


def exit_with_a_daemon_thread_in_the_library(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    started = threading.Event()

    def work() -> None:
        while True:
            things.kernel(1.0, things.x, things.y)
            things.rt.wait()
            started.set()

    threading.Thread(target=work, daemon=True).start()
    started.wait()
    time.sleep(0.05)


def drop_in_another_thread(arch: ArchName, module: str) -> None:
    box = [make(arch, module)]

    def work() -> None:
        things = box.pop()
        things.kernel(1.0, things.x, things.y)
        assert things.y.to_numpy()[0] == 4
        things.others = things
        del things
        gc.collect()

    Background(work).finish()
    make(arch, module).rt.close()


def make_and_close_in_another_thread(arch: ArchName, module: str) -> None:
    box = []

    def work() -> None:
        things = make(arch, module)
        box.append(things)
        things.x.close()

    Background(work).finish()
    assert box[0].y.to_numpy()[0] == 3
    box[0].rt.close()


def use_in_many_threads(arch: ArchName, module: str) -> None:
    things = make(arch, module)

    def work() -> None:
        for i in range(200):
            things.kernel(0.0, things.x, things.y)
            array = things.rt.full(1000, i, "f32")
            assert array.to_numpy()[-1] == i
            if i % 40 == 0:
                things.rt.wait()
            if i % 50 == 0:
                things.rt.load_module(module).kernels["saxpy"](0.0, things.x, things.y)

    run_together(work, work, work, work)
    assert things.y.to_numpy()[0] == 3


def make_and_close_in_many_threads(arch: ArchName, module: str) -> None:
    def work() -> None:
        for _ in range(5):
            things = make(arch, module)
            assert things.y.to_numpy()[0] == 3
            things.rt.close()

    run_together(work, work, work)


def close_while_other_threads_use_it(arch: ArchName, module: str) -> None:
    things = make(arch, module)

    def work() -> None:
        while True:
            things.kernel(1.0, things.x, things.y)
            things.rt.full(10, 1.0).to_numpy()

    threads = [Background(work) for _ in range(3)]
    time.sleep(0.3)
    things.rt.close()
    for thread in threads:
        assert_raises(ValueError, thread.finish, match="closed")


def close_an_array_while_a_kernel_writes_to_it(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    rt, spin = things.rt, things.module.kernels["spin"]
    out = rt.zeros(1000, "i32")
    thread = Background(spin, 3_000_000, out)
    time.sleep(0.1)
    out.close()
    other = rt.zeros(1000, "i32")
    thread.finish()
    rt.wait()
    assert not other.to_numpy().any()


def fork(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    context = things.x.map()
    view = context.__enter__()
    launch = things.kernel.bind(0.0, things.x, things.y)
    sequence = things.rt.sequence([launch])
    part = things.memory[3:9]
    event, timer = things.rt.record_event(), things.rt.timer()

    def refuse_the_inherited() -> None:
        rt, own_module, kernel, x = things.rt, things.module, things.kernel, things.x
        assert rt.closed
        assert own_module.closed
        assert x.closed
        assert_raises(
            ValueError,
            launch,
            sequence,
            lambda: launch.update(a=1.0),
            part.read,
            lambda: part.fill(1),
            lambda: x.copy_from(x),
            x.__dlpack__,
            lambda: rt.sequence([launch])(3),
            lambda: rt.load_module(module),
            rt.flush,
            lambda: rt.zeros(3),
            x.to_numpy,
            lambda: kernel(1.0, x, x),
            things.memory.read,
            lambda: own_module.kernels["iota"],
            rt.timer,
            timer.__enter__,
            lambda: event.elapsed(event),
        )
        assert_raises(ValueError, rt.wait, event.wait, lambda: event.done, rt.record_event, match="forked")
        rt.close()
        x.close()
        own_module.close()

    def use_the_inherited() -> None:
        nonlocal view, context, event, timer
        refuse_the_inherited()
        assert view[0] == 1
        del view, context, event, timer
        for name in NAMES:
            delattr(things, name)
        gc.collect()
        if arch in map(str, available_archs()):
            assert make(arch, module).y.to_numpy()[0] == 3

    assert run_in_fork(use_the_inherited) == FORKED
    assert things.y.to_numpy()[0] == 3
    assert view[0] == 1
    assert event.done


def fork_while_another_thread_uses_it(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            things.kernel(0.0, things.x, things.y)
            things.rt.wait()

    def use_the_inherited() -> None:
        assert_raises(ValueError, things.rt.wait, things.x.to_numpy)
        things.rt.close()
        os._exit(FORKED)

    thread = Background(work)
    for _ in range(5):
        assert run_in_fork(use_the_inherited) == FORKED
    stop.set()
    thread.finish()


def _work_of_a_pool(arch: ArchName, module: str, i: int) -> float:
    return float(make(arch, module).y.to_numpy()[0]) + i


def use_in_worker_processes(arch: ArchName, module: str) -> None:
    kept.append(make(arch, module))
    # A forked child cannot use a GPU that its parent used.
    for method in ("spawn",) if was_gpu_used() else ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            results = pool.starmap(_work_of_a_pool, [(arch, module, i) for i in range(4)])
        assert results == [3, 4, 5, 6]


def fork_after_a_gpu_was_used(arch: ArchName, module: str) -> None:
    """Fork after a pretended use of a GPU: NVIDIA's driver crashes a forked child that creates a device."""
    make(arch, module).rt.close()
    pretend_gpu_was_used()

    def create() -> None:
        assert_raises(NotSupportedError, lambda: Runtime("vulkan"), match="'spawn'")
        Runtime("x64").close()
        assert Runtime().arch is Arch.X64
        assert available_archs() == (Arch.X64,)
        os._exit(FORKED)

    assert run_in_fork(create) == FORKED


def keep_a_view_of_what_was_dropped(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    with things.x.map() as view:
        part = view[10:20]
    del view, things
    gc.collect()
    for _ in range(20):
        with Runtime(arch) as other:
            other.full(100, 9.0, "f32")
    assert part.tolist() == [1.0] * 10
    part[:] = 2
    assert part.sum() == 20


def drop_a_runtime_in_another_thread(arch: ArchName, module: str) -> None:
    box = [make(arch, module)]
    assert object_counts()["runtimes"] == 1

    def work() -> None:
        box.clear()
        gc.collect()

    Background(work).finish()
    make(arch, module).rt.close()  # destroys the runtime that the other thread could not
    assert not any(object_counts().values())


def interrupt_a_long_call(arch: ArchName, module: str, launch: str, wait: str) -> None:
    """Interrupt a long launch, or a wait of the library: the kernel finishes, and no later line runs."""
    count = 1 if arch == "x64" else 40
    rt = Runtime(arch)
    spin = rt.load_module(module).kernels["spin"]
    out = rt.zeros(1000, "i32")
    launches: dict[str, Callable[[], None]] = {
        "call": lambda: spin(3_000_000, out),
        "bound": lambda: spin.bind(3_000_000, out)(),
    }
    waits: dict[str, Callable[[], object]] = {"wait": rt.wait, "to_numpy": out.to_numpy, "close": rt.close}
    thread = interrupt_after(0.1)
    try:
        for _ in range(count):
            launches[launch]()
        waits[wait]()
    except KeyboardInterrupt:
        print("interrupted")
    thread.finish()
    if not rt.closed:
        assert out.to_numpy().all()
        rt.close()
    with Runtime(arch) as other:
        assert other.full(3, 1.0).to_numpy().sum() == 3


def interrupt_waits(arch: ArchName, module: str, iterations: str, count: str) -> None:
    """Interrupt each wait while the device works: it ends before the work, which goes on, and the runtime is usable."""
    rt = Runtime(arch)
    kernels = rt.load_module(module).kernels
    spin, out, single = kernels["spin"], rt.zeros(1000, "i32"), rt.allocate(64, host_read=True)
    launch = spin.bind(int(iterations), out)
    waits: list[Callable[[], object]] = [
        rt.wait,
        out.to_numpy,
        rt.close,
        rt.zeros(8, "i32").close,
        lambda: rt.wait(timeout=1000),
        lambda: out.write(np.zeros(1000, np.int32)),
        out.map().__enter__,
        lambda: single.read(0, 8),
        single.map().__enter__,
        lambda: capi.wait(rt.handle),
    ]
    for wait in waits[: int(count)]:
        for _ in range(4):
            launch()
        expect_interrupt(wait)
        with pytest.raises(TimeoutError):
            rt.wait(timeout=0)
        rt.wait()
        assert out.to_numpy().all()
        out.fill(0)
    for repeat in (10**6, 10**6):  # the library launches at first, then launches are recorded
        expect_interrupt(partial(rt.sequence([launch]), repeat))
    rt.wait()
    assert out.to_numpy().all()
    rt.close()
    assert not any(object_counts().values())


def set_many_marks(arch: ArchName, module: str, iterations: str) -> None:
    """Set more marks of each kind than are kept, and drop them: waits and events work as before."""
    rt = Runtime(arch)
    kernels = rt.load_module(module).kernels
    out = rt.zeros(1000, "i32")
    launch, poke = kernels["spin"].bind(int(iterations), out), kernels["poke"].bind(3, out)
    events = [rt.record_event() for _ in range(1500)]
    events.clear()
    for _ in range(1500):
        poke()
        with suppress(TimeoutError):
            rt.wait(timeout=0)
    rt.record_event().wait()
    launch()
    with pytest.raises(TimeoutError):
        rt.wait(timeout=0.001)
    rt.wait()
    assert out.to_numpy().all()


def free_events_while_closing(arch: ArchName) -> None:
    """Free the mark of an event after closing has begun, as a finalizer does that was interrupted before."""
    rt = Runtime(arch)
    dropped, kept = rt.record_event(), rt.record_event()
    begin_to_close(rt)
    free_mark(dropped)
    rt.close()
    with pytest.raises(ValueError, match="the runtime is closed"):
        kept.wait()


def wait_beside_a_long_launch(module: str) -> None:
    """On a CPU another thread is in a launch: waits end after their timeout, and reached events are done."""
    rt = Runtime("x64")
    spin, out = rt.load_module(module).kernels["spin"], rt.zeros(1000, "i32")
    event, begun = rt.record_event(), threading.Event()

    def work() -> None:
        begun.set()
        spin(100_000_000, out)

    thread = Background(work)
    begun.wait()
    time.sleep(0.05)
    assert event.done
    event.wait(timeout=0)
    with pytest.raises(TimeoutError):
        rt.wait(timeout=0.001)
    expect_interrupt(rt.wait)
    assert thread.is_alive()
    thread.finish()
    rt.wait(timeout=0)


def expect_interrupt(wait: Callable[[], object]) -> None:
    thread = interrupt_after(0.1)
    with pytest.raises(KeyboardInterrupt):
        wait()
    thread.finish()


def wait_in_threads(arch: ArchName, module: str, rounds: str) -> None:
    """Wait in several threads while another launches: each wait covers what was launched before it."""
    rt = Runtime(arch)
    poke = rt.load_module(module).kernels["poke"]
    arrays = [rt.zeros(8, "i32") for _ in range(4)]
    other, stop = rt.zeros(8, "i32"), threading.Event()

    def use(array: NdArray) -> None:
        launches = [poke.bind(i, array) for i in range(8)]
        for _ in range(int(rounds)):
            for launch in launches:
                launch()
            rt.wait()
            assert array.to_numpy().sum() == 8
            array.fill(0)

    def keep_launching() -> None:
        launch = poke.bind(3, other)
        while not stop.is_set():
            launch()

    background = Background(keep_launching)
    try:
        run_together(*(partial(use, array) for array in arrays))
    finally:
        stop.set()
    background.finish()
    rt.wait(timeout=600)
    assert other.to_numpy()[3] == 1


def wait_with_timeouts(arch: ArchName, module: str, iterations: str) -> None:
    """Wait with all kinds of timeouts."""
    rt = Runtime(arch)
    spin, out = rt.load_module(module).kernels["spin"], rt.zeros(1000, "i32")
    sound: list[Any] = [None, 0, 0.0, 1e-9, 10, 1e300, float("inf"), np.float32(1), Fraction(1, 3)]
    for idle in sound:
        rt.wait(idle)
    refused: list[tuple[Any, type[Exception]]] = [
        ("1", TypeError),
        (1j, TypeError),
        (-1, ValueError),
        (float("nan"), ValueError),
    ]
    for wrong, error in refused:
        with pytest.raises(error, match="timeout"):
            rt.wait(wrong)
    spin(int(iterations), out)
    for short in (0, 1e-9, 0.001):
        with pytest.raises(WaitTimeoutError, match=f"has not finished after {short} s") as caught:
            rt.wait(short)
        assert caught.value.code is ErrorCode.INVALID_STATE
    rt.wait(1000)
    rt.wait(0)
    assert out.to_numpy().all()
    rt.close()
    with pytest.raises(ValueError, match="the runtime is closed"):
        rt.wait(0)
