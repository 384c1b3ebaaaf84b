"""Making the archives of modules (``.tcm``) and bundles (``.tib``); the same files give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from ...bundle._bundle import FORMAT, read_modules
from ...bundle._container import is_module_file, pack_reproducible
from ...bundle._contents import info_of
from ...bundle._files import DESCRIPTION, OWN_CODE, PLAN
from ...bundle._info import FieldInfo, ModuleInfo, TaskInfo
from ...bundle._origin import BUILD
from ...bundle._plan import Plan, digest_of, parse_plan
from ...bundle._source import Files, Source, SourceFiles, code_digest
from ...values._enums import Arch
from ...values._errors import InvalidArgumentError
from ..spirv import _module as spirv
from ..spirv._code import with_capabilities
from ..spirv._codes import OwnCodes
from ..taichi._native import NativeKernel, NativeModule
from ..taichi._plans import BindingKind, PlannedCode, Threads
from ..taichi._ptx import PtxModule, PtxTask
from ._common import compare, difference_of_fields, difference_of_kernels, require_equal
from ._description import Description, ItemDescription, ParameterDescription, apply, describe
from ._parse import ParsedModule, parse_module
from ._plan_of import plan_of


class SourceModule(NamedTuple):
    """A module to join: Taichi's own files parsed, with its code, and its description if it has one."""

    parsed: ParsedModule
    description: Description | None = None

    @property
    def described(self) -> ParsedModule:
        """The module with the contents that its description adds, and without its code."""
        if self.description is None:
            return self.parsed
        info = apply(self.parsed.info, self.description, self.parsed.where)
        return self.parsed._replace(info=info, native=None, ptx=None)


class MadeModule(NamedTuple):
    """The archive (``.tcm``) of a module, and the contents that it has."""

    data: bytes
    info: ModuleInfo


class MadeBundle(NamedTuple):
    """A bundle (``.tib``), and the modules in it by arch."""

    data: bytes
    modules: dict[Arch, MadeModule]


def parse_own(where: str, files: Mapping[str, bytes]) -> ParsedModule:
    """Parse a compiler's files of a module; others are left out."""
    own = {name: data for name, data in files.items() if is_module_file(name)}
    shaders = {name: with_capabilities(name, data) for name, data in own.items() if name.endswith(".spv")}
    return parse_module(SourceFiles(where, Files.of(own | shaders)))


def read_module(files: SourceFiles) -> SourceModule:
    """Parse a module, with the code and the description that its plan states."""
    parsed = parse_module(files)
    if PLAN not in files.contents:
        return SourceModule(parsed)
    plan = parse_plan(files)
    parsed = plan.read("its code", lambda: _with_code(parsed, plan))
    contents = {name: plan.files[name] for field in plan.stated["fields"] if (name := field.get("contents"))}
    parsed = parsed._replace(contents=contents)
    source = plan.stated["source"]
    return SourceModule(parsed, describe(info_of(plan), source["file"], source["sha256"]))


def _with_code(parsed: ParsedModule, plan: Plan) -> ParsedModule:
    """A module with the trees of fields and the machine code or PTX that its plan states."""
    if plan.family == "gfx":
        sizes = dict(zip(plan.stated["field_trees"], plan.stated["tree_sizes"], strict=True))
        parsed = with_trees(parsed, [sizes.get(tree, 0) for tree in range(max(sizes, default=-1) + 1)])
        return parsed._replace(codes=_codes(plan))
    code: dict[str, str] | None = plan.stated.get("code")
    ptx: dict[str, dict[str, str]] | None = plan.stated.get("ptx")
    if code is None and ptx is None:
        return parsed
    launches: dict[str, dict[str, Any]] = {name: raw["launch"] for name, raw in plan.kernels.items()}
    refused = {name: launch["library"] for name, launch in launches.items() if "library" in launch}
    kernels = {
        name: NativeKernel(
            tuple(t["name"] for t in launch["tasks"]), frozenset(launch["needs"]), tuple(launch["trees"])
        )
        for name, launch in launches.items()
        if name not in refused
    }
    if code is not None:
        own = {
            name: tuple((task.get("block", 0), _program(task.get("length", ()))) for task in launches[name]["tasks"])
            for name in kernels
        }
        loops = {name: tuple(str(TaskInfo(*task).loop) for task in plan.kernels[name]["tasks"]) for name in kernels}
        objects = {target: plan.files[name] for target, name in code.items()}
        return parsed._replace(native=NativeModule(kernels, refused, loops, own, objects))
    tasks = {name: tuple(map(_ptx_task, launches[name]["tasks"])) for name in kernels}
    images = {file: plan.files[file] for files in (ptx or {}).values() for file in files.values()}
    return parsed._replace(ptx=PtxModule(kernels, tasks, refused, tuple(plan.stated["cubins"]), images))


