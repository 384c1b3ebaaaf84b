"""Build steps that pyproject.toml cannot state: the cffi extension, its abi3 tag, and the bundled C library."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import PlatformError

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))
from build_ffi import stable_abi  # noqa: E402

TAICHI_VERSION = "1.7.4"
LIBRARY_NAMES = ("lib/libtaichi_c_api.so", "lib/libtaichi_c_api.dylib", "bin/taichi_c_api.dll")
WITHOUT_LIBRARY = os.environ.get("TAICHI_AOT_WITHOUT_LIBRARY") == "1"
BUNDLE = ROOT / "taichi_aot" / "_bundle"


class BuildExtension(build_ext):
    """Leaves a copy of the extension in the source tree.

    A Python that is started in a checkout imports the checkout instead of the installed package.
    """

    def run(self) -> None:
        super().run()
        if not self.inplace:
            self.copy_extensions_to_source()


class BuildWithLibrary(build_py):
    """Puts the C library of the build requirement ``taichi`` into the package, and into the source tree too."""

    def run(self) -> None:
        if WITHOUT_LIBRARY:
            shutil.rmtree(BUNDLE, ignore_errors=True)
        else:
            bundle_library(find_taichi(), BUNDLE)
        super().run()
        if not self.editable_mode and BUNDLE.is_dir():
            shutil.copytree(BUNDLE, Path(self.build_lib) / "taichi_aot" / "_bundle", dirs_exist_ok=True)


class SourceDistribution(sdist):
    """Adds the files that the build reads outside of the packages."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        sources = [*Path("include").rglob("*.h"), *Path("taichi_aot/_c").iterdir()]
        super().make_release_tree(base_dir, [*files, "build_ffi.py", *map(str, sources)])


def find_taichi() -> Distribution:
    """The installed ``taichi`` whose library is bundled; without it the build fails and states the remedy."""
    found = f"Python {sys.version.split()[0]} on this platform has no taichi"
    try:
        taichi = distribution("taichi")
        if taichi.version == TAICHI_VERSION:
            return taichi
        found = f"taichi {taichi.version} is installed"
    except PackageNotFoundError:
        pass
    raise PlatformError(
        f"taichi_aot bundles the C library of taichi=={TAICHI_VERSION}, but {found}. Build with CPython 3.10 to 3.13 "
        "on Linux x86-64, Windows x86-64 or macOS arm64 (the wheel then serves later versions of Python too), or set "
        "TAICHI_AOT_WITHOUT_LIBRARY=1 to build without the library and name its folder at run time in "
        "TAICHI_C_API_INSTALL_DIR."
    )


def bundle_library(taichi: Distribution, target: Path) -> None:
    """Copy the C library, its runtime bitcode and its licence to `target`."""
    shutil.rmtree(target, ignore_errors=True)
    source = Path(str(taichi.locate_file("taichi/_lib/c_api")))
    library = next(name for name in LIBRARY_NAMES if (source / name).is_file())
    files = [library, *(f"runtime/{path.name}" for path in sorted((source / "runtime").iterdir()))]
    for name in files:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)
    licence = next(file for file in taichi.files or [] if file.name == "LICENSE")
    (target / "LICENSE").write_text(licence.read_text(), encoding="utf-8")
    digests = "".join(f"{hashlib.sha256((target / name).read_bytes()).hexdigest()}  {name}\n" for name in files)
    (target / "ORIGIN").write_text(
        f"These files are copies from the PyPI wheel taichi=={taichi.version} (folder taichi/_lib/c_api), which is\n"
        "https://github.com/taichi-dev/taichi, under the licence in the file LICENSE beside this one. SHA-256:\n\n"
        f"{digests}",
        encoding="utf-8",
    )
    print(f"taichi_aot: bundled {library} of taichi=={taichi.version}")


def package_version() -> str:
    """The version of the package, with a local tag if the library is left out."""
    source = (ROOT / "taichi_aot" / "__init__.py").read_text(encoding="utf-8")
    version = re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE)[0]
    return f"{version}+without.library" if WITHOUT_LIBRARY else version


setup(
    version=package_version(),
    cffi_modules=["build_ffi.py:ffibuilder"],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildWithLibrary, "sdist": SourceDistribution},
    options={"bdist_wheel": {"py_limited_api": "cp310"}} if stable_abi() else {},
)
