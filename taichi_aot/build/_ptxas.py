"""NVIDIA's assembler, ``ptxas``, which checks PTX and makes cubins of it. The package does not have it.

It is taken from the wheel `PACKAGE`, or else from PATH.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ._children import cores
from ._errors import BuildError, UnavailableError
from ._options import option

__all__ = ["PACKAGE", "assemble", "find_assembler", "require_assembler"]

PACKAGE = "nvidia-cuda-nvcc-cu12"
FOLDER = "nvidia.cuda_nvcc"  # of the wheel
PTXAS = "ptxas"
SOURCE, CUBIN = "kernel.ptx", "kernel.cubin"


def find_assembler() -> str:
    """Return the path of the assembler; empty if this machine has none."""
    try:
        spec = importlib.util.find_spec(FOLDER)
    except ModuleNotFoundError:
        spec = None
    folders = (spec.submodule_search_locations if spec is not None else None) or ()
    for folder in folders:
        if found := shutil.which(PTXAS, path=str(Path(folder, "bin"))):
            return found
    return shutil.which(PTXAS) or ""


def require_assembler() -> str:
    """Return the path of the assembler.

    Raises
    ------
    UnavailableError
        If this machine has none.
    """
    found = find_assembler()
    if not found:
        raise UnavailableError(
            f"cubins need NVIDIA's assembler, {PTXAS}: pip install {PACKAGE}, or put its folder in PATH"
        )
    return found


def assemble(assembler: str, kernels: Mapping[str, str], capability: str, timeout: float) -> dict[str, bytes]:
    """Assemble the PTX of kernels for a capability; return the cubins by kernel.

    Parameters
    ----------
    assembler : str
        Its path.
    kernels : mapping of str to str
        The PTX by kernel.
    capability : str
        That of the devices, such as ``"sm_90"``.
    timeout : float
        Limit for a kernel in seconds.

    Raises
    ------
    BuildError
        If it refuses the PTX of a kernel, or the capability.
    """

    without = option("no-native")  # here: threads of a pool do not know the form

    def run(item: tuple[str, str]) -> bytes:
        return _assemble(assembler, *item, capability, timeout, without)

    with ThreadPoolExecutor(max_workers=cores()) as pool:
        return dict(zip(kernels, pool.map(run, kernels.items()), strict=True))


def _assemble(assembler: str, kernel: str, ptx: str, capability: str, timeout: float, without: str) -> bytes:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / SOURCE).write_text(ptx, encoding="utf-8")
        command = [assembler, f"-arch={capability}", "-o", CUBIN, SOURCE]
        try:
            done = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BuildError(f"cuda: {assembler} failed: {error}") from None
        if done.returncode != 0:
            lines = (done.stderr + done.stdout).decode(errors="replace").strip().splitlines() or [""]
            raise BuildError(
                f"cuda: {PTXAS} refuses the PTX of kernel {kernel!r} for {capability}: {lines[0].strip()}; "
                f"{without} leaves PTX out"
            )
        return (folder / CUBIN).read_bytes()
