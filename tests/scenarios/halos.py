"""Arrays over several devices and processes: lost devices, and stencils by pipes, MPI's interface and gloo."""

from __future__ import annotations

import multiprocessing
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import numpy.typing as npt
from helpers.raising import raised
from helpers.stencil import Relaxation, exact_grid, relaxed
from helpers.threads import run_together

from taichi_aot import DeviceLostError, Runtime, devices
from taichi_aot.distributed import Edge, MPIEdges, Parts, TorchEdges, decompose, exchange

STEPS = 4
TAGS = 2
TIMEOUT = 300
INTERRUPTS = 1000


def lose_a_device() -> None:
    """A kernel faults on the device of one part: the error names it, and the other part stays usable."""
    from helpers.fake_cuda import driver

    cpu, gpu = Runtime("x64"), Runtime("cuda")
    parts = decompose((8, 4), [cpu, gpu, cpu])
    parts.exchange()
    driver.fail("cuMemcpyDtoHAsync_v2:700,cuMemcpyDtoH_v2:700")
    message = str(raised(parts.exchange, DeviceLostError))
    assert message.startswith("part 1 [3:6] on cuda:0: "), message
    driver.fail("")
    assert parts[0].array.to_numpy().shape == (5, 4)


def exchange_between_gpus() -> None:
    """Two devices of the driver for tests, and one of them twice."""
    count = sum(str(device.arch) == "cuda" for device in devices())
    runtimes = [Runtime("cuda", index % count) for index in range(3)]
    whole = np.arange(60, dtype=np.float32).reshape(6, 10)
    for axis in (0, 1):
        parts = decompose((6, 10), runtimes, halo=2, axis=axis, periodic=True)
        parts.write(whole)
        parts.exchange()
        padded = np.pad(whole, [(2, 2) if each == axis else (0, 0) for each in (0, 1)], "wrap")
        for part in parts:
            begin, stop = part.interior[:2]
            assert (part.array.to_numpy() == np.take(padded, range(begin, stop + 4), axis)).all(), part


class Mirror:
    """The first of two processes, whose other one has the same numbers: what it sends comes back."""

    rank, size = 0, 2

    def __init__(self, copy: Callable[[Any, Any], None]) -> None:
        self._copy = copy
        self.messages: list[Edge] = []

    def swap(self, outgoing: Sequence[Edge], incoming: Sequence[Edge]) -> None:
        self.messages = [*outgoing, *incoming]
        for sent, received in zip(outgoing, incoming, strict=True):
            self._copy(received.data, sent.data)


def _exchange_with_a_mirror(edges: Mirror, runtime: Runtime, axis: int = 0) -> list[Parts]:
    """Exchange the halos of one array and of two, and compare them with the interiors."""
    found = [decompose((6, 4), [runtime], dtype, 1, axis, edges=edges, periodic=True) for dtype in ("f32", "i64")]
    for parts in found:
        rows = np.arange(24).reshape(6, 4)[parts.begin : parts.stop] if axis == 0 else np.arange(12).reshape(6, 2)
        parts.write(rows.astype(parts[0].array.dtype))
    found[0].exchange()
    exchange(*found)
    for parts in found:
        numbers = np.moveaxis(parts[0].array.to_numpy(), axis, 0)
        assert (numbers[0] == numbers[-2]).all(), numbers
        assert (numbers[-1] == numbers[1]).all(), numbers
    found[0].exchange()
    return found


def exchange_in_place() -> None:
    """On a CPU, an adapter gets the memory of the only array, but a copy of edges in many pieces or of two arrays."""
    edges = Mirror(np.copyto)
    with Runtime("x64") as rt:
        parts, other = _exchange_with_a_mirror(edges, rt)
        memory = np.asarray(parts[0].array)
        assert [edge.data.dtype for edge in edges.messages] == [np.uint8] * 4
        assert all(np.shares_memory(edge.data, memory) for edge in edges.messages)
        exchange(parts, other)
        assert [edge.data.size for edge in edges.messages] == [16 + 32] * 4
        assert not any(np.shares_memory(edge.data, memory) for edge in edges.messages)
        _exchange_with_a_mirror(edges, rt, axis=1)
        parts.close()
        message = str(raised(parts.exchange, ValueError))
        assert message.startswith("part 0 [0:3] on x64:0: "), message


