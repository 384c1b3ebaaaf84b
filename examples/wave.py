"""Waves in a basin: the same bits on one core, on processes of MPI and on workers of Dask.

    python examples/wave.py
    mpiexec -n 4 python -m mpi4py examples/wave.py --on mpi
    python examples/wave.py --on dask

Each process has a block of the grid, with one cell of its neighbours on each side. Beyond the basin all is zero.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import taichi_aot
from taichi_aot import Runtime
from taichi_aot.distributed import decompose

Grid = npt.NDArray[Any]
STEPS_OF_A_GRAPH = 10  # Dask computes so many at a time


def drops(size: int, where: tuple[slice, ...]) -> Grid:
    """Return the heights at the start, of a part of the grid: a process needs no other."""
    rows, columns = np.ogrid[where]
    heights = np.zeros((len(rows), columns.size), np.float32)
    for x, y, width in ((0.3, 0.4, 0.05), (0.7, 0.6, 0.08)):
        distance = (rows / size - x) ** 2 + (columns / size - y) ** 2
        heights += np.exp(-distance / width**2).astype(np.float32)
    return heights


def on_parts(bundle: Path, size: int, steps: int, comm: Any = None) -> Grid | None:
    """Compute in this process, or with `comm` in all of MPI. Return the heights, in the first process."""
    with Runtime("x64") as runtime:
        advance = runtime.load_module(bundle).kernels["advance"]
        before, now, then = (decompose((size, size), [runtime], axis=(0, 1), comm=comm) for _ in range(3))
        for parts in (before, now):
            parts.write(drops(size, parts.where))
        for _ in range(steps):
            now.exchange()
            advance(before[0].array, now[0].array, then[0].array)
            before, now, then = now, then, before
        return now.gather()


def on_dask(bundle: Path, size: int, steps: int, client: Any, chunks: int) -> Grid:
    """Compute on the workers of a cluster, in blocks of `chunks` x `chunks` cells."""
    import dask
    import dask.array as da

    from taichi_aot.interop.dask import preload

    advance = preload(client, taichi_aot.function(bundle, "advance", out="then", arch="x64"))
    before = now = da.from_array(drops(size, (slice(0, size),) * 2), chunks=(chunks, chunks))
    for step in range(1, steps + 1):
        then = da.map_overlap(advance, before, now, depth=1, boundary=0, dtype=np.float32)
        before, now = now, then
        if step % STEPS_OF_A_GRAPH == 0:
            before, now = dask.persist(before, now)
    heights: Grid = now.compute()
    return heights


def build(folder: Path) -> Path:
    from taichi_aot.build import build

    build(Path(__file__).with_name("wave_kernels.py"), folder / "wave.tib", archs=["x64"])
    return folder / "wave.tib"


def run(options: argparse.Namespace, bundle: Path) -> Grid | None:
    given = bundle, options.size, options.steps
    if options.on == "dask":
        from distributed import Client, LocalCluster

        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
            Client(cluster) as client,
        ):
            return on_dask(*given, client, chunks=-(-options.size // 2))
    if options.on == "mpi":
        from mpi4py import MPI

        return on_parts(*given, MPI.COMM_WORLD)
    return on_parts(*given)


def draw(heights: Grid, path: str) -> None:
    from PIL import Image

    red = np.clip(heights * 2, 0, 1)
    blue = np.clip(-heights * 2, 0, 1)
    colours = 1 - np.stack([blue, red + blue, red], -1)
    Image.fromarray((np.clip(colours, 0, 1) * 255).astype(np.uint8)).save(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--on", choices=("one", "mpi", "dask"), default="one", help="default: %(default)s")
    parser.add_argument("--bundle", type=Path, help="what wave_kernels.py was built to; by default it is built now")
    parser.add_argument("--size", type=int, default=400, help="rows and columns (default: %(default)s)")
    parser.add_argument("--steps", type=int, default=300, help="default: %(default)s")
    parser.add_argument("--picture", help="file to draw the waves to")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        heights = run(options, options.bundle or build(Path(folder)))
    if heights is None:
        return
    digest = hashlib.sha256(heights.tobytes()).hexdigest()
    print(f"{options.steps} steps on {options.size} x {options.size}: SHA-256 {digest}")
    if options.picture:
        draw(heights, options.picture)


if __name__ == "__main__":
    main()
