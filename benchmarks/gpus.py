"""All GPUs of a host, with one process each, compared with one GPU.

nbody   two galaxies: each process moves its part of the bodies, and after each step all exchange the positions through
        the host's memory; one GPU moves all bodies without a copy
fluid   the demo's fluid for several gravities: each process computes some of them

    taichi-aot build benchmarks/scale/bodies.py --arch x64,vulkan,cuda -o bodies.tib     # needs Taichi
    python benchmarks/gpus.py --gpus 2 --arch cuda --bundle bodies.tib --json gpus-cuda.json

Without `--bundle` the kernel is compiled now. Both variants use the same processes and take turns: either the first
process works alone, or all work. Each result is compared with that of one GPU: the bodies bit for bit, the particles
within a bound, because atomics add to them in no fixed order. With `--arch x64` the processes share the CPU's cores:
this shows that the program works, not that it is faster.
"""

from __future__ import annotations

import statistics
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np

from lib import build
from lib.harness import Bench, Result, bench, parser, take_turns
from scale.workers import Size, Workers, workers

GPU_STEPS = {"cuda": {"nbody": 3, "fluid": 6000}, "vulkan": {"nbody": 2, "fluid": 1000}}
SMALL = Size(bodies=1024, fluids=4, particles=2048, steps={"nbody": 4, "fluid": 50})  # for a CPU
IS_GPU = "import taichi_aot as t; print(any(d.arch == t.Arch({!r}) and d.kind != 'cpu' for d in t.devices()))"
CHECKED_STEPS = {"nbody": 3, "fluid": 200}
FLUID_BOUND = 1e-3  # of the box: the maximum change of a position by atomics after 200 steps
WANTED = 0.95  # of N times the throughput of one GPU


def size_for(work: Bench) -> Size:
    """Return the size of work that takes one device about a second."""
    if work.ask(IS_GPU.format(work.arch)) == "False":
        return SMALL
    return Size(bodies=2**19, fluids=8, particles=16_384, steps=GPU_STEPS[work.arch])


def compare(started: Workers, count: int) -> None:
    """Raise unless all processes together compute the same result as the first process."""
    for name, steps in CHECKED_STEPS.items():
        alone, together = (started.results(name, steps, workers) for workers in (1, count))
        difference = np.abs(together - alone).max() if together.shape == alone.shape else np.inf
        if not difference <= (0 if name == "nbody" else FLUID_BOUND) or not np.ptp(alone) > 0:
            raise SystemExit(f"{name}: {count} processes differ from one by up to {difference}")


def seconds(started: Workers, name: str, steps: int, count: int) -> float:
    begin = time.perf_counter()
    started.run(name, steps, count)
    return time.perf_counter() - begin


def main() -> None:
    options = parser("All GPUs of a host, by one process each.", rounds=7, archs=("x64", "vulkan", "cuda"))
    options.add_argument("--gpus", type=int, default=2, help="how many, at least 2 (default: %(default)s)")
    options.add_argument("--bundle", type=Path, help="what scale/bodies.py was built to (default: build it)")
    given = options.parse_args()
    if given.gpus < 2:
        options.error("--gpus must be at least 2")
    result = Result("gpus", given.arch, "s")
    with bench(given.arch) as work:
        size = size_for(work)
        bundle = given.bundle or work.folder / "bodies.tib"
        if given.bundle is None:
            source = build.BENCHMARKS / "scale" / "bodies.py"
            build.run(sys.executable, "-m", "taichi_aot", "build", source, "--arch", given.arch, "-o", bundle)
        with workers(given.arch, given.gpus, size, bundle) as started:
            compare(started, given.gpus)
            result.notes.append(f"{given.gpus} processes together find what one finds alone")
            variants = {
                f"{name}/{count}": partial(seconds, started, name, steps, count)
                for name, steps in size.steps.items()
                for count in (1, given.gpus)
            }
            times = take_turns(variants, given.rounds, f"gpus on {given.arch}")
    for name, samples in times.items():
        result.add(name, samples)
    for name in size.steps:
        # One ratio for each round, because all variants of a round run under the same load.
        ratios = [b / a for a, b in zip(times[f"{name}/1"], times[f"{name}/{given.gpus}"], strict=True)]
        ratio = statistics.median(ratios)
        result.variants[f"{name}/{given.gpus}"]["throughput_over_1"] = 1 / ratio
        result.budget(f"{name}: time on {given.gpus} over time on 1", ratio, 1 / (WANTED * given.gpus), "")
        result.notes.append(
            f"{name}: {1 / ratio:.3g} times the throughput of one ({1 / max(ratios):.3g} to {1 / min(ratios):.3g})"
        )
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
