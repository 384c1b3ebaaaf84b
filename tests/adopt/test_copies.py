"""The private copies of modules that the library is given, and what is read from LLVM code."""

import re

import pytest
from helpers.plans import parsed

from taichi_aot import Arch, IncompatibleModuleError
from taichi_aot.adopt._module import lower
from taichi_aot.adopt.llvm._copy import leave_failed_tasks, note_failures, rename_tasks, without_profiler
from taichi_aot.adopt.llvm._ir import cpu_threads, draws_random_numbers, facts_of, gradients, has_checks
from taichi_aot.build.code._native import CPU_CODE, needs_of_module
from taichi_aot.values._signature import Words


@pytest.mark.parametrize("arch", ["x64", "vulkan"])
def test_a_module_is_not_changed_by_its_copies(compiled, arch):
    module = parsed(compiled(arch) / "returns.tcm")
    before = repr(module.stated), dict(module.files)
    copies = [lower(module, words) for words in (Words.ALL, Words.NONE, Words.ALL)]
    assert (repr(module.stated), dict(module.files)) == before
    assert copies[0] == copies[2]
    assert copies[0].results
    assert not copies[1].results
    assert copies[0].files != copies[1].files != module.files


@pytest.mark.parametrize("arch", ["x64", "vulkan"])
def test_copies_have_the_same_kernels(compiled, arch):
    module = parsed(compiled(arch) / "kinds.tcm")
    before = repr(module.stated), dict(module.files)
    copy = lower(module)
    assert (repr(module.stated), dict(module.files)) == before
    assert copy.info is module.info
    assert copy.files.keys() == module.files.keys()
    kept = {name for name, data in copy.files.items() if data == module.files[name]}
    assert all(name in kept for name in copy.files if name.endswith(".spv"))
    assert (Arch.VULKAN in module.info.archs) == any(name.endswith(".spv") for name in copy.files)


CODE = b"""
define void @%b(%%struct.RuntimeContext* %%context) {
  %%1 = call i32 @rand_u32(%%struct.RuntimeContext* %%context)
  ret void
}
"""


@pytest.mark.parametrize(
    ("name", "spelled"), [("plain", b"plain"), ("größe", rb'"gr\C3\B6\C3\9Fe"'), ('a"b\\', rb'"a\22b\5C"')]
)
def test_names_that_code_spells_in_another_way_are_found(name, spelled):
    code = CODE % spelled
    assert draws_random_numbers(code, name)
    symbols = {}
    renamed = rename_tasks([name], code, symbols)
    assert draws_random_numbers(renamed, symbols.get(name, name))
    assert set(symbols) == ({name} - {"plain"})


# Checks of indices and asserts.

TOKENS = {
    "kernel": 4096,
    "lock": 4104,
    "message": 4108,
    "arguments": 6160,
    "task": 1,
    "part": 2,
    "leave": 3,
    "number": 7,
}


@pytest.mark.slow(but="x64")
@pytest.mark.parametrize("target", ["x64", "cuda"])
def test_changed_code_is_valid(target, build_source):
    llvm = pytest.importorskip("llvmlite.binding")
    llvm.initialize_native_target()
    module = parsed(build_source("checked_kernels", target))
    for name, kernel in module.info.kernels.items():
        code = note_failures(module.files[f"{name}.ll"], TOKENS)
        assert code is not None
        assert kernel.checked
        assert not re.search(rb"getelementptr inbounds %struct\.LLVMRuntime[^\n]*, i32 (19|2[012])\b", code)
        assert code.count(b"store i64 7, i64*") == 1
        if target == "x64":
            code = leave_failed_tasks(code, TOKENS)
            assert code.count(b"inttoptr (i64 3 to void ()*)") == 1
            assert code.count(b"inttoptr (i64 1 to void (void (") == len(kernel.tasks)
        llvm.parse_assembly(code.decode()).verify()


