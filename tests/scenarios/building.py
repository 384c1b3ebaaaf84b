"""Building modules."""

from __future__ import annotations

import sys


def import_alone() -> None:
    from taichi_aot.build import build, export

    assert callable(build)
    assert callable(export)
    assert "taichi" not in sys.modules
