"""The child's side of a rung: time what is asked for on stdin. program.c does the same in C."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping

Run = Callable[[int], None]  # does its thing so many times


def answers() -> int:
    """A descriptor for the answers, with stdout led to stderr: what is measured may print."""
    descriptor = os.dup(1)
    os.dup2(2, 1)
    return descriptor


def serve(runs: Mapping[str, Run], descriptor: int) -> None:
    """Answer each line ``NAME COUNT`` with the nanoseconds that COUNT times of NAME took.

    A tenth of them runs before, untimed: caches and threads are as cold after waiting for a line as they never are
    within a loop.
    """
    os.write(descriptor, b"ready\n")
    for line in sys.stdin:
        name, count = line.split()
        run, times = runs[name], int(count)
        run(times // 10 + 1)
        begin = time.perf_counter_ns()
        run(times)
        os.write(descriptor, b"%d\n" % (time.perf_counter_ns() - begin))
