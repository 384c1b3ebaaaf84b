"""What a launch costs, from plain C up to the Taichi JIT.

The kernel is ``saxpy`` on one element, with a number and two arrays. A batch is so many launches and a wait for the
device; the time of both counts, in every rung alike, so an arch that only records a launch does its work within the
batch. The rungs:

c                a C program
raw              the library's function through cffi, arguments ready, nothing checked
sequence         ``runtime.sequence([launch])(repeat=count)``
bound            ``launch = kernel.bind(a, x, y)``, then ``launch()``
checked          ``kernel(a, x, y)``
checked_by_name  ``kernel(a=a, x=x, y=y)``
ctypes           the library's function through ctypes, arguments ready, nothing checked
taichi_jit       Taichi itself, which compiled the kernel in its process

On x64 a parallel loop, of one element too, goes through the library's pool of threads, whose moods hide what a caller
costs: one that is a microsecond slower may lose three, or even win. A GPU, and more so a CPU that plays one, starts
many threads too. So every rung runs a second time with a kernel whose loop is serial, as ``serial/c`` and so on, but
for the stub, which runs nothing.
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial

import raw_binding
from harness import Bench, Child, Measure, Result, bench, options, over, take_turns

PACKAGE = ("sequence", "bound", "checked", "checked_by_name")
BUDGETS_US = {"sequence": 0.05, "bound": 0.4, "checked": 2.0, "checked_by_name": 2.5}
# Long enough for the clock, short enough that what is launched does not pile up before the wait.
BATCH = {"stub": 1000, "x64": 50, "vulkan": 100, "cuda": 100}
# The processes are started anew so often: where one's threads and memory come to lie makes microseconds of difference.
STARTS = 5
NO_JIT = "rung taichi_jit left out: the JIT does not use the C library, so there is no stub for it"


def start(work: Bench) -> tuple[dict[str, Child], list[str]]:
    """Start the rungs' processes; returns them and notes on rungs that are left out."""
    children = {"c": work.program(), "raw": work.python("launch_rungs.py", "raw", raw=True)}
    children |= dict.fromkeys(PACKAGE, work.python("launch_rungs.py", "package"))
    children["ctypes"] = work.python("launch_rungs.py", "ctypes", work.library, raw=True)
    notes = []
    if work.arch == "stub":
        notes.append(NO_JIT)
    else:
        children["taichi_jit"] = work.python("launch_rungs.py", "taichi_jit")
    return children, notes


def measures(children: dict[str, Child], launchable: str, batch: int, prefix: str = "") -> dict[str, Measure]:
    """What measures one batch of launches in each rung."""
    commands = {name: launchable if name == "c" else f"{launchable}/{name}" for name in children}
    return {prefix + name: partial(child.microseconds, commands[name], batch) for name, child in children.items()}


def evaluate(samples: dict[str, list[float]], result: Result) -> None:
    """Statistics of each rung, what it costs over C, and whether that is within the budget."""
    for name, times in samples.items():
        prefix, _, rung = name.rpartition("/")
        difference, interval = over(times, samples[f"{prefix}/c" if prefix else "c"])
        result.add(name, times, over_c_us=difference, over_c_us_95=interval)
        if rung in BUDGETS_US:
            result.budget(f"{name} over c", difference, BUDGETS_US[rung], "us per launch", interval)


def measure(given: Namespace, benchmark: str, suffix: str = "") -> None:
    """Measure the launch of ``saxpy``, or of its graph if the suffix is ``_graph``."""
    samples: dict[str, list[float]] = {}
    with bench(given.arch) as work:
        work.modules("launch")
        work.compile_program()
        raw_binding.build(work.folder, work.library)
        starts = min(STARTS, given.rounds)
        for i in range(starts):
            children, notes = start(work)
            rungs = measures(children, f"saxpy{suffix}", BATCH[given.arch])
            if given.arch != "stub":
                rungs |= measures(children, f"serial_saxpy{suffix}", BATCH[given.arch], "serial/")
            title = f"{benchmark} on {given.arch}, {i + 1} of {starts}"
            for name, times in take_turns(rungs, given.rounds // starts, title).items():
                samples.setdefault(name, []).extend(times)
            work.end_children()
    result = Result(benchmark, given.arch, "us_per_launch", notes=notes)
    evaluate(samples, result)
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    measure(options("What a launch costs, from plain C up to the Taichi JIT.", rounds=200), "launch")
