"""Two compilations of one source give the same bytes."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.archives import described, join
from helpers.archs import need

from taichi_aot import Arch, inspect

COMPILER = Path(__file__).parent.parent / "helpers" / "compile_small.py"


def compile_small(arch, folder):
    """Compile the module from a source in a new folder."""
    folder.mkdir(parents=True)
    source, path = shutil.copy(COMPILER, folder), folder / "small.tcm"
    command = [sys.executable, str(source), arch, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=folder)
    if done.returncode != 0:
        need(arch, f"the module cannot be compiled: {done.stderr[-2000:]}")
    return path


@pytest.fixture(scope="session", params=["x64", "vulkan"])
def twice(request, tmp_path_factory):
    """The same module compiled in two folders at different times."""
    folder = tmp_path_factory.mktemp("twice")
    first = compile_small(request.param, folder / "one")
    time.sleep(1.1)  # Taichi's files contain the time in seconds
    second = compile_small(request.param, folder / "a second folder")
    return Arch(request.param), first, second


@pytest.mark.slow(but="x64")
def test_modules_of_two_compilations_are_equal(twice):
    _, first, second = twice
    assert first.read_bytes() != second.read_bytes()  # as Taichi writes them
    assert described(first) == described(second)


@pytest.mark.slow(but="x64")
def test_bundles_of_two_compilations_are_equal(twice):
    arch, first, second = twice
    bundles = [join({arch: path}) for path in (first, second)]
    assert bundles[0] == bundles[1]
    info = inspect(bundles[0])
    assert list(info.kernels) == ["total", "scale"]
    assert list(info.graphs) == ["once"]
    assert info.modules[arch].has_fields
