"""The command ``bundle``."""

import shutil

import pytest

from taichi_aot import Arch, inspect
from taichi_aot.__main__ import main


@pytest.fixture
def paths(compiled, tmp_path):
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


def test_module_without_kernels_needs_a_given_arch(compiled, tmp_path, capfd):
    empty = compiled("x64") / "empty.tcm"
    assert bundle(empty, output=tmp_path / "all.tib") == 2
    assert "no code that shows its arch" in capfd.readouterr().err
    assert bundle(f"arm64={empty}", output=tmp_path / "all.tib") == 0
