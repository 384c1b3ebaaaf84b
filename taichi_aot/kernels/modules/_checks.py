"""The code of kernels with checks, which is to note failures in the context of a runtime."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...driver._checks import FIELD_NODE, Checked, number_of
from ...driver._library import ffi, lib
from ...driver._status import log_debug
from ...formats._files import CODE_SUFFIX
from ...formats._graphs import MANGLED, same_types
from ...handles._runtime import RuntimeHandle
from ...lowering._llvm_checks import Guards, Record, leave_failed_tasks, note_failures

if TYPE_CHECKING:
    from ..._cdata import Pointer
    from ...formats._info import ModuleInfo
    from ...values._signature import Signature

__all__ = ["with_checks"]


def with_checks(runtime: RuntimeHandle, info: ModuleInfo, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a module for a runtime, which reports the checks of its kernels that fail."""
    addresses: Pointer[int] = ffi.new("uint64_t[7]")
    runtime.check(lib.taichi_aot_check_addresses(runtime.c, addresses))
    values = [addresses[i] for i in range(7)]
    record, guards = Record(*values[:4]), Guards(*values[4:])
    changed, fields = dict(files), tuple(_field_nodes(info, files))
    for name, kernel in info.all_kernels.items():
        if not kernel.checked:
            continue
        file = f"{name}{CODE_SUFFIX}"
        signature = _named(info, name)
        checked = Checked(signature.name, tuple(each.name for each in signature.parameters), fields)
        noting = note_failures(files[file], record, number_of(checked))
        if noting is None:
            log_debug("checks of kernel %s: not reported, because its code is not understood", name)
        else:
            changed[file] = leave_failed_tasks(noting, guards) if runtime.backend.on_host else noting
    return changed


def _named(info: ModuleInfo, name: str) -> Signature:
    """Return the signature of a kernel. For one of a graph, whose parameters have no names, that of the same kernel."""
    own, compiled = info.all_kernels[name], MANGLED.fullmatch(name)
    if compiled is None:
        return own.signature
    known = info.all_kernels.get(compiled[1])
    if known is not None and same_types(known, own):
        return known.signature
    return own.signature._replace(name=compiled[1])


def _field_nodes(info: ModuleInfo, files: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield the node of each field in messages with its name: the kernel that reads the field checks its indices."""
    for field in info.fields:
        node = re.search(FIELD_NODE.encode(), files.get(f"{field.get}{CODE_SUFFIX}", b""))
        if node:
            yield node[1].decode(), field.name
