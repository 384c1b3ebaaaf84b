"""Collect the demo's bundle for frozen programs that import it."""

from __future__ import annotations

from pathlib import Path

datas = [(str(path), "taichi_aot/demo") for path in (Path(__file__).parents[1] / "demo").glob("*.tib.xz")]
