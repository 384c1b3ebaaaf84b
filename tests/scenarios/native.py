"""Machine code for each kind of CPU; see ``helpers/native_calls.py``."""

from __future__ import annotations

import json
import os
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from helpers.casts import FLOATS, INTEGERS, numbers
from helpers.generated import KernelModel, read_models, twin
from helpers.native_calls import is_native, load_for, targets_here

from scenarios.generated import compare, results_of
from taichi_aot import Runtime

LENGTH = 1000  # of the arrays of arithmetic kernels


def run_generated(folder: str) -> None:
    """Run the generated kernels in ``module.tcm`` for each kind of CPU, and compare the results with ``jit.npz``.

    Write ``native.json``: the number of kernels that ran on each, and the errors by target and kernel number. Print
    each number first, in case the kernel crashes the process.
    """
    where = Path(folder)
    left_out = json.loads((where / "errors.json").read_text())
    jit = np.load(where / "jit.npz")
    expected = {name: jit[name] for name in jit.files}
    ran: dict[str, int] = {}
    wrong: dict[str, str] = {}
    for target in targets_here():
        ran[target] = 0
        with Runtime("x64") as rt:
            module = load_for(rt, where / "module.tcm", target)
            for number, model in callable_models(where):
                if str(number) in left_out or not is_native(module.kernels[model.name]):
                    continue
                print(target, number, flush=True)
                ran[target] += 1
                try:
                    compare("machine code", results_of(rt, module.kernels[model.name], model), expected)
                except Exception:
                    wrong[f"{target} {model.name}"] = traceback.format_exc()
            refused = module.info.not_native
    (where / "native.json").write_text(json.dumps({"ran": ran, "wrong": wrong, "refused": dict(refused)}))


def callable_models(where: Path) -> Iterator[tuple[int, KernelModel]]:
    """Yield the kernels that the JIT has run, and their twins, with the number of their results."""
    for model in read_models(where):
        if model.unsupported("x64") is None and not any(p.uses_grad for p in model.parameters):
            yield model.number, model
            if model.has_twin:
                yield model.number, twin(model)


def run_arithmetic(path: str, output: str) -> None:
    """Run the kernels of ``helpers/arithmetic_kernels.py`` in the library and as machine code for each kind of CPU."""
    results: dict[str, Any] = {}
    os.environ["TAICHI_AOT_NATIVE"] = "0"
    with Runtime("x64") as rt:
        module = rt.load_module(path)
        dtypes = {
            name: [parameter.dtype for parameter in kernel.signature.parameters]
            for name, kernel in module.kernels.items()
        }
        for name, kernel in module.kernels.items():
            arrays = random_arrays(dtypes[name])
            kernel(*arrays)
            rt.wait()
            results[f"{name} library"] = arrays[-1]
    del os.environ["TAICHI_AOT_NATIVE"]
    for target in targets_here():
        with Runtime("x64") as rt:
            module = load_for(rt, Path(path), target)
            for name, kernel in module.kernels.items():
                assert is_native(kernel), kernel.recording
                arrays = random_arrays(dtypes[name])
                kernel(*arrays)
                results[f"{name} {target}"] = arrays[-1]
    np.savez(output, **results)


def run_casts(path: str, output: str) -> None:
    """Run the kernels of ``helpers/cast_kernels.py`` as machine code for each kind of CPU."""
    results: dict[str, Any] = {}
    for target in targets_here():
        with Runtime("x64") as rt:
            module = load_for(rt, Path(path), target)
            for source in FLOATS:
                x = numbers(source)
                arrays = {name: np.zeros(x.size, dtype) for name, dtype in INTEGERS.items()}
                module.kernels[f"cast_{source}"](x, *arrays.values())
                results |= {f"{target} {source} {name}": array for name, array in arrays.items()}
    np.savez(output, **results)


def run_arithmetic_in_the_jit(output: str) -> None:
    """Run the same kernels in the compiler's process."""
    warnings.simplefilter("ignore")
    import taichi as ti

    ti.init(arch=ti.cpu, offline_cache=False, log_level=ti.ERROR)
    from helpers import arithmetic_kernels

    results: dict[str, Any] = {}
    for name, kernel in vars(arithmetic_kernels).items():
        if hasattr(kernel, "_primal"):
            annotations = [argument.annotation for argument in kernel._primal.arguments]
            arrays = random_arrays([annotation.dtype.to_string() for annotation in annotations])
            kernel(*arrays)
            results[f"{name} jit"] = arrays[-1]
    ti.sync()
    np.savez(output, **results)


def random_arrays(dtypes: list[Any]) -> list[Any]:
    dice = np.random.default_rng(5)
    return [(3 * dice.normal(size=LENGTH)).astype(str(dtype).replace("f", "float")) for dtype in dtypes]
