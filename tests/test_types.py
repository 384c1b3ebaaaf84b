"""Type checkers accept the package, the Python modules of bundles and their right uses, and report the wrong ones."""

import re
import shutil
import sys
from pathlib import Path

import pytest
from helpers.checkers import expected_errors, mypy_errors, need, pyright_errors, run
from helpers.made_infos import EMPTY, HOSTILE, USUAL

from taichi_aot.build import make_python

USES = Path(__file__).parent / "types"


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A folder with the Python modules of bundles, and uses of them and of the package."""
    folder = tmp_path_factory.mktemp("types")
    for name, info in (("kernels", USUAL), ("hostile", HOSTILE), ("empty", EMPTY)):
        (folder / f"{name}_aot.py").write_text(make_python(info, f"{name}.tib"), encoding="utf-8")
    for path in USES.glob("*.py"):
        shutil.copy(path, folder)
    return folder


def test_mypy_finds_only_the_wrong_uses(sources):
    files = sorted(sources.glob("*.py"))
    found, output = mypy_errors(files)
    assert found == expected_errors("mypy", files), output


@pytest.mark.slow
def test_pyright_finds_only_the_wrong_uses(sources):
    strict = [*(path.name for path in sources.glob("*_aot.py")), "planted.py", "uses.py"]
    found, output = pyright_errors(sources, sources, {"strict": strict})
    expected = expected_errors("pyright", sources.glob("*.py"))
    lines = {(name, line) for name, line, _ in expected}
    # Ignore unknown types in lines with an error: they follow from it.
    assert {error for error in found if error[:2] not in lines or "Unknown" not in error[2]} == expected, output


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
