"""Kernels return exact values of every type, from calls, bound launches and sequences."""

import pickle
import re

import numpy as np
import pytest
from helpers.archives import pack, read_archive, taichis_own
from helpers.archs import ARCHS
from helpers.child import in_child
from helpers.extremes import EXTREMES
from helpers.machine import resident_bytes

from taichi_aot import Arch, NotSupportedError, Runtime, object_counts

OF_OPENGL = {"f32", "i32", "u32", "u1"}


@pytest.fixture(params=EXTREMES)
def dtype(request, arch):
    if arch is Arch.OPENGL and request.param not in OF_OPENGL:
        pytest.skip("OpenGL's code has only 32-bit numbers")
    return request.param


@pytest.fixture
def kernels(rt, modules):
    return rt.load_module(modules / "returns.tcm").kernels


def name_of(kernel):
    return kernel.signature.parameters[0].name


def test_scalars_return_bit_for_bit(kernels, dtype):
    for value in EXTREMES[dtype]:
        got = kernels[f"scalar_{dtype}"](value)
        assert type(got) is type(value)
        assert got.tobytes() == value.tobytes()


@pytest.mark.parametrize("dtype", [dtype for dtype in EXTREMES if dtype != "u1"], indirect=True)
@pytest.mark.parametrize(("kind", "shape"), [("vector", (3,)), ("matrix", (2, 3))])
def test_vectors_and_matrices_return_bit_for_bit(kernels, kind, shape, dtype):
    kernel, numbers = kernels[f"{kind}_{dtype}"], EXTREMES[dtype]
    for first in range(len(numbers)):
        value = np.resize(np.roll(numbers, first), shape)
        got = kernel(value)
        assert (got.dtype, got.shape) == (value.dtype, shape)
        assert got.tobytes() == value.tobytes()
    assert got.flags.owndata
    assert got.flags.writeable
    before = got.copy()
    kernel(np.zeros(shape, int))
    assert got.tobytes() == before.tobytes()  # a copy


def test_vector_of_booleans_returns_booleans(kernels):
    got = kernels["vector_u1"](2)
    assert got.dtype == np.bool_
    assert got.tolist() == [True, True, False]


def test_several_values_are_a_tuple(kernels):
    got = kernels["several"](5, 1.5)
    number, flag, vector, matrix = got
    assert type(got) is tuple
    assert (type(number), type(flag)) == (np.float32, np.bool_)
    assert (number, flag) == (1.5, True)
    assert (vector.dtype, vector.tolist()) == (np.int32, [5, 6])
    assert (matrix.dtype, matrix.tolist()) == (np.float32, [[1.5, 0], [1, -1.5]])
    assert str(kernels["several"].signature).endswith("-> f32, u1, vector(2, i32), matrix(2, 2, f32)")


def test_structs_return_named_members(kernels):
    pair = kernels["pair"](3)
    assert (pair.weight, pair.count, pair["weight"], pair[1]) == (0.5, 3, 0.5, 3)
    assert (type(pair.weight), type(pair.count)) == (np.float32, np.int32)
    weight, count = pair
    assert (weight, count) == (0.5, 3)
    assert pickle.loads(pickle.dumps(pair)) == pair
    before = pair.copy()
    kernels["pair"](4)
    assert pair == before


@pytest.mark.parametrize("arch", [arch for arch in ARCHS if arch != "opengl"], indirect=True)
def test_members_of_different_sizes_are_exact(kernels):
    nested = kernels["nested"](5)
    assert nested.p.tolist() == [1, 2, 3]
    assert (nested.inner.half, nested.inner.flag, nested.b) == (0.5, True, 5)
    assert [type(v) for v in (nested.inner.half, nested.inner.flag, nested.b)] == [np.float16, np.bool_, np.int8]
    mixed = kernels["mixed"](-7)
    assert [np.asarray(value).dtype for value in mixed] == ["i1", "?", "f2", "i8", "u1", "f8"]
    assert [value.tolist() for value in mixed] == [-7, False, -7, -7, [1, 2, 3], -7]
    assert kernels["nested"](-(2**31)).inner.flag == np.False_


@pytest.mark.parametrize("arch", [arch for arch in ARCHS if arch != "opengl"], indirect=True)
def test_values_follow_split_arguments(kernels):
    m, n = np.linspace(0, 1, 25).reshape(5, 5), np.arange(20).reshape(4, 5) * 2**55
    for got, given in zip(kernels["overflow"](m, 2**64 - 1, n), (m, np.uint64(2**64 - 1), n), strict=True):
        assert got.tobytes() == given.tobytes()


def test_kernel_without_parameters_returns(kernels):
    assert kernels["nothing_given"]() == -7


def test_call_waits_for_the_whole_kernel(rt, kernels):
    for count in (1, 1000, 100_000):
        assert kernels["total"](rt.full(count, 3, "i32")) == 3 * count


@pytest.mark.parametrize("arch", [arch for arch in ARCHS if arch not in ("vulkan", "opengl")], indirect=True)
def test_inner_functions_return_to_their_callers(rt, kernels):
    x = rt.zeros(100, "i32")
    assert kernels["by_functions"](x, 4) == (16, 9 << 32)
    assert x.to_numpy().tolist() == list(range(8, 108))


