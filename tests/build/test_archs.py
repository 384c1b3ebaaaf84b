"""How the compiler is started for each arch, with and without drivers, and that what it compiles is read and runs."""

import importlib.util
import json
import sys
import zipfile

import numpy as np
import pytest
from helpers.child import run_scenario
from helpers.compile_planned import compile_planned

import taichi_aot
from taichi_aot import Arch, Runtime
from taichi_aot.build._archs import plan
from taichi_aot.build._cuda import CudaDevice

pytestmark = pytest.mark.skipif(importlib.util.find_spec("taichi") is None, reason="taichi is not installed")

NO_VULKAN = {"VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent"}
GFX = (Arch.VULKAN, Arch.OPENGL, Arch.GLES, Arch.METAL)


def compile_basic(arch, folder, **variables):
    done = compile_planned(str(arch), "compile_modules.py", folder, "basic", **variables)
    if done.returncode != 0 and plan(arch).missing:
        pytest.skip(plan(arch).missing)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return folder / "basic.tcm"


def spirv(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.startswith("graphs")}


@pytest.fixture(scope="module")
def gfx_module(tmp_path_factory):
    starts = {plan(arch).start for arch in GFX}
    assert len(starts) == 1  # one compilation is the same for all
    return compile_basic(Arch.VULKAN, tmp_path_factory.mktemp("gfx"))


def test_every_arch_has_a_plan_or_a_reason():
    cpus = [plan(arch) for arch in (Arch.X64, Arch.ARM64)]
    assert [each.missing == "" for each in cpus].count(True) == 1
    assert [f"build on an {each.arch} machine" in each.missing for each in cpus].count(True) == 1
    for arch in Arch:
        each = plan(arch)
        assert each.arch is arch
        assert each.start
        assert json.dumps(each.report())


@pytest.mark.skipif(sys.platform != "linux", reason="the driver is built for Linux alone")
def test_cuda_needs_no_device():
    each = plan(Arch.CUDA)
    assert (each.start, each.missing) == ("cuda", "")
    device = {"capability": 75, "multiprocessors": 40, "blocks": 32, "threads": 1024, "shared_memory": 65536}
    assert each.report() == {"compiled_as": "cuda", "cuda_device": device}
    assert plan(Arch.CUDA, CudaDevice(capability=86)).device == CudaDevice(capability=86)
    assert plan(Arch.VULKAN, CudaDevice(capability=86)).device is None


def test_drivers_that_are_missing():
    run_scenario("compiling:plan_without_vulkan", env=NO_VULKAN, quiet=False)


@pytest.mark.skipif(sys.platform != "linux", reason="EGL is used on Linux only")
def test_without_vulkan_opengl_compiles_the_same(gfx_module, tmp_path):
    if plan(Arch.VULKAN).start != "vulkan":
        pytest.skip("there is no Vulkan to compare with")
    done = compile_planned("vulkan", "compile_modules.py", tmp_path, "basic", **NO_VULKAN)
    if "needs a driver" in done.stderr:
        pytest.skip("EGL has no usable platform")
    assert done.returncode == 0, done.stderr
    assert "arch=gles" in done.stdout
    assert spirv(tmp_path / "basic.tcm") == spirv(gfx_module)


@pytest.mark.parametrize("arch", GFX)
def test_modules_of_gfx_archs_are_read_and_run(arch, gfx_module, available):
    path = gfx_module
    info = taichi_aot.inspect(path)
    assert arch in info.archs
    assert "saxpy" in info.kernels
    if arch not in available:
        return
    with Runtime(arch) as runtime:
        x, y = runtime.full(100, 2.0, "f32"), runtime.full(100, 1.0, "f32")
        runtime.load_module(path).kernels["saxpy"](3.0, x, y)
        runtime.wait()
        assert np.array_equal(y.to_numpy(), np.full(100, 7.0, np.float32))
