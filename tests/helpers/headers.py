"""Import code from outside the package: ``build_ffi.py``, which reads the headers, and what ``.ci`` has."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def load_file(name: str, path: Path) -> ModuleType:
    """Import a file as the module of this name."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)  # `codegen` imports `build_ffi`
    spec.loader.exec_module(module)
    return module


build_ffi = load_file("build_ffi", ROOT / "build_ffi.py")
codegen = load_file("codegen", ROOT / ".ci" / "codegen" / "__init__.py")
project_page = load_file("project_page", ROOT / ".ci" / "project_page.py")
