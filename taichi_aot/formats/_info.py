"""The contents of a module, common to both formats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from ..values._dtypes import element_name
from ..values._enums import Arch, Capability, DataType
from ..values._errors import CorruptedDataError, NotSupportedError
from ..values._signature import Parameter, ParameterKind, Signature, usable_names
from ..values._wording import count
from ._returns import ReturnLayout
from ._spirv import DEVICE_CAPABILITIES, SHADER, capability_name
from ._words import Words, word_argument_name, word_counts

__all__ = [
    "MANGLED",
    "Dispatch",
    "FieldInfo",
    "GraphArgument",
    "GraphInfo",
    "KernelInfo",
    "ModuleInfo",
    "TaskInfo",
    "check_listed",
    "dispatched_kernels",
    "graph_words",
    "in_listed_order",
    "make_graphs",
    "name_parameters",
    "same_types",
    "visible_kernels",
    "with_access",
]

MATRIX, NDARRAY = 1, 2
GRAPH_KINDS: dict[int, ParameterKind] = {
    0: "scalar",
    MATRIX: "matrix",
    NDARRAY: "ndarray",
    3: "texture",
    4: "rw_texture",
}


class TaskInfo(NamedTuple):
    """A task of a kernel: one launch on the device.

    Attributes
    ----------
    name : str
        The compiler's name for it. In gfx modules its code is the file ``NAME.spv``.
    kind : str
        ``"serial"``, ``"range_for"``, ``"struct_for"``, ``"listgen"`` and so on; empty if the module does not state it.
    grid : int
        Number of blocks (CUDA) or workgroups (gfx); 0 on CPUs.
    block : int
        Number of threads in each block or workgroup; 0 on CPUs.
    threads : int
        Total number of threads that the compiler requested; 0 on CPUs.
    """

    name: str
    kind: str
    grid: int
    block: int
    threads: int


@dataclass(frozen=True, repr=False)
class KernelInfo:
    """A kernel of a module, as its files state it.

    Attributes
    ----------
    signature : Signature
        Parameters, with their access to arrays, and return values.
    tasks : tuple of TaskInfo
        Device launches of one launch of the kernel, in order.
    cpu_threads : int or None
        Maximum number of CPU threads of its loops, which the compiling machine fixed; None if unknown or not fixed.
    field_trees : tuple of int
        The trees of fields that its code uses, by number.
    result : ReturnLayout or None
        The layout of its return values; None if it does not have any, or if they cannot be fetched.
    names_of : str
        The kernel whose parameter names a SPIR-V module states for this one. Taichi's cache compiles kernels with the
        same code once, and states the names of the first one for all. The parameters are ``arg0``, ``arg1`` and so on
        then. Empty if the names are the kernel's own or come from the module's description.
    doc : str
        Its docstring; empty if it has none, or if the module does not have a description.
    file, line : str, int
        Where it stands in the source; empty and 0 if the module does not have a description.

    Examples
    --------
    >>> kernel = inspect("saxpy.tcm").kernels["saxpy"]
    >>> kernel
    <KernelInfo saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1]), 2 tasks>
    >>> [task.kind for task in kernel.tasks]
    ['serial', 'range_for']
    """

    signature: Signature
    tasks: tuple[TaskInfo, ...]
    cpu_threads: int | None = None
    field_trees: tuple[int, ...] = ()
    result: ReturnLayout | None = None
    names_of: str = ""
    doc: str = ""
    file: str = ""
    line: int = 0

    @property
    def uses_fields(self) -> bool:
        """Whether its code uses fields."""
        return bool(self.field_trees)

    def to_dict(self) -> dict[str, Any]:
        """All information about the kernel as dicts, lists, strings and numbers, for ``json.dumps``."""
        return {
            **self.signature.to_dict(),
            "tasks": [task._asdict() for task in self.tasks],
            "cpu_threads": self.cpu_threads,
            "uses_fields": self.uses_fields,
            "field_trees": list(self.field_trees),
            "names_of": self.names_of,
            "doc": self.doc,
            "file": self.file,
            "line": self.line,
        }

    def __repr__(self) -> str:
        return f"<KernelInfo {self.signature}, {count(self.tasks, 'task')}>"


class Dispatch(NamedTuple):
    """One step of a compute graph: a kernel of `ModuleInfo.all_kernels`, and the graph's arguments for it."""

    kernel: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class GraphInfo:
    """A compute graph: its signature, its dispatches in order, and its documentation if the module has a description.

    Examples
    --------
    >>> graph = inspect("saxpy.tcm").graphs["twice"]
    >>> graph
    <GraphInfo twice(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1]), 2 dispatches>
    >>> graph.dispatches[0].arguments
    ('a', 'x', 'y')
    """

    signature: Signature
    dispatches: tuple[Dispatch, ...]
    doc: str = ""

    def to_dict(self) -> dict[str, Any]:
        """All information about the graph as dicts, lists, strings and numbers, for ``json.dumps``."""
        steps = [{"kernel": step.kernel, "arguments": list(step.arguments)} for step in self.dispatches]
        return {**self.signature.to_dict(), "doc": self.doc, "dispatches": steps}

    def __repr__(self) -> str:
        return f"<GraphInfo {self.signature}, {len(self.dispatches)} dispatch{'es' * (len(self.dispatches) != 1)}>"


