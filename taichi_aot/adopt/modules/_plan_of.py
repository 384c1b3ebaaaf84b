"""The plan of a module: what its files state, and what follows from them for launches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import partial
from typing import Any

import numpy as np

from ...bundle._files import CODE_SUFFIX, LIBRARY, LLVM_GRAPHS, LLVM_METADATA, NATIVE_CODE
from ...bundle._graph_shapes import inherit_shapes
from ...bundle._info import GraphInfo, KernelInfo, ModuleInfo
from ...bundle._plan import FORMAT, LOOP, Plan, ResultLayout
from ...bundle._source import Files
from ...values._enums import Arch
from ...values._errors import CorruptedDataError
from ...values._signature import Parameter, Signature, Words
from ..llvm import _copy as llvm
from ..llvm._copy import LibraryCode, NativePlans
from ..llvm._ir import draws_random_numbers
from ..llvm._module import LlvmModule
from ..spirv import _copy as spirv
from ..spirv._codes import OwnCodes, codes_of, mended, needed_capabilities
from ..spirv._module import GfxModule
from ..spirv._plans import GfxPlans
from ..taichi._members import LoweredModule
from ..taichi._native import RANDOM, NativeKernel
from ..taichi._plans import Dispatch, PlannedBinding, PlannedCode, PlannedTask, Plans, UnplannedError
from ..taichi._ptx import cubin_name, ptx_name, random_threads
from ..taichi._runtime_struct import RUNTIME_LAYOUT, TEMPORARIES_BYTES
from ._parse import ParsedModule

Raw = dict[str, Any]


def plan_of(module: ParsedModule, words: Words = Words.ALL, *, is_compact: bool = False) -> Plan:
    """Make the plan of a module; `words` is what the copy for the library takes as words.

    A compact plan is stored: the code for the library is then stated as changes of the module's own, which takes a
    while to find.
    """
    return _Maker(module, words).plan(is_compact=is_compact)


class _Kernel(dict[str, Any]):
    """The statement of a kernel. Its launch is derived on first use, because that reads the code."""

    def __init__(self, stated: Raw, find: Callable[[], Raw]) -> None:
        super().__init__(stated)
        self._find = find

    def __missing__(self, key: str) -> Raw:
        if key == "launch":
            self[key] = launch = self._find()
            return launch
        raise CorruptedDataError(f"plans do not state the {key} of kernels")


class _Maker:
    def __init__(self, module: ParsedModule, words: Words) -> None:
        self._module = module
        self._info = inherit_shapes(module.info)
        self._lowered = lower(module, words)
        codes = module.codes
        if codes is None and isinstance(module.stated, GfxModule):
            codes = codes_of(mended(module.files, module.stated.code))
        if codes is not None:
            self._info = replace(
                self._info, spirv_capabilities=self._info.spirv_capabilities | needed_capabilities(codes)
            )
        self._plans = _plans(module, self._lowered, codes)
        self._own = module.native or module.ptx
        self._loops = {} if module.native is None else module.native.loops
        # Beside Taichi's own.
        self._files: dict[str, bytes] = {**module.contents, **({} if codes is None else codes.files)}

    def plan(self, *, is_compact: bool) -> Plan:
        info, module = self._info, self._module
        stated: Raw = {
            "plan": FORMAT,
            "taichi": ".".join(map(str, info.version)) if info.version else "",
            "family": info.family,
            "archs": list(map(str, info.archs)),
            "device": _device(info),
            "has_fields": info.has_fields,
            "field_trees": list(info.field_trees),
            "tree_sizes": list(info.tree_sizes),
            "fields": [each.to_dict() for each in info.fields],
            "kernels": {name: self._kernel(name, kernel) for name, kernel in info.all_kernels.items()},
            "public": list(info.kernels),
            "graphs": {name: _graph(graph, module.info.graphs[name]) for name, graph in info.graphs.items()},
            "refused": why_refused(module),
            "source": {"file": "", "sha256": ""},
            "library": self._library(is_compact=is_compact),
        }
        if self._own is not None:
            stated |= self._code()
        sizes = {**module.files.sizes, **{name: len(data) for name, data in self._files.items()}}
        added, read = self._files, module.files
        files = Files(sizes, lambda names: {name: added[name] if name in added else read[name] for name in names})
        for kernel in stated["kernels"].values() if is_compact else ():
            _ = kernel["launch"]
        stated["files"] = sorted(files)
        stated["digest"] = ""
        return Plan(module.where, stated, files)

    def _kernel(self, name: str, kernel: KernelInfo) -> Raw:
        stated = describe_kernel(
            kernel,
            self._lowered.results.get(name) or self._plans.results.get(name),
            self._loops.get(name) or ("",) * len(kernel.tasks),
            draws=self._drawing_threads(name, kernel),
            gradients=name in self._lowered.gradients or name in self._plans.gradients,
        )
        return _Kernel(stated, partial(self._launch, name))

    def _launch(self, name: str) -> Raw:
        own = self._own.kernels.get(name) if self._own is not None else None
        try:
            return describe_launch(self._plans.dispatch(name), own)
        except UnplannedError as reason:
            return {"library": str(reason)} | _needs(own)

    def _drawing_threads(self, name: str, kernel: KernelInfo) -> int:
        """Return how many threads take random numbers of the states that the library has on a CUDA device."""
        if Arch.CUDA not in self._info.archs:
            return 0
        if self._own is not None and name in self._own.kernels and RANDOM not in self._own.kernels[name].needs:
            return 0
        code = self._module.files[f"{name}{CODE_SUFFIX}"]
        return max((task.threads for task in kernel.tasks if draws_random_numbers(code, task.name)), default=0)

    def _code(self) -> Raw:
        """Return the statement of machine code or PTX, and add its files."""
        native, ptx, stated = self._module.native, self._module.ptx, self._module.stated
        assert self._own is not None
        assert isinstance(stated, LlvmModule)
        kernels = self._own.kernels
        trees = {tree for kernel in kernels.values() for tree in kernel.trees}
        sizes = [[tree.key, tree.size] for tree in stated.fields if tree.key in trees]
        runtime = describe_runtime(RUNTIME_LAYOUT, kernels, sizes, self._info.all_kernels)
        if native is not None:
            names = {target: NATIVE_CODE[target] for target in sorted(native.code)}
            self._files |= {names[target]: data for target, data in native.code.items()}
            return {"runtime": runtime, "code": names}
        assert ptx is not None
        self._files |= dict(ptx.images)
        images = {
            name: {"ptx": ptx_name(name), **{each: cubin_name(name, each) for each in ptx.capabilities}}
            for name in kernels
        }
        return {"runtime": runtime, "ptx": images, "cubins": list(ptx.capabilities)}

    def _library(self, *, is_compact: bool) -> Raw:
        """Return the statement of the library's files."""
        lowered, own = self._lowered.files, self._module.files
        library: Raw = {
            "results": sorted(self._lowered.results),
            "gradients": sorted(self._lowered.gradients),
            "files": {},
            "edits": {},
            "roots": {},
        }
        given = dict(lowered)
        if self._info.family == "llvm":
            code, given = LibraryCode(self._lowered), {name: lowered[name] for name in (LLVM_METADATA, LLVM_GRAPHS)}
            for name in self._info.all_kernels:
                file = f"{name}{CODE_SUFFIX}"
                given[file] = code.of(name)
                if self._own is not None and name in self._own.kernels and self._own.kernels[name].trees:
                    library["roots"][file] = edits(given[file], code.with_own_fields(given[file]))
            library |= {"tokens": code.tokens, "checks": code.checks, "nodes": code.nodes}
        for name, data in given.items():
            if name in own and own[name] == data:
                continue
            if is_compact and name.endswith(CODE_SUFFIX):
                library["edits"][name] = edits(own[name], data)
            else:
                library["files"][name] = f"{LIBRARY}{name}"
                self._files[f"{LIBRARY}{name}"] = data
        library["names"] = sorted(given)
        return library


