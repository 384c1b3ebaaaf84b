"""Bad input for every command: one line names the error, the exit status is right, and no file is written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.archs import HAS_TAICHI
from helpers.child import child_environment

from taichi_aot import Arch
from taichi_aot.cli.main import COMMANDS, main
from taichi_aot.demo import mpm88

if sys.platform != "win32":
    import resource

BUNDLE = "fluid.tib"


class Case(NamedTuple):
    """A command line, its exit status, and a pattern of the line on stderr."""

    line: str
    code: int
    error: str


# Files: fluid.tib is a bundle, fluid.tcm its module for x64, folder.* and folder are folders.
UNREADABLE = [
    ("missing.tib", r"^error: missing\.tib: No such file or directory; its folder has 'cut\.tib', 'empty\.tib', "),
    ("flui.tib", r"^error: flui\.tib: No such file or directory; did you mean 'fluid\.tib'\?$"),
    ("fluid", r"^error: fluid: No such file or directory; did you mean 'fluid\.tib'\?$"),
    ("nowhere/fluid.tib", r"^error: nowhere/fluid\.tib: No such file or directory; there is no folder 'nowhere'$"),
    ("fluid.tib/inner", r"^error: fluid\.tib/inner: Not a directory$"),
    ("empty.tib", "empty.tib is not a sound .tib archive"),
    ("cut.tib", "cut.tib is not a sound .tib archive"),
    ("text.tib", "text.tib is not a sound .tib archive"),
    ("folder", "folder is not an AOT module: it has neither"),
    ("{null}", "is not a regular file"),
    ("two\\nlines.tib", r"^error: two\\nlines\.tib: No such file"),
    ("{long}", "File name too long"),
    ("''", "MODULE: it is empty"),
]
CASES = [
    Case("dance", 2, r"unknown command 'dance'; known are devices, inspect, [^;]*, demo \(see taichi-aot --help\)$"),
    Case("inspekt {bundle}", 2, "unknown command 'inspekt'; known are .*; did you mean 'inspect'\\? "),
    Case("version", 2, "unknown command 'version'; .*; did you mean '--version'\\? "),
    Case("runn", 2, "unknown command 'runn'; .*; did you mean 'run'\\? "),
    Case("{bundle}", 2, "unknown command 'fluid.tib'; .*; to see it, write inspect before it "),
    Case("kernels.py", 2, "unknown command 'kernels.py'; .*; to compile it, write build before it "),
    Case("-v", 2, "unrecognized arguments: -v "),
    Case("--verbose devices", 2, "unrecognized arguments: --verbose "),
    Case("--json devices", 2, "unrecognized arguments: --json; write --json after devices "),
    Case("run {bundle} clear_grid --m=3", 2, "arguments: --m=3; arguments of kernels have no dashes: m=VALUE "),
    Case("run {bundle} clear_grid -m 3", 2, "arguments: -m; arguments of kernels have no dashes: m=VALUE "),
    Case(
        "run {bundle}", 2, "name a kernel or graph after the module; it has kernels clear_grid, .* and graphs substep"
    ),
    Case("devices extra", 2, "unrecognized arguments: extra "),
    Case("devices --jsn", 2, r"arguments: --jsn; did you mean '--json'\? \(see taichi-aot devices --help\)"),
    Case("inspect {bundle} --archs=x64", 2, "unrecognized arguments: --archs=x64; did you mean '--arch'"),
    *(Case(f"inspect {name}", 2, error) for name, error in UNREADABLE),
    *(Case(f"python {name} -o new.py", 2, error) for name, error in UNREADABLE),
    *(Case(f"bundle {name} -o new.tib", 2, error) for name, error in UNREADABLE if name != "''"),
    Case("inspect", 2, "required: MODULE"),
    Case("inspect {bundle} --kernel nothing", 2, "no kernel or graph 'nothing', it has kernels clear_grid, "),
    Case("inspect {bundle} --kernel claer_grid", 2, "no kernel or graph 'claer_grid', .*; did you mean 'clear_grid'"),
    Case("inspect {bundle} --arch opengl,x64", 2, "unknown arch 'opengl,x64'; known are "),
    Case("inspect {bundle} --arch arm64", 2, "none for arm64: add one with .* --arch arm64 on an arm64 machine"),
    Case("inspect fluid.tcm --arch cuda", 2, "fluid.tcm was compiled for x64, not for cuda"),
    Case("inspect {bundle} --kernel ''", 2, "no kernel or graph ''"),
    Case("validate missing.tib", 2, r"^error: missing\.tib: No such file or directory; its folder has "),
    Case("validate {bundle} --arch abacus", 2, "unknown arch 'abacus'; known are [^;]* \\(see"),
    Case("validate {bundle} --arch x64,vulcan", 2, "unknown arch 'vulcan'; .*; did you mean 'vulkan'\\? "),
    Case("validate {bundle} --arch x64,", 2, "unknown arch ''"),
    Case("validate {bundle} --arch {missing}", 3, "no device for {missing}"),
    *(
        Case(
            f"{line} --timeout {value}",
            2,
            f"argument --timeout: must be seconds above 0 and up to 1,000,000, such as 60, not '{value}'",
        )
        for line, value in (
            ("validate {bundle}", "0"),
            ("validate {bundle}", "nan"),
            ("build kernels.py", "1e400"),
            ("bench {bundle} clear_grid", "abc"),
            ("run {bundle} clear_grid", "-1"),
        )
    ),
    Case("validate {bundle} --arch {other_cpu}", 2, "this machine runs no modules for {other_cpu}, only for "),
    Case("build kernel.py", 2, r"^error: kernel\.py: No such file or directory; did you mean 'kernels\.py'\?$"),
    Case("build kernels.py --math quick", 2, "unknown math 'quick'; known are exact, default, fast"),
    Case("build kernels.py --cubins ''", 2, "cubins are for 'native' and capabilities such as 'sm_90', not ''"),
    Case("build folder", 2, "folder is a folder: name a file of kernels in it"),
    Case("build {bundle}", 2, r"the source is a \.py file, not fluid\.tib"),
    Case("build ''", 2, "SOURCE: it is empty"),
    Case("build kernels.py --arch x46", 2, "unknown arch 'x46'; known are "),
    Case("build kernels.py --arch {other_cpu}", 3, "{other_cpu} cannot be built here: "),
    Case(
        "build kernels.py --arch x64 --cuda-capability 90", 2, "--cuda-capability is for cuda, which --arch x64 leaves"
    ),
    Case("build kernels.py --cuda-capability 7", 2, "^error: --cuda-capability must be 50 to"),
    Case("build kernels.py --cuda-blocks many", 2, "must be a positive integer, not 'many'"),
    Case("build kernels.py --cuda-device --cuda-blocks 3", 2, "leave --cuda-blocks out"),
    Case("build kernels.py --arch cpu,vulkan --cuda-device", 2, "--cuda-device is for cuda"),
    Case("build kernels.py --arch x64,cuda --caps spirv_has_int64", 2, "--caps is for vulkan, opengl, gles and metal,"),
    Case("build kernels.py --arch vulkan,cuda --cpu-threads 4", 2, "--cpu-threads is for CPUs, which --arch vulkan,"),
    Case("build kernels.py --caps flying", 2, "unknown capability 'flying'"),
    Case("build kernels.py --caps spirv_has_int9", 2, "unknown capability .*; did you mean 'spirv_has_int"),
    Case("build kernels.py --cpu-threads 5000", 2, "^error: --cpu-threads is 1 to 1024, not 5000"),
    Case("build kernels.py --cpu-threads -1", 2, "must be a positive integer, not '-1'|expected one argument"),
    Case("build kernels.py --timeout -inf", 2, "not '-inf'|expected one argument"),
    Case("build kernels.py --arch x64,vulkan -o new.tcm", 2, "a .tcm is for one arch: name one"),
    Case("build kernels.py --python new.pyi", 2, "must end in .py, not 'new.pyi'"),
    Case("build kernels.py --arch x64", 1, "kernels.py exports nothing: write @export .*or use --all, which runs"),
    Case("bundle -o new.tib", 2, "required: "),
    Case("bundle {bundle}", 2, "required: -o/--output"),
    Case("bundle '' -o new.tib", 2, "it is empty"),
    Case("bundle {bundle} {bundle} -o new.tib", 2, "are both for cuda; a bundle takes one module of each arch"),
    Case("bundle cuda=fluid.tcm -o new.tib", 2, "was compiled for x64"),
    Case("bundle abacus=fluid.tcm -o new.tib", 2, "abacus=fluid.tcm: No such file"),
    Case("demo --arch abacus", 2, "unknown arch 'abacus'"),
    Case("demo --steps 0", 2, "must be a positive integer, not '0'"),
    Case("demo --steps 1e3", 2, "must be a positive integer, not '1e3'"),
    Case("demo julia", 2, "unrecognized arguments: julia"),
    Case("demo --size 9999999999999999999", 2, "must be a positive integer of at most 18 digits, not '9"),
    Case("python .", 2, r"\. is not an AOT module"),
    Case("build kernels --arch vulkan", 1, "kernels.py exports nothing"),
    Case(
        "build nowhere.kernels --arch vulkan",
        1,
        "there is no module 'nowhere.kernels' in the current folder or on the path: name ",
    ),
    Case("build kernels.py --ignore shape", 2, "unknown kind of warnings 'shape'; .*; did you mean 'shapes'"),
    Case("build kernels.py --python 1.py", 2, "^error: --python is a .py file that programs can import, not '1.py'"),
    Case("build kernels.py --python class.py", 2, "^error: --python is a .py file .*, not 'class.py'"),
    Case("python fluid.tib -o 1.py", 2, "^error: --output is a .py file that programs can import, not '1.py'"),
]
WRITERS = {
    "build kernels.py --arch x64 -o": ".tib",
    "build kernels.py --arch x64 --python": ".py",
    "bundle fluid.tib -o": ".tib",
    "python fluid.tib -o": ".py",
    "demo --steps 1 --out": ".png",
}
CASES += [
    case
    for line, suffix in WRITERS.items()
    for case in (
        Case(f"{line} new.zip", 2, r"must end in .*, not 'new\.zip'"),
        Case(f"{line} ''", 2, "must end in .*, not ''"),
        Case(f"{line} folder{suffix}", 2, rf"'folder\{suffix}': this is a folder, not a file to write"),
        Case(f"{line} nowhere/new{suffix}", 2, "there is no folder '.*nowhere'"),
        Case(f"{line} fluid.tib/new{suffix}", 2, "there is no folder '.*fluid.tib'"),
    )
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with the files of the cases; commands must not change it."""
    data = mpm88.bundle_bytes()
    (tmp_path / BUNDLE).write_bytes(data)
    (tmp_path / "fluid.tcm").write_bytes(mpm88.module_bytes(Arch.X64))
    (tmp_path / "empty.tib").touch()
    (tmp_path / "cut.tib").write_bytes(data[:3000])
    (tmp_path / "text.tib").write_text("not a module")
    (tmp_path / "kernels.py").write_text("import taichi as ti\n")
    for name in ("folder", "folder.tib", "folder.py", "folder.png"):
        (tmp_path / name).mkdir()
    before = contents(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert contents(tmp_path) == before


def contents(folder):
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.fixture(scope="session")
def words(available):
    """The values of the braces in the cases on this machine."""
    missing = [str(arch) for arch in (Arch.CUDA, Arch.OPENGL, Arch.VULKAN) if arch not in available]
    return {
        "bundle": BUNDLE,
        "null": os.devnull,
        "long": "long" * 100,
        "missing": missing[0] if missing else "",
        "other_cpu": "arm64" if Arch.X64 in available else "x64",
    }


def split(line):
    """Split a line into words; ``''`` is an empty word, and ``\\n`` a new line."""
    return ["" if word == "''" else word.replace("\\n", "\n") for word in re.findall(r"'[^']*'|\S+", line)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.line or "nothing")
def test_bad_input_prints_one_line_and_sets_the_status(case, folder, words, capfd):
    names = set(re.findall(r"{(\w+)}", case.line))
    if not all(words[name] for name in names):
        pytest.skip("this machine has all archs")
    for name in names:
        case = case._replace(
            line=case.line.replace(f"{{{name}}}", words[name]), error=case.error.replace(f"{{{name}}}", words[name])
        )
    if not HAS_TAICHI and case.line.startswith("build") and case.code != 2:  # 2: before anything is compiled
        pytest.skip("needs taichi")
    code = main([word.strip("'") if " " in word else word for word in split(case.line)])
    captured = capfd.readouterr()
    assert (code, captured.out) == (case.code, "")
    assert re.search(case.error, captured.err.removesuffix("\n")), captured.err
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1


def test_cases_cover_every_command():
    """`run` and `bench` have separate tables."""
    tried = {split(case.line)[0] for case in CASES if case.line}
    assert {command.name for command in COMMANDS} - tried <= {"run", "bench"}


# The rest runs in child processes, with their own streams and limits.


def run_command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "taichi_aot", *arguments],
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": child_environment(), **options},
        text=True,
        timeout=600,
        check=False,
    )


posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")
ANSWERS = [["--help"], ["--version"], ["devices"], ["inspect", BUNDLE, "--json"], ["python", BUNDLE]]


@pytest.mark.slow(but="arguments0*")
@posix
@pytest.mark.parametrize(
    ("arguments", "unbuffered"), [*((arguments, "") for arguments in ANSWERS), (["--help"], "1"), (["devices"], "1")]
)
def test_output_to_a_full_device_is_an_error(arguments, unbuffered, folder):
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with open("/dev/full", "w") as full:
        done = run_command(*arguments, stdout=full, env={**child_environment(), "PYTHONUNBUFFERED": unbuffered})
    assert (done.returncode, done.stderr) == (2, "error: the standard output: No space left on device\n")


@pytest.mark.slow(but="python*")
@posix
@pytest.mark.parametrize("arguments", [*ANSWERS, ["inspect", "missing"]], ids=" ".join)
def test_closed_pipe_is_not_an_error(arguments, folder):
    reader, writer = os.pipe()
    os.close(reader)
    done = run_command(*arguments, stdout=writer)
    os.close(writer)
    error = "error: missing: No such file or directory\n"
    assert (done.returncode, done.stderr) == ((2, error) if "missing" in arguments else (0, ""))


@pytest.mark.slow(but="(1,)*")
@posix
@pytest.mark.parametrize("closed", [(0, 1, 2), (1,), (2,)], ids=str)
def test_files_do_not_get_the_output_of_closed_streams(closed, tmp_path):
    """A file must not get the descriptor of a closed stream, or output would go there. Lost answers are errors."""
    (tmp_path / BUNDLE).write_bytes(mpm88.bundle_bytes())
    code = (
        f"import os, sys; [os.close(number) for number in {closed}];"
        "os.execv(sys.executable, [sys.executable, '-m', 'taichi_aot', *sys.argv[1:]])"
    )

    def run(*arguments):
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=child_environment(), timeout=600, check=False)
        return done.returncode

    assert run("bundle", BUNDLE, "-o", "other.tib") == (2 if 1 in closed else 0)
    assert main(["bundle", str(tmp_path / BUNDLE), "-o", str(tmp_path / "usual.tib")]) == 0
    same = (tmp_path / "other.tib").read_bytes() == (tmp_path / "usual.tib").read_bytes()
    assert same  # pytest would take minutes to show how the bytes differ
    assert run("inspect", "missing.tib") == 2


