"""Kernels with decided conditions, run by the compiler's runtime and by the package; see ``helpers/decided.py``.

Results are by kernel and call: the arrays and fields after one launch and after many, and the returned number; or the
message of the check that fails.
"""

from __future__ import annotations

import importlib
import pickle
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from helpers.decided import ARRAYS, CALLS, FIELDS, DecidedModel, numbers_of

from scenarios import ArchName
from taichi_aot import KernelAssertionError, KernelIndexError, Runtime

MANY = 70  # launches, from which on they are recorded
SLACK = 64  # numbers before and behind an array, to which the compiler's runtime writes after a check has failed

Results = dict[str, Any]


def run_in_jit(arch: ArchName, folder: str, debug: str) -> None:
    """Write ``jit.pickle``."""
    warnings.simplefilter("ignore")
    ti: Any = importlib.import_module("taichi")
    ti.init(
        arch=getattr(ti, arch), debug=debug == "True", offline_cache=False, log_level=ti.ERROR, cpu_max_num_threads=1
    )
    sys.path.insert(0, folder)
    # Its runtime takes a % in a line of the source, which it shows beneath a message, for a place of a number.
    transformer: Any = importlib.import_module("taichi.lang.ast.ast_transformer_utils").ASTTransformerContext

    def get_pos_info(self: Any, node: Any) -> str:
        return ""

    transformer.get_pos_info = get_pos_info
    kernels: Any = importlib.import_module("decided_kernels")

    def begin(numbers: dict[str, Any]) -> dict[str, Any]:
        for name in FIELDS:
            getattr(kernels, name).from_numpy(numbers[name])
        return {name: within(numbers[name]) if arch == "x64" else on_device(numbers[name]) for name in ARRAYS}

    def on_device(numbers: Any) -> Any:
        """Return an array of the compiler's, which, unlike one of numpy, keeps what a kernel does not write."""
        array = ti.ndarray(getattr(ti, numbers.dtype.name.replace("int", "i").replace("float", "f")), numbers.shape)
        array.from_numpy(numbers)
        return array

    def end(arrays: dict[str, Any]) -> Results:
        results = {name: array if arch == "x64" else array.to_numpy() for name, array in arrays.items()}
        return {**results, **{name: getattr(kernels, name).to_numpy() for name in FIELDS}}

    def call(name: str, arrays: dict[str, Any], scalars: tuple[int, int], times: int) -> Any:
        return [getattr(kernels, name)(*arrays.values(), *scalars) for _ in range(times)][-1]

    write_results(Path(folder), "jit", begin, call, end, AssertionError)


def within(numbers: Any) -> Any:
    """Return a copy with other memory around it."""
    memory = np.zeros(numbers.size + 2 * SLACK, numbers.dtype)
    copied = memory[SLACK : SLACK + numbers.size].reshape(numbers.shape)
    copied[...] = numbers
    return copied


def run_in_own(arch: ArchName, folder: str) -> None:
    """Write ``own.pickle``."""
    with Runtime(arch) as rt:
        module = rt.load_module(Path(folder) / "decided.tcm")

        def begin(numbers: dict[str, Any]) -> dict[str, Any]:
            for name in FIELDS:
                module.fields[name].write(numbers[name])
            return {name: rt.asarray(numbers[name]) for name in ARRAYS}

        def end(arrays: dict[str, Any]) -> Results:
            results = {name: array.to_numpy() for name, array in arrays.items()}
            return {**results, **{name: module.fields[name].to_numpy() for name in FIELDS}}

        def call(name: str, arrays: dict[str, Any], scalars: tuple[int, int], times: int) -> Any:
            launch = module.kernels[name].bind(*arrays.values(), *scalars)
            rt.sequence([launch])(repeat=times) if times > 1 else launch()
            rt.wait()
            return launch.result() if module.kernels[name].signature.returns else None

        write_results(Path(folder), "own", begin, call, end, (KernelAssertionError, KernelIndexError))


def write_results(
    folder: Path,
    name: str,
    begin: Callable[[dict[str, Any]], dict[str, Any]],
    call: Callable[[str, dict[str, Any], tuple[int, int], int], Any],
    end: Callable[[dict[str, Any]], Results],
    errors: Any,
) -> None:
    """Call all kernels and write their results; print each number first, in case the kernel crashes the process."""
    models: list[DecidedModel] = pickle.loads((folder / "models.pickle").read_bytes())
    results: Results = {}
    for model in models:
        print(model.number, flush=True)
        for i, scalars in enumerate(CALLS):
            for times in (1, MANY):
                key = f"{model.number}: n, m = {scalars}, {times} times"
                arrays = begin(numbers_of(model.seed + i))
                try:
                    returned = call(model.name, arrays, scalars, times)
                except errors as error:
                    results[key] = first_line(str(error))
                    break
                results[key] = {**end(arrays), "returned": returned}
    (folder / f"{name}.pickle").write_bytes(pickle.dumps(results))


def first_line(message: str) -> str:
    """Return what the message of a check states: the indices, or the text of an assert."""
    text = re.sub(r"^\w+\(\): |\[kernel=\w+\] |\(kernel=\w+\) ", "", message.strip()).split("\n")[0]
    indices = re.search(r"with indices [\[(]([-\d, ]+)[\])]|\[([-\d, ]+)\][^\[]* is out of range", text)
    return f"indices {indices[1] or indices[2]}" if indices else text