def _codes(plan: Plan) -> OwnCodes:
    """The codes of a SPIR-V module's tasks, as its plan states them."""
    found = OwnCodes({}, {}, {})
    for task in (task for raw in plan.kernels.values() for task in raw["launch"].get("tasks", ())):
        bindings: list[list[int]] = task.get("bindings", [])
        stated: list[dict[str, Any]] = task.get("codes", [])
        codes = [
            PlannedCode(
                each["file"],
                tuple(each.get("needs", ())),
                tuple((bindings[a][0], bindings[b][0]) for a, b in _pairs(each.get("apart", []))),
                Threads(each.get("threads", 0)),
            )
            for each in stated
        ]
        if codes:
            found.tasks[task["name"]] = tuple(codes)
        for number, kind, _ in bindings:
            if kind == BindingKind.SCRATCH:
                found.scratch[task["name"]] = number
        found.files.update({e.file: plan.files[e.file] for e in codes if e.file.startswith(OWN_CODE)})
    return found


def _pairs(stated: list[list[int]]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in stated]


def _program(numbers: Any) -> tuple[tuple[int, int], ...]:
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _ptx_task(stated: Mapping[str, Any]) -> PtxTask:
    number, groups, block, fills = (stated.get(key, 0) for key in ("number", "groups", "block", "fills"))
    return PtxTask(number, _program(stated.get("length", ())), groups, block, fills, stated.get("each", 1))


def with_trees(parsed: ParsedModule, sizes: Sequence[int]) -> ParsedModule:
    """A SPIR-V module with the sizes of its trees of fields: Taichi's own files state that of tree 0 only."""
    return parsed._replace(info=spirv.with_trees(parsed.info, sizes)) if sizes else parsed


def pack_module(module: ParsedModule, description: Description) -> MadeModule:
    """The archive (``.tcm``) of a module, with its plan; the same files give the same bytes.

    What differs between two compilations of one source is left out: dates, the order of files, the times at which LLVM
    modules were compiled, and numbers that the compiler leaves uninitialized. CorruptedDataError if the description
    contradicts the module.
    """
    return pack_plan(stated_plan(module, description))


def pack_plan(plan: Plan) -> MadeModule:
    return MadeModule(pack_reproducible(files_of(plan)), info_of(plan))


def module_files(module: ParsedModule, description: Description) -> dict[str, bytes]:
    """The files that `pack_module` packs, by name."""
    return files_of(stated_plan(module, description))


def stated_plan(module: ParsedModule, description: Description) -> Plan:
    info = apply(module.info, description, module.where)
    plan = plan_of(
        module._replace(info=info, files=Files.of(module.stated.without_traces(module.files))), is_compact=True
    )
    plan.stated["source"] = {"file": description.source_file, "sha256": description.source_sha256}
    if description.compiler:
        plan.stated["compiler"] = description.compiler
    if description.seed:
        plan.stated["seed"] = description.seed
    return plan


def files_of(plan: Plan) -> dict[str, bytes]:

    def text(digest: str) -> bytes:
        return json.dumps({**plan.stated, "digest": digest}, ensure_ascii=False, separators=(",", ":")).encode()

    return {PLAN: text(digest_of(text(""), plan.files)), **plan.files}


