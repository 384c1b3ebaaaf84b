"""``bundle.json``: what the source of a module says of its kernels and the module's own files do not.

These are the order and the docstrings of kernels, where they stand in the source, the names of parameters (LLVM modules
lose them), stated shapes, and fields with the kernels that copy them. The description of a source is the same in its
modules for all archs. Types are not in it: the modules state them.
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias, cast

from ..values._dtypes import without_ones
from ..values._enums import DataType
from ..values._errors import CorruptedDataError, IncompatibleModuleError
from ..values._signature import Parameter, Signature, normal_form, positional_names, usable_names
from ._files import DESCRIPTION, DESCRIPTION_BYTES
from ._info import FieldInfo, GraphInfo, KernelInfo, ModuleInfo
from ._schema import Check, Schema, integer, list_of, mapping, mismatch, parse_json, text

__all__ = [
    "Description",
    "FieldDescription",
    "GraphDescription",
    "KernelDescription",
    "ParameterDescription",
    "apply",
    "describe",
    "parse_description",
    "parse_with",
    "to_json",
]

FORMAT = 2  # with adjoints; descriptions without any have the format 1, which older versions of this package read
ACCESS = ("r", "w", "rw")

Shape: TypeAlias = tuple[str | int, ...]


class ParameterDescription(NamedTuple):
    """A parameter of a kernel or graph.

    Attributes
    ----------
    name : str
        Its name in the source.
    shape : tuple of str or int
        The stated shape of an ndarray, a symbol or a number for each dimension; empty if none is stated.
    access : str
        ``"r"``, ``"w"`` or ``"rw"``, as a SPIR-V module of the same source states it; else empty.
    """

    name: str
    shape: Shape = ()
    access: str = ""


class KernelDescription(NamedTuple):
    """A kernel: its name, docstring, place in the source, parameters in order, and adjoint (empty without one)."""

    name: str
    parameters: tuple[ParameterDescription, ...] = ()
    doc: str = ""
    file: str = ""
    line: int = 0
    grad: str = ""


class GraphDescription(NamedTuple):
    """A compute graph: its name, its documentation, and its parameters in order."""

    name: str
    parameters: tuple[ParameterDescription, ...] = ()
    doc: str = ""


class FieldDescription(NamedTuple):
    """A field, and the kernels that copy it to (`get`) and from (`set`) an ndarray; empty if there are none."""

    name: str
    dtype: DataType
    shape: tuple[int, ...] = ()
    elem_shape: tuple[int, ...] = ()
    get: str = ""
    set: str = ""


@dataclass(frozen=True)
class Description:
    """What the source of a module says of it; see the module's documentation.

    Parameters
    ----------
    taichi : str
        Version of Taichi that compiled it: ``"1.7.4"``.
    source_file, source_sha256 : str
        Name of the source file, and the digest of its contents in hexadecimal digits; empty if not known.
    kernels : tuple of KernelDescription
        In source order, without the kernels that copy fields.
    graphs : tuple of GraphDescription
        In source order.
    fields : tuple of FieldDescription
        In source order.
    """

    taichi: str
    source_file: str = ""
    source_sha256: str = ""
    kernels: tuple[KernelDescription, ...] = ()
    graphs: tuple[GraphDescription, ...] = ()
    fields: tuple[FieldDescription, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The description as dicts, lists, strings and numbers."""
        return {
            "format": FORMAT if any(kernel.grad for kernel in self.kernels) else 1,
            "taichi": self.taichi,
            "source": {"file": self.source_file, "sha256": self.source_sha256},
            "kernels": [
                {"name": k.name, "doc": k.doc, "file": k.file, "line": k.line, "parameters": _parameters(k.parameters)}
                | _stated(grad=k.grad)
                for k in self.kernels
            ],
            "graphs": [{"name": g.name, "doc": g.doc, "parameters": _parameters(g.parameters)} for g in self.graphs],
            "fields": [_field(field) for field in self.fields],
        }

    def to_json(self) -> bytes:
        """The contents of the file ``bundle.json``."""
        return to_json(self.to_dict())