@pytest.mark.slow(but=("arguments0*", "arguments8*"))
@posix
@pytest.mark.parametrize(
    ("arguments", "is_answered"),
    [
        *((arguments, True) for arguments in ANSWERS),
        (["run", BUNDLE, "clear_grid", "momentum=zeros:8x8", "mass=zeros", "--arch", "x64"], True),
        (["python", BUNDLE, "-o", "usual.py"], False),
    ],
)
def test_closed_output_is_an_error_only_for_answers(arguments, is_answered, folder):
    done = run_command(*arguments, stdout=None, preexec_fn=close_output)
    error = "error: the standard output: Bad file descriptor\n"
    assert (done.returncode, done.stderr) == ((2, error) if is_answered else (0, ""))
    (folder / "usual.py").unlink(missing_ok=True)


def close_output():
    os.close(1)


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


@pytest.mark.slow(but="bundle*-new")
@posix
@pytest.mark.parametrize("name", ["new", "old"])
@pytest.mark.parametrize("arguments", [["bundle", BUNDLE, "-o"], ["python", BUNDLE, "-o"]], ids=" ".join)
def test_full_disk_keeps_the_old_file(arguments, name, folder):
    """A failed write does not change the old file."""
    output = Path(f"{name}{'.tib' if arguments[0] == 'bundle' else '.py'}")
    if name == "old":
        run_command(*arguments, str(output))
        old = output.read_bytes()
    done = run_command(*arguments, str(output), preexec_fn=limit_files)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error: {output}: File too large\n"
    if name == "old":
        assert output.read_bytes() == old
        output.unlink()


