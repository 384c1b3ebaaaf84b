"""Operations of two threads are atomic, and none is lost."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress

import numpy as np
from helpers.threads import Background

from scenarios import ArchName
from scenarios.objects import load_saxpy


def map_beside_launches(arch: ArchName, module: str) -> None:
    """The array has the effect of every accepted launch, although a map may be a copy that is written back."""
    rt, saxpy = load_saxpy(arch, module)
    one, y = rt.full(1000, 1.0, "f32"), rt.zeros(1000)
    stop = threading.Event()
    accepted = 0

    def launch() -> None:
        nonlocal accepted
        while not stop.is_set():
            with suppress(BufferError):  # the array is mapped
                saxpy(1.0, one, y)
                accepted += 1

    thread = Background(launch)
    for _ in range(300):
        with y.map() as view:
            assert view[0] >= 0
    stop.set()
    thread.finish()
    assert accepted > 0
    assert y.to_numpy().tolist() == [accepted] * 1000


def update_beside_launches(arch: ArchName, module: str) -> None:
    """A launch uses both arrays of an update or neither."""
    rt, saxpy = load_saxpy(arch, module)
    sys.setswitchinterval(1e-6)
    pairs = [{"x": rt.asarray(np.eye(2, dtype=np.float32)[i]), "y": rt.zeros(2)} for i in range(2)]
    launch = saxpy.bind(1.0, **pairs[0])
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            for _ in range(100):
                launch()
            rt.wait()

    threads = [Background(work) for _ in range(2)]
    for i in range(5000):
        launch.update(**pairs[i % 2])
    stop.set()
    for thread in threads:
        thread.finish()
    sums = [pair["y"].to_numpy().tolist() for pair in pairs]
    assert sums[0][1] == sums[1][0] == 0, sums
