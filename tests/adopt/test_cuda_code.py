"""CUDA modules read without a CUDA device: x64 modules whose kernel code is replaced."""

import re
import struct

import pytest
from helpers.archives import pack, read_archive
from helpers.plans import lowered

from taichi_aot import CorruptedDataError, inspect

pytestmark = pytest.mark.parametrize("arch", ["x64"], indirect=True)

# CUDA code takes the address of an array in the argument struct, then of the array's member.
ARRAY = "{ { i32 }, float*, float* }"
CODE = """target triple = "nvptx64-nvidia-cuda"
define void @SYMBOL(i8* %context) {
  %2 = getelementptr { ARRAY }, { ARRAY }* %1, i32 0, i32 0
  %3 = getelementptr ARRAY, ARRAY* %2, i32 0, MEMBER
  ret void
}
""".replace("ARRAY", ARRAY)
NAME = re.compile(rb"[\w\x80-\xff]+_kernel_\d+_[a-z_]+")


def code(symbol, member):
    return CODE.replace("SYMBOL", symbol).replace("MEMBER", member)


@pytest.fixture
def files(modules):
    """The files of the module ``kinds``, as if compiled for CUDA."""
    files = read_archive(modules / "kinds.tcm")
    for name, data in files.items():
        if name.endswith(".ll"):
            files[name] = re.sub(rb'(?m)^target triple = ".*"$', b'target triple = "nvptx64-nvidia-cuda"', data)
    launch(files, 1, 128)
    return files


def launch(files, grid, block, shared=0):
    """Set the launch dimensions of all tasks in the metadata."""

    def with_launch(match):
        return match[0] + struct.pack("<3i", block, grid, shared)

    files["metadata.tcb"] = re.sub(
        NAME.pattern + rb"[\s\S]{12}", lambda m: with_launch(NAME.match(m[0])), files["metadata.tcb"]
    )


@pytest.mark.parametrize(("member", "is_used"), [("i32 2", True), ("i32 1", False), ("i32 0, i32 2", False)])
def test_use_of_a_gradient_is_detected(files, member, is_used):
    files["with_gradient.ll"] = code("f", member).encode()
    assert inspect(pack(files)).kernels["with_gradient"].signature.parameters[0].grad is is_used


def test_return_value_is_not_taken_for_a_gradient(files):
    source = code("f", "i32 1").replace(
        "  ret void", "  %4 = getelementptr { [3 x i16] }, { [3 x i16] }* %5, i32 0, i32 0, i32 2\n  ret void"
    )
    files["with_gradient.ll"] = source.encode()
    assert not inspect(pack(files)).kernels["with_gradient"].signature.parameters[0].grad


def test_variables_are_local_to_a_function(files):
    first, second = code("f", "i32 1"), code("g", "i32 2")
    second = "\n".join(line for line in second.splitlines() if "%2 =" not in line).replace(ARRAY, "{ i32, i32, i32 }")
    files["with_gradient.ll"] = (first + second).encode()
    assert not inspect(pack(files)).kernels["with_gradient"].signature.parameters[0].grad


def test_functions_get_ascii_names(files):
    kernel = inspect(pack(files)).kernels["größe"]
    copy = lowered(pack(files)).files
    assert all(not task.name.isascii() for task in kernel.tasks)
    for task in kernel.tasks:
        symbol = task.name.replace("ö", "_uf6_").replace("ß", "_udf_").encode()
        assert re.search(rb"(?m)^define .*@%b\(" % symbol, copy["größe.ll"])
        assert struct.pack("<Q", len(symbol)) + symbol in copy["metadata.tcb"]
    assert rb"\C3" not in copy["größe.ll"]
    plain = inspect(pack(files)).kernels["takes_struct"].tasks[0].name.encode()
    assert plain in copy["takes_struct.ll"]


@pytest.mark.parametrize(
    ("grid", "block", "shared"),
    [(0, 128, 0), (-1, 128, 0), (1, 0, 0), (1, -1, 0), (1, 1025, 0), (1, 128, -1), (1, 128, 2**30)],
)
def test_impossible_launch_is_rejected(files, grid, block, shared):
    launch(files, grid, block, shared)
    with pytest.raises(CorruptedDataError, match=f"a launch of {grid} blocks of {block} threads with {shared} bytes"):
        inspect(pack(files))