class Echo:
    """Edges of a ring of two processes, of which the other one sends what it gets."""

    rank, size = 0, 2

    def __init__(self) -> None:
        self.before: Callable[[], object] = bool

    def swap(self, outgoing: Sequence[Edge], incoming: Sequence[Edge]) -> None:
        self.before()
        for sent, received in zip(outgoing, reversed(incoming), strict=True):
            received.data[:] = sent.data


def exchange_in_swap() -> None:
    """An exchange by `swap` itself does not wait for the one that called it."""
    edges = Echo()
    with Runtime("x64") as rt:
        parts, inner = (decompose(8, [rt], edges=edges) for _ in range(2))
        edges.before = _once(inner.exchange)
        parts.exchange()


def _once(call: Callable[[], object]) -> Callable[[], object]:
    calls = iter([call])
    return lambda: next(calls, bool)()


class _Meeting:
    """Edges between threads of one process."""

    size = 2

    def __init__(self, rank: int, boxes: list[queue.SimpleQueue[bytes]]) -> None:
        self.rank = rank
        self._boxes = boxes

    def swap(self, outgoing: Sequence[Edge], incoming: Sequence[Edge]) -> None:
        for edge in outgoing:
            self._boxes[edge.rank].put(edge.data.tobytes())
        for edge in incoming:
            edge.data[:] = np.frombuffer(self._boxes[self.rank].get(timeout=TIMEOUT), np.uint8)


def exchange_between_threads() -> None:
    """Each `Edges` object has its own order."""
    boxes: list[queue.SimpleQueue[bytes]] = [queue.SimpleQueue() for _ in range(2)]
    found: list[list[float]] = [[], []]

    def run(rank: int) -> None:
        with Runtime("x64") as rt:
            parts = decompose(4, [rt], edges=_Meeting(rank, boxes))
            parts.write([rank, rank])
            for _ in range(20):
                parts.exchange()
            found[rank] = parts[0].array.tolist()

    run_together(*(partial(run, rank) for rank in range(2)))
    assert found == [[0, 0, 0, 1], [0, 1, 1, 0]], found


class PipeComm:
    """The methods of a communicator of mpi4py that `MPIEdges` calls, over a pipe to each other process."""

    def __init__(self, rank: int, pipes: dict[int, Connection]) -> None:
        self._rank = rank
        self._pipes = pipes
        self._messages: list[tuple[int, int, bytes]] = []
        self.count = 0

    def Get_rank(self) -> int:  # noqa: N802
        return self._rank

    def Get_size(self) -> int:  # noqa: N802
        return len(self._pipes) + 1

    def Isend(self, data: npt.NDArray[np.uint8], dest: int, tag: int) -> _Request:  # noqa: N802
        self.count += 1
        thread = threading.Thread(target=self._send, args=(dest, (tag, data.tobytes())))
        thread.start()
        return _Request(thread.join)

    def _send(self, dest: int, message: tuple[int, bytes]) -> None:
        with suppress(OSError):  # the process has ended: receiving from it fails
            self._pipes[dest].send(message)

    def Irecv(self, data: npt.NDArray[np.uint8], source: int, tag: int) -> _Request:  # noqa: N802
        return _Request(lambda: self._receive(data, source, tag))

    def _receive(self, data: npt.NDArray[np.uint8], source: int, tag: int) -> None:
        while True:
            for message in self._messages:
                if message[:2] == (source, tag):
                    self._messages.remove(message)
                    data[:] = np.frombuffer(message[2], np.uint8)
                    return
            self._messages.append((source, *self._pipes[source].recv()))


class _Request:
    def __init__(self, wait: Callable[[], None]) -> None:
        self.Wait = wait


def _run_ranks(target: Callable[..., None], size: int, *arguments: object) -> list[Any]:
    """Run a function in this many processes, which a pipe connects with each other; return what each sends."""
    context = multiprocessing.get_context("spawn")
    pipes: list[dict[int, Connection]] = [{} for _ in range(size)]
    for one in range(size):
        for other in range(one):
            pipes[one][other], pipes[other][one] = context.Pipe()
    results = [context.Pipe(duplex=False) for _ in range(size)]
    processes = [
        context.Process(target=target, args=(rank, pipes[rank], results[rank][1], *arguments)) for rank in range(size)
    ]
    for process in processes:
        process.start()
    for ends in pipes:
        for pipe in ends.values():
            pipe.close()
    for _, end in results:
        end.close()
    try:
        found = []
        for receiver, _ in results:
            assert receiver.poll(TIMEOUT), "a process does not answer"
            found.append(receiver.recv())
        for process in processes:
            process.join(TIMEOUT)
            assert process.exitcode == 0
        return found
    finally:
        for process in processes:
            process.kill()


