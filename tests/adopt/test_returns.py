"""Return values in module files: their layout, and code that is changed to store them elsewhere."""

import re
import struct

import numpy as np
import pytest
from helpers.archives import pack, read_archive
from helpers.plans import parsed
from helpers.scaling import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from taichi_aot import CorruptedDataError, DataType, inspect
from taichi_aot.adopt._module import lower
from taichi_aot.adopt.llvm._copy import return_through_array
from taichi_aot.adopt.taichi._types import (
    Member,
    Nothing,
    Pointer,
    Primitive,
    Struct,
    Tensor,
    laid_out,
    make_returns,
    return_dtype,
    return_layout,
    size_of,
)

F32, F64, I8, I64, U1 = (Primitive(int(DataType[name])) for name in ("F32", "F64", "I8", "I64", "U1"))


def struct_of(*members):
    """Make a struct of return values from pairs (offset, type)."""
    return Struct(tuple(Member(f"ret_{i}", offset, type_) for i, (offset, type_) in enumerate(members)))


def layout_of(types, size, family):
    return return_layout(types, size, return_dtype(types), family)


def plain(value):
    """Convert a numpy value to plain numbers, lists and tuples."""
    return tuple(map(plain, value)) if isinstance(value, tuple | np.record) else value.tolist()


@pytest.mark.parametrize(
    ("family", "types", "size", "raw", "value"),
    [
        ("llvm", struct_of((0, U1)), 1, b"\1\0\0\0", True),
        ("gfx", struct_of((0, U1)), 4, b"\0\0\1\0", True),
        ("gfx", struct_of((0, Tensor((3, 1), U1))), 12, struct.pack("<3i", 0, 1, -1), [False, True, True]),
        ("llvm", struct_of((0, Tensor((2, 2), F64))), 32, struct.pack("<4d", 1, 2, 3, 4), [[1, 2], [3, 4]]),
        ("llvm", struct_of((0, I8), (8, I64)), 16, struct.pack("<b7xq", -1, -2), (-1, -2)),
        ("gfx", struct_of((0, Struct((Member("p", 0, Tensor((2,), F32)), Member("q", 8, I8))))), 9,
         struct.pack("<2fb3x", 1, 2, 3), ([1, 2], 3)),
    ],
)  # fmt: skip
def test_layout(family, types, size, raw, value):
    layout = layout_of(types, size, family)
    assert layout.size == len(raw)
    got = layout.reader(np.frombuffer(raw, np.uint8))()
    assert plain(got) == value


@pytest.mark.parametrize(
    ("family", "types", "size"),
    [
        ("gfx", Struct(()), 0),
        ("gfx", struct_of((0, Primitive(12))), 4),
        ("gfx", struct_of((0, Pointer(F32))), 8),
        ("gfx", struct_of((0, Nothing())), 4),
        ("gfx", struct_of((0, Tensor((0, 2**31 - 1), F32))), 4),
        ("gfx", struct_of((0, Tensor((1, 1, 1), F32))), 4),
        ("gfx", struct_of((0, Tensor((2,), Tensor((2,), F32)))), 16),
        ("gfx", struct_of((0, Struct((Member("a", 0, F32), Member("a", 4, F32))))), 8),
        ("gfx", struct_of((0, Struct((Member("", 0, F32),)))), 4),
        ("gfx", struct_of((0, Struct(())), (0, F32)), 4),
        ("llvm", struct_of((0, I8), (2, I64)), 16),
        ("llvm", struct_of((0, I64), (0, I64)), 16),
    ],
)
def test_values_that_python_has_no_type_for_are_not_understood(family, types, size):
    assert layout_of(types, size, family) is None


NUMBERS = st.builds(Primitive, st.integers(0, 13))
SIZES = st.integers(0, 6) | st.sampled_from([2**16, 2**31 - 1])
TENSORS = st.builds(Tensor, st.lists(SIZES, max_size=3).map(tuple), NUMBERS)
OFFSETS = st.integers(0, 64) | st.sampled_from([2**20, 2**31 - 1, 2**63, 2**64 - 1])


def structs(types):
    members = st.lists(st.tuples(st.sampled_from(["a", "b", "dtype", "é", ""]), OFFSETS, types), max_size=4)
    return members.map(lambda given: Struct(tuple(Member(*member) for member in given)))


TYPES = st.recursive(NUMBERS | TENSORS | st.just(Nothing()) | st.builds(Pointer, NUMBERS), structs, max_leaves=8)


