"""Creation of runtimes: the checks before it, and the capabilities after it."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from ..driver._fork import gpu_drivers
from ..driver._library import lib, load
from ..driver._limits import require
from ..driver._status import check
from ..handles._runtime import Context
from ..values._enums import Arch
from ..values._errors import ArgumentOutOfRangeError, CorruptedDataError, InvalidStateError, NotSupportedError
from ..values._wording import short
from ._devices import library_index, visible_devices, why_missing
from ._table import BACKENDS

MODULE_BLOCK = 8  # in LLVM bitcode

_shared_contexts: dict[tuple[Arch, int], Context] = {}  # of this process, by device
_created: set[Arch] = set()  # the archs of which this process or its parent has created a runtime


def context_for(arch: Arch, device_index: int) -> Context:
    """Return a new context, or on CUDA the one that the runtimes of a device share in this process.

    Destroying a second CUDA ``TiRuntime`` aborts the process, and creating one takes half a second.
    """
    if not BACKENDS[arch].device.is_shared:
        context = Context(arch)
        context.c.device_index = device_index
        return context
    key = arch, device_index
    return _shared_contexts.get(key) or _shared_contexts.setdefault(key, Context(arch, shared=True))


def create_context(context: Context, arch: Arch, device_index: int) -> None:
    """Open the device of a context. The ``TiRuntime`` is created too, or where that is lazy when something needs it."""
    context.c.device_index = device_index
    device = BACKENDS[arch].device
    if device.is_lazy:
        open_lazily(context, arch, lambda: device.open(context))
    else:
        _create(context, arch, device_index)


def open_lazily(context: Context, arch: Arch, open_device: Callable[[], None]) -> None:
    """Open the device of a context, whose ``TiRuntime`` is created when something needs the library."""
    context.create = partial(_create, context, arch, context.device_index)
    open_device()
    context.c.is_lazy = True


def _create(context: Context, arch: Arch, device_index: int) -> None:
    BACKENDS[arch].device.require_library(device_index)
    load()
    if not context.has_library:
        require_room(arch, device_index)
    folder = os.environ.get("TI_LIB_DIR")
    if folder is not None and BACKENDS[arch].code.family == "llvm" and not context.has_library:
        check_bitcode(f"{folder}/runtime_{arch}.bc")
    check(lib.taichi_aot_context_create(context.c, int(arch), library_index(arch, device_index)))
    _created.add(arch)


def require_room(arch: Arch, index: int) -> None:
    """Raise OSError or OutOfMemoryError if this process cannot get what a runtime on a visible device takes."""
    found = visible_devices(arch)[index : index + 1]  # none if the driver fails now
    kind = found[0].kind if found else ""
    require(BACKENDS[arch].device.need(kind, first=arch not in _created), f"a runtime of arch {arch}")


def check_bitcode(path: str) -> None:
    """Check the bitcode that each new LLVM runtime reads; damaged bitcode would abort the process."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InvalidStateError(f"{path} cannot be read: {error.strerror}; TI_LIB_DIR names its folder") from None
    # After the magic number, each block is a word with its kind, a word with its length, and that many words.
    blocks: set[int] = set()
    end = 4
    while end + 8 <= len(data):
        blocks.add(data[end] >> 2 | (data[end + 1] & 3) << 6)
        end += 8 + 4 * int.from_bytes(data[end + 4 : end + 8], "little")
    if data[:4] != b"BC\xc0\xde" or end != len(data) or MODULE_BLOCK not in blocks:
        raise CorruptedDataError(
            f"{path} is damaged: it is truncated or is not LLVM bitcode; TI_LIB_DIR names its folder"
        )


def check_device(arch: Arch, index: int) -> None:
    """Raise, as `Runtime` does, if this process cannot create a runtime on a device."""
    if gpu_drivers.lost and not arch.is_cpu:
        raise NotSupportedError(
            f"arch {arch} cannot be used in a process that was forked after a runtime on a GPU was created: drivers do "
            "not survive a fork; start processes with multiprocessing's 'spawn', or fork first"
        )
    found = visible_devices(arch)
    if not found:
        raise NotSupportedError(
            f"this machine has no device for arch {arch}: {why_missing(arch)}; devices() lists its devices, and "
            "Runtime() takes the best of them"
        )
    if not 0 <= index < len(found):
        hint = "; CUDA_VISIBLE_DEVICES selects the GPU of a process, before it starts" if arch is Arch.CUDA else ""
        raise ArgumentOutOfRangeError(
            f"device_index {short(index)} is out of range: arch {arch} has {len(found)} device(s){hint}"
        )
