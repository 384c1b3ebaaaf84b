"""Functions between processes with different versions of the package."""

import pickle

import numpy as np
import pytest

import taichi_aot


@pytest.fixture
def saxpy(compiled):
    return taichi_aot.function(compiled("x64") / "basic.tcm", "saxpy", out="y", arch="x64")


def test_function_of_another_version_is_refused_on_call(saxpy, monkeypatch):
    own = taichi_aot.__version__
    data = pickle.dumps(saxpy)
    monkeypatch.setattr(taichi_aot, "__version__", "0.0.1")
    foreign = pickle.loads(data)
    with pytest.raises(RuntimeError, match=rf"saxpy\(\) was pickled by taichi_aot {own}, and this process has 0\.0\.1"):
        foreign(2.0, np.ones(3, np.float32), np.ones(3, np.float32))


def test_function_passes_through_a_process_of_another_version(saxpy, monkeypatch):
    """Dask's scheduler unpickles functions and pickles them again."""
    data = pickle.dumps(saxpy)
    with monkeypatch.context() as context:
        context.setattr(taichi_aot, "__version__", "0.0.1")
        data = pickle.dumps(pickle.loads(data))
    assert pickle.loads(data) is saxpy
