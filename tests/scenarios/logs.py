"""What the package logs in a process, from loading the library on."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import taichi_aot
from scenarios import ArchName


def load(path: str, arch: ArchName) -> None:
    """Load a module and print the log; then nothing imports `logging` again."""
    logging.basicConfig(level=logging.DEBUG, stream=sys.stdout, format="%(levelname)s %(module)s: %(message)s")
    work(path, arch)
    del sys.modules["logging"]
    work(path, arch)
    assert "logging" not in sys.modules


def work(path: str, arch: ArchName) -> None:
    with taichi_aot.load(Path(path).read_bytes()) as module:
        assert module.runtime.arch == taichi_aot.Arch(arch)
        x = module.runtime.zeros(10)
        launch = module.kernels["saxpy"].bind(1.0, x, x)
        for _ in range(100):
            launch()
