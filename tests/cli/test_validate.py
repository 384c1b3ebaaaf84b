"""The command ``validate``."""

from taichi_aot import Arch
from taichi_aot.__main__ import main
from taichi_aot.demo import mpm88


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


def test_missing_file_exits_with_2(tmp_path, capfd):
    path = tmp_path / "missing.tcm"
    assert main(["validate", str(path)]) == 2
    assert capfd.readouterr() == ("", f"error: {path}: No such file or directory\n")
