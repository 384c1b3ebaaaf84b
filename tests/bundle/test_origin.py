"""What a bundle states of its build, and the warning about a source that has changed since."""

import hashlib
import json
import os
import shlex
import shutil
import warnings
from pathlib import Path

import pytest
from helpers.archives import pack, read_archive

import taichi_aot
from taichi_aot import Arch, CorruptedDataError, StaleBundleWarning
from taichi_aot.adopt._make import join, parse_own
from taichi_aot.adopt._module import describe
from taichi_aot.build import CudaDevice
from taichi_aot.build._options import Options, read_caps
from taichi_aot.build.compile._compiled import Compiled
from taichi_aot.build.output._build import make_origin, stated_options
from taichi_aot.bundle._files import DESCRIPTION
from taichi_aot.bundle._info import SourceFile
from taichi_aot.bundle._plan import read_origin, source_digest
from taichi_aot.cli.main import main

SOURCES = {"kernels.py": b"import helper\n", "helper.py": b"FACTOR = 2\n"}


def made(module, **stated):
    """Return a bundle of a module that was built from `SOURCES`."""
    digest = hashlib.sha256(b"".join(SOURCES.values())).hexdigest()
    parsed = parse_own("the module", read_archive(module))
    description = describe(parsed.info)._replace(source=SourceFile("kernels.py", digest))
    files = read_archive(join({Arch.X64: parsed._replace(description=description)}).data)
    build = {"folder": ".", "files": list(SOURCES), "options": [], "outputs": {}, **stated}
    return pack({**files, DESCRIPTION: json.dumps(json.loads(files[DESCRIPTION]) | {"build": build}).encode()})


@pytest.fixture(scope="session")
def basic(compiled):
    return compiled("x64") / "basic.tcm"


