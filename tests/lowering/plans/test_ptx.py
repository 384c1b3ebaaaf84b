"""What ``ptx.json`` states of loops is what the code of the kernels shows."""

import pytest

from taichi_aot.formats._read import read_module
from taichi_aot.lowering._lower import lower
from taichi_aot.lowering.plans._kernel_plans import KernelPlans
from taichi_aot.lowering.plans._ptx import PtxPlans


@pytest.mark.slow(but="length_kernels")
@pytest.mark.parametrize(
    "source", ["length_kernels", "loop_kernels", "ptx_kernels", "kept_kernels", "field_kernels", "stencil_kernels"]
)
def test_stated_lengths_are_those_of_the_code(build_source, source):
    module = read_module(build_source(source, "cuda"))
    stated, found = PtxPlans(module, module.ptx), KernelPlans(lower(module))
    compared = 0
    for name in module.ptx.kernels:
        if not isinstance(found[name], str):
            assert [task[1:5] for task in stated[name].tasks] == [task[1:5] for task in found[name].tasks]
            assert [task.shared for task in stated[name].tasks] == [task.shared for task in found[name].tasks]
            compared += any(task.length for task in stated[name].tasks)
    assert compared


def test_plans_do_not_read_the_code(build_source):
    module = read_module(build_source("length_kernels", "cuda"))
    plans = PtxPlans(module._replace(files=module.files.only([])), module.ptx)
    assert all(plans[name].tasks for name in module.ptx.kernels)
