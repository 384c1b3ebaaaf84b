"""The code of kernels with checks, which is to note failures in the context of a runtime."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..driver._checks import number_of
from ..driver._library import ffi, lib
from ..driver._status import log_debug
from ..formats._files import CODE_SUFFIX
from ..handles._runtime import RuntimeHandle
from ..lowering._llvm_checks import Guards, Record, leave_failed_tasks, note_failures

if TYPE_CHECKING:
    from .._cdata import Pointer
    from ..formats._info import KernelInfo

__all__ = ["with_checks"]


def with_checks(
    runtime: RuntimeHandle, kernels: Mapping[str, KernelInfo], files: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the files of a module for a runtime, which reports the checks of its kernels that fail."""
    addresses: Pointer[int] = ffi.new("uint64_t[7]")
    runtime.check(lib.taichi_aot_check_addresses(runtime.c, addresses))
    values = [addresses[i] for i in range(7)]
    record, guards = Record(*values[:4]), Guards(*values[4:])
    changed = dict(files)
    for name in [name for name, kernel in kernels.items() if kernel.checked]:
        file = f"{name}{CODE_SUFFIX}"
        noting = note_failures(files[file], record, number_of(name))
        if noting is None:
            log_debug("checks of kernel %s: not reported, because its code is not understood", name)
        else:
            changed[file] = leave_failed_tasks(noting, guards) if runtime.backend.on_host else noting
    return changed
