"""Change and copy objects, initialize them twice or not at all."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from helpers.raising import assert_raises

import taichi_aot
from scenarios import ArchName
from scenarios.objects import make
from taichi_aot import Runtime, object_counts


def copy_the_base_of_a_view(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    with things.x.map() as view:
        base: Any = view
        while isinstance(base, np.ndarray):
            base = base.base
        for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
            assert_raises(TypeError, partial(attempt, base))
    del base, view
    things.x.close()


def initialize_twice(arch: ArchName, module: str) -> None:
    """Initialize objects twice: it raises or does nothing."""
    things = make(arch, module)
    rt, x = things.rt, things.x
    launch = things.kernel.bind(1.0, x, things.y)
    with x.map() as view:
        before = object_counts()
        with suppress(TypeError, RuntimeError):
            x.__init__(rt, 100, "f32")  # type: ignore[misc]
        with suppress(TypeError, RuntimeError):
            rt.__init__(arch)  # type: ignore[misc]
        assert object_counts() == before
        rt.full(100, 1000.0, "f32")
        assert (view == 1).all()
    launch()
    assert things.y.to_numpy()[0] == 4
    assert x.to_numpy().tolist() == [1] * 100


def use_without_initialization(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    uses: list[Callable[[Any], object]] = [
        repr,
        len,
        np.asarray,
        lambda thing: things.kernel(1.0, thing, things.y),
        lambda thing: things.kernel.bind(1.0, things.x, thing),
        things.x.copy_from,
        things.memory.copy_from,
        lambda thing: things.rt.sequence([thing]),
    ]
    for name in taichi_aot.__all__:
        cls = getattr(taichi_aot, name)
        if not isinstance(cls, type) or issubclass(cls, (int, BaseException)):
            continue
        with suppress(TypeError):
            thing = cls.__new__(cls)
            for attribute in dir(cls):
                with suppress(Exception):
                    getattr(thing, attribute)()
            for use in uses:
                with suppress(Exception):
                    use(thing)
            del thing
            gc.collect()
    with Runtime(arch) as other:
        assert other.full(3, 1.0).to_numpy().sum() == 3
    things.kernel(1.0, things.x, things.y)
    assert things.y.to_numpy()[0] == 4
