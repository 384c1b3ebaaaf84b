"""One process for each GPU, and its work for gpus.py."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

TIMEOUT = 300.0  # seconds that a worker waits for the others, and the parent for a worker


class Size(NamedTuple):
    """The amount of work."""

    bodies: int
    fluids: int
    particles: int
    steps: dict[str, int]  # by the name of the work


class Work(NamedTuple):
    """A request to a worker: its share of the work among `workers`; with 1 worker, all of it."""

    name: str  # "nbody" or "fluid"
    steps: int
    worker: int
    workers: int


class Shared(NamedTuple):
    """Shared state of all workers: the positions of the bodies in two alternating buffers, and a barrier."""

    positions: Any
    barrier: Any


def environment_of(arch: str, number: int) -> dict[str, str]:
    """Return variables that make GPU `number` a process's first one, the only one that the library uses on CUDA."""
    if arch != "cuda":
        return {}
    visible = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
    return {"CUDA_VISIBLE_DEVICES": visible[number] if visible else str(number)}


def share(count: int, worker: int, workers: int) -> slice:
    """Return a worker's part of `count` things."""
    return slice(count * worker // workers, count * (worker + 1) // workers)


class Workers:
    """The running processes."""

    def __init__(self, connections: list[Connection]) -> None:
        self._connections = connections

    def run(self, name: str, steps: int, workers: int) -> None:
        """Let the first `workers` processes do the work together."""
        for number, connection in enumerate(self._connections[:workers]):
            connection.send(Work(name, steps, number, workers))
        self.answers(workers)

    def results(self, name: str, steps: int, workers: int) -> Floats:
        """Run the work, and return the combined results."""
        self.run(name, steps, workers)
        for connection in self._connections[:workers]:
            connection.send("result")
        return np.concatenate(self.answers(workers))

    def answers(self, workers: int) -> list[Any]:
        """Return the answers of the first `workers` processes, in order."""
        found: dict[Any, Any] = {}
        waiting = set(self._connections[:workers])
        while waiting:
            ready = wait(list(waiting), TIMEOUT)
            if not ready:
                raise SystemExit(f"a worker did not answer within {TIMEOUT:.0f} s")
            for connection in ready:
                try:
                    found[connection] = connection.recv()
                except EOFError:
                    raise SystemExit("a worker ended before it answered") from None
                waiting.remove(connection)
        return [found[connection] for connection in self._connections[:workers]]

    def end(self) -> None:
        for connection in self._connections:
            connection.send(None)


@contextmanager
def workers(arch: str, count: int, size: Size, bundle: Path) -> Iterator[Workers]:
    """Start a process for each of `count` GPUs; end all of them at the end of the block."""
    # A forked child could not use a GPU that the parent has used, and spawned processes work with every arch.
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe() for _ in range(count)]
    shared = Shared(context.RawArray("f", 2 * 3 * size.bodies), context.Barrier(count))
    processes = []
    for number, (_, end) in enumerate(pipes):
        given = (end, arch, number, size, bundle, shared)
        processes.append(context.Process(target=serve, args=given, daemon=True))
        processes[-1].start()
        end.close()
    try:
        started = Workers([own for own, _ in pipes])
        started.answers(count)  # wait until they are ready
        yield started
        started.end()
        for process in processes:
            process.join(TIMEOUT)
    finally:
        for process in processes:
            process.kill()


def serve(connection: Connection, arch: str, number: int, size: Size, bundle: Path, shared: Shared) -> None:
    """Run as a worker: handle requests until one is None."""
    os.environ |= environment_of(arch, number)  # before the first call of the driver
    from taichi_aot import Runtime

    with Runtime(arch, number if arch == "vulkan" else 0) as rt:
        works = {"nbody": Bodies(rt, size, bundle, shared).run, "fluid": Fluids(rt, size).run}
        result = None
        connection.send("ready")
        while (work := connection.recv()) is not None:
            if work == "result":
                connection.send(result)
            else:
                result = works[work.name](work)
                connection.send("done")


class Bodies:
    """Two galaxies that meet. Each worker moves its part of the bodies, and all exchange the positions."""

    def __init__(self, rt: Any, size: Size, bundle: Path, shared: Shared) -> None:
        from taichi_aot.demo.nbody import SOFTNESS, TIME_STEP, galaxy

        self.rt, self.size, self.shared = rt, size, shared
        self.pull = rt.load_module(bundle).kernels["pull"]
        self.constants = {"dt": TIME_STEP, "softness": SOFTNESS}
        generator = np.random.default_rng(6)
        half = size.bodies // 2
        first = galaxy(generator, half, tilt=0.5, at=(-1.4, -0.5, 0.0), moving=(0.4, -0.24, 0.0))
        second = galaxy(generator, size.bodies - half, tilt=-0.8, at=(1.4, 0.5, 0.0), moving=(-0.4, 0.24, 0.0))
        self.mass, self.x, self.v = (
            np.concatenate(pair).astype(np.float32) for pair in zip(first, second, strict=True)
        )

    def run(self, work: Work) -> Floats:
        """Return the positions of the worker's bodies after all steps."""
        return self._alone(work.steps) if work.workers == 1 else self._together(work)

    def _alone(self, steps: int) -> Floats:
        """Run without a copy: both arrays of positions stay on the GPU and alternate."""
        rt = self.rt
        arrays = {"mass": rt.asarray(self.mass), "v": rt.asarray(self.v, elem_shape=3)}
        x, moved = rt.asarray(self.x, elem_shape=3), rt.zeros(self.size.bodies, np.float32, 3)
        for _ in range(steps):
            self.pull(first=0, x=x, moved=moved, **arrays, **self.constants)
            x, moved = moved, x
        return x.to_numpy()

    def _together(self, work: Work) -> Floats:
        part = share(self.size.bodies, work.worker, work.workers)
        rt, buffers = self.rt, np.frombuffer(self.shared.positions, np.float32).reshape(2, -1, 3)
        arrays = {"mass": rt.asarray(self.mass), "v": rt.asarray(self.v[part], elem_shape=3)}
        x, moved = rt.asarray(self.x, elem_shape=3), rt.zeros(part.stop - part.start, np.float32, 3)
        for step in range(work.steps):
            self.pull(first=part.start, x=x, moved=moved, **arrays, **self.constants)
            # With two buffers, one wait is enough: a worker in the next step has read what this step overwrites.
            buffer = buffers[step % 2]
            moved.to_numpy(out=buffer[part])
            self.shared.barrier.wait(TIMEOUT)
            x.write(buffer)
        return moved.to_numpy()


class Fluids:
    """The demo's fluid for several gravities: each worker computes some of them, without sharing data."""

    def __init__(self, rt: Any, size: Size) -> None:
        self.rt, self.size = rt, size
        self.gravities = np.linspace(4.0, 16.0, size.fluids)

    def run(self, work: Work) -> Floats:
        """Return the positions of the particles for each of the worker's gravities."""
        part = share(self.size.fluids, work.worker, work.workers)
        return np.stack([self._simulate(gravity, work.steps) for gravity in self.gravities[part]])

    def _simulate(self, gravity: float, steps: int) -> Floats:
        from taichi_aot.demo.mpm88 import Fluid

        fluid = Fluid(self.rt, self.size.particles, gravity)
        fluid.advance(steps)
        return fluid.x.to_numpy()
