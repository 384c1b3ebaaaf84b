"""Loops of kernels of Quadrants that compute several elements at once: the bits of scalar code and of its own JIT."""

import numpy as np
import pytest
from helpers import quadrants_loops as loops
from helpers.archs import needs_quadrants
from helpers.carry import BODIES
from helpers.child import run_child
from helpers.native_calls import load_for, targets_here

from taichi_aot import Runtime, inspect
from taichi_aot.build import build

pytestmark = [needs_quadrants, pytest.mark.skipif(not targets_here(), reason="needs an x86-64 CPU")]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("loops") / "loops.py"
    loops.write_source(path)
    return path


@pytest.fixture(scope="module")
def vectors(source):
    return build(source, source.with_name("vectors.tcm"), archs=["x64"]).path


@pytest.fixture(scope="module")
def exact(source):
    return build(source, source.with_name("exact.tcm"), archs=["x64"], math="exact").path


@pytest.fixture(scope="module")
def given(vectors):
    return loops.arguments(inspect(vectors).kernels)


def call_on(target, path, given):
    """Call the code that a module has for a kind of CPU; return what it leaves."""
    with Runtime("x64") as rt:
        module = load_for(rt, path, target)
        fields = {name: (each.to_numpy, each.write) for name, each in module.fields.items()}
        return loops.call_all(module.kernels, dict(sorted(fields.items())), given)


def compare(found, expected):
    assert found.keys() == expected.keys()
    for name, value in found.items():
        if name in loops.SUMS:
            np.testing.assert_allclose(value, expected[name], rtol=1e-4, err_msg=name)
        else:
            np.testing.assert_array_equal(value, expected[name], name)


def test_tasks_say_whether_their_loops_are_vectors(vectors):
    kernels = inspect(vectors).kernels
    found = {name: {task.loop for task in kernel.tasks} - {""} for name, kernel in kernels.items()}
    assert found == {name: {kernel.doc} - {""} for name, kernel in kernels.items()}


def test_vectors_have_the_same_bits_on_all_cpus(vectors, given):
    first, *others = [call_on(target, vectors, given) for target in targets_here()]
    for each in others:
        compare(each, first)


def test_exact_vectors_have_the_bits_of_the_jit(source, exact, given):
    named, out = source.with_name("given.npz"), source.with_name("jit.npz")
    np.savez(named, **given)
    done = run_child(loops.__file__, str(source), str(named), str(out), timeout=300)
    assert done.returncode == 0, done.stderr
    with np.load(out) as file:
        expected = dict(file)
    compare(call_on(targets_here()[-1], exact, given), expected)  # the JIT orders the terms of sums as this CPU likes


def test_loops_over_the_arrays_of_a_dataclass_are_vectors(tmp_path):
    kernels = inspect(build(BODIES, tmp_path / "bodies.tcm", archs=["x64"]).path).kernels
    assert {name: [task.loop for task in kernel.tasks] for name, kernel in kernels.items()} == {
        "push": ["", "vectors"],
        "step": ["", "vectors"],
    }
