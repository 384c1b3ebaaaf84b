"""The command ``stubs``."""

import pytest

from taichi_aot import Arch, inspect
from taichi_aot.__main__ import main
from taichi_aot.demo import mpm88
from taichi_aot.stubs import make_stubs


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "fluid.tcm"
    path.write_bytes(mpm88.module_bytes(Arch.X64))
    return path


def test_stubs_are_printed(path, capfd):
    assert main(["stubs", str(path)]) == 0
    printed = capfd.readouterr()
    assert printed.out == make_stubs(inspect(path))
    assert printed.err == ""


def test_stubs_are_written_to_a_file(path, capfd):
    output = path.with_suffix(".pyi")
    assert main(["stubs", str(path), "-o", str(output), "--class-name", "Fluid"]) == 0
    assert output.read_bytes().decode() == make_stubs(inspect(path), "Fluid")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--class-name", "class"], "the class cannot be named 'class'"), (["-o", "missing/x.pyi"], "missing")],
)
def test_wrong_class_name_or_output_is_an_error(path, arguments, message, capfd):
    assert main(["stubs", str(path), *arguments]) == 2
    printed = capfd.readouterr()
    assert printed.err.startswith("error: ")
    assert message in printed.err


@pytest.mark.parametrize("name", ["fluid.tcm", "fluid.py"])
def test_stubs_are_written_only_to_a_pyi_file(path, name, capfd):
    output = path.with_name(name)
    before = output.exists() and output.read_bytes()
    assert main(["stubs", str(path), "-o", str(output)]) == 2
    assert f"the file must end in .pyi, not '{output}'" in capfd.readouterr().err
    assert (output.exists() and output.read_bytes()) == before
