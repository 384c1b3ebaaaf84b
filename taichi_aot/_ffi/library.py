"""Finds and loads the C library; the one module that imports the compiled extension.

Everything else takes `ffi` and `lib` from here. The functions of `lib` may be called once `load()` has returned;
before that each reports NOT_SUPPORTED.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from typing import NamedTuple

from .._capi import ffi, lib
from ..errors import LibraryNotFoundError

__all__ = ["ffi", "lib", "library_path", "library_version", "load"]

INSTALL_DIR_VARIABLE = "TAICHI_C_API_INSTALL_DIR"  # upstream's own name for it
SUPPORTED_VERSION = (1, 7)

# The library parses these with std::stoi while it starts and aborts the process where that throws.
INTEGER_VARIABLES = ("TI_ENABLE_CUDA", "TI_VISIBLE_DEVICE")

if sys.platform == "win32":
    FILE_NAME, FOLDER = "taichi_c_api.dll", "bin"
elif sys.platform == "darwin":
    FILE_NAME, FOLDER = "libtaichi_c_api.dylib", "lib"
else:
    FILE_NAME, FOLDER = "libtaichi_c_api.so", "lib"


class _Library(NamedTuple):
    path: str
    version: tuple[int, int, int]


_lock = threading.Lock()
_loaded: _Library | None = None


def library_path() -> str:
    """Path of the C library in use; loads it if that has not happened yet.

    Raises
    ------
    LibraryNotFoundError
        If no usable library is found.
    """
    return load().path


def library_version() -> tuple[int, int, int]:
    """Version of the C library in use, as its ``ti_get_version`` gives it: ``(1, 7, 0)`` for Taichi 1.7.4.

    Raises
    ------
    LibraryNotFoundError
        If no usable library is found.
    """
    return load().version


def load() -> _Library:
    """Load the C library once; later calls return the first result."""
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = _find_and_load()
    return _loaded


def check_environment() -> None:
    """Raise ValueError for a variable whose value would make the library abort the process."""
    for name in INTEGER_VARIABLES:
        value = os.environ.get(name)
        if value is None:
            continue
        # The blanks of C's isspace, not those of Python; leading zeros may be many.
        match = re.fullmatch(r"[ \t\n\v\f\r]*[+-]?0*([0-9]{1,10})", value)
        if match is None or int(match[1]) >= 2**31:
            raise ValueError(
                f"the environment variable {name} must be a 32-bit integer, not {value!r}: "
                "the Taichi C-API library would abort the process"
            )


def _find_and_load() -> _Library:
    check_environment()
    if "HOME" not in os.environ and "XDG_CACHE_HOME" not in os.environ:
        # The library asserts one of them while it is loaded. By the XDG specification an empty value means unset.
        os.environ["XDG_CACHE_HOME"] = ""
    tried = []
    for origin, path in _candidates():
        try:
            return _load_from(path)
        except _UnusableError as reason:
            tried.append(f"  {origin}: {reason}")
    raise LibraryNotFoundError("\n".join(["the Taichi C-API library was not found. Tried:", *tried, *_advice(tried)]))


class _UnusableError(Exception):
    pass


def _candidates() -> list[tuple[str, str | None]]:
    """(origin, path) in the order of preference; the path is None where the origin has no library."""
    install_dir = os.environ.get(INSTALL_DIR_VARIABLE)
    if install_dir:  # who sets it wants that library and no other
        return [(INSTALL_DIR_VARIABLE, os.path.join(install_dir, FOLDER, FILE_NAME))]
    return [
        (
            "bundled with taichi_aot",
            os.path.join(os.path.dirname(os.path.dirname(__file__)), "_bundle", FOLDER, FILE_NAME),
        ),
        ("installed package 'taichi'", _path_in_taichi()),
        ("system loader", FILE_NAME),
    ]


def _package_folder() -> str:
    return os.path.dirname(os.path.dirname(__file__))


def _path_in_taichi() -> str | None:
    import importlib.util

    try:
        spec = importlib.util.find_spec("taichi")
    except (ImportError, ValueError):  # a broken or half-imported package
        return None
    if spec is None or spec.origin is None:
        return None
    return os.path.join(os.path.dirname(spec.origin), "_lib", "c_api", FOLDER, FILE_NAME)


def _load_from(path: str | None) -> _Library:
    if path is None:
        raise _UnusableError("not installed")
    if os.path.dirname(path) and not os.path.isfile(path):
        raise _UnusableError(f"no file {path}")
    message = ffi.new("char[]", 1024)
    if lib.taichi_aot_load(os.fsencode(path), message, len(message)) != 0:
        raise _UnusableError(f"{path} cannot be loaded: {ffi.string(message).decode(errors='replace')}")
    number = lib.ti_get_version()
    version = (number // 1_000_000, number // 1_000 % 1_000, number % 1_000)
    if version[:2] != SUPPORTED_VERSION:
        lib.taichi_aot_forget_library()
        wanted, found = ".".join(map(str, SUPPORTED_VERSION)), ".".join(map(str, version))
        raise _UnusableError(f"{path} has version {found}; taichi_aot needs {wanted}")
    path = _real_path(path)
    _set_runtime_folder(path)
    return _Library(path, version)


def _real_path(path: str) -> str:
    """The file that the loader took, where only a name was given."""
    if os.path.dirname(path):
        return path
    found = lib.taichi_aot_library_path()
    return os.fsdecode(ffi.string(found)) if found else path


def _set_runtime_folder(library: str) -> None:
    """Tell the library where its runtime bitcode is: it reads TI_LIB_DIR at each creation of an LLVM runtime."""
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(library))), "runtime")
    if "TI_LIB_DIR" not in os.environ and os.path.isdir(folder):
        os.environ["TI_LIB_DIR"] = folder


def _advice(tried: list[str]) -> list[str]:
    missing = re.search(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object file", "\n".join(tried))
    if missing and missing[1] == "libX11.so.6":
        return ["The library needs libX11.so.6. Debian/Ubuntu: apt-get install libx11-6; Fedora: dnf install libX11"]
    if missing and missing[1] != FILE_NAME:
        return [f"The library needs {missing[1]}: install the package of your system that provides it."]
    return [
        "Install a taichi_aot wheel that bundles the library, or `pip install taichi==1.7.4` beside it, "
        f"or set {INSTALL_DIR_VARIABLE} to a folder that holds {FOLDER}/{FILE_NAME} and runtime/."
    ]
