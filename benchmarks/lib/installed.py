"""Install the package as users have it: a wheel in an environment of its own, with bytecode.

A source tree without bytecode compiles each module whenever a process starts, and an editable installation searches
longer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from lib import build

LINKED = ("numpy", "cffi", "pycparser")  # from the environment of the benchmark


def build_wheel(folder: Path) -> Path:
    """Build a wheel of this checkout with the build's requirements of this environment; return its path."""
    command = ("-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", folder, build.ROOT)
    build.run(sys.executable, *command)
    return next(folder.glob("taichi_aot-*.whl"))


def without_python(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without the variables of Python, which name other packages or disable bytecode."""
    return {name: value for name, value in environment.items() if not name.startswith("PYTHON")}


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel into a new environment; return its Python."""
    build.run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    site = Path(build.run(python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").strip())
    for name in LINKED:
        distribution = metadata.distribution(name)
        for first in {path.parts[0] for path in distribution.files or ()} - {".."}:
            (site / first).symlink_to(Path(str(distribution.locate_file(first))).resolve())
    command = ("-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--compile", wheel)
    build.run(sys.executable, *command, env=without_python(os.environ))
    return python
