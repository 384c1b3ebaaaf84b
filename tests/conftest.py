"""Fixtures: the archs under test, modules compiled for them, and child processes for what could end the process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from helpers.archs import ARCHS, need
from helpers.machine import is_on_host
from helpers.sources import FILL

import taichi_aot
from taichi_aot import Arch, Runtime
from taichi_aot.build import build

TESTS = Path(__file__).parent
WIDE_TYPES = [f"spirv_has_{name}" for name in ("int8", "int16", "int64", "float16", "float64")]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="fuzz for hours: see docs/testing.md")
    parser.addoption("--mutants", type=int, help="mutants of each file: by default 100, with --slow 100,000")
    parser.addoption("--kernels", type=int, help="generated kernels on each arch: by default 30, with --slow 1,000")
    parser.addoption("--first-kernel", type=int, default=0, help="number of the first generated kernel")
    parser.addoption("--carried", type=Path, help="folder of modules that helpers.carry compiled on another machine")
    parser.addoption("--minutes", type=float, help="length of the random walk: by default 1/3, with --slow 60")


@pytest.fixture
def mutant_count(request: pytest.FixtureRequest) -> int:
    """How many mutants of each file of a module are tried."""
    return _option(request, "--mutants", 100, 100_000)


@pytest.fixture
def kernel_numbers(request: pytest.FixtureRequest) -> range:
    """The numbers of the generated kernels."""
    first: int = request.config.getoption("--first-kernel")
    return range(first, first + _option(request, "--kernels", 30, 1000))


@pytest.fixture(scope="session")
def carried(pytestconfig: pytest.Config) -> Path | None:
    """The folder with the modules that were compiled on another machine, if there is one."""
    folder: Path | None = pytestconfig.getoption("--carried")
    return folder.resolve() if folder else None


@pytest.fixture
def walk_minutes(request: pytest.FixtureRequest) -> float:
    """How long the random walk through the public surface takes."""
    return _option(request, "--minutes", 1 / 3, 60.0)


@pytest.fixture(scope="session")
def untrusted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The path of the module of ``compile_untrusted.py`` for an arch."""
    folder = tmp_path_factory.mktemp("untrusted")

    def compile_for(arch: str) -> Path:
        path = folder / f"{arch}.tcm"
        if not path.exists():
            command = [sys.executable, str(TESTS / "helpers" / "compile_untrusted.py"), str(arch), str(path)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            if done.returncode != 0:
                need(str(arch), f"the module cannot be compiled: {done.stderr[-2000:]}")
        return path

    return compile_for


Number = TypeVar("Number", int, float)


def _option(request: pytest.FixtureRequest, name: str, usual: Number, slow: Number) -> Number:
    value = request.config.getoption(name)
    if value is not None:
        return type(usual)(value)
    return slow if request.config.getoption("--slow") else usual


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


@pytest.fixture(scope="session")
def build_source(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str | Path, Arch | str], Path]:
    """The module that `taichi_aot.build` makes for an arch of a source: a path, or the name of a file in helpers."""
    paths: dict[tuple[Path, str], Path] = {}

    def build_for(source: str | Path, arch: Arch | str) -> Path:
        arch, source = str(arch), TESTS / "helpers" / f"{source}.py" if isinstance(source, str) else source
        if (source, arch) not in paths:
            path = tmp_path_factory.mktemp(f"built_{arch}") / f"{source.stem}.tcm"
            build(source, path, archs=[arch], caps=WIDE_TYPES)
            paths[source, arch] = path
        return paths[source, arch]

    return build_for


@pytest.fixture
def fill(tmp_path: Path) -> Path:
    """A source with one kernel that fills an array."""
    path = tmp_path / "fill.py"
    path.write_text(FILL)
    return path


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
