"""`taichi_aot.function` with numpy arrays, and its pickles."""

from __future__ import annotations

import copy
import inspect
import os
import pickle
import shutil
import subprocess
import sys
import weakref
from multiprocessing.reduction import ForkingPickler
from multiprocessing.util import get_temp_dir
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.archives import read_archive
from helpers.child import child_environment
from helpers.machine import is_on_host

import taichi_aot
from taichi_aot import Function, IncompatibleModuleError, NameNotFoundError, Runtime, function
from taichi_aot.build import build
from taichi_aot.functions import _arrays as arrays
from taichi_aot.functions import _defaults as defaults

X = np.arange(1, 6, dtype=np.float32)

KERNELS = """
import taichi as ti
from taichi_aot.build import export

Floats, Grid = ti.types.ndarray(ti.f32, 1), ti.types.ndarray(ti.f32, 2)
Vectors = ti.types.ndarray(ti.types.vector(2, ti.f32), 1)


@export(shapes={"x": "n", "y": "n"})
@ti.kernel
def twice(y: Floats, x: Floats, scratch: Floats):
    for i in x:
        scratch[i] = x[i]
        y[i] += 2 * x[i]


@export(shapes={"rows": "count", "grid": ("count", "width")})
@ti.kernel
def spread(grid: Grid, rows: Floats, width: ti.i32):
    for i, j in grid:
        grid[i, j] += rows[i] + 10.0 * j


@export
@ti.kernel
def split(v: Vectors, scale: ti.types.vector(2, ti.f32), x: Floats, y: Floats) -> ti.f32:
    total = 0.0
    for i in v:
        x[i] = v[i][0] * scale[0]
        y[i] = v[i][1] * scale[1]
        total += x[i]
    return total


@export
@ti.kernel
def total(x: Floats) -> ti.f32:
    s = 0.0
    for i in x:
        s += x[i]
    return s


@export
@ti.kernel
def count(x: Floats, bins: ti.types.ndarray(ti.i32, 1)):
    for i in x:
        bins[ti.cast(x[i], ti.i32)] += 1
"""


@pytest.fixture(scope="session")
def kernels(tmp_path_factory):
    """A bundle for all archs; unlike an x64 module, it states what kernels read and write."""
    folder = tmp_path_factory.mktemp("functions")
    source = folder / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    build(source, folder / "kernels.tib", archs=["x64", "vulkan", "cuda"])
    return folder / "kernels.tib"


@pytest.fixture
def source(compiled, arch):
    return compiled(str(arch)) / "basic.tcm"


@pytest.fixture
def saxpy(source, arch):
    return function(source, "saxpy", out="y", arch=arch)


@pytest.fixture(params=["copied", "imported"])
def threshold(request, monkeypatch):
    """Copy arrays of the host to the device, or import their memory."""
    monkeypatch.setattr(arrays, "LARGE", 0 if request.param == "imported" else 1 << 40)


pytestmark = pytest.mark.usefixtures("threshold")


def test_result_is_new_and_arguments_are_unchanged(saxpy):
    y = np.ones(5, np.float32)
    result = saxpy(2.0, X, y)
    assert result.tolist() == [3, 5, 7, 9, 11]
    assert y.tolist() == [1] * 5
    other = saxpy(a=2.0, y=y, x=X)
    assert other.tolist() == result.tolist()
    assert not np.shares_memory(other, result)
    other[:] = 0
    assert result.tolist() == [3, 5, 7, 9, 11]
    assert saxpy(2.0, X, X).tolist() == [3, 6, 9, 12, 15]
    assert X.tolist() == [1, 2, 3, 4, 5]


def test_missing_result_gets_the_shape_of_another_array(source, arch):
    f = function(source, "saxpy", out={"y": "x"}, arch=arch)
    assert f(2.0, X).tolist() == [2, 4, 6, 8, 10]
    assert f(2.0, X, X).tolist() == [3, 6, 9, 12, 15]
    assert f(2.0, x=X).tolist() == [2, 4, 6, 8, 10]
    assert str(inspect.signature(f)) == "(a: float, x: numpy.ndarray, y: numpy.ndarray = <made by the function>)"


