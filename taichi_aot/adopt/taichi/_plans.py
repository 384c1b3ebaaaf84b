"""Launches: the compute graphs that modules of both families state, and the plans of kernels.

A graph is checked against the kernels that it dispatches. A plan states all that launching a kernel without the library
needs. A kernel that is not fully understood has none, so the library launches it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import TypeAlias

from ...bundle._info import Dispatch, GraphInfo, KernelInfo, LaunchArgument, LaunchInfo, ResultLayout
from ...bundle._plan import MANGLED, same_types
from ...values._errors import CorruptedDataError
from ...values._numbers import INTEGER_RANGES, DataType, numpy_dtype, without_ones
from ...values._signature import (
    WORDS_PER_ARGUMENT,
    Parameter,
    ParameterKind,
    Signature,
    Words,
    byte_size,
    usable_names,
    word_argument_name,
    word_counts,
)
from ._types import TEXTURE_DIMS, GraphArgument, Graphs, Member, Struct

MATRIX, NDARRAY = 1, 2
TEXTURE_TAGS: dict[ParameterKind, int] = {"texture": 3, "rw_texture": 4}
GRAPH_KINDS: dict[int, ParameterKind] = {
    0: "scalar",
    MATRIX: "matrix",
    NDARRAY: "ndarray",
    **{tag: kind for kind, tag in TEXTURE_TAGS.items()},
}


def make_graphs(where: str, file: str, graphs: Graphs, kernels: Mapping[str, KernelInfo]) -> dict[str, GraphInfo]:
    """Return the graphs of a module by name, each checked against the kernels that it dispatches."""
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
    """Return a graph whose arrays have the access of its kernels; ``""`` if one of them does not state it."""
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
    """Return whether the numbers of two types have the same bits: also those of an integer with a sign and without."""
    if a is None or b is None or not {a, b} <= INTEGER_RANGES.keys() - {DataType.U1}:
        return a is b
    return numpy_dtype(a).itemsize == numpy_dtype(b).itemsize


def _for_both(where: str, graph: str, a: Parameter, b: Parameter) -> Parameter:
    """Return the parameter of a graph that two kernels take as `a` and as `b`."""
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
    """Return kernels with the parameter names of the graphs that dispatch them, if all dispatches agree."""
    names: dict[str, set[tuple[str, ...]]] = {}
    for graph in graphs.values():
        for dispatch in graph.dispatches:
            match = re.fullmatch(MANGLED, dispatch.kernel)
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
    """Return the graphs of a copy that takes words. Words of an argument beyond the 32nd follow all others."""

    def passed(kernel: str, arguments: Sequence[GraphArgument]) -> list[GraphArgument]:
        parameters = kernels[kernel].signature.parameters
        found = [_graph_words(a, p, family, words) for a, p in zip(arguments, parameters, strict=True)]
        return [own[0] for own in found] + [word for own in found for word in own[1:]]

    return [
        (name, [(kernel, passed(kernel, arguments)) for kernel, arguments in dispatches]) for name, dispatches in graphs
    ]


def _graph_words(argument: GraphArgument, taken: Parameter, family: str, words: Words) -> list[GraphArgument]:
    """Return the arguments that replace one of a dispatch."""
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
    """Return the kernels without those that are stored only under the mangled name that a graph uses."""
    listed = _listed(content)
    hidden = {name for name in dispatched_kernels(graphs) if name not in listed and re.fullmatch(MANGLED, name)}
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
    """Return the kernels in the order in which ``__content__`` lists them, and then the others."""
    return {name: kernels[name] for name in _listed(content) if name in kernels} | dict(kernels)


def _listed(content: bytes | None) -> dict[str, None]:
    """Return the kernels that ``__content__`` lists, in order."""
    lines = (content or b"").decode(errors="replace").splitlines()
    return {line[len("kernel:") :]: None for line in lines if line.startswith("kernel:")}


# Programs: how code computes the length of a loop.


DEEPEST = 16  # entries of the stack of a program
LONGEST = 64  # operations of one


class Operation(IntEnum):
    """An operation of a program, which works on a stack of integers. Those that load take an offset, and `CONSTANT` a
    number.
    """

    CONSTANT = 0
    LOAD = 1  # the bytes at the operand in the argument struct
    ADD = 2
    SUBTRACT = 3
    MULTIPLY = 4
    SHIFT = 5  # to the left
    SMALLEST = 6
    LARGEST = 7
    LOAD_WIDE = 8  # the same of 64 bits, as the code has too, but for casts to 32 bits


Program: TypeAlias = "tuple[tuple[int, int], ...]"  # operations with their operands; empty: the length is not known

# What code computes: a leaf is a name and a number, an inner node a name and two operands.
Value: TypeAlias = "tuple[str, int] | tuple[str, Value, Value]"

CONSTANT, ARGUMENT, WIDE_ARGUMENT, TEMPORARY = "constant", "argument", "wide argument", "temporary"
BIT, UNKNOWN = "bit", "unknown"  # 0 or 1; any number

OPERATIONS = {
    "add": Operation.ADD,
    "subtract": Operation.SUBTRACT,
    "multiply": Operation.MULTIPLY,
    "shift": Operation.SHIFT,
    "smallest": Operation.SMALLEST,
    "largest": Operation.LARGEST,
}

LOADS = {ARGUMENT: Operation.LOAD, WIDE_ARGUMENT: Operation.LOAD_WIDE}
LEAVES = frozenset((Operation.CONSTANT, *LOADS.values()))


def flat(program: Program) -> tuple[int, ...]:
    """Return a program as a launch states it."""
    return tuple(number for operation in program for number in operation)


def program_of(numbers: Sequence[int]) -> Program:
    """Return the program that a launch states."""
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def constant(value: Value | None) -> int | None:
    """Return a value's number if it is constant, else None."""
    return value[1] if value is not None and len(value) == 2 and value[0] == CONSTANT else None


