"""Loops of kernels on one core or several, compared with numpy on one, and with Numba, JAX, Warp and Taichi's JIT.

Each variant has a process of its own, and all take turns. Numba compiles the same loops with ``fastmath=True``, and
``parallel=True`` for several cores. JAX, Warp (on one core) and the JIT have some of the loops. Variants that are not
installed are left out. ``times_base`` is the ratio of the least time to that of Numba.
"""

from __future__ import annotations

import statistics
import time
from functools import partial

from lib.harness import Child, Measure, Result, bench, parser, take_turns
from loops.variants import LOOPS, SIDE, VARIANTS, arguments


def measured(child: Child, name: str, count: int) -> float:
    """Return the time of a run when the threads of other variants sleep, and its own work."""
    if count > 1:
        time.sleep(0.02)
        child.microseconds(name, 3)
    return child.microseconds(name, count)


def main() -> None:
    options = parser("Loops of kernels.", rounds=12, archs=("x64",))
    options.add_argument("--cores", type=int, default=1, help="default: %(default)s")
    options.add_argument("--elements", type=int, default=SIDE**2, help="a multiple of 2048 (default: %(default)s)")
    given = options.parse_args()
    result = Result("loops", given.arch, "us")
    result.notes.append(f"{given.elements:,} elements, {given.cores} cores")
    variants: dict[str, Measure] = {}
    count = max(1, 8 * SIDE**2 // given.elements) if given.cores > 1 else 1
    with bench(given.arch) as work:
        work.modules("loops")
        for variant in VARIANTS:
            sizes = (str(given.cores), str(given.elements))
            child = work.start_if_possible(variant, result.notes, "loops.variants", variant, *sizes)
            for name in arguments(given.elements) if child is not None else ():
                if child is not None and name in LOOPS.get(variant, (name,)):
                    variants[f"{name}/{variant}"] = partial(measured, child, name, count)
        samples = take_turns(variants, given.rounds, "loops")
    ratios: list[float] = []
    for name, times in samples.items():
        loop, _, variant = name.partition("/")
        base = samples.get(f"{loop}/numba")
        ratio = {"times_base": min(times) / min(base)} if base is not None else {}
        if variant == "package" and base is not None:
            ratios.append(min(times) / min(base))
        result.add(name, times, ns_for_an_element=1000 * min(times) / given.elements, **ratio)
    if ratios:
        result.notes.append(f"geometric mean of the ratios to Numba: {statistics.geometric_mean(ratios):.2f}")
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
