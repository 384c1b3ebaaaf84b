"""Run type checkers, and read the errors that comments in the files expect."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

Error = tuple[str, int, str]  # file name, line, rule


def need(checker: str) -> None:
    """Skip the test if the checker is not installed."""
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")


def run(*arguments: str) -> str:
    """Return what a type checker prints; its exit status only says whether it found errors."""
    # `pyright --verifytypes` ignores --pythonpath and asks the Python on PATH for packages.
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def expected_errors(checker: str, files: Iterable[Path]) -> set[Error]:
    """Return an error for each rule in a comment ``# mypy: rule; pyright: rule``."""
    return {
        (path.name, number, rule)
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for rule in re.findall(rf"\b{checker}: ([\w-]+)", line.partition("  # ")[2])
    }


def mypy_errors(files: Iterable[Path]) -> tuple[set[Error], str]:
    """Return the errors that mypy finds with the project's settings, and its output."""
    need("mypy")
    output = run("mypy", "--config-file", "pyproject.toml", *map(str, files))
    found = re.findall(r"(\w+\.pyi?):(\d+): error: .*\[([\w-]+)\]$", output, re.MULTILINE)
    return {(name, int(line), rule) for name, line, rule in found}, output


def pyright_errors(folder: Path, settings_folder: Path, settings: Mapping[str, object]) -> tuple[set[Error], str]:
    """Return the errors that pyright finds in a folder, and its output; write its settings to another folder."""
    need("pyright")
    whole = {"include": [os.path.relpath(folder, settings_folder)], **settings}
    (settings_folder / "pyrightconfig.json").write_text(json.dumps(whole), encoding="utf-8")
    output = run("pyright", "-p", str(settings_folder), "--pythonpath", sys.executable, "--outputjson")
    found = {
        (Path(error["file"]).name, error["range"]["start"]["line"] + 1, error["rule"])
        for error in json.loads(output)["generalDiagnostics"]
        if error["severity"] == "error"
    }
    return found, output