def signed(number: int) -> int:
    """Return a number of 32 bits as a signed one."""
    return number - (1 << 32) if number >> 31 else number


def is_settled(value: Value) -> bool:
    """Return whether a value does not depend on temporaries, which may change."""
    if len(value) == 3:
        return is_settled(value[1]) and is_settled(value[2])
    return value[0] != TEMPORARY


def binary(name: str, left: Value | None, right: Value | None) -> Value | None:
    """Make an inner node; None if an operand is unknown, or if it is too large: code may square a number repeatedly."""
    if left is None or right is None or _size(left) + _size(right) >= LONGEST:
        return None
    return name, left, right


def _size(value: Value) -> int:
    return 1 + _size(value[1]) + _size(value[2]) if len(value) == 3 else 1


def with_stored(value: Value | None, stored: Mapping[int, Value]) -> Value | None:
    """Return a value with what is known of the temporaries, by offset, in their place."""
    if value is not None and len(value) == 3:
        return binary(value[0], with_stored(value[1], stored), with_stored(value[2], stored))
    return stored.get(value[1], value) if value is not None and value[0] == TEMPORARY else value


def program(value: Value | None, *, is_exact: bool = False) -> Program | None:
    """Return the program that computes a value, or a larger number; None if it depends on more than the arguments.

    With `is_exact` it computes the value itself.
    """
    bound = value if value is None or is_exact else _bound(value)
    found = None if bound is None else _operations(bound)
    return found if found is not None and depth(found) <= DEEPEST else None


def _bound(value: Value) -> Value | None:
    """Return the value, or if no program computes it one that is not smaller."""
    if _operations(value) is not None:
        return value
    if len(value) == 2:
        return None
    name, left, right = value
    if name == "subtract" and right == (BIT, 0) and _is_quotient(left):  # rounded down: it cannot wrap around
        return _bound(left)
    if _is_quotient(value):
        return binary("largest", _bound(left), (CONSTANT, 0))
    if name == "smallest":
        a, b = _bound(left), _bound(right)
        return binary(name, a, b) or a or b
    return binary(name, _bound(left), _bound(right)) if name == "largest" else None


def _is_quotient(value: Value) -> bool:
    """Return whether a value is divided by a constant of at least 2, towards zero."""
    return len(value) == 3 and value[0] == "divide" and (constant(value[2]) or 0) >= 2


def _operations(value: Value) -> Program | None:
    """Return the operations that compute a value, operands first; None if there are none for it."""
    if len(value) == 3:
        left, right = _operations(value[1]), _operations(value[2])
        if left is None or right is None or value[0] not in OPERATIONS:
            return None
        return (*left, *right, (OPERATIONS[value[0]], 0))
    if value[0] == CONSTANT:
        return ((Operation.CONSTANT, value[1]),)
    return ((LOADS[value[0]], value[1]),) if value[0] in LOADS else None


