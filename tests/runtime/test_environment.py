"""Reports of problems are complete, also if something is missing."""

import os
import platform
import re
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from helpers.archs import HAS_TAICHI
from helpers.child import run_in_child

import taichi_aot
from taichi_aot import Arch
from taichi_aot.backends import _devices as devices_module
from taichi_aot.driver import _gpus
from taichi_aot.runtime._environment import _taichi_version, make_report

INSTALL_DIR = "TAICHI_C_API_INSTALL_DIR"


def test_report_states_versions_library_and_devices():
    report = make_report()
    assert report["versions"]["taichi_aot"] == taichi_aot.__version__
    assert report["versions"]["folder"] == str(Path(taichi_aot.__file__).parent)
    assert report["versions"]["numpy"] == np.__version__
    assert report["versions"]["python"].startswith(f"{platform.python_version()}, {platform.python_implementation()}")
    assert report["library"]["path"] == taichi_aot.library_path()
    assert report["library"]["version"] == ".".join(map(str, taichi_aot.library_version()))
    assert report["library"]["error"] is report["error"] is None
    found = [(d["arch"], d["index"], d["name"], d["kind"]) for d in report["devices"]]
    assert found == [(str(d.arch), d.index, d.name, d.kind) for d in taichi_aot.devices()]


def test_every_arch_states_its_driver_or_a_reason():
    report = make_report()
    assert all(d["driver"] for d in report["devices"] if d["arch"] not in ("x64", "arm64"))
    present = {d["arch"] for d in report["devices"]}
    assert all(report["missing"].values())
    assert not present & set(report["missing"])
    assert present | set(report["missing"]) >= {"cuda", "vulkan", "opengl"}


def test_show_versions_prints_the_report():
    env = {"VK_LOADER_DEBUG": "none", "SOME_VARIABLE": "value", INSTALL_DIR: None, "TI_LIB_DIR": None}
    out = run_in_child(taichi_aot.show_versions, env=env).stdout
    lines = out.splitlines()
    assert lines[0] == f"taichi_aot: {taichi_aot.__version__}"
    assert any(line.startswith("library: C-API 1.7.0 of Taichi 1.7.4 in ") for line in lines)
    assert any(re.match("    (x64|arm64) 0( .default.)?: ", line) for line in lines)
    assert "    VK_LOADER_DEBUG=none" in lines
    # Exclude other variables, and those that loading the library sets.
    assert "SOME_VARIABLE" not in out
    assert "TI_LIB_DIR" not in out


@pytest.mark.parametrize(
    ("folder", "files", "taichi"),
    [
        ("bundle", {"ORIGIN": b"copies of taichi==1.7.9 (here)\n"}, "1.7.9"),
        ("taichi/_lib/c_api", {}, version("taichi") if HAS_TAICHI else None),
        ("elsewhere", {}, None),
        ("elsewhere", {"ORIGIN": b"\xff"}, None),
    ],
)
def test_version_of_taichi_is_read_beside_the_library(folder, files, taichi, tmp_path):
    library = tmp_path / folder / "lib" / "libtaichi_c_api.so"
    library.parent.mkdir(parents=True)
    for name, data in files.items():
        (tmp_path / folder / name).write_bytes(data)
    assert _taichi_version(library) == taichi


def test_missing_library_is_stated(tmp_path):
    out = run_in_child(taichi_aot.show_versions, env={INSTALL_DIR: str(tmp_path)}).stdout
    assert "library: the Taichi C-API library was not found. Tried:\n" in out
    assert f"    {INSTALL_DIR}={tmp_path}\n" in out
    assert re.search(r"(x64|arm64) 0( .default.)?: ", out)


def test_variable_with_a_bad_value_is_stated():
    out = run_in_child(taichi_aot.show_versions, env={"TI_ENABLE_CUDA": "abc"}).stdout
    assert "devices:\n    the environment variable TI_ENABLE_CUDA must be a 32-bit integer, not 'abc'" in out
    assert "    TI_ENABLE_CUDA=abc\n" in out


@pytest.mark.parametrize(
    ("variable", "value", "arch", "reason"),
    [
        ("TI_ENABLE_CUDA", "0", Arch.CUDA, "TI_ENABLE_CUDA=0 turns it off"),
        ("TI_VISIBLE_DEVICE", "77", Arch.VULKAN, "TI_VISIBLE_DEVICE selects device 77, which does not exist"),
    ],
)
def test_variable_that_hides_devices_is_the_stated_reason(variable, value, arch, reason, monkeypatch):
    if arch is Arch.VULKAN and not devices_module.visible_devices(arch):
        pytest.skip("has no Vulkan device")
    monkeypatch.setenv(variable, value)
    assert devices_module.missing_archs()[arch] == reason


def test_reason_without_drivers_is_the_missing_library(monkeypatch):
    monkeypatch.setattr(_gpus, "DriverLibrary", lambda *names: None)
    monkeypatch.setattr(devices_module, "vulkan_devices", list)
    missing = devices_module.missing_archs()
    assert "libcuda.so.1" in missing[Arch.CUDA]
    assert "libvulkan.so.1" in missing[Arch.VULKAN]


@pytest.mark.skipif(sys.platform != "linux", reason="is used on Linux only")
def test_crash_of_opengl_is_the_reason(monkeypatch):
    monkeypatch.setattr(_gpus._opengl, "device", "")
    monkeypatch.setattr(_gpus, "find_opengl", os.abort)  # called with an argument, which it does not take
    reason = devices_module.missing_archs()[Arch.OPENGL]
    assert re.match("a child process that asked for it crashed: exit status 1 after 'TypeError: .*abort", reason)
    monkeypatch.undo()
    assert devices_module.why_missing(Arch.OPENGL) != reason


def test_reason_after_a_fork_is_the_fork(monkeypatch):
    monkeypatch.setattr(devices_module.gpu_drivers, "lost", True)
    missing = devices_module.missing_archs()
    assert missing.keys() == {Arch.CUDA, Arch.VULKAN, Arch.OPENGL}
    assert set(missing.values()) == {"the process was forked from one that used a GPU"}


@pytest.mark.parametrize(
    ("vendor", "number", "version"),
    [(0x10005, 0x5803006, "22.3.6"), (0x10DE, 550 << 22 | 54 << 14 | 15 << 6, "550.54.15")],
)
def test_driver_version_is_decoded_by_vendor(vendor, number, version):
    assert _gpus.version_text(vendor, number) == version
