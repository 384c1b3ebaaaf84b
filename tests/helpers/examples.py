"""Run a program of ``taichi.examples`` through the JIT and from its compiled module, and compare."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from helpers.archs import need
from helpers.child import run_child, run_in_child

Contents = npt.NDArray[Any]

# Use one thread each, so that atomic operations on floats have one order.
ONE_THREAD = {"LP_NUM_THREADS": "0"}


class Comparison(NamedTuple):
    """The result of a comparison."""

    kernels: int  # launched instances
    graphs: int
    launches: int
    frames: int
    fields: int
    values: int  # compared numbers: in fields at the end, in arrays and return values after each launch
    nonzero: int
    difference: float  # the largest one from the JIT
    own: float  # the largest one between two runs of the JIT, if it ran twice

    def __str__(self) -> str:
        return (
            f"{self.kernels:>3} kernels, {self.graphs} graphs, {self.launches:>4} launches, {self.frames:>2} frames, "
            f"{self.fields:>2} fields, {self.values:>11,} values, {self.nonzero:>10,} not 0, "
            f"{f'difference {self.difference:g}, of the JIT {self.own:g}' if self.difference else 'equal'}"
        )


def trace(arch: str, program: str, frames: int, launches: int, out: Path, module: Path | None = None) -> Any:
    """Trace a run through the JIT; with `module`, compile the kernels into it."""
    arguments = [arch, program, str(frames), str(launches), str(out), *([str(module)] if module else [])]
    done = run_child("-m", "helpers.trace_example", *arguments, env=ONE_THREAD, status=None)
    if "taichi does not run" in done.stderr:
        need(arch, done.stderr)
    assert done.returncode == 0, f"{program}: exit {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return pickle.loads(out.read_bytes())


def compare(arch: str, program: str, frames: int, launches: int, folder: Path) -> Comparison:
    """Run a program through the JIT and from its module; if they differ, through the JIT again."""
    from scenarios.examples import repeat_launches  # which imports this module

    first = trace(arch, program, frames, launches, folder / "first.pickle", folder / "module")
    out = folder / "repeated.npz"
    run_in_child(repeat_launches, arch, folder / "first.pickle", folder / "module", out, env=ONE_THREAD)
    expected = results(first)
    with np.load(out) as repeated:
        assert repeated.keys() == expected.keys()
        difference = max((largest_difference(expected[name], repeated[name]) for name in expected), default=0.0)
    own = 0.0
    if difference:
        second = results(trace(arch, program, frames, launches, folder / "second.pickle"))
        own = max((largest_difference(expected[name], second[name]) for name in expected), default=0.0)
    return Comparison(
        first["kernels"],
        first["graphs"],
        sum(step[0] != "write" for step in first["steps"]),
        first["frames"],
        len(first["fields"]),
        sum(array.size for array in expected.values()),
        sum(int(np.count_nonzero(array)) for array in expected.values()),
        difference,
        own,
    )


def results(traced: dict[str, Any]) -> dict[str, Contents]:
    """Return the final contents of all fields, and arrays and return values after each launch, by name."""
    found: dict[str, Contents] = dict(traced["fields"])
    for number, (kind, *step) in enumerate(traced["steps"]):
        if kind != "write":
            _, _, after, returned = step
            found |= {f"step{number}_{key}": array for key, array in after.items()}
            if returned is not None:
                found[f"step{number}_returned"] = flat(returned)
    return found


def flat(value: Any) -> Contents:
    """Return the numbers of a return value: a number, an array, or a tuple or list of them."""
    if isinstance(value, tuple | list):
        return np.concatenate([flat(item) for item in value])
    return np.asarray(value, np.float64).ravel()


def largest_difference(expected: Contents, actual: Contents) -> float:
    """Return the largest absolute difference; inf for a NaN in one, another shape or another dtype."""
    if expected.shape != actual.shape or expected.dtype != actual.dtype:
        return float("inf")
    if expected.tobytes() == actual.tobytes():
        return 0.0
    same = (expected == actual) | ((expected != expected) & (actual != actual))
    difference = np.abs(expected[~same].astype(float) - actual[~same].astype(float))
    return float(np.nan_to_num(difference, nan=np.inf).max(initial=0.0))
