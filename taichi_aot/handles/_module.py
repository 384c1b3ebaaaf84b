"""The handle of a loaded module, the plans of its launches, and its files for the library.

Plans of kernels and graphs are as C has them (``_c/core/plan.h``), each made of what its module states. The files of
LLVM modules are on disk only while the library reads them (``module.c``).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..bundle._files import CODE_SUFFIX, LLVM_GRAPHS, LLVM_METADATA, pack_reproducible
from ..bundle._info import Code
from ..bundle._plan import TOKENS, Passed, Plan
from ..driver._host import new_path
from ..driver._library import MODULE_SPACE, ffi, lib, log_debug, named_range, require_address_space
from ..values._errors import LibraryNotFoundError, NotSupportedError, ObjectStateError
from ..values._signature import Words, word_argument_name, word_counts
from ._runtime import RuntimeHandle, process

if TYPE_CHECKING:
    from .._capi import TiAotModule, taichi_aot_files_p, taichi_aot_module_p, taichi_aot_plan_p
    from .._cdata import Pointer
    from ..bundle._info import LaunchInfo, LaunchTask
    from ..values._signature import Parameter
    from ._code import KernelCode


ADDRESSES = "spirv_has_physical_storage_buffer"  # a capability of code that takes those of arrays


class LibraryFiles:
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


class SpirvFiles(LibraryFiles):
    """The files of a SPIR-V module, which the library reads all at once."""

    __slots__ = ()

    def _load(self, runtime: RuntimeHandle) -> None:
        if ADDRESSES in self._plan.info.device.needs:
            raise NotSupportedError(
                f"{self._plan.where} takes the addresses of arrays, which the C library does not get: "
                f"build it without {ADDRESSES}"
            )
        c_runtime = runtime.require_library()
        self._keep()
        archive = pack_reproducible(self._plan.library_files(), stored=True)
        no_files, c_archive = ffi.new("taichi_aot_files *"), ffi.from_buffer(archive)
        runtime.check(lib.taichi_aot_module_load(c_runtime, no_files, c_archive, len(archive), self._module))


class LlvmFiles(LibraryFiles):
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
        library = self._plan.info.library
        first = library.tokens
        if b"%d" % (first // 100) not in data:
            return data
        draws = b"%d" % (first + TOKENS.index("random")) in data
        values = {"pool": int(lib.taichi_aot_pool_function(draws)), "roots": self._roots}
        if draws:
            threads = self._plan.kernels[kernel].draws
            values["random"] = runtime.backend.code.random_cell(runtime, threads)
        if kernel in library.checks:
            addresses: Pointer[int] = ffi.new("uint64_t[7]")
            runtime.check(lib.taichi_aot_check_addresses(runtime.c, addresses))
            values |= {name: addresses[i] for i, name in enumerate(TOKENS[2:9])}
            from ..driver._checks import number_of  # which only kernels with checks need

            name, parameters = library.checks[kernel]
            values["number"] = number_of(name, parameters, library.nodes)
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


def files_for_library(
    module: taichi_aot_module_p, plan: Plan, roots: int = 0, keep: Callable[[], object] = lambda: None
) -> LibraryFiles:
    """Return the files of a module; `roots` is 0 unless machine code uses fields."""
    return LlvmFiles(module, plan, roots, keep) if plan.family == "llvm" else SpirvFiles(module, plan, keep)


def fetch(
    runtime: RuntimeHandle, files: LibraryFiles | None, ti_module: TiAotModule, name: str, *, is_graph: bool
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


# The plans of kernels and graphs as C has them (``_c/core/plan.h``), each made of what its module states.


ALIGNMENT: int = lib.TAICHI_AOT_ARGUMENT_ALIGNMENT
BINDS_ARGUMENTS: int = lib.TAICHI_AOT_BINDS_ARGUMENTS
BINDS_ARRAY: int = lib.TAICHI_AOT_BINDS_ARRAY
BINDS_RETURNS: int = lib.TAICHI_AOT_BINDS_RETURNS
BINDS_ROOT: int = lib.TAICHI_AOT_BINDS_ROOT
KINDS = {"scalar": b"s", "ndarray": b"a", "texture": b"t", "rw_texture": b"t"}
WHOLE = slice(None)  # all tasks of a kernel
FIELDS_ELSEWHERE = "fields that kernels without a plan use too"


class KernelPlans:
    """The plans of a module's kernels and graphs, each made at its first use."""

    def __init__(self, plan: Plan, code: KernelCode) -> None:
        self._plan = plan
        self._code = code
        self._made: dict[tuple[str, bool], _CPlan | str] = {}
        self._parts: dict[tuple[str, int, int], _CPlan] = {}

    def find(self, name: str, *, is_graph: bool) -> taichi_aot_plan_p | None:
        """Return the plan of a kernel or graph; None if it is not recorded."""
        found = self._find(name, is_graph=is_graph)
        return None if isinstance(found, str) else found.c

    def find_part(self, name: str, begin: int, end: int) -> taichi_aot_plan_p:
        """Return the plan of some tasks of a kernel that has a plan."""
        key = name, begin, end
        if key not in self._parts:
            made = self._plan.read(
                f"the plan of {name!r}", lambda: self._c_plan(name, slice(begin, end), is_graph=False)
            )
            self._parts.setdefault(key, made)
        return self._parts[key].c

    def reason(self, name: str, *, is_graph: bool) -> str:
        """Return the reason why a kernel or graph does not have a plan; empty if it has one."""
        found = self._find(name, is_graph=is_graph)
        return found if isinstance(found, str) else ""

    def has_code(self, name: str, *, is_graph: bool) -> bool:
        """Return whether a kernel or graph has code, so that the library makes none of its launches."""
        if self._why_none(name, is_graph=is_graph):
            return False
        return all(map(self._code.open, dict.fromkeys(self._plan.dispatched(name, is_graph=is_graph))))

    def _why_none(self, name: str, *, is_graph: bool) -> str:
        """Return the reason why a kernel or graph has no plan; empty if it has one."""
        kernels = self._plan.dispatched(name, is_graph=is_graph)
        if not self._code.has_fields and any(self._plan.kernels[kernel].field_trees for kernel in kernels):
            return FIELDS_ELSEWHERE
        return self._plan.why_by_library(name, is_graph=is_graph)

    def _find(self, name: str, *, is_graph: bool) -> _CPlan | str:
        key = name, is_graph
        if key not in self._made:
            plan = self._make(name, is_graph=is_graph)
            if self._made.setdefault(key, plan) is plan:  # otherwise another thread has made it too
                how = f"by the library: {plan}" if isinstance(plan, str) else self._code.way
                log_debug("launches of %s %s: %s", "graph" if is_graph else "kernel", name, how)
        return self._made[key]

    def _make(self, name: str, *, is_graph: bool) -> _CPlan | str:
        if not self.has_code(name, is_graph=is_graph):
            return self._why_none(name, is_graph=is_graph) or "the driver refuses its PTX"
        return self._plan.read(f"the plan of {name!r}", lambda: self._c_plan(name, WHOLE, is_graph=is_graph))

    def _c_plan(self, name: str, part: slice, *, is_graph: bool) -> _CPlan:
        parameters = self._plan.signature(name, is_graph=is_graph).parameters
        names, kinds = _arguments(parameters, self._plan.family)
        if is_graph:
            steps = [
                (kernel, [names.index(each) for each in self._passed(kernel, given)])
                for kernel, given in self._plan.graphs[name].dispatches
            ]
        else:
            gradients = sum(each.grad for each in parameters) if self._plan.kernels[name].gradients else 0
            kinds += b"a" * (gradients + (self._plan.layout(name) is not None))
            steps = [(name, list(range(len(kinds))))]
        made = _CPlan(self._plan, steps, self._code, part)
        if not lib.taichi_aot_plan_is_sound(made.c, kinds, len(kinds)):
            raise self._plan.damaged(f"the plan of {name!r}", "it leaves its bounds")
        return made

    def _passed(self, kernel: str, given: Sequence[str]) -> list[str]:
        """The names of the arguments that a graph passes to a kernel, with those of overflow arguments."""
        parameters = self._plan.signature(kernel).parameters
        named = [each._replace(name=name) for each, name in zip(parameters, given, strict=True)]
        return _arguments(named, self._plan.family)[0]


