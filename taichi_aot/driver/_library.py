"""The C library and the extension: find, load and call it, with limits, statuses and ranges.

Other modules import `ffi` and `lib` of the compiled extension from this module. Functions of `lib` can be called at any
time; before `load()` has returned, each of them reports NOT_SUPPORTED. Statuses of calls become exceptions and lines of
the log.

The limits of this process, of file descriptors, address space and threads, are checked first, because the library and
the drivers crash at them.

Ranges of the host are shown to profilers by the package nvtx. A range lasts as long as a call of C. Without a tool,
nvtx is not imported, and calls go straight to C.
"""

from __future__ import annotations

import errno
import importlib
import mmap
import os
import re
import struct
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from importlib.util import find_spec
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from .._capi import ffi as ffi
from .._capi import lib as plain_lib
from ..values._errors import (
    BufferStateError,
    DeviceLostError,
    ErrorCode,
    InvalidArgumentError,
    InvalidStateError,
    LibraryNotFoundError,
    ObjectStateError,
    OutOfMemoryError,
    TaichiError,
    error_class,
)
from ._host import arm64, read_integer, read_switch

try:
    from _thread import RLock as RLock  # `threading` has it from there, and takes longer to import than this module
except ImportError:  # not CPython
    from threading import RLock as RLock

if TYPE_CHECKING:
    from logging import Logger

    from .._cdata import CData, Function


Given: TypeAlias = tuple[Any, ...]  # arguments of a function
Named: TypeAlias = "tuple[str, int | None]"  # the name and the bytes of a range
Lib = TypeVar("Lib")


def _find_nvtx() -> Any:
    """Return the package nvtx if a tool listens; None if not, or if it is not installed."""
    try:
        switch = read_switch("TAICHI_AOT_LABELS")
        if switch is False or not (switch or os.environ.get("NVTX_INJECTION64_PATH")):
            return None
        return importlib.import_module("nvtx")
    except (ImportError, ValueError):  # the first runtime raises that of the variable
        return None


_nvtx = _find_nvtx()
IS_LISTENING = _nvtx is not None


def named_range(name: str, size: int | None = None) -> AbstractContextManager[object]:
    """Show a block as a range, if a tool listens."""
    if not IS_LISTENING:
        return nullcontext()
    shown: AbstractContextManager[object] = _nvtx.annotate(name, domain="taichi_aot", payload=size)
    return shown


def _label(name: Any) -> str:
    return ffi.string(name).decode() if name else "launch"


def _way(direction: int) -> str:
    return "read" if direction == plain_lib.TAICHI_AOT_READ else "write"


def _launch_range(given: Given) -> Named:
    names = given[0].names
    return _label(names and names.launch), None


def _sequence_range(given: Given) -> Named:
    return _label(given[0].pace.label), None


# What the ranges of functions are called, by their arguments.
NAMES: Mapping[str, Callable[[Given], Named]] = {
    "taichi_aot_launch_now": _launch_range,
    "taichi_aot_launch_for_result": _launch_range,
    "taichi_aot_run_sequence": _sequence_range,
    "taichi_aot_run_until": _sequence_range,
    "taichi_aot_read_result": lambda given: ("read", given[0].result.size),
    "taichi_aot_transfer": lambda given: (_way(given[6]), given[5]),
    "taichi_aot_copy": lambda given: ("copy", given[7]),
    "taichi_aot_copy_host": lambda given: (_way(given[6]), given[5]),
    "taichi_aot_copy_memory": lambda given: ("copy", given[5]),
    "taichi_aot_cuda_copy_peer": lambda given: ("copy", given[8]),
    "taichi_aot_image_transfer": lambda given: (_way(given[4]), None),
    "taichi_aot_image_copy": lambda given: ("copy", None),
    "taichi_aot_image_copy_memory": lambda given: ("copy", None),
    "taichi_aot_wait": lambda given: ("wait", None),
    "taichi_aot_mark_wait": lambda given: ("wait", None),
}


