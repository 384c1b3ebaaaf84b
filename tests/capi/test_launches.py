"""Launches through `capi` check everything that launches of objects check."""

import zipfile

import numpy as np
import pytest
from helpers import archives
from helpers.archs import ARCHS
from helpers.child import run_in_child
from scenarios.capi_launches import (
    array,
    f32,
    launcher,
    module_of_another_binding,
    repaired_modules,
    stated_shapes,
    wrong_sizes,
)

from taichi_aot import Arch, NotSupportedError, capi

pytestmark = pytest.mark.parametrize("arch", ARCHS, indirect=True)


@pytest.fixture
def described(modules, tmp_path):
    """The module ``basic`` with a description: saxpy's arrays have equal sizes, and it only reads the first."""
    members = {"x": {"shape": ("n",), "access": "r"}, "y": {"shape": ("n",), "access": "rw"}}
    path = tmp_path / "described.tcm"
    path.write_bytes(archives.described(modules / "basic.tcm", "saxpy", **members))
    return path


def test_stated_shapes_are_checked(arch, described):
    run_in_child(stated_shapes, str(arch), str(described))


@pytest.mark.parametrize("scenario", [wrong_sizes, repaired_modules])
def test_modules_are_checked_and_repaired(arch, modules, scenario):
    run_in_child(scenario, str(arch), str(modules))


def test_module_of_another_binding_runs(arch, modules, tmp_path):
    if arch is Arch.CUDA:
        pytest.skip("runtimes of CUDA cannot be owned")
    with zipfile.ZipFile(modules / "table.tcm") as archive:
        archive.extractall(tmp_path)
    run_in_child(module_of_another_binding, str(arch), str(tmp_path), f"{modules}/table.tcm")


def test_read_only_memory_is_not_written(arch, rt, described):
    if arch is not Arch.X64:
        pytest.skip("this arch does not import host memory")
    data = np.ones(4, np.float32)
    data.flags.writeable = False
    read_only, memory = rt.import_memory(data, readonly=True), rt.allocate(16)
    module = capi.load_aot_module(rt.handle, str(described))
    launch = launcher(rt, capi.get_aot_module_kernel(module, "saxpy"))
    launch(f32(2), array(read_only, 4), array(memory, 4))
    with pytest.raises(ValueError, match=r"argument 2 \(y\): the TiMemory\(.*\) is read-only"):
        launch(f32(2), array(memory, 4), array(read_only, 4))
    swap = capi.get_aot_module_kernel(module, "swap")  # the module does not state its access
    with pytest.raises(ValueError, match="is read-only, and the kernel may write to it"):
        launcher(rt, swap)(array(read_only, 4), array(memory, 4))
    assert data.tolist() == [1] * 4


def test_element_dimensions_of_size_one_are_ignored(rt, modules):
    x, y = rt.allocate(16), rt.allocate(16)
    x.write(np.full(4, 3, np.float32))
    y.write(np.zeros(4, np.float32))
    module = capi.load_aot_module(rt.handle, str(modules / "basic.tcm"))
    saxpy = launcher(rt, capi.get_aot_module_kernel(module, "saxpy"))
    saxpy(f32(2), array(x, 4, elem_shape=[1]), array(y, 4, elem_shape=[1, 1]))
    twice = launcher(rt, capi.get_aot_module_compute_graph(module, "twice"), "a", "x", "y")
    twice(f32(1), array(x, 4, elem_shape=[1]), array(y, 4))
    assert np.frombuffer(y.read(), np.float32).tolist() == [12] * 4
    with pytest.raises(ValueError, match=r"expected elements of shape \(\), got \(2,\)"):
        saxpy(f32(2), array(x, 2, elem_shape=[2]), array(y, 2))


def test_graph_ignores_unknown_arguments(rt, modules):
    x, y = rt.allocate(16), rt.allocate(16)
    y.write(np.zeros(4, np.float32))
    x.write(np.ones(4, np.float32))
    module = capi.load_aot_module(rt.handle, str(modules / "basic.tcm"))
    graph = capi.get_aot_module_compute_graph(module, "twice")
    given = [f32(1), capi.TiArgument(capi.TiArgumentType.TI_ARGUMENT_TYPE_NDARRAY), array(x, 4), array(y, 4)]
    launcher(rt, graph, "a", "other", "x", "y")(*given)
    assert np.frombuffer(y.read(), np.float32).tolist() == [2] * 4
    for names in (("a", "x", "x", "y"), ("a", "other", "y", "z")):
        with pytest.raises(TypeError, match="exactly one argument must have the name 'x'"):
            launcher(rt, graph, *names)(*given)


def test_words_of_a_struct_are_passed(rt, build_source):
    out = rt.allocate(16, host_read=True)
    module = capi.load_aot_module(rt.handle, str(build_source("struct_kernels", rt.arch)))
    struct = capi.TiArgument(capi.TiArgumentType.TI_ARGUMENT_TYPE_TENSOR)
    struct.value.tensor.type = capi.TiDataType.TI_DATA_TYPE_I32
    struct.value.tensor.contents.length = 2
    struct.value.tensor.contents.data.x32 = [int(np.float32(0.5).view(np.uint32)), 6]
    launch = launcher(rt, capi.get_aot_module_kernel(module, "scaled"))
    launch(struct, array(out, 4))
    rt.wait()
    assert np.frombuffer(out.read(), np.float32)[0] == 3
    struct.value.tensor.contents.length = 1
    with pytest.raises(TypeError, match=r"argument 0 .*: expected 2 words"):
        launch(struct, array(out, 4))


def test_64_bit_vectors_are_refused_before_the_launch(rt, modules):
    """The library itself would report an error, but launch the kernel with zeros."""
    out = rt.allocate(64)
    out.fill(1)
    module = capi.load_aot_module(rt.handle, str(modules / "table.tcm"))
    vector = capi.TiArgument(capi.TiArgumentType.TI_ARGUMENT_TYPE_TENSOR)
    vector.value.tensor.type = capi.TiDataType.TI_DATA_TYPE_F64
    vector.value.tensor.contents.length = 3
    with pytest.raises(NotSupportedError, match="cannot pass a vector or matrix of f64 to a kernel"):
        launcher(rt, capi.get_aot_module_kernel(module, "vector_f64"))(vector, array(out, 4, dtype="f64"))
    rt.wait()
    assert set(out.read()) == {1}
