"""`ModuleInfo.to_metadata_json` and `to_graphs_json` compared with Taichi's files."""

from __future__ import annotations

import json

import pytest
from helpers.mutants import read_archive

from taichi_aot import Arch, NotSupportedError, inspect
from taichi_aot.formats._make import make_bundle

TEXTURES = (3, 4)
MODULES = ("basic", "edges", "empty", "fields", "kinds", "returns", "table", "trees")


def graphs_of(files):
    """Return the graphs of a SPIR-V module, with 0 for numbers that the compiler leaves uninitialized."""
    graphs = json.loads(files["graphs.json"])
    for argument in (a for graph in graphs for step in graph["value"]["dispatches"] for a in step["symbolic_args"]):
        argument["field_dim" if argument["tag"] in TEXTURES else "num_channels"] = 0
    return graphs


@pytest.mark.parametrize("name", MODULES)
def test_json_of_spirv_modules_equals_their_files(compiled, name):
    path = compiled("vulkan") / f"{name}.tcm"
    files, info = read_archive(path), inspect(path)
    assert info.to_metadata_json() == json.loads(files["metadata.json"])
    assert info.to_graphs_json() == graphs_of(files)


def test_graphs_of_llvm_modules_have_the_same_structure(compiled):
    llvm, gfx = (inspect(compiled(arch) / "basic.tcm").to_graphs_json() for arch in ("x64", "vulkan"))
    assert sorted(llvm, key=lambda graph: graph["key"]) == sorted(gfx, key=lambda graph: graph["key"])


def test_llvm_modules_and_bundles_raise(compiled):
    with pytest.raises(NotSupportedError, match=r"only SPIR-V modules .* not one for x64"):
        inspect(compiled("x64") / "basic.tcm").to_metadata_json()
    bundle = inspect(make_bundle({Arch.VULKAN: (compiled("vulkan") / "basic.tcm").read_bytes()}))
    for method in (bundle.to_metadata_json, bundle.to_graphs_json):
        with pytest.raises(NotSupportedError, match="bundle"):
            method()
    assert bundle.modules[Arch.VULKAN].to_graphs_json()
