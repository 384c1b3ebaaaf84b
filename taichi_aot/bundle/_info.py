"""The contents of a module, common to both formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from ..values._enums import Arch, Capability, DataType, element_name
from ..values._errors import count
from ..values._items import paragraph, table
from ..values._signature import Signature

SHADER = 1  # the capability that all compute shaders need

# Operands of OpCapability and the corresponding capability of a device.
DEVICE_CAPABILITIES = {
    9: Capability.SPIRV_HAS_FLOAT16,
    10: Capability.SPIRV_HAS_FLOAT64,
    11: Capability.SPIRV_HAS_INT64,
    12: Capability.SPIRV_HAS_ATOMIC_INT64,
    22: Capability.SPIRV_HAS_INT16,
    39: Capability.SPIRV_HAS_INT8,
    61: Capability.SPIRV_HAS_SUBGROUP_BASIC,
    62: Capability.SPIRV_HAS_SUBGROUP_VOTE,
    63: Capability.SPIRV_HAS_SUBGROUP_ARITHMETIC,
    64: Capability.SPIRV_HAS_SUBGROUP_BALLOT,
    4441: Capability.SPIRV_HAS_VARIABLE_PTR,
    4442: Capability.SPIRV_HAS_VARIABLE_PTR,
    5347: Capability.SPIRV_HAS_PHYSICAL_STORAGE_BUFFER,
    5612: Capability.SPIRV_HAS_ATOMIC_FLOAT_MINMAX,
    5613: Capability.SPIRV_HAS_ATOMIC_FLOAT64_MINMAX,
    5616: Capability.SPIRV_HAS_ATOMIC_FLOAT16_MINMAX,
    6033: Capability.SPIRV_HAS_ATOMIC_FLOAT_ADD,
    6034: Capability.SPIRV_HAS_ATOMIC_FLOAT64_ADD,
    6095: Capability.SPIRV_HAS_ATOMIC_FLOAT16_ADD,
}
# SPIR-V's names of capabilities that Taichi does not name.
OTHER_CAPABILITIES = {
    0: "Matrix",
    1: "Shader",
    43: "Sampled1D",
    44: "Image1D",
    46: "SampledBuffer",
    47: "ImageBuffer",
    49: "StorageImageExtendedFormats",
    50: "ImageQuery",
    55: "StorageImageReadWithoutFormat",
    56: "StorageImageWriteWithoutFormat",
}


def capability_name(number: int) -> str:
    """The name of an operand of OpCapability: Taichi's if it has one (``spirv_has_int8``), else SPIR-V's."""
    if number in DEVICE_CAPABILITIES:
        return DEVICE_CAPABILITIES[number].name.lower()
    return OTHER_CAPABILITIES.get(number, f"SPIR-V capability {number}")


def _line_of(kernel: KernelInfo) -> str:
    instance = f", {kernel.instance}" if kernel.instance is not None else ""
    return f"{kernel.signature}{', with grad' * bool(kernel.grad)}{instance}"


def describe_ptx(targets: Sequence[str]) -> str:
    """Return a description of a CUDA module's code, from `ModuleInfo.ptx_targets`."""
    cubins = ", ".join(targets[1:])
    return f"PTX for cuda, and cubins for {cubins}" if cubins else "PTX for cuda"


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
    loop : str
        In machine code for CPUs, ``"vectors"`` if its loop computes several elements at once, or why not: a clause
        whose subject is the task. Empty for other code and for tasks that have no loop.
    codes : tuple of str
        For Vulkan, its codes if it has several or one with accumulators, each by what it has and needs: the first that
        fits the device and the arrays of a launch is used.
    """

    name: str
    kind: str
    grid: int
    block: int
    threads: int
    loop: str = ""
    codes: tuple[str, ...] = ()


class Instance(NamedTuple):
    """What a kernel is an instance of: a function of the source, for some of its template arguments.

    Attributes
    ----------
    of : str
        The kernel that is its first instance.
    parameters : tuple of str
        All parameters of the function, in order, with ``self`` for a method.
    values : dict
        The template arguments by parameter: numbers, the names of fields and of objects, or a text for others.

    Examples
    --------
    >>> print(Instance("advect", ("field", "dt"), {"field": "density"}))
    advect[density]
    """

    of: str
    parameters: tuple[str, ...]
    values: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.of}[{', '.join(map(str, self.values.values()))}]"


class Repeat(NamedTuple):
    """Tasks of a kernel that a launch repeats, at least once, until a number on the device is 0.

    Attributes
    ----------
    begin, end : int
        The first of them, and the first after them.
    condition : int
        The parameter that has the number, by its position: an ndarray of one i32.
    """

    begin: int
    end: int
    condition: int


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
    return_dtype : numpy.dtype or None
        A struct with a field for each return value, of the type that Python gets; None if it does not have any, or if
        numpy has no type for one.
    names_of : str
        The kernel whose parameter names a SPIR-V module states for this one. Taichi's cache compiles kernels with the
        same code once, and states the names of the first one for all. The parameters are ``arg0``, ``arg1`` and so on
        then. Empty if the names are the kernel's own or come from the module's description.
    checked : bool
        Whether its code checks indices and asserts, as with ``taichi-aot build --debug``.
    doc : str
        Its docstring; empty if it has none, or if the module does not have a description.
    file, line : str, int
        Where it stands in the source; empty and 0 if the module does not have a description.
    grad : str
        The name of its adjoint, which `Kernel.grad` launches; empty if it was built without one. SPIR-V modules state
        the name too, but do not have that kernel in `ModuleInfo.all_kernels`.
    repeats : tuple of Repeat
        The tasks that it repeats, by loops of `qd.graph.do_while`, outer loops first.
    instance : Instance or None
        The template arguments that it was compiled for, if ``build --all`` took it with some.

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
    return_dtype: np.dtype[Any] | None = None
    names_of: str = ""
    checked: bool = False
    doc: str = ""
    file: str = ""
    line: int = 0
    grad: str = ""
    repeats: tuple[Repeat, ...] = ()
    instance: Instance | None = None

    @property
    def uses_fields(self) -> bool:
        """Whether its code uses fields."""
        return bool(self.field_trees)

    def to_dict(self) -> dict[str, Any]:
        """All information about the kernel as dicts, lists, strings and numbers, for ``json.dumps``."""
        return {
            **self.signature.to_dict(),
            "tasks": [{**task._asdict(), "codes": list(task.codes)} for task in self.tasks],
            "cpu_threads": self.cpu_threads,
            "uses_fields": self.uses_fields,
            "field_trees": list(self.field_trees),
            "names_of": self.names_of,
            "checked": self.checked,
            "doc": self.doc,
            "file": self.file,
            "line": self.line,
            "grad": self.grad,
            "repeats": [each._asdict() for each in self.repeats],
            "instance": None if self.instance is None else self.instance._asdict(),
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


ACCESSORS = ("get", "set", "gather", "scatter")  # what the kernels of a field do


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
    gather, scatter : str
        Names of the kernels that list and write the elements of a sparse field; empty for others.
    contents : str
        Name of the file with what it contains when the module is loaded; empty if these are zeros.

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
    gather: str = ""
    scatter: str = ""
    contents: str = ""

    @property
    def accessors(self) -> tuple[str, ...]:
        """The names of all of these kernels.

        Examples
        --------
        >>> FieldInfo("v").accessors
        ()
        """
        return tuple(filter(None, (self.get, self.set, self.gather, self.scatter)))

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
    compiler : str
        The compiler and its version if it is not Taichi, such as ``"Quadrants 1.3.3"``; else empty.
    seed : int
        Seed of ``ti.init(random_seed=)`` in the source, from which runtimes without one start; 0 is Taichi's default.
    kernels, graphs : dict
        `KernelInfo` and `GraphInfo` by name.
    all_kernels : dict
        `kernels`, kernels that only graphs dispatch, under their mangled names, and adjoints (`KernelInfo.grad`).
    fields : tuple of FieldInfo
        The fields (in an LLVM module: the trees of fields).
    has_fields : bool
        Whether the module has memory for fields, named or not.
    field_trees : tuple of int
        The trees of fields for which it has memory, by number. Fields that are placed before the first kernel is
        compiled are one tree; so are those of each ``ti.FieldsBuilder``.
    tree_sizes : tuple of int
        Size of the memory of each of these trees, in bytes.
    spirv_version : tuple of int
        Highest SPIR-V version of its code, ``(0, 0)`` for LLVM modules.
    spirv_capabilities : frozenset of int
        ``OpCapability`` operands of all its code; `capabilities` has their names.
    native_targets : tuple of str
        The kinds of CPU for which the module for x64 has machine code, such as ``"x86-64-v3"``.
    not_native : dict
        Its kernels without machine code, each with the reason: a short clause whose subject is the kernel. Empty for a
        module that was built without machine code.
    ptx_targets : tuple of str
        What the module for CUDA has of its kernels beside LLVM IR: ``"ptx"``, and the capabilities of devices for which
        it has cubins, such as ``"sm_90"``.
    not_ptx : dict
        Its kernels without PTX, each with the reason, as in `not_native`.
    modules : dict
        The contents of each module of a bundle by its `Arch`; empty for a single module. What differs between
        archs, such as the tasks of kernels, is only there.

    Examples
    --------
    >>> info = inspect("saxpy.tcm")
    >>> info
    <ModuleInfo x64: 7 kernels, 2 graphs>
    >>> info.family, info.version
    ('llvm', (1, 7, 4))
    >>> sorted(info.to_dict())[:3]  # for json.dumps
    ['archs', 'capabilities', 'compiler']
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
    tree_sizes: tuple[int, ...] = ()
    spirv_version: tuple[int, int] = (0, 0)
    spirv_capabilities: frozenset[int] = frozenset()
    native_targets: tuple[str, ...] = ()
    not_native: dict[str, str] = field(default_factory=dict[str, str])
    ptx_targets: tuple[str, ...] = ()
    not_ptx: dict[str, str] = field(default_factory=dict[str, str])
    modules: dict[Arch, ModuleInfo] = field(default_factory=dict["Arch", "ModuleInfo"])
    compiler: str = ""
    seed: int = 0

    @property
    def root_buffer_size(self) -> int:
        """Size of the memory for all fields in bytes."""
        return sum(self.tree_sizes)

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
            "archs": list(map(str, self.archs)),
            "version": ".".join(map(str, self.version)) if self.version else None,
            "compiler": self.compiler,
            "seed": self.seed,
            "kernels": {name: kernel.to_dict() for name, kernel in self.kernels.items()},
            "graphs": {name: graph.to_dict() for name, graph in self.graphs.items()},
            "fields": [each.to_dict() for each in self.fields],
            "field_trees": list(self.field_trees),
            "tree_sizes": list(self.tree_sizes),
            "root_buffer_size": self.root_buffer_size,
            "spirv_version": ".".join(map(str, self.spirv_version)) if any(self.spirv_version) else None,
            "capabilities": list(self.capabilities),
            "native_targets": list(self.native_targets),
            "not_native": dict(self.not_native),
            "ptx_targets": list(self.ptx_targets),
            "not_ptx": dict(self.not_ptx),
            "modules": {str(arch): module.to_dict() for arch, module in self.modules.items()},
        }

    def __repr__(self) -> str:
        counts = f"{count(self.kernels, 'kernel')}, {count(self.graphs, 'graph')}"
        return f"<ModuleInfo {', '.join(map(str, self.archs)) or self.family}: {counts}>"

    def _repr_html_(self) -> str:
        return paragraph(str(self).partition("\n")[0]) + self._tables()

    def _tables(self) -> str:
        """HTML tables of the kernels, graphs and fields."""
        html = ""
        for noun, infos in (("kernel", self.kernels), ("graph", self.graphs)):
            rows = [(info.signature, info.doc.strip().partition("\n")[0]) for info in infos.values()]
            html += table((noun, "description"), rows) if rows else ""
        return html + (table(("field",), [(each,) for each in self.fields]) if self.fields else "")

    def __str__(self) -> str:
        compiler = self.compiler or f"Taichi {'.'.join(map(str, self.version)) if self.version else '?'}"
        what = "bundle of AOT modules" if self.modules else "AOT module"
        lines = [f"{what} for {', '.join(map(str, self.archs)) or self.family}, compiled by {compiler}"]
        if self.spirv_capabilities:
            names = ", ".join(self.capabilities) or "none beyond the basic ones"
            lines.append(f"SPIR-V {'.'.join(map(str, self.spirv_version))}, capabilities: {names}")
        threads = max((kernel.cpu_threads or 0 for kernel in self.kernels.values()), default=0)
        if threads:
            lines.append(f"loops on at most {threads} CPU threads")
        if self.native_targets:
            lines.append(f"machine code for {', '.join(self.native_targets)}")
        if self.ptx_targets:
            lines.append(describe_ptx(self.ptx_targets))
        if any(kernel.checked for kernel in self.kernels.values()):
            lines.append("checks indices and asserts, built for debugging")
        for title, signatures in (
            ("kernels", [_line_of(each) for each in self.kernels.values()]),
            ("graphs", [graph.signature for graph in self.graphs.values()]),
            ("fields", self.fields),
        ):
            lines += [f"{title}:", *(f"    {signature}" for signature in signatures)] if signatures else []
        return "\n".join(lines)
