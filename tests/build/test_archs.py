"""How the compiler starts for each arch, and gfx modules compiled without a device."""

import ctypes
import os
import re
import signal
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from helpers.archives import read_archive
from helpers.archs import need
from helpers.child import TESTS, run_child, run_in_child
from helpers.compile_planned import compile_planned

import taichi_aot
from taichi_aot import Arch, Runtime
from taichi_aot.build import _archs
from taichi_aot.build._archs import TARGETS, CudaDevice, cuda_environment

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the drivers are built for Linux only")

GFX = (Arch.VULKAN, Arch.OPENGL, Arch.GLES, Arch.METAL)
NAMES = ("basic", "edges", "returns", "kinds")
INCOMPATIBLE_DRIVER = -9  # VkResult
# Hide the machine's own Vulkan drivers.
NO_VULKAN = {"VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent"}


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """Modules compiled with the package's own Vulkan driver."""
    folder = tmp_path_factory.mktemp("vulkan")
    compile_planned("vulkan", "compile_modules.py", folder, *NAMES, **NO_VULKAN)
    return folder


def contents(path):
    """Return a module's files, without the graph members that the compiler leaves uninitialized."""
    files = read_archive(path)
    return {name: re.sub(rb'"(num_channels|field_dim)":\d+', b"", data) for name, data in files.items()}


def test_every_arch_has_a_plan_or_a_reason():
    cpus = [TARGETS[arch].plan() for arch in (Arch.X64, Arch.ARM64)]
    assert [each.missing == "" for each in cpus].count(True) == 1
    for each in cpus:
        assert f" on an {each.arch} machine" in TARGETS[each.arch].elsewhere("k.py", Path("k.tib"), is_alone=True)
    for arch in Arch:
        each = TARGETS[arch].plan()
        assert each.arch is arch
        assert each.start


@linux_only
def test_cuda_needs_no_device():
    each = TARGETS[Arch.CUDA].plan()
    assert (each.start, each.missing) == ("cuda", "")
    assert each.environment == cuda_environment(CudaDevice())
    device = CudaDevice(capability=86)
    assert TARGETS[Arch.CUDA].plan(device).environment == cuda_environment(device)
    assert TARGETS[Arch.VULKAN].plan(device) == TARGETS[Arch.VULKAN].plan()


@linux_only
def test_gfx_archs_need_no_device():
    for arch in GFX:
        each = TARGETS[arch].plan()
        assert (each.start, each.missing) == ("vulkan", "")
        assert each.environment == _archs.vulkan_environment()


@pytest.mark.slow
@linux_only
def test_code_equals_that_compiled_with_a_device(modules, tmp_path, available):
    if Arch.VULKAN not in available:
        need("vulkan", "nothing to compare with")
    run_child(TESTS / "helpers" / "compile_modules.py", "vulkan", tmp_path, *NAMES)
    for name in NAMES:
        assert contents(modules / f"{name}.tcm") == contents(tmp_path / f"{name}.tcm")


@linux_only
@pytest.mark.parametrize("arch", GFX)
def test_gfx_modules_are_read_and_run(arch, modules, available):
    info = taichi_aot.inspect(modules / "basic.tcm")
    assert arch in info.archs
    assert "saxpy" in info.kernels
    if arch not in available:
        return
    with Runtime(arch) as runtime:
        x, y = runtime.full(100, 2.0, "f32"), runtime.full(100, 1.0, "f32")
        runtime.load_module(modules / "basic.tcm").kernels["saxpy"](3.0, x, y)
        runtime.wait()
        assert np.array_equal(y.to_numpy(), np.full(100, 7.0, np.float32))


def create_vulkan_instance(expected):
    driver = ctypes.CDLL(str(_archs.VULKAN_DRIVER))
    driver.vkGetInstanceProcAddr.restype = ctypes.c_void_p
    address = driver.vkGetInstanceProcAddr(None, b"vkCreateInstance")
    create = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(address)
    instance = ctypes.c_void_p()
    assert create(None, None, ctypes.addressof(instance)) == (0 if expected == "created" else INCOMPATIBLE_DRIVER)
    assert driver.vkGetInstanceProcAddr(None, b"vkCreateSwapchainKHR") is None


def launch_on_vulkan():
    _archs.load_vulkan_driver()
    warnings.simplefilter("ignore")
    import taichi as ti
    from helpers.compile_modules import poke

    ti.init(arch=ti.vulkan, offline_cache=False)
    poke(0, ti.ndarray(ti.i32, 4))
    print("it ran", flush=True)
    os._exit(0)


@pytest.mark.slow
@linux_only
def test_vulkan_driver_needs_its_variable():
    run_in_child(create_vulkan_instance, "refused", env={_archs.VULKAN_VARIABLE: None})
    run_in_child(create_vulkan_instance, "created", env=_archs.vulkan_environment())


@linux_only
def test_vulkan_driver_runs_no_kernel():
    """The compiler does not check whether it got a pipeline."""
    done = run_in_child(launch_on_vulkan, env=_archs.vulkan_environment(), quiet=False, status=-int(signal.SIGSEGV))
    assert "vkCreateComputePipelines failed" in done.stdout + done.stderr


def build_all(path):
    from taichi_aot.build import build

    source = Path(__file__).parent / "kernels.py"
    result = build(source, path, archs=["cuda", "vulkan", "opengl", "gles", "metal"])
    assert len(result.modules) == 5


@pytest.mark.slow
@linux_only
def test_bundle_is_the_same_with_and_without_drivers(tmp_path):
    run_in_child(build_all, str(tmp_path / "a.tib"), env=NO_VULKAN, timeout=300, quiet=False)
    run_in_child(build_all, str(tmp_path / "b.tib"), timeout=300, quiet=False)
    assert (tmp_path / "a.tib").read_bytes() == (tmp_path / "b.tib").read_bytes()
    for arch in (Arch.CUDA, *GFX):
        assert taichi_aot.inspect(tmp_path / "a.tib", arch=arch).kernels
