"""Described modules still load in programs that use the C library directly."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from helpers.archives import join
from helpers.archs import ARCHS
from helpers.child import run_scenario

import taichi_aot
from taichi_aot import Arch, inspect


@pytest.fixture(scope="session")
def bundled(compiled, tmp_path_factory) -> Path:
    """The contents of a bundle: for each arch, a ``.tcm`` archive and the same module as a folder."""
    folder = tmp_path_factory.mktemp("bundled")
    archives = {Arch(arch): compiled(arch) / "basic.tcm" for arch in ARCHS}
    with zipfile.ZipFile(io.BytesIO(join(archives))) as bundle:
        bundle.extractall(folder)
    for arch in archives:
        with zipfile.ZipFile(folder / f"{arch}.tcm") as module:
            module.extractall(folder / str(arch))
    return folder


def environment() -> dict[str, str | None]:
    """The variable that leads the library to its runtime's bitcode."""
    return {"TI_LIB_DIR": str(Path(taichi_aot.library_path()).parent.parent / "runtime")}


def test_folder_is_loaded_and_launched(bundled, arch):
    assert inspect(bundled / str(arch)).kernels["saxpy"].signature.parameters[0].name == "a"
    module = bundled / str(arch)
    run_scenario("plain_library:launch_saxpy", taichi_aot.library_path(), arch, module, env=environment())


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
@pytest.mark.parametrize("function", ["launch_saxpy", "launch_from_memory"])
def test_deflated_archive_is_loaded_and_launched(bundled, arch, function):
    """The library reads archives of SPIR-V modules only; it cannot read Taichi's LLVM archives either."""
    archive = bundled / f"{arch}.tcm"
    with zipfile.ZipFile(archive) as opened:
        assert {entry.compress_type for entry in opened.infolist()} == {zipfile.ZIP_DEFLATED}
    run_scenario(f"plain_library:{function}", taichi_aot.library_path(), arch, archive, env=environment())
