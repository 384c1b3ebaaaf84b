"""Loops of kernels over a million elements on one core, compared with numpy and with Numba, if it is installed.

Each variant has a process of its own, and all take turns. Numba compiles the same loops with ``fastmath=True``. The
times are ns for an element. ``times_base`` is the ratio of the least times to that of Numba.
"""

from __future__ import annotations

import statistics
from functools import partial

from lib.harness import Measure, Result, bench, options, take_turns
from loops.variants import LENGTH, VARIANTS, arguments


def main() -> None:
    given = options("Loops of kernels on one core.", rounds=12, archs=("x64",))
    result = Result("loops", given.arch, "us")
    result.notes.append(f"{LENGTH:,} elements")
    variants: dict[str, Measure] = {}
    with bench(given.arch) as work:
        work.modules("loops")
        for variant in VARIANTS:
            child = work.start_if_possible(variant, result.notes, "loops.variants", variant)
            for name in arguments() if child is not None else ():
                if child is not None and (
                    variant != "numpy" or name in ("line", "plane", "volume", "stencil", "total")
                ):
                    variants[f"{name}/{variant}"] = partial(child.microseconds, name, 1)
        samples = take_turns(variants, given.rounds, "loops")
    ratios: list[float] = []
    for name, times in samples.items():
        loop, _, variant = name.partition("/")
        base = samples.get(f"{loop}/numba")
        ratio = {"times_base": min(times) / min(base)} if base is not None else {}
        if variant == "package" and base is not None:
            ratios.append(min(times) / min(base))
        result.add(name, times, ns_for_an_element=1000 * min(times) / LENGTH, **ratio)
    if ratios:
        result.notes.append(f"geometric mean of the ratios to Numba: {statistics.geometric_mean(ratios):.2f}")
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