def _plans(module: ParsedModule, lowered: LoweredModule, codes: OwnCodes | None) -> Plans:
    stated, own = module.stated, module.native or module.ptx
    if not isinstance(stated, LlvmModule):
        return GfxPlans(lowered, codes)
    if own is None:
        return Plans("PTX" if Arch.CUDA in module.info.archs else "machine code")
    return NativePlans(module.info, stated.kernels, own)


def _device(info: ModuleInfo) -> Raw:
    """Return the statement of the device that SPIR-V code needs."""
    needs = sorted(capability.name.lower() for capability in info.device_capabilities)
    return {"spirv": list(info.spirv_version), "capabilities": sorted(info.spirv_capabilities), "needs": needs}


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


def given(**values: object) -> Raw:
    return {key: value for key, value in values.items() if value}


def describe_signature(signature: Signature) -> Raw:
    parameters = [_parameter(each) for each in signature.parameters]
    return {"parameters": parameters, **given(returns=list(signature.returns))}


def _parameter(parameter: Parameter) -> Raw:
    return {"name": parameter.name, "kind": parameter.kind} | given(
        dtype="" if parameter.dtype is None else str(parameter.dtype),
        ndim=parameter.ndim,
        elem_shape=list(parameter.elem_shape),
        access=parameter.access,
        format=parameter.format,
        grad=parameter.grad,
        shape=list(parameter.shape),
        layout=None if parameter.layout is None else describe_dtype(parameter.layout),
    )


def _graph(graph: GraphInfo, own: GraphInfo) -> Raw:
    """Return the statement of a graph; `own` has its own stated shapes, without its kernels'."""
    dispatches = [[step.kernel, list(step.arguments)] for step in graph.dispatches]
    stated = given(doc=graph.doc, inherits=graph.signature != own.signature)
    return describe_signature(graph.signature) | stated | {"dispatches": dispatches}


