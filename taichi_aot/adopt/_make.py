"""Modules and bundles as files: reading those of any origin, comparing, making, joining and verifying them.

It needs neither `taichi` nor the C library. The same files give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

from ..bundle._codec import encode, read_json
from ..bundle._files import (
    DESCRIPTION,
    OWN_CODE,
    PLAN,
    Files,
    Source,
    check_digest,
    code_digest,
    is_bundle,
    is_module_file,
    open_source,
    pack_reproducible,
)
from ..bundle._info import Device, GraphInfo, KernelInfo, ModuleInfo, SourceFile
from ..bundle._plan import (
    BUNDLE_FORMAT,
    Entry,
    Manifest,
    Origin,
    Plan,
    SourceFiles,
    check_files,
    exactly,
    parse_plan,
    plan_digest,
    read_bundle,
    read_files,
    read_modules,
)
from ..values._errors import CorruptedDataError, InvalidArgumentError
from ..values._numbers import Arch, ArchName, arch_of
from ..values._signature import Parameter, Signature
from ._module import ParsedModule, apply, describe, parse_module, plan_of
from .spirv import _module as spirv
from .spirv._editor import with_capabilities
from .spirv._plans import BuiltSpirv
from .taichi._native import BuiltNative, BuiltPtx, NativeKernel, PtxTask, check_code, verify_native, verify_ptx
from .taichi._plans import BindingKind, Threads, program_of

# Reading, and what the modules of one source for several archs have in common.


Item = TypeVar("Item", KernelInfo, GraphInfo)

SHOWN = 300  # characters of what differs
# The facts of modules and of kernels that archs may not agree on, each with its value then.
AGREED: dict[str, Any] = {"taichi": "", "field_trees": (), "tree_sizes": ()}
AGREED_OF_KERNELS: dict[str, Any] = {
    "tasks": (),
    "repeats": (),
    "cpu_threads": None,
    "field_trees": (),
    "checked": True,  # on some archs
    "result": None,
}


def require_equal(difference: str) -> None:
    """Raise ValueError if modules differ; `difference` says how, and is empty if they do not."""
    if difference:
        raise InvalidArgumentError(f"the modules differ: {difference}")


def difference_of_kernels(infos: Mapping[Arch, ModuleInfo]) -> str:
    """Return how the kernels and graphs of modules differ, apart from the names of parameters; empty if they do not."""
    (a, first), *others = infos.items()
    differences = (
        compare("kernel", a, _types(first.kernels), b, _types(other.kernels))
        or compare("graph", a, _types(first.graphs), b, _types(other.graphs))
        for b, other in others
    )
    return next(filter(None, differences), "")


def difference_of_fields(infos: Mapping[Arch, ModuleInfo]) -> str:
    """Return how the fields of described modules differ; empty if they do not."""
    (a, first), *others = infos.items()
    differences = (
        compare("field", a, _named_fields(first, other), b, _named_fields(other, first)) for b, other in others
    )
    return next(filter(None, differences), "")


def compare(what: str, a: Arch, mine: Mapping[str, object], b: Arch, theirs: Mapping[str, object]) -> str:
    """Return how the items of two modules differ; empty if they do not."""
    for name in {**mine, **theirs}:
        if name not in theirs or name not in mine:
            present, absent = (a, b) if name in mine else (b, a)
            return f"{what} {name!r} is in the module for {present} and not in that for {absent}"
        if mine[name] != theirs[name]:
            ours, others = (str(value)[:SHOWN] for value in (mine[name], theirs[name]))
            return f"{what} {name!r} is {ours} for {a} and {others} for {b}"
    return ""


def _types(items: Mapping[str, Item]) -> dict[str, str]:
    """Return the parameters and return values of kernels or graphs, as modules of all archs state them."""
    return {
        name: f"({', '.join(map(_type, item.signature.parameters))}) -> ({', '.join(item.signature.returns)})"
        for name, item in items.items()
    }


def _type(parameter: Parameter) -> str:
    elem_shape = parameter.elem_shape
    if parameter.kind == "matrix" and len(elem_shape) == 2 and elem_shape[0] == 1:
        elem_shape = elem_shape[1:]  # LLVM modules do not tell a vector from a matrix of one row
    elif elem_shape == (1,):
        elem_shape = ()  # a vector of one number has the bytes of the number
    return parameter._replace(format="", elem_shape=elem_shape).type_name


def _named_fields(info: ModuleInfo, other: ModuleInfo) -> dict[str, str]:
    """Return the fields of a module that another one should have too: LLVM modules do not state their names."""
    named = [field for field in info.fields if field.dtype is not None]
    has_memory = info.has_fields or not other.has_fields
    return {field.name: str(field) for field in named} if has_memory else {}


def common_info(modules: Mapping[Arch, ModuleInfo]) -> ModuleInfo:
    """Return what modules have in common: what differs between them is left empty, and is in `ModuleInfo.modules`."""
    infos = list(modules.values())
    capabilities = frozenset[int]().union(*(info.spirv_capabilities for info in infos))
    return infos[0]._replace(
        family="bundle",
        archs=tuple(modules),
        kernels=_common_kernels([info.kernels for info in infos]),
        all_kernels=_common_kernels([info.all_kernels for info in infos]),
        has_fields=any(info.has_fields for info in infos),
        device=Device.of(max(info.spirv_version for info in infos), capabilities),
        code=None,
        ptx=None,
        modules=dict(modules),
        **{key: _agreed(infos, key, other) for key, other in AGREED.items()},
    )


def _agreed(items: Sequence[ModuleInfo | KernelInfo], key: str, other: Any) -> Any:
    """Return an attribute if it is equal for all, else the other value."""
    value = getattr(items[0], key)
    return value if all(getattr(item, key) == value for item in items) else other


def _common_kernels(all_kernels: Sequence[Mapping[str, KernelInfo]]) -> dict[str, KernelInfo]:
    common = {name: [kernels[name] for kernels in all_kernels if name in kernels] for name in all_kernels[0]}
    return {
        name: kernels[0]._replace(**{key: _agreed(kernels, key, other) for key, other in AGREED_OF_KERNELS.items()})
        for name, kernels in common.items()
        if len(kernels) == len(all_kernels)
    }


def adopt(files: SourceFiles) -> Plan:
    """Make the plan of a module of Taichi's own, whose files are checked."""
    return plan_of(parse_module(files))


