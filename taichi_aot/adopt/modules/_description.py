"""Facts of a module's source that Taichi's own files lack.

These are the order and the docstrings of kernels, where they stand in the source, the names of parameters (LLVM modules
lose them), stated shapes, and fields with the kernels that copy them. The description of a source is the same in its
modules for all archs. Types are not in it: the modules state them. It becomes a part of a module's plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from ...bundle._contents import read_instance
from ...bundle._info import ACCESSORS, FieldInfo, GraphInfo, Instance, KernelInfo, ModuleInfo, Repeat
from ...values._enums import DataType, without_ones
from ...values._errors import CorruptedDataError
from ...values._signature import Parameter, Signature, normal_form, positional_names, usable_names

Shape: TypeAlias = tuple[str | int, ...]


class ParameterDescription(NamedTuple):
    """A parameter of a kernel or graph."""

    name: str  # its name in the source
    # The stated shape of an ndarray, a symbol or a number for each dimension; empty if none is stated.
    shape: Shape = ()
    access: str = ""  # ``"r"``, ``"w"`` or ``"rw"``, as a module of the same source states it; else empty


class ItemDescription(NamedTuple):
    """A kernel, or a compute graph, which has only a name, parameters in order, and documentation."""

    name: str
    parameters: tuple[ParameterDescription, ...] = ()
    doc: str = ""
    file: str = ""
    line: int = 0
    grad: str = ""  # the name of its adjoint, if it has one
    repeats: tuple[Repeat, ...] = ()  # its loops, which differ by arch
    instance: Instance | None = None


@dataclass(frozen=True)
class Description:
    """The description of a module, from its source; see the documentation of this file."""

    taichi: str  # version of Taichi that compiled it: ``"1.7.4"``
    # source_file, source_sha256: name of the source file, and the digest of its contents in hexadecimal digits; empty
    # if not known.
    source_file: str = ""
    source_sha256: str = ""
    kernels: tuple[ItemDescription, ...] = ()  # in source order, without the kernels that copy fields
    graphs: tuple[ItemDescription, ...] = ()  # in source order
    fields: tuple[FieldInfo, ...] = ()  # in source order
    compiler: str = ""  # the compiler, if it is not Taichi
    seed: int = 0  # of ``ti.init(random_seed=)``

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> Description:
        """The description that a process which compiles has sent, with the parameters of graphs."""
        kernels, graphs = (tuple(map(_item, raw[kind])) for kind in ("kernels", "graphs"))
        fields, source = tuple(map(_field, raw["fields"])), raw["source"]
        last = raw.get("compiler", ""), raw.get("seed", 0)
        return cls(raw["taichi"], source["file"], source["sha256"], kernels, graphs, fields, *last)


def _item(raw: Mapping[str, Any]) -> ItemDescription:
    return ItemDescription(
        raw["name"],
        tuple(ParameterDescription(each["name"], tuple(each.get("shape", ()))) for each in raw["parameters"]),
        raw["doc"],
        raw.get("file", ""),
        raw.get("line", 0),
        raw.get("grad", ""),
        tuple(Repeat(*each) for each in raw.get("repeats", ())),
        read_instance(raw.get("instance")),
    )


def _field(raw: Mapping[str, Any]) -> FieldInfo:
    dtype, shape, elem_shape = DataType[raw["dtype"].upper()], tuple(raw["shape"]), tuple(raw["elem_shape"])
    return FieldInfo(raw["name"], dtype, shape, elem_shape, *[raw.get(role, "") for role in (*ACCESSORS, "contents")])


def apply(info: ModuleInfo, description: Description, where: str = "the module") -> ModuleInfo:
    """The contents of a module with what its description adds; CorruptedDataError if they contradict each other.

    The kernels come in the order of the description. Those that copy fields and adjoints are left out of
    `ModuleInfo.kernels`.
    """
    where = f"{where}: the description"
    made: Made = {}
    described = {kernel.name: _described_kernel(where, info, kernel, made) for kernel in description.kernels}
    graphs = {graph.name: _described_graph(where, info, graph) for graph in description.graphs}
    hidden = {name for field in description.fields for name in field.accessors}
    hidden |= {kernel.grad for kernel in description.kernels if kernel.grad}
    fields = tuple(_described_field(where, info, field) for field in description.fields)
    named = {field.name for field in fields}
    rest = info.fields if info.family == "gfx" or not fields else ()  # LLVM modules know numbered trees only
    return replace(
        info,
        kernels=described | {name: k for name, k in info.kernels.items() if name not in hidden | described.keys()},
        graphs=graphs | {name: graph for name, graph in info.graphs.items() if name not in graphs},
        all_kernels=info.all_kernels | described,
        fields=(*fields, *(field for field in rest if field.name not in named)),
    )


# Parameters with what a description adds, by both; many kernels have the same.
Made: TypeAlias = "dict[tuple[tuple[Parameter, ...], tuple[ParameterDescription, ...]], tuple[Parameter, ...]]"


def _described_kernel(where: str, info: ModuleInfo, given: ItemDescription, made: Made) -> KernelInfo:
    kernel = info.kernels.get(given.name)
    if kernel is None:
        raise CorruptedDataError(f"{where} describes kernel {given.name!r}, which the module lacks")
    place = f"{where}: kernel {given.name!r}"
    own, key = kernel.signature.parameters, (kernel.signature.parameters, given.parameters)
    if key not in made:
        made[key] = _described(place, kernel.signature, given.parameters).parameters
    if _states_names(info, kernel):
        names, stated = [parameter.name for parameter in made[key]], [parameter.name for parameter in own]
        if names != stated:
            raise CorruptedDataError(
                f"{place} has the parameters {', '.join(names)}; the module states {', '.join(stated)}"
            )
    signature = kernel.signature._replace(parameters=made[key])
    if given.grad:
        _check_adjoint(place, info, kernel, given.grad)
    return replace(
        kernel,
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


def _described_graph(where: str, info: ModuleInfo, given: ItemDescription) -> GraphInfo:
    graph = info.graphs.get(given.name)
    if graph is None:
        raise CorruptedDataError(f"{where} describes graph {given.name!r}, which the module lacks")
    place = f"{where}: graph {given.name!r}"
    signature = _described(place, graph.signature, given.parameters)
    if [p.name for p in signature.parameters] != [p.name for p in graph.signature.parameters]:
        raise CorruptedDataError(f"{place} has other parameters than the module states: {graph.signature}")
    return replace(graph, signature=signature, doc=given.doc)


def _described(place: str, signature: Signature, given: Sequence[ParameterDescription]) -> Signature:
    """The signature with what is described of its parameters, whose shapes must be such as a user may state."""
    own = signature.parameters
    if len(given) != len(own):
        raise CorruptedDataError(f"{place} has {len(given)} parameters; the module states {len(own)}")
    parameters = tuple(_described_parameter(place, each, more) for each, more in zip(own, given, strict=True))
    try:
        return signature._replace(parameters=parameters).with_shapes({p.name: p.shape for p in parameters if p.shape})
    except ValueError as error:
        raise CorruptedDataError(f"{place} has shapes that contradict it: {error}") from None


def _described_parameter(place: str, own: Parameter, given: ParameterDescription) -> Parameter:
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


def describe(info: ModuleInfo, source_file: str = "", source_sha256: str = "") -> Description:
    """The description of a module, as far as its contents state it."""
    kernels = tuple(
        ItemDescription(
            name, _describe(each.signature), each.doc, each.file, each.line, each.grad, each.repeats, each.instance
        )
        for name, each in info.kernels.items()
    )
    graphs = tuple(
        ItemDescription(
            name, tuple(ParameterDescription(p.name, p.shape, p.access) for p in graph.signature.parameters), graph.doc
        )
        for name, graph in info.graphs.items()
    )
    fields = tuple(field for field in info.fields if field.dtype is not None)
    version = ".".join(map(str, info.version)) if info.version else ""
    return Description(version, source_file, source_sha256, kernels, graphs, fields, info.compiler, info.seed)


def _describe(signature: Signature) -> tuple[ParameterDescription, ...]:
    names = [parameter.name for parameter in signature.parameters]
    if not usable_names(*names):
        names = positional_names(len(names))
    return tuple(
        ParameterDescription(normal_form(name), parameter.shape, parameter.access)
        for name, parameter in zip(names, signature.parameters, strict=True)
    )
