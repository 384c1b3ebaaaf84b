"""The command line as a program: its usage, and what an interrupt does."""

import re
import signal
import subprocess
import sys
from importlib.metadata import entry_points

import pytest
from helpers.sources import FILL

import taichi_aot
from taichi_aot import Arch
from taichi_aot.cli.main import COMMANDS, main
from taichi_aot.demo import mpm88


def test_help_lists_the_commands(capfd):
    assert main(["--help"]) == 0
    out = capfd.readouterr().out
    assert re.findall(r"^    ([a-z]+) ", out, re.MULTILINE) == [command.name for command in COMMANDS]
    assert main([]) == 0
    assert capfd.readouterr() == (out, "")


def test_program_called_bare_prints_its_help(capfd, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["taichi-aot"])
    assert main() == 0
    assert capfd.readouterr().out.startswith("usage: taichi-aot ")


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_help_of_a_command_fits_the_terminal(name, capfd, monkeypatch):
    helps = {}  # without the usage, which argparse breaks only between options
    for columns in (40, 80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main([name, "--help"]) == 0
        shown = capfd.readouterr().out
        assert "\x1b" not in shown
        helps[columns] = shown.partition("\n\n")[2]
        assert max(map(len, helps[columns].splitlines())) <= columns
    assert len({"".join(text.split()) for text in helps.values()}) == 1
    assert helps[40].count("\n") > helps[80].count("\n")


def test_version_names_the_library(capfd):
    assert main(["-V"]) == main(["--version"]) == 0
    assert capfd.readouterr().out == 2 * (
        f"taichi_aot {taichi_aot.__version__}\n"
        f"library: C-API {'.'.join(map(str, taichi_aot.library_version()))} of Taichi 1.7.4 "
        f"in {taichi_aot.library_path()} (bundled with taichi_aot)\n"
    )


@pytest.mark.slow(but="run")
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("command", ["demo", "run", "bench", "validate", "build"])
def test_interrupt_prints_no_traceback(command, tmp_path):
    module = tmp_path / "fluid.tcm"
    module.write_bytes(mpm88.module_bytes(Arch.X64))
    source = tmp_path / "kernels.py"
    source.write_text(FILL)
    arguments = {
        "demo": ["--steps", "1000000", "--arch", "x64"],
        "run": [str(module), "clear_grid", "momentum=zeros:8x8", "mass=zeros", "--repeat", "100000000"],
        "bench": [str(module), "clear_grid"],
        "validate": [str(module)],
        "build": [str(source), "--arch", "x64"],
    }
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from taichi_aot.__main__ import main; print('started', flush=True); sys.exit(main())"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", code, command, *arguments[command]], cwd=tmp_path, stdout=pipe, stderr=pipe, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "error" not in stderr
    assert "Traceback" not in stderr
    assert not list(tmp_path.glob("*.tib"))


def test_entry_point_is_main():
    scripts = [entry for entry in entry_points(group="console_scripts") if entry.name == "taichi-aot"]
    if not scripts:
        pytest.skip("needs an installation")
    assert scripts[0].load() is main
