"""A module that a compiler wrote: its files parsed, with its code, and what the description of its source adds.

A description has facts of the source that the compiler's files lack: the order and the docstrings of kernels, where
they stand in the source, the names of parameters (LLVM modules lose them), stated shapes, and fields with the kernels
that copy them. It is the same for all archs. It is a statement too, of which only these parts count.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ...bundle._codec import decode
from ...bundle._info import FieldInfo, GraphInfo, Instance, KernelInfo, ModuleInfo, Repeat, SourceFile
from ...bundle._source import GFX_METADATA, LLVM_METADATA, PLAN, Files, SourceFiles, is_own_file
from ...values._enums import DataType, without_ones
from ...values._errors import CorruptedDataError, IncompatibleModuleError
from ...values._signature import Parameter, ParameterKind, Signature, normal_form, positional_names, usable_names
from ..llvm import _module as llvm
from ..llvm._module import LlvmModule
from ..spirv import _module as spirv
from ..spirv._module import GfxModule
from ..spirv._plans import OwnCodes
from ..taichi._native import NativeModule, PtxModule
from ..taichi._versions import check_version

SHOWN = 3  # names of files in a message
PARAMETER_KIND: ParameterKind = "argpack"  # of parameters in descriptions that a process sends, without their types


class ParsedModule(NamedTuple):
    """A module as its compiler wrote it, read and checked, to be packed with a plan."""

    where: str  # its name for messages
    files: Files  # the compiler's files by name
    info: ModuleInfo  # what they state
    stated: LlvmModule | GfxModule  # the same in detail
    native: NativeModule | None = None  # the machine code of its kernels, for the CPU; None if it does not have any
    ptx: PtxModule | None = None  # the PTX of its kernels, for CUDA; None if it does not have any
    contents: Mapping[str, bytes] = MappingProxyType({})  # of fields, by the name of the file
    codes: OwnCodes | None = None  # the SPIR-V that its tasks have beside Taichi's own; None if it does not have any
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
    stated: LlvmModule | GfxModule
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
    """The description of a module, as far as its statement has it."""
    return info._replace(
        kernels={
            name: each._replace(signature=_described_names(each.signature)) for name, each in info.kernels.items()
        },
        fields=tuple(field for field in info.fields if field.dtype is not None),
    )


def _described_names(signature: Signature) -> Signature:
    """A signature whose parameters have names that code can use."""
    names = [parameter.name for parameter in signature.parameters]
    if not usable_names(*names):
        names = positional_names(len(names))
    parameters = tuple(
        parameter._replace(name=normal_form(name)) for name, parameter in zip(names, signature.parameters, strict=True)
    )
    return signature._replace(parameters=parameters)


def apply(info: ModuleInfo, description: ModuleInfo, where: str = "the module") -> ModuleInfo:
    """The contents of a module with what its description adds; CorruptedDataError if they contradict each other.

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
    """Whether the names that a module states for a kernel are its own, and not those of one with the same code."""
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
    """The signature with what is described of its parameters, whose shapes must be such as a user may state."""
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
    """Its kind and type, without the dimensions of 1 of an element: files state a vector as a matrix of one column."""
    return parameter.kind, parameter.dtype, parameter.ndim, without_ones(parameter.elem_shape)
