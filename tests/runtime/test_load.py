"""`taichi_aot.load`, and bundles in a runtime."""

import gc

import pytest
from helpers.archives import join, pack, read_archive
from helpers.archs import ARCHS
from helpers.inside import best_arch

import taichi_aot
from taichi_aot import Arch, CorruptedDataError, IncompatibleModuleError, NotSupportedError


@pytest.fixture(scope="session")
def bundle(compiled):
    return join({Arch(arch): compiled(arch) / "basic.tcm" for arch in ARCHS})


def saxpy(module):
    """Launch saxpy by its parameters' names, which LLVM modules do not state."""
    rt = module.runtime
    x, y = rt.asarray([1, 2, 3], "f32"), rt.zeros(3, "f32")
    module.kernels["saxpy"](a=2.0, x=x, y=y)
    return y.to_numpy().tolist()


def test_same_call_works_on_every_arch(bundle, arch):
    with taichi_aot.load(bundle, arch) as module:
        assert module.runtime.arch is arch
        assert saxpy(module) == [2, 4, 6]
        assert module.kernels["answer"](out=module.runtime.zeros(1, "i32")) == 42


@pytest.mark.usefixtures("c_library")
def test_best_device_with_code_is_used(bundle, modules, arch):
    with taichi_aot.load(bundle) as module:
        assert module.runtime.arch is best_arch(*map(Arch, ARCHS))
    with taichi_aot.load(modules / "basic.tcm") as module:
        assert module.info.archs == taichi_aot.inspect(modules / "basic.tcm").archs
        assert module.runtime.arch in module.info.archs


def test_module_closes_its_own_runtime(bundle):
    module = taichi_aot.load(bundle, "x64")
    rt, array = module.runtime, module.runtime.zeros(3, "f32")
    module.close()
    assert rt.closed
    assert array.closed
    module.close()
    with pytest.raises(ValueError, match="closed"):
        module.kernels["saxpy"](1.0, array, array)


def test_given_runtime_stays_open(bundle, rt):
    with taichi_aot.load(bundle, runtime=rt) as module:
        assert module.runtime is rt
        assert saxpy(module) == [2, 4, 6]
    assert not rt.closed
    with taichi_aot.load(bundle, rt.arch, rt) as module:
        assert saxpy(module) == [2, 4, 6]


def test_contradicting_arguments_raise(bundle, rt):
    other = "vulkan" if rt.arch.is_cpu else "x64"
    with pytest.raises(ValueError, match=f"arch {other} contradicts the runtime, which is of arch {rt.arch}"):
        taichi_aot.load(bundle, other, rt)
    with pytest.raises(TypeError, match="runtime must be a Runtime, not str"):
        taichi_aot.load(bundle, runtime="x64")
    with pytest.raises(ValueError, match="unknown arch 'volcano'"):
        taichi_aot.load(bundle, "volcano")
    rt.close()
    with pytest.raises(ValueError, match="closed"):
        taichi_aot.load(bundle, runtime=rt)


def test_array_keeps_the_runtime_of_a_dropped_module(bundle):
    module = taichi_aot.load(bundle, "x64")
    array = module.runtime.asarray([1, 2, 3], "f32")
    del module
    gc.collect()
    assert array.to_numpy().tolist() == [1, 2, 3]


def test_dropped_module_drops_its_runtime(bundle):
    gc.collect()
    before = taichi_aot.object_counts()
    module = taichi_aot.load(bundle, "x64")
    assert taichi_aot.object_counts() != before
    del module
    gc.collect()
    assert taichi_aot.object_counts() == before


def test_bundle_without_the_arch_names_its_archs(compiled, rt):
    other = "vulkan" if rt.arch.is_cpu else "x64"
    one = join({Arch(other): compiled(other) / "basic.tcm"})
    usable = f", or use arch '{other}'" if Arch(other) in taichi_aot.available_archs() else ""
    for load in (rt.load_module, lambda source: taichi_aot.load(source, rt.arch)):
        command = f"taichi-aot build --arch {other},{rt.arch}, or with taichi-aot bundle"
        message = f"for {other} and none for {rt.arch}: add one with {command}{usable}$"
        with pytest.raises(IncompatibleModuleError, match=message):
            load(one)


def test_error_recommends_an_available_arch(compiled, available, monkeypatch):
    """The message once recommended the bundle's first arch, such as cuda, even without such a device."""
    if Arch.X64 not in available:
        pytest.skip("the bundle has a module for x64")
    bundle = join({arch: compiled(arch) / "basic.tcm" for arch in (Arch.VULKAN, Arch.X64)})
    monkeypatch.setattr("taichi_aot.runtime._load.available_archs", lambda: (Arch.CUDA, Arch.X64, Arch.OPENGL))
    with pytest.raises(IncompatibleModuleError, match=r"for vulkan, x64 and none for arm64.*, or use arch 'x64'$"):
        taichi_aot.load(bundle, "arm64")
    monkeypatch.setattr("taichi_aot.runtime._load.available_archs", lambda: (Arch.OPENGL,))
    with pytest.raises(IncompatibleModuleError, match=r"taichi-aot bundle$"):
        taichi_aot.load(bundle, "arm64")


def test_machine_without_a_device_says_why(compiled, available):
    missing = next(arch for arch in (Arch.ARM64, Arch.X64) if arch not in available)
    with pytest.raises(NotSupportedError, match=f"no device for {missing}"):
        taichi_aot.load(compiled("vulkan") / "basic.tcm", missing)
    if Arch.CUDA not in available:
        with pytest.raises(NotSupportedError, match=r"no device for cuda.*cuda: "):
            best_arch(Arch.CUDA, missing)


def test_failed_load_leaves_no_runtime(compiled):
    gc.collect()
    before = taichi_aot.object_counts()
    files = read_archive(compiled("x64") / "basic.tcm")
    with pytest.raises(CorruptedDataError):
        taichi_aot.load(pack({**files, "metadata.tcb": b"damaged"}), "x64")
    gc.collect()
    assert taichi_aot.object_counts() == before
