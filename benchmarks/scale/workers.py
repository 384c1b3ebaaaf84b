"""The GPUs of a host and their work for gpus.py: one process for each, or one process for all."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

TIMEOUT = 300.0  # seconds that a worker waits for the others, and the parent for a worker
STEPS_AT_ONCE = 100  # of a fluid, before the only thread turns to that of the next device


class Size(NamedTuple):
    """The amount of work."""

    bodies: int
    fluids: int
    particles: int
    steps: dict[str, int]  # by the name of the work


class Way(NamedTuple):
    """How many devices work, and how: ``processes``, ``threads`` or ``one_thread``."""

    count: int
    how: str


class Work(NamedTuple):
    """A request to a worker: its share of the work among `workers`; with 1 worker, all of it."""

    name: str  # "nbody" or "fluid"
    steps: int
    worker: int
    workers: int
    how: str


class Shared(NamedTuple):
    """Shared state of all workers: the positions of the bodies in two alternating buffers, and a barrier."""

    positions: Any
    barrier: Any


class Machine(NamedTuple):
    """What a process is started with: the arch, the number of its devices, the size of work, a folder of modules."""

    arch: str
    devices: int
    size: Size
    modules: Path

    def device(self, number: int) -> int:
        """Return the device of a worker; several share one if there are more workers."""
        return number % max(1, self.devices)


def ways(count: int) -> dict[str, Way]:
    """Return the ways to use this many devices, after the way to use one."""
    several = {f"{count}": "processes", f"{count}_threads": "threads", f"{count}_one_thread": "one_thread"}
    return {"1": Way(1, "processes")} | {label: Way(count, how) for label, how in several.items()}


def environment_of(arch: str, number: int) -> dict[str, str]:
    """Return variables that make GPU `number` a process's first one, as modules without PTX need it on CUDA."""
    if arch != "cuda":
        return {}
    visible = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
    return {"CUDA_VISIBLE_DEVICES": visible[number] if visible else str(number)}


def share(count: int, worker: int, workers: int) -> slice:
    """Return a worker's part of `count` things."""
    return slice(count * worker // workers, count * (worker + 1) // workers)


class Workers:
    """The running processes: one for each device, and one that has all."""

    def __init__(self, connections: list[Connection], for_all: Connection) -> None:
        self._connections = connections
        self._for_all = for_all

    def run(self, name: str, steps: int, way: Way) -> None:
        """Let the devices do the work together."""
        used = self._used(way)
        for number, connection in enumerate(used):
            connection.send(Work(name, steps, number, way.count, way.how))
        answers(used)

    def results(self, name: str, steps: int, way: Way) -> Floats:
        """Run the work, and return the combined results."""
        self.run(name, steps, way)
        used = self._used(way)
        for connection in used:
            connection.send("result")
        return np.concatenate(answers(used))

    def _used(self, way: Way) -> list[Connection]:
        return self._connections[: way.count] if way.how == "processes" else [self._for_all]

    def end(self) -> None:
        for connection in (*self._connections, self._for_all):
            connection.send(None)


def answers(connections: Sequence[Connection]) -> list[Any]:
    """Return the answer of each worker, in order."""
    found: dict[Any, Any] = {}
    waiting = set(connections)
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
    return [found[connection] for connection in connections]


@contextmanager
def workers(machine: Machine, count: int) -> Iterator[Workers]:
    """Start a process for each of `count` devices, and one for all; end them at the end of the block."""
    # A forked child could not use a GPU that the parent has used, and spawned processes work with every arch.
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe() for _ in range(count + 1)]
    shared = Shared(context.RawArray("f", 2 * 3 * machine.size.bodies), context.Barrier(count))
    processes = []
    for number, (_, end) in enumerate(pipes):
        given = (end, machine, count) if number == count else (end, machine, number, shared)
        processes.append(context.Process(target=serve_all if number == count else serve, args=given, daemon=True))
        processes[-1].start()
        end.close()
    try:
        connections = [own for own, _ in pipes]
        answers(connections)  # wait until they are ready
        started = Workers(connections[:count], connections[count])
        yield started
        started.end()
        for process in processes:
            process.join(TIMEOUT)
    finally:
        for process in processes:
            process.kill()


def serve(connection: Connection, machine: Machine, number: int, shared: Shared) -> None:
    """Run as a worker with one device: handle requests until one is None."""
    index = machine.device(number)
    os.environ |= environment_of(machine.arch, index)  # before the first call of the driver
    from taichi_aot import Runtime

    with Runtime(machine.arch, index if machine.arch == "vulkan" else 0) as rt:
        bodies, fluids = Bodies(rt, machine), Fluids(rt, machine)

        def run(work: Work) -> Floats:
            return bodies.run(work, shared) if work.name == "nbody" else fluids.run(work)

        handle(connection, run)


def serve_all(connection: Connection, machine: Machine, count: int) -> None:
    """Run as the worker that has a runtime on each device: handle requests until one is None."""
    from taichi_aot import Runtime

    with ExitStack() as stack:
        runtimes = [stack.enter_context(Runtime(machine.arch, machine.device(number))) for number in range(count)]
        bodies, fluids = [Bodies(rt, machine) for rt in runtimes], [Fluids(rt, machine) for rt in runtimes]
        threads = stack.enter_context(ThreadPoolExecutor(count))
        shared = Shared(np.empty(2 * 3 * machine.size.bodies, np.float32), threading.Barrier(count))

        def run(work: Work) -> Floats:
            if work.how == "one_thread":
                return move_all(bodies, work.steps) if work.name == "nbody" else simulate_all(fluids, work.steps)
            parts = [work._replace(worker=number) for number in range(count)]
            if work.name == "nbody":
                return np.concatenate(list(threads.map(Bodies.run, bodies, parts, [shared] * count)))
            return np.concatenate(list(threads.map(Fluids.run, fluids, parts)))

        handle(connection, run)


