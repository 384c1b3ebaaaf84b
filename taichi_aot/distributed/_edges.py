"""Edges between processes: adapters to the libraries that send them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["Edge", "Edges", "MPIEdges", "TorchEdges"]


class Edge(NamedTuple):
    """Bytes to send to another process, or to receive from it.

    Attributes
    ----------
    data : ndarray
        A contiguous array of uint8, from which they are sent or into which they are received. Where one edge of one
        array is sent, it is that array's memory itself on CPU archs.
    rank : int
        The other process.
    tag : int
        0 if they go to higher indices of the whole array, 1 if they go to lower ones.

    Examples
    --------
    >>> taichi_aot.distributed.Edge(np.zeros(2, np.uint8), rank=1, tag=0)
    Edge(data=array([0, 0], dtype=uint8), rank=1, tag=0)
    """

    data: npt.NDArray[np.uint8]
    rank: int
    tag: int


class Edges(Protocol):
    """What `decompose` needs of a library that connects processes. Write a class like this for another library.

    Attributes
    ----------
    rank : int
        The number of this process.
    size : int
        The number of processes.

    Examples
    --------
    >>> class Alone:
    ...     rank, size = 0, 1
    ...
    ...     def swap(self, outgoing, incoming):
    ...         for sent, received in zip(outgoing, incoming):
    ...             received.data[:] = sent.data
    >>> len(taichi_aot.distributed.decompose(8, [rt, rt], edges=Alone()))
    2
    """

    @property
    def rank(self) -> int:
        """The number of this process."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """The number of processes."""
        raise NotImplementedError

    def swap(self, outgoing: Sequence[Edge], incoming: Sequence[Edge]) -> None:
        """Send and receive these edges at the same time, and return when all have come."""


class MPIEdges:
    """Edges that MPI sends, by a communicator of mpi4py.

    MPI sends from and receives into the memory of arrays on CPU archs. Edges on other archs, and those of several
    arrays, pass through the host's memory.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The communicator, or an object with its methods ``Get_rank``, ``Get_size``, ``Isend`` and ``Irecv``.

    Examples
    --------
    >>> from mpi4py import MPI  # doctest: +SKIP
    >>> edges = MPIEdges(MPI.COMM_WORLD)  # doctest: +SKIP
    >>> parts = decompose((4096, 4096), [rt], halo=1, edges=edges)  # doctest: +SKIP
    """

    rank: int
    size: int

    def __init__(self, comm: Any) -> None:
        self._comm = comm
        self.rank = int(comm.Get_rank())
        self.size = int(comm.Get_size())

    def swap(self, outgoing: Sequence[Edge], incoming: Sequence[Edge]) -> None:
        """Send and receive these edges at the same time, and return when all have come."""
        requests: list[Any] = [self._comm.Irecv(edge.data, source=edge.rank, tag=edge.tag) for edge in incoming]
        requests += [self._comm.Isend(edge.data, dest=edge.rank, tag=edge.tag) for edge in outgoing]
        for request in requests:
            request.Wait()


class TorchEdges:
    """Edges that ``torch.distributed`` sends, whose process group the program has initialized.

    Its backend must send the host's memory, as gloo does. Arrays on CPU archs are sent from and received into their own
    memory; other edges are copied on the way.

    Parameters
    ----------
    group : torch.distributed.ProcessGroup, optional
        The process group; by default that of all processes.

    Examples
    --------
    >>> import torch.distributed  # doctest: +SKIP
    >>> torch.distributed.init_process_group("gloo")  # doctest: +SKIP
    >>> parts = decompose((4096, 4096), [rt], halo=1, edges=TorchEdges())  # doctest: +SKIP
    """

    rank: int
    size: int

    def __init__(self, group: Any = None) -> None:
        self._torch: Any = import_module("torch")
        self._distributed: Any = import_module("torch.distributed")
        self._group = group
        self.rank = int(self._distributed.get_rank(group))
        self.size = int(self._distributed.get_world_size(group))

    def swap(self, outgoing: Sequence[Edge], incoming: Sequence[Edge]) -> None:
        """Send and receive these edges at the same time, and return when all have come."""
        distributed = self._distributed
        # One batch: backends without tags match the messages of two processes by their order.
        batch = [self._operation(distributed.isend, edge) for edge in outgoing]
        batch += [self._operation(distributed.irecv, edge) for edge in incoming]
        for request in distributed.batch_isend_irecv(batch) if batch else ():
            request.wait()

    def _operation(self, call: Any, edge: Edge) -> Any:
        distributed = self._distributed
        peer = edge.rank if self._group is None else distributed.get_global_rank(self._group, edge.rank)
        return distributed.P2POp(call, self._torch.from_numpy(edge.data), peer, self._group, edge.tag)
