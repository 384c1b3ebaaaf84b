"""Arguments and sources of `build`, and child processes that fail, hang or are killed."""

import hashlib
import json
import os
import shlex
import sys
from functools import partial
from pathlib import Path

import pytest
from helpers.archives import read_archive
from helpers.child import run_child, run_in_child
from helpers.sources import FILL
from helpers.threads import run_together
from scenarios.building import interrupt_build, signal_build

import taichi_aot
from taichi_aot import Arch
from taichi_aot.build import BuildError, CudaDevice, build


@pytest.mark.parametrize(
    ("output", "options", "error", "message"),
    [
        ("fill.zip", {}, ValueError, r"fill\.zip' ends neither in \.tib, a bundle, nor in \.tcm"),
        ("fill", {}, ValueError, r"ends neither in \.tib"),
        ("fill.tcm", {}, ValueError, r'a \.tcm is for one arch: name one \(archs=\["x64"\]\), or write .*fill\.tib'),
        ("fill.tcm", {"archs": ["x64", "vulkan"]}, ValueError, r"a \.tcm is for one arch"),
        ("no/fill.tib", {}, FileNotFoundError, r"there is no folder .*no to write fill\.tib to"),
        (
            "fill.tib",
            {"python": "fill.pyi"},
            ValueError,
            r"python is a \.py file that programs can import, not 'fill\.pyi'",
        ),
        ("fill.tib", {"python": "fill-aot.py"}, ValueError, "that programs can import, not 'fill-aot.py'"),
        ("fill.tib", {"python": __file__}, ValueError, "was not written by taichi-aot: .* such as test_options_aot.py"),
        ("fill.tib", {"python": "made.py"}, ValueError, r"fill\.tib must be in the folder of made\.py, which loads it"),
        ("fill.tib", {"python": "no/a.py"}, FileNotFoundError, r"there is no folder .*no to write a\.py to"),
        ("fill.tib", {"archs": ["x46"]}, ValueError, "unknown arch 'x46'"),
        ("fill.tib", {"archs": []}, ValueError, "archs is empty"),
        ("fill.tib", {"archs": "x64"}, TypeError, r"a sequence, not a string: \['x64'\]"),
        ("fill.tib", {"cpu_threads": 0}, ValueError, "cpu_threads is 1 to 1024, not 0"),
        ("fill.tib", {"cpu_threads": "4"}, TypeError, "cpu_threads"),
        ("fill.tib", {"caps": ["spirv_has_float46"]}, ValueError, "unknown capability 'spirv_has_float46'; the cap"),
        ("fill.tib", {"caps": ["spirv_version=2.0"]}, ValueError, r"spirv_version is 1\.0 to 1\.6, not '2\.0'"),
        ("fill.tib", {"caps": ["spirv_version"]}, ValueError, r"spirv_version is 1\.0 to 1\.6, not True"),
        ("fill.tib", {"caps": {"spirv_has_int64": "often"}}, ValueError, "has or lacks, not 'often'"),
        ("fill.tib", {"caps": "spirv_has_int64"}, TypeError, "not a string"),
        ("fill.tib", {"timeout": 0}, ValueError, "timeout is positive and at most 1000000 s, not 0"),
        ("fill.tib", {"timeout": float("inf")}, ValueError, "at most 1000000 s, not inf"),
        ("fill.tib", {"timeout": "2"}, TypeError, "timeout is a number of seconds, not str '2'"),
    ],
)
def test_wrong_arguments_raise(fill, tmp_path, output, options, error, message):
    with pytest.raises(error, match=message):
        build(fill, tmp_path / output, **options)
    assert not list(tmp_path.glob("fill.t*"))