def read_plan(source: Source, arch: Arch | None = None) -> Plan:
    """Read the plan of a module; of a bundle's module for `arch`, or its first."""
    files = read_files(source, exactly(arch) if arch else lambda _, archs: archs[0])
    return parse_plan(files) if PLAN in files.contents else adopt(files)


def inspect(source: Source, arch: Arch | ArchName | None = None) -> ModuleInfo:
    """Read the contents of a module or bundle, without a runtime and without the C library; ``print`` them to see them.

    All information comes from the files. `ModuleInfo.to_dict` converts it for JSON.

    Parameters
    ----------
    source : path or bytes-like
        A folder, a ``.tcm`` archive, a bundle (``.tib``), or the bytes of an archive or bundle: ``bytes``,
        ``bytearray``, ``memoryview``, ``mmap``, ``array.array`` or another buffer. ``bytes`` that do not begin like a
        ZIP archive and do not contain a null byte are a path, as returned by ``os.fsencode``.
    arch : Arch or str, optional
        Whose module of a bundle is read. By default all are: kernels, graphs and fields are those that they have in
        common, and `ModuleInfo.modules` has the rest.

    Returns
    -------
    ModuleInfo

    Raises
    ------
    FileNotFoundError
        If the path does not exist.
    TypeError
        If `source` is neither a path nor bytes.
    ValueError
        If there is no arch of that name.
    CorruptedDataError
        If it is damaged or is not a module.
    IncompatibleModuleError
        If it was compiled by another version of Taichi, or not for `arch`.

    Examples
    --------
    >>> inspect("saxpy.tcm").version
    (1, 7, 4)
    """
    wanted = arch_of(arch)
    files = read_modules(source, wanted)
    infos = [parse_plan(each).contents() if PLAN in each.contents else parse_module(each).info for each in files]
    files[0].require(infos[0].archs, wanted)
    if wanted or not files[0].arch:
        return infos[0]
    return common_info({each.arch: info for each, info in zip(files, infos, strict=True) if each.arch})


# Making archives of modules (``.tcm``) and bundles (``.tib``), and what they were made of.


class Archive(NamedTuple):
    """The archive (``.tcm``) of a module, and the contents that it has."""

    data: bytes
    info: ModuleInfo


class MadeBundle(NamedTuple):
    """A bundle (``.tib``), and the modules in it by arch."""

    data: bytes
    modules: dict[Arch, Archive]


