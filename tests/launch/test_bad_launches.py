"""Bad launches raise. They run in a child process, because the library crashes, hangs or corrupts memory on them."""

from types import SimpleNamespace

from helpers.child import in_child
from helpers.raising import assert_raises

from taichi_aot import Runtime


def setups(arch, modules):
    """Yield what each case uses: a runtime, unless the case before it has closed it, with modules and arrays."""
    rt = None
    while True:
        rt = Runtime(arch) if rt is None or rt.closed else rt
        module, table = (rt.load_module(modules / name) for name in ("basic.tcm", "table.tcm"))
        saxpy, twice, store = module.kernels["saxpy"], module.graphs["twice"], module.kernels["store"]
        x, y = rt.full(8, 1.0, "f32"), rt.zeros(8)
        yield SimpleNamespace(rt=rt, module=module, table=table, saxpy=saxpy, twice=twice, store=store, x=x, y=y)


def fewer_arguments(s):
    assert_raises(TypeError, lambda: s.saxpy(), lambda: s.saxpy(1.0), lambda: s.twice(1.0, s.x), lambda: s.twice())


def more_arguments(s):
    assert_raises(
        TypeError,
        lambda: s.saxpy(1.0, s.x, s.y, s.y),
        lambda: s.twice(1.0, s.x, s.y, 1),
        lambda: s.twice(a=1.0, x=s.x, y=s.y, z=s.y),
    )


def scalar_for_an_ndarray(s):
    assert_raises(TypeError, lambda: s.saxpy(1.0, 2.0, s.y), lambda: s.twice(1.0, s.x, 3))


def matrix_for_an_ndarray(s):
    assert_raises(TypeError, lambda: s.saxpy(1.0, [1.0, 2.0], s.y), lambda: s.twice(1.0, s.x, [[1]]))


def ndarray_for_a_scalar(s):
    assert_raises(TypeError, lambda: s.saxpy(s.x, s.x, s.y), lambda: s.twice(s.x, s.x, s.y))


def ndarray_for_a_matrix(s):
    kernel, graph = s.table.kernels["matrix_f32"], s.table.graphs["graph_matrix_f32"]
    assert_raises(TypeError, lambda: kernel(s.x, s.y), lambda: graph(s.x, s.y))


def float_for_an_integer(s):
    ints = s.rt.zeros(1, "i32")
    assert_raises(TypeError, lambda: s.store(1.5, 0.0, ints, s.x), lambda: s.store(s.x, 0.0, ints, s.x))


def array_of_more_dimensions(s):
    refuse_array(s, s.rt.zeros((2, 2)))


def array_of_fewer_dimensions(s):
    refuse_array(s, s.rt.zeros(()))


def array_of_another_dtype(s):
    refuse_array(s, s.rt.zeros(8, "f64"))


def array_of_another_element_shape(s):
    refuse_array(s, s.rt.zeros(8, "f32", 3))


def refuse_array(s, array):
    assert_raises(TypeError, lambda: s.saxpy(1.0, array, s.y), lambda: s.twice(1.0, s.x, array))


def array_of_another_runtime(s):
    array = Runtime(s.rt.arch).zeros(8)
    assert_raises(ValueError, lambda: s.saxpy(1.0, array, s.y), lambda: s.twice(1.0, s.x, array))


def thirteen_dimensions(s):
    rt = s.rt
    assert_raises(ValueError, lambda: rt.zeros((1,) * 13), lambda: rt.zeros((1,) * 1000))


def product_over_2_to_31(s):
    rt = s.rt
    assert_raises(ValueError, lambda: rt.zeros((2**16, 2**15)), lambda: rt.zeros((2**31 - 1, 2)))


def closed_array(s):
    s.y.close()
    assert_raises(ValueError, lambda: s.saxpy(1.0, s.x, s.y), lambda: s.twice(1.0, s.x, s.y))