def _relax_by(edges: Any, grid: npt.NDArray[np.float32], module: str, options: dict[str, Any]) -> Any:
    """Compute the rows of this process."""
    shape, axis = grid.shape, options.get("axis", 0)
    with Runtime("x64") as first, Runtime("x64") as second:
        options = {"edges": edges, "shape": shape, **options}
        parts = decompose(**{"runtimes": [first, second], **options})
        mine = np.moveaxis(np.moveaxis(grid, axis, 0)[parts.begin : parts.stop], 0, axis)
        return Relaxation(mine, [first, second], [module, module], **options).run(STEPS)


def _relax_by_mpi(rank: int, pipes: dict[int, Connection], result: Connection, *arguments: Any) -> None:
    result.send(_relax_by(MPIEdges(PipeComm(rank, pipes)), *arguments))


def relax_in_processes(module: str) -> None:
    """Two and three processes with two parts each compute what numpy does."""
    for size, axis, periodic in ((2, 0, True), (3, 0, False), (2, 1, True)):
        grid = exact_grid(20, 25)
        found = _run_ranks(_relax_by_mpi, size, grid, module, {"axis": axis, "periodic": periodic})
        assert (np.concatenate(found, axis) == relaxed(grid, STEPS, axis, periodic)).all(), (size, axis, periodic)


def _use_wrongly(rank: int, pipes: dict[int, Connection], result: Connection) -> None:
    comm = PipeComm(rank, pipes)
    edges = MPIEdges(comm)
    with Runtime("x64") as rt:
        message = str(raised(lambda: decompose((8, 4 + rank), [rt], edges=edges), ValueError))
        assert message == (
            f"the process with rank {1 - rank} called decompose() with other arguments than that with rank {rank}"
        ), message
        u, v, w = (decompose((8, 4), [rt], dtype, edges=edges) for dtype in ("f32", "f64", "f32"))
        ring = decompose((8, 4), [rt], edges=edges, periodic=True)
        alone = decompose((8, 4), [rt])
        for other in (ring, alone):
            message = str(raised(partial(exchange, u, other), ValueError))
            assert "exchange them one by one" in message, message
        for parts in (u, v, w):
            parts.write(np.full((4, 4), rank, parts[0].array.dtype))
        before = comm.count
        exchange(u, v, w)
        assert comm.count == before + 1, "one message to each neighbour"
        for parts in (u, v, w):
            halo = parts[0].array.to_numpy()[0 if rank else -1]
            assert (halo == 1 - rank).all()
        if rank == 0:
            result.send(None)
            for pipe in pipes.values():
                pipe.close()
            return
        message = str(raised(lambda: _exchange_often(u), RuntimeError))
        assert message.startswith("rank 1 failed to exchange with rank 0: "), message
        result.send(None)


def _exchange_often(parts: Parts) -> None:
    """The first message to a process that has ended may still be sent."""
    for _ in range(3):
        parts.exchange()


def use_processes_wrongly() -> None:
    """Other arguments, other neighbours and a process that has ended are refused."""
    _run_ranks(_use_wrongly, 2)


def _relax_by_torch(rank: int, pipes: dict[int, Connection], result: Connection, file: str, *arguments: Any) -> None:
    import torch.distributed

    size = len(pipes) + 1
    torch.distributed.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=size)
    try:
        group = torch.distributed.new_group([0, 1])
        result.send((_relax_by(TorchEdges(), *arguments), _relax_by(TorchEdges(group), *arguments)))
    finally:
        torch.distributed.destroy_process_group()


def relax_by_torch(module: str, file: str) -> None:
    """Two processes of torch.distributed compute what numpy does."""
    for number, periodic in enumerate((False, True)):
        grid = exact_grid(20, 25)
        ranks = _run_ranks(_relax_by_torch, 2, f"{file}{number}", grid, module, {"periodic": periodic})
        for found in zip(*ranks, strict=True):
            assert (np.concatenate(found) == relaxed(grid, STEPS, 0, periodic)).all(), periodic
