"""The command ``validate``."""

import json

import pytest
from helpers.archives import pack, read_archive

from taichi_aot import Arch, devices
from taichi_aot.__main__ import main
from taichi_aot.demo import mpm88


@pytest.mark.slow
def test_sound_module_exits_with_0(arch, tmp_path, capfd):
    path = tmp_path / "fluid.tcm"
    path.write_bytes(mpm88.module_bytes(arch))
    assert main(["validate", str(path), "--arch", str(arch)]) == 0
    printed = capfd.readouterr()
    assert printed.out.startswith(f"{path} ({arch}): ok\n    read: ok\n    load: ok\n    kernel ")
    assert printed.out.endswith("    graph substep: ok\n")
    assert printed.err == ""


def test_damaged_module_exits_with_1(tmp_path, capfd):
    path = tmp_path / "cut.tcm"
    path.write_bytes(mpm88.module_bytes(Arch.X64)[:1000])
    assert main(["validate", str(path)]) == 1
    printed = capfd.readouterr()
    assert printed.out.startswith(f"{path}: 1 of 1 steps failed\n    read: error: CorruptedDataError: {path} is ")
    assert printed.err == ""


@pytest.mark.slow
def test_crashing_kernel_exits_with_4_and_is_named(untrusted, capfd):
    path = untrusted("x64")
    for timeout in ("3", "30", "300"):  # on a busy machine other steps may time out too
        assert main(["validate", str(path), "--arch", "cpu", "--timeout", timeout]) == 4
        printed = capfd.readouterr()
        if printed.out.count(": timed out: ") == 1:
            break
    cause = "usually an integer division by zero"
    assert f"    kernel divide: crashed: SIGFPE, {cause}, launched with made-up arguments\n" in printed.out
    assert f"    kernel forever: timed out: after {timeout} s\n" in printed.out
    assert printed.err == (
        f"error: kernel divide of {path} ended its process on x64: SIGFPE, usually an integer division by zero, "
        "launched with made-up arguments\n"
    )


def test_code_that_crashes_the_library_exits_with_4(untrusted, tmp_path, capfd):
    path = tmp_path / "damaged.tcm"
    files = read_archive(untrusted("x64"))
    path.write_bytes(pack({name: d.replace(b"@llvm.smax.i32", b"@no_such_function") for name, d in files.items()}))
    assert main(["validate", str(path), "--json"]) == 4
    printed = capfd.readouterr()
    report = json.loads(printed.out)
    assert not report["ok"]
    assert [step["outcome"] for step in report["reports"][0]["steps"]] == ["ok", "crashed"]
    assert printed.err.startswith(f"error: loading {path} ended its process on x64: SIGABRT after ")


@pytest.mark.slow
def test_bundle_is_validated_on_every_available_arch(tmp_path, capfd):
    path = tmp_path / "fluid.tib"
    path.write_bytes(mpm88.bundle_bytes())
    assert main(["validate", str(path), "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer["ok"]
    usable = [str(device.arch) for device in devices() if device.arch in mpm88.ARCHS]
    assert sorted(report["arch"] for report in answer["reports"]) == sorted(set(usable))
    for report in answer["reports"]:
        assert report["ok"]
        assert [step["action"] for step in report["steps"]] == ["read", "load", *["kernel"] * 4, "graph"]
        assert {step["outcome"] for step in report["steps"]} == {"ok"}
