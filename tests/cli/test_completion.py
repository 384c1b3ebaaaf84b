"""Completion of the command line: what argcomplete is told, and the script for shells."""

from __future__ import annotations

import itertools
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from argcomplete import CompletionFinder
from helpers.child import child_environment

from taichi_aot import inspect
from taichi_aot.cli.main import COMMANDS, main, make_parser
from taichi_aot.demo import mpm88

# What is typed, and the line that Tab makes of it.
LINES = {
    "ins": "inspect ",
    "validate --ar": "validate --arch ",
    "validate --arch cud": "validate --arch cuda ",
    "build --arch x64,vul": "build --arch x64,vulkan ",
    "inspect flu": "inspect fluid.tib ",
    "inspect fluid.tib --kernel cl": "inspect fluid.tib --kernel clear_grid ",
    "inspect ~/fluid.tib --kernel cl": "inspect ~/fluid.tib --kernel clear_grid ",
    "bench --arch x64 fluid.tib sub": "bench --arch x64 fluid.tib substep ",
    "run fluid.tib cl": "run fluid.tib clear_grid ",
    "demo --arch vul": "demo --arch vulkan ",
    "completion z": "completion zsh ",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a module."""
    (tmp_path / "fluid.tib").write_bytes(mpm88.bundle_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def completions(line: str) -> list[str]:
    """The lines that argcomplete offers."""
    finder = CompletionFinder(make_parser(), always_complete_options=False)
    return list(itertools.takewhile(bool, (finder.rl_complete(line, state) or "" for state in itertools.count())))


@pytest.mark.parametrize("line", LINES)
def test_line(line: str, folder: Path) -> None:
    assert completions(line) == [LINES[line]]


def test_commands_are_offered_without_options() -> None:
    assert completions("") == [command.name for command in COMMANDS]


def test_kernels_are_not_offered_before_the_module() -> None:
    assert completions("inspect --kernel cl") == []


def test_names_that_a_shell_would_expand_are_not_offered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = inspect("fluid.tib")
    names = ("`touch${IFS}x`", "$HOME", "\x1b[2J", "*", "sound")
    hostile = replace(info, kernels=dict.fromkeys(names, next(iter(info.kernels.values()))), graphs={})
    monkeypatch.setattr("taichi_aot.cli._options.inspect", lambda source: hostile)
    assert completions("run fluid.tib ") == ["run fluid.tib sound "]


def test_bash(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The shell asks the program, which answers instead of running the command."""
    if shutil.which("bash") is None:
        pytest.skip("needs bash")
    assert main(["completion", "bash"]) == 0
    program = folder / "taichi-aot"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m taichi_aot "$@"\n')
    program.chmod(0o755)
    lines = ("run fluid.tib cl", "build --arch=x64,vul")
    asked = "\n".join(
        f"COMP_LINE='taichi-aot {line}' COMP_POINT={len('taichi-aot ' + line)} COMP_TYPE=9\n"
        'COMP_WORDBREAKS="="; _python_argcomplete ./taichi-aot; echo "$? ${COMPREPLY[*]}"'
        for line in lines
    )
    script = f"{capfd.readouterr().out}\n{asked}\ncomplete -p taichi-aot"
    done = subprocess.run(
        ["bash", "-c", script], env=child_environment(), capture_output=True, text=True, timeout=600, check=True
    )
    assert done.stdout.splitlines() == [
        "0 clear_grid ",
        "0 x64,vulkan ",
        "complete -o bashdefault -o default -o nospace -F _python_argcomplete taichi-aot",
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script(shell: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert re.search("_ARGCOMPLETE[= ]1", capfd.readouterr().out)


def test_without_argcomplete(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "argcomplete.shell_integration", None)
    assert main(["completion", "bash"]) == 3
    assert "pip install argcomplete\n" in capfd.readouterr().err
    # A shell that asks gets no answer: the command does not run.
    monkeypatch.setitem(sys.modules, "argcomplete", None)
    monkeypatch.setenv("_ARGCOMPLETE", "1")
    assert main(["devices"]) == 3
    assert capfd.readouterr().out == ""


def test_argcomplete_is_imported_only_where_it_is_used() -> None:
    program = (
        "import sys; from taichi_aot.cli.main import main; main(['--help']); assert 'argcomplete' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], env=child_environment(), stdout=subprocess.DEVNULL, check=True)