def to_json(value: Any) -> bytes:
    """JSON that is the same for equal values: UTF-8, sorted keys, one value in a line."""
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def _parameters(parameters: Iterable[ParameterDescription]) -> list[dict[str, Any]]:
    return [{"name": p.name} | _stated(shape=list(p.shape), access=p.access) for p in parameters]


def _field(field: FieldDescription) -> dict[str, Any]:
    own = {
        "name": field.name,
        "dtype": str(field.dtype),
        "shape": list(field.shape),
        "elem_shape": list(field.elem_shape),
    }
    return own | _stated(get=field.get, set=field.set)


def _stated(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value}


# Reading

_SIZE = integer(0, 2**31 - 1)


def _name(value: Any, where: str) -> None:
    text(value, where)
    if not value:
        raise mismatch(where, "a name", value)


def _matching(pattern: str, wanted: str) -> Check:
    def check(value: Any, where: str) -> None:
        text(value, where)
        if not re.fullmatch(pattern, value):
            raise mismatch(where, wanted, value)

    return check


def _dimension(value: Any, where: str) -> None:
    if not isinstance(value, str):
        _SIZE(value, where)
    elif not value.isidentifier() or keyword.iskeyword(value):
        raise mismatch(where, "a symbol or a number", value)


def _distinct(schema: Schema) -> Check:
    """Accept lists of objects with different names."""

    check_items = list_of(schema)

    def check(value: Any, where: str) -> None:
        check_items(value, where)
        names: set[str] = set()
        for item in value:
            if item["name"] in names:
                raise CorruptedDataError(f"{where}: {item['name']!r} occurs twice")
            names.add(item["name"])

    return check


def _versioned(keys: dict[str, Schema], optional: dict[str, Schema]) -> Check:
    """Accept objects of this format; another one may have other keys."""

    def check(value: Any, where: str) -> None:
        number = cast("dict[str, Any]", value).get("format") if isinstance(value, dict) else None
        if type(number) is int and number > FORMAT:
            raise IncompatibleModuleError(
                f"{where} has the format {number}, and this package reads up to {FORMAT}: update taichi-aot"
            )
        mapping({"format": integer(1, FORMAT), **keys}, optional)(value, where)

    return check


_STATED: dict[str, Schema] = {"shape": [_dimension], "access": _matching("|".join(ACCESS), "an access")}
_PARAMETER = mapping({"name": _name}, _STATED)
_GRAPH_PARAMETER = mapping({"name": text}, _STATED)
_KERNEL = mapping(
    {"name": _name, "doc": text, "file": text, "line": _SIZE, "parameters": _distinct(_PARAMETER)}, {"grad": _name}
)
_FIELD = mapping(
    {
        "name": _name,
        "dtype": _matching("|".join(map(str, DataType)), "a type"),
        "shape": [_SIZE],
        "elem_shape": [_SIZE],
    },
    {"get": _name, "set": _name},
)
_DESCRIPTION: dict[str, Schema] = {
    "taichi": text,
    "source": {"file": text, "sha256": _matching("([0-9a-f]{64})?", "a SHA-256 digest")},
    "kernels": _distinct(_KERNEL),
    "graphs": _distinct({"name": _name, "doc": text, "parameters": _distinct(_GRAPH_PARAMETER)}),
    "fields": _distinct(_FIELD),
}


def parse_description(where: str, data: bytes) -> Description:
    """Parse and check the file ``bundle.json`` of a module.

    Parameters
    ----------
    where : str
        The module, for messages.
    data : bytes
        Contents of the file.

    Raises
    ------
    CorruptedDataError
        If it is not a description.
    IncompatibleModuleError
        If a newer version of this package wrote it.
    """
    return parse_with(where, data, {}, {})[0]


