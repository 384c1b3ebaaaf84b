"""``taichi-aot build --watch``, code for this machine's CPU only, and compilers side by side."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from helpers.child import child_environment, run_in_child
from helpers.sources import FILL

from taichi_aot import inspect
from taichi_aot.build import BuildError, BuildResult, build
from taichi_aot.build._options import UnavailableError
from taichi_aot.build._processes import Kept, side_by_side
from taichi_aot.build._project import watch
from taichi_aot.build.code import _native, _native_code
from taichi_aot.bundle._files import NATIVE_TARGETS
from taichi_aot.cli.main import main


@pytest.fixture(autouse=True)
def short_interval(monkeypatch):
    monkeypatch.setattr("taichi_aot.build._project.INTERVAL", 0.004)


class Builder:
    """Builds like `build`, from kernels.py and helper.py, without the compiler; "error" in a file is an error."""

    def __init__(self, folder):
        self.files = (folder / "kernels.py", folder / "helper.py")
        self.during: Callable[[], object] = lambda: None
        self.count = 0
        for path in self.files:
            path.write_text("")

    def __call__(self):
        self.count += 1
        contents = b"".join(path.read_bytes() for path in self.files)
        self.during()
        if b"error" in contents:
            raise BuildError("an error")
        digest = hashlib.sha256(contents).hexdigest()
        return BuildResult(Path("kernels.tib"), (), {}, (), (), (), (), self.files, digest)


@pytest.fixture
def builder(tmp_path):
    return Builder(tmp_path)


@pytest.fixture
def results(builder):
    return watch(str(builder.files[0]), builder)


def text_of(result):
    return str(result)


def test_every_file_of_the_source_is_watched(builder, results):
    assert isinstance(next(results), BuildResult)
    for i, path in enumerate(builder.files):
        path.write_text(f"# {i}")
        assert isinstance(next(results), BuildResult)
    assert builder.count == 3


def test_errors_are_yielded_and_watching_goes_on(builder, results):
    builder.files[1].write_text("error")
    assert text_of(next(results)) == "an error"
    (builder.files[0].parent / "new.py").write_text("a file that the next build may need")
    assert text_of(next(results)) == "an error"
    builder.files[1].write_text("")
    assert isinstance(next(results), BuildResult)


def test_change_during_a_build_is_built(builder, results):
    builder.during = lambda: builder.files[1].write_text("# changed")
    first, second = next(results), next(results)
    assert first.source_sha256 != second.source_sha256
    assert builder.count == 2


def test_source_that_is_away_for_a_while_is_built_when_it_is_back(builder, results):
    next(results)
    path, away = builder.files[0], builder.files[0].with_suffix(".away")
    path.rename(away)

    def bring_back(_, sleep=time.sleep):
        if away.exists():
            away.write_text("# changed")
            away.rename(path)
        sleep(0.001)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("taichi_aot.build._project.sleep", bring_back)
        assert isinstance(next(results), BuildResult)


def test_source_that_is_only_touched_is_not_built(builder, results):
    """The bytes count: the second build is for the second change."""
    next(results)
    os.utime(builder.files[0])
    looks = []

    def change_later(_):
        looks.append(_)
        if len(looks) == 20:
            builder.files[0].write_text("# changed")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("taichi_aot.build._project.sleep", change_later)
        next(results)
    assert len(looks) > 20
    assert builder.count == 2


def test_errors_that_no_change_of_the_source_remedies_end_it(builder, results):
    builder.files[0].unlink()
    with pytest.raises(FileNotFoundError):
        next(results)
    builder.during = lambda: (_ for _ in ()).throw(UnavailableError("taichi is missing"))
    builder.files[0].write_text("")
    with pytest.raises(UnavailableError):
        next(watch(str(builder.files[0]), builder))


def test_wrong_options_end_the_command(fill, capsys):
    assert main(["build", str(fill), "--watch", "--caps", "nothing"]) == 2
    assert "unknown capability" in capsys.readouterr().err


@contextmanager
def default_sigint():
    """Let processes that start here be interrupted, even where a shell in the background runs the tests."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.slow
def test_command_builds_until_it_is_interrupted(tmp_path):
    source, bundle = tmp_path / "fill.py", tmp_path / "fill.tib"
    source.write_text(FILL)
    command = [sys.executable, "-m", "taichi_aot", "build", "fill.py", "--watch", "--arch", "x64"]
    pipe = subprocess.PIPE
    with default_sigint():
        process = subprocess.Popen(command, cwd=tmp_path, env=child_environment(), stdout=pipe, stderr=pipe, text=True)
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("fill.tib: 1 kernel for x64")
        assert "    x64: " in process.stdout.readline()
        assert process.stdout.readline() == "watching the source; Ctrl-C ends\n"
        first = bundle.read_bytes()
        source.write_text(FILL.replace("= 1", "= one"))
        assert process.stderr.readline().startswith('error: kernel fill (fill.py, line 9): Name "one" is not defined')
        assert bundle.read_bytes() == first
        source.write_text(FILL.replace("= 1", "= 2"))
        assert process.stdout.readline().startswith("fill.tib: 1 kernel for x64")
        assert bundle.read_bytes() != first
        for _ in range(10):  # a finalizer that runs just now would swallow one
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)
                break
        assert process.returncode == 130
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.communicate()
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.slow
def test_sources_of_a_package_are_stated(tmp_path, monkeypatch):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "kernels.py").write_text("from . import constants\n" + FILL)
    (package / "constants.py").write_text("")
    monkeypatch.chdir(tmp_path)
    result = build("package.kernels", archs=["x64"])
    assert result.sources == tuple(package / name for name in ("kernels.py", "__init__.py", "constants.py"))
    contents = b"".join(path.read_bytes() for path in result.sources)
    assert result.source_sha256 == hashlib.sha256(contents).hexdigest()
    assert result.to_dict()["sources"] == list(map(str, result.sources))