def describe_kernel(
    kernel: KernelInfo, layout: ResultLayout | None, loops: Sequence[str], *, draws: int, gradients: bool
) -> Raw:
    """Return the statement of a kernel without its launch.

    `loops` says how the loop of each task is compiled, `draws` how many threads take random numbers of the library's
    states, and `gradients` whether it is passed some.
    """
    stated = describe_signature(kernel.signature)
    stated |= given(
        doc=kernel.doc,
        file=kernel.file,
        line=kernel.line,
        grad=kernel.grad,
        repeats=kernel.repeats,
        names_of=kernel.names_of,
        instance=None if kernel.instance is None else kernel.instance._asdict(),
        checked=kernel.checked,
        cpu_threads=kernel.cpu_threads,
        trees=list(kernel.field_trees),
        draws=draws,
        gradients=gradients,
    )
    if kernel.return_dtype is not None:
        stated["result"] = {"value": describe_dtype(kernel.return_dtype)}
    if layout is not None:
        stated["result"] |= {"size": layout.size, "stored": describe_dtype(layout.stored)}
    stated["tasks"] = [[*task[:LOOP], *filter(None, [loop])] for task, loop in zip(kernel.tasks, loops, strict=True)]
    return stated


def describe_runtime(
    layout: tuple[int, Mapping[str, int]],
    own: Mapping[str, NativeKernel],
    trees: Sequence[Sequence[int]],
    kernels: Mapping[str, KernelInfo],
) -> Raw:
    """Return the statement of the runtime's struct; `trees` are those of fields that code uses, with their sizes."""
    size, members = layout
    drawing = [kernels[name].tasks for name, each in own.items() if RANDOM in each.needs]
    return {
        "size": size,
        "members": members,
        "temporaries": TEMPORARIES_BYTES,
        "needs": sorted(set[str]().union(*(each.needs for each in own.values()))),
        "trees": trees,
        "random_threads": max(map(random_threads, drawing), default=0),
    }


def describe_launch(dispatch: Dispatch, own: NativeKernel | None) -> Raw:
    return {
        "bytes": dispatch.argument_bytes,
        "arguments": [list(map(int, argument)) for argument in dispatch.arguments],
        "tasks": [_task(task) for task in dispatch.tasks],
        **given(returns=dispatch.return_bytes),
        **_needs(own),
    }


def _needs(own: NativeKernel | None) -> Raw:
    return {} if own is None else {"needs": sorted(own.needs), "trees": list(own.trees)}


def _task(task: PlannedTask) -> Raw:
    return given(
        name=task.name,
        groups=task.groups,
        block=task.block,
        shared=task.shared,
        bindings=[list(map(int, binding)) for binding in task.bindings],
        length=[number for operation in task.length for number in operation],
        codes=[_code(code, task.bindings) for code in task.codes],
        number=task.number,
        fills=task.fills,
        each=task.each if task.each > 1 else 0,
    )


def _code(code: PlannedCode, bindings: Sequence[PlannedBinding]) -> Raw:
    places = {each.number: place for place, each in enumerate(bindings)}
    apart = [[places[number] for number in pair] for pair in code.apart]
    return given(file=code.file, needs=list(code.needs), apart=apart, threads=int(code.threads))


def describe_dtype(dtype: np.dtype[Any]) -> Any:
    """Return a numpy type as JSON: a text, a list of the type of elements and their shape, or an object with fields."""
    parts: Any = dtype.fields
    if parts is not None:
        fields = [(name, *parts[name][:2]) for name in dtype.names or ()]
        described = [[name, describe_dtype(part), offset] for name, part, offset in fields]
        return {"fields": described, "size": dtype.itemsize, "record": dtype.type is np.record}
    if dtype.shape:
        return [describe_dtype(dtype.base), list(dtype.shape)]
    return dtype.str


def edits(own: bytes, new: bytes) -> list[list[Any]]:
    """Return by which changes of lines one text becomes another; see `bundle._plan.edited`."""
    before, after = own.split(b"\n"), new.split(b"\n")
    if len(before) == len(after):
        changes = [(i, i + 1, i, i + 1) for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    else:
        operations = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        changes = [(i, j, a, b) for kind, i, j, a, b in operations if kind != "equal"]
    return [[first, end, [line.decode() for line in after[a:b]]] for first, end, a, b in changes]


def lower(module: ParsedModule, words: Words = Words.ALL) -> LoweredModule:
    """Make the private copy of a module, which takes `words` as `values/_signature` describes.

    With `Words.ALL` kernels write their return values to an array too, as `taichi/_returns` describes.
    """
    info, stated = module.info, module.stated
    if isinstance(stated, LlvmModule):
        return LoweredModule(info, *llvm.lower(module.files, info, stated, words))
    return LoweredModule(info, *spirv.lower(module.files, info, stated, words))
