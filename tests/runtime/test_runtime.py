"""Runtimes: creation, wrong archs and devices, states, several at once."""

import gc
import json
import os
import re
import sys
import warnings
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.archs import needs_taichi, on_vulkan, require
from helpers.child import in_child, run_in_child
from helpers.inside import (
    order_of_vulkan_devices,
    stand_in_for_cuda,
    stand_in_for_vulkan,
    use_files_of_vulkan,
    vulkan_device_name,
)
from helpers.machine import is_on_host, resident_bytes
from helpers.objects import load_saxpy, try_runtime
from helpers.raising import assert_raises
from helpers.threads import Background, run_together

import taichi_aot
from taichi_aot import Arch, Capability, DeviceInfo, NotSupportedError, Runtime
from taichi_aot.backends import _devices as devices_module
from taichi_aot.distributed import decompose
from taichi_aot.driver import _gpus
from taichi_aot.interop import vulkan

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="depends on files of Linux")


def test_arch_may_be_given_by_name(arch):
    with Runtime(str(arch)) as by_name, Runtime(arch) as by_value, Runtime(arch.name) as in_capitals:
        assert by_name.arch is by_value.arch is in_capitals.arch is arch
        assert by_name.device_index == 0


def test_best_device_is_a_hardware_gpu_or_the_cpu(monkeypatch):
    def pretend(*kinds):
        found = [(f"gpu {i}", kind) for i, kind in enumerate(kinds)]
        stand_in_for_cuda(monkeypatch)
        stand_in_for_vulkan(monkeypatch, found)
        best = devices_module.best_device()
        assert taichi_aot.devices()[0] == best
        return best.arch, best.index

    monkeypatch.delenv("TI_VISIBLE_DEVICE", raising=False)
    cpu = devices_module.CPU_ARCH
    assert pretend() == (cpu, 0)
    assert pretend("cpu") == (cpu, 0)
    assert pretend("cpu", "integrated") == (Arch.VULKAN, 1)
    assert pretend("integrated", "cpu", "discrete") == (Arch.VULKAN, 2)


def test_default_runtime_uses_the_best_device():
    with Runtime() as rt:
        best = devices_module.best_device()
        assert (rt.arch, rt.device_index) == (best.arch, best.index)


def test_cpu_and_devices_give_arch_and_index():
    with Runtime("cpu") as rt, Runtime("CPU") as in_capitals:
        assert rt.arch is in_capitals.arch is devices_module.CPU_ARCH
    for device in taichi_aot.devices():
        if device.arch is Arch.OPENGL or device.arch is Arch.CUDA:
            continue  # their runtimes change the process
        with Runtime(device) as rt:
            assert (rt.arch, rt.device_index) == (device.arch, device.index)
    device = taichi_aot.devices()[0]
    for wrong in (device, "gpu", None):
        with pytest.raises(ValueError, match="device_index 1 needs an arch"):
            Runtime(wrong, 1)
    with Runtime("cpu:0") as rt:
        assert rt.arch is devices_module.CPU_ARCH
    for wrong in (("cpu", 1), ("cpu:1",)):
        with pytest.raises(ValueError, match=r"device_index 1 is out of range.* has 1 device$"):
            Runtime(*wrong)
    with pytest.raises(ValueError, match="device_index 1 needs an arch"):
        Runtime("gpu:1")
    with pytest.raises(ValueError, match="device_index 99 is out of range"):
        Runtime(device._replace(index=99))
    with pytest.raises(TypeError, match=r"the index of a DeviceInfo must be an integer, not str '0'"):
        Runtime(device._replace(index="0"))
    with pytest.raises(ValueError, match="unknown arch 'tpu'"):
        Runtime(device._replace(arch="tpu"))


def test_gpu_is_the_best_hardware_gpu_or_an_error(monkeypatch):
    def choose(*kinds):
        stand_in_for_cuda(monkeypatch)
        found = [(f"gpu {i}", kind) for i, kind in enumerate(kinds)]
        stand_in_for_vulkan(monkeypatch, found)
        return devices_module.choose_device("gpu", 0)

    monkeypatch.delenv("TI_VISIBLE_DEVICE", raising=False)
    assert choose("integrated", "cpu", "discrete") == (Arch.VULKAN, 2)
    with pytest.raises(NotSupportedError, match=r"cuda: .+; vulkan: gpu 0 runs on the CPU, and Runtime\('vulkan'\)"):
        choose("cpu")
    with pytest.raises(NotSupportedError, match=r"cuda: .+; vulkan: .+"):
        choose()