def read_sources(source: Source, arch: Arch | None = None) -> dict[Arch, SourceModule]:
    """The modules of a bundle by arch, or a module, to be joined.

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
    archs = [arch] if arch else module.parsed.info.archs
    if len(archs) != 1 and Arch.VULKAN not in archs:
        raise InvalidArgumentError(f"{files[0].where} has no code that shows its arch: state it")
    return {Arch.VULKAN if Arch.VULKAN in archs else archs[0]: module}


def join(modules: Mapping[Arch, SourceModule], build: Mapping[str, Any] | None = None) -> MadeBundle:
    """Join the modules of one source for several archs into a bundle (``.tib``); the same modules give the same bytes.

    `build` says how they were built. A module without a description (from Taichi itself) gets that of another one. If
    none has one, they get one with the names that the SPIR-V module states, if there is one. What one states of the
    access to arrays is given to all. ValueError if one was compiled for another arch, or their kernels, graphs, fields
    or descriptions differ, CorruptedDataError if a description contradicts its module.
    """
    modules = dict(sorted(modules.items(), key=lambda item: str(item[0])))
    for arch, module in modules.items():
        archs = module.parsed.info.archs
        if archs and arch not in archs:
            raise InvalidArgumentError(f"the module for {arch} was compiled for {' or '.join(map(str, archs))}")
    require_equal(difference_of_kernels({arch: _without_adjoints(module) for arch, module in modules.items()}))
    description = _with_access(_common_description(modules), modules)
    made = {arch: pack_module(module.parsed, description) for arch, module in modules.items()}
    require_equal(difference_of_fields({arch: module.info for arch, module in made.items()}))
    return pack_bundle(made, description.source_file, description.source_sha256, build)


def pack_bundle(
    made: Mapping[Arch, MadeModule], file: str, sha256: str, build: Mapping[str, Any] | None = None
) -> MadeBundle:
    """The bundle of modules of one source, which has this name and this digest."""
    archives = {f"{arch}.tcm": module.data for arch, module in made.items()}
    stated = {
        "format": FORMAT,
        "source": {"file": file, "sha256": sha256},
        "archs": {
            str(arch): {"file": name, "sha256": code_digest(data)}
            for arch, (name, data) in zip(made, archives.items(), strict=True)
        },
        **({} if build is None else {BUILD: build}),
    }
    text = json.dumps(stated, ensure_ascii=False, sort_keys=True, indent=1)
    data = pack_reproducible({DESCRIPTION: f"{text}\n".encode(), **archives}, stored=True)
    return MadeBundle(data, dict(made))


def _without_adjoints(module: SourceModule) -> ModuleInfo:
    """The contents of a module without adjoints, which SPIR-V modules do not have."""
    info, description = module.parsed.info, module.description
    adjoints = {kernel.grad for kernel in description.kernels} if description is not None else set[str]()
    kernels, every = (
        {name: kernel for name, kernel in each.items() if name not in adjoints}
        for each in (info.kernels, info.all_kernels)
    )
    return replace(info, kernels=kernels, all_kernels=every)


def _common_description(modules: Mapping[Arch, SourceModule]) -> Description:
    """Return the modules' description, or one derived from what they state."""
    given = {arch: module.description for arch, module in modules.items() if module.description is not None}
    if not given:
        infos = [module.parsed.info for module in modules.values()]
        return describe(next((info for info in infos if info.family == "gfx"), infos[0]))
    first, *others = given
    for other in others:
        require_equal(_difference_of_descriptions(first, given[first], other, given[other]))
    return given[first]


def _with_access(description: Description, modules: Mapping[Arch, SourceModule]) -> Description:
    """The description with the access to arrays that any module or its description states."""
    kernels: Accesses = {}
    graphs: Accesses = {}
    for module in modules.values():
        for stated in filter(None, (describe(module.parsed.info), module.description)):
            _add_accesses(kernels, stated.kernels)
            _add_accesses(graphs, stated.graphs)
    return replace(
        description,
        kernels=tuple(k._replace(parameters=_accessed(kernels, k)) for k in description.kernels),
        graphs=tuple(g._replace(parameters=_accessed(graphs, g)) for g in description.graphs),
    )


Accesses: TypeAlias = dict[tuple[str, int], set[str]]  # by name of the kernel or graph and number of the parameter


def _add_accesses(found: Accesses, items: Iterable[ItemDescription]) -> None:
    for item in items:
        for i, parameter in enumerate(item.parameters):
            found.setdefault((item.name, i), set()).update(parameter.access)


def _accessed(found: Accesses, item: ItemDescription) -> tuple[ParameterDescription, ...]:
    return tuple(
        parameter._replace(access="".join(sorted(found.get((item.name, i), ()))))
        for i, parameter in enumerate(item.parameters)
    )


def _difference_of_descriptions(a: Arch, first: Description, b: Arch, second: Description) -> str:
    """How two descriptions differ, apart from access to arrays; empty if they do not."""
    mine, theirs = _facts(_with_access(first, {})), _facts(_with_access(second, {}))
    return next(filter(None, (compare(what, a, facts, b, theirs[what]) for what, facts in mine.items())), "")


def _facts(description: Description) -> dict[str, dict[str, Any]]:
    """What a description says, by the begin of a sentence about it: first the items of a kind, then those of each."""
    facts: dict[str, dict[str, Any]] = {}
    kinds: list[tuple[str, Sequence[ItemDescription | FieldInfo]]] = [
        ("kernel", description.kernels),
        ("graph", description.graphs),
        ("field", description.fields),
    ]
    for kind, items in kinds:
        facts[kind] = dict.fromkeys(item.name for item in items)
        facts |= {f"{kind} {item.name!r}, its": item._asdict() for item in items}
    facts["the"] = {
        "Taichi version": description.taichi,
        "source file": description.source_file,
        "digest of the source": description.source_sha256,
        "random seed": description.seed,
    }
    return facts
