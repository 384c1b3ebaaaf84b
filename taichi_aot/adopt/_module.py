"""A module that a compiler wrote: its files parsed, with its code and the description of its source, and its plan.

A description has facts of the source that the compiler's files lack: the order and the docstrings of kernels, where
they stand in the source, the names of parameters (LLVM modules lose them), stated shapes, and fields with the kernels
that copy them. It is the same for all archs. It is a statement too, of which only these parts count.

The plan is what the files state, and what follows from them for launches.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ..bundle._codec import decode
from ..bundle._files import (
    CODE_SUFFIX,
    GFX_METADATA,
    LIBRARY,
    LLVM_GRAPHS,
    LLVM_METADATA,
    NATIVE_CODE,
    PLAN,
    Files,
    is_own_file,
)
from ..bundle._info import (
    Device,
    Edits,
    FieldInfo,
    GraphInfo,
    Instance,
    KernelInfo,
    LaunchInfo,
    Library,
    ModuleInfo,
    Repeat,
    RuntimeStruct,
    SourceFile,
)
from ..bundle._plan import Plan, SourceFiles, inherit_shapes
from ..values._errors import CorruptedDataError, IncompatibleModuleError
from ..values._numbers import Arch, DataType, without_ones
from ..values._signature import Parameter, ParameterKind, Signature, Words, normal_form, positional_names, usable_names
from .llvm import _copy as llvm_copy
from .llvm import _module as llvm
from .llvm._copy import LibraryCode, NativePlans
from .llvm._ir import draws_random_numbers
from .llvm._module import LlvmContents
from .spirv import _module as spirv
from .spirv._module import GfxContents
from .spirv._plans import BuiltSpirv, GfxPlans, codes_of, mended, needed_capabilities
from .taichi._native import (
    RANDOM,
    RUNTIME_LAYOUT,
    TEMPORARIES_BYTES,
    BuiltNative,
    BuiltPtx,
    NativeKernel,
    check_version,
    cubin_name,
    ptx_name,
    random_threads,
)
from .taichi._plans import Plans, UnplannedError
from .taichi._types import LibraryCopy

# Files and descriptions.


SHOWN = 3  # names of files in a message
PARAMETER_KIND: ParameterKind = "argpack"  # of parameters in descriptions that a process sends, without their types


class ParsedModule(NamedTuple):
    """A module as its compiler wrote it, read and checked, to be packed with a plan.

    `ModuleInfo` is what users see of it; `LlvmContents` and `GfxContents` have all that its files state.
    """

    where: str  # its name for messages
    files: Files  # the compiler's files by name
    info: ModuleInfo  # what they state
    stated: LlvmContents | GfxContents  # the same in detail
    native: BuiltNative | None = None  # the machine code of its kernels, for the CPU; None if it does not have any
    ptx: BuiltPtx | None = None  # the PTX of its kernels, for CUDA; None if it does not have any
    contents: Mapping[str, bytes] = MappingProxyType({})  # of fields, by the name of the file
    codes: BuiltSpirv | None = None  # the SPIR-V that its tasks have beside Taichi's own; None if it does not have any
    description: ModuleInfo | None = None  # see above; None if it has none

    @property
    def described(self) -> ParsedModule:
        """The module with the contents that its description adds, and without its code."""
        if self.description is None:
            return self
        info = apply(self.info, self.description, self.where)
        return self._replace(info=info, native=None, ptx=None)


def parse_module(source: SourceFiles) -> ParsedModule:
    """Parse the files of a module, and check them. What this package adds to Taichi's own files is left out."""
    try:
        return _parse_module(source)
    except CorruptedDataError as error:
        if str(error).startswith(source.where):
            raise
        raise CorruptedDataError(f"{source.where}: {error}") from None


def _parse_module(source: SourceFiles) -> ParsedModule:
    where = source.where
    files = source.contents.only([name for name in source.contents if not is_own_file(name)])
    check_version(where, files)
    info: ModuleInfo
    stated: LlvmContents | GfxContents
    if LLVM_METADATA in files:
        info, stated = llvm.read(where, files)
    elif GFX_METADATA in files:
        info, stated = spirv.read(where, files)
    elif PLAN in source.contents:
        raise IncompatibleModuleError(
            f"{where} has none of the files of Taichi that modules are joined by: build it for all its archs at once"
        )
    else:
        raise CorruptedDataError(
            f"{where} is not an AOT module: it has neither {LLVM_METADATA} nor {GFX_METADATA}{_modules_in(where)}"
        )
    source.check_archs(list(map(str, info.archs)))
    return ParsedModule(where, files, info, stated)


def _modules_in(where: str) -> str:
    """Return the end of the message about a folder that is not a module: the modules in it, which may be meant."""
    try:
        names = sorted(name for name in os.listdir(where) if name.endswith((".tib", ".tcm")))
    except OSError:
        return ""
    if names:
        one_of = "" if len(names) == 1 else "one of them, as "
        return f"; it contains {', '.join(map(repr, names[:SHOWN]))}: load {one_of}{os.path.join(where, names[0])!r}"
    return "; load the folder that save() wrote, or what `taichi-aot build` wrote"