def _arguments(parameters: Sequence[Parameter], family: str) -> tuple[list[str], bytes]:
    """The names and kinds of the C arguments for parameters: words beyond the 32nd of each follow all of them."""
    names: list[str] = []
    further: list[str] = []
    kinds = b""
    for parameter in parameters:
        words = word_counts(parameter, family)
        names.append(parameter.name)
        kinds += b"w" if words else KINDS.get(parameter.kind, b"?")
        if len(words) > 1:
            further += [word_argument_name(parameter.name, k) for k in range(1, len(words))]
    return names + further, kinds + b"w" * len(further)


class _CPlan:
    """A ``taichi_aot_plan`` with what it points to; `steps` are kernels with the numbers of the launch's arguments, and
    `part` says which tasks of each it has.
    """

    def __init__(
        self, plan: Plan, steps: Sequence[tuple[str, Sequence[int]]], code: KernelCode, part: slice = WHOLE
    ) -> None:
        self._code = code
        self._files, self._family = plan.files, plan.family
        self._trees = plan.info.field_trees
        self.c: taichi_aot_plan_p = ffi.new("taichi_aot_plan *")
        self.c.dispatch_count = len(steps)
        self.c.dispatches = dispatches = ffi.new("taichi_aot_plan_dispatch[]", len(steps))
        launches = [plan.launch(kernel) for kernel, _ in steps]
        launches = [launch._replace(tasks=launch.tasks[part]) for launch in launches]
        self.c.tasks = tasks = ffi.new("taichi_aot_plan_task[]", sum(len(launch.tasks) for launch in launches))
        self._memory: list[Any] = [dispatches, tasks]
        for dispatch, launch, (kernel, numbers) in zip(dispatches, launches, steps, strict=True):
            dispatch.at, dispatch.tasks = self.c.stride, self.c.tasks + self.c.task_count
            self._fill(dispatch, kernel, launch, numbers)
            if "errors" in launch.needs:
                from ..driver._checks import number_of  # which only kernels with checks need

                parameters = [each.name for each in plan.signature(kernel).parameters]
                dispatch.kernel = number_of(kernel, parameters, plan.info.library.nodes)
            self.c.stride += -(-launch.bytes // ALIGNMENT) * ALIGNMENT
            self.c.task_count += len(launch.tasks)
            self.c.return_bytes = max(self.c.return_bytes, launch.returns)

    def _fill(self, c: Any, kernel: str, launch: LaunchInfo, numbers: Sequence[int]) -> None:
        stated: list[tuple[int, ...]] = [(numbers[each[0]], *each[1:]) for each in launch.arguments]
        c.arguments = arguments = ffi.new("taichi_aot_plan_argument[]", stated)
        c.argument_bytes, c.argument_count, c.task_count = launch.bytes, len(arguments), len(launch.tasks)
        c.runtime, c.checks = self._code.runtime, self._code.checks
        c.name = name = ffi.new("char[]", kernel.encode())
        self._memory += arguments, name
        for number, stated_task in enumerate(launch.tasks):
            task = self.c.tasks[self.c.task_count + number]
            task.dispatch = ffi.addressof(c)
            self._fill_task(task, stated_task, kernel, numbers)

    def _fill_task(self, c: Any, task: LaunchTask, kernel: str, numbers: Sequence[int]) -> None:
        stated = [(at, kind, self._source(kind, source, numbers)) for at, kind, source in task.bindings]
        c.bindings = bindings = ffi.new("taichi_aot_plan_binding[]", stated)
        c.binding_count, c.takes_arguments = len(stated), BINDS_ARGUMENTS in [kind for _, kind, _ in stated]
        c.name = name = ffi.new("char[]", task.name.encode())
        c.length = length = ffi.new("int32_t[]", task.length)
        c.length_count = len(length)
        c.groups, c.block, c.shared, c.each = task.groups, task.block, task.shared, task.each
        if task.fills:
            filled = self._code.device_threads // c.block
            c.groups = min(c.groups, max(1, task.fills * filled * c.each))
            c.filled = filled if task.fills > 1 else 0
        self.c.binding_count += len(stated)
        self._memory += bindings, name, length
        c.function = self._code.function(kernel, task.name)
        if self._family != "gfx":
            return
        stated_codes = task.codes or (Code(f"{task.name}.spv"),)
        codes = [each for each in stated_codes if not each.needs or self._code.has(each.needs)]
        if not codes:
            raise LookupError("it has no code without needs")
        c.codes = made = ffi.new("taichi_aot_plan_code[]", len(codes))
        c.code_count = len(codes)
        self._memory.append(made)
        for code, each in zip(made, codes, strict=True):
            self._fill_code(code, each)

    def _fill_code(self, c: Any, stated: Code) -> None:
        data, apart = self._files[stated.file], stated.apart
        c.words = words = ffi.new("uint32_t[]", len(data) // 4)
        ffi.memmove(words, data, 4 * len(words))
        c.apart = pairs = ffi.new("uint32_t[]", [each for pair in apart for each in pair])
        c.size, c.threads, c.apart_count = 4 * len(words), stated.threads, len(apart)
        self._memory += words, pairs

    def _source(self, kind: int, source: int, numbers: Sequence[int]) -> int:
        if kind == BINDS_ROOT:
            return self._trees.index(source)
        return numbers[source] if BINDS_ARRAY <= kind < BINDS_RETURNS else 0


# The handle of a loaded module.


class ModuleHandle:
    """One load of a module. Closing it leaves the library's module loaded in the runtime."""

    def __init__(
        self,
        runtime: RuntimeHandle,
        ti_module: TiAotModule,
        plan: Plan,
        *,
        plans: KernelPlans | str = "the module is borrowed",
        files: LibraryFiles | None = None,
        loaded: Any = None,
        owner: ModuleHandle | None = None,
        words: Words = Words.NONE,
        passed: Callable[[str], Passed] = lambda kernel: Passed(),
    ) -> None:
        self.runtime = runtime
        self.plan = plan  # what the module states
        # The plans of its kernels and graphs; None if they are not recorded, and the reason why.
        self.plans: KernelPlans | None = None if isinstance(plans, str) else plans
        self.why_without_plans: str = plans if isinstance(plans, str) else ""
        # What the library reads when kernels are fetched; None if it needs nothing, or has the files itself.
        self.files = files
        self.loaded = loaded  # what was loaded, which other handles share; its code may end with the last of them
        self._owner = owner  # the handle that this one borrows the module from; closing it closes this one
        self.words = words  # the arguments that the loaded copy of the module takes as words
        self.passed = passed  # returns what launches of a kernel pass in addition to its arguments
        # Launches check that it is open.
        self.c: taichi_aot_module_p = ffi.new("taichi_aot_module *", {"ti_module": ti_module, "is_open": 1})
        if owner is not None:
            self.c.owner = owner.c

    @property
    def is_open(self) -> bool:
        return bool(self.c.is_open) and (self._owner is None or self._owner.is_open)

    @property
    def closed(self) -> bool:
        return not self.is_open or not self.runtime.is_open

    def close(self) -> None:
        """Make later launches fail."""
        if not self.closed:
            self.runtime.check(lib.taichi_aot_module_close(self.runtime.c, self.c))

    def require_open(self) -> None:
        """Raise ValueError if the module or its runtime is closed."""
        self.runtime.require_open()
        if not self.is_open:
            raise ObjectStateError("the module is closed")

    def require_library(self) -> TiAotModule:
        """Return ``TiAotModule``, and let the library load it first if it has not; ValueError if it is closed."""
        self.require_open()
        if not self.c.ti_module and self.files is not None:
            self.c.ti_module = self.files.load(self.runtime)
        return self.c.ti_module

    def require_fields_of_library(self) -> None:
        """Raise NotSupportedError if kernels use fields for which the library has other memory."""
        if self.c.trees:
            raise NotSupportedError(
                "the C-API has no handle of the module or its kernels, because its fields are not in memory of the "
                "library: load it with TAICHI_AOT_VULKAN_RECORDING=0"
            )

    def fetch(self, name: str, *, is_graph: bool) -> Pointer[Any]:
        """Fetch a kernel or graph that is in the module from the library."""
        return fetch(self.runtime, self.files, self.require_library(), name, is_graph=is_graph)

    def find(self, name: str, *, is_graph: bool) -> Pointer[Any]:
        """Return ``TiKernel`` or ``TiComputeGraph`` for launches; NULL if it has machine code."""
        self.require_open()
        if self.plans is not None and self.plans.has_code(name, is_graph=is_graph):
            return ffi.NULL
        try:
            return self.fetch(name, is_graph=is_graph)
        except LibraryNotFoundError as error:
            reason = self.why_without_plans if self.plans is None else self.plans.reason(name, is_graph=is_graph)
            what = "graph" if is_graph else "kernel"
            raise LibraryNotFoundError(f"only the C library can launch {what} {name} ({reason}), and {error}") from None
