"""Dropping and closing in every order, cycles, threads, forks, process exit; each in a child process."""

import atexit
import gc
import itertools
import multiprocessing
import os
import sys
import threading
import time
from contextlib import suppress
from fractions import Fraction
from functools import partial
from types import ModuleType

import numpy as np
import pytest
from helpers.child import in_child
from helpers.inside import begin_to_close, free_mark, pretend_gpu_was_used, was_gpu_used
from helpers.machine import is_on_host
from helpers.objects import FORKED, NAMES, make, run_in_fork, work_of_a_pool
from helpers.raising import assert_raises
from helpers.threads import Background, assert_interrupted, run_together

from taichi_aot import (
    Arch,
    ErrorCode,
    NotSupportedError,
    Runtime,
    WaitTimeoutError,
    available_archs,
    library_path,
    object_counts,
)

pytestmark = pytest.mark.slow(but="x64*")

kept = []  # until the interpreter exits


def import_buffer(rt):
    """Return imported foreign memory if the runtime's arch is on the host, else None."""
    return rt.import_memory(bytearray(4096)) if rt.arch.is_cpu else None


@in_child
def test_cycle_with_views_is_collected(arch, basic):
    for _ in range(5):
        things = make(arch, basic)
        context = things.x.map()
        things.others = [things, context, context.__enter__()[3:]]
        del things, context
        gc.collect()


@pytest.mark.slow(but="*")
@in_child
def test_process_exits_with_everything_open(arch, basic):
    things = make(arch, basic)
    context = things.x.map()
    things.others = [things, context, context.__enter__()]
    things.kernel(1.0, things.y, things.y)
    kept.append(things)


@in_child
def test_process_exits_with_a_view_of_a_closed_runtime(arch, basic):
    things = make(arch, basic)
    with things.x.map() as view:
        pass
    things.rt.close()
    kept.extend([things, view])


@in_child
def test_process_exits_with_modules_cleared_first(arch, basic):
    """Exit as Nuitka's programs do: run exit handlers, clear modules, finalize objects."""
    things = make(arch, basic)
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


@in_child
def test_process_exits_with_a_daemon_thread_in_the_library(arch, basic):
    things = make(arch, basic)
    started = threading.Event()

    def work():
        while True:
            things.kernel(1.0, things.x, things.y)
            things.rt.wait()
            started.set()

    threading.Thread(target=work, daemon=True).start()
    started.wait()
    time.sleep(0.05)


@in_child
def test_runtime_is_closed_while_other_threads_use_it(arch, basic):
    things = make(arch, basic)

    def work():
        while True:
            things.kernel(1.0, things.x, things.y)
            things.rt.full(10, 1.0).to_numpy()

    threads = [Background(work) for _ in range(3)]
    time.sleep(0.3)
    things.rt.close()
    for thread in threads:
        assert_raises(ValueError, thread.finish, match="closed")


@in_child
def test_array_is_closed_while_a_kernel_writes_to_it(arch, basic):
    things = make(arch, basic)
    rt, spin = things.rt, things.module.kernels["spin"]
    out = rt.zeros(1000, "i32")
    thread = Background(spin, 3_000_000, out)
    time.sleep(0.1)
    out.close()
    other = rt.zeros(1000, "i32")
    thread.finish()
    rt.wait()
    assert not other.to_numpy().any()


@in_child
def test_forked_child_refuses_what_it_inherits(arch, basic):
    things = make(arch, basic)
    context = things.x.map()
    view = context.__enter__()
    launch = things.kernel.bind(0.0, things.x, things.y)
    sequence = things.rt.sequence([launch])
    part = things.memory[3:9]
    event, timer = things.rt.record_event(), things.rt.timer()

    def refuse_the_inherited():
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
            lambda: rt.load_module(basic),
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

    def use_the_inherited():
        nonlocal view, context, event, timer
        refuse_the_inherited()
        assert view[0] == 1
        del view, context, event, timer
        for name in NAMES:
            delattr(things, name)
        gc.collect()
        if arch in map(str, available_archs()):
            assert make(arch, basic).y.to_numpy()[0] == 3

    assert run_in_fork(use_the_inherited) == FORKED
    assert things.y.to_numpy()[0] == 3
    assert view[0] == 1
    assert event.done