def read_description(raw: Mapping[str, Any]) -> ModuleInfo:
    """Read the description that a process which compiles has sent, with the parameters of graphs."""
    kernels = {each["name"]: _read_kernel(each) for each in raw["kernels"]}
    graphs = {each["name"]: GraphInfo(_read_signature(each), (), each["doc"]) for each in raw["graphs"]}
    return ModuleInfo(
        taichi=raw["taichi"],
        family="llvm",
        archs=(),
        all_kernels=kernels,
        kernels=kernels,
        graphs=graphs,
        has_fields=False,
        fields=tuple(decode(FieldInfo, each) for each in raw["fields"]),
        source=decode(SourceFile, raw["source"]),
        compiler=raw.get("compiler", ""),
        seed=raw.get("seed", 0),
    )


def _read_kernel(raw: Mapping[str, Any]) -> KernelInfo:
    return KernelInfo(
        _read_signature(raw),
        (),
        doc=raw["doc"],
        file=raw.get("file", ""),
        line=raw.get("line", 0),
        grad=raw.get("grad", ""),
        repeats=tuple(Repeat(*each) for each in raw.get("repeats", ())),
        instance=decode(Instance, raw["instance"]) if raw.get("instance") else None,
    )


def _read_signature(raw: Mapping[str, Any]) -> Signature:
    parameters = [
        Parameter(each["name"], PARAMETER_KIND, shape=tuple(each.get("shape", ()))) for each in raw["parameters"]
    ]
    return Signature(raw["name"], tuple(parameters))


def describe(info: ModuleInfo) -> ModuleInfo:
    """Return the description of a module, as far as its statement has it."""
    return info._replace(
        kernels={
            name: each._replace(signature=_described_names(each.signature)) for name, each in info.kernels.items()
        },
        fields=tuple(field for field in info.fields if field.dtype is not None),
    )


def _described_names(signature: Signature) -> Signature:
    """Return a signature whose parameters have names that code can use."""
    names = [parameter.name for parameter in signature.parameters]
    if not usable_names(*names):
        names = positional_names(len(names))
    parameters = tuple(
        parameter._replace(name=normal_form(name)) for name, parameter in zip(names, signature.parameters, strict=True)
    )
    return signature._replace(parameters=parameters)


def apply(info: ModuleInfo, description: ModuleInfo, where: str = "the module") -> ModuleInfo:
    """Return the contents of a module with what its description adds; CorruptedDataError if they contradict each other.

    The kernels come in the order of the description. Those that copy fields and adjoints are left out of
    `ModuleInfo.kernels`.
    """
    where = f"{where}: the description"
    made: Made = {}
    described = {name: _described_kernel(where, info, kernel, made) for name, kernel in description.kernels.items()}
    graphs = {name: _described_graph(where, info, graph) for name, graph in description.graphs.items()}
    hidden = {name for field in description.fields for name in field.accessors}
    hidden |= {kernel.grad for kernel in description.kernels.values() if kernel.grad}
    fields = tuple(_described_field(where, info, field) for field in description.fields)
    named = {field.name for field in fields}
    rest = info.fields if info.family == "gfx" or not fields else ()  # LLVM modules know numbered trees only
    return info._replace(
        kernels=described | {name: k for name, k in info.kernels.items() if name not in hidden | described.keys()},
        graphs=graphs | {name: graph for name, graph in info.graphs.items() if name not in graphs},
        all_kernels={**info.all_kernels, **described},
        fields=(*fields, *(field for field in rest if field.name not in named)),
    )


# Parameters with what a description adds, by both; many kernels have the same.
Made: TypeAlias = "dict[tuple[tuple[Parameter, ...], tuple[Parameter, ...]], tuple[Parameter, ...]]"


def _described_kernel(where: str, info: ModuleInfo, given: KernelInfo, made: Made) -> KernelInfo:
    name, parameters = given.signature.name, given.signature.parameters
    kernel = info.kernels.get(name)
    if kernel is None:
        raise CorruptedDataError(f"{where} describes kernel {name!r}, which the module lacks")
    place = f"{where}: kernel {name!r}"
    own = kernel.signature.parameters
    key = own, parameters
    if key not in made:
        made[key] = _described(place, kernel.signature, parameters).parameters
    if _states_names(info, kernel):
        names, stated = [parameter.name for parameter in made[key]], [parameter.name for parameter in own]
        if names != stated:
            raise CorruptedDataError(
                f"{place} has the parameters {', '.join(names)}; the module states {', '.join(stated)}"
            )
    signature = kernel.signature._replace(parameters=made[key])
    if given.grad:
        _check_adjoint(place, info, kernel, given.grad)
    return kernel._replace(
        signature=signature,
        names_of="",
        doc=given.doc,
        file=given.file,
        line=given.line,
        grad=given.grad,
        repeats=given.repeats,
        instance=given.instance,
    )


