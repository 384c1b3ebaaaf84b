"""Find and load the C library. Other modules import `ffi` and `lib` of the compiled extension from this module.

Functions of `lib` can be called at any time; before `load()` has returned, each of them reports NOT_SUPPORTED.
"""

from __future__ import annotations

import os
import re
import struct
import sys
import threading
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias

from .._capi import ffi
from .._capi import lib as plain_lib
from ..values._errors import LibraryNotFoundError
from ._cpu import arm64
from ._limits import LIBRARY_SPACE, require
from ._ranges import with_ranges
from ._status import log_debug
from ._variables import read_integer, read_switch

if TYPE_CHECKING:
    from .._cdata import CData, Function

__all__ = ["DriverLibrary", "address_of", "check_environment", "ffi", "labels_switch", "lib", "library_path"]
__all__ += ["library_version", "load", "object_pointer", "put_address"]

lib = with_ranges(plain_lib)

INSTALL_DIR_VARIABLE = "TAICHI_C_API_INSTALL_DIR"  # the name that upstream uses
SUPPORTED_VERSION = (1, 7)

# The library parses these with std::stoi when it starts, and aborts the process if that throws.
INTEGER_VARIABLES = ("TI_ENABLE_CUDA", "TI_VISIBLE_DEVICE")

SET_VARIABLES = ("XDG_CACHE_HOME", "TI_LIB_DIR")  # set for the library, if the user has not set them

if sys.platform == "win32":
    FILE_NAME, FOLDER = "taichi_c_api.dll", "bin"
elif sys.platform == "darwin":
    FILE_NAME, FOLDER = "libtaichi_c_api.dylib", "lib"
else:
    FILE_NAME, FOLDER = "libtaichi_c_api.so", "lib"

# Elf64_Ehdr up to e_shnum, and Elf64_Phdr.
FILE_HEADER = struct.Struct("<6s26xQQ6xHHHH")
SEGMENT = struct.Struct("<8xQ16xQ16x")
ELF_64 = b"\x7fELF\x02\x01"  # 64 bits, little-endian


_Library: TypeAlias = tuple[str, tuple[int, int, int], str]  # its path, its version, and where it was found

# Re-entrant: a signal handler may need the library while its thread loads it. Both searches have the same result.
_lock = threading.RLock()
_loaded: _Library | None = None


def library_path() -> str:
    """Return the path of the C library in use, and load it if necessary.

    Raises
    ------
    LibraryNotFoundError
        If no usable library is found.
    ValueError
        If an environment variable would make the library abort the process.

    Examples
    --------
    >>> library_path()  # doctest: +SKIP
    '/usr/lib/python3/dist-packages/taichi_aot/_bundle/lib/libtaichi_c_api.so'
    """
    return load()[0]


def library_version() -> tuple[int, int, int]:
    """Return the version of the C-API that the library in use implements, as its ``ti_get_version`` reports it.

    It is the version of the interface: Taichi 1.7.4 reports 1.7.0.

    Raises
    ------
    LibraryNotFoundError, ValueError
        As for `library_path`.

    Examples
    --------
    >>> library_version()  # of Taichi 1.7.4
    (1, 7, 0)
    """
    return load()[1]


def load() -> _Library:
    """Load the C library on the first call, with the errors of `library_path`; later calls return the first result."""
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                before = {name: os.environ.get(name) for name in SET_VARIABLES}
                try:
                    _loaded = _find_and_load()
                except BaseException:
                    if _loaded is None:  # otherwise a signal handler has loaded it
                        _restore_environment(before)
                    raise
    return _loaded


def check_environment() -> None:
    """Check the integers that the library parses, which would abort the process, and `labels_switch`."""
    for name in INTEGER_VARIABLES:
        read_integer(name)
    labels_switch()


def labels_switch() -> bool | None:
    """Return whether launches and arrays get names for tools; None if that depends on a tool."""
    return read_switch("TAICHI_AOT_LABELS")


