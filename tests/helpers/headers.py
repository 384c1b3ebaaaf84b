"""``build_ffi.py``, which reads the headers: it lies outside of the package, where an import need not find it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType


def _load() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "build_ffi.py"
    spec = importlib.util.spec_from_file_location("build_ffi", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build_ffi = _load()
