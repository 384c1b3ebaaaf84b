"""The package's variants of waits.py, as a child process: waits.variants ARCH FOLDER.

On Vulkan and CUDA they share the process, the device and the queue with the driver's variants.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from typing import Any

from lib.serve import Run, answers, serve
from taichi_aot import Runtime
from waits.drivers import VARIANTS, driver_runs

SEQUENCE = 100  # launches


def times(call: Callable[[], Any]) -> Run:
    def run(count: int) -> None:
        for _ in repeat(None, count):
            call()

    return run


def variants(rt: Runtime, folder: Path) -> dict[str, Run]:
    kernels = rt.load_module(folder / "launch.tcm").kernels
    out = rt.zeros(256)
    launch, returning, call = kernels["stored"].bind(2.0, out), kernels["returned"].bind(2.0), kernels["returned"]
    wait, read, result = rt.wait, out.memory.read, returning.result
    sequence = rt.sequence([launch])

    def launch_and_wait() -> None:
        launch()
        wait()

    def sequence_and_wait() -> None:
        sequence(repeat=SEQUENCE)
        wait()

    def launch_and_read(size: int) -> Callable[[], None]:
        def run() -> None:
            launch()
            read(0, size)

        return run

    def launch_and_result() -> None:
        returning()
        result()

    runs = {
        "idle": times(wait),
        "launch": times(launch_and_wait),
        "sequence_100": times(sequence_and_wait),
        "read_4": times(lambda: read(0, 4)),
        "read_1024": times(lambda: read(0, 1024)),
        "launch_read_4": times(launch_and_read(4)),
        "launch_read_1024": times(launch_and_read(1024)),
        "call": times(lambda: call(2.0)),
        "result": times(launch_and_result),
    }
    if str(rt.arch) in VARIANTS:
        runs |= driver_runs(rt, folder)
    return runs | event_runs(rt, launch)


def event_runs(rt: Any, launch: Callable[[], None]) -> dict[str, Run]:
    """Return the variant of events; none if this version does not have them."""
    record = getattr(rt, "record_event", None)
    if record is None:
        return {}

    def launch_and_event() -> None:
        launch()
        record().wait()

    return {"event": times(launch_and_event)}


def main() -> None:
    descriptor = answers()
    serve(variants(Runtime(sys.argv[1]), Path(sys.argv[2])), descriptor)


if __name__ == "__main__":
    main()