@in_child
def test_process_forks_while_another_thread_uses_it(arch, basic):
    things = make(arch, basic)
    stop = threading.Event()

    def work():
        while not stop.is_set():
            things.kernel(0.0, things.x, things.y)
            things.rt.wait()

    def use_the_inherited():
        assert_raises(ValueError, things.rt.wait, things.x.to_numpy)
        things.rt.close()
        os._exit(FORKED)

    thread = Background(work)
    for _ in range(5):
        assert run_in_fork(use_the_inherited) == FORKED
    stop.set()
    thread.finish()


@in_child
def test_worker_processes_have_their_own(arch, basic):
    kept.append(make(arch, basic))
    # A forked child cannot use a GPU that its parent used.
    for method in ("spawn",) if was_gpu_used() else ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            results = pool.starmap(work_of_a_pool, [(arch, basic, i) for i in range(4)])
        assert results == [3, 4, 5, 6]


@in_child
def test_process_forks_after_a_gpu_was_used(arch, basic):
    """Fork after a pretended use of a GPU: NVIDIA's driver crashes a forked child that creates a device."""
    make(arch, basic).rt.close()
    pretend_gpu_was_used()

    def create():
        assert_raises(NotSupportedError, lambda: Runtime("vulkan"), match="'spawn'")
        Runtime("x64").close()
        assert Runtime().arch is Arch.X64
        assert available_archs() == (Arch.X64,)
        os._exit(FORKED)

    assert run_in_fork(create) == FORKED


@in_child
def test_runtime_is_dropped_in_another_thread(arch, basic):
    box = [make(arch, basic)]
    assert object_counts()["runtimes"] == 1

    def work():
        box.clear()
        gc.collect()

    Background(work).finish()
    make(arch, basic).rt.close()  # destroys the runtime that the other thread could not
    assert not any(object_counts().values())


@pytest.mark.scaled
@in_child(timeout=300)
def test_objects_can_be_dropped_in_every_order(arch, basic, scaled):
    for order in itertools.islice(itertools.permutations(NAMES), 0, None, scaled(499, 97)):
        things = make(arch, basic)
        for name in order:
            delattr(things, name)


@pytest.mark.scaled
@in_child(timeout=300)
def test_objects_can_be_closed_in_every_order(arch, basic, scaled):
    for order in itertools.islice(itertools.permutations(["rt", "module", "x", "memory"]), 0, None, scaled(5, 1)):
        things = make(arch, basic)
        for name in order:
            getattr(things, name).close()
            getattr(things, name).close()


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
@in_child
def test_cpu_runtimes_survive_many_sparse_fields(arch, modules):
    """The library in taichi's wheel crashes at the fifth of these modules: each fills chunks of 1 GiB of addresses."""
    if "_bundle" not in library_path():
        pytest.skip("only the bundled library has the fix")
    for _ in range(12):
        with Runtime(arch) as rt:
            kernels = rt.load_module(modules / "sparse.tcm").kernels
            out = rt.zeros(16, "i32")
            kernels["increase"]()
            kernels["read"](out)
            assert out.to_numpy().tolist() == [0] * 5 + [1] + [0] * 10


@pytest.fixture
def iterations(arch):
    """Iterations of a launch that takes some tenths of a second, beside which others go on."""
    numbers = {Arch.VULKAN: 3_000_000, Arch.CUDA: 150_000_000}
    if arch not in numbers:
        pytest.skip("launches or waits are made by the library, in one piece")
    return numbers[arch]


@pytest.mark.scaled
@pytest.mark.slow(but="*")
@in_child
def test_interrupt_ends_each_wait(arch, basic, iterations, scaled):
    """Interrupt each wait while the device works: it ends before the work, which goes on, and the runtime is usable."""
    rt = Runtime(arch)
    kernels = rt.load_module(basic).kernels
    # Lavapipe ends each loop after 65,536 iterations, so many elements make its launches long.
    spin, out, single = kernels["spin"], rt.zeros(20_000, "i32"), rt.allocate(64, host_read=True)
    launch = spin.bind(iterations, out)
    waits = [
        rt.wait,
        out.to_numpy,
        rt.close,
        lambda: rt.wait(timeout=1000),
        lambda: out.write(np.zeros(20_000, np.int32)),
        out.map().__enter__,
        lambda: single.read(0, 8),
        single.map().__enter__,
    ]
    for wait in waits[: scaled(2, 9)]:
        for _ in range(4):
            launch()
        assert_interrupted(wait)
        with pytest.raises(TimeoutError):
            rt.wait(timeout=0)
        rt.wait()
        assert out.to_numpy().all()
        out.fill(0)
    for repeat in (10**6, 10**6):  # the library launches at first, then launches are recorded
        assert_interrupted(partial(rt.sequence([launch]), repeat))
    rt.wait()
    assert out.to_numpy().all()
    rt.close()
    assert not any(object_counts().values())


