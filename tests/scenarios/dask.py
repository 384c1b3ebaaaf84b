"""Clusters of worker processes: functions in tasks and array blocks, killed workers, GPUs, versions."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import dask.array as da
import numpy as np
import numpy.typing as npt
from dask.delayed import delayed
from distributed import Client, LocalCluster, as_completed, wait
from helpers.machine import resident_bytes
from helpers.raising import raised

import taichi_aot
from scenarios import ArchName
from taichi_aot.interop.dask import PreloadedFunction, PreloadPlugin, preload

Grid = npt.NDArray[np.float32]


@contextmanager
def cluster(workers: int = 2) -> Iterator[Client]:
    """Start worker processes with one thread each, which end with the client; yield the client."""
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            scheduler_port=0,
            silence_logs=logging.CRITICAL,  # hide reports of workers killed on purpose
        ) as local,
        Client(local, timeout=600) as client,
    ):
        yield client


def smoothed(grid: Grid) -> Grid:
    """Compute with numpy what the kernel `smooth` computes."""
    result = grid.copy()
    result[1:-1, 1:-1] = 0.25 * (grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:])
    return result


def grids(count: int, size: int = 16) -> list[Grid]:
    generator = np.random.default_rng(18)
    return [generator.random((size, size), np.float32) for _ in range(count)]


def compute(arch: ArchName, module: str) -> None:
    """Compute futures, delayed calls, blocks and a stencil with halos, with plain and preloaded functions."""
    function = taichi_aot.function(module, "smooth", out="y", arch=arch)
    whole = np.random.default_rng(3).random((60, 90), np.float32)
    with cluster() as client:
        for smooth in (function, preload(client, function)):
            for given, found in zip(grids(8), client.gather(client.map(smooth, grids(8), pure=False)), strict=True):
                np.testing.assert_allclose(found, smoothed(given), 1e-6)
            futures = [client.submit(smooth, grid) for grid in grids(1) * 2]
            assert futures[0].key == futures[1].key, "equal calls have different keys"
            found = delayed(smooth)(whole).compute()
            np.testing.assert_allclose(found, smoothed(whole), 1e-6)
            array = da.from_array(whole, chunks=(20, 30))
            blocks = array.map_blocks(smooth)
            assert blocks.dtype == np.float32
            assert blocks.name.startswith("smooth-"), "the dashboard shows the name of the kernel"
            np.testing.assert_allclose(blocks.compute()[20:40, 30:60], smoothed(whole[20:40, 30:60]), 1e-6)
            halos = array.map_overlap(smooth, depth=1, boundary="none")
            assert halos.name == array.map_overlap(smooth, depth=1, boundary="none").name
            np.testing.assert_allclose(halos.compute(), smoothed(whole), 1e-6)


def smooth_and_die_once(smooth: Callable[[Grid], Grid], grid: Grid, number: int, flag: str) -> Grid:
    """Kill this worker before it returns the result of grid 10, unless a worker was killed already."""
    result = smooth(grid)
    if number == 10 and not os.path.exists(flag):
        open(flag, "x").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return result


def process_of_worker() -> int:
    return os.getpid()


def lose_a_worker(module: str, flag: str) -> None:
    """Kill a worker between launch and result: another computes the result, and a new worker has the module."""
    given = grids(40)
    with cluster() as client:
        smooth = preload(client, taichi_aot.function(module, "smooth", out="y", arch="x64"))
        before = set(client.run(process_of_worker).values())
        tasks = [client.submit(smooth_and_die_once, smooth, grid, i, flag) for i, grid in enumerate(given)]
        for grid, found in zip(given, client.gather(tasks), strict=True):
            np.testing.assert_allclose(found, smoothed(grid), 1e-6)
        assert os.path.exists(flag), "no worker was killed"
        client.wait_for_workers(2, timeout=600)
        after = client.run(process_of_worker)
        assert len(before & set(after.values())) == 1
        for address in after:
            found = client.submit(smooth, given[0], workers=[address], pure=False).result()
            np.testing.assert_allclose(found, smoothed(given[0]), 1e-6)


def die_once(smooth: Callable[[Grid], Grid], flag: str, grid: Grid) -> Grid:
    """Kill this worker in the fifth step, unless a worker was killed already."""
    result = smooth(grid)
    if grid.size and not os.path.exists(flag) and os.path.exists(f"{flag}.begin"):
        open(flag, "x").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return result


def lose_a_worker_between_steps(module: str, flag: str) -> None:
    """Kill a worker that has blocks of earlier steps: they are computed again, and the halos are right."""
    whole = np.random.default_rng(5).integers(0, 64, (80, 60)).astype(np.float32)
    with cluster() as client:
        smooth = preload(client, taichi_aot.function(module, "smooth", out="y", arch="x64"))
        parts = da.from_array(whole, chunks=(20, 30))
        for step in range(6):
            if step == 3:
                parts = client.persist(parts)
                wait(parts)
                open(f"{flag}.begin", "x").close()
            function = partial(die_once, smooth, flag)
            parts = parts.map_overlap(function, depth=1, boundary="none", dtype=np.float32)
            whole = smoothed(whole)
        np.testing.assert_allclose(parts.compute(), whole, 1e-5)
        assert os.path.exists(flag), "no worker was killed"


def compute_by_xarray(module: str) -> None:
    """Blocks of xarray, and blocks with halos, keep their dimensions and coordinates."""
    import xarray

    whole = np.random.default_rng(3).random((60, 90), np.float32)
    with cluster() as client:
        smooth = preload(client, taichi_aot.function(module, "smooth", out="y", arch="x64"))
        places = {"y": np.arange(60) * 0.5, "x": np.arange(90) * 2.0}
        image = xarray.DataArray(whole, places, ("y", "x")).chunk(y=20, x=30)
        blocks = xarray.apply_ufunc(smooth, image, dask="parallelized", output_dtypes=[np.float32])
        np.testing.assert_allclose(blocks[20:40, 30:60], smoothed(whole[20:40, 30:60]), 1e-6)
        found = image.copy(data=image.data.map_overlap(smooth, depth=1, boundary="none"))
        np.testing.assert_allclose(found.sel(x=60.0), smoothed(whole)[:, 30], 1e-6)


def refuse_another_version(module: str) -> None:
    """Workers of another version refuse a function, a preloaded one and the plugin, and name both versions."""
    function = taichi_aot.function(module, "smooth", out="y", arch="x64")
    preloaded = PreloadPlugin(function)
    grid = grids(1)[0]
    with cluster(1) as client:
        client.run(setattr, taichi_aot, "__version__", "0.0.1")
        for call in (
            lambda: client.submit(function, grid).result(),
            lambda: client.submit(preloaded.function, grid).result(),
            lambda: client.register_plugin(preloaded),
        ):
            try:
                call()
            except Exception as error:
                messages = []
                cause: BaseException | None = error
                while cause is not None:
                    messages.append(str(cause))
                    cause = cause.__cause__
                text = "\n".join(messages)
            else:
                raise AssertionError("a worker of another version accepted it")
            assert f"was pickled by taichi_aot {taichi_aot.__version__}, and this process has 0.0.1" in text, text


def visible_gpu() -> str:
    return os.environ["CUDA_VISIBLE_DEVICES"]


def choose_gpus(module: str) -> None:
    """Two workers see different GPUs, and a killed worker's replacement sees the same GPU."""
    os.environ["CUDA_VISIBLE_DEVICES"] = "5,7"  # only drivers read it, and tests on the CPU use none
    with cluster() as client:
        preload(client, taichi_aot.function(module, "smooth", out="y", arch="x64"))
        gpus = client.run(visible_gpu)
        assert sorted(gpus.values()) == ["5", "7"], gpus
        killed = next(iter(gpus))
        os.kill(client.run(process_of_worker, workers=[killed])[killed], signal.SIGKILL)
        deadline = time.monotonic() + 300
        while killed in (seen := client.run(visible_gpu, on_error="ignore")) or len(seen) < 2:
            assert time.monotonic() < deadline, seen
            time.sleep(0.1)
        assert sorted(seen.values()) == ["5", "7"], seen


