"""Use fields in signal handlers, after Ctrl-C at any bytecode, and in threads; each in a child process."""

import sys
from contextlib import suppress

import numpy as np
import pytest
from helpers.child import in_child
from helpers.objects import assert_nothing_left
from helpers.threads import run_together
from helpers.tracing import at_each_bytecode, at_every_bytecode, interrupt

from taichi_aot import Runtime


@pytest.fixture
def source(arch, build_source):
    return build_source("simulation", arch)


def operations(module, source):
    """Return a call of every field operation; ``v`` holds ones before and after."""
    v, ones = module.fields["v"], np.ones((4, 4, 3), np.float32)
    array, out = module.runtime.full((4, 4), 1.0, "f32", 3), np.empty((4, 4, 3), np.float32)

    def load():
        loaded = module.runtime.load_module(source)
        assert loaded.fields.v.shape == (4, 4)
        loaded.close()

    return {
        "write": lambda: v.write(ones),
        "to_numpy": v.to_numpy,
        "to_numpy(out)": lambda: v.to_numpy(out),
        "numpy": lambda: np.asarray(v),
        "fill": lambda: v.fill(1),
        "copy_to": lambda: v.copy_to(array),
        "copy_from": lambda: v.copy_from(array),
        "load": load,
    }


@pytest.mark.slow(but="x64")
@in_child
def test_fields_are_used_at_every_bytecode(arch, source):
    with Runtime(arch) as rt:
        module = rt.load_module(source)
        v, steps = module.fields["v"], module.fields["steps"]
        v.fill(1)
        steps.fill(7)

        def use():
            with suppress(RuntimeError):  # refused inside another call
                assert steps.to_numpy() == 7

        for name, operation in operations(module, source).items():
            print(name, flush=True)
            with at_every_bytecode(use):
                operation()
        assert (v.to_numpy() == 1).all()


@pytest.mark.slow
@in_child
def test_interrupted_calls_of_fields_leave_nothing(arch, source):
    sys.unraisablehook = lambda _: None  # finalizers may be interrupted too
    rt = Runtime(arch)
    module = rt.load_module(source)
    v = module.fields["v"]
    v.fill(1)
    calls = operations(module, source)
    for name, operation in calls.items():
        print(name, flush=True)
        for _ in at_each_bytecode(operation, interrupt, at_most=500):
            pass
        operation()
    assert (v.to_numpy() == 1).all()
    rt.close()
    del module, v, calls, operation
    assert_nothing_left()


@pytest.mark.slow(but="x64")
@in_child
def test_threads_use_one_field(arch, source):
    """Read and write a field in threads: a read sees exactly one write, because one launch copies the whole field."""
    with Runtime(arch) as rt:
        module = rt.load_module(source)
        v, steps = module.fields["v"], module.fields["steps"]

        def write(value):
            for _ in range(100):
                v.write(np.full((4, 4, 3), value, np.float32))
                v.fill(value + 1)

        def read():
            for _ in range(100):
                assert len(np.unique(v.to_numpy())) == 1

        def count():
            for i in range(100):
                steps.write(i)
                assert steps.to_numpy() == i

        run_together(lambda: write(10), lambda: write(20), read, read, count)
