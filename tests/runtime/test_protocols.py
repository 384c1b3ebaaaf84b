"""Public objects support repr, equality, hashes and weak references, and refuse copies."""

import copy
import gc
import pickle
import weakref
from contextlib import suppress
from functools import partial

import numpy as np
import pytest
from helpers.child import in_child
from helpers.objects import make
from helpers.raising import assert_raises

import taichi_aot
from taichi_aot import NdArray, Runtime, object_counts


@pytest.fixture(params=["runtime", "memory", "array", "module", "kernel", "graph", "event", "timer"])
def thing(request, rt, module):
    return {
        "runtime": lambda: rt,
        "memory": lambda: rt.allocate(16),
        "array": lambda: rt.zeros((2, 3)),
        "module": lambda: module,
        "kernel": lambda: module.kernels["saxpy"],
        "graph": lambda: module.graphs["twice"],
        "event": rt.record_event,
        "timer": rt.timer,
    }[request.param]()


def test_repr_names_the_type_and_whether_it_is_closed(thing):
    assert type(thing).__name__ in repr(thing)
    assert "closed" not in repr(thing)
    if hasattr(thing, "close"):
        thing.close()
        assert repr(thing).startswith("<closed ")


def test_objects_compare_by_identity(thing):
    assert len({thing, thing}) == 1
    assert [thing].index(thing) == 0
    if not isinstance(thing, NdArray):  # tests/values/test_mistakes.py
        assert thing == thing
        assert thing != object()


def test_weak_references_work(thing):
    assert weakref.ref(thing)() is thing
    assert weakref.WeakKeyDictionary({thing: 1})[thing] == 1


def test_objects_cannot_be_copied(thing):
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=f"cannot pickle or copy an? {type(thing).__name__}"):
            attempt(thing)


def test_objects_refuse_new_attributes(thing):
    with pytest.raises(AttributeError):
        thing.shap = 3


def test_public_attributes_cannot_be_set(rt, module):
    kernel, array = module.kernels["saxpy"], rt.zeros(4)
    launch = kernel.bind(1.0, array, array)
    memory = rt.allocate(16)
    things = [rt, module, kernel, module.graphs["twice"], array, memory, memory[1:3], launch, rt.sequence([launch])]
    things += [rt.record_event(), rt.timer()]
    for thing in things:
        for name in dir(type(thing)):
            if name.startswith("_"):
                continue
            with pytest.raises(AttributeError):
                setattr(thing, name, None)


@pytest.mark.slow(but="vulkan*")
@in_child
def test_base_of_a_view_cannot_be_copied(arch, on_host, basic):
    things = make(arch, basic)
    with things.x.map() as view:
        base = view
        while isinstance(base, np.ndarray):
            base = base.base
        for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
            assert_raises(TypeError, partial(attempt, base))
    del base, view
    things.x.close()


@pytest.mark.slow(but="vulkan*")
@in_child
def test_initializing_twice_changes_nothing(arch, basic):
    """Initialize objects twice: it raises or does nothing."""
    things = make(arch, basic)
    rt, x = things.rt, things.x
    launch = things.kernel.bind(1.0, x, things.y)
    with x.map() as view:
        before = object_counts()
        with suppress(TypeError, RuntimeError):
            x.__init__(rt, 100, "f32")
        with suppress(TypeError, RuntimeError):
            rt.__init__(arch)
        assert object_counts() == before
        rt.full(100, 1000.0, "f32")
        assert (view == 1).all()
    launch()
    assert things.y.to_numpy()[0] == 4
    assert x.to_numpy().tolist() == [1] * 100


@pytest.mark.slow(but="vulkan*")
@in_child
def test_object_without_initialization_is_harmless(arch, basic):
    things = make(arch, basic)
    uses = [
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


def test_context_managers_close(rt, modules):
    for thing in (rt.allocate(16), rt.zeros(3), rt.load_module(modules / "basic.tcm")):
        with thing as entered:
            assert entered is thing
            assert not thing.closed
        assert thing.closed
        with pytest.raises(ValueError, match="cannot be entered again"), thing:
            pass


def test_exception_in_a_with_block_propagates(arch):
    with pytest.raises(ZeroDivisionError), taichi_aot.Runtime(arch) as rt, rt.zeros(3).map() as view:
        view[0] = 1 / 0
    assert rt.closed


@pytest.mark.parametrize("name", [name for name in taichi_aot.__all__ if name.endswith("Error")])
def test_errors_derive_from_builtins_and_have_a_code(name):
    error = getattr(taichi_aot, name)
    assert any(base.__module__ == "builtins" and base is not Exception for base in error.__mro__[1:-3]) or (
        error is taichi_aot.TaichiError
    )
    assert str(error("why")) == "why"
    if issubclass(error, taichi_aot.TaichiError) and error is not taichi_aot.TaichiError:
        assert error.code in taichi_aot.ErrorCode  # tests/values/test_errors.py compares them with the page
