"""Compute graphs, checked against the kernels that they dispatch, and the kernels that modules of both formats list."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ...bundle._graph_shapes import MANGLED, same_types
from ...bundle._info import Dispatch, GraphInfo, KernelInfo
from ...values._enums import INTEGER_RANGES, DataType, numpy_dtype, without_ones
from ...values._errors import CorruptedDataError
from ...values._signature import (
    Parameter,
    ParameterKind,
    Signature,
    Words,
    usable_names,
    word_argument_name,
    word_counts,
)
from ._parameters import GraphArgument, Graphs

MATRIX, NDARRAY = 1, 2
TEXTURE_TAGS: dict[ParameterKind, int] = {"texture": 3, "rw_texture": 4}
GRAPH_KINDS: dict[int, ParameterKind] = {
    0: "scalar",
    MATRIX: "matrix",
    NDARRAY: "ndarray",
    **{tag: kind for kind, tag in TEXTURE_TAGS.items()},
}


def make_graphs(where: str, file: str, graphs: Graphs, kernels: Mapping[str, KernelInfo]) -> dict[str, GraphInfo]:
    """The graphs of a module by name, each checked against the kernels that it dispatches."""
    infos: dict[str, GraphInfo] = {}
    for name, dispatches in graphs:
        if name in infos:
            raise CorruptedDataError(f"{where}: graph {name!r} occurs twice in {file}")
        infos[name] = _make_graph(where, name, dispatches, kernels)
    return infos


def _make_graph(
    where: str, name: str, dispatches: Sequence[tuple[str, Sequence[GraphArgument]]], kernels: Mapping[str, KernelInfo]
) -> GraphInfo:
    """Check a graph against the kernels it dispatches, which the library does not, and derive its signature."""
    parameters: dict[str, Parameter] = {}
    for kernel, arguments in dispatches:
        if kernel not in kernels:
            raise CorruptedDataError(f"{where}: graph {name!r} dispatches kernel {kernel!r}, which the module lacks")
        taken = kernels[kernel].signature.parameters
        if len(arguments) != len(taken):
            raise CorruptedDataError(
                f"{where}: graph {name!r} passes {len(arguments)} arguments to kernel {kernel!r}; it takes {len(taken)}"
            )
        for argument, parameter in zip(arguments, taken, strict=True):
            given = _graph_parameter(where, name, argument, parameter)
            known = parameters.get(given.name, given)
            parameters[given.name] = _for_both(where, name, known, given)
    steps = tuple(Dispatch(kernel, tuple(argument.name for argument in arguments)) for kernel, arguments in dispatches)
    return with_access(GraphInfo(Signature(name, tuple(parameters.values())), steps), kernels)


def with_access(graph: GraphInfo, kernels: Mapping[str, KernelInfo]) -> GraphInfo:
    """A graph whose arrays have the access of its kernels; ``""`` if one of them does not state it."""
    accesses: dict[str, set[str]] = {}
    for dispatch in graph.dispatches:
        for name, parameter in zip(dispatch.arguments, kernels[dispatch.kernel].signature.parameters, strict=True):
            accesses.setdefault(name, set()).add(parameter.access)
    parameters: list[Parameter] = []
    for parameter in graph.signature.parameters:
        stated = accesses[parameter.name]
        access = "".join(letter for letter in "rw" if any(letter in each for each in stated)) if all(stated) else ""
        parameters.append(parameter._replace(access=access))
    return graph._replace(signature=graph.signature._replace(parameters=tuple(parameters)))


def _graph_parameter(where: str, graph: str, argument: GraphArgument, taken: Parameter) -> Parameter:
    kind = GRAPH_KINDS.get(argument.tag)
    if kind is None:
        raise CorruptedDataError(f"{where}: argument {argument.name!r} of graph {graph!r} is of an unknown kind")
    wanted = taken._replace(name=argument.name, access="")
    dtype = DataType(argument.dtype) if argument.dtype in list(DataType) else None
    if kind in TEXTURE_TAGS and taken.kind in TEXTURE_TAGS:  # the library binds it as the kernel takes it
        return wanted
    if kind == "ndarray":
        is_same = without_ones(argument.elem_shape) == without_ones(taken.elem_shape)
        elem_shape = taken.elem_shape if is_same else argument.elem_shape
        given = wanted._replace(kind=kind, dtype=dtype, ndim=argument.ndim, elem_shape=elem_shape)
    else:
        given = Parameter(argument.name, kind, dtype, elem_shape=taken.elem_shape if kind == "matrix" else ())
        if kind == "matrix" and _same_bits(dtype, taken.dtype):
            wanted = wanted._replace(dtype=dtype)
    if given != wanted:
        raise CorruptedDataError(
            f"{where}: graph {graph!r} passes its argument {given} to a kernel that takes {taken.type_name}"
        )
    return given


def _same_bits(a: DataType | None, b: DataType | None) -> bool:
    """Whether the numbers of two types have the same bits: also those of an integer with a sign and without."""
    if a is None or b is None or not {a, b} <= INTEGER_RANGES.keys() - {DataType.U1}:
        return a is b
    return numpy_dtype(a).itemsize == numpy_dtype(b).itemsize


def _for_both(where: str, graph: str, a: Parameter, b: Parameter) -> Parameter:
    """The parameter of a graph that two kernels take as `a` and as `b`."""
    formats = {a.format, b.format} - {""}
    if a.kind in TEXTURE_TAGS and b.kind in TEXTURE_TAGS and a.ndim == b.ndim and len(formats) < 2:
        kind = a.kind if a.kind == b.kind else "rw_texture"
        return a._replace(kind=kind, format="".join(formats))
    is_same = a._replace(elem_shape=()) == b._replace(elem_shape=())
    if a != b and not (is_same and a.kind == "matrix" and without_ones(a.elem_shape) == without_ones(b.elem_shape)):
        raise CorruptedDataError(
            f"{where}: graph {graph!r} passes its argument {a} to a kernel that takes {b.type_name}"
        )
    return a


def dispatched_kernels(graphs: Mapping[str, GraphInfo]) -> set[str]:
    return {dispatch.kernel for graph in graphs.values() for dispatch in graph.dispatches}


def name_parameters(kernels: dict[str, KernelInfo], graphs: Mapping[str, GraphInfo]) -> dict[str, KernelInfo]:
    """Kernels with the parameter names of the graphs that dispatch them, if all dispatches agree."""
    names: dict[str, set[tuple[str, ...]]] = {}
    for graph in graphs.values():
        for dispatch in graph.dispatches:
            match = MANGLED.fullmatch(dispatch.kernel)
            for name in {dispatch.kernel, match[1] if match else dispatch.kernel}:
                if name in kernels and same_types(kernels[name], kernels[dispatch.kernel]):
                    names.setdefault(name, set()).add(dispatch.arguments)
    named = dict(kernels)
    for name, candidates in names.items():
        given = next(iter(candidates))
        if len(candidates) == 1 and usable_names(*given):
            named[name] = kernels[name]._replace(signature=kernels[name].signature.renamed(given))
    return named


def graphs_with_words(graphs: Graphs, kernels: Mapping[str, KernelInfo], family: str, words: Words) -> Graphs:
    """The graphs of a private copy; see `_words`. Words of an argument beyond the 32nd follow all others."""

    def passed(kernel: str, arguments: Sequence[GraphArgument]) -> list[GraphArgument]:
        parameters = kernels[kernel].signature.parameters
        found = [_graph_words(a, p, family, words) for a, p in zip(arguments, parameters, strict=True)]
        return [own[0] for own in found] + [word for own in found for word in own[1:]]

    return [
        (name, [(kernel, passed(kernel, arguments)) for kernel, arguments in dispatches]) for name, dispatches in graphs
    ]


def _graph_words(argument: GraphArgument, taken: Parameter, family: str, words: Words) -> list[GraphArgument]:
    """The arguments that replace one of a dispatch."""
    if argument.tag == NDARRAY and taken.dtype is DataType.U1:  # the library's graphs know no ndarrays of u1
        return [argument._replace(dtype=int(DataType.U8), elem_shape=taken.elem_shape)]
    if argument.tag == NDARRAY:
        return [argument._replace(elem_shape=taken.elem_shape)]
    if taken.kind in TEXTURE_TAGS:  # the library passes the extent of an rw_texture only
        return [argument._replace(tag=TEXTURE_TAGS[taken.kind])]
    counts = word_counts(taken, family, words)
    if argument.tag == MATRIX and not counts:  # the library reads two sizes
        return [argument._replace(elem_shape=(math.prod(taken.elem_shape), 1))]
    return [
        GraphArgument(word_argument_name(argument.name, i), MATRIX, int(DataType.I32), 0, (count, 1))
        for i, count in enumerate(counts)
    ] or [argument]


# The kernels that ``__content__`` lists, with the names that the source gives them.


def visible_kernels(
    kernels: Mapping[str, KernelInfo], graphs: Mapping[str, GraphInfo], content: bytes | None
) -> dict[str, KernelInfo]:
    """The kernels without those that are stored only under the mangled name that a graph uses."""
    listed = _listed(content)
    hidden = {name for name in dispatched_kernels(graphs) if name not in listed and MANGLED.fullmatch(name)}
    return {name: kernel for name, kernel in kernels.items() if name not in hidden}


def check_listed(where: str, kernels: Mapping[str, KernelInfo], content: bytes | None) -> None:
    """Raise for a module that lists kernels but does not contain one: Taichi writes such modules without an error."""
    listed = _listed(content)
    if listed and not kernels:
        raise CorruptedDataError(
            f"{where} lists {', '.join(sorted(listed))[:200]} but does not contain kernels: "
            "only the first save() or archive() of a taichi.aot.Module is complete; create a new one for each output"
        )


def in_listed_order(kernels: Mapping[str, KernelInfo], content: bytes | None) -> dict[str, KernelInfo]:
    """The kernels in the order in which ``__content__`` lists them, and then the others."""
    return {name: kernels[name] for name in _listed(content) if name in kernels} | dict(kernels)


def _listed(content: bytes | None) -> dict[str, None]:
    """The kernels that ``__content__`` lists, in order."""
    lines = (content or b"").decode(errors="replace").splitlines()
    return {line[len("kernel:") :]: None for line in lines if line.startswith("kernel:")}