def _ranged(function: Callable[..., Any], name: Callable[[Given], Named]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        with named_range(*name(arguments)):
            return function(*arguments)

    return call


def with_ranges(plain: Lib) -> Lib:
    """Return `lib`, with ranges if a tool listens."""
    if not IS_LISTENING:
        return plain
    ranged = {function: _ranged(getattr(plain_lib, function), name) for function, name in NAMES.items()}
    return cast("Lib", SimpleNamespace(**{name: getattr(plain_lib, name) for name in dir(plain_lib)} | ranged))


lib = with_ranges(plain_lib)


# Status codes of calls into the extension, the exceptions for them, and lines of the log.


LOGGER = "taichi_aot"

Result = TypeVar("Result")


class Status:
    """Status codes of this package; those of the library are negative."""

    CLOSED = lib.TAICHI_AOT_CLOSED
    WRONG_THREAD = lib.TAICHI_AOT_WRONG_THREAD
    LOST = lib.TAICHI_AOT_LOST
    REENTERED = lib.TAICHI_AOT_REENTERED
    ARRAY_CLOSED = lib.TAICHI_AOT_ARRAY_CLOSED
    ARRAY_MAPPED = lib.TAICHI_AOT_ARRAY_MAPPED
    MODULE_CLOSED = lib.TAICHI_AOT_MODULE_CLOSED
    IN_USE = lib.TAICHI_AOT_IN_USE
    BUSY = lib.TAICHI_AOT_BUSY
    CHANGED = lib.TAICHI_AOT_CHANGED
    NO_RESULT = lib.TAICHI_AOT_NO_RESULT
    FOREIGN = lib.TAICHI_AOT_FOREIGN
    ARGUMENT = lib.TAICHI_AOT_ARGUMENT
    NOT_MINE = lib.TAICHI_AOT_NOT_MINE
    NEEDS_PLAN = lib.TAICHI_AOT_NEEDS_PLAN
    FILE = lib.TAICHI_AOT_FILE
    UNFINISHED = lib.TAICHI_AOT_UNFINISHED
    NOT_LAUNCHED = lib.TAICHI_AOT_NOT_LAUNCHED
    CHECK_FAILED = lib.TAICHI_AOT_CHECK_FAILED
    TOO_LONG = lib.TAICHI_AOT_TOO_LONG


# The library reports these with INVALID_STATE.
NO_MEMORY = (
    "std::bad_alloc",
    "Virtual memory allocation",
    "listgen allocation failed",
    "gtmp allocation failed",
    "CUDA_ERROR_OUT_OF_MEMORY",
)

_MESSAGES: dict[int, tuple[type[TaichiError], str]] = {
    Status.CLOSED: (ObjectStateError, "the runtime is closed"),
    Status.WRONG_THREAD: (ObjectStateError, "an OpenGL runtime can be used only by the thread that created it"),
    Status.REENTERED: (InvalidStateError, "this thread is already inside another call on the same runtime"),
    Status.ARRAY_CLOSED: (ObjectStateError, "the memory is closed"),
    Status.ARRAY_MAPPED: (
        BufferStateError,
        "the memory is mapped, and this arch maps a copy; leave the `with` block first",
    ),
    Status.MODULE_CLOSED: (ObjectStateError, "the module is closed"),
    Status.IN_USE: (BufferStateError, "the memory has live views; drop them before closing it"),
    Status.BUSY: (InvalidStateError, "another thread is using the runtime"),
    Status.CHANGED: (InvalidStateError, "another thread has updated the launch"),
    Status.FOREIGN: (InvalidArgumentError, "the kernel or graph belongs to another runtime"),
    Status.ARGUMENT: (InvalidArgumentError, "an argument of the launch is wrong"),
    Status.NO_RESULT: (InvalidStateError, "the launch has not been made yet, so it does not have a result"),
}


def check(status: int) -> None:
    """Raise the error that a call of this thread reported, if any."""
    if status:
        raise error_of(status)


def status_kind(status: int) -> int:
    """Return a `Status`, or the library's negative code, without the index of an array."""
    return status & 0xFF if status > 0 else status


def status_index(status: int) -> int:
    """Return the index of the array that a positive status refers to."""
    return status >> 8


def error_of(status: int) -> Exception:
    """Return the exception for the status that the last call of this thread returned."""
    kind = status_kind(status)
    if kind in _MESSAGES:
        cls, text = _MESSAGES[kind]
        return cls(text)
    if kind == Status.CHECK_FAILED:
        from ._checks import error_of_failure

        failure = lib.taichi_aot_last_failure()
        shapes = [tuple(shape.dims[0 : shape.dim_count]) for shape in failure.shapes]
        return error_of_failure(failure.kernel, ffi.string(failure.message, 2048), list(failure.arguments), shapes)
    message = ffi.string(lib.taichi_aot_error_message()).decode(errors="replace")
    if kind == Status.TOO_LONG:
        return InvalidArgumentError(message)
    if kind == Status.FILE:
        return OSError(status_index(status), os.strerror(status_index(status)), message)
    if kind == Status.LOST:
        return DeviceLostError(
            f"the CUDA context of cuda:{status_index(status)} is unusable, because a kernel faulted (an index out of "
            f"range, say); start a new process. The first error was: {message or 'unknown'}"
        )
    routine = lib.taichi_aot_error_routine()
    name = ffi.string(routine).decode() if routine else "the library"
    if any(text in message for text in NO_MEMORY):
        kind = ErrorCode.OUT_OF_MEMORY
    error = error_class(kind)(f"{name} failed: {message or 'the library does not state a reason'}")
    error.routine = name
    return error


def keeping_failures(call: Callable[[], Result]) -> Result:
    """Make a call whose errors may not reach the caller, and leave failed checks to later calls."""
    before = 0
    try:
        before = lib.taichi_aot_keep_failures(True)
        return call()
    finally:
        lib.taichi_aot_keep_failures(before)


def log_failure(status: int, what: str) -> None:
    """Log that a clean-up failed. Raising would not reach a caller, and stopping would leak the remaining resources."""
    if status < 0 or status == Status.IN_USE:
        error = error_of(status)
        with suppress(Exception):  # a clean-up must continue even where logging cannot be imported
            import logging

            logging.getLogger(LOGGER).warning("%s: %s", what, error)


def debug_logger() -> Logger | None:
    """Return the logger if it takes lines of DEBUG, else None."""
    logging = sys.modules.get("logging")
    if logging is None:  # a program that has not imported it has no handler for them
        return None
    logger: Logger = logging.getLogger(LOGGER)
    return logger if logger.isEnabledFor(logging.DEBUG) else None


def log_debug(text: str, *values: object) -> None:
    """Log what the package does. The values are formatted only if a handler listens."""
    with suppress(Exception):  # a handler must not stop what is logged
        logger = debug_logger()
        if logger is not None:
            logger.debug(text, *values, stacklevel=2)


# The limits of this process: file descriptors, address space, threads.


# Bytes of address space that were measured with glibc 2.36 and Mesa 22.3, rounded up.
LIBRARY_SPACE = 128 << 20  # the C library
DRIVER_SPACE = 384 << 20  # a GPU driver and its compiler
RUNTIME_SPACE = 192 << 20  # a runtime, without its threads
MODULE_SPACE = 32 << 20  # to load a module, or to fetch a kernel
STACK_SPACE = 8 << 20
HEAP_SPACE = 64 << 20  # of malloc, for a thread
MOST_SOFTWARE_THREADS = 32  # Mesa's limit


Need: TypeAlias = tuple[int, int]  # bytes of address space, and threads that run at the same time


def software_device() -> Need:
    """Return what Mesa takes for a device that runs on the CPU: two threads for each core, and two more."""
    threads = 2 * min(os.cpu_count() or 1, MOST_SOFTWARE_THREADS) + 2
    return RUNTIME_SPACE + threads * (STACK_SPACE + HEAP_SPACE), threads


def require(need: Need, what: str) -> None:
    """Check that this process can get what is needed, and a file descriptor."""
    space, threads = need
    require_descriptor(what)
    require_address_space(space, what)
    if not lib.taichi_aot_can_start_threads(threads):
        text = f"{what} starts {threads} threads, and the limit of threads or processes is reached"
        raise OSError(errno.EAGAIN, f"{os.strerror(errno.EAGAIN)}: {text}")


def require_descriptor(what: str) -> None:
    """Raise OSError if this process has reached its limit of open files (EMFILE, ENFILE)."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            text = f"{what} must open files, and the limit of open files is reached; close some or raise it"
            raise OSError(error.errno, f"{error.strerror}: {text}") from None


def require_address_space(size: int, what: str) -> None:
    """Raise OutOfMemoryError if this process cannot reserve this many bytes of address space (RLIMIT_AS)."""
    if not size or not hasattr(mmap, "MAP_PRIVATE"):  # Windows, which would reserve memory
        return
    try:
        mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0).close()
    except OSError:
        raise OutOfMemoryError(
            f"{what} takes up to {size >> 20} MiB of address space, and this process cannot reserve that much more; "
            "raise its limit (ulimit -v)"
        ) from None


# Find and load the C library.


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
_lock = RLock()
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


def put_address(contents: Any, members: Mapping[str, int], member: str, address: int, index: int = 0) -> None:
    """Write an address into a member of the struct of the library's runtime, whose offsets a plan states."""
    struct.pack_into("<Q", contents, members[member] + 8 * index, address)


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