class FieldInfo(NamedTuple):
    """A field of a module. LLVM modules without a description state only the numbers of the trees of fields.

    Attributes
    ----------
    name : str
        Name of the field.
    dtype : DataType or None
        Type of its numbers.
    shape : tuple of int
        Shape, without the element shape.
    elem_shape : tuple of int
        Shape of its elements.
    get, set : str
        Names of the kernels that copy it to and from an ndarray; empty if the module was built without them.

    Examples
    --------
    >>> inspect("saxpy.tcm").fields
    ()
    >>> print(FieldInfo("v", DataType.F32, (64, 64)))
    v: field[f32, (64, 64)]
    """

    name: str
    dtype: DataType | None = None
    shape: tuple[int, ...] = ()
    elem_shape: tuple[int, ...] = ()
    get: str = ""
    set: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The field as dicts, lists, strings and numbers, for ``json.dumps``."""
        shapes = {"shape": list(self.shape), "elem_shape": list(self.elem_shape)}
        return self._asdict() | shapes | {"dtype": None if self.dtype is None else str(self.dtype)}

    def __str__(self) -> str:
        if self.dtype is None:
            return self.name
        return f"{self.name}: field[{element_name(self.dtype, self.elem_shape)}, {self.shape}]"


@dataclass(frozen=True, repr=False)
class ModuleInfo:
    """The contents of a module, as its files state them.

    Attributes
    ----------
    family : str
        ``"llvm"`` for modules of LLVM IR, ``"gfx"`` for modules of SPIR-V, ``"bundle"`` for the modules of a bundle.
    archs : tuple of Arch
        The archs that can run it, as far as the files state them; empty for an LLVM module without kernels. For a
        bundle those that it has modules for.
    version : tuple of int or None
        Taichi version that compiled it; None if the files do not state it.
    kernels, graphs : dict
        `KernelInfo` and `GraphInfo` by name.
    all_kernels : dict
        `kernels`, and kernels that only graphs dispatch, under their mangled names.
    fields : tuple of FieldInfo
        The fields (in an LLVM module: the trees of fields).
    has_fields : bool
        Whether the module has memory for fields, named or not.
    field_trees : tuple of int
        The trees of fields for which it has memory, by number. Fields that are placed before the first kernel is
        compiled are one tree; so are those of each ``ti.FieldsBuilder``. SPIR-V modules have memory for tree 0 only.
    root_buffer_size : int
        Size of the memory for fields in bytes.
    spirv_version : tuple of int
        Highest SPIR-V version of its code, ``(0, 0)`` for LLVM modules.
    spirv_capabilities : frozenset of int
        ``OpCapability`` operands of all its code; `capabilities` has their names.
    modules : dict
        The contents of each module of a bundle by its `Arch`; empty for a single module. What the archs do not have in
        common, such as the tasks of kernels, is there alone.
    files : dict
        The files from which `to_metadata_json` and `to_graphs_json` read.

    Examples
    --------
    >>> info = inspect("saxpy.tcm")
    >>> info
    <ModuleInfo x64: 7 kernels, 2 graphs>
    >>> info.family, info.version
    ('llvm', (1, 7, 4))
    >>> sorted(info.to_dict())[:3]  # for json.dumps
    ['archs', 'capabilities', 'family']
    """

    family: Literal["llvm", "gfx", "bundle"]
    archs: tuple[Arch, ...]
    version: tuple[int, int, int] | None
    kernels: dict[str, KernelInfo]
    graphs: dict[str, GraphInfo]
    all_kernels: dict[str, KernelInfo]
    fields: tuple[FieldInfo, ...] = ()
    has_fields: bool = False
    field_trees: tuple[int, ...] = ()
    root_buffer_size: int = 0
    spirv_version: tuple[int, int] = (0, 0)
    spirv_capabilities: frozenset[int] = frozenset()
    modules: dict[Arch, ModuleInfo] = field(default_factory=dict["Arch", "ModuleInfo"])
    files: dict[str, bytes] = field(default_factory=dict[str, bytes], compare=False)

    @property
    def capabilities(self) -> tuple[str, ...]:
        """Names of the device features that its code needs beyond compute shaders, such as ``"spirv_has_int64"``."""
        return tuple(sorted(capability_name(number) for number in self.spirv_capabilities - {SHADER}))

    @property
    def device_capabilities(self) -> frozenset[Capability]:
        """The capabilities of a runtime's device that its code needs."""
        return frozenset(DEVICE_CAPABILITIES[n] for n in self.spirv_capabilities if n in DEVICE_CAPABILITIES)

    def to_dict(self) -> dict[str, Any]:
        """All information about the module as dicts, lists, strings and numbers, for ``json.dumps``."""
        return {
            "family": self.family,
            "archs": [str(arch) for arch in self.archs],
            "version": ".".join(map(str, self.version)) if self.version else None,
            "kernels": {name: kernel.to_dict() for name, kernel in self.kernels.items()},
            "graphs": {name: graph.to_dict() for name, graph in self.graphs.items()},
            "fields": [each.to_dict() for each in self.fields],
            "field_trees": list(self.field_trees),
            "root_buffer_size": self.root_buffer_size,
            "spirv_version": ".".join(map(str, self.spirv_version)) if any(self.spirv_version) else None,
            "capabilities": list(self.capabilities),
            "modules": {str(arch): module.to_dict() for arch, module in self.modules.items()},
        }

    def to_metadata_json(self) -> Any:
        """The metadata of a SPIR-V module with all that Taichi states: offsets, bindings, sizes of loops and so on.

        Returns
        -------
        dict
            The contents of the module's ``metadata.json``.

        Raises
        ------
        NotSupportedError
            For LLVM modules, whose metadata is a binary file of another structure (their ``metadata.json`` is not
            JSON), and for bundles: each of their `modules` has its own. `to_dict` has what all modules state.

        Examples
        --------
        >>> inspect("saxpy.tcm").to_metadata_json()
        Traceback (most recent call last):
            ...
        taichi_aot.NotSupportedError: only SPIR-V modules have metadata in JSON, not one for x64; use to_dict()
        """
        if self.family != "gfx":
            what = "a bundle" if self.modules else f"one for {', '.join(map(str, self.archs)) or 'LLVM'}"
            raise NotSupportedError(f"only SPIR-V modules have metadata in JSON, not {what}; use to_dict()")
        from ._gfx import metadata_json

        return metadata_json(self.files)

    def to_graphs_json(self) -> list[Any]:
        """The compute graphs in the structure of the file ``graphs.json`` of SPIR-V modules.

        Returns
        -------
        list
            An object for each graph with its dispatches. The numbers that Taichi leaves uninitialized in the file
            (``field_dim`` of textures, ``num_channels`` of everything else) are 0.

        Raises
        ------
        NotSupportedError
            For bundles: the compiler may number the kernels of each of its `modules` differently.

        Examples
        --------
        >>> [graph["key"] for graph in inspect("saxpy.tcm").to_graphs_json()]
        ['both', 'twice']
        """
        if self.modules:
            raise NotSupportedError("each module of a bundle has graphs of its own: see ModuleInfo.modules")
        from . import _gfx as gfx
        from . import _llvm as llvm

        graphs: list[Any] = (gfx if self.family == "gfx" else llvm).graphs_json(self.files)
        return graphs

    def __repr__(self) -> str:
        counts = f"{count(self.kernels, 'kernel')}, {count(self.graphs, 'graph')}"
        return f"<ModuleInfo {', '.join(map(str, self.archs)) or self.family}: {counts}>"

    def _repr_html_(self) -> str:
        from ..values._notebook import paragraph

        return paragraph(str(self).partition("\n")[0]) + self._tables()

    def _tables(self) -> str:
        """HTML tables of the kernels, graphs and fields."""
        from ..values._notebook import table

        html = ""
        for noun, infos in (("kernel", self.kernels), ("graph", self.graphs)):
            rows = [(info.signature, info.doc.strip().partition("\n")[0]) for info in infos.values()]
            html += table((noun, "description"), rows) if rows else ""
        return html + (table(("field",), [(each,) for each in self.fields]) if self.fields else "")

    def __str__(self) -> str:
        version = ".".join(map(str, self.version)) if self.version else "?"
        what = "bundle of AOT modules" if self.modules else "AOT module"
        lines = [f"{what} for {', '.join(map(str, self.archs)) or self.family}, compiled by Taichi {version}"]
        if self.spirv_capabilities:
            names = ", ".join(self.capabilities) or "none beyond the basic ones"
            lines.append(f"SPIR-V {'.'.join(map(str, self.spirv_version))}, capabilities: {names}")
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
    """An argument of a dispatch, as the files state it."""

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
            raise CorruptedDataError(f"{where}: graph {name!r} occurs twice in {file}")
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
            raise CorruptedDataError(f"{where}: graph {name!r} dispatches kernel {kernel!r}, which the module lacks")
        taken = kernels[kernel].signature.parameters
        if len(arguments) != len(taken):
            raise CorruptedDataError(
                f"{where}: graph {name!r} passes {len(arguments)} arguments to kernel {kernel!r}; it takes {len(taken)}"
            )
        for argument, parameter in zip(arguments, taken, strict=True):
            given = _graph_parameter(where, name, argument, parameter)
            if parameters.setdefault(given.name, given) != given:
                raise CorruptedDataError(f"{where}: graph {name!r} has two arguments named {given.name!r}")
    steps = tuple(Dispatch(kernel, tuple(argument.name for argument in arguments)) for kernel, arguments in dispatches)
    return with_access(GraphInfo(Signature(name, tuple(parameters.values())), steps), kernels)


