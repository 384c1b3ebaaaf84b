"""Python code that runs inside of our calls and calls us again: signal handlers, finalizers, owners."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import numpy as np
from helpers.tracing import at_each_bytecode, at_every_bytecode

from scenarios.objects import Objects, make
from taichi_aot import NdArray, Runtime


def operations(arch: str, module: str, things: Objects) -> dict[str, Callable[[], object]]:
    """Calls of everything public, each of which leaves the objects as they were."""
    rt, kernel, x, y, memory = things.rt, things.kernel, things.x, things.y, things.memory
    launch = kernel.bind(0.0, x, y)
    sequence = rt.sequence([launch])
    data = np.ones(100, np.float32)

    def map_and_write() -> None:
        with x.map() as view:
            view[:] = 1

    return {
        "zeros": lambda: rt.zeros(1000),
        "asarray": lambda: rt.asarray(data),
        "allocate": lambda: rt.allocate(64, host_read=True),
        "close": lambda: rt.zeros(10).close(),
        "to_numpy": x.to_numpy,
        "write": lambda: x.write(data),
        "fill": lambda: x.fill(1),
        "map": map_and_write,
        "copy_from": lambda: x.copy_from(rt.full(100, 1.0, "f32")),
        "memory.read": memory.read,
        "memory.write": lambda: memory.write(bytes(64)),
        "memory.fill": lambda: memory[1:3].fill(0),
        "flush": rt.flush,
        "wait": rt.wait,
        "launch": lambda: kernel(0.0, x, y),
        "graph": lambda: things.graph(0.0, x, y),
        "bind": lambda: kernel.bind(0.0, x, y),
        "update": lambda: launch.update(x=x),
        "bound": launch,
        "sequence": lambda: sequence(3, ramps={"a": (0, 0)}),
        "kernels": lambda: things.module.kernels["iota"],
        "load_module": lambda: rt.load_module(module),
        "runtime": lambda: Runtime(arch).close(),
    }


def light_operations(arch: str, module: str, things: Objects) -> dict[str, Callable[[], object]]:
    """Those that take less than a millisecond."""
    every = operations(arch, module, things)
    return {name: every[name] for name in every if name not in ("load_module", "runtime")}


def assert_working(things: Objects) -> None:
    before = things.y.to_numpy()[0]
    things.kernel(1.0, things.x, things.y)
    assert things.y.to_numpy()[0] == before + 1


def use_in_a_signal_handler(arch: str, module: str) -> None:
    things = make(arch, module)
    calls = 0

    def handle(_signal: int, _frame: FrameType | None) -> None:
        nonlocal calls
        calls += 1
        with suppress(RuntimeError):  # refused within another call
            assert things.x.to_numpy()[0] == 1
            things.rt.zeros(10).close()

    light = light_operations(arch, module, things).values()
    signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    while calls < 500:
        for operation in light:
            operation()
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert_working(things)


def use_at_every_bytecode(arch: str, module: str) -> None:
    things = make(arch, module)
    other = things.rt.full(4, 7.0, "f32")

    def use() -> None:
        with suppress(RuntimeError):
            assert other.to_numpy()[0] == 7

    for name, operation in operations(arch, module, things).items():
        print(name, flush=True)
        with at_every_bytecode(use):
            operation()
    assert_working(things)


def close_at_each_bytecode(arch: str, module: str) -> None:
    """The operation ends or raises, and the runtime can be closed, whichever bytecode the handler runs at."""
    things = make(arch, module)

    def use(rt: Runtime) -> None:
        x = rt.full(100, 1.0, "f32")
        x.to_numpy()
        with x.map() as view:
            view[:] = 2
        rt.wait()

    box = [Runtime(arch)]

    def close() -> None:
        with suppress(RuntimeError, BufferError):
            box[0].close()

    for _ in at_each_bytecode(lambda: use(box[0]), close, at_most=25):
        box[0].close()
        assert box[0].closed
        box[0] = Runtime(arch)
    assert_working(things)


class ClosesInCycle:
    """Closes something when the garbage collector finds it."""

    def __init__(self, thing: NdArray | Runtime) -> None:
        self.thing = thing
        self.cycle = self

    def __del__(self) -> None:
        self.thing.close()


def collect_at_every_bytecode(arch: str, module: str) -> None:
    things = make(arch, module)
    stock: list[NdArray] = []
    gc.freeze()

    def collect() -> None:
        if stock:
            ClosesInCycle(stock.pop())
            gc.collect()

    for name, operation in operations(arch, module, things).items():
        print(name, flush=True)
        stock += [things.rt.zeros(4) for _ in range(300)]
        with at_every_bytecode(collect):
            operation()
    assert_working(things)


class Owner(bytearray):
    """Memory that calls a function when it is freed."""

    on_free: Callable[[], object]

    def __del__(self) -> None:
        self.on_free()


def drop_an_owner_that_uses_the_runtime() -> None:
    rt = Runtime("x64")
    freed = []

    def use() -> None:
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
