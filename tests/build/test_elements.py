"""Loops over elements on Vulkan: with simpler indices, several iterations at a time, and any number of threads."""

import numpy as np
import pytest
from helpers.archs import needs_taichi, on_vulkan
from helpers.inside import divisions_in_loops
from helpers.shaders import codes_of, require_valid, shaders_of, with_first_codes

from taichi_aot import Runtime

pytestmark = needs_taichi

SOURCE = "element_kernels"
LINE, PLANE = (1999,), (37, 91)
# The arguments of each kernel: numbers, and shapes of arrays.
CALLS = {
    "line": (LINE, LINE),
    "plane": (PLANE, PLANE),
    "space": ((11, 13, 17),),
    "inner": (5, PLANE),
    "below_zero": (4, (13, 7)),
    "floors": (600, LINE),
    "field_plane": (7,),
    "chosen": (3, LINE, LINE),
    "stopping": (9, LINE),
    "shifted": (LINE, LINE),
    "after_serial": (LINE, PLANE),
    "guarded": (7, 0, LINE),
    "up_to_the_last": ((1000,),),
    "pairs": (LINE, LINE),
}
DIVISIONS = {"line": 0, "plane": 1, "space": 2, "inner": 1, "field_plane": 0, "chosen": 0}  # an iteration, at most
LAST = 2**31 - 1
RANGES = [
    (0, 5000),
    (3, 3),
    (7, -7),
    (-2000, 3000),
    (LAST - 3000, LAST),
    (-LAST - 1, -LAST + 2000),
    (LAST, 0),
    (LAST - 1, LAST),
]


@pytest.fixture(scope="module")
def modules(build_source, tmp_path_factory):
    """The module for Vulkan, the same with the first codes of all tasks, and in SPIR-V 1.0 with these."""
    folder = tmp_path_factory.mktemp("first")
    built, early = build_source(SOURCE, "vulkan"), build_source(SOURCE, "vulkan", caps=("spirv_version=1.0",))
    return built, with_first_codes(built, folder / "first.tcm"), with_first_codes(early, folder / "early.tcm")


def arrays(runtime, kernel, shapes):
    dice = np.random.default_rng(3)
    made = []
    for parameter, each in zip(kernel.signature.parameters, shapes, strict=True):
        if isinstance(each, tuple):
            numbers = dice.integers(0, 9, each)
            each = runtime.asarray(numbers.astype(np.float32 if str(parameter.dtype) == "f32" else np.int32))
        made.append(each)
    return made


def results(path, arch, calls):
    found = {}
    with Runtime(arch) as runtime:
        module = runtime.load_module(path)
        for name, shapes in calls.items():
            kernel = module.kernels[name]
            arguments = arrays(runtime, kernel, shapes)
            kernel(*arguments)
            found[name] = [each.to_numpy() for each in arguments if not isinstance(each, int)]
        found["table"] = [module.fields["table"].to_numpy()]
    return found


@on_vulkan
@pytest.mark.parametrize("which", [0, 1, 2], ids=["picked", "first", "early"])
def test_results_are_those_of_the_cpu(arch, modules, build_source, which):
    found = results(modules[which], arch, CALLS)
    wanted = results(build_source(SOURCE, "x64"), "x64", CALLS)
    for name in wanted:
        for own, other in zip(found[name], wanted[name], strict=True):
            same = np.allclose(own, other, rtol=1e-6) if own.dtype.kind == "f" else np.array_equal(own, other)
            assert same, name


@on_vulkan
@pytest.mark.parametrize("which", [0, 1], ids=["picked", "first"])
def test_each_index_is_visited_once_up_to_the_largest(arch, modules, which):
    with Runtime(arch) as runtime:
        counted = runtime.load_module(modules[which]).kernels["counted"]
        for begin, end in RANGES:
            visits = runtime.asarray(np.zeros(4096, np.int32))
            counted(begin, end, visits)
            wanted = np.bincount(np.arange(max(end - begin, 0)) % 4096, minlength=4096)
            assert np.array_equal(visits.to_numpy(), wanted), (begin, end)


@on_vulkan
def test_arrays_may_be_one(arch, modules):
    """Code that takes what it reads for constant is only for different arrays."""
    task, codes = next(item for item in codes_of(modules[0]).items() if item[0].startswith("line_"))
    assert [bool(code.get("apart")) for code in codes] == [True, False], task
    with Runtime(arch) as runtime:
        x = runtime.asarray(np.arange(2000, dtype=np.int32))
        runtime.load_module(modules[0]).kernels["line"](x, x)
        assert np.array_equal(x.to_numpy(), 4 * np.arange(2000))


@on_vulkan
def test_inner_loops_end_no_earlier(arch, modules):
    """Mesa's devices on CPUs do 65,535 iterations of a thread in all, so it must not get several long loops."""
    with Runtime(arch) as runtime:
        x = runtime.asarray(np.ones(1 << 15, np.int32))
        assert runtime.load_module(modules[0]).kernels["steps"](33_000, x) == (16_500 + 1) << 15


def test_codes_are_valid(modules):
    for code in (code for module in modules for code in shaders_of(module).values()):
        require_valid(code)


def test_divisions_are_by_all_sizes_but_one_or_in_front_of_the_loop(modules):
    shaders = shaders_of(modules[0])
    for task, codes in codes_of(modules[0]).items():
        if task.split("_c")[0] not in DIVISIONS:
            continue
        for code in codes:
            found = divisions_in_loops(shaders[code["file"]])
            iterations, divisions = (5, DIVISIONS[task.split("_c")[0]]) if code["threads"] == 3 else (1, 0)
            assert len(found) <= iterations * divisions, (code, found)


def test_simple_loops_do_several_iterations_at_a_time(modules):
    codes = codes_of(modules[0])
    several = {task.split("_c")[0] for task, each in codes.items() if any(code.get("threads") == 3 for code in each)}
    assert several >= {"line", "plane", "space", "field_plane", "shifted", "after_serial"}
    assert not several & {"pairs", "stopping"}
