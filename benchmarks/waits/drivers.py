"""The driver's own waits, in C: native/vulkan_waits.c on the queue of a runtime, native/cuda_waits.c in its context."""

from __future__ import annotations

import ctypes
from pathlib import Path

from lib import build
from lib.serve import Run
from taichi_aot import Runtime
from taichi_aot.interop import vulkan

# The variants of each arch. The first is the one that others are compared with.
VARIANTS = {
    "vulkan": ("fence_polled", "fence_waited", "queue_waited", "queue_idle"),
    "cuda": ("event_polled", "event_waited", "stream_waited", "stream_idle", "fill_polled"),
}


def compile_waits(arch: str, folder: Path) -> None:
    """Compile the waits of an arch of `VARIANTS` into a shared library."""
    build.compile_c(build.SOURCES / f"{arch}_waits.c", folder / "waits.so", "-shared", "-fPIC", "-ldl")


def driver_runs(rt: Runtime, folder: Path) -> dict[str, Run]:
    """Return the variants of the runtime's driver."""
    library = ctypes.CDLL(str(folder / "waits.so"))
    if str(rt.arch) == "vulkan":
        info = vulkan.export_runtime(rt)
        library.prepare.argtypes = (*[ctypes.c_void_p] * 4, ctypes.c_uint32)
        handles = (info.get_instance_proc_addr, info.instance, info.device, info.compute_queue)
        library.prepare(*handles, info.compute_queue_family_index)
    else:
        library.prepare()
    runs: dict[str, Run] = {}
    for name in VARIANTS[str(rt.arch)]:
        function = library[name]
        function.restype, function.argtypes = None, (ctypes.c_long,)
        runs[name] = function
    return runs
