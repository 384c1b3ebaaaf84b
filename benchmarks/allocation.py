"""The cost of creating and dropping an array of 1,000 elements.

c, empty, numpy                 one after the other: in C, ``runtime.empty(1000)``, ``numpy.empty(1000, float32)``
c_held, empty_held, numpy_held  the same, but a whole batch is created before the first array is dropped

The C program calls ``ti_allocate_memory`` and ``ti_free_memory``. On LLVM archs the latter logs a line for each call;
the log is discarded, but its cost is part of the call.
"""

from __future__ import annotations

from functools import partial

from lib.harness import Measure, Result, bench, options, take_turns

BYTES = 4000  # 1,000 elements of f32
BATCH = 1000
BUDGET_US = 5.0


def main() -> None:
    given = options("The cost of creating and dropping an array of 1,000 elements.", rounds=50)
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
