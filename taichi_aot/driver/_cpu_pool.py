"""The size of the pool of threads that runs the parallel loops of kernels on the CPU (``_c/core/pool.c``)."""

from __future__ import annotations

import functools
import os

from ._cpu import cpu_threads
from ._library import lib
from ._status import log_debug


@functools.cache
def size_pool() -> None:
    """Give the pool as many threads as the process can use, once in a process."""
    threads = cpu_threads()
    lib.taichi_aot_pool_resize(threads)
    log_debug("loops on the CPU run on up to %d threads", threads)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=size_pool.cache_clear)