def handle(connection: Connection, run: Callable[[Work], Floats]) -> None:
    result = None
    connection.send("ready")
    while (work := connection.recv()) is not None:
        if work == "result":
            connection.send(result)
        else:
            result = run(work)
            connection.send("done")


class Bodies:
    """Bodies that attract each other. Each worker moves its part of them, and all exchange the positions."""

    def __init__(self, rt: Any, machine: Machine) -> None:
        self.rt, self.count = rt, machine.size.bodies
        self.pull = rt.load_module(machine.modules / "bodies.tcm").kernels["pull"]
        self.constants = {"dt": 0.01, "softness": 0.08}
        self.mass = np.full(self.count, 1 / self.count, np.float32)
        self.x = np.random.default_rng(6).standard_normal((self.count, 3), np.float32)
        self.v = np.zeros((self.count, 3), np.float32)

    def run(self, work: Work, shared: Shared) -> Floats:
        """Return the positions of the worker's bodies after all steps."""
        part = share(self.count, work.worker, work.workers)
        return self._alone(work.steps) if work.workers == 1 else self._together(work.steps, part, shared)

    def start(self, part: slice) -> dict[str, Any]:
        """Return the arrays of a part of the bodies, and the other arguments of a step."""
        rt = self.rt
        arrays = {"mass": rt.asarray(self.mass), "v": rt.asarray(self.v[part], elem_shape=3)}
        arrays["x"] = rt.asarray(self.x, elem_shape=3)
        arrays["moved"] = rt.zeros(part.stop - part.start, np.float32, 3)
        return {**arrays, **self.constants, "first": part.start}

    def _alone(self, steps: int) -> Floats:
        """Run without a copy: both arrays of positions stay on the GPU and alternate."""
        given = self.start(slice(0, self.count))
        for _ in range(steps):
            self.pull(**given)
            given["x"], given["moved"] = given["moved"], given["x"]
        found: Floats = given["x"].to_numpy()
        return found

    def _together(self, steps: int, part: slice, shared: Shared) -> Floats:
        """Exchange the positions through the host's memory."""
        buffers = np.frombuffer(shared.positions, np.float32).reshape(2, -1, 3)
        given = self.start(part)
        for step in range(steps):
            self.pull(**given)
            # With two buffers, one wait is enough: a worker in the next step has read what this step overwrites.
            buffer = buffers[step % 2]
            given["moved"].to_numpy(out=buffer[part])
            shared.barrier.wait(TIMEOUT)
            given["x"].write(buffer)
        found: Floats = given["moved"].to_numpy()
        return found


def move_all(all_bodies: Sequence[Bodies], steps: int) -> Floats:
    """Move all bodies from one thread, and copy the positions from device to device."""
    count = len(all_bodies)
    parts = [share(bodies.count, number, count) for number, bodies in enumerate(all_bodies)]
    given = [bodies.start(part) for bodies, part in zip(all_bodies, parts, strict=True)]
    copies = [
        (one["x"][part.start : part.stop], other["moved"])
        for one in given
        for other, part in zip(given, parts, strict=True)
    ]
    for _ in range(steps):
        for bodies, each in zip(all_bodies, given, strict=True):
            bodies.pull(**each)
        for target, source in copies:
            target.copy_from(source)
    return np.concatenate([each["moved"].to_numpy() for each in given])


class Fluids:
    """The demo's fluid for several gravities: each worker computes some of them, without sharing data."""

    def __init__(self, rt: Any, machine: Machine) -> None:
        from taichi_aot.demo import mpm88

        mpm88.bundle_bytes = (machine.modules / "mpm.tcm").read_bytes  # which has PTX on CUDA
        self.rt, self.size = rt, machine.size
        self.gravities = np.linspace(4.0, 16.0, machine.size.fluids)

    def run(self, work: Work) -> Floats:
        """Return the positions of the particles for each of the worker's gravities."""
        started = self.start(work.worker, work.workers)
        for fluid in started:
            fluid.advance(work.steps)
        return positions(started)

    def start(self, worker: int, workers: int) -> list[Any]:
        from taichi_aot.demo.mpm88 import Fluid

        part = share(self.size.fluids, worker, workers)
        return [Fluid(self.rt, self.size.particles, gravity) for gravity in self.gravities[part]]


def simulate_all(all_fluids: Sequence[Fluids], steps: int) -> Floats:
    """Compute all fluids from one thread, which gives each device some steps in turn."""
    started = [fluids.start(number, len(all_fluids)) for number, fluids in enumerate(all_fluids)]
    sequences = [[fluid.runtime.sequence([fluid._step]) for fluid in several] for several in started]
    for turn in range(max(map(len, started))):
        working = [several[turn] for several in sequences if turn < len(several)]
        for begin in range(0, steps, STEPS_AT_ONCE):
            for sequence in working:
                sequence(repeat=min(STEPS_AT_ONCE, steps - begin))
    return np.concatenate([positions(several) for several in started])


def positions(fluids: Sequence[Any]) -> Floats:
    return np.stack([fluid.x.to_numpy() for fluid in fluids])