def parse_own(where: str, files: Mapping[str, bytes]) -> ParsedModule:
    """Parse a compiler's files of a module; others are left out."""
    own = {name: data for name, data in files.items() if is_module_file(name)}
    shaders = {name: with_capabilities(name, data) for name, data in own.items() if name.endswith(".spv")}
    return parse_module(SourceFiles(where, Files.of(own | shaders)))


def read_module(files: SourceFiles) -> ParsedModule:
    """Parse a module, with the code and the description that its plan states."""
    parsed = parse_module(files)
    if PLAN not in files.contents:
        return parsed
    plan = parse_plan(files)
    parsed = plan.read("its code", lambda: _with_code(parsed, plan))
    contents = {field.contents: plan.files[field.contents] for field in plan.info.fields if field.contents}
    return parsed._replace(contents=contents, description=describe(plan.contents()))


def _with_code(parsed: ParsedModule, plan: Plan) -> ParsedModule:
    """Return a module with the trees of fields and the machine code or PTX that its plan states."""
    info = plan.info
    if plan.family == "gfx":
        sizes = dict(zip(info.field_trees, info.tree_sizes, strict=True))
        parsed = with_trees(parsed, [sizes.get(tree, 0) for tree in range(max(sizes, default=-1) + 1)])
        return parsed._replace(codes=_codes(plan))
    if info.code is None and info.ptx is None:
        return parsed
    launches = {name: plan.launch(name) for name in plan.kernels}
    refused = {name: each.library for name, each in launches.items() if each.library}
    made = {name: each for name, each in launches.items() if name not in refused}
    kernels = {
        name: NativeKernel(tuple(task.name for task in each.tasks), frozenset(each.needs), each.trees)
        for name, each in made.items()
    }
    if info.code is not None:
        own = {name: tuple((task.block, program_of(task.length)) for task in each.tasks) for name, each in made.items()}
        loops = {name: tuple(task.loop for task in plan.kernels[name].tasks) for name in kernels}
        objects = {target: plan.files[name] for target, name in info.code.items()}
        return parsed._replace(native=BuiltNative(kernels, refused, loops, own, objects))
    tasks = {
        name: tuple(PtxTask(t.number, program_of(t.length), t.groups, t.block, t.fills, t.each) for t in each.tasks)
        for name, each in made.items()
    }
    images = {file: plan.files[file] for files in (info.ptx or {}).values() for file in files.values()}
    return parsed._replace(ptx=BuiltPtx(kernels, tasks, refused, info.cubins, images))


def _codes(plan: Plan) -> BuiltSpirv:
    """Return the codes of a SPIR-V module's tasks, as its plan states them."""
    found = BuiltSpirv({}, {}, {})
    for task in (task for name in plan.kernels for task in plan.launch(name).tasks):
        numbers = [binding.number for binding in task.bindings]
        codes = [
            each._replace(apart=tuple((numbers[a], numbers[b]) for a, b in each.apart), threads=Threads(each.threads))
            for each in task.codes
        ]
        if codes:
            found.tasks[task.name] = tuple(codes)
        for number in (each.number for each in task.bindings if each.kind == BindingKind.SCRATCH):
            found.scratch[task.name] = number
        found.files.update({e.file: plan.files[e.file] for e in codes if e.file.startswith(OWN_CODE)})
    return found


def with_trees(parsed: ParsedModule, sizes: Sequence[int]) -> ParsedModule:
    """Return a SPIR-V module with the sizes of its trees of fields: Taichi's own files state that of tree 0 only."""
    return parsed._replace(info=spirv.with_trees(parsed.info, sizes)) if sizes else parsed


def pack_module(module: ParsedModule) -> Archive:
    """Pack the archive (``.tcm``) of a module, with its plan; the same files give the same bytes.

    What differs between two compilations of one source is left out: dates, the order of files, the times at which LLVM
    modules were compiled, and numbers that the compiler leaves uninitialized. CorruptedDataError if the description
    contradicts the module.
    """
    return pack_plan(stated_plan(module))


def pack_plan(plan: Plan) -> Archive:
    return Archive(pack_reproducible(files_of(plan)), plan.contents())


def module_files(module: ParsedModule) -> dict[str, bytes]:
    """Return the files that `pack_module` packs, by name."""
    return files_of(stated_plan(module))


def stated_plan(module: ParsedModule) -> Plan:
    """Make the plan that is stored."""
    description = module.description or describe(module.info)
    info = apply(module.info, description, module.where)._replace(
        source=description.source, compiler=description.compiler, seed=description.seed
    )
    files = Files.of(module.stated.without_traces(module.files))
    return plan_of(module._replace(info=info, files=files), is_compact=True)


