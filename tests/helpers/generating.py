"""Compile batches of generated kernels, run them through the JIT and the package, and compare.

Results are the same on every device, so modules compiled for CUDA without a device are compared with the CPU's JIT.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import numpy as np

from helpers.archs import need
from helpers.child import TESTS, run_child
from helpers.compile_planned import compile_planned
from helpers.generated import KernelModel, write_models

TIMEOUT = 600  # seconds per batch


def find_failures(arch: str, models: list[KernelModel], parent: Path) -> dict[int, str]:
    """Compile and run kernels; return the errors of those that fail, by number."""
    folder = Path(mkdtemp(dir=parent))
    status, output = compile_models(arch, models, folder)
    if status != 0:
        return {models[0].number: f"the compiler ended with {status}:\n{output}"}
    return run_models(arch, models, folder)


def run_models(arch: str, models: list[KernelModel], folder: Path) -> dict[int, str]:
    """Run the kernels of a compiled folder; return the errors of those that fail, by number."""
    failures = {int(number): text for number, text in json.loads((folder / "errors.json").read_text()).items()}
    status, output = _run("-m", "scenarios", "generated:run", arch, str(folder))
    if status != 0:
        numbers = [line for line in output.splitlines() if line.isdigit()]
        return failures | {int(numbers[-1]) if numbers else models[0].number: f"the process ended: {status}\n{output}"}
    failures |= {int(number): text for number, text in json.loads((folder / "wrong.json").read_text()).items()}
    return failures | _differences(folder, [model for model in models if model.number not in failures])


def compile_models(arch: str, models: list[KernelModel], folder: Path) -> tuple[int, str]:
    """Compile a module and run it through the JIT (``compile_generated.py``); return exit status and output."""
    write_models(folder, models)
    status, output = _run(str(TESTS / "helpers" / "compile_generated.py"), arch, str(folder))
    if status != 0 and "cannot compile for" in output:
        need(arch, output)
    return status, output


def carry_models(arch: str, models: list[KernelModel], folder: Path) -> None:
    """Compile a module for an LLVM arch, without its device, and run the kernels through the CPU's JIT."""
    write_models(folder, models)
    compile_planned(arch, "compile_generated.py", folder, "compile-only", timeout=TIMEOUT)
    with TemporaryDirectory() as other:
        status, output = compile_models("x64", models, Path(other))
        assert status == 0, output
        errors = [json.loads((each / "errors.json").read_text()) for each in (folder, Path(other))]
        (folder / "errors.json").write_text(json.dumps(errors[0] | errors[1]))
        shutil.copyfile(Path(other) / "jit.npz", folder / "jit.npz")


def _run(*arguments: str) -> tuple[int, str]:
    done = run_child(*arguments, timeout=TIMEOUT, status=None)
    return done.returncode, done.stdout[-1000:] + done.stderr[-4000:]


def _differences(folder: Path, models: list[KernelModel]) -> dict[int, str]:
    """Return the kernels whose results differ from the JIT's or are missing."""
    jit, own = np.load(folder / "jit.npz"), np.load(folder / "taichi_aot.npz")
    differences: dict[int, str] = {}
    for model in models:
        names = [name for name in jit.files if name.startswith(f"{model.number}/")]
        for name in names:
            if name not in own.files or own[name].tobytes() != jit[name].tobytes():
                result = own[name] if name in own.files else "nothing"
                differences[model.number] = f"result {name} is\n{result}\nthe JIT's is\n{jit[name]}"
                break
    return differences
