"""Modules that follow their file."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from helpers.archives import read_archive
from helpers.reloading import put, squaring
from helpers.threads import Background
from helpers.tracing import at_each_bytecode, interrupt

import taichi_aot
from taichi_aot import Arch


def reload_while_threads_launch(arch: str, source: str, folder: str) -> None:
    """Each launch adds 2 or 4, and those that are in progress do not fail."""
    path, files = Path(folder) / "live.tcm", read_archive(Path(source))
    versions = files, squaring(files)
    put(path, versions[0])
    module = taichi_aot.Runtime(Arch(arch)).load_module(path, {"saxpy": ["a", "x", "y"]}, reload=True)
    rt, saxpy = module.runtime, module.saxpy
    ended = threading.Event()

    def launch() -> None:
        x, y = rt.full(8, 1.0, "f32"), rt.zeros(8, "f32")
        step = saxpy.bind(2.0, x, y)
        sequence = rt.sequence([step])
        while not ended.is_set():
            for call in (step, lambda: saxpy(2.0, x, y), lambda: sequence(3), lambda: module.saxpy(2.0, x, y)):
                y.fill(0)
                call()
                assert set(y.to_numpy().tolist()) <= {2.0, 4.0, 6.0, 12.0}
            step.update(a=2.0)
            saxpy.bind(2.0, x, y)()

    threads = [Background(launch) for _ in range(3)]
    try:
        for i in range(1, 30):
            put(path, versions[i % 2])
            module.reload()  # unless a launch has done so already
    finally:
        ended.set()
    for thread in threads:
        thread.finish()


def interrupt_a_reload(arch: str, source: str, folder: str) -> None:
    """Interrupt it at its bytecodes: each object then has the old code or the new one, and the next reload succeeds."""
    path, files = Path(folder) / "live.tcm", read_archive(Path(source))
    versions = files, squaring(files)
    put(path, versions[0])
    module = taichi_aot.Runtime(Arch(arch)).load_module(path, {"saxpy": ["a", "x", "y"]}, reload=True)
    rt, saxpy = module.runtime, module.saxpy
    x, y = rt.full(8, 1.0, "f32"), rt.zeros(8, "f32")
    step = saxpy.bind(2.0, x, y)
    launches: list[Callable[[], object]] = [lambda: saxpy(2.0, x, y), step, rt.sequence([step])]

    def effects() -> set[float]:
        found: set[float] = set()
        for launch in launches:
            y.fill(0)
            launch()
            found.add(float(y.to_numpy()[0]))
        return found

    number = 1
    put(path, versions[1])
    for _ in at_each_bytecode(module.reload, interrupt, at_most=100):
        assert effects() <= {2.0, 4.0}
        module.reload()
        assert effects() == {4.0 if number else 2.0}
        number = 1 - number
        put(path, versions[number])
