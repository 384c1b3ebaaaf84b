"""Default runtimes at interpreter exit. This module imports the package late, as programs may do."""

from __future__ import annotations

import atexit
import os
from typing import Any

import numpy as np
from helpers.raising import assert_raises

from scenarios import ArchName

ONES = np.ones(3, np.float32)


def close_at_exit(arch: ArchName, module: str) -> None:
    """Exit handlers that run after the package's find the default runtime closed and cannot make another."""
    known: list[Any] = []

    def look() -> None:
        runtime, function, default_runtime = known
        try:
            assert runtime.closed
            assert_raises(RuntimeError, lambda: default_runtime(arch), lambda: function(1.0, ONES), match="exiting")
        except BaseException as error:
            print(repr(error), flush=True)
            os._exit(1)  # exceptions in exit handlers do not change the status

    atexit.register(look)

    import taichi_aot

    f = taichi_aot.function(module, "saxpy", out={"y": "x"}, arch=arch)
    assert f(1.0, ONES).tolist() == [1, 1, 1]
    known += taichi_aot.default_runtime(arch), f, taichi_aot.default_runtime