def _restore_environment(before: dict[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _find_and_load() -> _Library:
    check_environment()
    require((LIBRARY_SPACE, 0), "the Taichi C-API library")
    if "HOME" not in os.environ and "XDG_CACHE_HOME" not in os.environ:
        # The library asserts that one of them is set. The XDG specification treats an empty value as unset.
        os.environ["XDG_CACHE_HOME"] = ""
    tried: list[str] = []
    for origin, path in _candidates():
        try:
            path, version = _load_from(path)
            log_debug("library loaded: %s (%s), C-API %d.%d.%d", path, origin, *version)
            return path, version, origin
        except _UnusableError as reason:
            log_debug("library not used: %s: %s", origin, reason)
            tried.append(f"  {origin}: {reason}")
    raise LibraryNotFoundError("\n".join(["the Taichi C-API library was not found. Tried:", *tried, *_advice(tried)]))


class _UnusableError(Exception):
    pass


def _candidates() -> list[tuple[str, str | None]]:
    """Return (origin, path) in order of preference. The path is None if the origin does not have a library."""
    install_dir = os.environ.get(INSTALL_DIR_VARIABLE)
    if install_dir:  # an explicit choice: other places are not searched
        return [(INSTALL_DIR_VARIABLE, os.path.join(install_dir, FOLDER, FILE_NAME))]
    return [
        ("bundled with taichi_aot", os.path.join(_package_folder(), "_bundle", FOLDER, FILE_NAME)),
        ("installed package 'taichi'", _path_in_taichi()),
        ("system loader", FILE_NAME),
    ]


def _package_folder() -> str:
    return os.path.dirname(os.path.dirname(__file__))


def _path_in_taichi() -> str | None:
    try:
        spec = find_spec("taichi")
    except (ImportError, ValueError):  # a broken or half-imported package
        return None
    if spec is None or spec.origin is None:
        return None
    return os.path.join(os.path.dirname(spec.origin), "_lib", "c_api", FOLDER, FILE_NAME)


def _load_from(path: str | None) -> tuple[str, tuple[int, int, int]]:
    if path is None:
        raise _UnusableError("not installed")
    _check_file(path)
    message = ffi.new("char[]", 1024)
    if lib.taichi_aot_load(os.fsencode(path), message, len(message)) != 0:
        raise _UnusableError(f"{path} cannot be loaded: {ffi.string(message).decode(errors='replace')}")
    number = lib.ti_get_version()
    version = (number // 1_000_000, number // 1_000 % 1_000, number % 1_000)
    if version[:2] != SUPPORTED_VERSION:
        lib.taichi_aot_forget_library()
        wanted, found = ".".join(map(str, SUPPORTED_VERSION)), ".".join(map(str, version))
        raise _UnusableError(f"{path} has version {found}; taichi_aot needs {wanted}")
    searched = ffi.NULL if os.path.dirname(path) else lib.taichi_aot_library_path()  # if only the name was given
    path = os.fsdecode(ffi.string(searched)) if searched else path
    _set_runtime_folder(path)
    return path, version


def _check_file(path: str) -> None:
    """Check a file before the system loads it. The system itself searches for a bare name."""
    if not os.path.dirname(path):
        return
    if not os.path.isfile(path):
        raise _UnusableError(f"no file {path}")
    try:
        truncated = _is_truncated(path)
    except OSError as error:
        raise _UnusableError(f"{path} cannot be read: {error.strerror}") from None
    if truncated:
        raise _UnusableError(f"{path} is damaged: the file ends before its contents do")


def _set_runtime_folder(library: str) -> None:
    """Tell the library where its runtime bitcode is: it reads TI_LIB_DIR whenever it creates an LLVM runtime."""
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(library))), "runtime")
    if "TI_LIB_DIR" not in os.environ and os.path.isdir(folder):
        os.environ["TI_LIB_DIR"] = folder


def _advice(tried: list[str]) -> list[str]:
    missing = re.search(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object file", "\n".join(tried))
    if missing and missing[1] == "libX11.so.6":
        return ["The library needs libX11.so.6. Debian/Ubuntu: apt-get install libx11-6; Fedora: dnf install libX11"]
    if missing and missing[1] != FILE_NAME:
        return [f"The library needs {missing[1]}: install the package of your system that provides it."]
    if os.environ.get(INSTALL_DIR_VARIABLE):
        bundled = os.path.join(_package_folder(), "_bundle", FOLDER, FILE_NAME)
        other = "the bundled library" if os.path.isfile(bundled) else "the library of `pip install taichi==1.7.4`"
        return [
            f"{INSTALL_DIR_VARIABLE} is set, so no other place is searched: unset it to use {other}, "
            f"or set it to a folder with {FOLDER}/{FILE_NAME} and runtime/."
        ]
    if sys.platform == "linux" and arm64():
        return ["There is none for Linux on arm64: kernels with machine code and those for Vulkan do without."]
    return [
        "Install a taichi_aot wheel that bundles the library, or `pip install taichi==1.7.4` beside it, "
        f"or set {INSTALL_DIR_VARIABLE} to a folder with {FOLDER}/{FILE_NAME} and runtime/."
    ]


def _is_truncated(path: str) -> bool:  # loading such a file ends the process with SIGBUS on Linux
    """Return whether a 64-bit ELF file ends before its last segment or its section table does.

    Other kinds of files give False, because the system's loader reports them more precisely. OSError if the file cannot
    be read.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        header = file.read(FILE_HEADER.size)
        if len(header) < FILE_HEADER.size:
            return False
        kind, segments, sections, segment_size, count, section_size, section_count = FILE_HEADER.unpack(header)
        if kind != ELF_64 or segment_size != SEGMENT.size:
            return False
        file.seek(min(segments, size))
        table = file.read(count * segment_size)
    if len(table) < count * segment_size or sections + section_count * section_size > size:
        return True
    return any(offset + length > size for offset, length in SEGMENT.iter_unpack(table))


def address_of(pointer: CData) -> int:
    return int(ffi.cast("uintptr_t", pointer))


def object_pointer(python_object: object) -> Any:
    """Return the address of an object, which the caller keeps alive during the call."""
    return ffi.cast("void *", id(python_object))


def put_address(contents: Any, stated: dict[str, Any], member: str, address: int, index: int = 0) -> None:
    """Write an address into a member of the struct of the library's runtime, which a plan states."""
    struct.pack_into("<Q", contents, stated["members"][member] + 8 * index, address)


class DriverLibrary:
    """The first of several shared libraries that the system's loader finds; false if it does not find one."""

    def __init__(self, *names: str) -> None:
        self._library = next((library for name in names if (library := lib.taichi_aot_open(name.encode()))), None)

    def __bool__(self) -> bool:
        return self._library is not None

    def function(self, c_type: str, name: str) -> Function[..., Any] | None:
        """Return a function as a cffi pointer of type `c_type`, or None if the library does not export it."""
        symbol = lib.taichi_aot_symbol(self._library, name.encode()) if self._library else None
        return ffi.cast(c_type, symbol) if symbol else None
