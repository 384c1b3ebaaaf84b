"""Run the README's code."""

from __future__ import annotations

import numpy as np

from taichi_aot import Runtime


def saxpy_of_any_length(arch: str, module: str, length: str) -> None:
    """Launch the README's kernel with arrays of different lengths."""
    with Runtime(arch) as rt:
        saxpy = rt.load_module(module).kernels["saxpy"]
        x, y = rt.full(int(length), 3.0, np.float32), rt.zeros(1024, np.float32)
        saxpy(2.0, x, y)
        common = min(int(length), 1024)
        assert (y.to_numpy()[:common] == 6).all()
        assert (y.to_numpy()[common:] == 0).all()