def with_access(graph: GraphInfo, kernels: Mapping[str, KernelInfo]) -> GraphInfo:
    """A graph whose arrays have the access of the kernels that it dispatches; ``""`` if one of them does not state it.

    `kernels` are `ModuleInfo.all_kernels`.
    """
    accesses: dict[str, set[str]] = {}
    for dispatch in graph.dispatches:
        for name, parameter in zip(dispatch.arguments, kernels[dispatch.kernel].signature.parameters, strict=True):
            accesses.setdefault(name, set()).add(parameter.access)
    parameters: list[Parameter] = []
    for parameter in graph.signature.parameters:
        stated = accesses[parameter.name]
        access = "".join(letter for letter in "rw" if any(letter in each for each in stated)) if all(stated) else ""
        parameters.append(parameter._replace(access=access))
    return replace(graph, signature=graph.signature._replace(parameters=tuple(parameters)))


def _graph_parameter(where: str, graph: str, argument: GraphArgument, taken: Parameter) -> Parameter:
    kind = GRAPH_KINDS.get(argument.tag)
    if kind is None:
        raise CorruptedDataError(f"{where}: argument {argument.name!r} of graph {graph!r} is of an unknown kind")
    wanted = taken._replace(name=argument.name, access="")
    dtype = DataType(argument.dtype) if argument.dtype in list(DataType) else None
    if kind in ("texture", "rw_texture"):  # its dtype is a channel format, its ndim another field: the kernel's hold
        given = wanted._replace(kind=kind)
    elif kind == "ndarray":
        elem_shape = taken.elem_shape if _same_element(argument.elem_shape, taken.elem_shape) else argument.elem_shape
        given = wanted._replace(kind=kind, dtype=dtype, ndim=argument.ndim, elem_shape=elem_shape)
    else:
        given = Parameter(argument.name, kind, dtype, elem_shape=taken.elem_shape if kind == "matrix" else ())
    if given != wanted:
        raise CorruptedDataError(
            f"{where}: graph {graph!r} passes its argument {given} to a kernel that takes {taken.type_name}"
        )
    return given


