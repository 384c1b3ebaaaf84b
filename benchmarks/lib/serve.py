"""The child's side of a variant: times the batches requested on stdin. program.c does the same in C."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping

WARM = 50_000_000  # ns
Run = Callable[[int], None]  # repeats the work; the argument is the count


def answers() -> int:
    """Return a descriptor for the answers; redirect stdout to stderr, because measured code may print."""
    descriptor = os.dup(1)
    os.dup2(2, 1)
    return descriptor


def serve(runs: Mapping[str, Run], descriptor: int) -> None:
    """Answer each line ``NAME COUNT`` with the nanoseconds that COUNT runs of NAME took.

    A tenth of them runs first, untimed, for 50 ms at least: while the child waits for a line, caches and threads become
    colder than within a loop, and a GPU lowers its clock.
    """
    os.write(descriptor, b"ready\n")
    for line in sys.stdin:
        name, count = line.split()
        run, times = runs[name], int(count)
        warm = time.perf_counter_ns() + WARM
        run(times // 10 + 1)
        while time.perf_counter_ns() < warm:
            run(times // 10 + 1)
        begin = time.perf_counter_ns()
        run(times)
        os.write(descriptor, b"%d\n" % (time.perf_counter_ns() - begin))
