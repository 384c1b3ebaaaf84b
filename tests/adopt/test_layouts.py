"""Plans for CUDA place arguments where the code reads them, in the layout that ctypes gives to the code's struct."""

import ctypes
import re

import pytest
from helpers.child import TESTS
from helpers.plans import lowered, plans_of

from taichi_aot.adopt.taichi._plans import UNKNOWN_LAYOUT, ArgumentKind
from taichi_aot.lowering.plans._kernel_plans import Dispatch, of_graph

SOURCES = ["loop_kernels", "length_kernels", "generated"]
NUMBERS = {
    "i1": ctypes.c_bool,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "half": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "float": ctypes.c_float,
    "i64": ctypes.c_int64,
    "double": ctypes.c_double,
}
INNERMOST = re.compile(r"\{ ([^{}*]*) \}|\w+\*")


def struct_of(text):
    """Make a ctypes class, with members m0, m1 and so on, from a struct in LLVM syntax."""
    types = dict(NUMBERS)
    while match := INNERMOST.search(text):
        name = f"t{len(types)}"
        if match[1] is None:
            types[name] = ctypes.c_void_p
        else:
            fields = [(f"m{i}", types[member]) for i, member in enumerate(match[1].split(", "))]
            types[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
        text = text.replace(match[0], name)
    return types[text]


def structs_in(code):
    """Return the argument structs in the code of a kernel."""
    stated = set(re.findall(r"bitcast i8\*\* %[\w.]+ to (\{.*\})\*\*$", code.decode(), re.MULTILINE))
    return [struct_of(text) for text in sorted(stated)]


def check_argument(argument, parameter, struct):
    member = getattr(struct, f"m{argument.source}")
    if argument.kind is ArgumentKind.VALUE:
        assert (argument.offset, argument.size) == (member.offset, member.size)
        return
    type_ = dict(struct._fields_)[f"m{argument.source}"]
    if argument.kind is ArgumentKind.WORDS:
        assert (argument.offset, argument.size) == (member.offset, min(128, -(-member.size // 4) * 4))
    elif argument.kind is ArgumentKind.ARRAY:
        assert argument.offset == member.offset + type_.m0.offset
        assert argument.size == parameter.ndim
        assert type_.m0.size == 4 * max(1, parameter.ndim)
    else:
        assert (argument.offset, argument.size) == (member.offset + type_.m1.offset, type_.m1.size)


@pytest.mark.slow(but="loop_kernels")
@pytest.mark.parametrize("source", SOURCES)
def test_arguments_lie_where_the_code_reads_them(planned, source):
    kernels, plans, files = planned(source, "cuda")
    checked = 0
    for name, plan in plans.items():
        if isinstance(plan, str):
            continue
        parameters = kernels[name].signature.parameters
        assert {argument.source for argument in plan.arguments} >= set(range(len(parameters)))
        for struct in structs_in(files[f"{name}.ll"]):
            for argument in plan.arguments:
                if argument.source < len(parameters):
                    check_argument(argument, parameters[argument.source], struct)
                    checked += 1
            assert plan.argument_bytes % 8 == 0
            assert max(getattr(struct, field).offset for field, _ in struct._fields_) < plan.argument_bytes
    assert checked > 20


@pytest.mark.slow
def test_results_are_an_array_whose_address_the_code_reads(planned):
    checked = 0
    for source in SOURCES:
        kernels, plans, files = planned(source, "cuda")
        for name, plan in plans.items():
            if isinstance(plan, Dispatch) and kernels[name].return_dtype is not None:
                shape, address = plan.arguments[-2:]
                assert (shape.kind, shape.size, address.kind) == (ArgumentKind.ARRAY, 1, ArgumentKind.ADDRESS)
                offsets = re.findall(rb"%taichi_aot\S* = getelementptr i8, i8\* \S+, i64 (\d+)", files[f"{name}.ll"])
                assert set(map(int, offsets)) == {address.offset}
                assert shape.offset == address.offset - 8
                checked += 1
    assert checked > 5


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES)
def test_tasks_match_the_metadata(planned, source):
    kernels, plans, files = planned(source, "cuda")
    for name, plan in plans.items():
        if isinstance(plan, Dispatch):
            for task, info in zip(plan.tasks, kernels[name].tasks, strict=True):
                assert (task.groups, task.block, task.shared, task.code) == (info.grid, info.block, 0, b"")
                assert f"define void @{task.name}(".encode() in files[f"{name}.ll"]


@pytest.mark.slow
def test_kernels_without_a_plan_have_a_reason(planned, build_source):
    _, kinds, _ = planned(TESTS / "build" / "kinds.py", "cuda")
    reasons = {name: plan for name, plan in kinds.items() if isinstance(plan, str)}
    assert reasons == {
        "takes_pack": "a parameter of kind argpack",
        "takes_packs_of_arrays": "a parameter of kind argpack",
        "takes_struct": "a parameter of kind struct",
        "with_gradient": "a gradient",
    }
    kernels, sparse, _ = planned("sparse_kernels", "cuda")
    assert sparse["activate"] == "cells of a sparse field (dynamic, pointer)"
    assert sparse["count_cells"] == "a loop over cells of a sparse field (bitmasked, dynamic, pointer)"
    assert sparse["deactivate"] == "deactivated cells of a sparse field (bitmasked, dynamic, pointer)"
    assert all(kernels[name].uses_fields for name in sparse)
    for name in ("quant_int", "quant_float", "quant_array", "later"):
        assert isinstance(sparse[f"taichi_aot_set_{name}"], Dispatch)
    module = lowered(build_source("loop_kernels", "x64"))
    assert set(plans_of(module).values()) == {"the module has no machine code"}


@pytest.mark.slow
def test_graphs_pass_their_own_arguments(build_source):
    module = lowered(build_source(TESTS / "build" / "kinds.py", "cuda"))
    plans = plans_of(module)
    plan, count = plans["large"], len(module.info.all_kernels["large"].signature.parameters)
    given = [f"argument{i}" for i in range(count)]
    overflow = max(argument.source for argument in plan.arguments) + 1 - count
    names = [*(f"argument0#{i + 1}" for i in range(overflow)), "another", *reversed(given)]
    assert overflow > 0
    (dispatch,) = of_graph([("large", given)], module.info, names, plans)
    for before, after in zip(plan.arguments, dispatch.arguments, strict=True):
        assert before[1:] == after[1:]
        if before.source < count:
            assert names[after.source] == given[before.source]
        else:
            assert names[after.source] == f"argument0#{before.source - count + 1}"
    assert dispatch.tasks == plan.tasks
    assert of_graph([("large", given), ("takes_pack", [])], module.info, names, plans) == (
        "kernel takes_pack: a parameter of kind argpack"
    )


@pytest.fixture
def loops(build_source):
    return lowered(build_source("loop_kernels", "cuda"))


def plan_with(module, name, pattern, replacement):
    """Return the plan of a kernel after a change of its code."""
    code, count = re.subn(pattern, replacement, module.files[f"{name}.ll"], flags=re.MULTILINE)
    assert count, pattern
    return plans_of(module, {f"{name}.ll": code})[name]


@pytest.mark.parametrize(
    ("pattern", "replacement", "reason"),
    [
        (rb"(= type \{ i8\*, %struct.LLVMRuntime[.\d]*\*, i32), i64\* \}", rb"\1, i32, i64* }", "an unknown context"),
        (rb" byval\(%struct.RuntimeContext[.\d]*\) %context", rb" %context", "an unknown context"),
        (rb"\{ i32, \{ \{ i32 \}, i32\* \} \}", rb"{ { { i32 }, i32* }, i32 }", UNKNOWN_LAYOUT),
        (rb"\{ i32, \{ \{ i32 \}, i32\* \} \}", rb"{ i64, { { i32 }, i32* } }", UNKNOWN_LAYOUT),
        (rb"\{ i32, \{ \{ i32 \}, i32\* \} \}", rb"<{ i32, { { i32 }, i32* } }>", UNKNOWN_LAYOUT),
        (rb"bitcast i8\*\* %0 to .*", rb"bitcast i8** %0 to i8**", UNKNOWN_LAYOUT),
        (rb"_kernel_1_range_for\(", rb"_kernel_1_other(", "an unknown context"),
        (rb"^(body: .*)$", rb"\1\n  call void @Pointer_activate()", "cells of a sparse field (pointer)"),
    ],
)
def test_unknown_code_has_no_plan(loops, pattern, replacement, reason):
    assert plan_with(loops, "scalar", pattern, replacement) == reason


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (rb"^  %48 = mul nsw i32 %46, %47$", rb"  %48 = mul nsw i32 %46, 8"),  # another loop of the runtime
        (rb"^(body: .*)$", rb"\1\n  %grid = call i32 @grid_dim()"),
        (rb"^(body: .*)$", rb"\1\n  %grid = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()"),
        (rb"get_temporary_pointer\((.*), i64 0\)", rb"get_temporary_pointer(\1, i64 %4)"),
        (
            rb"^  store i32 %4, i32\* %7, align 4$",
            rb"  store i32 %4, i32* %7, align 4\n  store i32 %4, i32* %7, align 4",
        ),
        (rb"^  store i32 %4, i32\* %7, align 4$", rb"  call void @other(i32* %7)\n  store i32 %4, i32* %7, align 4"),
        (rb"^  store i32 %4, i32\* %7, align 4$", rb"  store i32 %5, i32* %7, align 4"),
        (rb"^  br label %body$", rb"  br i1 %x, label %body, label %final"),
    ],
)
def test_code_that_may_depend_on_the_grid_or_change_the_range_has_no_length(loops, pattern, replacement):
    assert plans_of(loops)["scalar"].tasks[1].length
    plan = plan_with(loops, "scalar", pattern, replacement)
    assert plan.tasks[1].length == ()
    assert plan.arguments == plans_of(loops)["scalar"].arguments
