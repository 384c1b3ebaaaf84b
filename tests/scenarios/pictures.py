"""Pictures: imports that they need, and images without pillow."""

from __future__ import annotations

import os
import sys

import numpy as np
from helpers.raising import assert_raises


def without_pillow() -> None:
    sys.modules["PIL"] = None  # type: ignore[assignment]  # makes its import fail
    from taichi_aot import Runtime

    with Runtime("vulkan") as rt:
        image = rt.image_from(np.full((2, 3, 3), 7, np.uint8))
        assert image.to_numpy().tolist() == [[[7, 7, 7, 255]] * 3] * 2
        assert image._repr_png_() is None
        assert_raises(TypeError, lambda: rt.image_from("a.png"), match="not str 'a.png'")  # type: ignore[arg-type]
        assert_raises(ImportError, image.to_pil, match="pip install pillow")


def import_nothing_early() -> None:
    import taichi_aot

    assert taichi_aot.Image is not None
    assert "PIL" not in sys.modules


def run_code(code: str, folder: str) -> None:
    os.chdir(folder)
    exec(code, {"__name__": "__main__"})