def _check_adjoint(place: str, info: ModuleInfo, kernel: KernelInfo, name: str) -> None:
    """Raise if the adjoint of a kernel is missing, or has other parameters. SPIR-V modules do not have any."""
    adjoint = info.kernels.get(name)
    if adjoint is None and info.family == "gfx":
        return
    own = [_without_ones(parameter) for parameter in kernel.signature.parameters]
    if adjoint is None or [_without_ones(parameter) for parameter in adjoint.signature.parameters] != own:
        raise CorruptedDataError(
            f"{place} states the adjoint {name!r}, which the module lacks or has with other parameters"
        )


def _states_names(info: ModuleInfo, kernel: KernelInfo) -> bool:
    """Tell whether the names that a module states for a kernel are its own, and not those of one with the same code."""
    if info.family != "gfx" or kernel.names_of or not usable_names(*[p.name for p in kernel.signature.parameters]):
        return False
    return not any(other.tasks == kernel.tasks for other in info.kernels.values() if other is not kernel)


def _described_graph(where: str, info: ModuleInfo, given: GraphInfo) -> GraphInfo:
    name = given.signature.name
    graph = info.graphs.get(name)
    if graph is None:
        raise CorruptedDataError(f"{where} describes graph {name!r}, which the module lacks")
    place = f"{where}: graph {name!r}"
    signature = _described(place, graph.signature, given.signature.parameters)
    if [p.name for p in signature.parameters] != [p.name for p in graph.signature.parameters]:
        raise CorruptedDataError(f"{place} has other parameters than the module states: {graph.signature}")
    return graph._replace(signature=signature, doc=given.doc)


def _described(place: str, signature: Signature, given: Sequence[Parameter]) -> Signature:
    """Return the signature with what is described of its parameters, whose shapes must be such as a user may state."""
    own = signature.parameters
    if len(given) != len(own):
        raise CorruptedDataError(f"{place} has {len(given)} parameters; the module states {len(own)}")
    parameters = tuple(_described_parameter(place, each, more) for each, more in zip(own, given, strict=True))
    try:
        return signature._replace(parameters=parameters).with_shapes({p.name: p.shape for p in parameters if p.shape})
    except ValueError as error:
        raise CorruptedDataError(f"{place} has shapes that contradict it: {error}") from None


def _described_parameter(place: str, own: Parameter, given: Parameter) -> Parameter:
    is_array = own.kind == "ndarray"
    if (given.shape or given.access) and not is_array:
        raise CorruptedDataError(f"{place}: {given.name!r} has a shape or an access and is no ndarray: {own.type_name}")
    if given.shape and len(given.shape) != own.ndim:
        raise CorruptedDataError(
            f"{place}: {given.name!r} has a shape of {len(given.shape)} dimensions; the module states {own.type_name}"
        )
    access = "".join(sorted({*own.access, *given.access}))  # code for CPUs may lack stores that change nothing
    return own._replace(name=normal_form(given.name), shape=given.shape, access=access)


def _described_field(where: str, info: ModuleInfo, field: FieldInfo) -> FieldInfo:
    for own in info.fields:
        if info.family == "gfx" and own.name == field.name and (own.dtype, own.shape) != (field.dtype, field.shape):
            raise CorruptedDataError(f"{where} describes the field {field}; the module states {own}")
    array = Parameter("", "ndarray", field.dtype, len(field.shape), field.elem_shape)
    count, indices = (Parameter("", "ndarray", DataType.I32, ndim) for ndim in (1, 2))
    elements = array._replace(ndim=1)
    taken = {field.get: [array], field.set: [array]}
    taken |= {field.gather: [count, indices, elements], field.scatter: [indices, elements]}
    for name in field.accessors:
        kernel = info.kernels.get(name)
        if kernel is None or list(map(_without_ones, kernel.signature.parameters)) != list(
            map(_without_ones, taken[name])
        ):
            types = ", ".join(each.type_name for each in taken[name])
            raise CorruptedDataError(f"{where}: the module lacks a kernel {name}({types}) for field {field}")
    return field


def _without_ones(parameter: Parameter) -> tuple[object, ...]:
    """Return kind and type, without dimensions of 1 of an element: files state a vector as a matrix of one column."""
    return parameter.kind, parameter.dtype, parameter.ndim, without_ones(parameter.elem_shape)


# Plans.


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
        if codes is None and isinstance(module.stated, GfxContents):
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
        assert isinstance(stated, LlvmContents)
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


def _plans(module: ParsedModule, lowered: LibraryCopy, codes: BuiltSpirv | None) -> Plans:
    stated, own = module.stated, module.native or module.ptx
    if not isinstance(stated, LlvmContents):
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


def lower(module: ParsedModule, words: Words = Words.ALL) -> LibraryCopy:
    """Make the private copy of a module, which takes `words` as `values/_signature` describes.

    With `Words.ALL` kernels write their return values to an array too, as `taichi/_types` describes.
    """
    info, stated = module.info, module.stated
    if isinstance(stated, LlvmContents):
        return LibraryCopy(info, *llvm_copy.lower(module.files, info, stated, words))
    return LibraryCopy(info, *spirv.lower(module.files, info, stated, words))