def test_bound_launch_has_a_result(kernels):
    kernel = kernels["scalar_i32"]
    launch, other = kernel.bind(3), kernel.bind(4)
    for wait_for in (launch, other):
        with pytest.raises(RuntimeError, match=r"scalar_i32\(\) has not been launched yet"):
            wait_for.result()
    assert launch() is None
    other()
    assert (launch.result(), other.result(), launch.result()) == (3, 4, 3)
    assert kernel(5) == 5
    assert launch.result() == 3
    launch.update(**{name_of(kernel): -8})
    assert launch.result() == 3
    launch()
    assert (launch.result(), other.result()) == (-8, 4)
    launch.update()
    launch()
    assert launch.result() == -8


def test_result_is_that_of_the_last_launch(rt, kernels):
    calls = rt.zeros(1, "i32")
    count, scalar = kernels["count"].bind(1, calls), kernels["scalar_i32"].bind(1)
    sequence = rt.sequence([count, scalar, count])
    sequence(0)
    with pytest.raises(RuntimeError, match="count"):
        count.result()
    sequence(50)
    assert (count.result(), scalar.result()) == (100, 1)
    sequence(10, ramps={(1, name_of(kernels["scalar_i32"])): (100, -7)})
    assert (count.result(), scalar.result()) == (120, 100 - 9 * 7)
    sequence(3, ramps={(0, "step"): (10, 1)})
    assert count.result() == 120 + 2 * (10 + 11 + 12)
    scalar()
    assert scalar.result() == 1


def test_graph_dispatches_a_kernel_that_returns(rt, modules):
    module, calls = rt.load_module(modules / "returns.tcm"), rt.zeros(1, "i32")
    count, twice = module.kernels["count"], module.graphs["count_twice"]
    assert count(1, calls) == 1
    assert twice(step=2, calls=calls) is None
    assert count(3, calls) == 8
    with pytest.raises(TypeError, match=r"count_twice\(\) does not return a value"):
        twice.bind(2, calls).result()


def test_kernel_without_a_value_returns_none(rt, module):
    x = rt.zeros(1)
    assert module.kernels["swap"](x, rt.zeros(1)) is None
    with pytest.raises(TypeError, match=r"swap\(\) does not return a value"):
        module.kernels["swap"].bind(x, x).result()


def test_wrong_calls_and_closed_objects_raise(rt, modules):
    module, calls = rt.load_module(modules / "returns.tcm"), rt.zeros(1, "i32")
    count, total = module.kernels["count"], module.kernels["total"]
    with pytest.raises(TypeError, match="expected i32"):
        count(1.5, calls)
    launch = count.bind(1, calls)
    launch()
    calls.close()
    with pytest.raises(ValueError, match="array is closed"):
        count(1, calls)
    with pytest.raises(ValueError, match="array is closed"):
        launch()
    assert launch.result() == 1
    other = rt.full(4, 1, "i32")
    assert total(other) == 4
    module.close()
    for call in (lambda: total(other), launch):
        with pytest.raises(ValueError, match="module is closed"):
            call()
    assert launch.result() == 1
    rt.close()
    for call in (lambda: total(other), launch, launch.result):
        with pytest.raises(ValueError, match="runtime is closed"):
            call()


@pytest.mark.slow(but="x64")
@in_child
def test_repeated_calls_do_not_leak(arch, modules):
    """Call kernels repeatedly: calls reuse the memory of return values, and dropped launches free it."""
    if arch is Arch.OPENGL:
        pytest.skip("the module has no 64-bit integers")
    rt = Runtime(arch)
    kernel = rt.load_module(modules / "returns.tcm").kernels["scalar_i64"]

    def churn(count):
        for i in range(count):
            assert kernel(i) == i
            if i % 10 == 0:
                launch = kernel.bind(-i)
                launch()
                assert launch.result() == -i

    churn(2000)
    memories, before = object_counts()["memories"], resident_bytes()
    churn(10_000)
    assert object_counts()["memories"] == memories
    assert resident_bytes() - before < 6 << 20, resident_bytes() - before  # lavapipe leaks 200 bytes per launch


def make_unknown(arch, files):
    """Make a module whose return value is not understood: code passes the context on, or two members share a name."""
    if not arch.is_llvm:
        return pack(files | {"metadata.json": files["metadata.json"].replace(b'"weight"', b'"count"')})
    code = files["several_returns.ll"]
    context = re.search(rb"%struct\.RuntimeContext[.\d]*(?=\*[^\n]* %context\))", code)[0]
    changed = code.replace(b"\nentry:\n", b"\nentry:\n  %odd = ptrtoint " + context + b"* %context to i64\n", 1)
    assert changed != code
    return pack(files | {"several_returns.ll": changed})


@pytest.mark.parametrize("arch", [arch for arch in ARCHS if arch != "opengl"], indirect=True)
def test_unfetchable_value_warns_once(rt, arch, modules):
    files = taichis_own(read_archive(modules / "kinds.tcm"))
    module, out = rt.load_module(make_unknown(arch, files)), rt.zeros(1, "i32")
    kernel = module.kernels["several_returns"]
    with pytest.warns(UserWarning, match=r"several_returns\(.* returns a value that cannot be fetched") as caught:
        assert kernel(out) is None
    assert caught[0].filename == __file__
    launch = kernel.bind(out)  # warnings are errors in this suite
    launch()
    with pytest.raises(NotSupportedError, match=r"several_returns.*cannot be fetched"):
        launch.result()
    assert out.to_numpy()[0] == 1
