"""What a module holds, common to both formats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from ..enums import Arch, DataType
from ..errors import CorruptedDataError
from ..signature import Parameter, ParameterKind, Signature
from .argument_words import word_argument_name, word_counts

__all__ = [
    "ARRAY_MEMBERS",
    "PARAMETER_KINDS",
    "Dispatch",
    "FieldInfo",
    "GraphArgument",
    "GraphInfo",
    "KernelInfo",
    "ModuleInfo",
    "graph_words",
    "make_graphs",
    "matrix_shape",
    "name_parameters",
    "visible_kernels",
]

# How both formats number the kinds of a kernel's parameters, and name the members of an ndarray's struct.
PARAMETER_KINDS: dict[int, ParameterKind] = {0: "scalar", 1: "ndarray", 2: "texture", 3: "rw_texture"}
ARRAY_MEMBERS = ["shape", "data_ptr", "grad_ptr"]

MATRIX, NDARRAY = 1, 2
GRAPH_KINDS: dict[int, ParameterKind] = {
    0: "scalar",
    MATRIX: "matrix",
    NDARRAY: "ndarray",
    3: "texture",
    4: "rw_texture",
}


@dataclass(frozen=True)
class KernelInfo:
    """A kernel.

    Attributes
    ----------
    signature : Signature
        What it takes and returns.
    tasks : int
        Device launches that one launch of it makes.
    cpu_threads : int or None
        The most CPU threads that a loop of it runs on, as baked in by the compiling machine; None where nothing is, or
        it is not known.
    uses_fields : bool or None
        Whether its code reaches fields; None where the files do not tell.
    """

    signature: Signature
    tasks: int
    cpu_threads: int | None = None
    uses_fields: bool | None = None


class Dispatch(NamedTuple):
    """One step of a compute graph: a kernel of `ModuleInfo.all_kernels`, and the graph's arguments that it gets."""

    kernel: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class GraphInfo:
    """A compute graph: its signature, and what it dispatches, in order."""

    signature: Signature
    dispatches: tuple[Dispatch, ...]


class FieldInfo(NamedTuple):
    """A field that a module brings along; LLVM modules state no more than that it is there."""

    name: str
    dtype: DataType | None = None
    shape: tuple[int, ...] = ()
    elem_shape: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.name if self.dtype is None else f"{self.name}: field[{self.dtype}, {self.shape}]"


@dataclass(frozen=True)
class ModuleInfo:
    """What a module holds, read from its files.

    Attributes
    ----------
    family : str
        ``"llvm"`` for modules of LLVM IR, ``"gfx"`` for modules of SPIR-V.
    archs : tuple of Arch
        The archs that can run it, as far as the files tell; empty for an LLVM module without kernels.
    version : tuple of int or None
        Taichi version that compiled it; None where the files do not tell.
    kernels, graphs : dict
        By name.
    all_kernels : dict
        The kernels with those that stand under a mangled name because a graph dispatches them.
    fields : tuple of FieldInfo
        The fields that it brings along (in an LLVM module: trees of fields).
    has_fields : bool
        Whether it brings memory for fields along, named or not.
    spirv_version : tuple of int
        Highest SPIR-V version of its code, ``(0, 0)`` for LLVM modules.
    spirv_capabilities : frozenset of int
        ``OpCapability`` operands of all its code.
    """

    family: Literal["llvm", "gfx"]
    archs: tuple[Arch, ...]
    version: tuple[int, int, int] | None
    kernels: dict[str, KernelInfo]
    graphs: dict[str, GraphInfo]
    all_kernels: dict[str, KernelInfo] = field(repr=False)
    fields: tuple[FieldInfo, ...] = ()
    has_fields: bool = False
    spirv_version: tuple[int, int] = (0, 0)
    spirv_capabilities: frozenset[int] = frozenset()

    def __str__(self) -> str:
        version = ".".join(map(str, self.version)) if self.version else "?"
        lines = [f"AOT module for {', '.join(map(str, self.archs)) or self.family}, compiled by Taichi {version}"]
        if self.spirv_capabilities:
            numbers = ", ".join(map(str, sorted(self.spirv_capabilities)))
            lines.append(f"SPIR-V {'.'.join(map(str, self.spirv_version))}, capabilities {numbers}")
        threads = {kernel.cpu_threads for kernel in self.kernels.values()} - {None}
        if threads:
            lines.append(f"loops on at most {max(filter(None, threads))} CPU threads")
        for title, signatures in (
            ("kernels", [kernel.signature for kernel in self.kernels.values()]),
            ("graphs", [graph.signature for graph in self.graphs.values()]),
            ("fields", self.fields),
        ):
            lines += [f"{title}:", *(f"    {signature}" for signature in signatures)] if signatures else []
        return "\n".join(lines)


class GraphArgument(NamedTuple):
    """An argument of a dispatch as the files state it."""

    name: str
    tag: int
    dtype: int
    ndim: int
    elem_shape: tuple[int, ...]


def make_graphs(
    where: str,
    file: str,
    graphs: Iterable[tuple[str, Sequence[tuple[str, Sequence[GraphArgument]]]]],
    kernels: Mapping[str, KernelInfo],
) -> dict[str, GraphInfo]:
    """The graphs of a module by name, each checked against the kernels that it dispatches."""
    infos: dict[str, GraphInfo] = {}
    for name, dispatches in graphs:
        if name in infos:
            raise CorruptedDataError(f"{where}: graph {name!r} stands in {file} twice")
        infos[name] = _make_graph(where, name, dispatches, kernels)
    return infos


