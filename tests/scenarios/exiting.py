"""The end of the interpreter, and the default runtimes. This module imports them late, as programs may do."""

from __future__ import annotations

import atexit
import os
from typing import Any

import numpy as np
from helpers.raising import assert_raises

ONES = np.ones(3, np.float32)


def close_at_exit(arch: str, module: str) -> None:
    """Handlers that run after that of this package find the default runtime closed, and cannot make another."""
    known: list[Any] = []

    def look() -> None:
        runtime, function, default_runtime = known
        try:
            assert runtime.closed
            assert_raises(RuntimeError, lambda: default_runtime(arch), lambda: function(1.0, ONES), match="exiting")
        except BaseException as error:
            print(repr(error), flush=True)
            os._exit(1)  # exceptions of such handlers do not change the status

    atexit.register(look)

    import taichi_aot

    f = taichi_aot.function(module, "saxpy", out={"y": "x"}, arch=arch)
    assert f(1.0, ONES).tolist() == [1, 1, 1]
    known += taichi_aot.default_runtime(arch), f, taichi_aot.default_runtime
