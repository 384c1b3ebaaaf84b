"""Type checkers accept the package and its right uses, and report the wrong ones."""

import re
import sys
from pathlib import Path

import pytest
from helpers.checkers import expected_errors, mypy_errors, need, pyright_errors, run

ROOT = Path(__file__).parent.parent
USES = ROOT / "tests" / "types"
FILES = (USES / "right.py", USES / "wrong.py")


def test_mypy_finds_only_the_wrong_uses():
    found, output = mypy_errors(FILES)
    assert found == expected_errors("mypy", FILES), output


@pytest.mark.slow
def test_pyright_finds_only_the_wrong_uses(tmp_path):
    found, output = pyright_errors(USES, tmp_path, {})
    assert found == expected_errors("pyright", FILES), output


@pytest.mark.slow
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