TWO_KERNELS = """
import taichi as ti
from taichi_aot.build import export

@export
@ti.kernel
def first(x: ti.types.ndarray(dtype=ti.f32, ndim=1)):
    for i in x:
        x[i] = 1

@export
@ti.kernel
def second(x: ti.types.ndarray(dtype=ti.f32, ndim=1)):
    for i in x:
        x[i] = 2
"""

# A kernel with checks has no machine code.
UNCHECKED = """
import taichi as ti
from taichi_aot.build import export

@export
@ti.kernel
def one() -> ti.i32:
    return 1
"""


@pytest.fixture
def two_kernels(tmp_path):
    pytest.importorskip("llvmlite")
    pytest.importorskip("ziglang", exc_type=ImportError)
    path = tmp_path / "kernels.py"
    path.write_text(TWO_KERNELS)
    return path


@pytest.fixture
def numbers_compiled(monkeypatch):
    """The numbers of kernels in the requests for machine code."""
    usual, numbers = _native.call_each, []

    def call(function, requests, *others):
        numbers.append(sum(len(each.kernels) for each in requests))
        return usual(function, requests, *others)

    monkeypatch.setattr(_native, "call_each", call)
    return numbers


def test_kept_kernels_are_not_compiled_again(two_kernels, tmp_path, numbers_compiled):
    output = tmp_path / "kernels.tcm"
    with closing(Kept()) as kept:
        for number in (2, 3, 3):
            two_kernels.write_text(TWO_KERNELS.replace("= 2", f"= {number}"))
            with kept.used():
                build(two_kernels, output, archs=["x64"])
    assert numbers_compiled == [2, 1, 0]
    assert inspect(output).native_targets == tuple(_native.own_targets()[:1])
    loops = [each.tasks[-1].loop for each in inspect(output).kernels.values()]
    assert loops == ["vectors", "vectors"]
    with closing(Kept()) as kept, kept.used():
        build(two_kernels, tmp_path / "new.tcm", archs=["x64"])
    assert output.read_bytes() == (tmp_path / "new.tcm").read_bytes()


def test_code_to_debug_is_for_this_cpu(two_kernels, tmp_path, monkeypatch):
    two_kernels.write_text(UNCHECKED)
    output = tmp_path / "kernels.tcm"
    here = _native.own_targets()
    for debug, own, targets in (
        (True, here, here[:1]),
        (True, ["aarch64-v8.2", "aarch64"], ["aarch64", "aarch64-v8.2"]),
        (True, [], NATIVE_TARGETS),
        (False, here, NATIVE_TARGETS),
    ):
        monkeypatch.setattr(_native, "own_targets", lambda own=own: own)
        build(two_kernels, output, archs=["x64"], debug=debug)
        assert set(inspect(output).native_targets) == set(targets)


def test_bytes_do_not_depend_on_the_number_of_cores(two_kernels, tmp_path, monkeypatch):
    made = set()
    for cores in (1, 3):
        monkeypatch.setattr(_native, "cores", lambda cores=cores: cores)
        output = tmp_path / f"kernels{cores}.tcm"
        build(two_kernels, output, archs=["x64"])
        made.add(output.read_bytes())
    assert len(made) == 1


def test_only_modules_with_preparations_wait_for_calls():
    with closing(Kept()) as kept:
        for function, is_ready in ((_native_code.compile_each, True), (divide, False)):
            for is_second in (False, True):
                with kept.used():
                    waiting = kept.standby(function, sys.path, os.environ)
                assert (waiting is not None) == (is_ready and is_second)
                if waiting is not None:
                    waiting.close()


def divide(number):
    return 6 // number, b"bytes" * 20000


@pytest.mark.parametrize("processes", [1, 2, 3, 9])
def test_results_of_processes_are_in_order(processes):
    numbers = [1, 2, 3, 4, 5]
    assert side_by_side(divide, numbers, processes) == list(map(divide, numbers))
    assert side_by_side(divide, [], processes) == []
    with pytest.raises(ZeroDivisionError):
        side_by_side(divide, [1, 2, 0, "text"], processes)
    with pytest.raises(TypeError):
        side_by_side(divide, [1, "text", 0], processes)


def end(number):
    if number:
        signal.raise_signal(signal.SIGTERM)


def lose_a_process():
    side_by_side(end, [0, 1], 2)


def test_signal_that_ends_a_process_ends_all():
    run_in_child(lose_a_process, status=-signal.SIGTERM)
