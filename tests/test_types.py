"""What type checkers say about the package and about uses of it."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
USES = ROOT / "tests" / "types"
NAMES = ("right.py", "wrong.py")


def need(checker: str) -> None:
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")


def run(*arguments: str) -> str:
    """What a type checker prints; its exit status only says whether it found errors."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def expected_errors(checker: str) -> set[tuple[str, int, str]]:
    """(file, line, rule) of each comment in the files of uses."""
    return {
        (name, number, rule)
        for name in NAMES
        for number, line in enumerate((USES / name).read_text(encoding="utf-8").splitlines(), 1)
        for rule in re.findall(rf"\b{checker}: ([\w-]+)", line.partition("  # ")[2])
    }


def test_mypy_finds_the_wrong_uses_alone():
    need("mypy")
    output = run("mypy", "--config-file", "pyproject.toml", *(str(USES / name) for name in NAMES))
    found = re.findall(r"(\w+\.py):(\d+): error: .*\[([\w-]+)\]$", output, re.MULTILINE)
    assert {(name, int(line), rule) for name, line, rule in found} == expected_errors("mypy"), output


def test_pyright_finds_the_wrong_uses_alone(tmp_path):
    need("pyright")
    settings = {"include": [os.path.relpath(USES, tmp_path)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    output = json.loads(run("pyright", "-p", str(tmp_path), "--pythonpath", sys.executable, "--outputjson"))
    found = {
        (Path(error["file"]).name, error["range"]["start"]["line"] + 1, error["rule"])
        for error in output["generalDiagnostics"]
        if error["severity"] == "error"
    }
    assert found == expected_errors("pyright"), output["generalDiagnostics"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("mypy",),
        ("pyright", "--pythonpath", sys.executable),
        ("pyright", "--pythonpath", sys.executable, "--verifytypes", "taichi_aot", "--ignoreexternal"),
    ],
    ids=["mypy", "pyright", "verifytypes"],
)
def test_package_is_typed(arguments):
    need(arguments[0])
    output = run(*arguments)
    assert re.search(r"^(Success: no issues|0 errors|Type completeness score: 100%)", output, re.MULTILINE), output


def test_stub_describes_the_extension():
    """taichi_aot/_capi.pyi is what .ci/make_stub.py writes."""
    code = "import sys; sys.path.insert(0, '.ci'); import make_stub; print(make_stub.make_stub(), end='')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout == (ROOT / "taichi_aot" / "_capi.pyi").read_text(encoding="utf-8"), "run .ci/make_stub.py"