def _make_graph(
    where: str,
    name: str,
    dispatches: Sequence[tuple[str, Sequence[GraphArgument]]],
    kernels: Mapping[str, KernelInfo],
) -> GraphInfo:
    """Check a graph against the kernels it dispatches, and derive its signature.

    The library checks neither that the kernels exist nor that they are given what they take.
    """
    parameters: dict[str, Parameter] = {}
    for kernel, arguments in dispatches:
        if kernel not in kernels:
            raise CorruptedDataError(f"{where}: graph {name!r} dispatches kernel {kernel!r}, which is not there")
        taken = kernels[kernel].signature.parameters
        if len(arguments) != len(taken):
            raise CorruptedDataError(
                f"{where}: graph {name!r} gives kernel {kernel!r} {len(arguments)} arguments; it takes {len(taken)}"
            )
        for argument, parameter in zip(arguments, taken, strict=True):
            given = _graph_parameter(where, name, argument, parameter)
            if parameters.setdefault(given.name, given) != given:
                raise CorruptedDataError(f"{where}: graph {name!r} has two arguments named {given.name!r}")
    steps = tuple(Dispatch(kernel, tuple(argument.name for argument in arguments)) for kernel, arguments in dispatches)
    return GraphInfo(Signature(name, tuple(parameters.values())), steps)


def _graph_parameter(where: str, graph: str, argument: GraphArgument, taken: Parameter) -> Parameter:
    kind = GRAPH_KINDS.get(argument.tag)
    if kind is None:
        raise CorruptedDataError(f"{where}: argument {argument.name!r} of graph {graph!r} has no known kind")
    # A texture's dtype is its channel format and its ndim another field: the kernel states both.
    dtype = DataType(argument.dtype) if taken.dtype is not None and argument.dtype in list(DataType) else None
    if kind in ("texture", "rw_texture"):
        given = Parameter(argument.name, kind, ndim=taken.ndim)
    elif kind == "ndarray":
        given = Parameter(argument.name, kind, dtype, argument.ndim, argument.elem_shape)
    else:
        given = Parameter(argument.name, kind, dtype, elem_shape=taken.elem_shape if kind == "matrix" else ())
    if given._replace(name="", access="") != taken._replace(name="", access=""):
        raise CorruptedDataError(
            f"{where}: graph {graph!r} gives its argument {given} to a kernel that takes {taken.type_name}"
        )
    return given


MANGLED = re.compile(r"(.+)_c\d+_\d+")  # what a graph calls its instance of a kernel


def graph_words(argument: GraphArgument, taken: Parameter, family: str) -> list[GraphArgument]:
    """What stands for an argument of a dispatch in the library's copy of the module; see `words`."""
    if argument.tag == NDARRAY and taken.dtype is DataType.U1:
        return [argument._replace(dtype=int(DataType.U8))]  # the library's graphs know no ndarrays of u1
    return [
        GraphArgument(word_argument_name(argument.name, i), MATRIX, int(DataType.I32), 0, (count, 1))
        for i, count in enumerate(word_counts(taken, family))
    ] or [argument]


def visible_kernels(
    kernels: Mapping[str, KernelInfo], graphs: Mapping[str, GraphInfo], content: bytes | None
) -> dict[str, KernelInfo]:
    """The kernels without those that stand here only under the mangled name that a graph uses."""
    listed = set()
    for line in (content or b"").decode(errors="replace").splitlines():
        if line.startswith("kernel:"):
            listed.add(line[len("kernel:") :])
    dispatched = {dispatch.kernel for graph in graphs.values() for dispatch in graph.dispatches}
    hidden = {name for name in dispatched if name not in listed and MANGLED.fullmatch(name)}
    return {name: kernel for name, kernel in kernels.items() if name not in hidden}


def name_parameters(kernels: dict[str, KernelInfo], graphs: Mapping[str, GraphInfo]) -> dict[str, KernelInfo]:
    """Kernels with the parameter names that graphs dispatch them with, where all dispatches agree on them."""
    names: dict[str, set[tuple[str, ...]]] = {}
    for graph in graphs.values():
        for dispatch in graph.dispatches:
            match = MANGLED.fullmatch(dispatch.kernel)
            for name in {dispatch.kernel, match[1] if match else dispatch.kernel}:
                if name in kernels and _same_types(kernels[name], kernels[dispatch.kernel]):
                    names.setdefault(name, set()).add(dispatch.arguments)
    named = dict(kernels)
    for name, candidates in names.items():
        given = next(iter(candidates))
        if len(candidates) == 1 and len(set(given)) == len(given) and all(map(str.isidentifier, given)):
            named[name] = replace(kernels[name], signature=kernels[name].signature.renamed(given))
    return named


def _same_types(a: KernelInfo, b: KernelInfo) -> bool:
    return [p.type_name for p in a.signature.parameters] == [p.type_name for p in b.signature.parameters]


def matrix_shape(names: tuple[str, ...]) -> tuple[int, ...]:
    """Shape of a matrix parameter from the names of its members: NAME_ROW_COLUMN, row by row; NAME_ROW for a vector."""
    last = re.fullmatch(r"(.*)_(\d{1,3})_(\d{1,3})", names[-1]) if names else None
    if last:
        name, rows, columns = last[1], int(last[2]) + 1, int(last[3]) + 1
        if names == tuple(f"{name}_{row}_{column}" for row in range(rows) for column in range(columns)):
            return (rows, columns)
    return (len(names),)
