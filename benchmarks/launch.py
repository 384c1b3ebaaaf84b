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
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial

import raw_binding
from harness import Bench, Child, Measure, Result, bench, options, over, take_turns

ORDER = ("c", "raw", "sequence", "bound", "checked", "checked_by_name", "ctypes", "taichi_jit")
PACKAGE = ("sequence", "bound", "checked", "checked_by_name")
BUDGETS_US = {"sequence": 0.05, "bound": 0.4, "checked": 2.0, "checked_by_name": 2.5}
# Long enough for the clock, short enough that what is launched does not pile up before the wait.
BATCH = {"stub": 1000, "x64": 10, "vulkan": 100, "cuda": 100}
NO_SEQUENCE = "rung sequence left out: this taichi_aot has no Runtime.sequence"
NO_JIT = "rung taichi_jit left out: the JIT does not use the C library, so there is no stub for it"


def start(work: Bench, what: str) -> tuple[dict[str, Measure], list[str]]:
    """Start the rungs' processes; returns what measures one batch of each, and notes on those left out."""
    work.modules("launch")
    work.compile_program()
    raw_binding.build(work.folder, work.library)
    batch = BATCH[work.arch]
    children: dict[str, Child] = dict.fromkeys(PACKAGE, work.python("launch_rungs.py", "package"))
    children["raw"] = work.python("launch_rungs.py", "raw", raw=True)
    children["ctypes"] = work.python("launch_rungs.py", "ctypes", work.library, raw=True)
    notes = []
    if work.ask("import taichi_aot; print(hasattr(taichi_aot.Runtime, 'sequence'))") == "False":
        del children["sequence"]
        notes.append(NO_SEQUENCE)
    if work.arch == "stub":
        notes.append(NO_JIT)
    else:
        children["taichi_jit"] = work.python("launch_rungs.py", "taichi_jit")
    rungs: dict[str, Measure] = {"c": partial(work.program().microseconds, what, batch)}
    rungs |= {name: partial(child.microseconds, f"{what}/{name}", batch) for name, child in children.items()}
    return {name: rungs[name] for name in ORDER if name in rungs}, notes


def evaluate(samples: dict[str, list[float]], result: Result) -> None:
    """Statistics of each rung, what it costs over C, and whether that is within the budget."""
    for name, times in samples.items():
        difference, interval = over(times, samples["c"])
        result.add(name, times, over_c_us=difference, over_c_us_95=interval)
        if name in BUDGETS_US:
            result.budget(f"{name} over c", difference, BUDGETS_US[name], "us per launch", interval)


def measure(given: Namespace, benchmark: str, what: str) -> None:
    with bench(given.arch) as work:
        result = Result(benchmark, given.arch, "us_per_launch")
        rungs, result.notes = start(work, what)
        evaluate(take_turns(rungs, given.rounds, f"{benchmark} on {given.arch}"), result)
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    measure(options("What a launch costs, from plain C up to the Taichi JIT.", rounds=200), "launch", "launch")
