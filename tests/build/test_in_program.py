"""`Module` in a program of the user's own, which also launches kernels."""

from pathlib import Path

import helpers
import numpy as np
import pytest
from helpers.archives import join

import taichi_aot
from taichi_aot import Arch

REFUSALS = """\
BuildError Taichi is not started: call ti.init(arch=...) before Module()
{vulkan}SourceError kernel triple (write_modules.py, line {triple}): parameter source has 1 dimensions, and its
SourceError kernel power|exponent=2, (write_modules.py, line {power}): parameter x is an ndarray with no dtype and
BuildError the module is empty: add kernels, graphs or fields before it is written
BuildError save() or archive() has completed the module: add everything before, or make a new one
ValueError '{folder}/both.zip' ends neither in .tcm nor in .tib
FileNotFoundError there is no folder {folder}/lost to write both.tcm to
FileExistsError [Errno 17] the folder has other contents, such as both: '{folder}'
BuildError the module is for cuda, and Taichi was started for {arch}: call ti.init(arch=ti.cuda).
TypeError name an arch, such as ti.vulkan or 'vulkan', not 3
BuildError the module is for cuda, and Taichi was started for {arch}: call ti.init(arch=ti.cuda).
BuildError ti.init or ti.reset has ended the program for which the module was made: make a new one
"""
NEEDS_INT64 = (
    "SourceError kernel wide (write_modules.py, line {line}): parameter x has numbers of f64, which not every vulkan "
    'device has: use ti.f32, allow them by caps=["spirv_has_float64", "spirv_has_int64"], or build for x64 and cuda '
    "only\n"
)


@pytest.fixture
def written(compile_with, arch):
    if str(arch) not in ("x64", "vulkan"):
        pytest.skip("the program starts Taichi for x64 or Vulkan")
    return compile_with(str(arch), "write_modules.py", "{arch}", "{folder}")


def line_of(text):
    lines = (Path(helpers.__file__).parent / "write_modules.py").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def printed(written):
    return (written / "printed.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["both", "both.tcm", "both.tib"])
def test_written_module_runs(own_rt, written, name):
    module = own_rt.load_module(written / name)
    assert list(module.kernels) == ["saxpy", "cube", "wide", "triple", "advance"]
    assert [each.shape for each in module.kernels["saxpy"].signature.parameters] == [(), ("n",), ("n",)]
    assert not module.fields["grid"].to_numpy().any()
    assert module.fields["start"].to_numpy().tolist() == [[0, 0], [4, 5], [0, 0]]
    module.fields["grid"].write([2, 2, 2, 2])
    x, y = own_rt.full(3, 4.0, "f32"), own_rt.zeros(3, "f32")
    module.kernels["saxpy"](a=0.5, x=x, y=y)
    assert y.to_numpy().tolist() == [4] * 3
    module.kernels["cube"](x=x)
    assert x.to_numpy().tolist() == [64] * 3
    module.kernels["advance"](x)
    module.graphs["ninefold"](x=x, y=y)
    assert x.to_numpy().tolist() == [621] * 3
    numbers = own_rt.zeros(2, np.float64)
    module.kernels["wide"](numbers)
    assert numbers.to_numpy().tolist() == [1, 1]


def test_loops_are_vectors(written, arch):
    kernels = taichi_aot.inspect(written / "both.tcm").kernels
    if not kernels["saxpy"].tasks[-1].loop:
        pytest.skip("kernels have no machine code")
    # saxpy reads a field, which had its memory before the module was made.
    assert {kernels[name].tasks[-1].loop for name in ("saxpy", "cube", "wide")} == {"vectors"}


def test_second_module_runs(own_rt, written):
    x, y = own_rt.full(3, 4.0, "f32"), own_rt.zeros(3, "f32")
    own_rt.load_module(written / "second.tcm").kernels["thrice"](x, y)
    assert y.to_numpy().tolist() == [12] * 3


def test_folder_archive_and_bundle_have_the_same_contents(written, arch):
    folder, archive, bundle = (taichi_aot.inspect(written / name) for name in ("both", "both.tcm", "both.tib"))
    assert folder.kernels == archive.kernels == bundle.modules[arch].kernels
    assert folder.graphs == archive.graphs
    assert folder.fields == archive.fields
    saxpy = folder.kernels["saxpy"]
    assert (saxpy.doc, saxpy.file, saxpy.line) == ("Add a * x to y.", "write_modules.py", line_of("def saxpy"))


def test_modules_of_several_archs_can_be_joined(compile_with):
    archs = (Arch.X64, Arch.VULKAN)
    folders = {arch: compile_with(str(arch), "write_modules.py", "{arch}", "{folder}") for arch in archs}
    modules = {arch: folder / "both.tcm" for arch, folder in folders.items()}
    info = taichi_aot.inspect(join(modules))
    assert set(info.modules) == set(archs)
    assert list(info.kernels) == ["saxpy", "cube", "wide", "triple", "advance"]


def test_threads_do_not_depend_on_the_machine(written, arch):
    both, second = (taichi_aot.inspect(written / name) for name in ("both.tcm", "second.tcm"))
    expected = {"x64": (16, 3)}.get(str(arch), (None, None))
    assert (both.kernels["triple"].cpu_threads, second.kernels["thrice"].cpu_threads) == expected


def test_launches_of_the_program_are_not_disturbed(written):
    assert "\n[6.0, 6.0, 6.0] [81, 81, 81] [7.0, 7.0]\n" in printed(written)


def test_wrong_calls_are_refused(written, arch):
    needs = NEEDS_INT64.format(line=line_of("def wide")) if str(arch) == "vulkan" else ""
    lines = {name: line_of(f"def {name}(") for name in ("triple", "power")}
    expected = REFUSALS.format(arch=arch, folder=written, vulkan=needs, **lines)
    refused = [line for line in printed(written).splitlines() if "Error" in line]
    for line, start in zip(refused, expected.splitlines(), strict=True):
        assert line.startswith(start)
