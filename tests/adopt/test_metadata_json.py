"""`ModuleInfo.to_metadata_json` and `to_graphs_json`, and `GfxRuntime140`, compared with Taichi's files."""

from __future__ import annotations

import copy
import json

import pytest
from helpers.archives import join, read_archive

from taichi_aot import Arch, CorruptedDataError, GfxRuntime140, NotSupportedError, inspect

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


@pytest.mark.parametrize("name", MODULES)
def test_gfx_runtime_equals_the_files_it_is_made_of(compiled, name):
    path = compiled("vulkan") / f"{name}.tcm"
    files = read_archive(path)
    stated = json.loads(files["metadata.json"]), graphs_of(files)
    for made in (
        GfxRuntime140.from_module(path),
        GfxRuntime140(*map(json.loads, (files["metadata.json"], files["graphs.json"]))),
    ):
        assert (made.to_metadata_json(), made.to_graphs_json()) == stated
        made.to_metadata_json()["kernels"].clear()
        assert made.to_metadata_json() == stated[0]


def change(json_of, path, value):
    """Return a copy of JSON with another value at a path."""
    changed = copy.deepcopy(json_of)
    *before, last = path
    place = changed
    for key in before:
        place = place[key]
    place[last] = value
    return changed


def test_gfx_runtime_refuses_wrong_json(compiled):
    info = inspect(compiled("vulkan") / "basic.tcm")
    metadata, graphs = info.to_metadata_json(), info.to_graphs_json()
    dispatch = (0, "value", "dispatches", 0, "kernel_name")
    task = ("kernels", 0, "tasks_attribs", 0, "advisory_num_threads_per_group")
    for wrong, message in (
        ((None, graphs), "metadata.json: expected an object"),
        ((metadata, {}), "graphs.json: expected a list"),
        ((metadata | {"more": 1}, graphs), "missing or unknown"),
        ((metadata | {"root_buffer_size": 2**31}, graphs), "an integer from 0"),
        ((metadata | {"root_buffer_size": float("nan")}, graphs), "NaN is not a JSON number"),
        ((change(metadata, task, 0), graphs), "an integer from 1"),
        ((change(metadata, ("kernels", 0, "name"), "\ud800"), graphs), "a text"),
        ((change(metadata, ("kernels", 0, "ctx_attribs", "args_bytes_"), 1), graphs), "does not fit"),
        ((metadata, change(graphs, dispatch, "lost")), "which the module lacks"),
    ):
        with pytest.raises(CorruptedDataError, match=message):
            GfxRuntime140(*wrong)
    nested, endless = [], []
    for _ in range(100_000):
        nested = [nested]
    endless.append(endless)
    for wrong in (nested, endless):
        with pytest.raises(ValueError, match=r"nested too deeply|Circular"):
            GfxRuntime140(metadata, wrong)
    with pytest.raises(TypeError, match="not JSON serializable"):
        GfxRuntime140(metadata, [b""])


def test_graphs_of_llvm_modules_have_the_same_structure(compiled):
    llvm, gfx = (inspect(compiled(arch) / "basic.tcm").to_graphs_json() for arch in ("x64", "vulkan"))
    assert sorted(llvm, key=lambda graph: graph["key"]) == sorted(gfx, key=lambda graph: graph["key"])


def test_llvm_modules_and_bundles_raise(compiled):
    with pytest.raises(NotSupportedError, match=r"only SPIR-V modules .* not one for x64"):
        inspect(compiled("x64") / "basic.tcm").to_metadata_json()
    with pytest.raises(NotSupportedError, match="only SPIR-V modules"):
        GfxRuntime140.from_module(compiled("x64") / "basic.tcm")
    bundle = inspect(join({Arch.VULKAN: compiled("vulkan") / "basic.tcm"}))
    for method in (bundle.to_metadata_json, bundle.to_graphs_json):
        with pytest.raises(NotSupportedError, match="bundle"):
            method()
    assert bundle.modules[Arch.VULKAN].to_graphs_json()