def call_without_the_module(module: str) -> None:
    """Call a preloaded function in a cluster that has not loaded it: the error has a remedy."""
    function = PreloadPlugin(taichi_aot.function(module, "smooth", out="y", arch="x64")).function
    with cluster(1) as client:
        error = client.submit(function, grids(1)[0]).exception()
        assert isinstance(error, RuntimeError)
        assert "does not have the module" in str(error)
        assert "call preload() with the client" in str(error)


def preload_again(module: str) -> None:
    """Preload a function again in another cluster, from a process that has its module."""
    function = taichi_aot.function(module, "smooth", out="y", arch="x64")
    grid = grids(1)[0]
    with cluster(1) as client:
        first = preload(client, function)
    with cluster(1) as client:
        again = preload(client, pickle.loads(pickle.dumps(first)))
        assert again == first
        np.testing.assert_allclose(client.submit(again, grid).result(), smoothed(grid), 1e-6)
        del function, again
        unknown = PreloadedFunction._restore(taichi_aot.__version__, "0" * 64, *first._key[1:])
        message = str(raised(lambda: preload(client, unknown), RuntimeError))
        assert "smooth(): this process does not have the module 000000000000: preload the Function" in message


def refuse_other_clients(module: str) -> None:
    """Asynchronous clients are refused: they register the plugin only when awaited."""
    function = taichi_aot.function(module, "smooth", out="y", arch="x64")
    message = str(raised(lambda: preload("tcp://here", function), TypeError))  # type: ignore[arg-type]
    assert message == "client must be a distributed.Client, not str 'tcp://here'"
    grid = grids(1)[0]

    async def main() -> None:
        async with Client(processes=False, dashboard_address=":0", asynchronous=True) as client:
            message = str(raised(lambda: preload(client, function), TypeError))
            assert "await client.register_plugin(plugin)" in message, message
            plugin = PreloadPlugin(function)
            await client.register_plugin(plugin)
            np.testing.assert_allclose(await client.submit(plugin.function, grid), smoothed(grid), 1e-6)

    asyncio.run(main())


def stay_flat(module: str, tasks: str) -> None:
    """Run many tasks on two workers: the second half hardly grows the memory of either."""
    given = grids(50)
    with cluster() as client:
        smooth = preload(client, taichi_aot.function(module, "smooth", out="y", arch="x64"))

        def run(count: int) -> int:
            for begin in range(0, count, 500):
                numbers = range(begin, min(begin + 500, count))
                futures = [client.submit(smooth, given[i % 50], pure=False) for i in numbers]
                for future, found in as_completed(futures, with_results=True):
                    future.release()
                    assert found.shape == (16, 16)
            return int(max(client.run(resident_bytes).values()))

        half = int(tasks) // 2
        first, second = run(half), run(half)
        print(f"{tasks} tasks: {first >> 20} MiB after half of them, {second >> 20} MiB after all")
        assert second - first < 8 << 20, (first, second)
