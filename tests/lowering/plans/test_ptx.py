"""What ``ptx.json`` states of loops is what the code of the kernels shows."""

import pytest
from helpers.plans import lowered, plans_of, ptx_plans

from taichi_aot import inspect


def names_with_ptx(path):
    info = inspect(path)
    return [name for name in info.all_kernels if name not in info.not_ptx]


@pytest.mark.slow(but="length_kernels")
@pytest.mark.parametrize(
    "source", ["length_kernels", "loop_kernels", "ptx_kernels", "kept_kernels", "field_kernels", "stencil_kernels"]
)
def test_stated_lengths_are_those_of_the_code(build_source, source):
    path = build_source(source, "cuda")
    stated, found = ptx_plans(path), plans_of(lowered(path))
    compared = 0
    for name in names_with_ptx(path):
        if not isinstance(found[name], str):
            assert [task[1:5] for task in stated[name].tasks] == [task[1:5] for task in found[name].tasks]
            assert [task.shared for task in stated[name].tasks] == [task.shared for task in found[name].tasks]
            compared += any(task.length for task in stated[name].tasks)
    assert compared


def test_plans_do_not_read_the_code(build_source):
    path = build_source("length_kernels", "cuda")
    plans, names = ptx_plans(path, with_code=False), names_with_ptx(path)
    assert names
    assert all(plans[name].tasks for name in names)