@pytest.mark.parametrize("bad", ["", "vulcan", "x86", 0, 77, -1, 3.5, b"x64"])
def test_unknown_arch_is_a_value_error(bad):
    with pytest.raises(ValueError, match=r"unknown arch .*'vulkan'"):
        Runtime(bad)


def test_tuple_of_devices_is_not_a_device():
    for make in (Runtime, lambda several: taichi_aot.load("nowhere.tcm", several)):
        with pytest.raises(ValueError, match=r"unknown arch: devices\(\) is a tuple .* such as devices\(\)\[0\]$"):
            make(taichi_aot.devices())


@pytest.mark.parametrize("arch", [Arch.METAL, Arch.GLES, Arch.ARM64])
def test_unavailable_arch_is_not_supported(arch, available):
    if arch in available:
        pytest.skip("the arch is available")
    with pytest.raises(NotSupportedError, match=f"no device for arch {arch}"):
        Runtime(arch)


def test_cuda_does_not_fall_back_to_x64(available, capfd):
    if Arch.CUDA in available:
        pytest.skip("the arch is available")
    with pytest.raises(NotSupportedError, match="no device for arch cuda"):
        Runtime("cuda")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("index", [1, 7, 2**31, -1])
def test_device_index_out_of_range_is_a_value_error(arch, index):
    count = sum(device.arch is arch for device in taichi_aot.devices())
    if index < count and index >= 0:
        pytest.skip("the machine has such a device")
    with pytest.raises(ValueError, match=re.escape(f"device_index {index} is out of range: arch {arch} has {count}")):
        Runtime(arch, index)


def test_second_cuda_device_is_a_value_error(monkeypatch):
    stand_in_for_cuda(monkeypatch, ("a GPU", "discrete"))
    with pytest.raises(ValueError, match=r"device_index 1 is out of range.*; CUDA_VISIBLE_DEVICES selects"):
        Runtime("cuda", 1)


def _name_of(runtime):
    return vulkan_device_name(vulkan.export_runtime(runtime))


def _compiled_triple():
    """Return a kernel of Taichi itself."""
    import taichi as ti
    from helpers.kernels import triple

    ti.init(arch=ti.cpu, offline_cache=False, log_level=ti.ERROR)
    compiled = triple
    return compiled


def _check_triple(triple):
    data = np.ones(4, np.float32)
    triple(data)
    assert data.tolist() == [3] * 4


def _check_saxpy(rt, saxpy):
    x = rt.full(4, 1.0, "f32")
    saxpy(1.0, x, x)
    assert x.to_numpy().tolist() == [2] * 4


@pytest.fixture
def two_lavapipes(tmp_path, monkeypatch):
    """Name two copies of lavapipe to child processes, each with another name for its device."""
    drivers = list(Path("/usr/share/vulkan/icd.d").glob("lvp_icd.*.json"))
    states = json.loads(drivers[0].read_text()) if drivers else {"ICD": {"library_path": "none"}}
    library = Path("/usr/lib", states["ICD"]["library_path"])
    if not library.is_file() or (data := library.read_bytes()).count(b"\0llvmpipe (LLVM") != 1:
        pytest.skip("lavapipe is not installed")
    for name in (b"firstpip", b"secondpi"):
        copy = tmp_path / f"{name.decode()}.so"
        copy.write_bytes(data.replace(b"\0llvmpipe (LLVM", b"\0" + name + b" (LLVM"))
        states["ICD"]["library_path"] = str(copy)
        copy.with_suffix(".json").write_text(json.dumps(states))
    paths = os.pathsep.join(map(str, sorted(tmp_path.glob("*pi*.json"))))
    for name in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES"):
        monkeypatch.setenv(name, paths)
    monkeypatch.delenv("TI_VISIBLE_DEVICE", raising=False)


@pytest.fixture(params=["1", "0"])
def recording(request, monkeypatch):
    """Also where the library launches, which gets functions for devices of all drivers."""
    if request.param == "0":
        request.getfixturevalue("c_library")
    monkeypatch.setenv("TAICHI_AOT_VULKAN_RECORDING", request.param)