def test_code_that_is_not_understood_stays():
    code = b"%struct.LLVMRuntime = type { i8* }\n\ndefine void @taichi_assert_format() {\n  store i64 1, i64* %1\n}\n"
    assert note_failures(code, TOKENS) is None
    assert leave_failed_tasks(code, TOKENS) == code


CHECK = b"""define void @task(%struct.RuntimeContext* %context) {
  ret void
}

define internal void @taichi_assert_format(%struct.LLVMRuntime* %0) {
  %1 = load i1, i1* @passed
  br i1 %1, label %2, label %3

2:                                                ; preds = %0
  br label %4

3:                                                ; preds = %0
  br label %4

4:                                                ; preds = %2, %3
  ret void
}
"""


@pytest.mark.parametrize(
    ("line", "other"),
    [
        (b"  br i1 %1, label %2, label %3", b"  br label %3"),
        (b"  br i1 %1, label %2, label %3", b"  br i1 true, label %2, label %3"),
        (b"  br i1 %1, label %2, label %3", b"  br i1 %1, label %5, label %3"),
        (b"  br label %4\n\n3:", b"  store i64 1, i64* @code\n  br label %4\n\n3:"),
        (b"  br label %4\n\n4:", b"  ret void\n\n4:"),
    ],
)
def test_tasks_are_left_where_the_function_for_checks_is_understood(line, other):
    assert b"taichi_aot.failed" in leave_failed_tasks(CHECK, TOKENS)
    assert line in CHECK
    unknown = CHECK.replace(line, other)
    assert leave_failed_tasks(unknown, TOKENS) == unknown


# Forms of LLVM code that an optimizer may make: what is not understood is refused, not taken for something else.

MESSAGES = [b"i8* getelementptr inbounds ([9 x i8], [9 x i8]* @%d, i64 0, i64 0)" % i for i in (1, 2)]
CHECK_CALL = b"  call fastcc void @taichi_assert_format(%%struct.LLVMRuntime* %%6, i1 %%7, %s, i32 0, i64* %%8)\n"
PARALLEL = (
    b"  call void %s(i8* %%1, i32 noundef 16, i32 %s, i8* %%2, void (i8*, i32, i32)* @cpu_parallel_range_for_task)\n"
)
RUNTIME = b"%struct.LLVMRuntime.5, %struct.LLVMRuntime.5* %1"
X, Y = b"{ { i32 }, float*, float* }", b"{ { { i32 }, float*, float* }, { { i32 }, float*, float* }, i32 }"


def function(*lines):
    body = b"".join(b"  %s\n" % line for line in lines)
    return b'target triple = "x86_64-pc-linux-gnu"\ndefine void @f(i8* %%0) {\n%s  ret void\n}\n' % body


@pytest.mark.parametrize(
    "code",
    [
        CHECK_CALL % MESSAGES[0],
        b"  store %s, i8** %%1, align 8\n" % MESSAGES[0] + CHECK_CALL % b"i8* %1",
        b"  %%5 = select i1 %%4, %s, %s\n" % tuple(MESSAGES) + CHECK_CALL % b"i8* %5",
        b"  %%5 = phi i8* [ %s, %%3 ], [ %s, %%4 ]\n" % tuple(each[4:] for each in MESSAGES) + CHECK_CALL % b"i8* %5",
    ],
)
def test_checks_are_found_however_their_message_is_passed(code):
    assert has_checks(code)
    assert not has_checks(code.replace(b"@1", b"@.str.1").replace(b"@2", b"@.str.2"))


@pytest.mark.parametrize(
    ("callee", "count", "expected"), [(b"%12", b"noundef 8", 8), (b"%.pre", b"8", 8), (b'%"a b"', b"%3", None)]
)
def test_number_of_threads_is_that_of_the_call(callee, count, expected):
    assert cpu_threads(PARALLEL % (callee, count)) == expected


