"""Launches on the CPU, from 64 to 4 million elements, on 1 to all cores.

    python benchmarks/cpu_launch.py --json cpu-launch.json

All variants on all numbers of cores take turns. A process has only that number of cores, so pools of threads have that
size. The bodies:

light    ``y[i] = a * x[i] + y[i]``
heavy    32 steps of Newton's iteration for ``1 / sqrt(x[i])``, 4 operations each
uneven   0 to 64 of these steps, more for later elements; not for numpy

The variants:

library  bound launches, which the C library makes with its own pool of threads
pool     the same with the package's pool
native   the same as machine code, without the library; native_sequence: in a sequence; native_checked: as calls that
         are checked
numpy    the same in numpy, which uses one core
numba    the same as a parallel loop of Numba, if it is installed

``times_base`` is the median of the ratios to `library` with the same body, elements and cores within the rounds.
"""

from __future__ import annotations

import argparse
import statistics
from functools import partial

from cpu.variants import LENGTHS, WORKS
from lib import build
from lib.harness import Bench, Child, Measure, Result, bench, parser, take_turns

BATCH_US = 4000.0
LONGEST_BATCH = 2000  # launches
BASE = "library"
WAYS = ("native_sequence", "native_checked")  # measured with few elements, where they differ
LARGEST_OF_WAYS = 1024
NATIVE_US = {"native": 1.0, "native_sequence": 0.6, "native_checked": 1.6}  # with the fewest elements
POOL_TIMES, SMALL_POOL_TIMES = 1.03, 0.2  # the pool over the library's; with the fewest elements
# The variants by process, with what their works are called there.
PROCESSES = {
    "library": {BASE: ""},
    "pool": {"pool": ""},
    "native": {"native": "", "native_sequence": "/sequence", "native_checked": "/checked"},
    "numpy": {"numpy": ""},
    "numba": {"numba": ""},
}


def start(work: Bench, cores: list[int], notes: list[str]) -> dict[str, Measure]:
    """Start the processes on each number of cores; return the variants, named ``BODY/ELEMENTS/CORES/VARIANT``."""
    measures: dict[str, Measure] = {}
    for process, variants in PROCESSES.items():
        for count in cores[:1] if process == "numpy" else cores:
            child = work.start_if_possible(process, notes, "cpu.variants", process, str(count))
            if child is None:
                break
            measures |= {
                f"{body}/{length}/{count}/{name}": batches(child, f"{body}/{length}{way}")
                for name, way in variants.items()
                for body, lengths in WORKS.items()
                for length in lengths
                if not (process == "numpy" and body == "uneven") and not (name in WAYS and length > LARGEST_OF_WAYS)
            }
    return measures


def batches(child: Child, name: str) -> Measure:
    """Return a function that measures a batch long enough for the clock."""
    child.microseconds(name, 1)
    return partial(child.microseconds, name, max(1, min(LONGEST_BATCH, int(BATCH_US / child.microseconds(name, 1)))))


def evaluate(samples: dict[str, list[float]], result: Result) -> None:
    for name, times in sorted(samples.items(), key=lambda item: place(item[0])):
        base = samples[f"{name.rpartition('/')[0]}/{BASE}"]
        ratio = statistics.median(a / b for a, b in zip(times, base, strict=True))
        result.add(name, times, times_base=ratio)
        is_small, variant = name.startswith(f"light/{LENGTHS[0]}/"), name.rpartition("/")[2]
        if variant == "pool":
            result.budget(name, ratio, SMALL_POOL_TIMES if is_small else POOL_TIMES, "times the library")
        if variant in NATIVE_US and is_small:
            result.budget(name, statistics.median(times), NATIVE_US[variant], "us per launch")


def place(name: str) -> tuple[int, ...]:
    """Return where a variant stands in the table."""
    body, length, cores, variant = name.split("/")
    order = [each for variants in PROCESSES.values() for each in variants]
    return list(WORKS).index(body), int(length), int(cores), order.index(variant)


def numbers_of_cores(text: str) -> list[int]:
    """Return the numbers in ``1,2,4``."""
    numbers = sorted({int(word) for word in text.split(",")})
    if numbers[0] < 1 or numbers[-1] > build.cores():
        raise argparse.ArgumentTypeError(f"this process has {build.cores()} cores")
    return numbers


def main() -> None:
    arguments = parser("Launches on the CPU.", rounds=15, archs=("x64",))
    powers = [2**i for i in range(build.cores().bit_length() - 1)]
    default = sorted({*powers, build.cores()})
    arguments.add_argument(
        "--cores", type=numbers_of_cores, default=default, metavar="N,N", help="default: powers of two, and all"
    )
    given = arguments.parse_args()
    result = Result("cpu_launch", given.arch, "us_per_launch")
    with bench(given.arch) as work:
        work.modules("cpu")
        samples = take_turns(start(work, given.cores, result.notes), given.rounds, "cpu_launch")
    result.notes.append(f"times_base: times as long as {BASE}")
    evaluate(samples, result)
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
