"""Recorded launches compared with the library's, for kernels whose loop lengths have different sources.

For short loops the recorder launches fewer groups; a long loop must not become slower. Each case is a sequence of 100
launches: recorded, and launched by the library (``TAICHI_AOT_CUDA_RECORDING=0`` or ``TAICHI_AOT_VULKAN_RECORDING=0``).
"""

from __future__ import annotations

import statistics
from functools import partial

from launch.grids_variants import CASES
from lib.harness import RECORDING_ARCHS, Result, bench, options, take_turns

BATCH = 100
RATIO = 1.05


def main() -> None:
    given = options("Recorded launches of loops of all lengths.", rounds=15, archs=RECORDING_ARCHS)
    result = Result("grids", given.arch, "us_per_launch")
    with bench(given.arch) as work:
        work.modules("grids")
        children = {
            "recorded": work.python("launch.grids_variants"),
            "library": work.python("launch.grids_variants", library=True),
        }
        variants = {
            f"{case}/{name}": partial(child.microseconds, case, BATCH)
            for case in CASES
            for name, child in children.items()
        }
        samples = take_turns(variants, given.rounds, f"grids on {given.arch}")
    for name, times in samples.items():
        result.add(name, times)
    for case in CASES:
        pairs = zip(samples[f"{case}/recorded"], samples[f"{case}/library"], strict=True)
        ratio = statistics.median(recorded / library for recorded, library in pairs)
        result.budget(f"{case} recorded", ratio, RATIO, "times the library's")
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
