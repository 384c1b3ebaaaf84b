"""Loading: read the files of a module, reuse a loaded module of the same contents, or parse, check and load them.

Imports that only loading needs are inside functions, so that a process starts faster.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary, ref

from ...backends._devices import available_archs
from ...driver._library import ffi
from ...driver._limits import MODULE_SPACE, require_address_space
from ...driver._pointers import address_of
from ...driver._ranges import named_range
from ...driver._status import log_debug
from ...formats._files import CODE_SUFFIX, ZIP_START
from ...handles._code import LlvmFiles, load_copy
from ...handles._module import ModuleHandle, ModuleSource
from ...handles._runtime import RuntimeHandle, process
from ...values._enums import Arch, Capability
from ...values._errors import InvalidArgumentError
from ...values._signature import Words
from ...values._wording import count
from ..calls._recording import Plans
from ._compatibility import check_compatible, check_fields

if TYPE_CHECKING:
    from ..._capi import TiAotModule, taichi_aot_module_p
    from ...formats._info import ModuleInfo
    from ...formats._native import NativeModule
    from ...formats._origin import Origin
    from ...formats._parse import ParsedModule
    from ...formats._ptx import PtxModule
    from ...formats._source import Files, Source, SourceFiles
    from ...formats._stamp import Stamp
    from ...handles._native import NativeCode
    from ...handles._ptx import PtxCode
    from ...lowering._returns import ReturnLayout
    from ...lowering.plans._native import NativePlans

__all__ = ["LoadedModule", "adopt_module", "load_files", "load_module", "own_module", "reporting_files"]


class LoadedModule:
    """A module in the library, and the contents of its files; its plans, or the reason why it has none."""

    __slots__ = ("__weakref__", "c", "contents", "files", "gradients", "info", "plans", "results")

    def __init__(
        self,
        contents: _Contents,
        c: taichi_aot_module_p,
        info: ModuleInfo,
        plans: Plans | str,
        files: LlvmFiles | None,
        results: Mapping[str, ReturnLayout],
        gradients: frozenset[str],
    ) -> None:
        self.contents = contents
        self.c = c
        self.info = info
        self.plans = plans
        self.files = files
        self.results = results
        self.gradients = gradients


class _Contents:
    """The files of a module as a dictionary key, equal if all contents are equal, and how they were built."""

    __slots__ = ("__weakref__", "_hash", "files", "origin")

    def __init__(self, files: Files, origin: Origin | None) -> None:
        self.files = files
        self.origin = origin
        self._hash = hash(frozenset(files.sizes.items()))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is _Contents and self.files == other.files)


# The contents of loaded files, by their stamp and arch.
_stamped: WeakValueDictionary[tuple[Stamp, Arch], _Contents] = WeakValueDictionary()


def load_module(
    handle: RuntimeHandle, capabilities: Mapping[Capability, int], source: Source
) -> tuple[ModuleHandle, ModuleInfo]:
    """Load a module into a runtime. The same files are not read again, and a module of the same contents is shared."""
    require_address_space(MODULE_SPACE, "loading a module")
    from ...formats._read import read_files
    from ...formats._source import exactly
    from ...formats._stale import warn_if_stale
    from ...formats._stamp import stamp_of

    handle.require_open()
    stamp = stamp_of(source)
    contents = None if stamp is None else _stamped.get((stamp, handle.arch))
    loaded = None if contents is None else _find(handle, contents)
    if loaded is None:
        files = read_files(source, exactly(handle.arch, available_archs))
        warn_if_stale(source, files.origin)
        loaded = _load_files(handle, capabilities, files)
        if stamp is not None:
            _stamped[stamp, handle.arch] = loaded.contents
    else:
        warn_if_stale(source, loaded.contents.origin)
    return _open(handle, loaded, source)


def load_files(
    handle: RuntimeHandle, capabilities: Mapping[Capability, int], files: SourceFiles, source: Source | None = None
) -> tuple[ModuleHandle, ModuleInfo]:
    """Load a module from files in memory, which were read from `source`, if that is given."""
    require_address_space(MODULE_SPACE, "loading a module")
    handle.require_open()
    return _open(handle, _load_files(handle, capabilities, files), source)


def _load_files(handle: RuntimeHandle, capabilities: Mapping[Capability, int], files: SourceFiles) -> LoadedModule:
    from ...formats._parse import parse_module

    contents = _Contents(files.contents, files.origin)
    begin = time.perf_counter()
    with process.loading, named_range(f"load {files.where}"):
        loaded = _find(handle, contents)
        if loaded is not None:
            return loaded
        module = parse_module(files)
        check_compatible(handle.backend, capabilities, module)
        check_fields(handle, module)
        loaded = _load(handle, module, contents)
    kernels, taken = count(module.info.kernels, "kernel"), 1e3 * (time.perf_counter() - begin)
    log_debug("module loaded: %s for %s, %s, %.1f ms", files.where, handle.arch, kernels, taken)
    if isinstance(loaded.plans, str):
        log_debug("launches of %s: by the library: %s", files.where, loaded.plans)
    return loaded


def _find(handle: RuntimeHandle, contents: _Contents) -> LoadedModule | None:
    """Return the module with these contents, if the runtime has loaded it."""
    tables = handle.modules, handle.context.modules, handle.context.in_use
    found: Iterator[LoadedModule | None] = (table.get(contents) for table in tables)
    return next(filter(None, found), None)


def _open(handle: RuntimeHandle, loaded: LoadedModule, source: Source | None) -> tuple[ModuleHandle, ModuleInfo]:
    plans = handle.backend.why_by_library() or loaded.plans  # read again for a module that is shared
    module_handle = ModuleHandle(handle, loaded.c.ti_module, None if isinstance(plans, str) else plans)
    if isinstance(plans, str):
        module_handle.why_without_plans = plans
    module_handle.files, module_handle.loaded = loaded.files, loaded
    module_handle.words, module_handle.results, module_handle.gradients = Words.ALL, loaded.results, loaded.gradients
    module_handle.c.root = loaded.c.root
    module_handle.source = ModuleSource(_container_of(source), loaded.contents.files)
    return module_handle, loaded.info


def _container_of(source: Source | None) -> str | bytes | None:
    """Return the absolute path of a source, or its bytes; None for a buffer, which may change."""
    if isinstance(source, str | os.PathLike):
        return os.path.abspath(os.fsdecode(source))
    if type(source) is bytes:
        return source if source.startswith(ZIP_START) else os.path.abspath(os.fsdecode(source))
    return None


def adopt_module(
    handle: RuntimeHandle,
    capabilities: Mapping[Capability, int],
    ti_module: TiAotModule,
    source: Source,
    lender: ModuleHandle | None,
) -> tuple[ModuleHandle, ModuleInfo]:
    """A module that the library has loaded from `source`, borrowed from a handle if there is one."""
    from ...formats._parse import parse_module
    from ...formats._read import read_files
    from ...formats._source import exactly

    files = read_files(source, exactly(handle.arch, available_archs))
    handle.require_open()
    module = parse_module(files)
    check_compatible(handle.backend, capabilities, module)
    adopted = ModuleHandle(handle, ti_module, lender=lender)
    if lender is not None:
        adopted.words, adopted.files = lender.words, lender.files
        adopted.results, adopted.gradients = lender.results, lender.gradients
        adopted.source = lender.source
    elif (loaded := _loaded(handle, ti_module)) is not None:
        adopted.words, adopted.results, adopted.gradients = Words.ALL, loaded.results, loaded.gradients
    return adopted, module.info


def _loaded(handle: RuntimeHandle, ti_module: TiAotModule) -> LoadedModule | None:
    """The module, if `load_module` has loaded it."""
    modules = (*handle.modules.values(), *handle.context.modules.values())
    return next((each for each in modules if type(each) is LoadedModule and each.c.ti_module == ti_module), None)


def own_module(module: ModuleHandle) -> None:
    """Give the runtime ownership of the library's module.

    Raises
    ------
    ValueError
        If the runtime owns it already.
    """
    handle, ti_module = module.runtime, module.c.ti_module
    with process.loading:
        if any(c.ti_module == ti_module for c in (*handle.loaded, *handle.context.loaded)):
            raise InvalidArgumentError("the module's runtime owns it already: pass owned=False")
        handle.loaded.append(module.c)


def reporting_files(handle: RuntimeHandle, info: ModuleInfo, files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Return the files of a module for a runtime; kernels with checks report those that fail."""
    if not any(kernel.checked for kernel in info.all_kernels.values()):
        return files
    from ._checks import with_checks  # which few modules need

    return with_checks(handle, info, files)