def test_empty_output_raises(fill):
    with pytest.raises(ValueError, match=r"^'' ends neither in \.tib"):
        build(fill, "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_only_files_are_replaced(fill, tmp_path):
    os.mkfifo(tmp_path / "pipe.tib")
    (tmp_path / "folder.tib").mkdir()
    for name in ("pipe.tib", "folder.tib", "new.tib/"):
        with pytest.raises(OSError, match="pipe, device" if name == "pipe.tib" else "folder, not a file"):
            build(fill, f"{tmp_path}/{name}")


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("no.py", FileNotFoundError, r"there is no file .*no\.py"),
        ("kernels.ipynb", ValueError, r"a notebook, whose kernels have no source file: move them into a \.py file"),
        ("kernels.txt", ValueError, r"the source is a \.py file"),
        ("folder", IsADirectoryError, "is a folder: name a file"),
        (3, TypeError, "a path or the name of a module"),
    ],
)
def test_wrong_sources_raise(tmp_path, source, error, message):
    (tmp_path / "folder").mkdir()
    with pytest.raises(error, match=message):
        build(tmp_path / source if isinstance(source, str) else source, tmp_path / "out.tib")


def test_missing_taichi_raises(fill, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BuildError, match=r"the build needs the compiler: pip install taichi==1\.7\.4"):
        build(fill, tmp_path / "fill.tib")


@pytest.mark.slow
def test_named_arch_must_be_buildable(fill, tmp_path):
    other = Arch.ARM64 if Arch.X64 in taichi_aot.available_archs() else Arch.X64
    with pytest.raises(
        BuildError, match=f"{other} cannot be built here: .*; run `taichi-aot build .* on an {other} machine"
    ):
        build(fill, tmp_path / "fill.tib", archs=["vulkan", other])


def test_module_needs_the_given_capabilities(fill, tmp_path):
    path = build(
        fill, tmp_path / "a.tcm", archs=["vulkan"], caps={"spirv_version": "1.5", "spirv_has_int64": True}
    ).path
    info = taichi_aot.inspect(path)
    assert info.spirv_version == (1, 5)
    assert taichi_aot.Capability.SPIRV_HAS_INT64 in info.device_capabilities


def test_build_takes_device_python_and_progress(fill, tmp_path):
    seen = []
    result = build(
        fill,
        tmp_path / "fill.tib",
        archs=["cuda", "vulkan"],
        cuda_device=CudaDevice(multiprocessors=7),
        python=tmp_path / "fill_aot.py",
        progress=seen.append,
    )
    assert "class FillKernel" in (tmp_path / "fill_aot.py").read_text()
    assert {(each.arch, each.done, each.total, each.name) for each in seen} == {
        *((arch, *state) for arch in (Arch.CUDA, Arch.VULKAN) for state in ((0, 1, "fill"), (1, 1, ""))),
        (Arch.CUDA, 1, 1, "PTX"),
    }
    tasks = taichi_aot.inspect(result.path, "cuda").kernels["fill"].tasks
    assert max(task.grid for task in tasks) == 7 * 32 * 2


@pytest.mark.slow
def test_module_of_a_package_is_built(tmp_path, monkeypatch):
    package = tmp_path / "library" / "package" / "inner"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "__init__.py").write_text("FACTOR = 3")
    (package / "kernels.py").write_text(
        FILL.replace("= 1", "= FACTOR").replace("import taichi", "from . import FACTOR\nimport taichi")
    )
    (tmp_path / "library" / "other.py").write_text("raise AssertionError")
    monkeypatch.syspath_prepend(tmp_path / "library")
    monkeypatch.chdir(tmp_path)
    result = build("package.inner.kernels", archs=["x64"])
    assert result.path == Path("kernels.tib")
    assert taichi_aot.inspect(result.path).kernels["fill"].file == "package/inner/kernels.py"


@pytest.mark.slow
def test_file_of_a_package_is_built_as_its_module(tmp_path):
    inner = tmp_path / "package" / "inner"
    inner.mkdir(parents=True)
    for folder in (inner, inner.parent):
        (folder / "__init__.py").write_text("FACTOR = 3")
    (inner / "kernels.py").write_text(f"from . import FACTOR\n{FILL}")
    with pytest.raises(BuildError, match=r"^kernels\.py, line 1: a file is built without its package") as raised:
        build(inner / "kernels.py", tmp_path / "kernels.tib", archs=["x64"])
    assert "(python -m taichi_aot build package.inner.kernels;" in str(raised.value)