@pytest.mark.parametrize(
    ("lines", "trees"),
    [
        (["%2 = getelementptr inbounds RUNTIME, i64 0, i32 7, i64 3", "%3 = bitcast i8** %2 to [4 x i32]**"], (3,)),
        (
            ["%2 = getelementptr inbounds RUNTIME, i32 0, i32 7, i32 3", "%3 = load i8*, i8** %2, align 8, !tbaa !3"],
            (3,),
        ),
        (["%2 = getelementptr inbounds RUNTIME, i64 0, i32 7", "%3 = bitcast [512 x i8*]* %2 to i32**"], (0,)),
        (["%2 = getelementptr inbounds RUNTIME, i64 0, i32 7, !dbg !1"], (0,)),
        (["%2 = getelementptr inbounds RUNTIME, i64 0, i32 7, i64 %n"], None),
        (["%2 = getelementptr inbounds RUNTIME, i64 0, i32 7, i64 0", "%3 = getelementptr i8*, i8** %2, i64 2"], None),
        (
            [
                "%2 = getelementptr inbounds RUNTIME, i64 0, i32 7",
                "%3 = getelementptr [512 x i8*], [512 x i8*]* %2, i64 0, i64 2",
            ],
            None,
        ),
        (["%2 = getelementptr inbounds RUNTIME, i64 0, i32 7, i64 0", "%3 = bitcast i8** %2 to <2 x i8*>*"], None),
        (["%2 = getelementptr inbounds RUNTIME, i64 0, i32 70, i64 0"], ()),
        (["%2 = getelementptr RUNTIME, i64 0, i32 7, i64 3"], (3,)),
        (["%2 = getelementptr inbounds  RUNTIME, i64 1, i32 7, i64 3"], None),
        (["%2 = getelementptr inbounds RUNTIME, i64 0, i32 7, i64 3", "%3 = ptrtoint i8** %2 to i64"], None),
        (["%2 = getelementptr inbounds RUNTIME, i64 0, i32 7, i64 3", "%3 = unknown i8** %2"], None),
        (["%2 = load i8*, i8** getelementptr inbounds (RUNTIME, i64 0, i32 7, i64 3)"], None),
    ],
)
def test_fields_are_known_or_refused(lines, trees):
    code = function(*(line.encode().replace(b"RUNTIME", RUNTIME) for line in lines))
    if trees is None:
        with pytest.raises(IncompatibleModuleError, match=r"k\.ll: it finds the memory of fields in a way"):
            facts_of("k.ll", code)
    else:
        assert facts_of("k.ll", code).trees == trees


@pytest.mark.parametrize(
    ("lines", "used"),
    [
        ([b"%%2 = getelementptr %s, %s* %%1, i64 0, i32 1, i32 2" % (Y, Y)], {1}),
        (
            [
                b"%%2 = getelementptr %s, %s* %%1, i64 0, i32 1" % (Y, Y),
                b"%%3 = getelementptr %s, %s* %%2, i64 0, i32 2" % (X, X),
            ],
            {1},
        ),
        ([b"%%2 = getelementptr %s, %s* %%1, i64 0, i32 1, i32 1" % (Y, Y)], set()),
        # One of two arrays; the addresses of its numbers and of their gradients at once.
        (
            [
                b"%%2 = getelementptr %s, %s* %%1, i64 0, i32 0" % (Y, Y),
                b"%%3 = getelementptr %s, %s* %%1, i64 0, i32 1" % (Y, Y),
                b"%%4 = select i1 %%n, %s* %%2, %s* %%3" % (X, X),
                b"%%5 = getelementptr %s, %s* %%4, i64 0, i32 2" % (X, X),
            ],
            {0, 1},
        ),
        (
            [
                b"%%2 = getelementptr %s, %s* %%1, i64 0, i32 1, i32 1" % (Y, Y),
                b"%3 = bitcast float** %2 to <2 x float*>*",
            ],
            {1},
        ),
    ],
)
def test_gradients_that_may_be_used_count(lines, used):
    assert gradients(function(*lines)) == used


