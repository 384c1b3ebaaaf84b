"""Loops of kernels on the pool of this package, compared with the library's own threads.

Both run the same code of the library, in a sequence, each in a process of its own. The loops are

light    reads and writes an array
heavy    100 steps of arithmetic for each element
ramp     from 0 to 200 steps, more from element to element
front    1,600 steps for each of the first 16th of the elements, and 1 for the others

A name is ``LOOP/LENGTH/THREADS_BY``. Each ratio is the median of those within the rounds. ``--busy 2`` keeps two cores
busy with other processes. To run on a machine without Taichi, see build_modules.py.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from contextlib import ExitStack
from functools import partial

from lib import build
from lib.harness import Measure, Result, bench, parser, take_turns

LENGTHS = {
    "light": (1, 64, 256, 1024, 4096, 16384, 65536, 262144, 4194304, 100_000_000),
    "heavy": (1, 16, 64, 256, 1024, 4096, 16384, 262144),
    "ramp": (64, 1024, 16384, 262144),
    "front": (64, 1024, 16384, 262144),
}
NS = {"light": 7, "heavy": 300, "ramp": 300, "front": 300}  # for an element, roughly
LONG = 16 << 20  # elements; longer loops have a fifth of the rounds
BATCH_US = 2000
RATIO, RATIO_AT_64 = 1.03, 0.2


def count(loop: str, length: int) -> int:
    """Return how often a loop runs in a batch."""
    return max(1, int(BATCH_US / (10 + NS[loop] * length / 1000)))


def main() -> None:
    options = parser("Loops on the pool, and on the library's threads.", rounds=15, archs=("x64",))
    options.add_argument("--threads", type=int, default=build.cores(), help="of the kernels (default: all cores)")
    options.add_argument("--loops", nargs="+", default=[*LENGTHS], choices=[*LENGTHS])
    options.add_argument("--lengths", nargs="+", type=int, help="by default a list for each loop")
    options.add_argument("--busy", type=int, default=0, help="other processes that compute meanwhile")
    given = options.parse_args()
    result = Result("cpu_pool", given.arch, "us")
    result.notes.append(f"{given.threads} threads, {given.busy} busy processes")
    with bench(given.arch) as work, ExitStack() as others:
        work.modules(f"pool_{given.threads}")
        children = {by: work.python("pool.variants", str(given.threads), by) for by in ("library", "pool")}
        for _ in range(given.busy):
            other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            others.callback(other.wait)
            others.callback(other.kill)
        for loop in given.loops:
            for length in given.lengths or LENGTHS[loop]:
                name, batch = f"{loop}/{length}", count(loop, length)
                variants: dict[str, Measure] = {
                    by: partial(child.microseconds, name, batch) for by, child in children.items()
                }
                rounds = given.rounds if length < LONG else max(2, given.rounds // 5)
                samples = take_turns(variants, rounds, name)
                pairs = zip(samples["pool"], samples["library"], strict=True)
                ratio = statistics.median(pool / library for pool, library in pairs)
                result.add(f"{name}/library", samples["library"])
                result.add(f"{name}/pool", samples["pool"], times_base=ratio)
                limit = RATIO_AT_64 if (loop, length) == ("light", 64) else RATIO
                result.budget(name, ratio, limit, "times the library's")
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
