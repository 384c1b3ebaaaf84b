"""Plans for CUDA place arguments where the code reads them, in the layout that ctypes gives to the code's struct."""

import ctypes
import re

import pytest

from taichi_aot.adopt.taichi._plans import ArgumentKind
from taichi_aot.bundle._info import LaunchInfo

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
        assert (argument.offset, -(-argument.size // 4)) == (member.offset, min(32, -(-member.size // 4)))
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
            assert plan.bytes % 8 == 0
            assert max(getattr(struct, field).offset for field, _ in struct._fields_) < plan.bytes
    assert checked > 20


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES)
def test_tasks_match_the_metadata(planned, source):
    kernels, plans, files = planned(source, "cuda")
    for name, plan in plans.items():
        if isinstance(plan, LaunchInfo):
            for task in plan.tasks:
                info = kernels[name].tasks[task.number]
                assert (task.name, task.shared) == (info.name, 0)
                assert task.fills or (task.groups, task.block) == (info.grid, info.block)  # else it has its own loop
                assert f"define void @{task.name}(".encode() in files[f"{name}.ll"]
