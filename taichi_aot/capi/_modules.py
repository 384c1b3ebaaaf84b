"""Loading of modules for `capi`: repaired, with the same arguments as in C except 64-bit scalars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..adopt.modules._make import read_module
from ..adopt.modules._plan_of import plan_of
from ..backends._devices import available_archs
from ..bundle._contents import info_of
from ..bundle._graph_shapes import stated_kernel
from ..bundle._read import read_files
from ..bundle._source import Source, exactly
from ..driver._library import ffi, lib
from ..driver._status import check
from ..handles._code import module_files
from ..handles._module import ModuleHandle
from ..handles._runtime import RuntimeHandle, process
from ..kernels.modules._compatibility import check_compatible, check_fields, check_trees
from ..values._errors import NameNotFoundError
from ..values._signature import Words
from ..values._wording import short

if TYPE_CHECKING:
    from .._capi import TiAotModule
    from .._cdata import Pointer
    from ..bundle._info import ModuleInfo
    from ..values._signature import Signature


def load_module(handle: RuntimeHandle, source: Source) -> tuple[ModuleHandle, ModuleInfo]:
    """Read and check a module, and load the checked copy."""
    with process.loading:
        source_files = read_files(source, exactly(handle.arch, available_archs))
        plan = plan_of(read_module(source_files).described, Words.SCALARS)
        check_compatible(handle.backend, handle.backend.device.levels(handle), plan)
        check_fields(handle, plan)
        check_trees(plan)
        c = ffi.new("taichi_aot_module *")
        handle.loaded.append(c)  # before it is loaded, so that an exception in between cannot lose it
        files = module_files(c, plan)
        files.load(handle)
        c.is_open = 1
        loaded = ModuleHandle(handle, c.ti_module)
        loaded.c, loaded.plan = c, plan
        loaded.files, loaded.words = files, Words.SCALARS
        # This prevents loading a module with fields beside it.
        (handle if plan.has_fields else handle.context).modules[_key(loaded)] = loaded
    return loaded, info_of(plan)


def _key(module: ModuleHandle) -> bytes:
    """Return a key that differs from all contents."""
    return b"%d" % id(module)


def unload_module(module: ModuleHandle) -> None:
    """Destroy a module of the library."""
    handle = module.runtime
    handle.synchronize()
    handle.check(lib.taichi_aot_module_destroy(handle.c, module.c))
    for modules in (handle.modules, handle.context.modules):
        modules.pop(_key(module), None)
    if module.c in handle.loaded:
        handle.loaded.remove(module.c)


def fetch_foreign(ti_module: TiAotModule, name: str, *, is_graph: bool) -> Pointer[Any]:
    """Fetch a kernel or graph from a module that this package does not know."""
    result: Pointer[Any] = ffi.new("TiComputeGraph *" if is_graph else "TiKernel *")
    function = lib.checked_ti_get_aot_module_compute_graph if is_graph else lib.checked_ti_get_aot_module_kernel
    check(function(ffi.NULL, ti_module, name.encode(), result))
    fetched: Pointer[Any] = result[0]
    return fetched


def signature_of(info: ModuleInfo, name: str, *, is_graph: bool) -> Signature:
    """Return the signature of a kernel or graph. A graph's instance of a kernel has the kernel's shapes."""
    require_name(info.graphs if is_graph else info.all_kernels, name, "graph" if is_graph else "kernel")
    if is_graph:
        return info.graphs[name].signature
    signature = info.all_kernels[name].signature
    stated = stated_kernel(name, info)
    if stated is None:
        return signature
    pairs = zip(signature.parameters, stated.signature.parameters, strict=True)
    return signature._replace(parameters=tuple(own._replace(name=p.name, shape=p.shape) for own, p in pairs))


def require_name(names: Any, name: str, noun: str) -> None:
    if name not in names:
        known = ", ".join(map(repr, names)) or "none"
        raise NameNotFoundError(f"the module has no {noun} {short(name)}, it has {known}")
