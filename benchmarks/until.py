"""The cost of an iteration of a solver that checks a number on the device: in C, and in a loop in Python.

An iteration is two steps of Jacobi's method on a square of 16 or 64 cells along an edge, as in examples/jacobi.py.
The bound is never reached, so that all variants make the same iterations:

SIZE/unchecked   a sequence of all iterations, then ``rt.wait()``
SIZE/until_N     ``sequence.until(change, below=..., check_every=N)(repeat)``
SIZE/host_N      a loop in Python: ``sequence(repeat=N)``, then ``change.item() < below``

``times_base`` is the median of the ratios to ``host_N`` within the rounds. Notes have the number of iterations with
which plates converge in both ways.
"""

from __future__ import annotations

from functools import partial

from lib.build import BENCHMARKS
from lib.harness import Measure, Result, bench, options, statistics_of, take_turns
from until.variants import SIZES, WAYS

ARCHS = ("x64", "vulkan", "cuda")
BATCH = 500  # iterations


def main() -> None:
    given = options("The cost of an iteration that ends with a check.", rounds=20, archs=ARCHS)
    result = Result("until", given.arch, "us")
    with bench(given.arch) as work:
        work.modules("jacobi")
        code = f"import sys; sys.path.insert(0, {str(BENCHMARKS)!r}); from until import variants; "
        made = work.ask(f"{code}print(variants.converge({given.arch!r}, {str(work.folder)!r}))")
        result.notes.append(f"iterations until no cell changes by 1e-4, the same in both ways: {made}")
        child = work.python("until.variants")
        names = [f"{size}/{name}" for size in SIZES for name in ["unchecked", *WAYS]]
        variants: dict[str, Measure] = {name: partial(child.microseconds, name, BATCH) for name in names}
        samples = take_turns(variants, given.rounds, f"until on {given.arch}")
    for name, times in samples.items():
        size, way = name.split("/")
        if not way.startswith("until_"):
            result.add(name, times)
            continue
        base = samples[f"{size}/host_{way.split('_')[1]}"]
        spread = statistics_of([time / of_base for time, of_base in zip(times, base, strict=True)], "times_base")
        result.add(name, times, times_base=spread["times_base"], times_base_quartiles=spread["quartiles"])
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
