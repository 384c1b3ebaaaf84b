"""The plan of a module: what its files state, and what follows from them for launches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from ...bundle._graph_shapes import inherit_shapes
from ...bundle._info import Device, Edits, KernelInfo, LaunchInfo, Library, ModuleInfo, RuntimeStruct
from ...bundle._plan import Plan
from ...bundle._source import CODE_SUFFIX, LIBRARY, LLVM_GRAPHS, LLVM_METADATA, NATIVE_CODE, Files
from ...values._enums import Arch
from ...values._signature import Words
from ..llvm import _copy as llvm
from ..llvm._copy import LibraryCode, NativePlans
from ..llvm._ir import draws_random_numbers
from ..llvm._module import LlvmModule
from ..spirv import _module as spirv
from ..spirv._module import GfxModule
from ..spirv._plans import GfxPlans, OwnCodes, codes_of, mended, needed_capabilities
from ..taichi._native import (
    RANDOM,
    RUNTIME_LAYOUT,
    TEMPORARIES_BYTES,
    NativeKernel,
    cubin_name,
    ptx_name,
    random_threads,
)
from ..taichi._plans import Plans, UnplannedError
from ..taichi._types import LoweredModule
from ._module import ParsedModule


def plan_of(module: ParsedModule, words: Words = Words.ALL, *, is_compact: bool = False) -> Plan:
    """Make the plan of a module; `words` is what the copy for the library takes as words.

    A compact plan is stored: the code for the library is then stated as changes of the module's own, which takes a
    while to find. Others derive the launch of a kernel on first use, because that reads the code.
    """
    return _Maker(module, words).plan(is_compact=is_compact)


class _Maker:
    def __init__(self, module: ParsedModule, words: Words) -> None:
        self._module = module
        self._info = inherit_shapes(module.info)
        self._lowered = lower(module, words)
        codes = module.codes
        if codes is None and isinstance(module.stated, GfxModule):
            codes = codes_of(mended(module.files, module.stated.code))
        if codes is not None:
            spirv, capabilities, _ = self._info.device
            self._info = self._info._replace(device=Device.of(spirv, capabilities | needed_capabilities(codes)))
        self._plans = _plans(module, self._lowered, codes)
        self._own = module.native or module.ptx
        self._loops = {} if module.native is None else module.native.loops
        # Beside Taichi's own.
        self._files: dict[str, bytes] = {**module.contents, **({} if codes is None else codes.files)}

    def plan(self, *, is_compact: bool) -> Plan:
        info, module = self._info, self._module
        kernels = {name: self._kernel(name, kernel, is_compact=is_compact) for name, kernel in info.all_kernels.items()}
        info = info._replace(
            all_kernels=kernels,
            kernels={name: kernels[name] for name in info.kernels},
            refused=why_refused(module),
            library=self._library(is_compact=is_compact),
        )
        if self._own is not None:
            info = self._with_code(info)
        sizes = {**module.files.sizes, **{name: len(data) for name, data in self._files.items()}}
        added, read = self._files, module.files
        files = Files(sizes, lambda names: {name: added[name] if name in added else read[name] for name in names})
        return Plan(module.where, info, files, self._launch)

    def _kernel(self, name: str, kernel: KernelInfo, *, is_compact: bool) -> KernelInfo:
        loops = self._loops.get(name) or ("",) * len(kernel.tasks)
        return kernel._replace(
            tasks=tuple(task._replace(loop=loop) for task, loop in zip(kernel.tasks, loops, strict=True)),
            result=self._lowered.results.get(name) or self._plans.results.get(name) or kernel.result,
            draws=self._drawing_threads(name, kernel),
            gradients=name in self._lowered.gradients or name in self._plans.gradients,
            launch=self._launch(name) if is_compact else None,
        )

    def _launch(self, name: str) -> LaunchInfo:
        try:
            return self._plans.dispatch(name)
        except UnplannedError as reason:
            return LaunchInfo(library=str(reason))

    def _drawing_threads(self, name: str, kernel: KernelInfo) -> int:
        """Return how many threads take random numbers of the states that the library has on a CUDA device."""
        if Arch.CUDA not in self._info.archs:
            return 0
        if self._own is not None and name in self._own.kernels and RANDOM not in self._own.kernels[name].needs:
            return 0
        code = self._module.files[f"{name}{CODE_SUFFIX}"]
        return max((task.threads for task in kernel.tasks if draws_random_numbers(code, task.name)), default=0)

    def _with_code(self, info: ModuleInfo) -> ModuleInfo:
        """Return the statement with that of machine code or PTX, and add its files."""
        native, ptx, stated = self._module.native, self._module.ptx, self._module.stated
        assert self._own is not None
        assert isinstance(stated, LlvmModule)
        kernels = self._own.kernels
        used = {tree for kernel in kernels.values() for tree in kernel.trees}
        trees = [(tree.key, tree.size) for tree in stated.fields if tree.key in used]
        info = info._replace(runtime=runtime_struct(RUNTIME_LAYOUT, kernels, trees, self._info.all_kernels))
        if native is not None:
            names = {target: NATIVE_CODE[target] for target in sorted(native.code)}
            self._files |= {names[target]: data for target, data in native.code.items()}
            return info._replace(code=names)
        assert ptx is not None
        self._files |= dict(ptx.images)
        images = {
            name: {"ptx": ptx_name(name), **{each: cubin_name(name, each) for each in ptx.capabilities}}
            for name in kernels
        }
        return info._replace(ptx=images, cubins=ptx.capabilities)

    def _library(self, *, is_compact: bool) -> Library:
        """Return the statement of the library's files."""
        lowered, own = self._lowered.files, self._module.files
        library = Library((), tuple(sorted(self._lowered.results)), tuple(sorted(self._lowered.gradients)))
        given, roots = dict(lowered), dict[str, Edits]()
        if self._info.family == "llvm":
            code, given = LibraryCode(self._lowered), {name: lowered[name] for name in (LLVM_METADATA, LLVM_GRAPHS)}
            for name in self._info.all_kernels:
                file = f"{name}{CODE_SUFFIX}"
                given[file] = code.of(name)
                if self._own is not None and name in self._own.kernels and self._own.kernels[name].trees:
                    roots[file] = edits(given[file], code.with_own_fields(given[file]))
            library = library._replace(tokens=code.tokens, checks=code.checks, nodes=tuple(code.nodes), roots=roots)
        changed, files = dict[str, Edits](), dict[str, str]()
        for name, data in given.items():
            if name in own and own[name] == data:
                continue
            if is_compact and name.endswith(CODE_SUFFIX):
                changed[name] = edits(own[name], data)
            else:
                files[name] = f"{LIBRARY}{name}"
                self._files[f"{LIBRARY}{name}"] = data
        return library._replace(names=tuple(sorted(given)), files=files, edits=changed)


