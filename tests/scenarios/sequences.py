"""Launches and sequences with Ctrl-C and other threads."""

from __future__ import annotations

import gc
import re
import sys
import threading
import weakref
from collections.abc import Callable
from functools import partial

from helpers.machine import resident_bytes
from helpers.raising import assert_raises
from helpers.threads import Background, interrupt_after, run_together

from scenarios import ArchName
from scenarios.objects import Objects, load_saxpy, make, wait_until_written
from taichi_aot import NdArray, Runtime

ENDLESS = 10**12  # iterations: they take years


def start_endless_sequence(things: Objects, *targets: NdArray) -> Background:
    """Add ones to the arrays in a thread until something ends the sequence."""
    ones = things.rt.full(100, 1.0, "f32")
    launches = [things.kernel.bind(1.0, ones, target) for target in targets]
    thread = Background(things.rt.sequence(launches), ENDLESS)
    wait_until_written(targets[-1])
    return thread


def assert_ended(thread: Background, pattern: str) -> re.Match[str]:
    """Check the ValueError that ended a sequence."""
    thread.join()
    assert isinstance(thread.error, ValueError), thread.error
    match = re.fullmatch(pattern, str(thread.error))
    assert match, thread.error
    return match


def record_many(arch: ArchName, module: str) -> None:
    """Run 100,000 launches in a recorded sequence and 10,000 recorded launches: memory does not grow."""
    rt, saxpy = load_saxpy(arch, module)
    x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
    launch = saxpy.bind(1.0, x, y)
    sequence = rt.sequence([launch])

    def repeat(count: int) -> None:
        sequence(count)
        sequence(count, ramps={"a": (1.0, 0.0)})
        for k in range(count // 5):
            launch()
            if k % 100 == 0:
                rt.wait()  # queued launches take memory

    for _ in range(3):  # until chunks have their full length
        repeat(5000)
    before = resident_bytes()
    repeat(50_000)
    # A leak of 100 bytes per launch would be 11 MB; the heap may grow once by a megabyte.
    assert resident_bytes() - before < 3 << 20, (before, resident_bytes())
    assert (y.to_numpy() == 143_000).all()
    assert "recorded" in repr(sequence)
    assert repr(launch).endswith(("(recorded)>", "(native)>"))


def update_while_another_thread_launches(arch: ArchName, module: str) -> None:
    """Update while another thread launches: each launch adds exactly one of the arrays, and no dropped array."""
    rt, saxpy = load_saxpy(arch, module)
    y = rt.zeros(100)
    launch = saxpy.bind(1.0, rt.full(100, 1.0, "f32"), y)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            launch()
            rt.wait()

    thread = Background(work)
    for i in range(2000):
        launch.update(x=rt.full(100, 1 + i % 2, "f32"))
        rt.full(100, 1000.0, "f32")
    stop.set()
    thread.finish()
    result = y.to_numpy()
    assert result[0] > 0, result
    assert (result == result[0]).all(), result


def update_in_two_threads(arch: ArchName, module: str) -> None:
    """Update in two threads: a launch keeps alive the array that it uses."""
    rt, saxpy = load_saxpy(arch, module)
    sys.setswitchinterval(1e-6)
    y = rt.zeros(100)
    launch = saxpy.bind(1.0, rt.zeros(100), y)

    def update(arrays: dict[float, weakref.ref[NdArray]], value: float) -> None:
        array = rt.full(100, value, "f32")
        launch.update(x=array)
        arrays[value] = weakref.ref(array)

    for _ in range(300):
        arrays: dict[float, weakref.ref[NdArray]] = {}
        run_together(partial(update, arrays, 1.0), partial(update, arrays, 2.0))
        gc.collect()
        kept = [value for value, array in arrays.items() if array() is not None]
        assert len(kept) == 1, kept
        rt.full(100, 1000.0, "f32")  # would reuse the memory of a freed array
        before = y.to_numpy()[0]
        launch()
        assert (y.to_numpy() == before + kept[0]).all()


def close_an_array(arch: ArchName, module: str) -> None:
    """Close an array: launches before the one with the array have run, and none after it."""
    things = make(arch, module)
    y, z = things.rt.zeros(100), things.rt.zeros(100)
    thread = start_endless_sequence(things, y, z)
    z.close()
    match = assert_ended(thread, r"launch 1 \(saxpy\), iteration (\d+): saxpy\(\) parameter 'y': the array is closed")
    iteration = int(match[1])
    assert 0 < iteration < 1 << 24  # beyond that, floats cannot count
    assert y.to_numpy()[0] == iteration + 1


def close_the_module(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    thread = start_endless_sequence(things, things.rt.zeros(100))
    things.module.close()
    assert_ended(thread, r"launch 0 \(saxpy\), iteration \d+: saxpy\(\): its module is closed")


def close_the_runtime(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    thread = start_endless_sequence(things, things.rt.zeros(100))
    things.rt.close()
    assert_ended(thread, r"launch 0 \(saxpy\), iteration \d+: the runtime is closed \(.*")


def assert_interrupted(call: Callable[[], object], thread: threading.Thread) -> None:
    assert_raises(KeyboardInterrupt, call)
    thread.join()


def interrupt(arch: ArchName, module: str, weight: str) -> None:
    """Interrupt a sequence: the launches already made do not take long either."""
    things = make(arch, module)
    rt, y = things.rt, things.rt.zeros(100)
    if weight == "light":
        launch = things.kernel.bind(1.0, things.x, y)
    else:
        launch = things.module.kernels["spin"].bind(1_000_000, rt.zeros(1, "i32"))
    assert_interrupted(lambda: rt.sequence([launch])(ENDLESS), interrupt_after(0.3))
    rt.wait()
    before = y.to_numpy()[0]
    things.kernel(1.0, things.x, y)
    assert y.to_numpy()[0] - before == 1


def interrupt_restores_the_arguments(arch: ArchName, module: str) -> None:
    rt, saxpy = load_saxpy(arch, module)
    y = rt.zeros(100)
    launch = saxpy.bind(5.0, rt.full(100, 1.0, "f32"), y)

    def interrupt_when_written() -> None:
        wait_until_written(y)
        interrupt_after(0).finish()

    thread = Background(interrupt_when_written)
    assert_interrupted(lambda: rt.sequence([launch])(ENDLESS, ramps={"a": (1, 0)}), thread)
    before = y.to_numpy()[0]
    launch()
    assert y.to_numpy()[0] - before == 5


def use_the_runtime_meanwhile(arch: ArchName, module: str) -> None:
    """Use the runtime in other threads while a sequence runs."""
    things = make(arch, module)
    rt, saxpy, x = things.rt, things.kernel, things.x
    y, z = rt.zeros(100), rt.zeros(100)
    spin = things.module.kernels["spin"].bind(1000, rt.zeros(1, "i32"))
    thread = Background(rt.sequence([saxpy.bind(1.0, x, y), saxpy.bind(-1.0, x, y), spin]), ENDLESS)
    launch = saxpy.bind(1.0, x, z)
    for i in range(11):
        rt.wait()
        saxpy(1.0, x, z)
        launch()
        rt.sequence([launch])(3)
        with rt.full(10, i, "f32").map() as view:
            assert view[9] == i
        memory = rt.allocate(100)
        memory.write(b"abc")
        assert memory[1:2].read() == b"b"
        memory.close()
        if i % 5 == 0:
            rt.load_module(module).close()
            assert (z.to_numpy() == 5 * (i + 1)).all()
            with Runtime(arch) as other:
                assert other.full(3, 1.0).to_numpy().sum() == 3
    assert thread.is_alive(), thread.error
    rt.close()
    assert_ended(thread, r"launch \d \((saxpy|spin)\), iteration \d+: the runtime is closed \(.*")


def run_in_many_threads(arch: ArchName, module: str) -> None:
    rt, saxpy = load_saxpy(arch, module)
    x = rt.full(100, 1.0, "f32")
    arrays = [rt.zeros(100) for _ in range(4)]
    sequences = [rt.sequence([saxpy.bind(1.0, x, array)] * 2) for array in arrays]
    run_together(*(partial(sequence, 500) for sequence in sequences))
    for array in arrays:
        assert array.to_numpy().tolist() == [1000] * 100


def show_a_sequence(arch: ArchName, module: str) -> None:
    with Runtime(arch) as rt:
        sequence = rt.sequence([rt.load_module(module).kernels["array"].bind(rt.zeros(100, "i32"))])
        sequence(100)
        print(sequence)


def until_the_number_is_closed(arch: ArchName, module: str) -> None:
    """Close the number while a sequence runs that no launch uses it in."""
    things = make(arch, module)
    y, number = things.rt.zeros(100), things.rt.zeros(1)
    loop = things.rt.sequence([things.kernel.bind(1.0, things.x, y)]).until(number, above=1, check_every=3)
    thread = Background(loop, ENDLESS)
    wait_until_written(y)
    number.close()
    match = assert_ended(thread, r"the number of until\(\), iteration (\d+): the array is closed")
    before = y.to_numpy()[0]
    things.kernel(1.0, things.x, y)
    assert y.to_numpy()[0] == before + 1
    assert before < 1 << 24  # beyond that, floats cannot count
    assert int(match[1]) == before


def interrupt_until(arch: ArchName, module: str) -> None:
    """Interrupt a sequence that checks a number: no launch is made later."""
    things = make(arch, module)
    y, number = things.rt.zeros(100), things.rt.zeros(1)
    loop = things.rt.sequence([things.kernel.bind(1.0, things.x, y)]).until(number, above=1, check_every=50)
    assert_interrupted(lambda: loop(ENDLESS), interrupt_after(0.3))
    before = y.to_numpy()[0]
    things.kernel(1.0, things.x, y)
    assert y.to_numpy()[0] - before == 1
    number.fill(2)
    assert loop(ENDLESS) == 50


def until_in_many_threads(arch: ArchName, module: str) -> None:
    """Run one sequence in threads, with updates and other calls between: each run ends at its bound."""
    rt, saxpy = load_saxpy(arch, module)
    ones, total = rt.full(1, 1.0, "f32"), rt.zeros(1)
    launch = saxpy.bind(1.0, ones, total)
    loop = rt.sequence([launch]).until(total, above=5000, check_every=10)
    made: list[int] = []

    def run() -> None:
        each = loop(ENDLESS)
        assert each.converged
        made.append(each)

    def update() -> None:
        for _ in range(50):
            launch.update(x=rt.full(1, 1.0, "f32"))
            assert rt.full(3, 2.0, "f32").to_numpy().sum() == 6

    run_together(run, run, run, update)
    assert len(made) == 3
    assert sum(made) == total.item()
    assert total.item() > 5000
