"""Signal handlers, finalizers and owners call the library within a call; each in a child process."""

import gc
import signal
from collections.abc import Callable
from contextlib import ExitStack, suppress

import pytest
from helpers.child import in_child
from helpers.objects import make
from helpers.operations import HEAVY, assert_working, every_operation
from helpers.tracing import at_each_bytecode, at_every_bytecode

from taichi_aot import Runtime


class ClosesInCycle:
    """Close an object when the garbage collector finds it."""

    def __init__(self, thing):
        self.thing = thing
        self.cycle = self

    def __del__(self):
        self.thing.close()


class Owner(bytearray):
    """Memory that calls a function when freed."""

    on_free: Callable[[], object]

    def __del__(self):
        self.on_free()


@in_child
def test_signal_handler_may_use_the_runtime(arch, basic):
    things = make(arch, basic)
    calls = 0

    def handle(_signal, _frame):
        nonlocal calls
        calls += 1
        with suppress(RuntimeError):  # refused inside another call
            assert things.x.to_numpy()[0] == 1
            things.rt.zeros(10).close()
        if calls < 500:  # none comes after the last, when the interpreter no longer handles signals
            signal.setitimer(signal.ITIMER_REAL, 0.001)  # not before, so that handlers do not pile up on a busy machine

    every = every_operation(arch, basic, things)
    light = [every[name] for name in every if name not in HEAVY]
    signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    while calls < 500:
        for operation in light:
            operation()
    assert_working(things)


@pytest.mark.slow
@in_child
def test_handler_may_use_the_runtime_at_every_bytecode(arch, basic):
    things = make(arch, basic)
    other = things.rt.full(4, 7.0, "f32")

    def use():
        with suppress(RuntimeError):
            assert other.to_numpy()[0] == 7

    for name, operation in every_operation(arch, basic, things).items():
        print(name, flush=True)
        with at_every_bytecode(use):
            operation()
    assert_working(things)


@pytest.mark.slow
@in_child
def test_handler_may_close_the_runtime_at_each_bytecode(arch, basic):
    """Close the runtime in a handler at each bytecode: the operation ends or raises, and closing works."""
    things = make(arch, basic)

    def use(rt):
        x = rt.full(100, 1.0, "f32")
        x.to_numpy()
        with x.map() as view:
            view[:] = 2
        rt.wait()

    box = [Runtime(arch)]

    def close():
        with suppress(RuntimeError, BufferError):
            box[0].close()

    for _ in at_each_bytecode(lambda: use(box[0]), close, at_most=25):
        box[0].close()
        assert box[0].closed
        box[0] = Runtime(arch)
    assert_working(things)


@pytest.mark.slow
@in_child
def test_finalizer_in_a_cycle_may_close(arch, basic):
    things = make(arch, basic)
    stock = []
    gc.freeze()

    def collect():
        if stock:
            ClosesInCycle(stock.pop())
            gc.collect()

    for name, operation in every_operation(arch, basic, things).items():
        print(name, flush=True)
        stock += [things.rt.zeros(4) for _ in range(300)]
        with at_every_bytecode(collect):
            operation()
    assert_working(things)


@in_child
def test_finalizers_may_run_at_every_allocation(arch):
    """Close an array with live views while each garbage collection adds one more."""
    rt = Runtime(arch)
    arrays = [rt.zeros(16) for _ in range(50)]
    begun = []

    def begin_another(phase, info):
        if phase == "stop":
            begun.append(arrays[1].map().__enter__())

    with ExitStack() as stack:
        views = [stack.enter_context(x.map()) for x in arrays]
        thresholds = gc.get_threshold()
        for threshold in range(1, 60):
            kept = [(number, threshold) for number in range(5000)]  # CPython has no freed tuples left to reuse
            gc.callbacks.append(begin_another)
            gc.set_threshold(threshold)
            try:
                arrays[0].close()
            except BufferError:
                pass
            else:
                raise AssertionError("closed a mapped array")
            finally:
                gc.set_threshold(*thresholds)
                gc.callbacks.remove(begin_another)
            assert kept
        assert begun
    del views
    begun.clear()
    rt.close()


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
@in_child
def test_owner_may_use_the_runtime_when_it_is_freed(arch):
    rt = Runtime(arch)
    freed = []

    def use():
        freed.append(rt.zeros(3).to_numpy().sum())

    for close in (True, False):
        owner = Owner(400)
        owner.on_free = use
        memory = rt.import_memory(owner)
        del owner
        if close:
            memory.close()
        del memory
        gc.collect()
        rt.wait()
    assert freed == [0, 0]