def _same_element(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether elements have the same bytes: a vector of one number has those of the number."""
    return a == b or {a, b} == {(), (1,)}


def dispatched_kernels(graphs: Mapping[str, GraphInfo]) -> set[str]:
    """The names of the kernels that graphs dispatch."""
    return {dispatch.kernel for graph in graphs.values() for dispatch in graph.dispatches}


MANGLED = re.compile(r"(.+)_c\d+_\d+")  # what a graph calls its instance of a kernel


def graph_words(argument: GraphArgument, taken: Parameter, family: str, words: Words) -> list[GraphArgument]:
    """The arguments that replace one of a dispatch in the library's copy of the module; see `argument_words`."""
    if argument.tag == NDARRAY and taken.dtype is DataType.U1:  # the library's graphs know no ndarrays of u1
        return [argument._replace(dtype=int(DataType.U8), elem_shape=taken.elem_shape)]
    if argument.tag == NDARRAY:
        return [argument._replace(elem_shape=taken.elem_shape)]
    return [
        GraphArgument(word_argument_name(argument.name, i), MATRIX, int(DataType.I32), 0, (count, 1))
        for i, count in enumerate(word_counts(taken, family, words))
    ] or [argument]


def visible_kernels(
    kernels: Mapping[str, KernelInfo], graphs: Mapping[str, GraphInfo], content: bytes | None
) -> dict[str, KernelInfo]:
    """The kernels without those that are stored only under the mangled name that a graph uses."""
    listed = _listed(content)
    hidden = {name for name in dispatched_kernels(graphs) if name not in listed and MANGLED.fullmatch(name)}
    return {name: kernel for name, kernel in kernels.items() if name not in hidden}


def check_listed(where: str, kernels: Mapping[str, KernelInfo], content: bytes | None) -> None:
    """Raise for a module that lists kernels but does not contain one: Taichi writes such modules without an error.

    Raises
    ------
    CorruptedDataError
        With instructions to write a complete module.
    """
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
        if len(candidates) == 1 and usable_names(given):
            named[name] = replace(kernels[name], signature=kernels[name].signature.renamed(given))
    return named


def same_types(a: KernelInfo, b: KernelInfo) -> bool:
    """Whether the parameters of two kernels have the same types, in order."""
    return [p.type_name for p in a.signature.parameters] == [p.type_name for p in b.signature.parameters]
