"""The variants of CuPy or PyTorch in waits.py, as a child process: waits.others ARCH FOLDER cupy|torch."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from lib.cuda_source import cupy_module
from lib.serve import answers, serve
from waits.variants import times

Calls = dict[str, Callable[[], Any]]


def in_order(*calls: Callable[[], Any]) -> Callable[[], None]:
    def run() -> None:
        for call in calls:
            call()

    return run


def cupy_calls(folder: Path) -> Calls:
    import cupy

    kernel = cupy_module(folder).get_function("saxpy")
    x, one, many = cupy.zeros(1, np.float32), cupy.zeros(1, np.float32), cupy.zeros(256, np.float32)
    arguments = (np.float32(2), x, one, np.int32(1))
    stream = cupy.cuda.get_current_stream()

    def launch() -> None:
        kernel((1,), (128,), arguments)

    def event() -> None:
        recorded = cupy.cuda.Event(disable_timing=True)
        recorded.record(stream)
        recorded.synchronize()

    return _calls(launch, stream.synchronize, one.get, many.get, event)


def torch_calls(folder: Path) -> Calls:
    import torch

    one, many = torch.zeros(1, device="cuda"), torch.zeros(256, device="cuda")

    def launch() -> None:
        one.add_(2.0)

    def event() -> None:
        recorded = torch.cuda.Event()
        recorded.record()
        recorded.synchronize()

    return _calls(launch, torch.cuda.synchronize, one.cpu, many.cpu, event)


def _calls(launch: Any, wait: Any, read_4: Any, read_1024: Any, event: Any) -> Calls:
    return {
        "idle": wait,
        "launch": in_order(launch, wait),
        "read_4": read_4,
        "read_1024": read_1024,
        "launch_read_4": in_order(launch, read_4),
        "launch_read_1024": in_order(launch, read_1024),
        "event": in_order(launch, event),
    }


# The names of all these variants.
NAMES = ("idle", "launch", "read_4", "read_1024", "launch_read_4", "launch_read_1024", "event")


def main() -> None:
    descriptor = answers()
    calls = {"cupy": cupy_calls, "torch": torch_calls}[sys.argv[3]](Path(sys.argv[2]))
    serve({name: times(call) for name, call in calls.items()}, descriptor)


if __name__ == "__main__":
    main()