@posix
@pytest.mark.parametrize("line", [line for line in WRITERS if "demo" not in line])
def test_read_only_folder_is_an_error(line, folder, capfd):
    suffix = WRITERS[line]
    locked = folder / "locked"
    locked.mkdir(mode=0o500)
    if os.access(locked, os.W_OK):  # as root
        locked.rmdir()
        pytest.skip("root may write to every folder")
    assert main([*line.split(), str(locked / f"new{suffix}")]) == 2
    assert f"no permission to write to the folder '{locked}'" in capfd.readouterr().err
    locked.rmdir()


@posix
def test_unreadable_file_is_an_error(folder, capfd):
    locked = folder / "locked.tib"
    locked.touch(mode=0o000)
    if os.access(locked, os.R_OK):
        locked.unlink()
        pytest.skip("root may read every file")
    for command in ("inspect", "validate", "python"):
        assert main([command, str(locked)]) == 2
        assert capfd.readouterr() == ("", f"error: {locked}: Permission denied\n")
    locked.unlink()


@pytest.mark.slow(but="devices*")
@posix
@pytest.mark.parametrize(
    ("line", "code"), [("devices", 3), ("--version", 0), ("validate fluid.tib", 3), ("inspect fluid.tib", 0)]
)
def test_missing_library_prints_no_traceback(line, code, folder):
    done = run_command(*line.split(), env={**child_environment(), "TAICHI_C_API_INSTALL_DIR": str(folder)})
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    if code == 3:
        assert "the Taichi C-API library was not found. Tried:" in done.stdout + done.stderr


def raise_it(error):
    def run(_):
        raise error

    return run


def test_bug_of_the_package_keeps_its_traceback(monkeypatch):
    """A bug is not a usage error."""
    monkeypatch.setattr("taichi_aot.cli.main.COMMANDS", (COMMANDS[0]._replace(run=raise_it(AttributeError("bug"))),))
    with pytest.raises(AttributeError, match="bug"):
        main(["devices"])
