"""Build steps that pyproject.toml cannot state: the cffi extension, its abi3 tag, and the bundled C library."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))
from build_ffi import stable_abi  # noqa: E402

TAICHI_VERSION = "1.7.4"
LIBRARY_NAMES = ("lib/libtaichi_c_api.so", "lib/libtaichi_c_api.dylib", "bin/taichi_c_api.dll")


class BuildExtension(build_ext):
    """Leaves a copy of the extension in the source tree.

    Python imports the checkout, not the installed package, where it is started in a checkout: that must work too.
    """

    def run(self) -> None:
        super().run()
        if not self.inplace:
            self.copy_extensions_to_source()


class BuildWithLibrary(build_py):
    """Puts the C library of the build-time requirement ``taichi`` into the package, and into the source tree too."""

    def run(self) -> None:
        super().run()
        source = ROOT / "taichi_aot" / "_bundle"
        bundle_library(source)
        if not self.editable_mode and source.is_dir():
            target = Path(self.build_lib) / "taichi_aot" / "_bundle"
            shutil.copytree(source, target, dirs_exist_ok=True)


class SourceDistribution(sdist):
    """Adds what the build reads and no package holds."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        sources = [*Path("include").rglob("*.h"), *Path("taichi_aot/_c").iterdir()]
        super().make_release_tree(base_dir, [*files, "build_ffi.py", *map(str, sources)])


def bundle_library(target: Path) -> None:
    """Copy the C library, its runtime bitcode and its licence to `target`; go on without where there is none."""
    shutil.rmtree(target, ignore_errors=True)
    spec = importlib.util.find_spec("taichi")
    version = importlib.metadata.version("taichi") if spec else None
    if spec is None or spec.origin is None or version != TAICHI_VERSION:
        found = f"found {version}" if version else f"none for Python {sys.version.split()[0]} here"
        print(f"taichi_aot: built WITHOUT the Taichi C-API library (wants taichi=={TAICHI_VERSION}, {found}).")
        print("taichi_aot: at run time set TAICHI_C_API_INSTALL_DIR or install taichi beside this package.")
        return
    source = Path(spec.origin).parent / "_lib" / "c_api"
    library = next(name for name in LIBRARY_NAMES if (source / name).is_file())
    files = [library, *(f"runtime/{path.name}" for path in sorted((source / "runtime").iterdir()))]
    for name in files:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)
    (target / "LICENSE").write_text(taichi_licence(), encoding="utf-8")
    digests = "".join(f"{hashlib.sha256((target / name).read_bytes()).hexdigest()}  {name}\n" for name in files)
    (target / "ORIGIN").write_text(
        f"These files are copies from the PyPI wheel taichi=={version} (folder taichi/_lib/c_api), which is\n"
        "https://github.com/taichi-dev/taichi, under the licence in the file LICENSE beside this one. SHA-256:\n\n"
        f"{digests}",
        encoding="utf-8",
    )
    print(f"taichi_aot: bundled {library} of taichi=={version}")


def taichi_licence() -> str:
    files = importlib.metadata.files("taichi") or []
    return next(file.read_text() for file in files if file.name == "LICENSE")


setup(
    cffi_modules=["build_ffi.py:ffibuilder"],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildWithLibrary, "sdist": SourceDistribution},
    options={"bdist_wheel": {"py_limited_api": "cp310"}} if stable_abi() else {},
)
