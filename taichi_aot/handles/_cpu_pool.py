"""The pool of threads that runs the parallel loops of kernels on the CPU (``pool.c``).

The library starts threads for each runtime, and wakes all of them for each loop. In the private copy of a kernel's
code, the address of the pool's function takes the place of the member of the library's struct that the code would
call. So the library itself, and modules that others load into the same ``TiRuntime``, stay as they are.
"""

from __future__ import annotations

import functools
import os
import re

from ..driver._cpu import cpu_threads
from ..driver._library import lib
from ..driver._status import log_debug

__all__ = ["on_pool", "size_pool"]

FUNCTION = rb"void \(i8\*, i32, i32, i8\*, void \(i8\*, i32, i32\)\*\)\*"  # of no other member
LOADED = re.compile(rb"load (%s), [^\n]*" % FUNCTION)


@functools.cache
def size_pool() -> None:
    """Give the pool as many threads as the process can use, once in a process.

    Raises
    ------
    ValueError
        If ``TAICHI_AOT_CPU_THREADS`` is not a number of threads.
    """
    threads = cpu_threads()
    lib.taichi_aot_pool_resize(threads)
    log_debug("loops on the CPU run on up to %d threads", threads)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=size_pool.cache_clear)


def on_pool(code: bytes) -> bytes:
    """Return the code of a kernel with its loops on the pool."""
    from ..formats._llvm_ir import CPU_LOOP  # which a process without such code does without

    if CPU_LOOP not in code:
        return code
    changed, count = LOADED.subn(rb"inttoptr i64 %d to \1" % lib.taichi_aot_pool_function(), code)
    if not count:
        log_debug("loops of a kernel run on the library's threads: its code calls them in an unknown way")
    return changed