def _load(handle: RuntimeHandle, module: ParsedModule, contents: _Contents) -> LoadedModule:
    by_library = handle.backend.why_by_library()  # raises before anything is loaded
    code = by_library or handle.backend.open_code(module, handle)
    owner = handle if module.info.has_fields else handle.context
    c = ffi.new("taichi_aot_module *")
    if not isinstance(code, str) and code.ends_with_modules:
        return _load_unloadable(handle, module, contents, c, code)
    owner.loaded.append(c)  # before it is loaded, so that an exception in between cannot lose it
    if not isinstance(code, str):
        loaded = _load_native(module, contents, c, code)
    else:
        from ...lowering._lower import lower
        from ...lowering.plans._kernel_plans import KernelPlans

        lowered = lower(module)
        files = load_copy(handle, module.info, reporting_files(handle, module.info, lowered.files), c)
        has_plans = not by_library and not handle.backend.on_host
        plans = Plans(KernelPlans(lowered, has_root=bool(c.root))) if has_plans else code
        loaded = LoadedModule(contents, c, module.info, plans, files, lowered.results, lowered.gradients)
    owner.modules[contents] = loaded
    return loaded


def _load_unloadable(
    handle: RuntimeHandle,
    module: ParsedModule,
    contents: _Contents,
    c: taichi_aot_module_p,
    code: NativeCode | PtxCode,
) -> LoadedModule:
    """Load a module whose code is unloaded when nothing uses it, unless the library has to load the module too."""
    context = handle.context
    reference: ref[LoadedModule] | None = None

    def keep() -> None:
        """Keep it as `_load` does, before the library loads it: what the library has loaded it hardly frees."""
        context.loaded.append(c)
        kept = reference() if reference is not None else None
        if kept is not None:  # it is, as long as a handle of it can call the library
            context.modules[contents] = kept

    loaded = _load_native(module, contents, c, code, keep)
    reference = ref(loaded)
    context.in_use[contents] = loaded
    return loaded


