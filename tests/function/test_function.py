"""`taichi_aot.function`: numpy in, numpy out."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import taichi_aot
from taichi_aot import Arch, Function, function

X = np.arange(1, 6, dtype=np.float32)


@pytest.fixture
def source(compiled: Callable[[str], Path], arch: Arch) -> Path:
    return compiled(str(arch)) / "basic.tcm"


@pytest.fixture
def saxpy(source: Path, arch: Arch) -> Function:
    return function(source, "saxpy", out="y", arch=arch)


def test_result_is_new_and_arguments_stay(saxpy: Function) -> None:
    y = np.ones(5, np.float32)
    result = saxpy(2.0, X, y)
    assert result.tolist() == [3, 5, 7, 9, 11]
    assert y.tolist() == [1] * 5
    other = saxpy(a=2.0, y=y, x=X)
    assert other.tolist() == result.tolist()
    assert not np.shares_memory(other, result)


def test_missing_result_is_made_like_another_array(source: Path, arch: Arch) -> None:
    f = function(source, "saxpy", out={"y": "x"}, arch=arch)
    assert f(2.0, X).tolist() == [2, 4, 6, 8, 10]
    assert f(2.0, X, X).tolist() == [3, 6, 9, 12, 15]
    assert f(2.0, x=X).tolist() == [2, 4, 6, 8, 10]
    assert str(inspect.signature(f)) == ("(a: float, x: numpy.ndarray, y: numpy.ndarray = <made by the function>)")


def test_pickled_function_is_equal_and_does_the_same(saxpy: Function) -> None:
    travelled = pickle.loads(pickle.dumps(saxpy))
    assert travelled == saxpy
    assert hash(travelled) == hash(saxpy)
    assert travelled(2.0, X, X).tolist() == saxpy(2.0, X, X).tolist()
    assert copy.deepcopy(saxpy) == saxpy


def test_equal_contents_make_equal_functions(source: Path, arch: Arch, saxpy: Function) -> None:
    again = function(source.read_bytes(), "saxpy", out=["y"], arch=arch)
    assert again == saxpy
    assert again.__dask_tokenize__() == saxpy.__dask_tokenize__()
    assert function(source, "saxpy", out="x", arch=arch) != saxpy
    assert function(source, "saxpy", out="y") != saxpy


def test_functions_use_the_default_runtime(saxpy: Function, arch: Arch) -> None:
    saxpy(2.0, X, X)
    runtime = taichi_aot.default_runtime(arch)
    assert runtime is taichi_aot.default_runtime(str(arch), 0)
    runtime.close()
    assert saxpy(2.0, X, X).tolist() == [3, 6, 9, 12, 15]
    assert taichi_aot.default_runtime(arch) is not runtime
