"""Runs one of the scripts that compile, with the compiler started as ``taichi_aot.build`` starts it.

    python compile_planned.py ARCH SCRIPT ARGUMENT...

runs ``SCRIPT START ARGUMENT...``, with the arch of Taichi that the plan for ARCH starts. `compile_planned` runs this as
a child process.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

from taichi_aot import Arch
from taichi_aot.build._archs import plan, prepare
from taichi_aot.build._cuda import CudaDevice

HELPERS = Path(__file__).parent


def compile_planned(
    arch: str,
    script: str,
    *arguments: object,
    device: CudaDevice | None = None,
    cwd: Path | None = None,
    timeout: float = 300,
    **variables: str,
) -> subprocess.CompletedProcess[str]:
    """Run a script of ``tests/helpers``, however it ends; with the environment of the plan and other variables."""
    path = os.pathsep.join([str(HELPERS.parent), str(HELPERS.parents[1]), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, __file__, arch, str(HELPERS / script), *map(str, arguments)],
        env={**os.environ, **variables, **plan(Arch(arch), device).environment, "PYTHONPATH": path},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def main() -> None:
    prepare()
    sys.argv[:3] = [sys.argv[2], plan(Arch(sys.argv[1])).start]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
