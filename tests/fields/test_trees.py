"""Fields in several trees, which `ti.FieldsBuilder` makes."""

import json
import os

import numpy as np
import pytest
from helpers.archives import pack, read_archive
from helpers.child import in_child

import taichi_aot
from taichi_aot import Arch, IncompatibleModuleError, Runtime, capi


@pytest.fixture
def module(rt, build_source):
    return rt.load_module(build_source("tree_kernels", rt.arch))


def test_kernels_use_fields_of_all_trees(module):
    fields = module.fields
    first, mass = np.array([3, 5, 7, 9], np.float32), np.arange(8, dtype=np.float32)
    soa = np.arange(15, dtype=np.int32).reshape(3, 5)
    fields["first"].write(first)
    fields["soa"].write(soa)
    fields["bodies.mass"].write(mass)
    module.kernels["mix"](2)
    i, j = np.indices((3, 5))
    assert fields["soa"].to_numpy().tolist() == (soa + 2 + 10 * (i - 1) + j + 2).tolist()
    aos = [first[i % 4] + i for i in range(6)]
    assert fields["aos"].to_numpy()[:, 1].tolist() == aos
    assert not fields["aos"].to_numpy()[:, ::2].any()
    assert fields["bodies.place"].to_numpy().tolist() == [[2 * i, aos[i % 6]] for i in range(8)]
    assert fields["matrix"].to_numpy()[:, :, 1, 0].tolist() == [[5, 6], [15, 16]]
    assert fields["first"].to_numpy().tolist() == first.tolist()
    assert module.kernels["total"]() == 2 * sum(range(8))


def test_bound_launches_graphs_and_sequences_use_them(module):
    mix, twice = module.kernels["mix"].bind(1), module.graphs["twice"].bind(k=2)
    mix()
    twice()
    module.runtime.sequence([mix, twice])(repeat=10)
    i, j = np.indices((3, 5))
    assert module.fields["soa"].to_numpy().tolist() == (22 * (10 * (i - 1) + j + 2) + 11 * 3).tolist()


def test_sizes_of_all_trees_are_stated(build_source, arch):
    info = taichi_aot.inspect(build_source("tree_kernels", arch))
    assert info.field_trees == (0, 1, 2)
    if arch is Arch.VULKAN:
        assert info.tree_sizes == (60 + 72 + 64, 96, 16)
    assert info.to_dict()["root_buffer_size"] == sum(info.tree_sizes)


@pytest.fixture
def vulkan_path(arch, build_source):
    if arch is not Arch.VULKAN:
        pytest.skip("only SPIR-V modules have trees that the library lacks")
    return build_source("tree_kernels", arch)


@pytest.mark.slow
def test_bundles_keep_the_sizes(vulkan_path, tmp_path):
    """Modules are read and packed again."""
    from taichi_aot.cli.main import main

    assert main(["bundle", str(vulkan_path), "-o", str(tmp_path / "again.tib")]) == 0
    assert taichi_aot.inspect(tmp_path / "again.tib").tree_sizes == taichi_aot.inspect(vulkan_path).tree_sizes
    assert main(["validate", str(tmp_path / "again.tib")]) == 0


@pytest.mark.usefixtures("c_library")
def test_library_gets_no_trees_that_it_lacks(vulkan_path):
    with Runtime("vulkan") as rt, pytest.raises(IncompatibleModuleError, match=r"kernel 'mix' uses fields of tree 2"):
        capi.load_aot_module(rt.handle, os.fspath(vulkan_path))


@in_child(env={"TAICHI_AOT_VULKAN_RECORDING": "0"})
def test_launches_by_the_library_are_refused(vulkan_path):
    with Runtime("vulkan") as rt, pytest.raises(IncompatibleModuleError, match="has memory for tree 0 only"):
        rt.load_module(vulkan_path)


@in_child(env={"TAICHI_C_API_INSTALL_DIR": os.devnull})
def test_trees_need_no_library(vulkan_path):
    with Runtime("vulkan") as rt:
        rt.load_module(vulkan_path).kernels["mix"](1)


@pytest.mark.parametrize("trees", [{"field_trees": [0, 1]}, {"tree_sizes": [16, -1, 96]}, {"field_trees": [0, 2, 4]}])
def test_damaged_trees_are_refused(vulkan_path, trees):
    """A digest guards a folder only: an archive has checksums."""
    files = read_archive(vulkan_path)
    files = read_archive(files["vulkan.tcm"]) if "vulkan.tcm" in files else files
    files["plan.json"] = json.dumps(json.loads(files["plan.json"]) | trees).encode()
    with Runtime("vulkan") as rt, pytest.raises(taichi_aot.CorruptedDataError, match=r"plan\.json.* is damaged"):
        rt.load_module(pack(files)).kernels["mix"](1)