@pytest.mark.slow(but="*")
@in_child
def test_marks_are_used_again(arch, basic, iterations):
    """Set more marks of each kind than are kept, and drop them: waits and events work as before."""
    rt = Runtime(arch)
    kernels = rt.load_module(basic).kernels
    out = rt.zeros(1000, "i32")
    launch, poke = kernels["spin"].bind(iterations, out), kernels["poke"].bind(3, out)
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


@pytest.mark.slow(but="*")
@in_child
def test_events_can_be_freed_while_closing(arch):
    """Free the mark of an event after closing has begun, as a finalizer does that was interrupted before."""
    rt = Runtime(arch)
    dropped, kept = rt.record_event(), rt.record_event()
    begin_to_close(rt)
    free_mark(dropped)
    rt.close()
    with pytest.raises(ValueError, match="the runtime is closed"):
        kept.wait()


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
@in_child
def test_waits_end_beside_a_long_launch(arch, basic):
    """On a CPU another thread is in a launch: waits end after their timeout, and reached events are done."""
    rt = Runtime("x64")
    spin, out = rt.load_module(basic).kernels["spin"], rt.zeros(1, "i32")  # on one core, however many there are
    event, begun = rt.record_event(), threading.Event()

    def work():
        begun.set()
        spin(2_000_000_000, out)

    thread = Background(work)
    begun.wait()
    time.sleep(0.05)
    assert event.done
    event.wait(timeout=0)
    with pytest.raises(TimeoutError):
        rt.wait(timeout=0.001)
    assert_interrupted(rt.wait)
    assert thread.is_alive()
    thread.finish()
    rt.wait(timeout=0)


@pytest.mark.slow(but="*")
@in_child
def test_waits_end_after_their_timeout(arch, basic, iterations):
    """Wait with all kinds of timeouts."""
    rt = Runtime(arch)
    spin, out = rt.load_module(basic).kernels["spin"], rt.zeros(1000, "i32")
    sound = [None, 0, 0.0, 1e-9, 10, 1e300, float("inf"), np.float32(1), Fraction(1, 3)]
    for idle in sound:
        rt.wait(idle)
    refused = [("1", TypeError), (1j, TypeError), (-1, ValueError), (float("nan"), ValueError)]
    for wrong, error in refused:
        with pytest.raises(error, match="timeout"):
            rt.wait(wrong)
    spin(2 * iterations, out)
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


@pytest.mark.scaled
@pytest.mark.slow(but="*")
@in_child
def test_threads_wait_while_another_launches(arch, basic, scaled):
    """Wait in several threads while another launches: each wait covers what was launched before it."""
    rt = Runtime(arch)
    poke = rt.load_module(basic).kernels["poke"]
    arrays = [rt.zeros(8, "i32") for _ in range(4)]
    other, stop = rt.zeros(8, "i32"), threading.Event()

    def use(array):
        launches = [poke.bind(i, array) for i in range(8)]
        for _ in range(scaled(4, 30)):
            for launch in launches:
                launch()
            rt.wait()
            assert array.to_numpy().sum() == 8
            array.fill(0)

    def keep_launching():
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


@pytest.mark.parametrize("launch", ["call", "bound"])
@pytest.mark.parametrize("wait", ["wait", "to_numpy", "close"])
@in_child
def test_interrupt_is_raised_once_a_long_call_returns(arch, basic, launch, wait):
    """Interrupt a long launch, or a wait of the library: the kernel finishes, and no later line runs."""
    if arch is Arch.CUDA:
        pytest.skip("the kernel ends before the signal")
    count, size = (8, 20_000) if arch is Arch.VULKAN else (1, 1000)
    rt = Runtime(arch)
    spin = rt.load_module(basic).kernels["spin"]
    out = rt.zeros(size, "i32")
    launches = {"call": partial(spin, 3_000_000, out), "bound": lambda: spin.bind(3_000_000, out)()}
    waits = {"wait": rt.wait, "to_numpy": out.to_numpy, "close": rt.close}

    def launch_and_wait():
        for _ in range(count):
            launches[launch]()
        waits[wait]()

    assert_interrupted(launch_and_wait)
    if not rt.closed:
        assert out.to_numpy().all()
        rt.close()
    with Runtime(arch) as other:
        assert other.full(3, 1.0).to_numpy().sum() == 3
