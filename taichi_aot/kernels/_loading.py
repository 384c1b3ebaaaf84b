"""Loading: read the files of a module, reuse a loaded module of the same contents, or check and load it.

Without the checks that a runtime can run a valid module the library crashes or computes wrong results.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakValueDictionary, ref

from ..backends._base import Backend
from ..backends._devices import available_archs, visible_devices
from ..bundle._files import PLAN, stamp_of
from ..bundle._plan import Passed, Plan, exactly, parse_plan, read_files, warn_if_stale
from ..driver._library import MODULE_SPACE, ffi, log_debug, named_range, require_address_space
from ..handles._code import native_target
from ..handles._module import KernelPlans, LibraryFiles, ModuleHandle, files_for_library
from ..handles._runtime import RuntimeHandle, process
from ..values._errors import IncompatibleModuleError, InvalidArgumentError, NotSupportedError, count
from ..values._numbers import Arch, Capability
from ..values._signature import Signature, Words, word_counts

if TYPE_CHECKING:
    from .._capi import TiAotModule, taichi_aot_module_p
    from ..bundle._files import Files, Source, Stamp
    from ..bundle._plan import Origin, SourceFiles
    from ..handles._code import KernelCode

Capabilities: TypeAlias = Mapping[Capability, int]


def check_compatible(backend: Backend, capabilities: Capabilities, plan: Plan) -> None:
    """Raise IncompatibleModuleError for another arch, a missing capability, or code that the library cannot run."""
    stated, arch = plan.info.archs, backend.arch
    if stated and arch not in stated and not (backend.device.on_host and native_target(plan)):
        compiled = " or ".join(map(str, stated))
        here = next((f", or load it with Runtime({str(each)!r})" for each in stated if visible_devices(each)), "")
        raise IncompatibleModuleError(
            f"{plan.where} was compiled for {compiled} and cannot run on a runtime of arch {arch}; "
            f"compile it with ti.init(arch=ti.{arch}){here}"
        )
    if not stated and backend.code.family != "llvm":
        raise IncompatibleModuleError(
            f"{plan.where} is an LLVM module; a runtime of arch {arch} needs SPIR-V; load it with Runtime('cpu')"
        )
    if plan.info.refused:
        raise IncompatibleModuleError(f"{plan.where}: {plan.info.refused}")
    if plan.family == "gfx":
        plan.read("what it needs of the device", lambda: _check_device(arch, capabilities, plan))


def _check_device(arch: Arch, capabilities: Capabilities, plan: Plan) -> None:

    device = plan.info.device
    missing = [name for name in device.needs if not capabilities.get(Capability[name.upper()])]
    if missing:
        raise IncompatibleModuleError(
            f"{plan.where} needs capabilities that the {arch} device lacks: {', '.join(missing)}"
        )
    number, (major, minor) = capabilities.get(Capability.SPIRV_VERSION, 0), device.spirv
    supported = (number >> 16, number >> 8 & 0xFF)
    if number and (major, minor) > supported:
        raise IncompatibleModuleError(
            f"{plan.where} is SPIR-V {major}.{minor}; the {arch} device supports up to {supported[0]}.{supported[1]}"
        )


def check_fields(handle: RuntimeHandle, plan: Plan) -> None:
    """Raise for a second module with fields, because all fields of a runtime share one root."""
    if not plan.info.has_fields:
        return
    if any(other.modules for other in process.live_runtimes() if other.context is handle.context):
        remedy = "CUDA runtimes of a process share it: use a process" if handle.context.shared else "Use a Runtime"
        raise IncompatibleModuleError(
            f"{plan.where} has fields, and so has another module of this runtime; they would share their memory. "
            f"{remedy} for each"
        )
    if handle.context.c.loads:  # on SPIR-V, of modules that may be destroyed
        raise IncompatibleModuleError(
            f"{plan.where} has fields: load it first; the kernels of this runtime use the fields of its first module"
        )


def check_trees(plan: Plan) -> None:
    """Raise for kernels that the library would launch without memory for their fields: on SPIR-V it has tree 0 only."""
    if plan.family != "gfx" or not any(plan.info.field_trees):
        return
    names = dict.fromkeys((*plan.public, *plan.kernels))
    using = [(name, max(trees)) for name in names if any(trees := plan.kernels[name].field_trees)]
    if not using:
        return
    (name, tree), *_ = using
    reasons = (f" ({reason})" for reason in map(plan.why_by_library, names) if reason)
    raise IncompatibleModuleError(
        f"{plan.where}: kernel {name!r} uses fields of tree {tree}, and the C library, which would launch it"
        f"{next(reasons, '')}, has memory for tree 0 only; place all fields before the first kernel is compiled, "
        "without ti.FieldsBuilder"
    )


def require_launchable(signature: Signature, family: str, words: Words, *, returns: bool) -> None:
    """Raise for a kernel or graph whose arguments differ in the copy that `load_module` makes of its module."""
    if words is Words.ALL:
        return
    others = any(word_counts(p, family, words) != word_counts(p, family) for p in signature.parameters)
    if returns or others:
        raise NotSupportedError(
            f"{signature.name}() returns a value, or takes a 64-bit scalar, a vector or a matrix: only a module "
            "from Runtime.load_module can launch it with objects"
        )


# Loading: read the files of a module, reuse a loaded module of the same contents, or check and load it.


LLVM_ARCHS = (Arch.X64, Arch.ARM64, Arch.CUDA)  # of a module without kernels


class LoadedModule:
    """A loaded module: its plan, its code, and its handle in the library."""

    __slots__ = ("__weakref__", "c", "contents", "fields_begun", "files", "plan", "plans")

    def __init__(
        self,
        contents: _Contents,
        c: taichi_aot_module_p,
        plan: Plan,
        plans: KernelPlans | str,
        files: LibraryFiles,
    ) -> None:
        self.contents = contents
        self.c = c
        self.plan = plan
        self.plans = plans  # the plans of its launches, or the reason why there are none
        self.files = files  # what the library reads when it loads the module, or kernels are fetched
        self.fields_begun = False  # whether its fields have got what the module states of their contents

    def passed(self, kernel: str) -> Passed:
        """Return what launches of a kernel pass in addition to its arguments."""
        return self.plan.passed(kernel, has_code=not isinstance(self.plans, str))


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


def load_module(handle: RuntimeHandle, capabilities: Capabilities, source: Source) -> ModuleHandle:
    """Load a module into a runtime. The same files are not read again, and a module of the same contents is shared."""
    require_address_space(MODULE_SPACE, "loading a module")
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
    return _open(handle, loaded)


def load_files(
    handle: RuntimeHandle, capabilities: Capabilities, files: SourceFiles, plan: Plan | None = None
) -> ModuleHandle:
    """Load a module from files in memory, which state `plan`, if that is known."""
    require_address_space(MODULE_SPACE, "loading a module")
    handle.require_open()
    return _open(handle, _load_files(handle, capabilities, files, plan))


def plan_of(files: SourceFiles) -> Plan:
    """Return the plan of a module; parse a module that Taichi wrote."""
    if PLAN in files.contents:
        return parse_plan(files)
    from ..adopt._make import adopt  # imported late: modules that this package built do not need it

    return adopt(files)


def archs_of(files: SourceFiles, plan: Plan) -> tuple[Arch, ...]:
    """Return the archs that can run a module."""
    return (files.arch,) if files.arch else plan.info.archs or LLVM_ARCHS


def _load_files(
    handle: RuntimeHandle, capabilities: Capabilities, files: SourceFiles, plan: Plan | None = None
) -> LoadedModule:
    contents = _Contents(files.contents, files.origin)
    begin = time.perf_counter()
    with process.loading, named_range(f"load {files.where}"):
        loaded = _find(handle, contents)
        if loaded is not None:
            return loaded
        plan = plan or plan_of(files)
        check_compatible(handle.backend, capabilities, plan)
        check_fields(handle, plan)
        if plan.info.seed:
            handle.random.start_by_default(plan.info.seed)
        loaded = _load(handle, plan, contents)
    kernels, taken = count(plan.public, "kernel"), 1e3 * (time.perf_counter() - begin)
    log_debug("module loaded: %s for %s, %s, %.1f ms", files.where, handle.arch, kernels, taken)
    if isinstance(loaded.plans, str):
        log_debug("launches of %s: by the library: %s", files.where, loaded.plans)
    return loaded


def _find(handle: RuntimeHandle, contents: _Contents) -> LoadedModule | None:
    """Return the module with these contents, if the runtime has loaded it."""
    for table in (handle.modules, handle.context.modules, handle.in_use, handle.context.in_use):
        found: LoadedModule | None = table.get(contents) if table else None
        if found is not None:
            return found
    return None


def _open(handle: RuntimeHandle, loaded: LoadedModule) -> ModuleHandle:
    plans = handle.backend.code.why_by_library() or loaded.plans  # read again for a module that is shared
    opened = ModuleHandle(
        handle,
        loaded.c.ti_module,
        loaded.plan,
        plans=plans,
        files=loaded.files,
        loaded=loaded,
        words=Words.ALL,
        passed=loaded.passed,
    )
    opened.c.trees = loaded.c.trees
    return opened


def adopt_module(
    handle: RuntimeHandle,
    capabilities: Capabilities,
    ti_module: TiAotModule,
    source: Source,
    owner: ModuleHandle | None,
) -> ModuleHandle:
    """Return the module that the library loaded from `source`, borrowed from `handle` if given."""
    files = read_files(source, exactly(handle.arch, available_archs))
    handle.require_open()
    plan = plan_of(files)
    check_compatible(handle.backend, capabilities, plan)
    check_trees(plan)
    loaded = None if owner is not None else _loaded(handle, ti_module)
    known = owner or loaded
    if known is None:  # another binding has loaded it
        return ModuleHandle(handle, ti_module, plan)
    return ModuleHandle(
        handle,
        ti_module,
        plan,
        files=None if owner is None else owner.files,
        owner=owner,
        words=Words.ALL if owner is None else owner.words,
        passed=known.passed,
    )


def _loaded(handle: RuntimeHandle, ti_module: TiAotModule) -> LoadedModule | None:
    modules = (*handle.modules.values(), *handle.context.modules.values())
    return next((each for each in modules if type(each) is LoadedModule and each.c.ti_module == ti_module), None)


def own_module(module: ModuleHandle) -> None:
    """Give the runtime ownership of the library's module; ValueError if the runtime owns it already."""
    handle, ti_module = module.runtime, module.c.ti_module
    with process.loading:
        if any(c.ti_module == ti_module for c in (*handle.loaded, *handle.context.loaded)):
            raise InvalidArgumentError("the module's runtime owns it already: pass owned=False")
        handle.loaded.append(module.c)