def test_failures_are_noted_by_the_code_alone(build_source):
    code = parsed(build_source("checked_kernels", "x64")).files["set_1d.ll"]
    other = code.replace(b"  store i64 1, i64* ", b"  store i64 1, i64* %other, align 8\n  store i64 1, i64* ")
    noted = note_failures(other, TOKENS)
    assert noted is not None
    assert noted.count(b"store i64 1, i64* %other") == noted.count(b"store i64 7, i64* ") == 1
    for member in (19, 20, 21, 22):
        line = re.search(rb"getelementptr inbounds %%struct\.LLVMRuntime[^\n]* i32 %d\b[^\n]*" % member, code)[0]
        noted = note_failures(code.replace(line, line.replace(b" inbounds", b"", 1) + b", !dbg !1"), TOKENS)
        assert re.search(rb"%%struct\.LLVMRuntime[^\n]*, i32 %d\b" % member, noted) is None
        assert noted.count(b", !dbg !1\n") == code.count(line)
        assert note_failures(code.replace(line, line.replace(b"* %", b"* %other, i64 %", 1)), TOKENS) is None


PROFILED = b"""define void @f(%struct.LLVMRuntime.5* %0) {
  ADDRESS = getelementptr inbounds %struct.LLVMRuntime.5, %struct.LLVMRuntime.5* %0, i64 0, i32 17METADATA
  CALLED = load void (i8*, i8*)*, void (i8*, i8*)** ADDRESS, align 8METADATA
  tail call void CALLED(i8* %1, i8* %2) #1METADATA
  store i32 1, i32* %10
  ret void
}
"""


@pytest.mark.parametrize("names", [(b"%1", b"%2"), (b"%.pre-a", b"%.pre"), (b'%"a b"', b"%.a")])
@pytest.mark.parametrize("metadata", [b"", b", !tbaa !4"])
def test_calls_of_the_profiler_are_left_out(names, metadata):
    code = PROFILED.replace(b"METADATA", metadata).replace(b"ADDRESS", names[0]).replace(b"CALLED", names[1])
    left = without_profiler(code)
    assert b"call void" not in left
    assert left.count(b"\n") == code.count(b"\n") - 1


FIRST_MEMBER = """define void @f(%struct.RuntimeContext* %context, i8*** %0) {
  %1 = bitcast %struct.RuntimeContext* %context to i8**"""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("@x = internal unnamed_addr global i32 0, align 4", "uses global variables"),
        ("@x = private global i32 0", "uses global variables"),
        ("@x = external constant i32", "uses global variables"),
        ("@x = thread_local constant i32 0", "uses global variables"),
        ("@x = private unnamed_addr constant i32 0, align 4", ""),
        (
            'define void @f() {\n  call void asm sideeffect inteldialect "nop", ""()\n  ret void\n}',
            "instructions of one kind of CPU",
        ),
        (
            "define void @f(<2 x double> %0) {\n  %2 = fptrunc <2 x double> %0 to <2 x half>\n  ret void\n}",
            "instructions of one kind of CPU",
        ),
        ("define void @f(i8* %getch.i128, i8* %.i128) {\n  ret void\n}", ""),
        ("define i128 @f() {\n  ret i128 0\n}", "instructions of one kind of CPU"),
        ("CONTEXT\n  %2 = load i8*, i8** %1\n  ret void\n}", ""),
        ("CONTEXT\n  %2 = getelementptr i8*, i8** %1, i64 1\n  ret void\n}", "way that is not understood"),
        ("CONTEXT\n  store i8** %1, i8*** %0\n  ret void\n}", "way that is not understood"),
    ],
)
def test_code_that_machine_code_cannot_have_stays_with_the_library(compiled, line, reason):
    module = parsed(compiled("x64") / "basic.tcm")
    assert "saxpy" not in needs_of_module(module, CPU_CODE)[1]
    line = line.replace("CONTEXT", FIRST_MEMBER)
    files = {**module.files, "saxpy.ll": module.files["saxpy.ll"] + f"\n{line}\n".encode()}
    refused = needs_of_module(module._replace(files=files), CPU_CODE)[1]
    assert reason in refused.get("saxpy", "")
    assert bool(reason) == ("saxpy" in refused)