def parse_with(
    where: str, data: bytes, more: dict[str, Schema], optional: dict[str, Schema]
) -> tuple[Description, dict[str, Any]]:
    """Parse a description that has more keys, as that of a bundle; return it, and the values of all keys."""
    name = f"{where}: {DESCRIPTION}"
    raw: dict[str, Any] = parse_json(name, {name: data}, _versioned(_DESCRIPTION | more, optional), DESCRIPTION_BYTES)
    kernels = tuple(
        KernelDescription(k["name"], _read_parameters(k), k["doc"], k["file"], k["line"], k.get("grad", ""))
        for k in raw["kernels"]
    )
    for kernel in kernels:
        if not usable_names([parameter.name for parameter in kernel.parameters]):
            raise CorruptedDataError(f"{name}: the parameters of {kernel.name!r} are not names of Python")
    graphs = tuple(GraphDescription(g["name"], _read_parameters(g), g["doc"]) for g in raw["graphs"])
    fields = tuple(map(_read_field, raw["fields"]))
    source = raw["source"]
    return Description(raw["taichi"], source["file"], source["sha256"], kernels, graphs, fields), raw


def _read_parameters(raw: dict[str, Any]) -> tuple[ParameterDescription, ...]:
    return tuple(
        ParameterDescription(p["name"], tuple(p.get("shape", ())), p.get("access", "")) for p in raw["parameters"]
    )


def _read_field(raw: dict[str, Any]) -> FieldDescription:
    dtype, shape, elem_shape = DataType[raw["dtype"].upper()], tuple(raw["shape"]), tuple(raw["elem_shape"])
    return FieldDescription(raw["name"], dtype, shape, elem_shape, raw.get("get", ""), raw.get("set", ""))


# Between descriptions and modules


def apply(info: ModuleInfo, description: Description, where: str = "the module") -> ModuleInfo:
    """The contents of a module with what its description adds to them.

    The kernels come in the order of the description. Those that copy fields and adjoints are left out of
    `ModuleInfo.kernels`.

    Parameters
    ----------
    info : ModuleInfo
        The contents as Taichi's files state them.
    description : Description
        Of the same module.
    where : str, optional
        The module, for messages.

    Raises
    ------
    CorruptedDataError
        If they contradict each other.
    """
    where = f"{where}: {DESCRIPTION}"
    made: Made = {}
    described = {kernel.name: _described_kernel(where, info, kernel, made) for kernel in description.kernels}
    graphs = {graph.name: _described_graph(where, info, graph) for graph in description.graphs}
    hidden = {name for field in description.fields for name in (field.get, field.set) if name}
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


def _described_kernel(where: str, info: ModuleInfo, given: KernelDescription, made: Made) -> KernelInfo:
    kernel = info.kernels.get(given.name)
    if kernel is None:
        raise CorruptedDataError(f"{where} describes kernel {given.name!r}, which the module lacks")
    place = f"{where}: kernel {given.name!r}"
    own, key = kernel.signature.parameters, (kernel.signature.parameters, given.parameters)
    if key not in made:
        parameters = _described_parameters(place, kernel.signature, given.parameters)
        made[key] = _checked(place, kernel.signature._replace(parameters=parameters)).parameters
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
        kernel, signature=signature, names_of="", doc=given.doc, file=given.file, line=given.line, grad=given.grad
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
    if info.family != "gfx" or kernel.names_of or not usable_names([p.name for p in kernel.signature.parameters]):
        return False
    return not any(other.tasks == kernel.tasks for other in info.kernels.values() if other is not kernel)


