"""The variants of scale.py without Dask, as a child process: scale.calls ARCH FOLDER LENGTH."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import taichi_aot
from lib.serve import answers, serve
from memory.variants import times


def main() -> None:
    descriptor = answers()
    arch, folder, length = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    given, before = np.ones(length, np.float32), np.zeros(length, np.float32)
    function = taichi_aot.function(folder / "launch.tcm", "saxpy", out="y", arch=arch)
    rt = taichi_aot.default_runtime(arch)
    kernel = rt.load_module(folder / "launch.tcm").kernels["saxpy"]
    x, y = rt.zeros(length), rt.zeros(length)

    def by_hand() -> None:
        x.write(given)
        y.write(before)
        kernel(2.0, x, y)
        y.to_numpy()

    def alone() -> None:
        kernel(2.0, x, y)
        rt.wait()

    runs = {"kernel": alone, "by_hand": by_hand, "function": lambda: function(2.0, given, before)}
    np.testing.assert_array_equal(function(2.0, given, before), 2 * given)
    serve({name: times(run) for name, run in runs.items()}, descriptor)


if __name__ == "__main__":
    main()