@settings(max_examples=examples(500), deadline=None)
@given(st.lists(st.tuples(OFFSETS, TYPES), max_size=3), st.integers(0, 2**21), st.sampled_from(["gfx", "llvm"]))
def test_any_layout_is_rejected_or_can_be_read(members, size, family):
    types = struct_of(*members)
    for given_types, given_size in ((types, size), (laid_out(types), size_of(laid_out(types), "llvm"))):
        try:
            make_returns("k", given_types, given_size, family)
        except CorruptedDataError:
            continue
        layout = layout_of(given_types, given_size, family)
        if layout is not None:
            assert given_size <= layout.size == layout.stored.itemsize < given_size + 4
            layout.reader(np.full(layout.size, 255, np.uint8))()


X64 = b"""
%struct.RuntimeContext.7 = type { i8*, %struct.LLVMRuntime.6*, i32, i64* }
%struct.LLVMRuntime.6 = type { i8*, i64* }

define void @k(%struct.RuntimeContext.7* nocapture readonly %context) {
entry:
  %0 = bitcast %struct.RuntimeContext.7* %context to { i32 }**
  %1 = load { i32 }*, { i32 }** %0, align 8
  %2 = getelementptr inbounds %struct.RuntimeContext.7, %struct.RuntimeContext.7* %context, i64 0, i32 3
  %3 = load i64*, i64** %2, align 8
  store i64 7, i64* %3, align 8
  ret void
}
"""
CUDA = b"""
%struct.RuntimeContext = type { i8*, %struct.LLVMRuntime*, i32, i64* }

define void @k(%struct.RuntimeContext* byval(%struct.RuntimeContext) %context) {
  %1 = getelementptr %struct.RuntimeContext, %struct.RuntimeContext* %context, i32 0, i32 0
  %2 = call i64* @RuntimeContext_get_result_buffer(%struct.RuntimeContext* %context)
  store i64 7, i64* %2, align 4
  ret void
}

define internal i64* @RuntimeContext_get_result_buffer(%struct.RuntimeContext* noundef %0) #0 {
  %2 = alloca %struct.RuntimeContext*, align 8
  store %struct.RuntimeContext* %0, %struct.RuntimeContext** %2, align 8
  %3 = load %struct.RuntimeContext*, %struct.RuntimeContext** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext, %struct.RuntimeContext* %3, i32 0, i32 3
  %5 = load i64*, i64** %4, align 8
  ret i64* %5
}
"""
# A function that returns 7, and a call of it.
FUNCTION = b"""
define internal fastcc void @function(C* nocapture readonly %0) {
  %1 = getelementptr inbounds C, C* %0, i64 0, i32 3
  %2 = load i64*, i64** %1, align 8
  store i64 7, i64* %2, align 8
  ret void
}
"""
CALL = b"""  %call.0 = alloca C, align 8
  %call.1 = alloca { i64 }, align 8
  %call.2 = getelementptr inbounds C, C* %call.0, i64 0, i32 3
  %call.3 = bitcast i64** %call.2 to { i64 }**
  store { i64 }* %call.1, { i64 }** %call.3, align 8
  call fastcc void @function(C* nonnull %call.0)
"""
CUDA_FUNCTION = b"""
define internal void @function(C* %0) {
  %1 = call i64* @RuntimeContext_get_result_buffer(C* %0)
  store i64 7, i64* %1, align 4
  ret void
}

define internal void @RuntimeContext_set_result_buffer(C* noundef %0, i64* noundef %1) #0 {
  %3 = getelementptr inbounds C, C* %0, i32 0, i32 3
  store i64* %1, i64** %3, align 8
  ret void
}
"""
CUDA_CALL = b"""  %call.0 = alloca C, align 8
  %call.1 = alloca i64, align 8
  call void @RuntimeContext_set_result_buffer(C* %call.0, i64* %call.1)
  call void @function(C* %call.0)
"""
X64_CONTEXT, CUDA_CONTEXT = b"%struct.RuntimeContext.7", b"%struct.RuntimeContext"


def with_lines(code, lines, function=b""):
    """Add lines to the first function, and another function; both write C for the context's type."""
    context = X64_CONTEXT if code == X64 else CUDA_CONTEXT
    lines, function = (re.sub(rb"\bC\b", context, text) for text in (lines, function))
    return code.replace(b"  ret void\n", lines + b"  ret void\n", 1) + function


