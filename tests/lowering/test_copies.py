"""The private copies of modules that the library is given."""

import re

import pytest

from taichi_aot import Arch
from taichi_aot.formats._llvm_ir import draws_random_numbers
from taichi_aot.formats._read import read_module
from taichi_aot.lowering._llvm_checks import Guards, Record, leave_failed_tasks, note_failures
from taichi_aot.lowering._llvm_patches import rename_tasks
from taichi_aot.lowering._lower import lower
from taichi_aot.values._signature import Words


@pytest.mark.parametrize("arch", ["x64", "vulkan"])
@pytest.mark.parametrize("name", ["kinds", "returns"])
def test_a_module_is_not_changed_by_its_copies(compiled, arch, name):
    module = read_module(compiled(arch) / f"{name}.tcm")
    before = repr(module.stated), dict(module.files)
    copies = [lower(module, words) for words in (Words.ALL, Words.SCALARS, Words.ALL)]
    assert (repr(module.stated), dict(module.files)) == before
    assert copies[0] == copies[2]
    assert copies[0].results
    assert not copies[1].results
    assert copies[0].files != copies[1].files != module.files


@pytest.mark.parametrize("arch", ["x64", "vulkan"])
def test_copies_have_the_same_kernels(compiled, arch):
    module = read_module(compiled(arch) / "kinds.tcm")
    copy = lower(module)
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
    symbols: dict[str, str] = {}
    renamed = rename_tasks([name], code, symbols)
    assert draws_random_numbers(renamed, symbols.get(name, name))
    assert set(symbols) == ({name} - {"plain"})


# Checks of indices and asserts.


@pytest.mark.slow(but="x64")
@pytest.mark.parametrize("target", ["x64", "cuda"])
def test_changed_code_is_valid(target, build_source):
    llvm = pytest.importorskip("llvmlite.binding")
    llvm.initialize_native_target()
    module = read_module(build_source("checked_kernels", target), target)
    for name, kernel in module.info.kernels.items():
        code = note_failures(module.files[f"{name}.ll"], Record(4096, 4104, 4108, 6160), 3)
        assert code is not None
        assert kernel.checked
        assert not re.search(rb"getelementptr inbounds %struct\.LLVMRuntime[^\n]*, i32 (19|2[012])\b", code)
        assert code.count(b"store i64 3, i64*") == 1
        if target == "x64":
            code = leave_failed_tasks(code, Guards(1, 2, 3))
            assert code.count(b"inttoptr (i64 3 to void ()*)") == 1
            assert code.count(b"inttoptr (i64 1 to void (void (") == len(kernel.tasks)
        llvm.parse_assembly(code.decode()).verify()


def test_code_that_is_not_understood_stays():
    code = b"%struct.LLVMRuntime = type { i8* }\n\ndefine void @taichi_assert_format() {\n  store i64 1, i64* %1\n}\n"
    assert note_failures(code, Record(1, 2, 3, 4), 1) is None
    assert leave_failed_tasks(code, Guards(1, 2, 3)) == code


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
    assert b"taichi_aot.failed" in leave_failed_tasks(CHECK, Guards(1, 2, 3))
    assert line in CHECK
    unknown = CHECK.replace(line, other)
    assert leave_failed_tasks(unknown, Guards(1, 2, 3)) == unknown
