"""The cost of a launch with 100,000 arrays alive, or with 1,000 kernels in its module.

c, sequence, bound, checked   as in launch.py, with the serial kernel: alone, with the arrays, in the large module
"""

from __future__ import annotations

from functools import partial

from launch.measure import BATCH
from lib.harness import Bench, Measure, Result, bench, options, take_turns

ARRAYS = 100_000
KERNELS = 1000
RATIO = 1.1  # below this, costs are considered equal
VARIANTS = ("sequence", "bound", "checked")


def start(work: Bench) -> dict[str, Measure]:
    work.modules("launch", "kernels_1", f"kernels_{KERNELS}")
    work.compile_program()
    batch = BATCH[work.arch]
    variants: dict[str, Measure] = {}
    for arrays in (0, ARRAYS):
        program = work.program(memories=arrays, quiet=True)
        variants[f"c, {arrays} arrays"] = partial(program.microseconds, "serial_saxpy", batch)
    cases = {
        "0 arrays": ("launch.tcm", "serial_saxpy", "0"),
        f"{ARRAYS} arrays": ("launch.tcm", "serial_saxpy", str(ARRAYS)),
        "1 kernel": ("kernels_1.tcm", "saxpy", "0"),
        f"{KERNELS} kernels": (f"kernels_{KERNELS}.tcm", f"saxpy_{KERNELS - 1}", "0"),
    }
    for title, arguments in cases.items():
        child = work.python("launch.scaling_variants", *arguments)
        variants |= {f"{variant}, {title}": partial(child.microseconds, variant, batch) for variant in VARIANTS}
    return variants


def main() -> None:
    given = options("The cost of a launch by the number of arrays and kernels.", rounds=100)
    result = Result("scaling", given.arch, "us_per_launch")
    with bench(given.arch) as work:
        for name, times in take_turns(start(work), given.rounds, f"scaling on {given.arch}").items():
            result.add(name, times)
    for variant in VARIANTS:
        for few, many in (("0 arrays", f"{ARRAYS} arrays"), ("1 kernel", f"{KERNELS} kernels")):
            one, other = (result.variants[f"{variant}, {title}"]["us_per_launch"] for title in (few, many))
            result.budget(f"{variant} with {many}", other / one, RATIO, f"times that with {few}")
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