def test_results_with_stated_shapes_are_optional_and_last(kernels, arch):
    f = function(kernels, "twice", out="y", arch=arch)
    assert list(inspect.signature(f).parameters) == ["x", "scratch", "y"]
    scratch = np.zeros(5, np.float32)
    assert f(X, scratch).tolist() == [2, 4, 6, 8, 10]
    assert f(X, scratch, X).tolist() == [3, 6, 9, 12, 15]
    assert scratch.tolist() == [0] * 5
    with pytest.raises(ValueError, match=r"twice\(\): y has n=4, x has n=5"):
        f(X, scratch, np.zeros(4, np.float32))
    grid = function(kernels, "spread", out="grid", arch=arch)
    assert grid(X[:2], 3).tolist() == [[1, 11, 21], [2, 12, 22]]
    with pytest.raises(TypeError, match=r"spread\(\) parameter 'width' must be an integer, not float 2.5"):
        grid(X, 2.5)
    with pytest.raises(ValueError, match=r"spread\(\) parameter 'width': a size must not be negative, not -1"):
        grid(X, -1)


def test_result_shapes_may_be_numbers_or_symbols(kernels, arch):
    assert function(kernels, "count", out={"bins": 7}, arch=arch)(X).tolist() == [0, 1, 1, 1, 1, 1, 0]
    f = function(kernels, "spread", out={"grid": ("count", 2)}, arch=arch)
    assert f(X[:2], 2).tolist() == [[1, 11], [2, 12]]


def test_several_results_and_a_returned_value_are_a_tuple(kernels, arch):
    v = np.float32([[1, 2], [3, 4]])
    f = function(kernels, "split", out={"y": 2, "x": [2]}, arch=arch)
    value, y, x = f(v, [10, 100])
    assert (float(value), y.tolist(), x.tolist()) == (40, [200, 400], [10, 30])
    assert repr(f) == "<Function split(v, scale, x, y) -> value, y, x>"
    assert function(kernels, "total", arch=arch)(X) == 15
    assert function(kernels, "total", arch=arch)(X[:0]) == 0


def test_graphs_are_functions_too(source, arch):
    f = function(source, "both", out=("x", "y"), arch=arch)
    x, y = f(X, X)
    with Runtime(arch) as rt:
        a, b = rt.asarray(X), rt.asarray(X)
        rt.load_module(source).graphs["both"](x=a, y=b)
        assert (x.tolist(), y.tolist()) == (a.to_numpy().tolist(), b.to_numpy().tolist())


def test_best_supported_device_is_the_default(kernels, compiled):
    assert function(kernels, "total")(X) == 15
    f = function(compiled("x64") / "basic.tcm", "saxpy", out="y")
    assert f(1.0, X, X).tolist() == [2, 4, 6, 8, 10]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2.5], [2, 5]),
        ((True, 2), [2, 4]),
        (np.int16([1, 2]), [2, 4]),
        (np.float32([1, 9, 2, 9])[::2], [2, 4]),
        (np.float32([2, 1])[::-1], [2, 4]),
    ],
)
def test_arguments_are_converted_safely(saxpy, values, expected):
    assert saxpy(2.0, values, np.zeros(2, np.float32)).tolist() == expected


def test_unaligned_and_readonly_arrays_are_accepted(kernels, arch):
    f = function(kernels, "total", arch=arch)
    unaligned = np.frombuffer(b"\0" + X.tobytes(), np.uint8)[1:].view(np.float32)
    assert not unaligned.flags.writeable
    assert f(unaligned) == 15
    assert f(np.broadcast_to(np.float32(2), (3,))) == 6


