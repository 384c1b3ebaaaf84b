"""Run mutants of a module in child processes, and continue after one that crashes its process."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from scenarios import END

from helpers.child import run_child

CHILD_TIMEOUT = 4 * 3600  # seconds; the child itself kills a hanging mutant
FEWEST_OF_A_CHILD = 1000


@dataclass
class Counts:
    """The results of the mutants of one file.

    Attributes
    ----------
    tried, read, loaded, launched : int
        Mutants, those that the reader accepts, those that the library loads, and completed launches.
    crashes : list of str
        The number, exit status and stderr of each mutant that crashed its process.
    """

    tried: int = 0
    read: int = 0
    loaded: int = 0
    launched: int = 0
    seconds: float = 0.0
    crashes: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __str__(self) -> str:
        return (
            f"{self.tried:>8,} mutants, {self.read:>7,} read, {self.loaded:>7,} loaded, {self.launched:>8,} launches, "
            f"{len(self.crashes)} crashes, {self.seconds:,.0f} s"
        )


def run_mutants(arch: str, module: Path, name: str, count: int, seed: int = 1) -> Counts:
    """Try mutants number 0 to `count` of a file of a module (see ``scenarios/mutants.py``), thousands on all cores."""
    jobs = min(os.cpu_count() or 1, -(-count // FEWEST_OF_A_CHILD))
    counts, start = Counts(tried=count), time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        list(
            pool.map(
                lambda i: _run_range(counts, arch, module, name, seed, count * i // jobs, count * (i + 1) // jobs),
                range(jobs),
            )
        )
    counts.seconds = time.monotonic() - start
    return counts


def _run_range(counts: Counts, arch: str, module: Path, name: str, seed: int, begin: int, end: int) -> None:
    while begin < end:
        arguments = [arch, str(module), name, str(seed), str(begin), str(end)]
        done = run_child("-m", "scenarios", "mutants:load_mutants", *arguments, timeout=CHILD_TIMEOUT)
        status, stdout, stderr = done.returncode, done.stdout, done.stderr
        line = next(line for line in reversed([f"{begin} 0 0 0", *stdout.splitlines()]) if line[0].isdigit())
        number, read, loaded, launched = map(int, line.split())
        with counts.lock:
            counts.read += read
            counts.loaded += loaded
            counts.launched += launched
        if status != 0 or END not in stdout:
            counts.crashes.append(
                f"mutant {number} of {module.name} {name}, seed {seed}: exit {status}\n{stderr[-3000:]}"
            )
        begin = number + 1 if status else end