@pytest.mark.slow(but="-m*")
@pytest.mark.parametrize("program", ["-m taichi_aot", "-c 'from taichi_aot.cli.main import main; exit(main())'"])
def test_module_in_the_current_folder_is_found(tmp_path, program):
    """The current folder is searched although it is not on `sys.path`, as for the program `taichi-aot`."""
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "kernels.py").write_text(FILL)
    arguments = [*shlex.split(program), "build", "package.kernels", "--arch", "vulkan"]
    assert run_child("-P", *arguments, cwd=tmp_path).stderr == ""
    assert (tmp_path / "kernels.tib").exists()


@pytest.mark.slow(but="no_such_package*")
@pytest.mark.parametrize("name", ["no_such_package.kernels", "json.no_such_module"])
def test_missing_module_raises(tmp_path, name):
    with pytest.raises(BuildError, match=f"^there is no module '{name}' in the current folder or on the path: "):
        build(name, tmp_path / "x.tib", archs=["x64"])


@pytest.mark.slow
def test_digest_covers_imported_files(fill, tmp_path):
    def digest():
        path = build(fill, tmp_path / "fill.tcm", archs=["vulkan"]).path
        return json.loads(read_archive(path)["plan.json"])["source"]["sha256"]

    assert digest() == hashlib.sha256(FILL.encode()).hexdigest()
    (tmp_path / "sibling.py").write_text("x = 1\n")
    fill.write_text(f"import sibling\n{FILL}")
    assert digest() == hashlib.sha256(f"import sibling\n{FILL}x = 1\n".encode()).hexdigest()


def test_timeout_raises(fill, tmp_path):
    fill.write_text(f"{FILL}\ndef build(module):\n    import time\n    time.sleep(600)")
    with pytest.raises(BuildError, match=r"the compiler took longer than 2 s, .*; timeout sets the limit"):
        build(fill, tmp_path / "fill.tib", archs=["x64"], timeout=2)


def test_failed_build_keeps_the_old_file(fill, tmp_path):
    (tmp_path / "fill.tib").write_text("old")
    fill.write_text("1 / 0")
    with pytest.raises(BuildError, match="ZeroDivisionError"):
        build(fill, tmp_path / "fill.tib", archs=["x64"])
    assert (tmp_path / "fill.tib").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fill.py", "fill.tib"]


@pytest.mark.slow
def test_error_common_to_archs_is_stated_once(fill, tmp_path):
    fill.write_text("1 / 0")
    with pytest.raises(BuildError, match=r"^fill\.py, line 1: ZeroDivisionError") as raised:
        build(fill, tmp_path / "fill.tib", archs=["vulkan", "x64"])
    assert str(raised.value).count("ZeroDivisionError") == 1


@pytest.mark.slow
def test_environment_does_not_change_the_module(fill, tmp_path, monkeypatch):
    first = build(fill, tmp_path / "a.tcm", archs=["x64"]).path.read_bytes()
    monkeypatch.setenv("TI_ARCH", "vulkan")
    monkeypatch.setenv("TI_DEFAULT_FP", "64")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    assert build(fill, tmp_path / "b.tcm", archs=["x64"]).path.read_bytes() == first


@pytest.fixture
def pid(fill, tmp_path):
    """The file to which the child writes its process ID before it sleeps."""
    pid = tmp_path / "pid"
    fill.write_text(
        f"import os, pathlib, time\npathlib.Path({str(pid)!r}).write_text(str(os.getpid()))\ntime.sleep(600)"
    )
    return pid


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_interrupt_ends_the_child(fill, pid):
    run_in_child(interrupt_build, str(fill), str(pid))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize("count", [2, 3])
def test_repeated_interrupts_end_the_child(count, fill, pid):
    run_in_child(signal_build, str(fill), str(pid), *["SIGINT"] * count, quiet=False)


@pytest.mark.slow(but="SIGKILL")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent has ended")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_no_child_outlives_the_build(name, fill, pid):
    run_in_child(signal_build, str(fill), str(pid), str(name))


@pytest.mark.slow
def test_builds_run_in_threads(fill, tmp_path):
    def run(number):
        results[number] = build(fill, tmp_path / f"{number}.tcm", archs=["x64"]).path.read_bytes()

    results = {}
    run_together(*(partial(run, number) for number in range(2)))
    assert results[0] == results[1]
