"""What it costs to create an array of 1,000 elements and to drop it.

c, empty, numpy                 one after the other: in C, ``runtime.empty(1000)``, ``numpy.empty(1000, float32)``
c_held, empty_held, numpy_held  the same with all of a batch there before the first is dropped

The C program calls ``ti_allocate_memory`` and ``ti_free_memory``. On LLVM archs the latter logs a line for each call;
the log goes nowhere, but is part of what the call costs there.
"""

from __future__ import annotations

from functools import partial

from lib.harness import Measure, Result, bench, options, take_turns

BYTES = 4000  # 1,000 elements of f32
BATCH = 1000
BUDGET_US = 5.0


def main() -> None:
    given = options("What it costs to create an array of 1,000 elements and to drop it.", rounds=50)
    result = Result("allocation", given.arch, "us")
    with bench(given.arch) as work:
        work.modules("launch")
        work.compile_program()
        program, package = work.program(BYTES, quiet=True), work.python("memory.variants", str(BYTES))
        variants: dict[str, Measure] = {}
        for end in ("", "_held"):
            variants[f"c{end}"] = partial(program.microseconds, f"allocate{end}", BATCH)
            for name in ("empty", "numpy"):
                variants[name + end] = partial(package.microseconds, name + end, BATCH)
        for name, times in take_turns(variants, given.rounds, f"allocation on {given.arch}").items():
            result.add(name, times)
    if given.arch == "x64":
        result.budget("array of 1,000 elements created and dropped", result.variants["empty"]["us"], BUDGET_US, "us")
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
