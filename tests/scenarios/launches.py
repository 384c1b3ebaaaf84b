"""Launches and uses of memory that crash, hang or corrupt memory if they reach the library."""

from __future__ import annotations

from dataclasses import dataclass

from helpers.raising import assert_raises

from scenarios import ArchName
from taichi_aot import AotModule, ComputeGraph, Kernel, NdArray, Runtime


@dataclass
class Setup:
    rt: Runtime
    module: AotModule
    table: AotModule
    saxpy: Kernel
    twice: ComputeGraph
    store: Kernel
    x: NdArray
    y: NdArray


runtimes: dict[ArchName, Runtime] = {}  # for all scenarios of this process, because creating one is slow


def run(arch: ArchName, folder: str, *scenarios: str) -> None:
    """Run scenarios of this module in turn. Print their names, so that the output of a crash ends with its scenario."""
    for scenario in scenarios:
        print(scenario, flush=True)
        globals()[scenario](arch, folder)


def prepare(arch: ArchName, folder: str) -> Setup:
    if arch not in runtimes or runtimes[arch].closed:
        runtimes[arch] = Runtime(arch)
    rt = runtimes[arch]
    module = rt.load_module(f"{folder}/basic.tcm")
    table = rt.load_module(f"{folder}/table.tcm")
    saxpy, twice, store = module.kernels["saxpy"], module.graphs["twice"], module.kernels["store"]
    return Setup(rt, module, table, saxpy, twice, store, rt.full(8, 1.0, "f32"), rt.zeros(8))


def fewer_arguments(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    assert_raises(TypeError, lambda: s.saxpy(), lambda: s.saxpy(1.0), lambda: s.twice(1.0, s.x), lambda: s.twice())


def more_arguments(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    assert_raises(
        TypeError,
        lambda: s.saxpy(1.0, s.x, s.y, s.y),
        lambda: s.twice(1.0, s.x, s.y, 1),
        lambda: s.twice(a=1.0, x=s.x, y=s.y, z=s.y),
    )


def scalar_for_an_ndarray(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    assert_raises(TypeError, lambda: s.saxpy(1.0, 2.0, s.y), lambda: s.twice(1.0, s.x, 3))


def matrix_for_an_ndarray(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    assert_raises(TypeError, lambda: s.saxpy(1.0, [1.0, 2.0], s.y), lambda: s.twice(1.0, s.x, [[1]]))


def ndarray_for_a_scalar(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    assert_raises(TypeError, lambda: s.saxpy(s.x, s.x, s.y), lambda: s.twice(s.x, s.x, s.y))


def ndarray_for_a_matrix(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    kernel, graph = s.table.kernels["matrix_f32"], s.table.graphs["graph_matrix_f32"]
    assert_raises(TypeError, lambda: kernel(s.x, s.y), lambda: graph(s.x, s.y))


def float_for_an_integer(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    ints = s.rt.zeros(1, "i32")
    assert_raises(TypeError, lambda: s.store(1.5, 0.0, ints, s.x), lambda: s.store(s.x, 0.0, ints, s.x))


def array_of_more_dimensions(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    refuse_array(s, s.rt.zeros((2, 2)))


def array_of_fewer_dimensions(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    refuse_array(s, s.rt.zeros(()))


def array_of_another_dtype(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    refuse_array(s, s.rt.zeros(8, "f64"))


def array_of_another_element_shape(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    refuse_array(s, s.rt.zeros(8, "f32", 3))


def refuse_array(s: Setup, array: NdArray) -> None:
    assert_raises(TypeError, lambda: s.saxpy(1.0, array, s.y), lambda: s.twice(1.0, s.x, array))


def array_of_another_runtime(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    array = Runtime(arch).zeros(8)
    assert_raises(ValueError, lambda: s.saxpy(1.0, array, s.y), lambda: s.twice(1.0, s.x, array))


def thirteen_dimensions(arch: ArchName, folder: str) -> None:
    rt = prepare(arch, folder).rt
    assert_raises(ValueError, lambda: rt.zeros((1,) * 13), lambda: rt.zeros((1,) * 1000))


def product_over_2_to_31(arch: ArchName, folder: str) -> None:
    rt = prepare(arch, folder).rt
    assert_raises(ValueError, lambda: rt.zeros((2**16, 2**15)), lambda: rt.zeros((2**31 - 1, 2)))


def closed_array(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    s.y.close()
    assert_raises(ValueError, lambda: s.saxpy(1.0, s.x, s.y), lambda: s.twice(1.0, s.x, s.y))


def closed_memory(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    s.y.memory.close()
    assert_raises(ValueError, lambda: s.saxpy(1.0, s.x, s.y), s.y.to_numpy)


def closed_runtime(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    s.rt.close()
    assert_raises(ValueError, lambda: s.saxpy(1.0, s.x, s.y), lambda: s.twice(1.0, s.x, s.y), s.rt.wait)


def closed_module(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    s.module.close()
    assert_raises(
        ValueError,
        lambda: s.saxpy(1.0, s.x, s.y),
        lambda: s.twice(1.0, s.x, s.y),
        lambda: s.module.kernels["swap"],
    )


def missing_name(arch: ArchName, folder: str) -> None:
    module = prepare(arch, folder).module
    assert_raises(
        KeyError,
        lambda: module.kernels["nothing"],
        lambda: module.graphs["nothing"],
        lambda: module.kernels["saxpy\0"],
    )


def impossible_sizes(arch: ArchName, folder: str) -> None:
    rt = prepare(arch, folder).rt
    assert_raises(ValueError, lambda: rt.allocate(0))
    assert_raises(MemoryError, lambda: rt.allocate(10**18), lambda: rt.allocate(2**64 - 1))


def map_without_host_flags(arch: ArchName, folder: str) -> None:
    memory = prepare(arch, folder).rt.allocate(64)
    assert_raises(ValueError, lambda: memory.map().__enter__())


def map_after_close(arch: ArchName, folder: str) -> None:
    memory = prepare(arch, folder).rt.allocate(64, host_read=True)
    memory.close()
    assert_raises(ValueError, lambda: memory.map().__enter__())


def close_while_mapped(arch: ArchName, folder: str) -> None:
    x = prepare(arch, folder).x
    with x.map() as view:
        assert_raises(BufferError, x.close)
        assert view.sum() == 8


def empty_arrays(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    empty = s.rt.zeros(0)
    s.saxpy(1.0, empty, empty)
    s.twice(1.0, empty, empty)
    s.rt.wait()
    assert empty.to_numpy().size == 0


def close_twice(arch: ArchName, folder: str) -> None:
    rt = prepare(arch, folder).rt
    memory = rt.allocate(64)
    memory.close()
    memory.close()
    zeros, _ones = rt.zeros(16), rt.full(16, 1.0)
    assert zeros.to_numpy().sum() == 0


def map_twice(arch: ArchName, folder: str) -> None:
    x = prepare(arch, folder).x
    with x.map() as a, x.map() as b:
        a[0] = 5
        assert b[0] == 5
    assert x.to_numpy()[0] == 5


def close_the_runtime_while_mapped(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    context = s.x.map()
    view = context.__enter__()
    s.rt.close()
    assert view.sum() == 8


def change_arguments_after_the_launch(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    ones = s.rt.full(8, 1.0, "f32")
    for i in range(50):
        s.saxpy(float(i), ones, s.y)
    assert s.y.to_numpy()[0] == sum(range(50))


def write_after_the_launch(arch: ArchName, folder: str) -> None:
    s = prepare(arch, folder)
    s.saxpy(1.0, s.x, s.y)
    s.x.fill(100)
    assert s.y.to_numpy()[0] == 1
