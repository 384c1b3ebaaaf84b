"""Launches through `capi` check everything that launches of objects check."""

import ctypes
import os
import zipfile

import numpy as np
import pytest
from helpers import archives
from helpers.archs import ARCHS
from helpers.capi_arguments import array, f32, i32, i64, launcher, texture
from helpers.child import in_child
from helpers.raising import assert_raises
from scenarios.another_binding import Binding

from taichi_aot import AotModule, Arch, NotSupportedError, Runtime, capi

LARGE = 1 << 24  # numbers, far beyond the end of an array of 4

pytestmark = pytest.mark.parametrize("arch", ARCHS, indirect=True)


@pytest.fixture
def described(modules, tmp_path):
    """The module ``basic`` with a description: saxpy's arrays have equal sizes, and it only reads the first."""
    members = {"x": {"shape": ("n",), "access": "r"}, "y": {"shape": ("n",), "access": "rw"}}
    path = tmp_path / "described.tcm"
    path.write_bytes(archives.described(modules / "basic.tcm", "saxpy", **members))
    return path


def refuse(error, message, call, *arguments):
    assert_raises(error, lambda: call(*arguments), match=message)


@in_child
def test_stated_shapes_are_checked(arch, described):
    """Launch saxpy, which states equal sizes of x and y: the kernel, the graph, and the graph's instance of it."""
    with Runtime(arch) as rt:
        module = capi.load_aot_module(rt.handle, str(described))
        loaded = rt.load_module(described)
        small, large = rt.allocate(16), rt.allocate(4 * LARGE)
        mangled = next(name for name in loaded.info.all_kernels if name.startswith("saxpy_"))
        handles = {
            "saxpy": (capi.get_aot_module_kernel(module, "saxpy"), loaded.kernels["saxpy"].handle),
            mangled: (capi.get_aot_module_kernel(module, mangled),),
            "twice": (capi.get_aot_module_compute_graph(module, "twice"), loaded.graphs["twice"].handle),
        }
        for name, handle in ((name, handle) for name, each in handles.items() for handle in each):
            launch = launcher(rt, handle, "a", "x", "y")
            for _ in range(2):  # a refused launch has no effect
                message = f"{name}(): x has n=4, y has n={LARGE:,}"
                refuse(ValueError, message, launch, f32(1), array(small, 4), array(large, LARGE))
                launch(f32(1), array(small, 4), array(large, 4))


@in_child
def test_sizes_are_checked(arch, modules):
    """Check sizes given as numbers, a repeated symbol, and 32-bit and 64-bit scalars; messages match the objects'."""
    names = {"spin": ["count", "out"], "iota": ["start", "v"], "store": ["value", "real", "ints", "reals"]}
    with Runtime(arch) as rt:
        module = rt.load_module(
            modules / "basic.tcm", names, {"spin": {"out": "count"}, "iota": {"v": ("n", "n")}, "store": {"ints": 4}}
        )
        memory, other = rt.allocate(1024), rt.allocate(1024)
        spin, iota, store = (launcher(rt, module.kernels[name].handle) for name in ("spin", "iota", "store"))
        spin(i32(3), array(memory, 3, dtype="i32"))
        refuse(ValueError, "spin(): count is 1,000, out has count=3", spin, i32(1000), array(memory, 3, dtype="i32"))
        refuse(ValueError, "spin(): count is -3, out has count=3", spin, i32(-3), array(memory, 3, dtype="i32"))
        message = "iota(): v has shape (4, 3), its first and second dimensions must be equal (n)"
        refuse(ValueError, message, iota, i32(0), array(memory, 4, 3, elem_shape=[3]))
        message = "store(): ints has shape (5,), its first dimension must be 4"
        refuse(ValueError, message, store, i32(0), f32(0), array(memory, 5, dtype="i32"), array(other, 5))
        path = modules / "kinds.tcm"
        names, shapes = {"größe": ["factor", "out"]}, {"größe": {"out": "factor"}}
        größe = launcher(rt, rt.load_module(path, names, shapes).kernels["größe"].handle)
        größe(i64(4), array(memory, 4, dtype="i64"))
        größe(i32(4), array(memory, 4, dtype="i64"))
        assert np.frombuffer(memory.read(), np.int64)[:4].tolist() == [0, 4, 8, 12]
        message = f"größe(): factor is {2**32 + 4:,}, out has factor=4"
        refuse(ValueError, message, größe, i64(2**32 + 4), array(memory, 4, dtype="i64"))


@in_child
def test_modules_are_repaired(arch, modules):
    """Launch what the reader repairs: gaps between field trees, profiler calls, argument space, bindings."""
    with Runtime(arch) as rt:
        memory, other = rt.allocate(64), rt.allocate(64)
        runs = {"edges": ("small_mixed", [i32(-1), array(memory, 4, dtype="i32"), *map(i32, (1, 2, 3))])}
        if arch is Arch.X64:
            runs["profiled"] = "saxpy", [f32(2), array(memory, 4), array(other, 4)]
        if arch is Arch.VULKAN:
            image = rt.allocate_image((4, 4), "r32f")
            runs["kinds"] = "unused_texture", [texture(image), array(memory, 4)]
        else:
            runs["late_tree"] = "increase", []
        for name, (kernel, arguments) in runs.items():
            print(name, flush=True)
            module = capi.load_aot_module(rt.handle, str(modules / f"{name}.tcm"))
            launcher(rt, capi.get_aot_module_kernel(module, kernel))(*arguments)


@in_child
def test_module_of_another_binding_runs(arch, modules, tmp_path):
    """Launch from a module that another binding loaded: 64-bit scalars take their low half as I32, or raise."""
    if arch is Arch.CUDA:
        pytest.skip("runtimes of CUDA cannot be owned")
    with zipfile.ZipFile(modules / "table.tcm") as archive:
        archive.extractall(tmp_path)
    binding = Binding(arch)
    rt = Runtime.from_handle(capi.TiRuntime(binding.runtime), owned=True)
    address = binding.lib.ti_load_aot_module(ctypes.c_void_p(binding.runtime), os.fsencode(tmp_path))
    handle = AotModule.from_handle(rt, capi.TiAotModule(address), modules / "table.tcm").handle
    memory = rt.allocate(64)

    def of(dtype):
        launch = launcher(rt, capi.get_aot_module_kernel(handle, f"scalar_{dtype}"))
        return lambda argument: launch(argument, array(memory, 1, dtype=dtype))

    of("i64")(i32(7))
    assert np.frombuffer(memory.read(), np.int64)[0] == 7
    for dtype in ("i64", "u64"):
        refuse(OverflowError, f"-5 does not fit {dtype} as TI_ARGUMENT_TYPE_I32", of(dtype), i32(-5))
        refuse(TypeError, "expected TI_ARGUMENT_TYPE_I32", of(dtype), i64(5))
    refuse(NotSupportedError, "cannot pass an f64; load the module with load_aot_module", of("f64"), f32(0.5))
    refuse(OverflowError, "300 does not fit u8", of("u8"), i32(300))
    rt.close()


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