def files_of(plan: Plan) -> dict[str, bytes]:
    """Return the files of a module with its plan, by name."""
    stated = plan.stated()

    def text(digest: str) -> bytes:
        return json.dumps({**stated, "digest": digest}, ensure_ascii=False, separators=(",", ":")).encode()

    return {PLAN: text(plan_digest(text(""), plan.files)), **plan.files}


def read_sources(source: Source, arch: Arch | None = None) -> dict[Arch, ParsedModule]:
    """Read the modules of a bundle by arch, or a module, to join them.

    `arch` is that of a module, or the one that is taken from a bundle. By default it is that of the code of an LLVM
    module, Vulkan for SPIR-V modules, which do not state it, and all archs of a bundle. ValueError if the module has no
    code that shows its arch, CorruptedDataError, IncompatibleModuleError if the source is damaged, is not a module, or
    is not for `arch`.
    """
    files = read_modules(source, arch)
    modules = list(map(read_module, files))
    if files[0].arch:
        return {each.arch: module for each, module in zip(files, modules, strict=True) if each.arch}
    (module,) = modules
    archs = [arch] if arch else module.info.archs
    if len(archs) != 1 and Arch.VULKAN not in archs:
        raise InvalidArgumentError(f"{files[0].where} has no code that shows its arch: state it")
    return {Arch.VULKAN if Arch.VULKAN in archs else archs[0]: module}


def join(modules: Mapping[Arch, ParsedModule], origin: Origin | None = None) -> MadeBundle:
    """Join the modules of one source for several archs into a bundle (``.tib``); the same modules give the same bytes.

    `origin` says how they were built. A module without a description (from Taichi itself) gets that of another one. If
    none has one, they get one with the names that the SPIR-V module states, if there is one. What one states of the
    access to arrays is given to all. ValueError if one was compiled for another arch, or their kernels, graphs, fields
    or descriptions differ, CorruptedDataError if a description contradicts its module.
    """
    modules = dict(sorted(modules.items(), key=lambda item: str(item[0])))
    for arch, module in modules.items():
        archs = module.info.archs
        if archs and arch not in archs:
            raise InvalidArgumentError(f"the module for {arch} was compiled for {' or '.join(map(str, archs))}")
    require_equal(difference_of_kernels({arch: _without_adjoints(module) for arch, module in modules.items()}))
    description = _with_access(_common_description(modules), modules)
    made = {arch: pack_module(module._replace(description=description)) for arch, module in modules.items()}
    require_equal(difference_of_fields({arch: module.info for arch, module in made.items()}))
    return pack_bundle(made, description.source, origin)


def pack_bundle(made: Mapping[Arch, Archive], source: SourceFile, origin: Origin | None = None) -> MadeBundle:
    """Pack the bundle of modules of one source."""
    archives = {f"{arch}.tcm": module.data for arch, module in made.items()}
    entries = {arch: Entry(name, code_digest(data)) for arch, (name, data) in zip(made, archives.items(), strict=True)}
    stated = encode(Manifest(BUNDLE_FORMAT, source, entries, origin))
    text = json.dumps(stated, ensure_ascii=False, sort_keys=True, indent=1)
    data = pack_reproducible({DESCRIPTION: f"{text}\n".encode(), **archives}, stored=True)
    return MadeBundle(data, dict(made))


def _without_adjoints(module: ParsedModule) -> ModuleInfo:
    """Return the contents of a module without adjoints, which SPIR-V modules do not have."""
    info, described = module.info, module.description.kernels.values() if module.description is not None else ()
    adjoints = {kernel.grad for kernel in described}
    kernels, every = (
        {name: kernel for name, kernel in each.items() if name not in adjoints}
        for each in (info.kernels, info.all_kernels)
    )
    return info._replace(kernels=kernels, all_kernels=every)


def _common_description(modules: Mapping[Arch, ParsedModule]) -> ModuleInfo:
    """Return the modules' description, or one derived from what they state."""
    given = {arch: module.description for arch, module in modules.items() if module.description is not None}
    if not given:
        infos = [module.info for module in modules.values()]
        return describe(next((info for info in infos if info.family == "gfx"), infos[0]))
    first, *others = given
    for other in others:
        require_equal(_difference_of_descriptions(first, given[first], other, given[other]))
    return given[first]


def _with_access(description: ModuleInfo, modules: Mapping[Arch, ParsedModule]) -> ModuleInfo:
    """Return the description with the access to arrays that any module or its description states."""
    stated = [info for each in modules.values() for info in (each.info, each.description) if info is not None]
    return description._replace(
        kernels=_accessed(description.kernels, [info.kernels for info in stated]),
        graphs=_accessed(description.graphs, [info.graphs for info in stated]),
    )