@pytest.fixture
def project(tmp_path, monkeypatch, basic):
    """A folder with the sources of a bundle and the bundle, which is also the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, data in SOURCES.items():
        Path(name).write_bytes(data)
    Path("kernels.tib").write_bytes(made(basic))
    return tmp_path


def loads(rt):
    return [
        lambda: taichi_aot.load("kernels.tib", "x64").close(),
        lambda: rt.load_module(Path("kernels.tib")),
        lambda: taichi_aot.function("kernels.tib", "answer", out="arg0"),
    ]


@pytest.fixture
def rt(shared_runtime):
    return shared_runtime(Arch.X64)


def test_fresh_bundle_does_not_warn(project, rt):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for load in loads(rt):
            load()


@pytest.mark.parametrize("number", range(3))
def test_stale_bundle_warns_once(project, rt, number):
    Path("helper.py").write_text("FACTOR = 3\n")
    load = loads(rt)[number]
    with pytest.warns(StaleBundleWarning) as caught:
        load()
    (warning,) = caught
    command = "taichi-aot build kernels.py --arch x64 -o kernels.tib"
    assert str(warning.message) == f"kernels.tib is older than its source kernels.py; build it again: {command}"
    assert warning.filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for each in loads(rt):
            each()


def test_module_that_is_loaded_already_warns(project, rt):
    os.utime("kernels.tib", (1, 1))
    rt.load_module("kernels.tib")
    Path("helper.py").write_text("FACTOR = 3\n")
    with pytest.warns(StaleBundleWarning):
        rt.load_module("kernels.tib")


def test_commands_warn(project, capsys):
    Path("kernels.py").write_text("changed")
    assert main(["run", "kernels.tib", "answer", "nothing=1"]) == 2
    assert capsys.readouterr().err.startswith("warning: kernels.tib is older than its source kernels.py; build it")


@pytest.mark.parametrize(
    "state", ["missing", "folder", "pipe", "unreadable", "import missing", "endless", "huge", "CRLF"]
)
def test_source_that_cannot_be_compared_is_ignored(project, rt, state):
    path = Path("kernels.py")
    path.unlink()
    if state == "folder":
        path.mkdir()
    elif state == "pipe":
        os.mkfifo(path)  # opening it to read would wait
    elif state == "unreadable":
        path.symlink_to("kernels.py")
    elif state == "import missing":
        path.write_text("changed")
        Path("helper.py").unlink()
    elif state == "endless":
        path.symlink_to("/dev/zero")
    elif state == "CRLF":
        path.write_bytes(SOURCES["kernels.py"].replace(b"\n", b"\r\n"))  # as git writes on some systems
    elif state == "huge":
        path.touch()
        os.truncate(path, 1 << 40)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for load in loads(rt):
            load()


def test_digest_is_of_few_small_files(tmp_path):
    (tmp_path / "a.py").write_text("x = 1")
    assert source_digest(tmp_path, ["a.py"] * 1000) is not None
    assert source_digest(tmp_path, ["a.py"] * 1001) is None
    os.truncate(tmp_path / "a.py", 1 << 23)
    assert source_digest(tmp_path, ["a.py"] * 2) is not None
    assert source_digest(tmp_path, ["a.py"] * 3) is None


def test_source_is_found_from_the_bundle(tmp_path, monkeypatch, basic):
    """As stated, also for a module in a package, from any current folder."""
    (tmp_path / "src" / "waves").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    for name in SOURCES:
        (tmp_path / "src" / "waves" / name).write_text("changed")
    options = ["--cpu-threads", "4", "--caps", "spirv_version=1.5"]
    files = [f"waves/{name}" for name in SOURCES]
    data = made(basic, folder="../src", files=files, options=options, outputs={"--python": "k_aot.py"})
    bundle = tmp_path / "out" / "a b.tib"
    bundle.write_bytes(data)
    origin = read_origin(bundle)
    assert origin.is_stale(str(bundle))
    monkeypatch.chdir(tmp_path / "src")
    written = f"--python {tmp_path}/out/k_aot.py -o '{bundle}'"
    command = f"taichi-aot build waves.kernels --arch x64 --cpu-threads 4 --caps spirv_version=1.5 {written}"
    assert origin.command(str(bundle)) == command
    monkeypatch.chdir(tmp_path)
    command = f"PYTHONPATH=src {command}".replace(f"{tmp_path}/out", "out")
    assert shlex.split(origin.command(str(bundle))) == shlex.split(command)


def test_bundle_without_a_statement_does_not_warn(project, basic, rt):
    Path("kernels.py").write_text("changed")
    Path("kernels.tib").write_bytes(join({Arch.X64: parse_own("it", read_archive(basic))}).data)
    assert read_origin("kernels.tib") is None
    assert read_origin(basic) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rt.load_module("kernels.tib")
        rt.load_module(made(basic))  # bytes have no folder


@pytest.mark.parametrize(
    "stated",
    [
        {"files": []},
        {"files": ["/etc/passwd"]},
        {"files": "kernels.py"},
        {"folder": "\x1b[2J"},
        {"options": ["--cpu-threads\n"]},
        {"outputs": {"--python": 5}},
        {"outputs": []},
        {"more": 1},
    ],
)
def test_damaged_statement_is_rejected(basic, stated):
    with pytest.raises(CorruptedDataError, match=r"bundle\.json: build.* is damaged"):
        read_origin(made(basic, **stated))


def test_build_states_paths_inside_the_current_folder_only(tmp_path, monkeypatch):
    def origin(bundle, folder, python=None):
        compiled = Compiled(Arch.X64, description={"source": {"sha256": "0" * 64}}, sources=("kernels.py",))
        compiled.folder = Path(folder).absolute()
        return make_origin(Options("", Path(bundle), python and Path(python)), compiled, [Arch.X64])

    monkeypatch.chdir(tmp_path)
    assert origin("kernels.tib", ".").folder == "."
    assert origin("kernels.tib", "src").folder == "src"
    assert origin("out/kernels.tib", "src/waves", "src/k_aot.py")[:4] == (
        "../src/waves",
        ("kernels.py",),
        (),
        {"--python": "../src/k_aot.py"},
    )
    for bundle, folder in (("/elsewhere/kernels.tib", "src"), ("kernels.tib", "/elsewhere"), ("../kernels.tib", "..")):
        assert origin(bundle, folder, "/elsewhere/k_aot.py")[:4] == (".", ("kernels.py",), (), {})


def test_options_are_those_of_the_command():
    assert stated_options(Options("", Path(), caps=read_caps(None))) == ()
    caps = read_caps({"spirv_version": "1.6", "spirv_has_int64": True})
    device = CudaDevice(capability=86, blocks=16)
    options = Options("", Path(), cpu_threads=4, caps=caps, cuda_device=device, all_kernels=True, debug=True)
    given = stated_options(options)
    wanted = (
        "--all --debug --cpu-threads 4 --caps spirv_version=1.6,spirv_has_int64 --cuda-capability 86 --cuda-blocks 16"
    )
    assert " ".join(given) == wanted
    assert read_caps(given[5].split(",")) == caps


@pytest.mark.slow
def test_command_of_the_warning_builds_the_bundle(tmp_path, monkeypatch):
    source = Path(__file__).parent.parent / "helpers" / "command_kernels.py"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    shutil.copy(source, "src/kernels.py")
    arguments = ["src/kernels.py", "--arch", "x64", "--cpu-threads", "3", "--python", "kernels_aot.py"]
    assert main(["build", *arguments]) == 0
    before = Path("kernels.tib").read_bytes()
    with open("src/kernels.py", "a") as file:
        file.write("# changed\n")
    with pytest.warns(StaleBundleWarning) as caught:
        taichi_aot.load("kernels.tib", "x64").close()
    _, _, command = str(caught[0].message).partition("build it again: ")
    Path("kernels_aot.py").unlink()
    assert main(shlex.split(command)[1:]) == 0
    assert Path("kernels_aot.py").exists()
    assert Path("kernels.tib").read_bytes() != before
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        taichi_aot.load("kernels.tib", "x64").close()
    shutil.copy(source, "src/kernels.py")
    assert main(["build", *arguments]) == 0
    assert Path("kernels.tib").read_bytes() == before
