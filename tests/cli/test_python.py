"""The command ``python``."""

import pytest

from taichi_aot import Arch, inspect
from taichi_aot.__main__ import main
from taichi_aot.build import make_python
from taichi_aot.demo import mpm88


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "fluid.tcm"
    path.write_bytes(mpm88.module_bytes(Arch.X64))
    return path


def test_python_module_is_printed(path, capfd):
    assert main(["python", str(path)]) == 0
    printed = capfd.readouterr()
    assert printed.out == make_python(inspect(path), "fluid.tcm")
    assert printed.err == ""


def test_python_module_is_written_to_a_file(path, capfd):
    output = path.parent.parent / f"{path.parent.name}_aot.py"
    assert main(["python", str(path), "-o", str(output)]) == 0
    assert output.read_bytes().decode() == make_python(inspect(path), f"{path.parent.name}/fluid.tcm")
    assert capfd.readouterr() == ("", "")
    output.unlink()


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("hand_written.py", "hand_written.py was not written by taichi-aot: choose another name"),
        ("below/x.py", "fluid.tcm must be in the folder of "),
    ],
)
def test_wrong_output_is_an_error(path, output, message, capfd):
    path.with_name("below").mkdir()
    path.with_name("hand_written.py").write_text("answer = 42")
    before = path.read_bytes()
    assert main(["python", str(path), "-o", str(path.parent / output)]) == 2
    printed = capfd.readouterr()
    assert printed.err.startswith("error: ")
    assert message in printed.err
    assert path.read_bytes() == before
