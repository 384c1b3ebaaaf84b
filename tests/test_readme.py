"""The README's code works in the order in which a user pastes it, and prints what the README shows."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.child import run_scenario

README = Path(__file__).parent.parent / "README.md"

pytestmark = pytest.mark.skipif(importlib.util.find_spec("taichi") is None, reason="needs taichi")


class Block(NamedTuple):
    """A fenced block of code; of Python it starts with a comment that names its file."""

    language: str
    text: str


def readme_blocks(arch):
    """The blocks of the README in order, with one arch in the place of another as it tells its reader to."""
    text = README.read_text(encoding="utf-8")
    text = text.replace('Runtime("x64")', f'Runtime("{arch}")').replace("arch=ti.x64", f"arch=ti.{arch}")
    return [Block(*found) for found in re.findall(r"^```(python|console)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)]


def save(block, folder):
    """Write a block of Python to its file, or append it where the file is said to continue; the file's name."""
    name, continued = re.match(r"# (\w+\.py)(, continued)?\n", block.text).groups()
    with open(folder / name, "a" if continued else "w", encoding="utf-8") as file:
        file.write(block.text)
    return name


def run_command(command, folder):
    """Run a command line, with the Python that runs the tests; the lines that it printed, without Taichi's banner."""
    command = command.replace("python ", f"'{sys.executable}' ", 1)
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return [line for line in done.stdout.splitlines() if not line.startswith("[Taichi]")]


def run_console(block, folder):
    """Run the commands of a console block; what a console then shows."""
    commands = re.findall(r"^\$ (.*)$", block.text, re.MULTILINE)
    return "".join(f"{line}\n" for command in commands for line in (f"$ {command}", *run_command(command, folder)))


def run_blocks(arch, folder):
    """Save and run everything; what each console block shows, and what the continued file printed at last."""
    consoles, printed = [], []
    for block in readme_blocks(arch):
        if block.language == "console":
            consoles.append((block.text, run_console(block, folder)))
        elif ", continued\n" in block.text:
            printed.append((re.findall(r"^print\(.*\)  # (.*)$", block.text, re.MULTILINE), save(block, folder)))
        else:
            save(block, folder)
    return consoles, [(shown, run_command(f"python {name}", folder)) for shown, name in printed]


def any_thread_count(text):
    """The module's information with the number of CPU threads, which is the compiling machine's, left out."""
    return re.sub(r"at most \d+ CPU", "at most N CPU", text)


def test_code_runs_in_order_and_prints_what_is_shown(arch, tmp_path):
    consoles, printed = run_blocks(arch, tmp_path)
    (saxpy_shown, saxpy), (info_shown, info), (report_shown, report) = consoles
    assert saxpy == saxpy_shown
    if arch == "x64":
        assert any_thread_count(info) == any_thread_count(info_shown)
    assert report == report_shown.replace("(x64)", f"({arch})")
    ((shown, lines),) = printed
    assert shown
    assert lines[-len(shown) :] == shown


@pytest.mark.parametrize("length", [0, 1, 1023, 5000])
def test_first_kernel_takes_arrays_of_any_length(length, arch, tmp_path):
    name = save(readme_blocks(arch)[0], tmp_path)
    run_command(f"python {name}", tmp_path)
    run_scenario("readme:saxpy_of_any_length", arch, tmp_path / "saxpy.tcm", length)