def place(name, context, offset):
    """Return the lines that read an address from an argument."""
    fresh = b"%taichi_aot." + name[1:]
    return (
        b"  %s.0 = bitcast %s to i8**\n"
        b"  %s.1 = load i8*, i8** %s.0, align 8\n"
        b"  %s.2 = getelementptr i8, i8* %s.1, i64 %d\n"
    ) % (fresh, context, fresh, fresh, fresh, fresh, offset)


@pytest.mark.parametrize("code", [X64, with_lines(X64, CALL, FUNCTION)], ids=["plain", "functions"])
def test_x64_code_takes_the_return_address_from_an_argument(code):
    c = X64_CONTEXT
    (line,) = (line for line in code.splitlines(keepends=True) if line.startswith(b"  %2 = ") and b"%context" in line)
    expected = place(b"%2", c + b"* %context", 24) + b"  %2 = bitcast i8* %taichi_aot.2.2 to i64**\n"
    assert return_through_array(code, 24) == code.replace(line, expected)


def test_tasks_may_have_separate_types():
    other = b"%struct.RuntimeContext.8 = type { i8*, %struct.LLVMRuntime.6*, i32, i64* }\n"
    task = X64[X64.index(b"\ndefine ") :].replace(b"@k(", b"@k1(").replace(b"Context.7", b"Context.8")
    changed = return_through_array(X64 + other + task, 24)
    assert changed.count(b"taichi_aot.2.2 to i64**") == 2
    assert b"bitcast %struct.RuntimeContext.8* %context to i8**" in changed


@pytest.mark.parametrize("code", [CUDA, with_lines(CUDA, CUDA_CALL, CUDA_FUNCTION)], ids=["plain", "functions"])
def test_cuda_code_takes_the_return_address_from_an_argument(code):
    (line,) = (line for line in code.splitlines(keepends=True) if b"call" in line and line.endswith(b"%context)\n"))
    expected = place(b"%2", CUDA_CONTEXT + b"* %context", 16) + (
        b"  %taichi_aot.2.3 = bitcast i8* %taichi_aot.2.2 to i64**\n  %2 = load i64*, i64** %taichi_aot.2.3, align 8\n"
    )
    assert return_through_array(code, 16) == code.replace(line, expected)


@pytest.mark.parametrize("form", [b"tail call %b", b"call %b, !dbg !1", b" call noalias  %b #2"])
def test_accessor_may_be_called_in_other_forms(form):
    call = b"i64* @RuntimeContext_get_result_buffer(%struct.RuntimeContext* %context)"
    code = with_lines(CUDA, b"  %a = " + form % call + b"\n  store i64 8, i64* %a, align 4\n")
    changed = return_through_array(code, 16)
    assert b"%a = load i64*, i64** %taichi_aot.a.3, align 8" in changed
    assert call not in changed


def test_task_may_cast_the_accessor_of_another_one():
    getter = b"@RuntimeContext_get_result_buffer"
    other = b"%struct.RuntimeContext.8"
    types = other + b" = type { i8*, %struct.LLVMRuntime.6*, i32, i64* }\n"
    cast = b"bitcast (i64* (%b*)* %b to i64* (%b*)*)" % (CUDA_CONTEXT, getter, other)
    task = CUDA[CUDA.index(b"\ndefine ") : CUDA.index(b"\ndefine internal")].replace(CUDA_CONTEXT, other)
    task = task.replace(b"@k(", b"@k1(").replace(b"call i64* " + getter, b"call i64* " + cast)
    changed = return_through_array(CUDA + types + task, 16)
    assert cast not in changed
    assert changed.count(b"%2 = load i64*, i64** %taichi_aot.2.3, align 8") == 2


