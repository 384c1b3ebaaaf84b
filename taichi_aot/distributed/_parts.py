"""Decomposing an array over runtimes and processes, and exchanging the halos of its parts.

MPI by mpi4py, or torch.distributed connect processes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays._layout import ShapeLike, array_layout, as_shape
from ..handles._runtime import Resource
from ..runtime._runtime import Runtime
from ..values._errors import (
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    InvalidStateError,
    TaichiError,
    describe,
    short,
)
from ..values._numbers import Casting, DTypeLike, as_integer, convert_array
from ._strips import Box, Part, Plan, Range, Strip, grid_of, renamed, title_of


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


# Decomposing an array over runtimes and processes, and exchanging the halos of its parts.


class Link(NamedTuple):
    """The data sent to a part of another process, or received from it."""

    rank: int
    tag: int
    strip: Strip

    def message(self, engine: Engine) -> tuple[Message, npt.NDArray[Any] | None]:
        """Return the message, and the array of the host that it is in if the engine does not take the part's memory."""
        memory = self.strip.memory(engine.takes_cuda)
        if memory is not None:
            return Message(memory, self.rank, self.tag), None
        staged = self.strip.empty()
        return Message(staged.reshape(-1).view(np.uint8), self.rank, self.tag), staged


class Halos(NamedTuple):
    """All halos of the parts of one array in this process."""

    copies: list[tuple[Strip, Strip]]  # a halo, and the edge of the neighbour that belongs there
    outgoing: list[Link]
    incoming: list[Link]
    engine: Engine | None


