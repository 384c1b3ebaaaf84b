"""The cost of what small programs do most with arrays of 8 floats: make, write and read them.

asarray, numpy_array     from a list: ``runtime.asarray(numbers, "f32")``, ``numpy.array(numbers, float32)``
copy, numpy_copy         from an array of numpy: ``runtime.asarray(source)``, ``source.copy()``
write, numpy_write       into an old array: ``array.write(source)``, ``numpy.copyto(target, source)``
to_numpy, numpy_read     into a new array of numpy: ``array.to_numpy()``, ``target.copy()``
fill, numpy_fill         ``array.fill(1.0)``, ``target.fill(1.0)``

Each array that is made is dropped at once, which is part of its time.
"""

from __future__ import annotations

from functools import partial

from lib.harness import Measure, Result, bench, options, take_turns

BATCH = 1000
OURS = ("asarray", "copy", "write", "to_numpy", "fill")
NUMPYS = ("numpy_array", "numpy_copy", "numpy_write", "numpy_read", "numpy_fill")
BUDGETS_US = {"asarray": 4.0, "write": 1.0}


def main() -> None:
    given = options("The cost of making, writing and reading small arrays.", rounds=50)
    result = Result("small", given.arch, "us")
    with bench(given.arch) as work:
        package = work.python("memory.variants", "small")
        variants: dict[str, Measure] = {name: partial(package.microseconds, name, BATCH) for name in OURS + NUMPYS}
        for name, times in take_turns(variants, given.rounds, f"small arrays on {given.arch}").items():
            result.add(name, times)
    for name, limit in BUDGETS_US.items() if given.arch == "x64" else ():
        result.budget(f"{name} of 8 floats", result.variants[name]["us"], limit, "us")
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
