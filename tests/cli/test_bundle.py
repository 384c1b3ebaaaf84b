"""The command ``bundle``."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from taichi_aot import Arch, inspect
from taichi_aot.__main__ import main


@pytest.fixture
def paths(compiled, tmp_path) -> dict[str, Path]:
    """The same module for each arch, in files whose names do not tell the arch."""
    copies = {arch: tmp_path / f"{name}.tcm" for arch, name in (("x64", "a"), ("vulkan", "b"))}
    for arch, path in copies.items():
        shutil.copy(compiled(arch) / "basic.tcm", path)
    return copies


def bundle(*modules, output):
    return main(["bundle", *map(str, modules), "-o", str(output)])


def test_modules_are_joined(paths, tmp_path, capfd):
    output = tmp_path / "all.tib"
    assert bundle(*paths.values(), output=output) == 0
    assert inspect(output).archs == (Arch.VULKAN, Arch.X64)
    summary = "bundle of AOT modules for vulkan, x64, compiled by Taichi 1.7.4"
    assert f"{output}: {output.stat().st_size:,} bytes, {summary}\n" in capfd.readouterr().out
    assert {path.suffix for path in tmp_path.iterdir()} == {".tcm", ".tib"}  # no temporary file remains


def test_bundles_and_folders_are_joined(paths, compiled, tmp_path):
    first, second, direct = tmp_path / "one.tib", tmp_path / "two.tib", tmp_path / "direct.tib"
    assert bundle(paths["vulkan"], output=first) == 0
    assert bundle(first, compiled("x64") / "basic", output=second) == 0
    assert bundle(*paths.values(), output=direct) == 0
    assert second.read_bytes() == direct.read_bytes()


def test_bundle_can_be_extended_in_place(paths, tmp_path):
    """All modules are read before the file is replaced atomically."""
    path, direct = tmp_path / "all.tib", tmp_path / "direct.tib"
    assert bundle(paths["vulkan"], output=path) == 0
    assert bundle(path, paths["x64"], output=path) == 0
    assert bundle(*paths.values(), output=direct) == 0
    assert path.read_bytes() == direct.read_bytes()
    assert bundle(path, paths["x64"], output=path) == 2
    assert path.read_bytes() == direct.read_bytes()


def test_arch_of_a_spirv_module_can_be_given(paths, tmp_path):
    output = tmp_path / "all.tib"
    vulkan = paths["vulkan"]
    assert bundle(vulkan, f"opengl={vulkan}", output=output) == 0
    assert inspect(output).archs == (Arch.OPENGL, Arch.VULKAN)


def test_two_modules_of_one_arch_are_refused(paths, tmp_path, capfd):
    x64 = paths["x64"]
    assert bundle(x64, x64, output=tmp_path / "all.tib") == 2
    assert f"error: {x64} and {x64} are both for x64" in capfd.readouterr().err
    assert bundle(f"cuda={x64}", output=tmp_path / "all.tib") == 2
    assert "was compiled for x64" in capfd.readouterr().err
    assert not (tmp_path / "all.tib").exists()


def test_output_must_be_a_tib_file(paths, tmp_path, capfd):
    x64 = paths["x64"]
    before = x64.read_bytes()
    for output in (x64, tmp_path / "all.txt"):
        assert bundle(*paths.values(), output=output) == 2
        assert f"the file must end in .tib, not '{output}'" in capfd.readouterr().err
    assert x64.read_bytes() == before
    assert not (tmp_path / "all.txt").exists()


def test_module_without_kernels_needs_a_given_arch(compiled, tmp_path, capfd):
    empty = compiled("x64") / "empty.tcm"
    assert bundle(empty, output=tmp_path / "all.tib") == 2
    assert "no code that shows its arch" in capfd.readouterr().err
    assert bundle(f"arm64={empty}", output=tmp_path / "all.tib") == 0


@pytest.mark.slow
def test_bench_and_validate_take_bundles(paths, modules, tmp_path, arch, capfd):
    """Parameters have names on every arch."""
    output = tmp_path / "all.tib"
    joined = {**paths, str(arch): modules / "basic.tcm"}
    assert bundle(*joined.values(), output=output) == 0
    assert (
        main(["bench", str(output), "store", "ints=zeros:8", "reals=zeros:8", "--arch", str(arch), "--starts", "1"])
        == 0
    )
    assert "arrays: ints 8, reals 8; " in capfd.readouterr().out
    assert main(["validate", str(output), "--arch", str(arch)]) == 0
    printed = capfd.readouterr().out
    assert printed.startswith(f"{output} ({arch}): ok\n    read: ok\n    load: ok\n    kernel saxpy: ok\n")
    assert printed.endswith("    graph twice: ok\n")