class Parts(Resource):
    """The parts of an array that the runtimes of this process have: `decompose` creates them.

    They are a sequence of `Part`. Closing them, or leaving a ``with`` statement, closes their arrays.

    Attributes
    ----------
    shape : tuple of int
        The shape of the whole array.
    elem_shape : tuple of int
        The shape of its elements.
    axes : tuple of int
        The axes on which it is split.
    halo : int
        The width of the halos.
    periodic : tuple of bool
        Whether the ends of each of these axes are neighbours.
    where : tuple of slice
        What this process has of the whole array, as an index: all of it, unless there are several processes.

    Examples
    --------
    >>> parts = taichi_aot.distributed.decompose((10, 4), [rt, rt, rt])
    >>> parts
    <Parts of shape (10, 4): [0:4] on x64:0, [4:7] on x64:0, [7:10] on x64:0>
    >>> for part in parts:
    ...     part.array.fill(part.index)
    >>> parts.to_numpy()[:, 0]
    array([0., 0., 0., 0., 1., 1., 1., 2., 2., 2.], dtype=float32)
    """

    shape: tuple[int, ...]
    elem_shape: tuple[int, ...]
    axes: tuple[int, ...]
    halo: int
    periodic: tuple[bool, ...]
    where: Box
    _engine: Engine | None
    _halos: Halos
    _parts: tuple[Part, ...]
    _plan: Plan

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ArgumentTypeError("Parts are created by taichi_aot.distributed.decompose()")

    @classmethod
    def _of(cls, plan: Plan, engine: Engine | None, parts: Sequence[Part]) -> Parts:
        self = object.__new__(cls)
        self.shape, self.elem_shape, self.axes = plan.shape, plan.elem_shape, plan.axes
        self.halo, self.periodic, self.where = plan.halo, plan.periodic, plan.box_of(engine.rank if engine else 0)
        self._plan, self._engine, self._parts = plan, engine, tuple(parts)
        self._halos = _halos_of(plan, self._parts, engine)
        return self

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, index: int) -> Part:
        return self._parts[index]

    def __iter__(self) -> Iterator[Part]:
        return iter(self._parts)

    def exchange(self, *others: Parts) -> None:
        """Fill the halos with the neighbours' edges, after earlier launches and before later ones.

        The halos at the ends of an axis that is not periodic stay as they are.

        Parameters
        ----------
        *others : Parts
            Further arrays with the same `comm`, whose halos are filled at the same time.

        Raises
        ------
        TypeError, ValueError
            If an argument is not `Parts` or has another `comm`; if an array or a runtime is closed. The message names
            the part.
        BufferError
            If an array is mapped on an arch that maps a copy.
        DeviceLostError
            If a device is lost. The message names the part and the device.
        RuntimeError
            If another process cannot be reached.

        Examples
        --------
        >>> parts = taichi_aot.distributed.decompose(6, [rt, rt])
        >>> parts.write(np.arange(6, dtype="f4"))
        >>> parts.exchange()
        >>> [part.array.tolist() for part in parts]
        [[0.0, 0.0, 1.0, 2.0, 3.0], [2.0, 3.0, 4.0, 5.0, 0.0]]
        """
        self.start_exchange(*others)()

    def start_exchange(self, *others: Parts) -> Callable[[], None]:
        """Begin what `exchange` does, without waiting for other processes.

        Launches may compute in the meantime, but neither write the outermost `halo` indices of the interiors nor use
        the halos.

        Parameters
        ----------
        *others : Parts
            As for `exchange`, like the errors.

        Returns
        -------
        function
            Call it once: it waits for the other processes and fills the rest of the halos.
        """
        for each in others:
            if not isinstance(each, Parts):
                raise ArgumentTypeError(f"expected Parts, which decompose() returns, not {describe(each)}")
            if (self._engine and self._engine.comm) is not (each._engine and each._engine.comm):
                raise InvalidArgumentError("the arrays have different communicators: exchange them one by one")
        return _start([self._halos, *(each._halos for each in others)])

    def write(self, array: npt.ArrayLike, *, casting: Casting = "safe") -> None:
        """Copy numbers into the interiors of the parts. The halos stay as they are: call `exchange`.

        Parameters
        ----------
        array : array_like
            Numbers of the whole array, or with several processes ``whole[parts.where]``.
        casting : str, default "safe"
            As for `NdArray.write`.

        Raises
        ------
        TypeError
            If the numbers cannot be converted to the dtype, as for `NdArray.write`.
        ValueError
            If the shape differs, or a part is closed.

        Examples
        --------
        >>> parts = taichi_aot.distributed.decompose((4, 2), [rt, rt], axis=1)
        >>> parts.write(np.ones((4, 2), "f4"))
        """
        source = convert_array(array, self._parts[0].array.data_type, "array", casting)
        shape = self._numpy_shape(self.where)
        if source.shape != shape:
            raise InvalidArgumentError(
                f"cannot write an array of shape {short(source.shape)} to parts of shape {shape}"
            )
        for strip, where in self._places():
            strip.write(source[where])

    def to_numpy(self) -> npt.NDArray[Any]:
        """Wait for the devices and copy the interiors of the parts into one numpy array.

        Returns
        -------
        ndarray
            The whole array, or with several processes ``whole[parts.where]``.

        Raises
        ------
        ValueError
            If a part is closed.
        DeviceLostError
            If a device is lost. The message names the part and the device.

        Examples
        --------
        >>> taichi_aot.distributed.decompose(3, [rt, rt], "i32").to_numpy()
        array([0, 0, 0], dtype=int32)
        """
        out = np.empty(self._numpy_shape(self.where), self._parts[0].array.dtype)
        for strip, where in self._places():
            strip.read(out[where])
        return out

    def gather(self, root: int = 0) -> npt.NDArray[Any] | None:
        """Copy the whole array into one process. All processes call this, as well as `scatter` and `reduce`.

        Parameters
        ----------
        root : int, default 0
            The rank of that process.

        Returns
        -------
        ndarray or None
            The whole array; None in other processes.

        Examples
        --------
        >>> parts = taichi_aot.distributed.decompose(3, [rt, rt], "i32")
        >>> parts.scatter([1, 2, 3])
        >>> parts.gather()
        array([1, 2, 3], dtype=int32)
        """
        mine = self.to_numpy()
        if self._engine is None:
            return mine
        with calling(self._engine, "gather"):
            blocks = self._engine.gather(mine, root)
        if blocks is None:
            return None
        whole = np.empty((*self.shape, *self.elem_shape), mine.dtype)
        for rank, block in enumerate(blocks):
            whole[self._plan.box_of(rank)] = block
        return whole

    def scatter(self, array: npt.ArrayLike | None, root: int = 0) -> None:
        """Copy the whole array from one process into the parts of all.

        Parameters
        ----------
        array : array_like or None
            The whole array, with a dtype as for `write`; None in other processes.
        root : int, default 0
            The rank of the process that has it.
        """
        blocks: Any = None
        engine = self._engine
        if engine is None or engine.rank == root:
            array = convert_array(array, self._parts[0].array.data_type, "array", "safe")
            if array.shape != (shape := (*self.shape, *self.elem_shape)):
                raise InvalidArgumentError(f"cannot scatter an array of shape {short(array.shape)} to {shape}")
            blocks = [array[self._plan.box_of(rank)] for rank in range(engine.size if engine else 1)]
        if engine is not None:
            with calling(engine, "scatter"):
                blocks = [engine.scatter(blocks, root)]
        self.write(blocks[0])

    def reduce(self, operation: np.ufunc) -> Any:
        """Combine all numbers of the whole array: all processes get the same bits.

        Sums of floats depend on the number of parts, because addition rounds.

        Parameters
        ----------
        operation : numpy.ufunc
            Such as ``np.add``, ``np.maximum`` or ``np.logical_and``.

        Returns
        -------
        number or ndarray
            One number for each component of the elements.

        Examples
        --------
        >>> parts = taichi_aot.distributed.decompose(4, [rt, rt], "i32")
        >>> parts.write([1, 2, 3, 4])
        >>> int(parts.reduce(np.add)), int(parts.reduce(np.maximum))
        (10, 4)
        """
        mine = operation.reduce(self.to_numpy().reshape(-1, *self.elem_shape))
        if self._engine is None:
            return mine
        with calling(self._engine, "reduce"):
            return operation.reduce(self._engine.allgather(mine))

    def _numpy_shape(self, where: Box) -> tuple[int, ...]:
        return (*(each.stop - each.start for each in where), *self.elem_shape)

    def _places(self) -> Iterator[tuple[Strip, Box]]:
        """Yield the interior of each part, and where it is in the numbers of this process."""
        for part in self._parts:
            inside = [(each.local_begin, each.local_stop) for each in part.interiors]
            owned = self._plan.box(self.shape, [(each.begin, each.stop) for each in part.interiors])
            begins = [each.start for each in self.where]
            where = tuple(slice(o.start - b, o.stop - b) for o, b in zip(owned, begins, strict=True))
            yield _strip(self._plan, part, inside), where

    @property
    def closed(self) -> bool:
        """Whether the array of a part is closed."""
        return any(part.array.closed for part in self)

    def close(self) -> None:
        """Close the arrays of the parts, as `NdArray.close` does. Closing them again does nothing."""
        for part in self:
            part.array.close()

    def __repr__(self) -> str:
        places = ", ".join(part._title.split(maxsplit=2)[2] for part in self)
        return f"<{'closed ' if self.closed else ''}Parts of shape {self.shape}: {places}>"


