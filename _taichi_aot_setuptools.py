"""Entry point that setuptools calls for each project it builds where taichi_aot is installed.

It stands outside of the package, so that projects without kernels do not import it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from setuptools.config.pyprojecttoml import load_file

if TYPE_CHECKING:
    from setuptools import Distribution

__all__ = ["finalize_distribution_options"]


def finalize_distribution_options(distribution: Distribution) -> None:
    """Add the build of bundles to a project that has tables ``[tool.taichi-aot.NAME]`` in its pyproject.toml."""
    path = Path("pyproject.toml")
    if not path.is_file() or b"taichi-aot" not in path.read_bytes():
        return
    config = load_file(path)
    if config.get("tool", {}).get("taichi-aot"):
        from taichi_aot.build.setuptools_hook import add_bundles

        add_bundles(distribution, config)
