"""Threads share a runtime or use their own; each case in a child process."""

import threading
from functools import partial

import numpy as np
import pytest
from helpers.child import in_child
from helpers.objects import load_saxpy
from helpers.threads import run_together

from taichi_aot import Runtime
from taichi_aot.demo.mpm88 import module_bytes

pytestmark = pytest.mark.slow(but="x64*")


@in_child
def test_first_launches_of_threads_wait_for_the_plan(arch):
    """The first launch asks for a plan: threads that wait while another one gives it must not go to the library."""
    rt = Runtime(arch)
    kernel = rt.load_module(module_bytes(rt.arch)).kernels["move_grid"]  # which has machine code on x64
    momentum, mass = rt.zeros((8, 8), "f32", 2), rt.full((8, 8), 1.0)
    busy, ended = kernel.bind(1.0, 1.0, rt.zeros((256, 256), "f32", 2), rt.zeros((256, 256))), threading.Event()

    def keep_others_waiting():
        while not ended.is_set():
            busy()

    def begin():
        for _ in range(50):
            launch = kernel.bind(-1.0, 1.0, momentum, mass)
            run_together(launch, launch, launch, launch)
        ended.set()

    run_together(keep_others_waiting, begin)
    assert momentum.to_numpy()[..., 1].tolist() == [[200] * 8] * 8


@in_child
def test_threads_launch_in_every_way(arch, basic):
    rt = Runtime(arch)
    loaded = rt.load_module(basic)
    saxpy, twice = loaded.kernels["saxpy"], loaded.graphs["twice"]
    x, ys = rt.full(100, 1.0, "f32"), [rt.zeros(100) for _ in range(4)]
    launch, bound = saxpy.bind(1.0, x, ys[0]), twice.bind(1.0, x, ys[1])
    sequence = rt.sequence([saxpy.bind(1.0, x, ys[3])])

    def many(use):
        def work():
            for _ in range(300):
                use()

        return work

    run_together(
        many(launch), many(launch), many(bound), many(lambda: saxpy(a=1.0, x=x, y=ys[2])), lambda: sequence(300)
    )
    assert [int(y.to_numpy()[50]) for y in ys] == [600, 600, 300, 300]


@in_child
def test_threads_allocate_and_free(arch):
    rt = Runtime(arch)

    def work(value):
        kept = []
        for i in range(1000):
            kept.append(rt.full(1 + i % 500, value, "i32"))
            if i % 3 == 0:
                kept.pop(i % len(kept)).close()
            if len(kept) > 20:
                assert (kept.pop(0).to_numpy() == value).all()

    run_together(*(partial(work, value) for value in range(4)))


@in_child
def test_threads_map_and_unmap(arch):
    memory = Runtime(arch).allocate(4096, host_read=True, host_write=True)

    def work(which):
        for i in range(300):
            with memory.map() as view:
                part = view[which * 1024 : (which + 1) * 1024]
                part[:] = i % 256
                assert (part == i % 256).all()

    run_together(*(partial(work, which) for which in range(4)))
    assert memory.read() == bytes([299 % 256]) * 4096


@in_child
def test_threads_load_modules(arch, basic):
    rt = Runtime(arch)

    def work():
        own = Runtime(arch)
        for target in (own, rt, own):
            x = target.full(4, 1.0, "f32")
            target.load_module(basic).kernels["saxpy"](1.0, x, x)
            assert x.to_numpy()[0] == 2

    run_together(work, work, work, work)


@in_child
def test_thread_reads_while_another_launches(arch, basic):
    rt, saxpy = load_saxpy(arch, basic)
    x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)

    def launch():
        for _ in range(500):
            saxpy(1.0, x, y)

    def read():
        before = 0.0
        for _ in range(200):
            now = float(np.frombuffer(y.memory.read(0, 4), np.float32)[0])
            assert before <= now <= 500, (before, now)
            assert now == int(now)
            before = now

    run_together(launch, read, read)
    assert y.to_numpy()[0] == 500


@pytest.mark.slow(but="*")
@in_child
def test_each_thread_gets_its_return_values(arch, modules):
    """Call and launch in threads: each gets the value that its own launch computed."""
    kernels = Runtime(arch).load_module(modules / "returns.tcm").kernels

    def call(first):
        for i in range(first, first + 300):
            assert kernels["scalar_i32"](i) == i
            ones, flag, vector, matrix = kernels["several"](i, 0.5)
            assert (ones, flag, vector.tolist(), matrix[1, 1]) == (0.5, i > 3, [i, i + 1], -0.5)

    def bind(value):
        launch = kernels["scalar_i32"].bind(value)
        for _ in range(300):
            launch()
            assert launch.result() == value

    run_together(partial(call, 0), partial(call, 1000), partial(call, 2000), partial(bind, 7), partial(bind, 8))


@pytest.mark.slow(but="*")
@in_child
def test_threads_read_one_result(arch, modules):
    """Read the results of one launch in several threads: no result is torn."""
    launch = Runtime(arch).load_module(modules / "returns.tcm").kernels["vector_i32"].bind([0, 0, 0])
    launch()

    def work(value):
        for _ in range(300):
            launch.update(**{launch.signature.parameters[0].name: [value] * 3})
            launch()
            first, second, third = launch.result()
            assert first == second == third

    run_together(partial(work, 1), partial(work, 2), partial(work, 3))
