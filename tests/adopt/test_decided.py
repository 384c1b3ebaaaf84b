"""Kernels whose conditions, indices and ranges the compiler partly decides compute the same as in the JIT.

Kernels are drawn at random (``helpers/decided.py``). With checks, the same check fails first, with the same message. A
kernel follows from its number, as in ``test_generated.py``.
"""

import pickle
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from helpers.carry import BATCH
from helpers.child import run_child
from helpers.decided import draw, source_of
from helpers.generating import TIMEOUT

from taichi_aot.build import build


@pytest.mark.slow(but=["x64-checks", "x64-machine code"])
@pytest.mark.scaled
@pytest.mark.parametrize(
    ("arch", "way"),
    [("x64", "machine code"), ("x64", "library"), ("x64", "checks"), ("vulkan", "no checks")],
    indirect=["arch"],
)
def test_decided_kernels_compute_the_same_as_the_jit(arch, way, kernel_numbers, tmp_path):
    find = partial(find_failures, str(arch), way, parent=tmp_path)
    for start in range(0, len(kernel_numbers), BATCH):
        models = draw(kernel_numbers[start : start + BATCH], with_checks=way == "checks")
        failures = find(models)
        if failures:
            model, reason = next((each, failures[each.number]) for each in models if each.number in failures)
            pytest.fail(f"kernel {model.number} (of {sorted(failures)} that fail):\n{source_of([model])}\n{reason}")


def find_failures(arch, way, models, *, parent):
    """Compile and run kernels; return the errors of those that fail, by number."""
    folder = Path(mkdtemp(dir=parent))
    (folder / "decided_kernels.py").write_text(source_of(models))
    (folder / "models.pickle").write_bytes(pickle.dumps(models))
    error = run(folder, models, "decided:run_in_jit", arch, str(folder), str(way == "checks"))
    if error:
        return error
    build(
        folder / "decided_kernels.py",
        folder / "decided.tcm",
        archs=[arch],
        cpu_threads=1 if arch == "x64" else None,
        debug=way == "checks",
        native=None if way == "machine code" else False,
    )
    error = run(folder, models, "decided:run_in_own", arch, str(folder))
    if error:
        return error
    jit, own = (pickle.loads((folder / f"{name}.pickle").read_bytes()) for name in ("jit", "own"))
    failures = {}
    for key, result in jit.items():
        difference = different(result, own.get(key))
        if difference:
            failures.setdefault(int(key.partition(":")[0]), f"with {key.partition(': ')[2]}: {difference}")
    return failures


def run(folder, models, scenario, *arguments):
    """Run the kernels in a child process, and return the error of the one that ends it, by number."""
    done = run_child("-m", "scenarios", scenario, *arguments, timeout=TIMEOUT)
    if done.returncode == 0 and (folder / f"{scenario.rpartition('_')[2]}.pickle").exists():
        return {}
    numbers = [int(line) for line in done.stdout.splitlines() if line.isdigit()] or [models[0].number]
    return {numbers[-1]: f"the process ended: {done.returncode}\n{done.stderr[-4000:]}"}


def different(result, own):
    """Return how a result differs from the JIT's; empty if it does not."""
    if isinstance(result, str) or not isinstance(own, dict):
        return "" if result == own else f"{own}\nthe JIT: {result}"
    names = [name for name, value in result.items() if not np.array_equal(value, own[name])]
    return "\n".join(f"{name} is\n{own[name]}\nthe JIT's is\n{result[name]}" for name in names)
