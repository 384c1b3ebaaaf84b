"""Arrays over several processes, which MPI or torch.distributed connects. All processes call each function."""

from __future__ import annotations

import inspect
import os
from functools import partial
from importlib import import_module
from itertools import cycle, product
from typing import Any

import numpy as np
import numpy.typing as npt
from helpers.raising import raised
from helpers.stencil import Relaxation, exact_grid, relaxed

from taichi_aot import Runtime
from taichi_aot.distributed import Parts, decompose

DTYPES = ("f16", "f32", "f64", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64")
ELEMENTS = ((), (2,), (2, 3))
KEPT = 1  # in halos that no neighbour fills
AXES: list[int | tuple[int, ...]] = [0, 1, (0, 1), (1, 0)]
WAYS = list(product((1, 2), (False, True), AXES))  # halo, periodic, axis


def check_by_mpi(arch: str, module: str) -> None:
    world: Any = import_module("mpi4py.MPI").COMM_WORLD
    check_all(world, world.Get_rank(), world.Get_size(), arch, module)
    check_groups(world, arch)


def check_by_torch(arch: str, module: str, file: str) -> None:
    """Use gloo, or on CUDA NCCL with a GPU for each process."""
    import torch

    dist = torch.distributed
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    if arch == "cuda":
        torch.cuda.set_device(rank)
        arch = f"cuda:{rank}"
    backend = "nccl" if arch.startswith("cuda") else "gloo"
    dist.init_process_group(backend, init_method=f"file://{file}", rank=rank, world_size=size)
    try:
        check_all(dist.group.WORLD, rank, size, arch, module)
        if "sort_ranks" in inspect.signature(dist.new_group).parameters:  # older versions always sort
            backwards = dist.new_group([*reversed(range(size))], sort_ranks=False)
            check_halos(backwards, [arch], halo=1, periodic=True, axis=0)
    finally:
        dist.destroy_process_group()


def check_all(comm: Any, rank: int, size: int, arch: str, module: str) -> None:
    kinds = zip(cycle(DTYPES), cycle(ELEMENTS))
    for (halo, periodic, axis), (dtype, elements), runtimes in zip(WAYS, kinds, cycle((1, 2))):
        check_halos(comm, [arch] * runtimes, halo=halo, periodic=periodic, axis=axis, dtype=dtype, elem_shape=elements)
    for dtype, elements in product(DTYPES, ELEMENTS):
        check_halos(comm, [arch], halo=1, periodic=True, axis=0, dtype=dtype, elem_shape=elements)
    check_halos(comm, ["vulkan" if arch == "x64" else "x64", arch], halo=2, periodic=(True, False), axis=(0, 1))
    check_halos(comm, [arch], halo=1, periodic=False, axis=(0, 1, 2), shape=(9, 8, 10))
    check_stencil(comm, arch, module)
    check_several(comm, arch)
    check_whole(comm, rank, size, arch)
    check_arguments(comm, rank, size, arch)


def whole_of(parts: Parts) -> npt.NDArray[Any]:
    """Return the same random numbers in all processes."""
    dtype = parts[0].array.dtype
    most = 2 if dtype == np.bool_ else 100
    return np.random.default_rng(7).integers(0, most, (*parts.shape, *parts.elem_shape)).astype(dtype)


def fill(parts: Parts) -> npt.NDArray[Any]:
    """Write the interiors, and one number into the halos; return the whole array."""
    whole = whole_of(parts)
    for part in parts:
        part.array.fill(KEPT)
    parts.write(whole[parts.where])
    return whole


def expect(parts: Parts, whole: npt.NDArray[Any]) -> None:
    """Compare the arrays of the parts, with their halos, with boxes of the whole array, which numpy has padded."""
    for axis, periodic in zip(parts.axes, parts.periodic, strict=True):
        width = [(parts.halo, parts.halo) if each == axis else (0, 0) for each in range(whole.ndim)]
        whole = np.pad(whole, width, "wrap") if periodic else np.pad(whole, width, constant_values=KEPT)
    for part in parts:
        box = [slice(None)] * whole.ndim
        for axis, inside in zip(parts.axes, part.interiors, strict=True):
            box[axis] = slice(inside.begin, inside.stop + 2 * parts.halo)
        assert np.array_equal(part.array.to_numpy(), whole[tuple(box)]), part


def check_halos(comm: Any, archs: list[Any], shape: tuple[int, ...] = (21, 18), **options: Any) -> None:
    runtimes = [Runtime(arch) for arch in archs]
    with decompose(shape, runtimes, comm=comm, **options) as parts:
        whole = fill(parts)
        parts.exchange()
        expect(parts, whole)
        assert np.array_equal(parts.to_numpy(), whole[parts.where])
    for runtime in runtimes:
        runtime.close()


def check_stencil(comm: Any, arch: Any, module: str) -> None:
    """Steps on parts compute what numpy does, also if they begin before the halos have come."""
    for axis, halo, periodic in product(AXES, (1, 2), (False, True)):
        grid = exact_grid(20, 25)
        with Runtime(arch) as rt:
            options: dict[str, Any] = {"axis": axis, "halo": halo, "periodic": periodic, "comm": comm}
            where = decompose(grid.shape, [rt], "f32", **options).where
            run = Relaxation(grid[where], [rt], [module], shape=grid.shape, **options)
            found = run.run(4 // halo)
            assert np.array_equal(found, relaxed(grid, 4, axis, periodic)[where]), (axis, halo, periodic)


def check_several(comm: Any, arch: Any) -> None:
    """Arrays of different kinds are exchanged together, while their inner cells may be read and written."""
    with Runtime(arch) as rt:
        kinds: list[dict[str, Any]] = [
            {"dtype": "f32"},
            {"dtype": "f64", "axis": 1, "halo": 2},
            {"dtype": "i16", "elem_shape": 3, "periodic": True, "axis": (0, 1)},
            {"dtype": "u8", "halo": 0},
        ]
        several = [decompose((24, 20), [rt], comm=comm, **kind) for kind in kinds]
        wholes = [fill(parts) for parts in several]
        finish = several[0].start_exchange(*several[1:])
        assert np.array_equal(several[0].to_numpy(), wholes[0][several[0].where])
        finish()
        for parts, whole in zip(several, wholes, strict=True):
            expect(parts, whole)


def check_whole(comm: Any, rank: int, size: int, arch: Any) -> None:
    """The whole array is scattered, reduced and gathered."""
    for root, axis, elements in product(range(size), AXES, ((), (2,))):
        with Runtime(arch) as rt:
            parts = decompose((11, 13), [rt, rt], "i32", 1, axis, elements, comm=comm)
            whole = whole_of(parts)
            parts.scatter(whole if rank == root else None, root)
            assert np.array_equal(parts.to_numpy(), whole[parts.where])
            found: Any = parts.gather(root)
            assert np.array_equal(found, whole) if rank == root else found is None
            for operation in (np.add, np.maximum, np.minimum, np.bitwise_xor):
                expected = operation.reduce(operation.reduce(whole))
                assert np.array_equal(parts.reduce(operation), expected), operation
    with Runtime(arch) as rt:
        numbers = decompose(50, [rt], "f64", comm=comm)
        numbers.scatter(np.random.default_rng(1).random(50) if rank == 0 else None)
        sums = decompose(size, [rt], "f64", comm=comm, halo=0)
        sums.write([numbers.reduce(np.add)])
        assert len({*np.atleast_1d(sums.reduce(np.maximum) - sums.reduce(np.minimum))} - {0}) == 0


def check_arguments(comm: Any, rank: int, size: int, arch: Any) -> None:
    """All processes learn that one splits another array; the communicator stays usable."""
    if size == 1:
        return
    with Runtime(arch) as rt:
        message = str(raised(lambda: decompose((8, 4 + (rank == 1)), [rt], comm=comm), ValueError))
        assert message == "the process with rank 1 called decompose() with other arguments than rank 0", message
        parts, alone = decompose(8, [rt], comm=comm), decompose(8, [rt])
        message = str(raised(partial(parts.exchange, alone), ValueError))
        assert "exchange them one by one" in message, message
        whole = fill(parts)
        parts.exchange()
        expect(parts, whole)


def check_groups(world: Any, arch: str) -> None:
    """A part of the processes splits an array; it may be one process."""
    comm = world.Split(world.Get_rank() % 2, -world.Get_rank())
    check_halos(comm, [arch], halo=1, periodic=True, axis=(0, 1))
    check_halos(world.Split(world.Get_rank(), 0), [arch], halo=1, periodic=True, axis=0)
    comm.Free()


def fail_in_one() -> None:
    """The last process fails while the others wait for it."""
    world: Any = import_module("mpi4py.MPI").COMM_WORLD
    with Runtime("x64") as rt:
        parts = decompose(8, [rt], comm=world)
        if world.Get_rank() == world.Get_size() - 1:
            raise LookupError("the grid is not here")
        while True:
            parts.exchange()
