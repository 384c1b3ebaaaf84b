"""The files of LLVM modules, which are on disk only while the library reads them (``module.c``)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..driver._library import ffi, lib
from ..driver._limits import MODULE_SPACE, require_address_space
from ..driver._ranges import named_range
from ..driver._status import log_debug
from ..driver._temporary import new_path
from ..formats._files import CODE_SUFFIX, LLVM_GRAPHS, LLVM_METADATA
from ._runtime import RuntimeHandle, process

if TYPE_CHECKING:
    from .._capi import TiAotModule, taichi_aot_files_p, taichi_aot_module_p
    from .._cdata import Pointer
    from ..formats._info import ModuleInfo

__all__ = ["LlvmFiles", "fetch", "load_copy"]


class LlvmFiles:
    """The files of an LLVM module: its description, and the code of each kernel until the library has read it.

    Parameters
    ----------
    module : cdata
        ``taichi_aot_module *``, in which the load is noted.
    info : ModuleInfo
        What the module states.
    files : callable
        Returns their contents by name, for a runtime.
    """

    __slots__ = ("_code", "_description", "_dispatched", "_files", "_folder", "_module")

    def __init__(
        self, module: taichi_aot_module_p, info: ModuleInfo, files: Callable[[RuntimeHandle], Mapping[str, bytes]]
    ) -> None:
        self._module = module
        self._files = files
        self._description: dict[str, bytes] = {}
        self._code = {f"{name}{CODE_SUFFIX}": b"" for name in info.all_kernels}  # until the module is loaded
        # The kernels that each graph dispatches, which the library fetches with the graph.
        self._dispatched = {name: {step.kernel for step in graph.dispatches} for name, graph in info.graphs.items()}
        self._folder = ""

    def load(self, runtime: RuntimeHandle) -> TiAotModule:
        """Load the module, unless it is loaded; return it."""
        if not self._module.ti_module:
            with process.loading:
                if not self._module.ti_module:
                    self._load(runtime)
        return self._module.ti_module

    def _load(self, runtime: RuntimeHandle) -> None:
        c_runtime, files = runtime.require_library(), self._files(runtime)
        self._description = {name: files[name] for name in (LLVM_METADATA, LLVM_GRAPHS)}
        self._code = {name: data for name, data in files.items() if name.endswith(CODE_SUFFIX)}
        self._folder = new_path()
        c, _memory = self._c_files(self._description)
        runtime.check(lib.taichi_aot_module_load(c_runtime, c, self._module))

    def fetch(self, runtime: RuntimeHandle, ti_module: TiAotModule, name: str, *, is_graph: bool) -> Pointer[Any]:
        """Fetch a kernel or graph from the library."""
        kernels = self._dispatched[name] if is_graph else (name,)
        names = {f"{kernel}{CODE_SUFFIX}" for kernel in kernels}
        prepare = runtime.backend.prepare_code
        code = {file: prepare(data) for file in names if (data := self._code.get(file)) is not None}
        try:
            c, _memory = self._c_files(code)
            fetched = _fetch(runtime, c, ti_module, name, is_graph=is_graph)
        except OSError as error:
            what = f"{'graph' if is_graph else 'kernel'} {name} could not be fetched"
            reason = f"the temporary folder (TMPDIR) of its module cannot be written: {error.strerror}"
            raise OSError(error.errno, f"{what} because {reason}", error.filename) from None
        for each in code:  # which the library has read
            self._code.pop(each, None)
        return fetched

    @property
    def unread(self) -> list[str]:
        """The kernels whose code the library has not read."""
        return [name.removesuffix(CODE_SUFFIX) for name in list(self._code)]

    def _c_files(self, files: Mapping[str, bytes]) -> tuple[taichi_aot_files_p, object]:
        """Return ``taichi_aot_files *`` for a call, and the memory that it points to."""
        if files:  # the library reads from the path of the first load, which may have been deleted
            os.makedirs(os.path.dirname(self._folder), 0o700, exist_ok=True)
        names = [ffi.new("char[]", name.encode()) for name in files]
        contents = [ffi.from_buffer(data) for data in files.values()]
        items = [(name, data, len(data)) for name, data in zip(names, contents, strict=True)]
        c_items, folder = ffi.new("taichi_aot_file[]", items), ffi.new("char[]", os.fsencode(self._folder))
        return ffi.new("taichi_aot_files *", (folder, len(items), c_items)), (names, contents, c_items, folder)


def load_copy(
    runtime: RuntimeHandle, info: ModuleInfo, files: Mapping[str, bytes], module: taichi_aot_module_p
) -> LlvmFiles | None:
    """Load a module; return what the library reads when kernels are fetched, or None if it has all files."""
    if info.family == "llvm":
        kept = LlvmFiles(module, info, lambda _: files)
        kept.load(runtime)
        return kept
    from ..formats._container import pack

    archive = pack(files)  # the library does not read it after the call
    root_size = info.root_buffer_size
    runtime.check(lib.taichi_aot_module_create(runtime.c, ffi.from_buffer(archive), len(archive), root_size, module))
    return None


def fetch(
    runtime: RuntimeHandle, files: LlvmFiles | None, ti_module: TiAotModule, name: str, *, is_graph: bool
) -> Pointer[Any]:
    """Fetch a kernel or graph that is in the module; `files` are those of an LLVM module."""
    require_address_space(MODULE_SPACE, f"fetching {name}")
    begin = time.perf_counter()
    if files is not None:
        fetched = files.fetch(runtime, ti_module, name, is_graph=is_graph)
    else:
        fetched = _fetch(runtime, ffi.new("taichi_aot_files *"), ti_module, name, is_graph=is_graph)
    log_debug("%s fetched: %s, %.1f ms", "graph" if is_graph else "kernel", name, 1e3 * (time.perf_counter() - begin))
    return fetched


def _fetch(
    runtime: RuntimeHandle, files: taichi_aot_files_p, ti_module: TiAotModule, name: str, *, is_graph: bool
) -> Pointer[Any]:
    result: Pointer[Any] = ffi.new("TiComputeGraph *" if is_graph else "TiKernel *")
    kernel, graph = (ffi.NULL, result) if is_graph else (result, ffi.NULL)
    with named_range(f"fetch {name}"):
        runtime.check(lib.taichi_aot_module_fetch(runtime.c, files, ti_module, name.encode(), kernel, graph))
    fetched: Pointer[Any] = result[0]
    return fetched
