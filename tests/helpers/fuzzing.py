"""Run mutants of a module in child processes."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scenarios import END

from helpers.child import run_child

CHILD_TIMEOUT = 4 * 3600  # seconds; the child itself kills a hanging mutant
FEWEST_OF_A_CHILD = 1000


def run_mutants(arch: str, module: Path, name: str, count: int, seed: int = 1) -> str:
    """Try mutants number 0 to `count` of a file of a module (see ``scenarios/mutants.py``), thousands on all cores.

    Return what became of them. AssertionError names one that crashes its process.
    """
    jobs = min(os.cpu_count() or 1, -(-count // FEWEST_OF_A_CHILD))

    def run(job: int) -> tuple[int, ...]:
        arguments = arch, module, name, seed, count * job // jobs, count * (job + 1) // jobs
        done = run_child("-m", "scenarios", "mutants:load_mutants", *arguments, timeout=CHILD_TIMEOUT, status=None)
        lines = [line for line in done.stdout.splitlines() if line[:1].isdigit()]
        if done.returncode != 0 or END not in done.stdout:
            number = lines[-1].split()[0] if lines else arguments[-2]
            what = f"mutant {number} of {module.name} {name}, seed {seed}"
            raise AssertionError(f"{what}: exit {done.returncode}\n{done.stderr[-3000:]}")
        return tuple(map(int, lines[-1].split()))

    with ThreadPoolExecutor(jobs) as pool:
        _, read, loaded, launched = map(sum, zip(*pool.map(run, range(jobs)), strict=True))
    assert launched > 0 or count <= 40
    return f"{count:>8,} mutants, {read:>7,} read, {loaded:>7,} loaded, {launched:>8,} launches"
