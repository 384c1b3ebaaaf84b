"""The build bundles the C library, or fails and says what to do about it."""

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ("LICENSE", "README.md", "build_ffi.py", "include", "pyproject.toml", "setup.py", "taichi_aot")
BUILT = shutil.ignore_patterns("__pycache__", "_bundle", "_capi.c", "*.so", "*.pyd")


@pytest.fixture
def checkout(tmp_path):
    """A copy of the sources without what an earlier build left in them."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=BUILT)
        else:
            shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture
def packages(tmp_path):
    """A folder of packages that holds the requirements of the build except taichi."""
    folder = tmp_path / "packages"
    folder.mkdir()
    for name in ("setuptools", "cffi", "pycparser"):
        files = distribution(name).files or []
        for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            (folder / top).symlink_to(distribution(name).locate_file(top))
    return folder


def build_wheel(checkout, packages, **environment):
    """Build a wheel as pip does, in a Python whose only packages are those of a folder."""
    code = "from setuptools import build_meta; print(build_meta.build_wheel('.'))"
    return subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=checkout,
        env={**os.environ, "TAICHI_AOT_WITHOUT_LIBRARY": "", "PYTHONPATH": str(packages), **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_build_without_taichi_fails_with_the_remedy(checkout, packages):
    done = build_wheel(checkout, packages)
    assert done.returncode == 1
    assert f"but Python {sys.version.split()[0]} on this platform has no taichi. Build with CPython 3.10" in done.stderr
    assert "TAICHI_AOT_WITHOUT_LIBRARY=1" in done.stderr
    assert "TAICHI_C_API_INSTALL_DIR" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(checkout.glob("*.whl"))


def test_build_with_another_taichi_fails_with_the_remedy(checkout, packages):
    other = packages / "taichi-1.6.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: taichi\nVersion: 1.6.0\n")
    done = build_wheel(checkout, packages)
    assert done.returncode == 1
    assert "bundles the C library of taichi==1.7.4, but taichi 1.6.0 is installed." in done.stderr


def test_build_without_the_library_on_request(checkout, packages):
    done = build_wheel(checkout, packages, TAICHI_AOT_WITHOUT_LIBRARY="1")
    assert done.returncode == 0, done.stderr
    (wheel,) = checkout.glob("*.whl")
    assert wheel.name.startswith("taichi_aot-0.1.0+without.library-")
    assert not any("_bundle" in name for name in zipfile.ZipFile(wheel).namelist())
