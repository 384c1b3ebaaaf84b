"""The files of modules for the library; those of LLVM modules are on disk only while it reads them (``module.c``)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..bundle._container import pack_reproducible
from ..bundle._files import CODE_SUFFIX, LLVM_GRAPHS, LLVM_METADATA
from ..bundle._plan import TOKENS
from ..driver._host import new_path
from ..driver._library import MODULE_SPACE, ffi, lib, log_debug, named_range, require_address_space
from ..values._errors import NotSupportedError
from ._runtime import RuntimeHandle, process

if TYPE_CHECKING:
    from .._capi import TiAotModule, taichi_aot_files_p, taichi_aot_module_p
    from .._cdata import Pointer
    from ..bundle._plan import Plan

ADDRESSES = "spirv_has_physical_storage_buffer"  # a capability of code that takes those of arrays


class ModuleFiles:
    """The files of a module, passed to the library on demand."""

    __slots__ = ("_keep", "_module", "_plan")

    def __init__(self, module: taichi_aot_module_p, plan: Plan, keep: Callable[[], object] = lambda: None) -> None:
        self._module = module  # ``taichi_aot_module *``, in which the load is noted
        self._plan = plan
        self._keep = keep  # called before the library loads the module

    def load(self, runtime: RuntimeHandle) -> TiAotModule:
        """Load the module, unless it is loaded; return it."""
        if not self._module.ti_module:
            with process.loading:
                if not self._plan.has_library_files:
                    raise NotSupportedError(
                        f"{self._plan.where} has only code that is launched without the C library: the C-API has no "
                        "handle of it, and TAICHI_AOT_NATIVE=0 cannot be used with it"
                    )
                if not self._module.ti_module:
                    self._load(runtime)
        return self._module.ti_module

    def _load(self, runtime: RuntimeHandle) -> None:
        raise NotImplementedError

    def fetch(self, runtime: RuntimeHandle, ti_module: TiAotModule, name: str, *, is_graph: bool) -> Pointer[Any]:
        """Fetch a kernel or graph from the library."""
        return _fetch(runtime, ffi.new("taichi_aot_files *"), ti_module, name, is_graph=is_graph)

    @property
    def unread(self) -> list[str]:
        """The kernels whose code the library has not read."""
        return []


class SpirvFiles(ModuleFiles):
    """The files of a SPIR-V module, which the library reads all at once."""

    __slots__ = ()

    def _load(self, runtime: RuntimeHandle) -> None:
        if ADDRESSES in self._plan.stated["device"]["needs"]:
            raise NotSupportedError(
                f"{self._plan.where} takes the addresses of arrays, which the C library does not get: "
                f"build it without {ADDRESSES}"
            )
        c_runtime = runtime.require_library()
        self._keep()
        archive = pack_reproducible(self._plan.library_files(), stored=True)
        no_files, c_archive = ffi.new("taichi_aot_files *"), ffi.from_buffer(archive)
        runtime.check(lib.taichi_aot_module_load(c_runtime, no_files, c_archive, len(archive), self._module))


class LlvmFiles(ModuleFiles):
    """The files of an LLVM module: its description, and the code of each kernel until the library has read it.

    `roots` is the address of the table of the memory of fields that machine code uses; 0 if the library has the fields.
    """

    __slots__ = ("_folder", "_roots", "_unread")

    def __init__(
        self, module: taichi_aot_module_p, plan: Plan, roots: int = 0, keep: Callable[[], object] = lambda: None
    ) -> None:
        super().__init__(module, plan, keep)
        self._roots = roots
        self._unread = set(plan.kernels)
        self._folder = ""

    def _load(self, runtime: RuntimeHandle) -> None:
        c_runtime = runtime.require_library()
        self._keep()
        self._folder = new_path()
        names = (LLVM_METADATA, LLVM_GRAPHS)
        c, _memory = self._c_files(self._plan.library_files(names))
        runtime.check(lib.taichi_aot_module_load(c_runtime, c, ffi.NULL, 0, self._module))

    def fetch(self, runtime: RuntimeHandle, ti_module: TiAotModule, name: str, *, is_graph: bool) -> Pointer[Any]:
        """Fetch a kernel or graph from the library, with the kernels that a graph dispatches."""
        unread = self._unread.intersection(self._plan.dispatched(name, is_graph=is_graph))
        code = self._plan.read(
            "its copy for the library",
            lambda: {f"{kernel}{CODE_SUFFIX}": self._code_of(runtime, kernel) for kernel in unread},
        )
        try:
            c, _memory = self._c_files(code)
            fetched = _fetch(runtime, c, ti_module, name, is_graph=is_graph)
        except OSError as error:
            what = f"{'graph' if is_graph else 'kernel'} {name} could not be fetched"
            reason = f"the temporary folder (TMPDIR) of its module cannot be written: {error.strerror}"
            raise OSError(error.errno, f"{what} because {reason}", error.filename) from None
        self._unread -= unread
        return fetched

    def _code_of(self, runtime: RuntimeHandle, kernel: str) -> bytes:
        """Return the code of a kernel, with the addresses of this process in place of tokens."""
        file = f"{kernel}{CODE_SUFFIX}"
        data = self._plan.library_files([file], has_code=bool(self._roots))[file]
        library = self._plan.stated["library"]
        first = library["tokens"]
        if b"%d" % (first // 100) not in data:
            return data
        draws = b"%d" % (first + TOKENS.index("random")) in data
        values = {"pool": int(lib.taichi_aot_pool_function(draws)), "roots": self._roots}
        if draws:
            threads = self._plan.kernels[kernel].get("draws", 0)
            values["random"] = runtime.backend.code.random_cell(runtime, threads)
        if kernel in library["checks"]:
            addresses: Pointer[int] = ffi.new("uint64_t[7]")
            runtime.check(lib.taichi_aot_check_addresses(runtime.c, addresses))
            values |= {name: addresses[i] for i, name in enumerate(TOKENS[2:9])}
            from ..driver._checks import number_of  # which only kernels with checks need

            name, parameters = library["checks"][kernel]
            values["number"] = number_of(name, parameters, library["nodes"])
        for i, token in enumerate(TOKENS):
            data = data.replace(b"%d" % (first + i), b"%d" % values.get(token, 0))
        return data

    @property
    def unread(self) -> list[str]:
        return list(self._unread)

    def _c_files(self, files: Mapping[str, bytes]) -> tuple[taichi_aot_files_p, object]:
        """Return ``taichi_aot_files *`` for a call, and the memory that it points to."""
        if files:  # the library reads from the path of the first load, which may have been deleted
            os.makedirs(os.path.dirname(self._folder), 0o700, exist_ok=True)
        names = [ffi.new("char[]", name.encode()) for name in files]
        contents = [ffi.from_buffer(data) for data in files.values()]
        items = [(name, data, len(data)) for name, data in zip(names, contents, strict=True)]
        c_items, folder = ffi.new("taichi_aot_file[]", items), ffi.new("char[]", os.fsencode(self._folder))
        return ffi.new("taichi_aot_files *", (folder, len(items), c_items)), (names, contents, c_items, folder)


def module_files(
    module: taichi_aot_module_p, plan: Plan, roots: int = 0, keep: Callable[[], object] = lambda: None
) -> ModuleFiles:
    """Return the files of a module; `roots` is 0 unless machine code uses fields."""
    return LlvmFiles(module, plan, roots, keep) if plan.family == "llvm" else SpirvFiles(module, plan, keep)


def fetch(
    runtime: RuntimeHandle, files: ModuleFiles | None, ti_module: TiAotModule, name: str, *, is_graph: bool
) -> Pointer[Any]:
    """Fetch a kernel or graph that is in the module; without `files` the library has read them."""
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
