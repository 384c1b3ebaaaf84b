"""Functions return arrays of the caller's library, or of the one that `like=` names."""

import functools
import inspect
import pickle
import pydoc
import sys
from types import ModuleType

import numpy as np
import pytest
from helpers.frameworks import jax_array
from helpers.inside import note_results

from taichi_aot import Arch, Function, NotSupportedError, function

SIZES = (5, 100_000)  # the second one is imported where the device can use host memory
LIBRARIES = ["torch", "jax"]


@pytest.fixture
def make(compiled, arch):
    """Return a function of `saxpy`, with the options of `function`."""

    def make(**options):
        source = compiled(str(arch)) / "basic.tcm"
        return function(source, "saxpy", arch=arch, **{"out": {"y": "x"}, **options})

    return make


def array_of(library, values):
    if library == "jax":
        return jax_array(values)
    array = pytest.importorskip(library).asarray(values)
    return array


def is_array_of(library, value):
    return type(value).__module__.partition(".")[0].startswith(library)


@pytest.mark.parametrize("library", LIBRARIES)
def test_results_are_of_the_callers_library(library, make):
    f = make()
    for size in SIZES:
        x = array_of(library, np.ones(size, np.float32))
        for result in (f(2.0, x), f(2.0, x, x), f(2.0, x, np.ones(size, np.float32)), f(2.0, [1.0] * size, x)):
            assert is_array_of(library, result)
            assert result.shape == (size,)
            assert float(result[0]) == float(result[-1]) in (2, 3)
        assert float(x[0]) == 1
    empty = f(2.0, array_of(library, np.zeros(0, np.float32)))
    assert is_array_of(library, empty)
    assert empty.shape == (0,)


@pytest.mark.parametrize("library", LIBRARIES)
def test_like_fixes_the_library_of_results(library, make):
    x = array_of(library, np.float32([1, 2]))
    f = make(like=library)
    assert is_array_of(library, f(2.0, np.float32([1, 2])))
    assert is_array_of(library, f(2.0, [1, 2]))
    back = make(like="numpy")(2.0, x)
    assert isinstance(back, np.ndarray)
    assert back.tolist() == [2, 4]
    assert pickle.loads(pickle.dumps(f)) == f != make()


@pytest.mark.parametrize("library", LIBRARIES)
def test_results_on_the_host_are_not_copied_again(library, make, arch, monkeypatch):
    if not arch.is_cpu:
        pytest.skip("the device cannot use host memory")
    x = array_of(library, np.ones(100_000, np.float32))
    addresses = note_results(monkeypatch)
    result = make()(2.0, x)
    assert addresses == [result.data_ptr() if library == "torch" else result.unsafe_buffer_pointer()]


def test_arrays_of_two_libraries_need_like(make):
    x, y = array_of("torch", np.ones(3, np.float32)), array_of("jax", np.ones(3, np.float32))
    with pytest.raises(TypeError, match=r"'x' is an array of torch and 'y' one of jax: create .* like='torch' or"):
        make()(2.0, x, y)
    assert is_array_of("jax", make(like="jax")(2.0, x, y))


def test_each_unusual_tensor_has_a_sentence(make):
    torch = pytest.importorskip("torch")
    f, ones = make(), torch.ones(3)
    assert f(2.0, torch.ones(3, 2)[:, 0]).tolist() == [2, 2, 2]  # not contiguous
    assert f(2.0, ones.to(torch.int16)).tolist() == [2, 2, 2]
    for value, words in (
        (torch.ones(3, requires_grad=True), r"it requires a gradient, .*: write x\.detach\(\)"),
        (ones.to(torch.bfloat16), r"it is of bfloat16, .*: write x\.float\(\)"),
        (ones.to(torch.float64), r".*float64.* which may lose digits"),
        (torch.eye(3).to_sparse(), r"it is not dense: write x\.to_dense\(\)"),
        (torch.ones(3, device="meta"), r"it is on the device 'meta', and has no numbers"),
    ):
        with pytest.raises(TypeError, match=rf"saxpy\(\) parameter 'x': {words}"):
            f(2.0, value)


def test_traced_arrays_of_jax_are_refused(make):
    jax = pytest.importorskip("jax")
    with pytest.raises(TypeError, match=r"'x': it is traced by JAX .*: call a function of taichi_aot.interop.jax"):
        jax.jit(lambda x: make()(2.0, x))(jax.numpy.ones(3))


def test_wrong_likes_raise(make, arch):
    with pytest.raises(ValueError, match="like must be one of 'numpy', 'torch', 'jax', 'cupy', not 'tensorflow'"):
        make(like="tensorflow")
    with pytest.raises(TypeError, match=r"like must be one of .*, not int 3"):
        make(like=3)
    if arch is not Arch.CUDA:
        with pytest.raises(ValueError, match=r"saxpy\(\): arrays of cupy are on CUDA devices, .* runs on"):
            make(like="cupy")(2.0, [1.0])


def test_missing_library_is_named(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(NotSupportedError, match="like='torch' needs torch, which cannot be imported"):
        make(like="torch")(2.0, np.float32([1]))


def test_arrays_on_another_device_have_a_remedy(make, arch, monkeypatch):
    if arch is Arch.CUDA:
        pytest.skip("the runtime is on the device")

    class Array:
        """An array of CuPy, as far as it is looked at."""

        __cuda_array_interface__ = None

    cupy = ModuleType("cupy")
    cupy.ndarray = Array
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    with pytest.raises(
        ValueError, match=r"parameter 'x': it is on a CUDA device, .* create the function with arch='cuda'"
    ):
        make()(2.0, Array())


def test_function_has_the_docstring_of_its_kernel(make):
    f = make()
    assert inspect.getdoc(f) == (
        "Function of an AOT module.\n\nParameters\n----------\na : f32\nx : ndarray[f32, 1]\n"
        "y : ndarray[f32, 1], optional\n\nReturns\n-------\ny : ndarray[f32, 1]"
    )
    assert inspect.getdoc(pickle.loads(pickle.dumps(f))) == inspect.getdoc(f)
    assert "y : ndarray[f32, 1], optional" in pydoc.plain(pydoc.render_doc(f))
    assert "as a function of arrays" in (inspect.getdoc(Function) or "")


def test_partial_function_takes_the_rest_by_position(make):
    f, x = make(), np.float32([1, 2])
    double = functools.partial(f, a=2.0)
    assert double(x).tolist() == [2, 4]
    assert double(x, x).tolist() == double(x, y=x).tolist() == [3, 6]
    assert double(x, a=3.0).tolist() == [3, 6]
    assert pickle.loads(pickle.dumps(double))(x).tolist() == [2, 4]
    with pytest.raises(TypeError, match=r"saxpy\(\) got an unexpected keyword argument 'radius'"):
        functools.partial(f, radius=2)(x)
    array = pytest.importorskip("dask.array")
    blocks = array.from_array(x, chunks=1)
    assert array.map_blocks(double, blocks).compute().tolist() == [2, 4]
    assert array.map_blocks(double, blocks).name == array.map_blocks(functools.partial(f, a=2.0), blocks).name
