"""Import the package, inside the scenarios and not here."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def load_no_library() -> None:
    import taichi_aot

    assert not is_loaded()
    taichi_aot.library_path()
    assert is_loaded()


def is_loaded() -> bool:
    maps = Path("/proc/self/maps")  # of Linux
    return maps.exists() and "taichi_c_api" in maps.read_text()


def change_nothing() -> None:
    before = dict(os.environ)
    import taichi_aot

    assert dict(os.environ) == before
    taichi_aot.library_path()
    assert "taichi" not in sys.modules


def work_without_the_library() -> None:
    import taichi_aot

    assert taichi_aot.Arch("vulkan") is taichi_aot.Arch.VULKAN
    assert taichi_aot.__version__
