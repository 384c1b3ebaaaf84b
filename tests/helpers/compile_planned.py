"""Run a script that compiles, with the compiler started as by ``taichi_aot.build``.

    python compile_planned.py ARCH SCRIPT ARGUMENT...

runs ``SCRIPT START ARGUMENT...``, where START is Taichi's arch in the plan for ARCH. `compile_planned` runs this as a
child process.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from taichi_aot import Arch
from taichi_aot.build._archs import TARGETS, CudaDevice, prepare
from taichi_aot.build._options import UnavailableError

HELPERS = Path(__file__).parent


def compile_planned(
    arch: str,
    script: str,
    *arguments: object,
    device: CudaDevice | None = None,
    cwd: Path | None = None,
    timeout: float = 300,
    **variables: str,
) -> None:
    """Run a script of ``tests/helpers`` in the plan's environment with extra variables, and check how it ends."""
    if find_spec("taichi") is None:
        raise UnavailableError("needs taichi")
    path = os.pathsep.join([str(HELPERS.parent), str(HELPERS.parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, __file__, arch, str(HELPERS / script), *map(str, arguments)],
        env={**os.environ, **variables, **TARGETS[Arch(arch)].plan(device).environment, "PYTHONPATH": path},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, f"{script}: exit {done.returncode}\n{done.stdout[-1000:]}\n{done.stderr[-4000:]}"


def main() -> None:
    prepare()
    sys.argv[:3] = [sys.argv[2], TARGETS[Arch(sys.argv[1])].plan().start]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
