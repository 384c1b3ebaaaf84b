"""Julia sets, as numpy computes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def escape_counts(constant: complex, size: int, width: float, most: int) -> npt.NDArray[Any]:
    """Count the steps z^2 + c until each point of a square escapes, with the imaginary axis upwards."""
    line = (np.arange(size) + 0.5 - size / 2) * width / size
    z = line[None, :] - 1j * line[:, None]
    counts = np.zeros(z.shape, int)
    for _ in range(most):
        inside = np.abs(z) < 64
        z = np.where(inside, z * z + constant, z)
        counts += inside
    return counts