def test_arrays_of_other_libraries_are_accepted(saxpy, arch):
    class Shared:
        """An array that has only DLPack."""

        def __init__(self, array):
            self._array = array

        def __dlpack__(self, **options):
            return self._array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self._array.__dlpack_device__()

    assert saxpy(2.0, Shared(X.copy()), X).tolist() == [3, 6, 9, 12, 15]
    runtime = taichi_aot.default_runtime(arch)
    x, y = runtime.asarray(X), runtime.asarray(X)
    assert saxpy(2.0, x, y).tolist() == [3, 6, 9, 12, 15]
    assert y.to_numpy().tolist() == X.tolist()
    with Runtime(arch) as other, pytest.raises(ValueError, match="another runtime"):
        saxpy(2.0, other.asarray(X), X)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (
            (2.0, X),
            TypeError,
            "missing 1 required positional argument: 'y'; to leave out 'y', state its shape: out={'y': 'x'}$",
        ),
        ((2.0, X, X, X), TypeError, "takes 3 positional arguments but 4 were given"),
        (("two", X, X), TypeError, "parameter 'a': expected f32, got str 'two'"),
        (
            (2.0, X.astype(np.float64), X),
            TypeError,
            r"parameter 'x': expected ndarray\[f32, 1\], got a numpy array of f",
        ),
        (
            (2.0, X.astype(np.int32), X),
            TypeError,
            r"got a numpy array of int32 with shape \(5,\); write x.astype\('float32'\)",
        ),
        (
            (2.0, X.reshape(5, 1), X),
            TypeError,
            r"'x': expected ndarray\[f32, 1\], got an array of shape \(5, 1\); its shape must have 1 dimension",
        ),
        ((2.0, 1.0, X), TypeError, r"parameter 'x': .* got a number; the order is saxpy\(a, x, y\)$"),
        ((2.0, ["a"], X), TypeError, r"parameter 'x': str 'a' is not a real number"),
        ((2.0, [[1], [1, 2]], X), ValueError, "parameter 'x': expected a rectangular sequence"),
        (
            (2.0, np.ma.masked_array(X), X),
            TypeError,
            r"saxpy\(\) parameter 'x': expected .* got a masked array of .*; array.filled\(\) fills in what is masked",
        ),
        ((2.0, None, X), TypeError, "parameter 'x'"),
    ],
    ids=["few", "many", "scalar", "double", "integer", "ndim", "number", "words", "ragged", "masked", "none"],
)
def test_wrong_arguments_raise(saxpy, arguments, error, words):
    with pytest.raises(error, match=words):
        saxpy(*arguments)
    assert saxpy(2.0, X, X).tolist() == [3, 6, 9, 12, 15]


def test_arguments_by_position_fill_what_is_not_named(source, arch):
    """Dask's `map_blocks(f, x, a=2.0)` calls it so, for blocks and for an empty array."""
    f = function(source, "saxpy", out={"y": "x"}, arch=arch)
    assert f(X, a=2.0).tolist() == (2 * X).tolist()
    assert f(X, X, a=2.0).tolist() == f(X, a=2.0, y=X).tolist() == f(2.0, X, y=X).tolist() == (3 * X).tolist()
    assert f(X[:0], a=2.0).shape == (0,)
    for args, kwargs, words in (
        ((X, X, X), {"a": 2.0}, "multiple values for argument 'a'"),
        ((X,), {"b": 2.0}, "unexpected keyword argument 'b'; its parameters are 'a', 'x', 'y'"),
        ((), {"a": 2.0}, "missing 1 required positional argument: 'x'"),
        ((2.0,), {"y": X}, "missing 1 required positional argument: 'x'"),
    ):
        with pytest.raises(TypeError, match=words) as caught:
            f(*args, **kwargs)
        assert hasattr(caught.value, "code")
    array = pytest.importorskip("dask.array")
    assert array.map_blocks(f, array.from_array(X, chunks=2), a=2.0).compute().tolist() == (2 * X).tolist()


def test_empty_results_need_no_device(source, arch, monkeypatch):
    """Dask passes an empty array to learn the dtype of a result."""
    f = function(source, "saxpy", out="y", arch=arch)
    monkeypatch.setattr(Function, "_load_now", lambda self: pytest.fail("it was loaded"))
    monkeypatch.setattr(f, "_loaded", None)
    result = f(2.0, X[:0], X[:0])
    assert (result.shape, result.dtype) == ((0,), np.float32)
    with pytest.raises(TypeError, match="got a numpy array of float64"):
        f(2.0, np.zeros(0), X[:0])