@pytest.mark.parametrize(
    "lines",
    [
        b"%a = ptrtoint C* %context to i64",
        b"%a = addrspacecast C* %context to i8 addrspace(5)*",
        b"%a = load C, C* %context, align 8",
        b"%a = extractvalue C %b, 3",
        b"%a = phi C* [ %context, %b ], [ %c, %d ]",
        b"%a = select i1 %b, C* %context, C* %c",
        b"%a = bitcast C* %context to i64*",
        b"%a = bitcast C* %context to i64**\n  %b = getelementptr i64*, i64** %a, i64 3",
        b"%a = bitcast C* %context to [4 x i64*]*",
        b"%a = getelementptr inbounds C, C* %context, i64 0, i32 4",
        b"%a = getelementptr inbounds C, C* %context, i64 1",
        b"%a = getelementptr inbounds C, C* %unknown, i64 0, i32 3",
        b"%a = load i64*, i64** getelementptr inbounds (C, C* @c, i64 0, i32 3), align 8",
        b"%a = bitcast C* %context to i8*\n  %b = getelementptr i8, i8* %a, i64 24",
        b"%a = bitcast C* %context to i8*\n  %b = getelementptr i8, i8* %a, i64 16",
        b"%a = freeze C* %context",
        b"%a = bitcast i64** %2 to { i64*, i64* }*",
        b"%a = unknown C* %context",
        b"store i64* null, i64** %2, align 8",
        b"%a = bitcast i64** %2 to { i64 }**\n  store { i64 }* null, { i64 }** %a, align 8",
        b"call fastcc void @function(C* %context)",
        b"call void @other(void (C*)* @function)",
        b"store void (C*)* @function, void (C*)** %a",
        b"call void @RuntimeContext_set_result_buffer(C* %context, i64* null)",
        b"%a = call i64* @RuntimeContext_get_result_buffer(C* %unknown)",
        b"%a = call i64* @RuntimeContext_get_result_buffer(C* null)",
    ],
    ids=bytes.decode,
)
def test_code_with_other_uses_of_the_context_is_not_changed(lines):
    assert return_through_array(with_lines(X64, b"  %a = add i64 1, 2\n", FUNCTION), 24) is not None
    assert return_through_array(with_lines(X64, b"  " + lines + b"\n", FUNCTION), 24) is None


@pytest.mark.parametrize(
    "code",
    [
        b"",
        X64.replace(b"i32 3", b"i32 2"),
        X64.replace(b"i32, i64* }", b"i64*, i32 }"),
        X64.replace(b"i32, i64* }", b"i32, i64*, i64* }"),
        X64 + b"%struct.RuntimeContext.8 = type { i8*, i64* }\n",
        X64.replace(b"%context", b"%0"),
    ],
    ids=["empty", "unused", "another order", "another member", "two forms", "another parameter"],
)
def test_unknown_code_is_not_changed(code):
    assert return_through_array(code, 24) is None


@pytest.fixture
def files(modules):
    return read_archive(modules / "kinds.tcm")


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"ret_1" + struct.pack("<Q", 4), b"ret_1" + struct.pack("<Q", 2**63)),
        (b"ret_1" + struct.pack("<Q", 4), b"ret_1" + struct.pack("<q", -1)),
        (b"ret_2" + struct.pack("<Q", 16), b"ret_2" + struct.pack("<Q", 24)),
        (b"ret_2" + struct.pack("<Q", 16), b"ret_3" + struct.pack("<Q", 16)),
        (b"count" + struct.pack("<Q", 4), b"count" + struct.pack("<Q", 2**40)),
    ],
    ids=["far away", "negative", "beyond the end", "wrong number", "a member far away"],
)
def test_damaged_layouts_are_rejected(files, old, new):
    """Damage a struct's layout in LLVM metadata; `test_kinds` has the gfx cases."""
    metadata = files["metadata.tcb"]
    place = metadata.index(old, metadata.index(b"several_returns"))  # other kernels have structs as arguments
    with pytest.raises(CorruptedDataError, match="return"):
        inspect(pack(files | {"metadata.tcb": metadata[:place] + metadata[place:].replace(old, new, 1)}))


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
def test_layout_that_contradicts_the_code_gives_no_result(files):
    old, new = b"ret_1" + struct.pack("<Q", 4), b"ret_1" + struct.pack("<Q", 8)
    module = lower(parsed(pack(files | {"metadata.tcb": files["metadata.tcb"].replace(old, new)})))
    assert len(module.info.kernels["several_returns"].signature.returns) == 3
    assert "several_returns" not in module.results


def test_kernels_of_graphs_are_not_changed(arch, modules):
    module = lower(parsed(modules / "returns.tcm"))
    dispatched = {step.kernel for step in module.info.graphs["count_twice"].dispatches}
    assert module.info.all_kernels.keys() - module.results.keys() == dispatched
    if arch.is_llvm:
        files = read_archive(modules / "returns.tcm")
        for name in dispatched:
            assert module.files[f"{name}.ll"] == files[f"{name}.ll"]
