"""The libraries that connect processes: MPI by mpi4py, and torch.distributed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from ..values._errors import ArgumentTypeError, InvalidStateError, describe


class Message(NamedTuple):
    """Contiguous bytes, of the host or with ``__cuda_array_interface__``, that are sent or received."""

    data: Any
    rank: int  # the other process
    tag: int  # the same on both sides; those with equal tags arrive in the order in which they were sent


class _MPI:
    def __init__(self, comm: Any) -> None:
        self._mpi: Any = import_module("mpi4py.MPI")
        self.rank, self.size = comm.Get_rank(), comm.Get_size()
        self.allgather: Callable[[Any], list[Any]] = comm.allgather
        self.gather: Callable[[Any, int], list[Any] | None] = comm.gather
        self.scatter: Callable[[list[Any] | None, int], Any] = comm.scatter
        self.comm = comm
        try:  # mpi4py has no name for it, but is linked to the library
            self.takes_cuda = bool(ctypes.CDLL(self._mpi.__file__).MPIX_Query_cuda_support())
        except AttributeError:
            self.takes_cuda = False

    def start(self, outgoing: Sequence[Message], incoming: Sequence[Message]) -> Callable[[], object]:
        requests = [self.comm.Irecv(*each) for each in incoming] + [self.comm.Isend(*each) for each in outgoing]
        return lambda: self._mpi.Request.Waitall(requests)


class _Torch:
    def __init__(self, group: Any) -> None:
        self._torch: Any = import_module("torch")
        self._distributed: Any = import_module("torch.distributed")
        self.rank, self.size = self._distributed.get_rank(group), self._distributed.get_world_size(group)
        self.comm = group
        backends = self._distributed.get_backend_config(group)  # such as cpu:gloo,cuda:nccl
        self.takes_cuda = "cuda:nccl" in backends
        self._takes_host = "cpu:" in backends

    def start(self, outgoing: Sequence[Message], incoming: Sequence[Message]) -> Callable[[], object]:
        received = [(each, self._tensor(each.data)) for each in incoming]
        # One batch: NCCL has no tags, and matches the messages of two processes by their order.
        batch = [self._operation("isend", each, self._tensor(each.data)) for each in outgoing]
        batch += [self._operation("irecv", *each) for each in received]
        requests = self._distributed.batch_isend_irecv(batch)

        def wait() -> None:
            for request in requests:
                request.wait()
            if self.takes_cuda:  # the requests let only this stream wait
                self._torch.cuda.current_stream().synchronize()
            for message, tensor in received:
                if tensor.is_cuda and not hasattr(message.data, "__cuda_array_interface__"):
                    message.data[:] = tensor.cpu().numpy()

        return wait

    def _tensor(self, data: Any) -> Any:
        """Return a tensor over the bytes, or one with a copy on the GPU if the backend takes only that."""
        if not isinstance(data, np.ndarray):
            return self._torch.as_tensor(data, device="cuda")
        tensor = self._torch.from_numpy(data)
        return tensor if self._takes_host else tensor.cuda()

    def _operation(self, call: str, message: Message, tensor: Any) -> Any:
        peer = self._distributed.get_global_rank(self.comm, message.rank)
        return self._distributed.P2POp(getattr(self._distributed, call), tensor, peer, self.comm, message.tag)

    def allgather(self, value: Any) -> list[Any]:
        values: list[Any] = [None] * self.size
        self._distributed.all_gather_object(values, value, self.comm)
        return values

    def gather(self, value: Any, root: int) -> list[Any] | None:
        values: list[Any] | None = [None] * self.size if self.rank == root else None
        self._distributed.gather_object(value, values, group=self.comm, group_dst=root)
        return values

    def scatter(self, values: list[Any] | None, root: int) -> Any:
        value: list[Any] = [None]
        self._distributed.scatter_object_list(value, values, group=self.comm, group_src=root)
        return value[0]


Engine = _MPI | _Torch


def engine_of(comm: Any) -> Engine | None:
    """Return the engine of a communicator; None if this process is the only one."""
    if comm is None:
        return None
    if hasattr(comm, "Isend"):
        engine: Engine = _MPI(comm)
    elif any(each.__name__ == "ProcessGroup" for each in type(comm).__mro__):
        engine = _Torch(comm)
    else:
        raise ArgumentTypeError(
            f"comm must be a communicator of mpi4py or a ProcessGroup of torch.distributed, not {describe(comm)}"
        )
    return engine if engine.size > 1 else None


@contextmanager
def calling(engine: Engine, what: str) -> Generator[None]:
    """Raise RuntimeError with the rank if the engine fails."""
    try:
        yield
    except Exception as error:
        name = type(error).__name__
        raise InvalidStateError(f"rank {engine.rank} failed to {what}: {name}: {error}") from error
