"""Machine code whose loops compute several elements at once, against machine code that computes them one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from helpers.generated_loops import LoopModel, draw_loop
from helpers.native_calls import MachineCode, targets_here

Results = dict[str, npt.NDArray[Any]]


def run_loops(folder: str, calls: str, *numbers: str) -> None:
    """Call generated kernels of ``vectors.tcm`` and ``scalar.tcm``, and write those whose results differ."""
    where = Path(folder)
    wrong: list[str] = []
    first: dict[tuple[str, int], Results] = {}
    for target in targets_here():
        code, scalar = (MachineCode(where / name, target) for name in ("vectors.tcm", "scalar.tcm"))
        for model in map(draw_loop, map(int, numbers)):
            print(target, model.name, flush=True)
            for call in range(int(calls)) if code.runs(model.name) else ():
                found, expected = (results(each, model, call) for each in (code, scalar))
                known = first.setdefault((model.name, call), found)
                wrong += [f"{model.name}, call {call}, {target}: {name}" for name in different(found, expected, model)]
                wrong += [f"{model.name}, call {call}: {target} differs" for _ in different(found, known)]
    (where / "wrong.json").write_text(json.dumps(wrong))


def results(code: MachineCode, model: LoopModel, call: int) -> Results:
    """Return the arrays and fields after a call, and its return value."""
    arguments = model.arguments(call)
    for number, memory in code.roots.items():
        # Finite numbers of all dtypes, of both signs.
        generator = np.random.default_rng(number)
        memory[:] = generator.integers(0x30, 0x42, memory.size) + generator.choice([0, 0x80], memory.size)
    returned = {f"return {i}": np.array(value) for i, value in enumerate(code.call(model.name, arguments))}
    arrays = {f"argument {i}": each for i, each in enumerate(arguments) if isinstance(each, np.ndarray)}
    fields = {f"tree {number}": memory.copy() for number, memory in code.roots.items()}
    return returned | arrays | fields


def different(found: Results, expected: Results, model: LoopModel | None = None) -> list[str]:
    """Return the names of results that differ. With a model, sums may differ by rounding."""
    return [
        name
        for name, value in found.items()
        if not (
            same_bits(value, expected[name])
            or (
                model is not None
                and model.is_sum
                and name.startswith("return")
                and np.allclose(value, expected[name], 1e-4, 1e-2, equal_nan=True)
            )
        )
    ]


def same_bits(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    """Whether numbers are equal, bit by bit but for those of NaN."""
    if one.dtype.kind == "f":
        if not np.array_equal(np.isnan(one), np.isnan(other)):
            return False
        one, other = (np.where(np.isnan(each), np.zeros_like(each), each) for each in (one, other))
    return one.tobytes() == other.tobytes()
