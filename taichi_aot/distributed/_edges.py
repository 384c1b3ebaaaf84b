"""Edges between processes: adapters to the libraries that send them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..values._errors import ArgumentTypeError
from ..values._wording import describe

__all__ = ["DeviceMemory", "Edge", "Edges", "MPIEdges", "TorchEdges"]


class DeviceMemory:
    """Bytes in the memory of a CUDA device, for libraries that send and receive there."""

    __slots__ = ("__cuda_array_interface__", "_owner", "nbytes")

    def __init__(self, owner: object, interface: Mapping[str, Any]) -> None:
        self._owner = owner  # keeps the memory alive
        self.nbytes = math.prod(interface["shape"]) * np.dtype(interface["typestr"]).itemsize
        self.__cuda_array_interface__ = {**interface, "shape": (self.nbytes,), "typestr": "|u1"}


class Edge(NamedTuple):
    """Bytes to send to another process, or to receive from it.

    Attributes
    ----------
    data : ndarray or object with ``__cuda_array_interface__``
        A contiguous array of uint8, from which they are sent or into which they are received. Where one edge of one
        array is sent, it is that array's memory itself on CPU archs. On CUDA it is so for `Edges` whose `takes_cuda`
        is true, and then not of numpy.
    rank : int
        The other process.
    tag : int
        0 if they go to higher indices of the whole array, 1 if they go to lower ones.

    Examples
    --------
    >>> taichi_aot.distributed.Edge(np.zeros(2, np.uint8), rank=1, tag=0)
    Edge(data=array([0, 0], dtype=uint8), rank=1, tag=0)
    """

    data: Any
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
    takes_cuda : bool, optional
        Whether `swap` takes the memory of CUDA devices. The edges of several arrays are then messages of their own,
        in the order of the arrays. All processes must say the same. Without it, edges on CUDA pass the host's memory.

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
    takes_cuda : bool, default False
        Whether MPI also gets the memory of arrays on CUDA, which needs an MPI that was built for it. All processes pass
        the same.

    Examples
    --------
    >>> from mpi4py import MPI  # doctest: +SKIP
    >>> edges = MPIEdges(MPI.COMM_WORLD)  # doctest: +SKIP
    >>> parts = decompose((4096, 4096), [rt], halo=1, edges=edges)  # doctest: +SKIP
    """

    rank: int
    size: int
    takes_cuda: bool

    def __init__(self, comm: Any, *, takes_cuda: bool = False) -> None:
        self._comm = comm
        self.rank = int(comm.Get_rank())
        self.size = int(comm.Get_size())
        if not isinstance(takes_cuda, bool):
            raise ArgumentTypeError(f"takes_cuda must be True or False, not {describe(takes_cuda)}")
        self.takes_cuda = takes_cuda

    def swap(self, outgoing: Sequence[Edge], incoming: Sequence[Edge]) -> None:
        """Send and receive these edges at the same time, and return when all have come."""
        requests: list[Any] = [self._comm.Irecv(edge.data, source=edge.rank, tag=edge.tag) for edge in incoming]
        requests += [self._comm.Isend(edge.data, dest=edge.rank, tag=edge.tag) for edge in outgoing]
        for request in requests:
            request.Wait()


class TorchEdges:
    """Edges that ``torch.distributed`` sends, whose process group the program has initialized.

    With gloo, arrays on CPU archs are sent from and received into their own memory, and with NCCL those on CUDA. Other
    edges are copied on the way.

    Parameters
    ----------
    group : torch.distributed.ProcessGroup, optional
        The process group; by default that of all processes.
    device : str, optional
        The device whose tensors the backend sends: ``"cpu"`` for gloo, ``"cuda"`` for NCCL.

    Examples
    --------
    >>> import torch.distributed  # doctest: +SKIP
    >>> torch.distributed.init_process_group("gloo")  # doctest: +SKIP
    >>> parts = decompose((4096, 4096), [rt], halo=1, edges=TorchEdges())  # doctest: +SKIP
    """

    rank: int
    size: int
    takes_cuda: bool

    def __init__(self, group: Any = None, device: str = "cpu") -> None:
        self._torch: Any = import_module("torch")
        self._distributed: Any = import_module("torch.distributed")
        self._group = group
        self._device = device
        self.rank = int(self._distributed.get_rank(group))
        self.size = int(self._distributed.get_world_size(group))
        self.takes_cuda = device.startswith("cuda")

    def swap(self, outgoing: Sequence[Edge], incoming: Sequence[Edge]) -> None:
        """Send and receive these edges at the same time, and return when all have come."""
        distributed = self._distributed
        sent, received = ([self._tensor(edge.data) for edge in edges] for edges in (outgoing, incoming))
        # One batch: backends without tags match the messages of two processes by their order.
        batch = [self._operation(distributed.isend, *each) for each in zip(sent, outgoing, strict=True)]
        batch += [self._operation(distributed.irecv, *each) for each in zip(received, incoming, strict=True)]
        for request in distributed.batch_isend_irecv(batch) if batch else ():
            request.wait()
        for device in {tensor.device for tensor in (*sent, *received)} if self.takes_cuda else ():
            self._torch.cuda.synchronize(device)  # requests of NCCL only order streams
        for tensor, edge in zip(received, incoming, strict=True):
            if _is_on_host(edge.data) and tensor.device.type != "cpu":
                edge.data[:] = tensor.cpu().numpy()

    def _tensor(self, data: Any) -> Any:
        """Return a tensor on the device that the backend sends: over the memory itself if that is there."""
        if _is_on_host(data):
            return self._torch.from_numpy(data).to(self._device)
        return self._torch.as_tensor(data)

    def _operation(self, call: Any, tensor: Any, edge: Edge) -> Any:
        distributed = self._distributed
        peer = edge.rank if self._group is None else distributed.get_global_rank(self._group, edge.rank)
        return distributed.P2POp(call, tensor, peer, self._group, edge.tag)


def _is_on_host(data: object) -> bool:
    return isinstance(data, np.ndarray)
