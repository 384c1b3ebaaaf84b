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

from .._options import UnavailableError
from ..compile._children import cores

PACKAGE = "nvidia-cuda-nvcc-cu12"
FOLDER = "nvidia.cuda_nvcc"  # of the wheel
PTXAS = "ptxas"
SOURCE, CUBIN = "kernel.ptx", "kernel.cubin"
LONGEST_REASON = 200


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
    """Return the path of the assembler; raise UnavailableError if this machine has none."""
    found = find_assembler()
    if not found:
        raise UnavailableError(
            f"cubins need NVIDIA's assembler, {PTXAS}: pip install {PACKAGE}, or put its folder in PATH"
        )
    return found


def assemble(
    assembler: str, kernels: Mapping[str, str], capability: str, timeout: float
) -> tuple[dict[str, bytes], dict[str, str]]:
    """Assemble the PTX of kernels for a capability of devices, such as ``"sm_90"``, each for at most `timeout` seconds.

    Return the cubins by kernel, and the reasons of kernels that have none: clauses whose subject is the kernel.
    """

    def run(ptx: str) -> bytes | str:
        return _assemble(assembler, ptx, capability, timeout)

    with ThreadPoolExecutor(max_workers=cores()) as pool:
        made = dict(zip(kernels, pool.map(run, kernels.values()), strict=True))
    return (
        {name: each for name, each in made.items() if isinstance(each, bytes)},
        {name: each for name, each in made.items() if isinstance(each, str)},
    )


def _assemble(assembler: str, ptx: str, capability: str, timeout: float) -> bytes | str:
    """The cubin, or why there is none."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / SOURCE).write_text(ptx, encoding="utf-8")
        command = [assembler, f"-arch={capability}", "-o", CUBIN, SOURCE]
        try:
            done = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False
            )
            if done.returncode == 0:
                return (folder / CUBIN).read_bytes()
        except subprocess.TimeoutExpired:
            return f"times out in {PTXAS} for {capability}, after {timeout:g} s"
        except OSError as error:
            return f"cannot be assembled by {PTXAS} for {capability}: {error.strerror}"
        if done.returncode < 0:
            return f"crashes {PTXAS} for {capability} (signal {-done.returncode})"
        text = (done.stderr + done.stdout).decode(errors="replace")
        return f"is refused by {PTXAS} for {capability}: {first_line(text).strip()}"


def first_line(text: str) -> str:
    """The first line of a message."""
    return (text.strip().splitlines() or ["no reason is stated"])[0].replace("\0", "")[:LONGEST_REASON]