@pytest.mark.usefixtures("two_lavapipes", "recording")
@on_vulkan
@in_child
def test_two_drivers_of_vulkan_exchange(arch, basic):
    """Each runtime is on its device, with launches, copies and halos between them, and threads."""
    found = [device for device in taichi_aot.devices() if device.arch is taichi_aot.Arch.VULKAN]
    assert {device.name.split(" ")[0] for device in found} == {"firstpip", "secondpi"}
    runtimes = [Runtime(found[number]) for number in (1, 0, 1)]
    assert [_name_of(rt) for rt in runtimes] == [found[number].name for number in (1, 0, 1)]
    arrays = [(rt.full(1000, 1.0, "f32"), rt.zeros(1000)) for rt in runtimes]

    def work(number):
        rt, (x, y) = runtimes[number], arrays[number]
        saxpy = rt.load_module(basic).kernels["saxpy"]
        rt.sequence([saxpy.bind(number + 1.0, x, y)])(repeat=100)

    run_together(*(partial(work, number) for number in range(3)))
    assert [y.to_numpy()[-1] for _, y in arrays] == [100, 200, 300]
    for number in range(100):
        arrays[number % 3][0].copy_from(arrays[number % 3 - 1][1])
    assert [x.to_numpy()[0] for x, _ in arrays] == [300, 100, 200]
    parts = decompose((9, 4), runtimes, periodic=True)
    parts.write(np.repeat(np.arange(9, dtype=np.float32), 4).reshape(9, 4))
    parts.exchange()
    assert [part.array.to_numpy()[:, 0].tolist() for part in parts] == [
        [8, 0, 1, 2, 3],
        [2, 3, 4, 5, 6],
        [5, 6, 7, 8, 0],
    ]
    runtimes[0].close()
    assert arrays[1][1].to_numpy()[0] == 200
    runtimes[1].close()
    assert arrays[2][1].to_numpy()[0] == 300


def print_vulkan_devices():
    names = [device.name for device in taichi_aot.devices() if device.arch is Arch.VULKAN]
    for number, name in enumerate(names):
        with Runtime(f"vulkan:{number}") as rt:
            assert _name_of(rt) == name
    print(*(name.split(" ")[0] for name in names))


@pytest.mark.usefixtures("two_lavapipes")
def test_variables_of_loader_and_mesa_choose_devices(tmp_path):
    def found(**env):
        return run_in_child(print_vulkan_devices, env=env, fresh=True).stdout.split()

    both = found()
    assert sorted(both) == ["firstpip", "secondpi"]
    for driver in both:
        assert found(VK_ICD_FILENAMES=None, VK_DRIVER_FILES=str(tmp_path / f"{driver}.json")) == [driver]
    if not Path("/usr/share/vulkan/implicit_layer.d/VkLayer_MESA_device_select.json").exists():
        pytest.skip("Mesa's layer is not installed")
    (chosen,) = found(MESA_VK_DEVICE_SELECT="10005:0", MESA_VK_DEVICE_SELECT_FORCE_DEFAULT_DEVICE="1")
    assert chosen in both


@pytest.mark.parametrize(("selected", "expected"), [("", [2, 3, 1]), ("10de:2684", [1, 2, 3])])
def test_vulkan_devices_in_software_are_last(monkeypatch, selected, expected):
    """Unless Mesa's layer was told which device is the first one."""
    monkeypatch.setenv("MESA_VK_DEVICE_SELECT", selected)
    assert order_of_vulkan_devices({1: "cpu", 2: "discrete", 3: "integrated"}) == expected


def test_visible_device_hides_the_others(monkeypatch):
    monkeypatch.setattr(devices_module, "vulkan_devices", lambda: [("a", "discrete"), ("b", "integrated")])
    monkeypatch.setenv("TI_VISIBLE_DEVICE", "1")
    assert devices_module.visible_devices(Arch.VULKAN) == [DeviceInfo(Arch.VULKAN, 0, "b", "integrated")]
    assert devices_module.vulkan_index(0) == 1
    monkeypatch.setenv("TI_VISIBLE_DEVICE", "-1")
    assert devices_module.visible_devices(Arch.VULKAN) == []


def test_devices_match_available_archs(available):
    found = taichi_aot.devices()
    assert {device.arch for device in found} == set(available)
    for device in found:
        assert device.name
        assert device.kind in ("discrete", "integrated", "virtual", "cpu")
        assert device.index == [d for d in found if d.arch is device.arch].index(device)
    assert Arch.X64 in available or Arch.ARM64 in available


def list_devices():
    print(*taichi_aot.available_archs())
    print(taichi_aot.devices())


def mapped(*parts):
    """Return which of these parts of names the libraries of this process have."""
    maps = Path("/proc/self/maps").read_text().lower()
    return [part for part in parts if part in maps]


@on_linux
@in_child
def test_listing_devices_loads_no_opengl():
    """Mesa's EGL ends a process that loads another LLVM later, as Triton does."""
    before = dict(os.environ)
    found = taichi_aot.devices()
    assert set(taichi_aot.available_archs()) == {device.arch for device in found}
    assert devices_module.missing_archs().keys() == {Arch.CUDA, Arch.VULKAN, Arch.OPENGL} - {d.arch for d in found}
    assert mapped("libegl", "libgl", "libopengl") == []
    assert dict(os.environ) == before


