"""The limits of this process: file descriptors, address space, threads. They are checked first, because the library and
the drivers crash at them.
"""

from __future__ import annotations

import errno
import mmap
import os
from typing import TypeAlias

from .._capi import lib
from ..values._errors import OutOfMemoryError

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
