"""Arrays of other libraries in many calls, and objects that die in every order."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from helpers.access import stating
from helpers.machine import resident_bytes
from helpers.raising import assert_raises

from taichi_aot import ComputeGraph, Kernel, Runtime, object_counts

N = 1000


def run(name: str, module: str, calls: str) -> None:
    framework = import_module(name)
    stay_flat(framework, module, int(calls))
    lose_the_array(framework, module)
    lose_the_runtime(framework, module)
    close_while_held(framework)


def made_by(framework: Any) -> Callable[[], Any]:
    """Return a function that makes an array of N ones in memory of the framework."""
    if framework.__name__ == "jax":
        # On the host, also beside a GPU. A copy takes a quarter of the time of `jax.numpy.ones`.
        ones = framework.device_put(np.ones(N, np.float32), framework.devices("cpu")[0])
        return lambda: ones.copy()
    dtype = framework.float32
    return lambda: framework.ones(N, dtype=dtype)


def view_of(framework: Any, ours: Any) -> Any:
    return (framework.numpy if framework.__name__ == "jax" else framework).from_dlpack(ours)


def load(module: str) -> tuple[Runtime, Kernel, ComputeGraph]:
    """Create a runtime, and load a kernel and a graph that state that they only read x."""
    rt = Runtime("x64")
    loaded = rt.load_module(module)
    return rt, stating(loaded.kernels["saxpy"], x="r", y="rw"), stating(loaded.graphs["twice"], x="r", y="rw")


def stay_flat(framework: Any, module: str, calls: int) -> None:
    """Use a new array in each call, and in graphs and updates after ten: neither arrays nor imports may remain."""
    rt, saxpy, twice = load(module)
    make, y, kept = made_by(framework), rt.zeros(N), rt.zeros(N)
    theirs = framework.ones(N, dtype=framework.float32) if framework.__name__ != "jax" else np.ones(N, np.float32)
    step = saxpy.bind(1.0, make(), y)

    def churn(count: int) -> None:
        for _ in range(count // 10):
            for _ in range(10):
                x = make()
                saxpy(1.0, x, y)
                saxpy(1.0, x, theirs)
            twice(0.5, make(), y)
            step.update(x=make())
            step()
            view_of(framework, kept)

    churn(calls // 4)
    gc.collect()
    before, counts = resident_bytes(), object_counts()
    churn(calls)
    gc.collect()
    assert object_counts() == counts
    assert resident_bytes() - before < 4_000_000
    tens = calls // 10 + calls // 40
    assert (y.to_numpy() == 12 * tens).all()
    assert float(theirs[0]) == float(theirs[N - 1]) == 1 + 10 * tens
    rt.close()


def lose_the_array(framework: Any, module: str) -> None:
    """Drop the framework's array first: a bound launch keeps it, and a call does not."""
    rt, saxpy, twice = load(module)
    x, y = made_by(framework)(), rt.zeros(N)
    alive = weakref.ref(x)
    saxpy(1.0, x, y)
    twice(1.0, x, y)
    step, both = saxpy.bind(1.0, x, y), twice.bind(1.0, x, y)
    sequence = rt.sequence([step, both])
    del x
    gc.collect()
    _junk = [np.full(N, 7, np.float32) for _ in range(100)]
    step()
    both()
    sequence(repeat=2)
    assert (y.to_numpy() == 3 + 3 + 6).all()
    del sequence, step, both
    gc.collect()
    assert alive() is None
    x = made_by(framework)()
    alive = weakref.ref(x)
    saxpy(1.0, x, y)
    saxpy(1.0, x, y)
    del x
    gc.collect()
    assert alive() is None
    rt.close()


def take_the_memory_away(name: str, module: str) -> None:
    """Give arrays other memory: what was made with their memory keeps it, and does not use the new one."""
    framework = import_module(name)
    rt, saxpy, _ = load(module)
    for take_away in TAKING_AWAY[name]:
        x, copies = made_by(framework)(), rt.zeros(N)
        can_change = name != "jax"
        y = framework.zeros(N, dtype=framework.float32) if can_change else np.zeros(N, np.float32)
        shared = [rt.from_dlpack(y), rt.import_memory(y).ndarray(N, np.float32)]
        steps = [saxpy.bind(1.0, x, y), saxpy.bind(1.0, y, copies)]
        sequence = rt.sequence(steps)
        for array in [x, y] if can_change else [x]:
            take_away(array)
        junk = [made_by(framework)() for _ in range(100)]
        for step in steps:
            step()
        sequence(repeat=2)
        rt.wait()
        assert (copies.to_numpy() == 1 + 2 + 3).all()
        assert all((each.to_numpy() == 3).all() for each in shared)
        if can_change:
            assert [float(x.sum()), float(y.sum())] in ([7 * N] * 2, [N, 3 * N])  # replaced, or refused
        assert all(float(each.sum()) == N for each in junk)
    rt.close()


def refuse_to_resize(array: Any) -> None:
    assert_raises(ValueError, partial(array.resize, 2 * N))


def set_data(tensor: Any) -> None:
    tensor.data = tensor.new_full((N,), 7)


TAKING_AWAY: dict[str, list[Callable[[Any], object]]] = {
    "jax": [lambda array: array.delete()],
    "numpy": [refuse_to_resize],
    "torch": [
        lambda tensor: tensor.set_(tensor.new_full((N,), 7)),
        lambda tensor: tensor.set_(tensor.new_full((N,), 7).untyped_storage(), 0, (N,)),
        set_data,
    ],
}


def lose_the_runtime(framework: Any, module: str) -> None:
    """Close the runtime first: the framework's arrays and views stay valid, and launches and our array raise."""
    rt, saxpy, twice = load(module)
    x, y, ours = made_by(framework)(), np.zeros(N, np.float32), rt.full(N, 7.0, "f32")
    view, step = view_of(framework, ours), saxpy.bind(1.0, x, y)
    saxpy(1.0, x, y)
    step()
    rt.close()
    assert_raises(ValueError, ours.to_numpy, step, partial(step.update, x=x))
    assert_raises(ValueError, *(partial(call, 1.0, x, y) for call in (saxpy, twice, saxpy.bind)))
    del rt, ours, saxpy, twice, step
    gc.collect()
    with Runtime("x64") as other:
        other.full(N, 9.0, "f32")
        assert float(view[0]) == float(view[N - 1]) == 7
    assert float(x[0]) == float(x[N - 1]) == 1
    assert (y == 2).all()


def close_while_held(framework: Any) -> None:
    rt = Runtime("x64")
    x = rt.full(N, 7.0, "f32")
    view = view_of(framework, x)
    assert_raises(BufferError, x.close)
    assert float(view[0]) == 7
    del view
    gc.collect()
    x.close()
    rt.close()