LVP, INTEL, NVIDIA = "libvulkan_lvp.so", "/usr/lib/libvulkan_intel.so", "libGLX_nvidia.so.0"


@on_linux
@pytest.mark.parametrize(
    ("nodes", "libraries", "variables", "expected"),
    [
        (["tty", "dri/card0"], [LVP, INTEL], {}, False),
        (["dri/renderD128"], [LVP], {}, True),
        (["nvidia0"], [LVP], {}, True),
        ([], [LVP, NVIDIA], {}, True),  # it makes its nodes when it is asked
        ([], [LVP, None], {}, True),
        ([], [], {}, True),
        ([], [LVP], {"VK_ADD_DRIVER_FILES": "/opt/other.json"}, True),
    ],
    ids=str,
)
@in_child
def test_cpu_is_chosen_without_a_driver_if_no_file_speaks_for_a_gpu(nodes, libraries, variables, expected, tmp_path):
    for path in nodes:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    folder = tmp_path / "vulkan" / "icd.d"
    folder.mkdir(parents=True)
    for number, library in enumerate(libraries):
        (folder / f"{number}.json").write_text(json.dumps({"ICD": {"library_path": library}} if library else {}))
    for name in list(os.environ):
        if name.startswith("VK_"):
            del os.environ[name]
    os.environ.update(variables)
    use_files_of_vulkan(tmp_path)
    with Runtime() as rt:
        if not expected:
            assert rt.arch is devices_module.CPU_ARCH
    assert devices_module.may_have_gpu() == expected
    assert expected or mapped("libvulkan") == []


@pytest.mark.parametrize(
    "env",
    [
        {"DISPLAY": ":77", "EGL_PLATFORM": None},
        {"DISPLAY": None, "WAYLAND_DISPLAY": None, "EGL_PLATFORM": None},
        {"EGL_PLATFORM": "x11"},
        {"VK_ICD_FILENAMES": os.devnull, "VK_DRIVER_FILES": os.devnull},
        {"TI_VISIBLE_DEVICE": "5"},
        {"HOME": None, "XDG_CACHE_HOME": None},
    ],
    ids=str,
)
def test_listing_archs_never_crashes(env):
    archs = run_in_child(list_devices, env=env, quiet=False).stdout.splitlines()[0].split()
    assert "x64" in archs or "arm64" in archs
    if "VK_ICD_FILENAMES" in env or env.get("TI_VISIBLE_DEVICE") == "5":
        assert "vulkan" not in archs


def test_vulkan_without_a_driver_is_an_exception():
    env = {"VK_ICD_FILENAMES": os.devnull, "VK_DRIVER_FILES": os.devnull}
    assert "ulkan" in run_in_child(try_runtime, "vulkan", env=env, quiet=False).stdout


@on_linux
@in_child(quiet=False)
def test_frozen_program_lists_opengl_without_a_child():
    """It cannot start Python in a child process."""
    found = devices_module.opengl_devices()
    _gpus._opengl.device, sys.frozen = "", True
    assert devices_module.opengl_devices() == found
    assert mapped("libegl") or not found


@on_linux
@in_child(quiet=False)
def test_opengl_context_of_the_application_stays_current():
    require("opengl")
    found = _gpus._load_egl()
    _gpus._load_egl = lambda: SimpleNamespace(eglGetCurrentContext=lambda: 1)
    assert_raises(NotSupportedError, lambda: Runtime("opengl"), match="context that is current in this thread")
    _gpus._load_egl = lambda: found
    Runtime("opengl").close()


@in_child(quiet=False)
def test_listed_opengl_can_be_created():
    require("opengl")
    for _ in range(2):
        rt = Runtime("opengl")
        x = rt.full(10, 3.0)
        assert x.to_numpy().sum() == 30
        thread = Background(x.to_numpy)
        assert_raises(ValueError, thread.finish, match="only by the thread that created it")
        rt.close()


@pytest.mark.slow(but="vulkan")
@pytest.mark.usefixtures("c_library")
@in_child
def test_runtime_is_used_beside_every_other_arch(arch, basic):
    others = [Runtime(other) for other in taichi_aot.available_archs()]
    rt, saxpy = load_saxpy(arch, basic)
    with rt:
        x = rt.full(10, 1.0, "f32")
        for i in range(5):
            saxpy(1.0, x, x)
            for other in others:
                assert other.full(3, i, "i32").to_numpy().tolist() == [i] * 3
        assert x.to_numpy()[0] == 32
    for other in others:
        other.close()


