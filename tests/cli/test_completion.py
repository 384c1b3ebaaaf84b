"""The command ``completion``, by the shells that read its scripts."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.child import child_environment

from taichi_aot.cli.main import COMMANDS, main
from taichi_aot.demo import mpm88

# The words up to the cursor, and what the shell makes of the last one.
UNIQUE = [
    (["ins"], "inspect"),
    (["validate", "--ar"], "--arch"),
    (["validate", "--arch", "cud"], "cuda"),
    (["build", "--arch", "x64,vul"], "x64,vulkan"),
    (["inspect", "flu"], "fluid.tib"),
    (["inspect", "fluid.tib", "--kernel", "cl"], "clear_grid"),
    (["bench", "--arch", "x64", "fluid.tib", "sub"], "substep"),
    (["stubs", "fluid.tib", "--out"], "--output"),
    (["run", "fluid.tib", "cl"], "clear_grid"),
    (["bench", "--compare", "flu"], "fluid.tib"),
    (["demo", "nb"], "nbody"),
    (["completion", "z"], "zsh"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A module, and the program for the shells to find."""
    (tmp_path / "fluid.tib").write_bytes(mpm88.bundle_bytes())
    program = tmp_path / "bin" / "taichi-aot"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m taichi_aot "$@"\n')
    program.chmod(0o755)
    return tmp_path


def environment(folder: Path) -> dict[str, str]:
    inherited = child_environment()
    return {**inherited, "PATH": f"{folder / 'bin'}:{inherited['PATH']}", "HOME": str(folder), "TERM": "dumb"}


def shell_script(shell: str, capfd: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capfd.readouterr().out


def run_shell(shell: str, script: str, folder: Path) -> list[str]:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    done = subprocess.run(
        [shell, "-c", script],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.slow
def test_bash(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    function = 'complete_it() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _taichi_aot; echo "${COMPREPLY[*]}"; }'
    cases = [(words, "" if word == "fluid.tib" else word) for words, word in UNIQUE]  # readline has the files
    cases += [
        (["b"], "bench build bundle"),
        (["build", "--arch", "="], "x64 vulkan cuda opengl cpu gpu metal gles"),
        (["validate", "--arch", "=", "vul"], "vulkan"),
        (["bench", "--arch", "=", "x64", "fluid.tib", "sub"], "substep"),
        (["inspect", "nothing.tib", "--kernel", "a"], ""),
    ]
    lines = "\n".join(f"complete_it taichi-aot {shlex.join(words)}" for words, _ in cases)
    found = run_shell("bash", f"{shell_script('bash', capfd)}\n{function}\n{lines}", folder)
    assert [line.replace("arm64 ", "") for line in found] == [expected for _, expected in cases]


def test_bash_falls_back_to_files(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = run_shell("bash", f"{shell_script('bash', capfd)}\ncomplete -p taichi-aot", folder)
    assert found == ["complete -o default -F _taichi_aot taichi-aot"]


def test_fish(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = "\n".join(f"complete -C {shlex.quote(shlex.join(['taichi-aot', *words]))}" for words, _ in UNIQUE)
    found = run_shell("fish", f"{shell_script('fish', capfd)}\n{lines}", folder)
    assert [line.split("\t")[0] for line in found] == [expected for _, expected in UNIQUE]


def test_fish_offers_the_commands_with_their_summaries(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = run_shell("fish", f"{shell_script('fish', capfd)}\ncomplete -C 'taichi-aot '", folder)
    assert sorted(found) == sorted(f"{command.name}\t{command.summary}" for command in COMMANDS)


def test_zsh(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """In a terminal, because zsh completes only there: a key writes the line to a file once Tab has completed it."""
    if shutil.which("zsh") is None:
        pytest.skip("needs zsh")
    pty = pytest.importorskip("pty")
    (folder / "_taichi-aot").write_text(shell_script("zsh", capfd))
    (folder / ".zshrc").write_text(
        "autoload -Uz compinit; compinit -D -u; source ./_taichi-aot\n"
        "note() { print -r -- $BUFFER >> lines.txt; BUFFER=; }\n"
        "zle -N note; bindkey '^T' note; setopt no_beep; PS1=; touch lines.txt\n"
    )
    lines = folder / "lines.txt"
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe("zsh", ["zsh", "-i"], environment(folder))
    try:
        wait_for(lines.exists)
        for number, (words, _) in enumerate(UNIQUE, 1):
            os.write(terminal, f"taichi-aot {' '.join(words)}\t\x14".encode())
            wait_for(lambda number=number: len(lines.read_text().splitlines()) == number)
    finally:
        os.close(terminal)
        os.waitpid(process, 0)
    found = [line.split()[-1].rstrip(",=") for line in lines.read_text().splitlines()]
    assert found == [expected for _, expected in UNIQUE]


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_names_that_a_shell_would_expand_are_not_offered(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """bash expands the words that it offers, and a module of others has any names."""
    program = folder / "bin" / "taichi-aot"
    program.write_text(
        "#!/bin/sh\nprintf 'kernels:\\n    `touch${IFS}x`(a: f32)\\n    $HOME(a: f32)\\n    sound(a: f32)\\n'\n"
    )
    function = 'COMP_WORDS=(taichi-aot bench fluid.tib ""); COMP_CWORD=3; _taichi_aot; echo "${COMPREPLY[*]}"'
    assert run_shell("bash", f"{shell_script('bash', capfd)}\n{function}", folder) == ["sound"]


def test_unknown_shell(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "(choose from " in capfd.readouterr().err
