"""All GPUs of a host, with one process each or all in one process, compared with one GPU.

nbody   bodies that attract each other: each GPU moves its part, and after each step all exchange the positions; one
        GPU moves all bodies without a copy
fluid   the demo's fluid for several gravities: each GPU computes some of them

With `--gpus N` each of them has the variants

1             one GPU
N             a process for each GPU; the positions pass through the host's memory
N_threads     one process with a runtime on each GPU, and a thread for each; likewise through the host's memory
N_one_thread  one process and one thread; the positions are copied from GPU to GPU

    python benchmarks/gpus.py --gpus 2 --arch cuda --json gpus-cuda.json

All variants take turns. Each result is compared with that of one GPU: the bodies bit for bit, the particles within a
bound, because atomics add to them in no fixed order. If there are fewer devices than `--gpus`, several runtimes share
one. With `--arch x64` they share the CPU's cores. Both show that the program works, not that it is faster.
"""

from __future__ import annotations

import statistics
import time
from functools import partial

import numpy as np

from lib.harness import Bench, Result, bench, parser, take_turns
from scale.workers import Machine, Size, Way, Workers, ways, workers

GPU_STEPS = {"cuda": {"nbody": 3, "fluid": 6000}, "vulkan": {"nbody": 2, "fluid": 1000}}
SMALL = Size(bodies=1024, fluids=4, particles=2048, steps={"nbody": 4, "fluid": 50})  # for a CPU
KINDS = "import taichi_aot as t; print(*[d.kind for d in t.devices() if d.arch == t.Arch({!r})])"
CHECKED_STEPS = {"nbody": 3, "fluid": 200}
FLUID_BOUND = 1e-3  # of the box: the maximum change of a position by atomics after 200 steps
WANTED = 0.95  # of N times the throughput of one GPU


def describe_machine(work: Bench) -> Machine:
    """Count the devices, and choose the size of work that takes one of them about a second."""
    kinds = work.ask(KINDS.format(work.arch)).split()
    is_gpu = bool(kinds) and kinds[0] != "cpu"
    size = Size(bodies=2**19, fluids=8, particles=16_384, steps=GPU_STEPS[work.arch]) if is_gpu else SMALL
    return Machine(work.arch, len(kinds), size, work.folder)


def compare(started: Workers, all_ways: dict[str, Way]) -> None:
    """Raise unless all ways compute the same result as the first one."""
    for name, steps in CHECKED_STEPS.items():
        alone, *others = (started.results(name, steps, way) for way in all_ways.values())
        for label, together in zip(list(all_ways)[1:], others, strict=True):
            difference = np.abs(together - alone).max() if together.shape == alone.shape else np.inf
            if not difference <= (0 if name == "nbody" else FLUID_BOUND) or not np.ptp(alone) > 0:
                raise SystemExit(f"{name}/{label} differs from one device by up to {difference}")


def seconds(started: Workers, name: str, steps: int, way: Way) -> float:
    begin = time.perf_counter()
    started.run(name, steps, way)
    return time.perf_counter() - begin


def add_throughput(result: Result, times: dict[str, list[float]], name: str, label: str, wanted: float) -> None:
    """Add the throughput over that of one device, and a budget if some is wanted."""
    # One ratio for each round, because all variants of a round run under the same load.
    ratios = [several / one for one, several in zip(times[f"{name}/1"], times[f"{name}/{label}"], strict=True)]
    ratio = statistics.median(ratios)
    result.variants[f"{name}/{label}"]["throughput_over_1"] = 1 / ratio
    if wanted:
        result.budget(f"{name}/{label}: time over time on 1", ratio, 1 / wanted, "")
    spread = f"{1 / max(ratios):.3g} to {1 / min(ratios):.3g}"
    result.notes.append(f"{name}/{label}: {1 / ratio:.3g} times the throughput of one ({spread})")


def main() -> None:
    options = parser("All GPUs of a host.", rounds=7, archs=("x64", "vulkan", "cuda"))
    options.add_argument("--gpus", type=int, default=2, help="how many, at least 2 (default: %(default)s)")
    given = options.parse_args()
    if given.gpus < 2:
        options.error("--gpus must be at least 2")
    result = Result("gpus", given.arch, "s")
    all_ways = ways(given.gpus)
    with bench(given.arch) as work:
        work.modules("bodies", "mpm")
        machine = describe_machine(work)
        with workers(machine, given.gpus) as started:
            compare(started, all_ways)
            variants = {
                f"{name}/{label}": partial(seconds, started, name, steps, way)
                for name, steps in machine.size.steps.items()
                for label, way in all_ways.items()
            }
            times = take_turns(variants, given.rounds, f"gpus on {given.arch}")
    are_shared = machine.devices < given.gpus
    which = f", which share {machine.devices or 1}" if are_shared else ""
    result.notes.append(f"{given.gpus} devices{which}: in all ways they find what one finds alone")
    for name, samples in times.items():
        result.add(name, samples)
    for name in machine.size.steps:
        for label in list(all_ways)[1:]:
            add_throughput(result, times, name, label, 0 if are_shared else WANTED * given.gpus)
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