@pytest.mark.slow(but="vulkan")
@in_child
def test_runtime_is_used_after_the_creating_thread_ended(arch, basic):
    box = []

    def create():
        rt, saxpy = load_saxpy(arch, basic)
        box.append((rt, saxpy, rt.full(10, 1.0, "f32")))

    run_together(create, create, create)
    for rt, saxpy, x in box:
        saxpy(1.0, x, x)
        assert x.to_numpy()[0] == 2
        rt.close()


@pytest.mark.slow(but="vulkan")
@in_child
def test_runtime_is_closed_without_waiting(arch, basic):
    for _ in range(5):
        rt = Runtime(arch)
        spin = rt.load_module(basic).kernels["spin"]
        out = rt.zeros(100, "i32")
        for _ in range(50):
            spin(1000, out)
        rt.close()


@pytest.mark.parametrize("close", [True, False])
@pytest.mark.slow
@in_child
def test_runtime_returns_its_memory(arch, close):
    Runtime(arch).close()
    before = resident_bytes()
    for _ in range(4):
        rt = Runtime(arch)
        arrays = [rt.full(16 << 20, 1, "u8") for _ in range(16)]
        assert resident_bytes() - before > 200 << 20 or not is_on_host(arch)
        if close:
            rt.close()
        del rt, arrays
        gc.collect()
    assert resident_bytes() - before < 100 << 20, resident_bytes() - before


@pytest.mark.parametrize("order", ["before", "after"])
@needs_taichi
@pytest.mark.slow(but="*after")
@in_child(quiet=False)  # the compiler logs
def test_taichi_works_in_the_same_process(arch, basic, order):
    """Use a runtime beside Taichi, whose package has its own copy of the library's code and LLVM."""
    warnings.simplefilter("ignore")  # Taichi warns
    if order == "before":
        triple = _compiled_triple()
        _check_triple(triple)
    rt, saxpy = load_saxpy(arch, basic)
    _check_saxpy(rt, saxpy)
    if order == "after":
        triple = _compiled_triple()
        _check_triple(triple)
    _check_saxpy(rt, saxpy)
    _check_triple(triple)
    rt.close()


def test_capabilities_are_those_of_the_device(rt):
    if rt.arch.is_llvm:
        assert dict(rt.capabilities) == {}
    else:
        assert rt.capabilities[Capability.SPIRV_VERSION] >= 0x10000
    with pytest.raises(TypeError):
        rt.capabilities[Capability.SPIRV_VERSION] = 1


def test_synchronize_is_wait():
    assert Runtime.synchronize is Runtime.wait


def test_every_use_after_close_raises(arch, modules):
    rt = Runtime(arch)
    module = rt.load_module(modules / "basic.tcm")
    kernel = module.kernels["saxpy"]
    array, memory = rt.zeros(4), rt.allocate(16, host_read=True, host_write=True)
    launch = kernel.bind(1.0, array, array)
    assert not any(thing.closed for thing in (rt, module, array, memory))
    rt.close()
    rt.close()
    assert all(thing.closed for thing in (rt, module, array, memory))
    uses = [
        rt.wait,
        rt.flush,
        lambda: rt.zeros(4),
        lambda: rt.allocate(4),
        lambda: rt.load_module(modules / "basic.tcm"),
        lambda: module.kernels["iota"],
        lambda: module.graphs["twice"],
        lambda: kernel(1.0, array, array),
        lambda: launch.update(**{kernel.signature.parameters[0].name: 1.0}),
        array.to_numpy,
        lambda: array.write([0, 0, 0, 0]),
        lambda: array.fill(1),
        lambda: array.map().__enter__(),
        memory.read,
        lambda: memory.write(b"1"),
        lambda: memory.map().__enter__(),
        rt.__enter__,
        array.__enter__,
    ]
    for use in uses:
        with pytest.raises(ValueError, match="closed"):
            use()
    for thing in (module, array, memory):
        thing.close()


@pytest.mark.usefixtures("c_library")
@pytest.mark.parametrize("value", ["", "false", "2"])
def test_switch_that_is_neither_0_nor_1_is_a_value_error(arch, modules, monkeypatch, value):
    if arch.is_cpu:
        pytest.skip("launches on CPUs are not recorded")
    name = f"TAICHI_AOT_{arch.name}_RECORDING"
    monkeypatch.setenv(name, value)
    with Runtime(arch) as rt:
        with pytest.raises(ValueError, match=f"^the environment variable {name} must be 0 or 1, not {value!r}$"):
            rt.load_module(modules / "basic.tcm")
        monkeypatch.setenv(name, "0")
        assert rt.load_module(modules / "basic.tcm").kernels
