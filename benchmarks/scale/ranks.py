"""Steps of the stencil in the processes of halo.py: each has rows of a grid. The first one prints the times as JSON.

`step` fills the halos and computes, `overlap` computes the inner rows while the halos travel, `compute` leaves the
exchange out, and `exchange` the rest. A time is that of a step, in microseconds, of the slowest process.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from taichi_aot import Launch, Runtime
from taichi_aot.distributed import decompose


def mpi() -> tuple[Any, int, Callable[[float], list[float]]]:
    from mpi4py import MPI

    return MPI.COMM_WORLD, MPI.COMM_WORLD.Get_rank(), MPI.COMM_WORLD.allgather


def torch(backend: str, meeting: str) -> tuple[Any, int, Callable[[float], list[float]]]:
    import torch

    dist = torch.distributed
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    if backend == "nccl":
        torch.cuda.set_device(rank)
    dist.init_process_group(backend, init_method=f"file://{meeting}", rank=rank, world_size=size)
    atexit.register(dist.destroy_process_group)

    def gather(value: float) -> list[float]:
        values: list[Any] = [None] * size
        dist.all_gather_object(values, value)
        return values

    return dist.group.WORLD, rank, gather


class Steps:
    """Two grids, of which the stencil fills one from the other in turn."""

    def __init__(self, runtime: Runtime, bundle: Path, rows: int, columns: int, comm: Any) -> None:
        kernel = runtime.load_module(bundle).kernels["diffuse"]
        self.runtime = runtime
        self.fields = [decompose((rows, columns), [runtime], comm=comm) for _ in range(2)]
        self._launches: list[list[Launch]] = []
        for turn in (0, 1):
            source, target = self.fields[turn][0], self.fields[1 - turn][0]
            begin, stop = source.interior[2:]
            ranges = [(begin, stop), (begin + 1, stop - 1), (begin, begin + 1), (stop - 1, stop)]
            self._launches.append([kernel.bind(source.array, target.array, *each) for each in ranges])

    def compute(self, turn: int) -> None:
        self._launches[turn][0]()

    def exchange(self, turn: int) -> None:
        self.fields[turn].exchange()

    def step(self, turn: int) -> None:
        self.fields[turn].exchange()
        self._launches[turn][0]()

    def overlap(self, turn: int) -> None:
        _, inner, first, last = self._launches[turn]
        finish = self.fields[turn].start_exchange()
        inner()
        finish()
        first()
        last()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--comm", choices=("mpi", "gloo", "nccl"), required=True)
    options.add_argument("--arch", required=True)
    options.add_argument("--bundle", type=Path, required=True)
    options.add_argument("--rows", type=int, required=True)
    options.add_argument("--columns", type=int, required=True)
    options.add_argument("--steps", type=int, required=True)
    options.add_argument("--meeting", help="file by which the processes of torch.distributed meet")
    given = options.parse_args()
    comm, rank, gather = mpi() if given.comm == "mpi" else torch(given.comm, given.meeting)
    with Runtime(given.arch, rank if given.comm == "nccl" else 0) as runtime:
        steps = Steps(runtime, given.bundle, given.rows, given.columns, comm)
        times = {}
        for way in (steps.step, steps.overlap, steps.compute, steps.exchange):
            for turn in (0, 1):
                way(turn)
            runtime.wait()
            gather(0)  # all begin together
            begin = time.perf_counter_ns()
            for number in range(given.steps):
                way(number % 2)
            runtime.wait()
            spent = (time.perf_counter_ns() - begin) / given.steps / 1000
            times[way.__name__] = max(gather(spent))
    if rank == 0:
        print(json.dumps(times))


if __name__ == "__main__":
    main()
