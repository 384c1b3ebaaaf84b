"""Import build code from outside the package: ``build_ffi.py``, which reads the headers, and what ``.ci`` has."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def _load(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)  # `codegen` imports `build_ffi`
    spec.loader.exec_module(module)
    return module


build_ffi = _load("build_ffi", ROOT / "build_ffi.py")
codegen = _load("codegen", ROOT / ".ci" / "codegen" / "__init__.py")
project_page = _load("project_page", ROOT / ".ci" / "project_page.py")