def decompose(
    shape: ShapeLike,
    runtimes: Sequence[Runtime],
    dtype: DTypeLike = np.float32,
    halo: int = 1,
    axis: int | tuple[int, ...] = 0,
    elem_shape: ShapeLike = (),
    *,
    periodic: bool | tuple[bool, ...] = False,
    comm: Any = None,
) -> Parts:
    """Split an array over runtimes; each has a part of nearly equal size, and copies of its neighbours' edges.

    Parameters
    ----------
    shape : int or sequence of int
        The shape of the whole array.
    runtimes : sequence of Runtime
        A runtime for each part, in the order of the parts. They may be on several devices, also of different archs, and
        the same one may have several parts.
    dtype, elem_shape
        As for `Runtime.empty`.
    halo : int, default 1
        How many indices of each neighbour a part has copies of.
    axis : int or tuple of int, default 0
        The axis on which the array is split. Several axes are split over the processes, so that parts are as square as
        possible; the runtimes of a process split the first of them. Edges along the first axis of the array are
        contiguous, so devices copy them directly. Others pass through the host if they have more than 16 pieces.
    periodic : bool or tuple of bool, default False
        Whether the ends of the split axis are neighbours; a tuple states it for each.
    comm : mpi4py.MPI.Comm or torch.distributed.ProcessGroup, optional
        The processes, which all call this function with equal arguments and equally many runtimes, and make their
        exchanges in the same order, one thread at a time. Their own memory is sent on CPU archs, and on CUDA if MPI
        says that it takes it (``MPIX_Query_cuda_support``) or NCCL is the backend; all else passes through the host.

    Returns
    -------
    Parts
        The parts of this process; all numbers are zero.

    Raises
    ------
    TypeError
        If `runtimes` is not a sequence of runtimes, or another argument has the wrong type.
    ValueError
        If there is no runtime, or one is closed; if `axis` or `halo` is out of range, a part would be empty, or the
        halo is wider than a part; if another process has other arguments. Also as for `Runtime.empty`.
    OutOfMemoryError
        If a device does not have enough memory. The message names the part.
    RuntimeError
        If another process cannot be reached.

    Examples
    --------
    >>> with Runtime("x64") as first, Runtime("x64") as second:
    ...     parts = taichi_aot.distributed.decompose((6, 4), [first, second], periodic=True)
    ...     parts.write(np.arange(24, dtype="f4").reshape(6, 4))
    ...     parts.exchange()
    ...     print(parts[0].array.to_numpy()[:, 0])  # row 5, rows 0 to 2, row 3
    [20.  0.  4.  8. 12.]
    """
    devices = _runtimes(runtimes)
    sizes = as_shape(shape, "shape")
    elements = array_layout((), dtype, as_shape(elem_shape, "elem_shape"))  # the whole array may be larger than any
    axes = tuple(_axis(each, sizes) for each in (axis if isinstance(axis, tuple) else (axis,)))
    if not axes or len({*axes}) < len(axes):
        raise InvalidArgumentError(f"axis must name different axes, at least one, not {short(axis)}")
    width = as_integer(halo, "halo")
    if width < 0:
        raise ArgumentOutOfRangeError(f"halo must not be negative: {short(width)}")
    engine = engine_of(comm)
    plan = Plan(
        shape=sizes,
        dtype=elements.type.dtype,
        elem_shape=elements.elem_shape,
        halo=width,
        axes=axes,
        periodic=_periodic(periodic, len(axes)),
        processes=grid_of(engine.size if engine else 1, [sizes[each] for each in axes]),
        runtimes=len(devices),
    )
    plan.require_sound()
    if engine:
        _compare(plan, engine)
    first = engine.rank * len(devices) if engine else 0
    return Parts._of(plan, engine, [_allocate(plan, first + i, runtime) for i, runtime in enumerate(devices)])


