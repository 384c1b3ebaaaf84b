"""A stencil on several devices of one process, compared with one device.

strong   a grid of `--size` x `--size` f32, split into rows over 1, 2, 4, ... devices
weak     a grid of that size for each device

Each of them has two variants: `step` fills the halos and computes, and `exchange` only fills the halos. The cost is
that of one step.

    taichi-aot build benchmarks/scale/stencil.py --arch x64,vulkan,cuda -o stencil.tib     # needs Taichi
    python benchmarks/halo.py --devices 2 --arch cuda --bundle stencil.tib --json halo-cuda.json

`--comm mpi` measures processes instead, each with a device: on x64 with one core. `overlap` computes during the
exchange, and `compute` leaves it out; what `overlap` hides is the part of the exchange that it saves. `--comm nccl`
takes as many GPUs as processes.

    python benchmarks/halo.py --comm mpi --devices 2 --json halo-mpi.json
    python benchmarks/halo.py --comm nccl --arch cuda --devices 2 --bundle stencil.tib --json halo-nccl.json

If the machine has fewer devices of the arch, several runtimes share one. On x64 each runtime computes with its share of
the cores, on a thread of its own. All variants take turns. After the same steps, the grids are compared bit for bit.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from lib import build
from lib.harness import Bench, Result, bench, parser, take_turns
from scale.grids import STEPS, Grid, runtimes

DEVICES = "import taichi_aot as t; print(*[d.kind for d in t.devices() if d.arch == t.Arch({!r})])"
SIZE_OF_GPU, SIZE_OF_CPU = 16_384, 1024
STEPS_OF_GPU, STEPS_OF_CPU = 100, 20
CHECKED_STEPS = 8
WANTED = {2: 1.9, 4: 3.6}  # times the speed of one device, by the number of devices


def counts(devices: int) -> list[int]:
    """Return 1, 2, 4, ... up to the number of devices, and that number."""
    return sorted({devices, *(2**i for i in range(devices.bit_length()) if 2**i <= devices)})


def compile_stencil(work: Bench, devices: int) -> Path:
    """Compile the stencil; on a CPU with as many threads as a runtime has cores."""
    target = work.folder / "stencil.tib"
    threads = ("--cpu-threads", str(max(1, build.cores() // devices))) if work.arch == "x64" else ()
    source = build.BENCHMARKS / "scale" / "stencil.py"
    build.run(sys.executable, "-m", "taichi_aot", "build", source, "--arch", work.arch, *threads, "-o", target)
    return target


def compare(grids: dict[str, Grid]) -> None:
    """Raise unless all numbers of devices compute what one does."""
    expected = None
    for name, grid in grids.items():
        grid.fill()
        grid.run("step", CHECKED_STEPS)
        found = grid.numbers()
        expected = found if expected is None else expected
        if found.tobytes() != expected.tobytes():
            raise SystemExit(f"{name} differs from one device")


def add_scaling(result: Result, times: dict[str, list[float]], kind: str, count: int, has_devices: bool) -> None:
    """Add the speed on several devices over one: a ratio for each round, because its variants ran under one load."""
    ratios = [one / more for one, more in zip(times[f"{kind}/1/step"], times[f"{kind}/{count}/step"], strict=True)]
    speed = statistics.median(ratios) * (count if kind == "weak" else 1)
    result.variants[f"{kind}/{count}/step"]["speed_over_1"] = speed
    result.notes.append(f"{kind}/{count}/step: {speed:.3g} times the cells per second of one device")
    if kind == "strong" and count in WANTED and has_devices:
        result.budget(f"time on {count} over time on 1", 1 / speed, 1 / WANTED[count], "")


def processes(given: argparse.Namespace, count: int, rows: int, columns: int, steps: int) -> dict[str, float]:
    """Run `scale/ranks.py` in so many processes; return the time of each way."""
    script = build.BENCHMARKS / "scale" / "ranks.py"
    sizes = ("--rows", rows, "--columns", columns, "--steps", steps)
    common = [sys.executable, script, "--comm", given.comm, "--arch", given.arch, "--bundle", given.bundle, *sizes]
    environment = {**os.environ, "TAICHI_AOT_CPU_THREADS": "1"}
    if given.comm == "mpi":
        beside = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or "mpiexec"
        return dict(json.loads(_start([beside, "-n", count, *common], environment).communicate()[0]))
    with tempfile.TemporaryDirectory() as folder:
        meet = ("--meeting", f"{folder}/meeting")
        places = [{**environment, "RANK": str(rank), "WORLD_SIZE": str(count)} for rank in range(count)]
        children = [_start([*common, *meet], place) for place in places]
        first, *_ = [child.communicate()[0] for child in children]
        return dict(json.loads(first))


def _start(command: Sequence[object], environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(list(map(str, command)), env=environment, stdout=subprocess.PIPE, text=True)


def measure_processes(work: Bench, given: argparse.Namespace, result: Result, size: int, steps: int) -> None:
    given.bundle = given.bundle or compile_stencil(work, given.devices)
    shapes = {f"strong/{n}": (n, size) for n in counts(given.devices)}
    shapes |= {f"weak/{n}": (n, size * n) for n in counts(given.devices)}
    times: dict[str, list[float]] = {}
    for _ in range(given.rounds):
        for name, (count, rows) in shapes.items():
            for way, spent in processes(given, count, rows, size, steps).items():
                times.setdefault(f"{name}/{way}", []).append(spent)
    result.notes.append(f"{size} x {size} f32 on {given.devices} processes by {given.comm}")
    for name, samples in times.items():
        result.add(name, samples)
    for count in counts(given.devices)[1:]:
        for kind in ("strong", "weak"):
            add_scaling(result, times, kind, count, has_devices=False)
            way = {each: min(times[f"{kind}/{count}/{each}"]) for each in ("step", "overlap", "compute")}
            hidden = (way["step"] - way["overlap"]) / (way["step"] - way["compute"])
            result.variants[f"{kind}/{count}/overlap"]["hidden"] = hidden
            result.notes.append(f"{kind}/{count}: {hidden:.0%} of the exchange is hidden (of minima)")


def main() -> None:
    options = parser("A stencil on several devices.", rounds=7, archs=("x64", "vulkan", "cuda"))
    options.add_argument("--devices", type=int, default=2, help="how many, at least 2 (default: %(default)s)")
    options.add_argument("--size", type=int, help="rows and columns (default: 16384 on a GPU, else 1024)")
    options.add_argument("--bundle", type=Path, help="what scale/stencil.py was built to (default: build it)")
    options.add_argument("--comm", choices=("mpi", "gloo", "nccl"), help="measure processes that this connects")
    given = options.parse_args()
    if given.devices < 2:
        options.error("--devices must be at least 2")
    result = Result("halo", given.arch, "us")
    with bench(given.arch) as work:
        kinds = work.ask(DEVICES.format(given.arch)).split()
        is_gpu = bool(kinds) and kinds[0] != "cpu"
        size = given.size or (SIZE_OF_GPU if is_gpu else SIZE_OF_CPU)
        steps = STEPS_OF_GPU if is_gpu else STEPS_OF_CPU
        if given.comm:
            measure_processes(work, given, result, size, steps)
            result.print()
            result.write(given.json)
            return
        bundle = given.bundle or compile_stencil(work, given.devices)
        devices = runtimes(given.arch, [i % max(1, len(kinds)) for i in range(given.devices)])

        def grid(count: int, rows: int) -> Grid:
            return Grid(rows, size, devices[:count], bundle, in_threads=not is_gpu)

        strong = {f"strong/{count}": grid(count, size) for count in counts(given.devices)}
        compare(strong)
        weak = {f"weak/{count}": grid(count, size * count) for count in counts(given.devices)}
        variants = {
            f"{name}/{way}": partial(each.microseconds, way, steps)
            for name, each in (strong | weak).items()
            for way in STEPS
        }
        times = take_turns(variants, given.rounds, f"halo on {given.arch}")
    shared = ", which share one" if len(kinds) < given.devices else ""
    result.notes.append(f"{size} x {size} f32 on {given.devices} devices{shared}; bit for bit equal to one device")
    for name, samples in times.items():
        result.add(name, samples)
    for count in counts(given.devices)[1:]:
        for kind in ("strong", "weak"):
            add_scaling(result, times, kind, count, has_devices=len(kinds) >= count)
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