def _accessed(items: Mapping[str, Item], stated: Sequence[Mapping[str, Item]]) -> dict[str, Item]:
    found: dict[tuple[str, int], set[str]] = {}  # by the name of the item and the number of the parameter
    for name, item in ((name, each[name]) for each in stated for name in each):
        for i, parameter in enumerate(item.signature.parameters):
            found.setdefault((name, i), set()).update(parameter.access)
    accessed: dict[str, Item] = {}
    for name, item in items.items():
        parameters = tuple(
            parameter._replace(access="".join(sorted(found.get((name, i), ()))))
            for i, parameter in enumerate(item.signature.parameters)
        )
        accessed[name] = item._replace(signature=item.signature._replace(parameters=parameters))
    return accessed


def _difference_of_descriptions(a: Arch, first: ModuleInfo, b: Arch, second: ModuleInfo) -> str:
    """Return how two descriptions differ, apart from access to arrays; empty if they do not."""
    mine, theirs = _facts(first), _facts(second)
    return next(filter(None, (compare(what, a, facts, b, theirs[what]) for what, facts in mine.items())), "")


def _facts(description: ModuleInfo) -> dict[str, dict[str, Any]]:
    """Return a description's facts by the begin of a sentence: first the items of a kind, then those of each."""
    kernels = {
        name: {key: getattr(each, key) for key in ("doc", "file", "line", "grad", "repeats", "instance")}
        | {"parameters": _names(each.signature)}
        for name, each in description.kernels.items()
    }
    graphs = {n: {"parameters": _names(each.signature), "doc": each.doc} for n, each in description.graphs.items()}
    fields = {each.name: each._asdict() for each in description.fields}
    facts: dict[str, dict[str, Any]] = {}
    for kind, items in (("kernel", kernels), ("graph", graphs), ("field", fields)):
        facts[kind] = dict.fromkeys(items)
        facts |= {f"{kind} {name!r}, its": own for name, own in items.items()}
    facts["the"] = {
        "Taichi version": description.taichi,
        "source file": description.source.file,
        "digest of the source": description.source.sha256,
        "random seed": description.seed,
    }
    return facts


def _names(signature: Signature) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(each.name, each.shape) for each in signature.parameters]


def verify(source: Source) -> None:
    """Check the digests of all files, the headers and the functions of code, and what plans state.

    A plan must be the one that building makes of Taichi's own files, which are parsed for it. CorruptedDataError if it
    is not, or anything is damaged.
    """
    with open_source(source) as container:
        if not is_bundle(container):
            _verify(SourceFiles(container.where, container.read_module()))
            return
        bundle = read_bundle(container)
        for arch, entry in bundle.entries.items():
            name = f"{container.where}: {entry.file!r}"
            check_digest(name, container.read(entry.file), entry.sha256, DESCRIPTION)
            _verify(bundle.read(arch))


def _verify(files: SourceFiles) -> None:
    if PLAN in files.contents:
        plan = parse_plan(files)
        plan.read("what it states", partial(_compare, files, plan))


def _compare(files: SourceFiles, plan: Plan) -> None:
    stated: Any = read_json(files.contents[PLAN])
    check_files(files, stated["digest"], plan.files)
    if not plan.has_library_files:  # nothing beside the plan that it could be made of
        symbols = {task.name for name in plan.kernels for task in plan.launch(name).tasks}
        for target, name in (plan.info.code or {}).items():
            check_code(name, plan.files[name], target, symbols)
        return
    parsed = read_module(files)
    if parsed.native is not None:
        verify_native(parsed.native)
    if parsed.ptx is not None:
        verify_ptx(parsed.ptx)
    made = json.loads(json.dumps(stated_plan(parsed).stated()))
    difference = _difference(made, {**stated, "digest": ""})
    if difference:
        raise CorruptedDataError(f"{files.where}: {PLAN} is not that of its files: {difference} differs")


def _difference(made: Any, stated: Any, where: str = "plan") -> str:
    """Return the first place where two values differ; empty if they do not."""
    if isinstance(made, dict) and isinstance(stated, dict) and made.keys() == stated.keys():
        parts = cast("dict[str, Any]", made)
        return next(filter(None, (_difference(part, stated[k], f"{where}.{k}") for k, part in parts.items())), "")
    return "" if made == stated else where