def _runtimes(runtimes: Sequence[Runtime]) -> list[Runtime]:
    if isinstance(runtimes, Runtime) or not isinstance(runtimes, Sequence):
        raise ArgumentTypeError(f"runtimes must be a sequence of Runtime, not {describe(runtimes)}")
    for i, runtime in enumerate(runtimes):
        if not isinstance(runtime, Runtime):
            raise ArgumentTypeError(f"runtimes[{i}] must be a Runtime, not {describe(runtime)}")
    if not runtimes:
        raise InvalidArgumentError("runtimes must have at least one Runtime")
    return list(runtimes)


def _periodic(periodic: bool | tuple[bool, ...], axes: int) -> tuple[bool, ...]:
    values = periodic if isinstance(periodic, tuple) else (periodic,) * axes
    if len(values) != axes or not all(isinstance(each, bool | np.bool_) for each in values):
        raise ArgumentTypeError(f"periodic must be True or False, or a tuple for each axis, not {describe(periodic)}")
    return tuple(map(bool, values))


def _axis(axis: int, shape: tuple[int, ...]) -> int:
    number = as_integer(axis, "axis")
    if not -len(shape) <= number < len(shape):
        raise ArgumentOutOfRangeError(
            f"axis {short(number)} is out of range: the shape {short(shape)} has only {len(shape)}"
        )
    return number % len(shape)


