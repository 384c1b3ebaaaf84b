"""Fixtures: the archs under test, modules compiled for them, and child processes for what could end the process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers.archs import ARCHS, need
from helpers.machine import is_on_host

import taichi_aot
from taichi_aot import Arch, Runtime

TESTS = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="try many more mutants of module files")


@pytest.fixture
def slow(request: pytest.FixtureRequest) -> bool:
    """Whether the slow mode was asked for."""
    return bool(request.config.getoption("--slow"))


@pytest.fixture(scope="session")
def available() -> tuple[Arch, ...]:
    return taichi_aot.available_archs()


@pytest.fixture(params=ARCHS)
def arch(request: pytest.FixtureRequest, available: tuple[Arch, ...]) -> Arch:
    """Each arch under test."""
    return _available(request.param, available)


@pytest.fixture
def on_host(arch: Arch) -> bool:
    """Whether the arrays of the arch under test are in host memory, so that views of them are not copies."""
    return is_on_host(arch)


@pytest.fixture
def cuda_arch(available: tuple[Arch, ...]) -> Arch:
    """For tests of CUDA alone."""
    return _available("cuda", available)


def _available(name: str, available: tuple[Arch, ...]) -> Arch:
    if Arch(name) not in available:
        need(name, "no such device on this machine")
    return Arch(name)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Folder with the modules for an arch that ``compile_modules.py`` writes."""
    folders: dict[str, Path] = {}

    def compile_for(arch: str) -> Path:
        arch = str(arch)
        if arch not in folders:
            folder = tmp_path_factory.mktemp(f"modules_{arch}")
            command = [sys.executable, str(TESTS / "helpers" / "compile_modules.py"), arch, str(folder)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
            if done.returncode != 0:
                need(arch, f"the modules cannot be compiled: {done.stderr[-2000:]}")
            folders[arch] = folder
        return folders[arch]

    return compile_for


@pytest.fixture
def modules(arch: Arch, compiled: Callable[[str], Path]) -> Path:
    """The folder of compiled modules for the arch under test."""
    return compiled(str(arch))


@pytest.fixture
def rt(arch: Arch) -> Iterator[Runtime]:
    with Runtime(arch) as runtime:
        yield runtime


@pytest.fixture
def module(rt: Runtime, modules: Path) -> taichi_aot.AotModule:
    return rt.load_module(modules / "basic.tcm")


Child = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def child(tmp_path: Path) -> Child:
    """Runs code in a child process with a time limit; by default it must exit 0 with nothing on stderr."""

    def run(
        code: str, *args: object, env: dict[str, str | None] | None = None, timeout: float = 60, quiet: bool = True
    ) -> subprocess.CompletedProcess[str]:
        script = tmp_path / "child.py"
        script.write_text(code)
        merged = {**os.environ, **(env or {})}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-X", "faulthandler", str(script), *map(str, args)],
            env={name: value for name, value in merged.items() if value is not None},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        if quiet:
            assert done.stderr == ""
        return done

    return run
