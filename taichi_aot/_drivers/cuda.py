"""CUDA: the device that the library uses, as the driver reports it.

Without a driver the library returns a CUDA runtime that really is an x64 one, so it cannot be asked.
"""

from __future__ import annotations

import os

from .._ffi.library import ffi, lib

__all__ = ["cuda_devices"]


def cuda_devices() -> list[tuple[str, str]]:
    """(name, kind) of the first device, the only one that the library uses; empty without CUDA.

    ``TI_ENABLE_CUDA=0``, a variable of the library, disables it.
    """
    if int(os.environ.get("TI_ENABLE_CUDA", "1")) == 0:
        return []
    buffer = ffi.new("char[]", 256)
    name = lib.taichi_aot_cuda_device(buffer, len(buffer))
    return [(ffi.string(name).decode(errors="replace"), "discrete")] if name else []