def _compare(plan: Plan, engine: Engine) -> None:
    """Raise ValueError in all processes if one splits another array, or in another way."""
    with calling(engine, "compare arguments"):
        plans = engine.allgather(repr(plan))
    for rank, other in enumerate(plans):
        if other != plans[0]:
            raise InvalidArgumentError(
                f"the process with rank {rank} called decompose() with other arguments than rank 0"
            )


def _allocate(plan: Plan, index: int, runtime: Runtime) -> Part:
    interiors = plan.interiors(index)
    shape = list(plan.shape)
    for axis, interior in zip(plan.axes, interiors, strict=True):
        shape[axis] = interior.local_stop + plan.halo
    try:
        array = runtime.zeros(tuple(shape), plan.dtype, plan.elem_shape)
    except TaichiError as error:
        raise renamed(error, title_of(index, interiors, runtime)) from error
    return Part(index, runtime, array, interiors)


def _halos_of(plan: Plan, parts: Sequence[Part], engine: Engine | None) -> Halos:
    """Return what is copied, sent and received to fill the halos of these parts."""
    halos = Halos([], [], [], engine)
    mine = {part.index: part for part in parts}
    for part, direction in product(parts, plan.directions):
        other = plan.neighbour(part.index, direction)
        if other is None:
            continue
        back = tuple(-step for step in direction)
        halo = _strip(plan, part, plan.edge(part.interiors, direction, plan.halo))
        if other in mine:
            halos.copies.append((halo, _strip(plan, mine[other], plan.edge(mine[other].interiors, back))))
            continue
        edge = _strip(plan, part, plan.edge(part.interiors, direction))
        rank = other // plan.runtimes
        halos.outgoing.append(Link(rank, plan.tag(other, back), edge))
        halos.incoming.append(Link(rank, plan.tag(part.index, direction), halo))
    # Both sides name the messages of two processes in one order: see `_Torch.start`.
    halos.outgoing.sort(key=lambda link: link.tag)
    halos.incoming.sort(key=lambda link: link.tag)
    return halos


def _strip(plan: Plan, part: Part, ranges: Sequence[Range]) -> Strip:
    return Strip(part, plan.box(part.array.shape, ranges))


def _start(all_halos: Sequence[Halos]) -> Callable[[], None]:
    """Copy within this process, and begin to send and receive. Return what waits and fills the other halos."""
    for halos in all_halos:
        for halo, edge in halos.copies:
            halo.copy_from(edge)
    engine = all_halos[0].engine  # of all
    if engine is None or not any(halos.outgoing for halos in all_halos):  # nor is anything received
        return lambda: None
    sent = [(link, *link.message(engine)) for halos in all_halos for link in halos.outgoing]
    received = [(link, *link.message(engine)) for halos in all_halos for link in halos.incoming]
    for link, _, staged in sent:
        if staged is not None:
            link.strip.read(staged)
    what = f"exchange with rank {' and '.join(map(str, sorted({link.rank for link, *_ in sent})))}"
    with calling(engine, what):
        wait = engine.start([each[1] for each in sent], [each[1] for each in received])

    def finish() -> None:
        with calling(engine, what):
            wait()
        for link, _, staged in received:
            if staged is not None:
                link.strip.write(staged)

    return finish
