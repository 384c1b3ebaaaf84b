"""Collect the files that a frozen program needs besides imported modules: the C library and its bitcode."""

from __future__ import annotations

from pathlib import Path

_BUNDLE = Path(__file__).parents[1] / "_bundle"  # empty where the package was built without the library

hiddenimports = ["_cffi_backend"]  # imported by the extension
binaries = [(str(path), "taichi_aot/_bundle/lib") for path in _BUNDLE.glob("lib/*")]
datas = [
    *((str(path), "taichi_aot/_bundle") for path in _BUNDLE.glob("*") if path.is_file()),  # the licences and the origin
    *((str(path), "taichi_aot/_bundle/runtime") for path in _BUNDLE.glob("runtime/*")),
]
