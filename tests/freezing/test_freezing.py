"""Programs frozen by PyInstaller and Nuitka, with the commands of docs/shipping.md, run without Python."""

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
SHIPPING = HERE.parents[1] / "docs" / "shipping.md"
BUILD_MINUTES = 60


def command_of(tool):
    """Return the command in docs/shipping.md that freezes ``program.py`` with a tool."""
    (command,) = re.findall(rf"^.*{tool}.* program\.py$", SHIPPING.read_text(encoding="utf-8"), re.MULTILINE)
    return command


@pytest.fixture
def freeze(tmp_path):
    """A function that freezes the program in a new folder and returns the folder."""
    if not importlib.metadata.entry_points(group="pyinstaller40", name="hook-dirs"):
        pytest.skip("the package is not installed: an entry point leads to its hooks")

    def build(tool, *options):
        pytest.importorskip("PyInstaller" if "pyinstaller" in tool else "nuitka")
        (tmp_path / "program.py").write_text((HERE / "program.py").read_text(encoding="utf-8"))
        command = command_of(tool).replace(" program.py", f" {' '.join(options)} program.py")
        command = command.replace("pyinstaller", "python -m PyInstaller").replace("python ", f"'{sys.executable}' ")
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=BUILD_MINUTES * 60, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return tmp_path

    return build


def run_frozen(program, arch, folder):
    """Run the program in an empty folder, without variables that lead to Python."""
    empty = folder / "empty"
    empty.mkdir(exist_ok=True)
    done = subprocess.run(
        [str(program), arch], env={}, cwd=empty, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    falls, refused = done.stdout.splitlines()
    assert falls == f"it falls on {arch}, computed by the bundled library"
    assert refused.startswith("a frozen program cannot start Python")


@pytest.mark.parametrize(("option", "program"), [("--onedir", "dist/program/program"), ("--onefile", "dist/program")])
def test_program_frozen_by_pyinstaller_runs(option, program, freeze, available):
    folder = freeze(f"pyinstaller {option}", "--noconfirm", "--exclude-module PIL")
    for arch in {"x64", "vulkan"} & {str(arch) for arch in available}:
        run_frozen(folder / program, arch, folder)


def test_program_frozen_by_nuitka_runs(freeze, available):
    # Leave numpy as bytecode: compiling it takes half an hour and is not tested here.
    plugin = f"--user-plugin={HERE / 'bytecode.py'}"
    folder = freeze("nuitka", plugin, "--nofollow-import-to=PIL", "--lto=no")
    for arch in {"x64", "vulkan"} & {str(arch) for arch in available}:
        run_frozen(folder / "program.dist" / "program.bin", arch, folder)