def depth(operations: Iterable[tuple[int, int]]) -> int:
    """Return the most entries that a program has on its stack."""
    deepest = entries = 0
    for operation, _ in operations:
        entries += 1 if operation in LEAVES else -1
        deepest = max(deepest, entries)
    return deepest


TEXTURES = ("texture", "rw_texture")


class UnplannedError(Exception):
    """A kernel does not have a plan; the text is the reason, such as what the kernel uses."""


class ArgumentKind(IntEnum):
    """How an argument stands in the argument struct."""

    VALUE = 0  # the bits of a scalar
    WORDS = 1  # the bytes of a tensor
    ARRAY = 2  # the sizes of its dimensions
    ADDRESS = 3  # the address of an array on the device
    EXTENT = 4  # the sizes of a texture


class BindingKind(IntEnum):
    """The kinds of a task's bindings."""

    ARGUMENTS = 0
    TEMPORARIES = 1
    ROOT = 2  # the memory of a tree of fields
    ARRAY = 3
    TEXTURE = 4
    RW_TEXTURE = 5
    RETURNS = 6  # memory for unused return values
    SCRATCH = 7  # memory for partial results


class Threads(IntEnum):
    """How many threads a loop of known length gets."""

    AS_COMPILED = 0  # at most
    OF_ELEMENTS = 1  # one for each element, up to what fills the device several times over
    RESIDENT = 2  # at most as many as the device holds at a time
    OF_SEVERAL = 3  # for code that does several elements at a time, for GPUs: one for each of those, but a full device
    RESIDENT_IN_LOOPS = 4  # as RESIDENT, where the loop has inner ones


def planned_arguments(parameters: Sequence[Parameter], members: Sequence[Member], family: str) -> list[LaunchArgument]:
    """Return the arguments for the parameters, whose members of the argument struct these are.

    Words beyond the 32nd of one are those of arguments after all others.
    """
    found: list[LaunchArgument] = []
    overflow = len(parameters)
    for number, (parameter, member) in enumerate(zip(parameters, members, strict=True)):
        if parameter.kind == "ndarray":
            found += planned_array(number, member, parameter.ndim)
            continue
        if family == "gfx" and parameter.kind in TEXTURES:
            found.append(LaunchArgument(number, ArgumentKind.EXTENT, member.offset, TEXTURE_DIMS))
            continue
        if parameter.dtype is None and parameter.layout is None:
            raise UnplannedError(f"a parameter of kind {parameter.kind}")
        counts, size = word_counts(parameter, family), byte_size(parameter, family)
        if not counts:
            found.append(LaunchArgument(number, ArgumentKind.VALUE, member.offset, size))
        if family == "gfx":
            size = 4 * sum(counts)  # of a struct of whole words
        step = 4 * WORDS_PER_ARGUMENT
        for begin in range(0, step * len(counts), step):
            source = number
            if begin:
                source, overflow = overflow, overflow + 1
            found.append(LaunchArgument(source, ArgumentKind.WORDS, member.offset + begin, min(step, size - begin)))
    return found


def planned_array(number: int, member: Member, ndim: int) -> tuple[LaunchArgument, LaunchArgument]:
    """Return the sizes and the address of an ndarray, whose struct begins with them."""
    assert isinstance(member.type, Struct)
    shape, data = member.type.members[:2]
    return (
        LaunchArgument(number, ArgumentKind.ARRAY, member.offset + shape.offset, ndim),
        LaunchArgument(number, ArgumentKind.ADDRESS, member.offset + data.offset, 8),
    )


class Plans:
    """The launches of a module's kernels; here of one without code of its own, which `what` names."""

    # results, gradients: the layouts of the return values that its code writes to an array, by kernel, and the kernels
    # whose code is passed gradients.
    results: Mapping[str, ResultLayout] = {}
    gradients: frozenset[str] = frozenset()

    def __init__(self, what: str) -> None:
        self._what = what

    def dispatch(self, name: str) -> LaunchInfo:
        """Return what a kernel launches; UnplannedError if it cannot have a plan."""
        raise UnplannedError(f"the module has no {self._what}")
