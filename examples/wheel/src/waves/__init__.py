"""The wave equation on a grid: ``waves.simulate(heights, 100)``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from taichi_aot import ArchLike

from .kernels_aot import load

__all__ = ["simulate"]


def simulate(
    heights: npt.NDArray[np.float32], steps: int, courant: float = 0.5, arch: ArchLike | None = None
) -> npt.NDArray[np.float32]:
    """Return heights after some steps, from a surface at rest, on the best device or a given arch."""
    with load(arch) as module:
        rt = module.runtime
        old, now, new = rt.asarray(heights, "f32"), rt.asarray(heights, "f32"), rt.zeros(heights.shape, "f32")
        for _ in range(steps):
            module.step(courant, new=new, now=now, old=old)
            old, now, new = now, new, old
        return now.to_numpy()