def _described_graph(where: str, info: ModuleInfo, given: GraphDescription) -> GraphInfo:
    graph = info.graphs.get(given.name)
    if graph is None:
        raise CorruptedDataError(f"{where} describes graph {given.name!r}, which the module lacks")
    place = f"{where}: graph {given.name!r}"
    parameters = _described_parameters(place, graph.signature, given.parameters)
    if [p.name for p in parameters] != [p.name for p in graph.signature.parameters]:
        raise CorruptedDataError(f"{place} has other parameters than the module states: {graph.signature}")
    signature = _checked(place, graph.signature._replace(parameters=parameters))
    return replace(graph, signature=signature, doc=given.doc)


def _checked(place: str, signature: Signature) -> Signature:
    """The signature, whose shapes must be such as a user may state."""
    try:
        return signature.with_shapes({p.name: p.shape for p in signature.parameters if p.shape})
    except ValueError as error:
        raise CorruptedDataError(f"{place} has shapes that contradict it: {error}") from None


def _described_parameters(
    place: str, signature: Signature, given: Sequence[ParameterDescription]
) -> tuple[Parameter, ...]:
    own = signature.parameters
    if len(given) != len(own):
        raise CorruptedDataError(f"{place} has {len(given)} parameters; the module states {len(own)}")
    return tuple(_described_parameter(place, each, more) for each, more in zip(own, given, strict=True))


def _described_parameter(place: str, own: Parameter, given: ParameterDescription) -> Parameter:
    is_array = own.kind == "ndarray"
    if (given.shape or given.access) and not is_array:
        raise CorruptedDataError(f"{place}: {given.name!r} has a shape or an access and is no ndarray: {own.type_name}")
    if given.shape and len(given.shape) != own.ndim:
        raise CorruptedDataError(
            f"{place}: {given.name!r} has a shape of {len(given.shape)} dimensions; the module states {own.type_name}"
        )
    return own._replace(name=normal_form(given.name), shape=given.shape, access=own.access or given.access)


def _described_field(where: str, info: ModuleInfo, given: FieldDescription) -> FieldInfo:
    field = FieldInfo(given.name, given.dtype, given.shape, given.elem_shape, given.get, given.set)
    for own in info.fields:
        if info.family == "gfx" and own.name == given.name and (own.dtype, own.shape) != (field.dtype, field.shape):
            raise CorruptedDataError(f"{where} describes the field {field}; the module states {own}")
    array = Parameter("", "ndarray", given.dtype, len(given.shape), given.elem_shape)
    for name in filter(None, (given.get, given.set)):
        kernel = info.kernels.get(name)
        if kernel is None or [_without_ones(parameter) for parameter in kernel.signature.parameters] != [
            _without_ones(array)
        ]:
            raise CorruptedDataError(f"{where}: the module lacks a kernel {name}({array.type_name}) for field {field}")
    return field


def _without_ones(parameter: Parameter) -> tuple[object, ...]:
    """Its kind and type, without the dimensions of 1 of an element: files state a vector as a matrix of one column."""
    return parameter.kind, parameter.dtype, parameter.ndim, without_ones(parameter.elem_shape)


def describe(info: ModuleInfo) -> Description:
    """A description of a module that has none: names, order, and access to arrays, as far as its files state them."""
    kernels = tuple(KernelDescription(name, _describe(kernel.signature)) for name, kernel in info.kernels.items())
    graphs = tuple(
        GraphDescription(name, tuple(ParameterDescription(p.name, access=p.access) for p in graph.signature.parameters))
        for name, graph in info.graphs.items()
    )
    fields = tuple(
        FieldDescription(field.name, field.dtype, field.shape, field.elem_shape)
        for field in info.fields
        if field.dtype is not None
    )
    version = ".".join(map(str, info.version)) if info.version else ""
    return Description(version, kernels=kernels, graphs=graphs, fields=fields)


def _describe(signature: Signature) -> tuple[ParameterDescription, ...]:
    names = [parameter.name for parameter in signature.parameters]
    if not usable_names(names):
        names = positional_names(len(names))
    return tuple(
        ParameterDescription(normal_form(name), access=parameter.access)
        for name, parameter in zip(names, signature.parameters, strict=True)
    )