def _load_native(
    module: ParsedModule,
    contents: _Contents,
    c: taichi_aot_module_p,
    code: NativeCode | PtxCode,
    keep: Callable[[], object] = lambda: None,
) -> LoadedModule:
    """Load a module whose kernels have machine code; the library loads it when it has to launch one that has none.

    `keep` is called before that.
    """
    from ...lowering._lower import lower

    info = module.info
    native, plans = _native_plans(module)
    results, gradients = dict(plans.results), plans.gradients
    if native.refused:
        lowered = lower(module)
        results, gradients = {**lowered.results, **results}, lowered.gradients | gradients

    def lowered_files(runtime: RuntimeHandle) -> Mapping[str, bytes]:
        files = _with_own_fields(native, code, reporting_files(runtime, info, lower(module).files))
        keep()
        return files

    files = LlvmFiles(c, info, lowered_files)
    return LoadedModule(contents, c, info, Plans(plans, code), files, results, gradients)


def _native_plans(module: ParsedModule) -> tuple[NativeModule | PtxModule, NativePlans]:
    if module.ptx is not None:
        from ...lowering.plans._ptx import PtxPlans

        return module.ptx, PtxPlans(module, module.ptx)
    from ...lowering.plans._native import NativePlans

    assert module.native is not None
    return module.native, NativePlans(module, module.native)


def _with_own_fields(
    native: NativeModule | PtxModule, code: NativeCode | PtxCode, files: Mapping[str, bytes]
) -> Mapping[str, bytes]:
    """Return files for the library, with which kernels that also have machine code use the fields of that.

    The library launches such kernels in some graphs, and for users of the C-API.
    """
    kernels = [name for name, kernel in native.kernels.items() if kernel.trees]
    if not kernels:
        return files
    from ...lowering._llvm_patches import with_roots

    roots = address_of(code.runtime) + native.members["roots"].offset
    names = (f"{name}{CODE_SUFFIX}" for name in kernels)
    return {**files, **{name: with_roots(files[name], roots) for name in names}}