def test_empty_arguments_give_zero_results(kernels, arch):
    assert function(kernels, "count", out={"bins": 3}, arch=arch)(X[:0]).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("kernel", "out", "error", "words"),
    [
        ("saxpy", None, ValueError, "saxpy does not return a value.* out='y'$"),
        ("saxpy", "a", ValueError, "saxpy: out names 'a'; its ndarrays are 'x', 'y'"),
        ("saxpy", ("y", "y"), ValueError, "saxpy: a result occurs twice in out"),
        ("saxpy", {"y": "y"}, ValueError, "saxpy: out states that 'y' has its own shape"),
        ("saxpy", {"y": "n"}, ValueError, "saxpy: out gives 'y' the size 'n', which is neither an array"),
        ("saxpy", {"y": (2, 2)}, ValueError, r"saxpy: out gives 'y' 2 dimensions; it is ndarray\[f32, 1\]"),
        ("saxpy", {"y": -1}, ValueError, "saxpy: out gives 'y' the size -1"),
        ("saxpy", {"y": 1.5}, TypeError, "out: a size of 'y' must be an integer, not float 1.5"),
        ("saxpy", 3, TypeError, "out must be a name, a sequence of names or a mapping of names to shapes, not int 3"),
        ("saxpy", [3], TypeError, "out: a result is named by a str, not int 3"),
        ("saxpi", "y", NameNotFoundError, "no kernel or graph 'saxpi', .*; did you mean 'saxpy'?"),
        (3, "y", TypeError, "kernel must be the name of a kernel, not int 3"),
    ],
    ids=[
        *("no result", "scalar", "twice", "itself", "unknown size", "ndim", "negative", "float"),
        *("number", "numbers", "unknown kernel", "kernel number"),
    ],
)
def test_wrong_definitions_raise(source: Path, kernel: Any, out: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        function(source, kernel, out=out)


def test_wrong_devices_raise(source, arch):
    with pytest.raises(ValueError, match="device 1 needs an arch"):
        function(source, "saxpy", out="y", device=1)
    with pytest.raises(ValueError, match="device must not be negative: -1"):
        function(source, "saxpy", out="y", arch=arch, device=-1)
    with pytest.raises(ValueError, match="unknown arch 'volcano'"):
        function(source, "saxpy", out="y", arch="volcano")
    with pytest.raises(IncompatibleModuleError, match="compiled for"):
        function(source, "saxpy", out="y", arch="vulkan" if arch.is_cpu else "x64")
    f = function(source, "saxpy", out="y", arch=arch, device=99)
    with pytest.raises(ValueError, match="device_index 99 is out of range"):
        f(2.0, X, X)


def test_circular_shapes_raise(kernels, arch):
    f = function(kernels, "split", out={"x": "y", "y": "x"}, arch=arch)
    v = np.float32([[1, 2]])
    with pytest.raises(TypeError, match=r"split\(\): the shape of 'x' and 'y' does not follow from the arguments"):
        f(v, [1, 1])
    assert f(v, [1, 1], y=X[:1])[2].tolist() == [2]


def test_pickled_function_is_equal_and_gives_equal_results(saxpy):
    travelled = pickle.loads(pickle.dumps(saxpy))
    assert travelled == saxpy
    assert hash(travelled) == hash(saxpy)
    assert travelled(2.0, X, X).tolist() == saxpy(2.0, X, X).tolist()
    assert copy.deepcopy(saxpy) == saxpy
    two = pickle.dumps((saxpy, saxpy))
    assert len(two) < 1.1 * len(pickle.dumps(saxpy))


def test_functions_of_one_module_share_its_bytes(source, arch, saxpy):
    both = function(source, "both", out="x", arch=arch)
    assert len(pickle.dumps((saxpy, both))) < 1.5 * len(pickle.dumps(saxpy))


def test_bytes_travel_once_in_pickles_for_local_processes(saxpy, monkeypatch):
    whole, local = pickle.dumps(saxpy), bytes(ForkingPickler.dumps(saxpy))
    assert len(local) < len(whole) / 4
    assert pickle.loads(local) is saxpy
    monkeypatch.setattr(defaults, "_known", weakref.WeakValueDictionary())  # as in another process
    assert pickle.dumps(pickle.loads(local)) == whole
    path = next(Path(get_temp_dir()).glob(f"taichi_aot-{saxpy.digest}"))
    if os.name == "posix":
        assert path.stat().st_uid == os.getuid()
        assert path.parent.stat().st_mode & 0o077 == 0
    data = path.read_bytes()
    for damage in (lambda: path.write_bytes(data[:-1] + b"?"), path.unlink):
        damage()
        monkeypatch.setattr(defaults, "_known", weakref.WeakValueDictionary())
        with pytest.raises(RuntimeError, match=r"the file with the module .* is missing"):
            pickle.loads(local)(2.0, X, X)
    assert bytes(ForkingPickler.dumps(saxpy)) == local
    assert path.read_bytes() == data


def test_function_is_pickled_whole_where_no_file_can_be_written(saxpy, monkeypatch, tmp_path):
    monkeypatch.setattr("multiprocessing.util.get_temp_dir", lambda: tmp_path / "missing")
    assert len(bytes(ForkingPickler.dumps(saxpy))) >= len(pickle.dumps(saxpy))


def test_equal_contents_make_equal_functions(source, arch, saxpy, tmp_path):
    for name, contents in read_archive(source).items():
        (tmp_path / name).write_bytes(contents)
    for again in (
        function(source.read_bytes(), "saxpy", out=["y"], arch=arch),
        function(tmp_path, "saxpy", out="y", arch=str(arch)),
    ):
        assert again == saxpy
        assert again.digest == saxpy.digest
        assert again.__dask_tokenize__() == saxpy.__dask_tokenize__()
    others = [
        function(source, "saxpy", out="x", arch=arch),
        function(source, "saxpy", out="y"),
        function(source, "saxpy", out={"y": "x"}, arch=arch),
        function(source, "saxpy", out="y", arch=arch, device=1),
    ]
    assert len({saxpy, *others}) == 5
    assert len({repr(f.__dask_tokenize__()) for f in (saxpy, *others)}) == 5
    assert saxpy != "saxpy"


def test_dask_token_is_the_same_in_every_process(source, arch, saxpy):
    program = (
        "import sys, taichi_aot\n"
        "f = taichi_aot.function(sys.argv[1], 'saxpy', out='y', arch=sys.argv[2])\n"
        "print(f.__dask_tokenize__())"
    )
    command = [sys.executable, "-c", program, str(source), str(arch)]
    done = subprocess.run(command, env=child_environment(), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == repr(saxpy.__dask_tokenize__())


def test_function_outlives_its_file(source, arch, tmp_path):
    path = tmp_path / "module.tcm"
    shutil.copy(source, path)
    f = function(path, "saxpy", out="y", arch=arch)
    path.unlink()
    assert f(2.0, X, X).tolist() == [3, 6, 9, 12, 15]


def test_function_describes_itself(saxpy):
    assert repr(saxpy) == "<Function saxpy(a, x, y) -> y>"
    assert (saxpy.kernel, saxpy.__name__, saxpy.__qualname__) == ("saxpy",) * 3
    assert [parameter.kind for parameter in saxpy.signature.parameters] == ["scalar", "ndarray", "ndarray"]
    with pytest.raises(TypeError, match=r"a Function is created by taichi_aot.function\(\)"):
        Function()


def test_functions_use_the_default_runtime(saxpy, arch):
    saxpy(2.0, X, X)
    runtime = taichi_aot.default_runtime(arch)
    assert runtime is taichi_aot.default_runtime(str(arch), 0)
    array, closed = runtime.asarray(X), runtime.asarray(X)
    closed.close()
    with pytest.raises(ValueError, match=r"saxpy\(\) parameter 'x': the array is closed"):
        saxpy(2.0, closed, X)
    runtime.close()
    with pytest.raises(ValueError, match=r"saxpy\(\) parameter 'x': the runtime of the array is closed"):
        saxpy(2.0, array, X)
    assert saxpy(2.0, X, X).tolist() == [3, 6, 9, 12, 15]
    assert taichi_aot.default_runtime(arch) is not runtime


def test_arrays_are_reused_by_shape(saxpy, arch, monkeypatch):
    monkeypatch.setattr(arrays, "LARGE", 1 << 40)
    saxpy(2.0, X, X)
    before = taichi_aot.object_counts()["memories"]
    for _ in range(10):
        saxpy(2.0, X, X)
    assert taichi_aot.object_counts()["memories"] == before
    for size in range(1, 200):
        ones = np.ones(size, np.float32)
        assert saxpy(2.0, ones, ones).tolist() == [3] * size
    assert taichi_aot.object_counts()["memories"] <= before + arrays.MOST_ARRAYS
    monkeypatch.setattr(arrays, "MOST_BYTES", 0)
    saxpy(2.0, X, X)
    assert taichi_aot.object_counts()["memories"] <= before + arrays.MOST_ARRAYS


def test_host_memory_is_used_without_a_copy(kernels, arch, monkeypatch):
    if not arch.is_cpu:
        pytest.skip("the device cannot use host memory")
    monkeypatch.setattr(arrays, "LARGE", 0)
    monkeypatch.setattr("taichi_aot.backends._llvm.PooledMemory.write", lambda *args, **_: pytest.fail("it was copied"))
    assert is_on_host(arch)
    assert function(kernels, "total", arch=arch)(X) == 15
    monkeypatch.setattr("taichi_aot.backends._llvm.MANY_IMPORTS", 0)
    with pytest.raises(pytest.fail.Exception, match="it was copied"):
        function(kernels, "total", arch=arch)(X)
