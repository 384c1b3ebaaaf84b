"""Deterministic archives of modules and bundles."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

from ..enums import Arch

__all__ = ["make_bundle", "make_module"]


def make_module(files: Mapping[str, bytes], description: Mapping[str, Any]) -> bytes:
    """The files of a module with its description as a ``.tcm``."""
    return _pack({**files, "bundle.json": _json(description)})


def make_bundle(modules: Mapping[Arch, bytes], description: Mapping[str, Any]) -> bytes:
    """Modules of several archs with their description as a ``.tib``."""
    archs = {
        str(arch): {"file": f"{arch}.tcm", "sha256": hashlib.sha256(data).hexdigest()} for arch, data in modules.items()
    }
    files = {f"{arch}.tcm": data for arch, data in modules.items()}
    return _pack({"bundle.json": _json({**description, "archs": archs}), **files})


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def _pack(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), files[name], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
