"""The shapes that a graph inherits from its kernels.

Each dispatch has symbols of its own. Dimensions and scalars of the graph that one symbol of a dispatch stands for are
equal, and so are those that share one dimension or scalar across dispatches.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ..values._errors import InvalidArgumentError
from ..values._signature import Parameter, Signature
from ._info import GraphInfo, KernelInfo, ModuleInfo

MANGLED = re.compile(r"(.+)_c\d+_\d+")  # a graph's name of its instance of a kernel

# A number; a symbol of a dispatch, with its number; a scalar of the graph; a dimension of an array of the graph.
Node: TypeAlias = "int | tuple[int, str] | str | tuple[str, int]"


def inherit_shapes(info: ModuleInfo) -> ModuleInfo:
    """The module, with shapes for graphs that state none; ValueError if their kernels require different ones."""
    return info._replace(graphs={name: _with_shapes(graph, info) for name, graph in info.graphs.items()})


def _with_shapes(graph: GraphInfo, info: ModuleInfo) -> GraphInfo:
    if any(parameter.shape for parameter in graph.signature.parameters):
        return graph
    sets: dict[Node, list[Node]] = {}  # the nodes that are equal to a node, and itself
    for node, other in _equations(graph, info):
        first, second = (sets.setdefault(each, [each]) for each in (node, other))
        if first is not second:
            first += second
            sets |= dict.fromkeys(second, first)
    labels = _Labels(graph.signature, sets)
    parameters = tuple(labels.with_shape(parameter) for parameter in graph.signature.parameters)
    signature = graph.signature._replace(parameters=parameters)
    return graph._replace(signature=signature, inherits=signature != graph.signature)


def _equations(graph: GraphInfo, info: ModuleInfo) -> Iterator[tuple[Node, Node]]:
    """The pairs of nodes that are the same size."""
    for number, dispatch in enumerate(graph.dispatches):
        kernel = stated_kernel(dispatch.kernel, info)
        if kernel is None:
            continue
        argument_of = dict(zip((p.name for p in kernel.signature.parameters), dispatch.arguments, strict=True))
        for parameter in kernel.signature.parameters:
            for axis, size in enumerate(parameter.shape):
                own = argument_of.get(size, (number, size)) if isinstance(size, str) else size
                yield (argument_of[parameter.name], axis), own


def stated_kernel(name: str, info: ModuleInfo) -> KernelInfo | None:
    """Return the kernel; its shapes may be stated under its name outside the graph."""
    if name in info.kernels:
        return info.kernels[name]
    match = MANGLED.fullmatch(name)
    kernel = info.kernels.get(match[1]) if match else None
    return kernel if kernel is not None and same_types(kernel, info.all_kernels[name]) else None


class _Labels:
    """Numbers and symbols for the sets of a graph."""

    def __init__(self, signature: Signature, sets: Mapping[Node, list[Node]]) -> None:
        self._name = signature.name
        self._sets = sets
        self._taken = {parameter.name for parameter in signature.parameters}
        self._labels: dict[int, str | int] = {}  # by id of the set

    def with_shape(self, parameter: Parameter) -> Parameter:
        """The parameter with the shape that its dispatches state; they state all dimensions or none."""
        sets = [self._sets.get((parameter.name, axis), []) for axis in range(parameter.ndim)]
        if parameter.kind != "ndarray" or not all(sets):
            return parameter
        return parameter._replace(shape=tuple(self._label(parameter, nodes) for nodes in sets))

    def _label(self, parameter: Parameter, nodes: list[Node]) -> str | int:
        if id(nodes) not in self._labels:
            self._labels[id(nodes)] = self._new_label(parameter, nodes)
        return self._labels[id(nodes)]

    def _new_label(self, parameter: Parameter, nodes: list[Node]) -> str | int:
        numbers = sorted({node for node in nodes if isinstance(node, int)})
        if len(numbers) > 1:
            raise InvalidArgumentError(
                f"graph {self._name!r}: its kernels require {numbers[0]:,} and {numbers[1]:,} for a dimension of "
                f"{parameter.name!r}"
            )
        if numbers:
            return numbers[0]
        scalar = next((node for node in nodes if isinstance(node, str)), None)
        if scalar is not None:
            return scalar
        symbol = next(node[1] for node in nodes if isinstance(node, tuple) and isinstance(node[1], str))
        names = itertools.chain([symbol], (f"{symbol}{i}" for i in itertools.count(2)))
        label = next(name for name in names if name not in self._taken)
        self._taken.add(label)
        return label


def same_types(a: KernelInfo, b: KernelInfo) -> bool:
    """Whether the parameters of two kernels have the same types, in order."""
    return [p.type_name for p in a.signature.parameters] == [p.type_name for p in b.signature.parameters]
