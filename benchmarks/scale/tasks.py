"""Dask tasks for scale.py: scale.tasks ARCH FOLDER serve, or COUNT instead of serve to print the memory of tasks."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from distributed import Client, LocalCluster, wait
from distributed.comm.tcp import TCP

import taichi_aot
from lib.serve import Run, answers, serve
from taichi_aot.interop.dask import preload

LENGTH = 1024
AT_ONCE = 500  # tasks


def empty(a: float, x: Any, y: Any) -> Any:
    return y


def tasks(client: Client, call: Callable[..., Any], arrays: list[Any]) -> Run:
    """Return a loop of tasks that have the same arguments and leave their results on the workers."""

    def run(count: int) -> None:
        for begin in range(0, count, AT_ONCE):
            several = [[each] * min(AT_ONCE, count - begin) for each in (2.0, *arrays)]
            wait(client.map(call, *several, pure=False))

    return run


class Written:
    """The bytes that this process, with the client and the scheduler, writes to its connections."""

    def __init__(self) -> None:
        self.bytes = 0
        write = TCP.write

        async def counted(*args: Any, **kwargs: Any) -> int:
            written = await write(*args, **kwargs)
            self.bytes += written
            return written

        TCP.write = counted

    def since(self, call: Callable[[], object]) -> int:
        before = self.bytes
        call()
        return self.bytes - before


def memory_of_workers(client: Client) -> float:
    """Return the memory in use by the larger worker in MiB."""
    return max(client.run(lambda: psutil.Process().memory_info().rss).values()) / 2**20


def main() -> None:
    descriptor = answers()
    arch, folder, what = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    function = taichi_aot.function(folder / "launch.tcm", "saxpy", out="y", arch=arch)
    written = Written()
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster.scheduler_address) as client,  # over TCP, although it is in this process
    ):
        ones, zeros = np.ones(LENGTH, np.float32), np.zeros(LENGTH, np.float32)
        arrays = client.scatter([ones, zeros], broadcast=True)
        calls: dict[str, Callable[..., Any]] = {"empty": empty, "function": function}
        sizes = {"preload() with 2 workers": written.since(lambda: calls.update(preloaded=preload(client, function)))}
        found = client.gather([client.submit(calls[name], 2.0, *arrays) for name in ("function", "preloaded")])
        np.testing.assert_array_equal(found, [2 * ones] * 2)
        runs = {name: tasks(client, call, arrays) for name, call in calls.items()}
        if what == "serve":
            serve(runs, descriptor)
            return
        for name, run in runs.items():
            sizes[f"a task_{name}"] = written.since(lambda run=run: run(AT_ONCE)) // AT_ONCE
        mib = []
        for _ in range(2):
            runs["preloaded"](int(what) // 2)
            mib.append(memory_of_workers(client))
    with open(descriptor, "w", encoding="utf-8") as answer:
        print(json.dumps({"mib": mib, "written": sizes}), file=answer)


if __name__ == "__main__":
    main()