def closed_memory(s):
    s.y.memory.close()
    assert_raises(ValueError, lambda: s.saxpy(1.0, s.x, s.y), s.y.to_numpy)


def closed_runtime(s):
    s.rt.close()
    assert_raises(ValueError, lambda: s.saxpy(1.0, s.x, s.y), lambda: s.twice(1.0, s.x, s.y), s.rt.wait)


def closed_module(s):
    s.module.close()
    assert_raises(
        ValueError,
        lambda: s.saxpy(1.0, s.x, s.y),
        lambda: s.twice(1.0, s.x, s.y),
        lambda: s.module.kernels["swap"],
    )


def missing_name(s):
    module = s.module
    assert_raises(
        KeyError,
        lambda: module.kernels["nothing"],
        lambda: module.graphs["nothing"],
        lambda: module.kernels["saxpy\0"],
    )


def impossible_sizes(s):
    rt = s.rt
    assert_raises(ValueError, lambda: rt.allocate(0))
    assert_raises(MemoryError, lambda: rt.allocate(10**18), lambda: rt.allocate(2**64 - 1))


def map_without_host_flags(s):
    memory = s.rt.allocate(64)
    assert_raises(ValueError, lambda: memory.map().__enter__())


def map_after_close(s):
    memory = s.rt.allocate(64, host_read=True)
    memory.close()
    assert_raises(ValueError, lambda: memory.map().__enter__())


def close_while_mapped(s):
    x = s.x
    with x.map() as view:
        assert_raises(BufferError, x.close)
        assert view.sum() == 8


def empty_arrays(s):
    empty = s.rt.zeros(0)
    s.saxpy(1.0, empty, empty)
    s.twice(1.0, empty, empty)
    s.rt.wait()
    assert empty.to_numpy().size == 0


def close_twice(s):
    rt = s.rt
    memory = rt.allocate(64)
    memory.close()
    memory.close()
    zeros, _ones = rt.zeros(16), rt.full(16, 1.0)
    assert zeros.to_numpy().sum() == 0


def map_twice(s):
    x = s.x
    with x.map() as a, x.map() as b:
        a[0] = 5
        assert b[0] == 5
    assert x.to_numpy()[0] == 5


def close_the_runtime_while_mapped(s):
    context = s.x.map()
    view = context.__enter__()
    s.rt.close()
    assert view.sum() == 8


def change_arguments_after_the_launch(s):
    ones = s.rt.full(8, 1.0, "f32")
    for i in range(50):
        s.saxpy(float(i), ones, s.y)
    assert s.y.to_numpy()[0] == sum(range(50))


def write_after_the_launch(s):
    s.saxpy(1.0, s.x, s.y)
    s.x.fill(100)
    assert s.y.to_numpy()[0] == 1


MISUSE = (
    fewer_arguments,
    more_arguments,
    scalar_for_an_ndarray,
    matrix_for_an_ndarray,
    ndarray_for_a_scalar,
    ndarray_for_a_matrix,
    float_for_an_integer,
    array_of_more_dimensions,
    array_of_fewer_dimensions,
    array_of_another_dtype,
    array_of_another_element_shape,
    array_of_another_runtime,
    thirteen_dimensions,
    product_over_2_to_31,
    closed_array,
    closed_memory,
    closed_runtime,
    closed_module,
    missing_name,
    impossible_sizes,
    map_without_host_flags,
    map_after_close,
    close_while_mapped,
)
VALID_USE = (
    empty_arrays,
    close_twice,
    map_twice,
    close_the_runtime_while_mapped,
    change_arguments_after_the_launch,
    write_after_the_launch,
)


def run(arch, modules, cases):
    for case, setup in zip(cases, setups(arch, modules), strict=False):
        print(case.__name__, flush=True)  # the output of a crash ends with its case
        case(setup)


@in_child
def test_misuse_raises(arch, modules):
    run(arch, modules, MISUSE)


@in_child
def test_valid_use_works(arch, modules):
    run(arch, modules, VALID_USE)
