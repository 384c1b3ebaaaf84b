"""Exports of the sources of tests."""

from __future__ import annotations

from typing import Any

from taichi_aot.build import export


def export_kernels(variables: dict[str, Any]) -> None:
    """Export all kernels of a source, given its ``vars()``."""
    for each in list(variables.values()):
        if hasattr(each, "_primal"):
            export(each)
