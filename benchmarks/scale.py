"""The cost of a Function, compared with its kernel, and in Dask tasks.

kernel      `saxpy` on arrays of the device: a call and a wait
by_hand     the same with two arrays written before and one read after: `write`, the kernel, `to_numpy`
function    the same as a Function of numpy arrays
task_empty      a Dask task that returns an array: two worker processes, which have the arrays of 1,024 elements
task_function   a task that calls the Function
task_preloaded  a task that calls the function from `preload`

The first three have 1,024 and 262,144 elements. First, many tasks show whether the workers' memory grows, and how much
client and scheduler write to their connections for a task.
"""

from __future__ import annotations

import json
import sys
from functools import partial

from lib import build
from lib.harness import Bench, Measure, Result, bench, over, parser, take_turns

LENGTHS = (1024, 262_144)
CALLS = {1024: 300, 262_144: 30}  # in a batch
TASKS = 200  # in a batch
KINDS = ("empty", "function", "preloaded")


def start(work: Bench) -> dict[str, Measure]:
    variants: dict[str, Measure] = {}
    for length in LENGTHS:
        child = work.python("scale.calls", str(length))
        for name in ("kernel", "by_hand", "function"):
            variants[f"{name}, {length}"] = partial(child.microseconds, name, CALLS[length])
    child = work.python("scale.tasks", "serve")
    return variants | {f"task_{kind}": partial(child.microseconds, kind, TASKS) for kind in KINDS}


def show_growth(work: Bench, result: Result, tasks: int) -> None:
    """Note the MiB in use by the larger worker after half of the tasks and after all."""
    command = (sys.executable, build.BENCHMARKS / "child.py", "scale.tasks", work.arch, work.folder, str(tasks))
    found = json.loads(build.run(*command, env=work.environment).splitlines()[-1])
    result.notes += [f"bytes written for {what}: {count:,}" for what, count in found["written"].items()]
    half, end = found["mib"]
    result.notes.append(f"{tasks:,} tasks on 2 workers: {half:.1f} MiB after half of them, {end:.1f} MiB after all")
    result.budget(f"memory of a worker in the second {tasks // 2:,} tasks", end - half, 4, "MiB")


def main() -> None:
    options = parser("What a Function costs.", rounds=40, archs=("x64", "vulkan", "cuda"))
    options.add_argument("--tasks", type=int, default=10_000, help="of which memory is shown (default: %(default)s)")
    given = options.parse_args()
    result = Result("scale", given.arch, "us")
    with bench(given.arch) as work:
        work.modules("launch")
        show_growth(work, result, given.tasks)
        times = take_turns(start(work), given.rounds, f"scale on {given.arch}")
    for name, samples in times.items():
        result.add(name, samples)
    for length in LENGTHS:
        value, interval = over(times[f"function, {length}"], times[f"by_hand, {length}"])
        result.budget(f"function over by_hand, {length}", value, 30, "us", interval)
    for kind in KINDS[1:]:
        value, interval = over(times[f"task_{kind}"], times["task_empty"])
        result.budget(f"task_{kind} over task_empty", value, 200, "us", interval)
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