def _plans(module: ParsedModule, lowered: LoweredModule, codes: OwnCodes | None) -> Plans:
    stated, own = module.stated, module.native or module.ptx
    if not isinstance(stated, LlvmModule):
        return GfxPlans(lowered, codes)
    if own is None:
        return Plans("PTX" if Arch.CUDA in module.info.archs else "machine code")
    return NativePlans(module.info, stated.kernels, own)


def why_refused(module: ParsedModule) -> str:
    """Return why the library cannot run a module, as a clause whose subject it is; empty if it can."""
    info = module.info
    for name, kernel in info.all_kernels.items():
        lost = set(kernel.field_trees) - set(info.field_trees)
        if lost and info.family == "llvm":
            return (
                f"kernel {name!r} uses fields that are not in the module (tree {min(lost)}) and would crash; export a "
                "field of each tree with taichi.aot.Module.add_field"
            )
        if lost:
            return (
                f"kernel {name!r} uses fields of tree {min(lost)}, and its files state the size of tree 0 only; build "
                "it with `taichi-aot build`, or place all fields before the first kernel is compiled"
            )
    name = module.stated.kernel_without_lists()
    if name:
        return (
            f"kernel {name!r} loops over dense fields by lists of nodes, which the library does not make, and would "
            "crash; compile it without ti.init(demote_dense_struct_fors=False)"
        )
    return ""


def runtime_struct(
    layout: tuple[int, Mapping[str, int]],
    own: Mapping[str, NativeKernel],
    trees: Sequence[tuple[int, int]],
    kernels: Mapping[str, KernelInfo],
) -> RuntimeStruct:
    """Return the statement of the runtime's struct; `trees` are those of fields that code uses, with their sizes."""
    size, members = layout
    drawing = [kernels[name].tasks for name, each in own.items() if RANDOM in each.needs]
    return RuntimeStruct(
        size,
        dict(members),
        TEMPORARIES_BYTES,
        tuple(sorted(set[str]().union(*(each.needs for each in own.values())))),
        tuple(trees),
        max(map(random_threads, drawing), default=0),
    )


def edits(own: bytes, new: bytes) -> Edits:
    """Return by which changes of lines one text becomes another; see `bundle._plan.edited`."""
    before, after = own.split(b"\n"), new.split(b"\n")
    if len(before) == len(after):
        changes = [(i, i + 1, i, i + 1) for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    else:
        operations = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        changes = [(i, j, a, b) for kind, i, j, a, b in operations if kind != "equal"]
    return tuple((first, end, tuple(line.decode() for line in after[a:b])) for first, end, a, b in changes)


def lower(module: ParsedModule, words: Words = Words.ALL) -> LoweredModule:
    """Make the private copy of a module, which takes `words` as `values/_signature` describes.

    With `Words.ALL` kernels write their return values to an array too, as `taichi/_parameters` describes.
    """
    info, stated = module.info, module.stated
    if isinstance(stated, LlvmModule):
        return LoweredModule(info, *llvm.lower(module.files, info, stated, words))
    return LoweredModule(info, *spirv.lower(module.files, info, stated, words))