def _load(handle: RuntimeHandle, plan: Plan, contents: _Contents) -> LoadedModule:
    by_library = handle.backend.code.why_by_library()  # raises before anything is loaded
    code = by_library or handle.backend.code.open(plan, handle)
    if isinstance(code, str) or not code.has_fields:
        check_trees(plan)
    owner = handle if plan.info.has_fields else handle.context
    c = ffi.new("taichi_aot_module *")
    if not isinstance(code, str) and code.ends_with_modules:
        return _load_collectable(handle, plan, contents, c, code)
    owner.loaded.append(c)  # before it is loaded, so that an exception in between cannot lose it
    if isinstance(code, str):
        plans: KernelPlans | str = code
        files = files_for_library(c, plan)
        files.load(handle)
    else:
        plans, files = KernelPlans(plan, code), files_for_library(c, plan, code.roots)
        c.trees = code.trees
    loaded = owner.modules[contents] = LoadedModule(contents, c, plan, plans, files)
    return loaded


def _load_collectable(
    handle: RuntimeHandle, plan: Plan, contents: _Contents, c: taichi_aot_module_p, code: KernelCode
) -> LoadedModule:
    """Load a module whose code is freed with its last user, unless the library must load the module too."""
    reference: ref[LoadedModule] | None = None

    def keep() -> None:
        """Keep it as `_load` does, before the library loads it: what the library has loaded it hardly frees."""
        handle.context.loaded.append(c)
        kept = reference() if reference is not None else None
        if kept is not None:  # it is, as long as a handle of it can call the library
            if code.is_of_runtime:
                handle.kept.append(kept)
            else:
                handle.context.modules[contents] = kept

    files = files_for_library(c, plan, code.roots, keep)
    loaded = LoadedModule(contents, c, plan, KernelPlans(plan, code), files)
    reference = ref(loaded)
    (handle if code.is_of_runtime else handle.context).in_use[contents] = loaded
    return loaded
