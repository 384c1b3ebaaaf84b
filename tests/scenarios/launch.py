"""Updates and stepped scalars with other threads, signal handlers and users' conversions."""

from __future__ import annotations

import gc
import sys
import threading

import numpy as np
from helpers.threads import Background, run_together
from helpers.tracing import at_each_bytecode

from scenarios import ArchName
from scenarios.objects import load_saxpy, wait_until_written


def update_at_each_bytecode_of_an_update(arch: ArchName, module: str, at_most: str = "100") -> None:
    """Update within an update: both take effect and keep their arrays alive.

    Tried at up to `at_most` bytecodes of an update, evenly spaced.
    """
    rt, saxpy = load_saxpy(arch, module)
    sys.unraisablehook = lambda _: None
    y = rt.zeros(8)
    launch = saxpy.bind(0.0, rt.zeros(8), y)
    launch.update(a=1.0)
    value = 1
    fresh = [rt.full(8, value, "f32") for _ in range(2)]  # the first is for counting bytecodes

    def update_y() -> None:
        nonlocal y
        y = rt.zeros(8)
        launch.update(y=y)

    for _ in at_each_bytecode(lambda: launch.update(x=fresh.pop()), update_y, at_most=int(at_most)):
        gc.collect()
        rt.full(8, 1000.0, "f32")  # would reuse the memory of a freed array
        y.fill(0)
        launch()
        assert y.to_numpy().tolist() == [value] * 8, (value, y.to_numpy())
        value += 1
        fresh.append(rt.full(8, value, "f32"))
    assert value > 20


def update_in_a_conversion(arch: ArchName, module: str) -> None:
    rt, saxpy = load_saxpy(arch, module)
    y, z = rt.zeros(8), rt.zeros(8)
    launch = saxpy.bind(1.0, rt.full(8, 1.0, "f32"), y)

    class Updates:
        def __float__(self) -> float:
            launch.update(y=z)
            return 3.0

    launch.update(a=Updates())
    launch()
    assert (y.to_numpy()[0], z.to_numpy()[0]) == (0, 3)


def update_different_arguments_in_two_threads(arch: ArchName, module: str) -> None:
    """Update different arguments in two threads: neither undoes the other's update."""
    rt, saxpy = load_saxpy(arch, module)
    sys.setswitchinterval(1e-6)
    launch = saxpy.bind(0.0, rt.zeros(8), rt.zeros(8))

    def update_a() -> None:
        for i in range(2001):
            launch.update(a=float(i))

    def update_x() -> None:
        for i in range(201):
            launch.update(x=rt.full(8, i, "f32"))

    run_together(update_a, update_x)
    y = rt.zeros(8)
    launch.update(y=y)
    launch()
    assert y.to_numpy().tolist() == [2000 * 200] * 8


def step_in_two_threads(arch: ArchName, module: str) -> None:
    """Step scalars in two threads: each run has its own, and the launch keeps its argument."""
    rt, saxpy = load_saxpy(arch, module)
    sys.setswitchinterval(1e-6)
    y = rt.zeros(8)
    launch = saxpy.bind(7.0, rt.full(8, 1.0, "f32"), y)
    sequence = rt.sequence([launch])

    def launch_often() -> None:
        for _ in range(100):
            launch()

    run_together(
        lambda: sequence(500, ramps={"a": (1, 0)}),
        lambda: sequence(500, ramps={"a": (0.5, 0)}),
        launch_often,
    )
    assert y.to_numpy().tolist() == [500 + 250 + 700] * 8


def update_while_stepped(arch: ArchName, module: str) -> None:
    """Update a running sequence: it uses the new array, and the launch keeps the update."""
    rt, saxpy = load_saxpy(arch, module)
    y, z = rt.zeros(8), rt.zeros(8)
    launch = saxpy.bind(1.0, rt.full(8, 1.0, "f32"), y)
    sequence = rt.sequence([launch])
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            sequence(100, ramps={"a": (2, 0)})

    thread = Background(work)
    wait_until_written(y)
    launch.update(a=5.0, y=z)
    gc.collect()
    wait_until_written(z)
    stop.set()
    thread.finish()
    before = z.to_numpy()
    assert (before % 2 == 0).all(), before
    launch()
    assert np.array_equal(z.to_numpy(), before + 5)
