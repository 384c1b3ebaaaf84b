"""The statement of a module: one form for what Taichi's files, builds, ``plan.json`` and `inspect` say of it.

``plan.json`` is this statement as JSON, by `_codec`: the fields of these records are its form, and their annotations
and `check` are all that is checked of it. Fields that the documentation of a class does not name are for this package.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from ..values._errors import count
from ..values._items import Record, paragraph, table
from ..values._numbers import Arch, Capability, DataType, element_name
from ..values._signature import Parameter, Signature, usable_names
from ._codec import DERIVED, INLINE, Among, Bounds, Key, register, row

if TYPE_CHECKING:
    import numpy.typing as npt


# Numbers that are not from 0 to 2**31 - 1.
Signed = Annotated[int, Bounds(-(1 << 31), (1 << 31) - 1)]
Unsigned = Annotated[int, Bounds(0, (1 << 32) - 1)]
Size = Annotated[int, Bounds(0, (1 << 63) - 1)]
AnyNumber = Annotated[int, Bounds(-(1 << 63), (1 << 64) - 1)]

MOST_BYTES = 1 << 20  # of a struct or matrix that a kernel takes or returns; real ones have hundreds
MOST_NDIM = 255
VECTORS = "vectors"  # how a loop is compiled that computes several elements at once
RESIDENT = 2, 4  # how many threads a loop with accumulators gets, as `adopt.taichi._plans.Threads` has them

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


def _line_of(kernel: "KernelInfo") -> str:
    instance = f", {kernel.instance}" if kernel.instance is not None else ""
    return f"{kernel.signature}{', with grad' * bool(kernel.grad)}{instance}"


def describe_ptx(targets: Sequence[str]) -> str:
    """Return a description of a CUDA module's code, from `ModuleInfo.ptx_targets`."""
    cubins = ", ".join(targets[1:])
    return f"PTX for cuda, and cubins for {cubins}" if cubins else "PTX for cuda"


@row
class TaskInfo(Record):
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
    grid: AnyNumber
    block: AnyNumber
    threads: AnyNumber
    loop: str = ""
    codes: Annotated[tuple[str, ...], DERIVED] = ()


class Instance(Record):
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


@row
class Repeat(Record):
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


class ResultLayout(Record):
    """The return values of a kernel: their types in Python, and their memory, if they can be read."""

    value: np.dtype[Any]  # a struct with a field for each return value
    size: int = 0  # bytes of the memory, a multiple of 4
    stored: np.dtype[Any] | None = None  # the memory as the kernel writes it: the same fields; None: it cannot be read

    def _check(self) -> None:
        if max(self.value.itemsize, self.size) > MOST_BYTES:
            raise ValueError(f"it has {max(self.value.itemsize, self.size)} bytes")
        if self.stored is not None and (self.stored.itemsize, self.stored.names) != (self.size, self.value.names):
            raise ValueError("its parts contradict each other")

    def reader(self, memory: "npt.NDArray[np.uint8]") -> Callable[[], Any]:
        """Return a function that returns what `memory`, an array of `size` bytes, contains at that time."""
        assert self.stored is not None
        fields = memory.view(self.stored).reshape(())
        parts = [(fields[name], self.value[name].base) for name in self.value.names or ()]
        if len(parts) == 1:
            part, dtype = parts[0]
            # Of a number without dimensions, this is a copy: a scalar.
            is_number = part.dtype == dtype and not part.ndim and part.dtype.names is None
            return partial(part.__getitem__, ()) if is_number else lambda: _copy(part, dtype)
        return lambda: tuple([_copy(part, dtype) for part, dtype in parts])


def _copy(part: "npt.NDArray[Any]", dtype: np.dtype[Any]) -> Any:
    copy = part.astype(dtype)
    return copy if copy.ndim else copy[()]


@row
class LaunchArgument(Record):
    """An argument of a launch, by number, in the argument struct. `size` is in bytes; of sizes it is their number."""

    source: Unsigned
    kind: Unsigned
    offset: Unsigned
    size: Unsigned


@row
class Binding(Record):
    """A binding of a task. `source` is the launch's argument, if it is an array or a texture, or the tree."""

    number: Unsigned
    kind: Unsigned
    source: Unsigned


class Code(Record):
    """SPIR-V of a task, for devices with capabilities, and for launches that bind different buffers."""

    file: str
    needs: tuple[str, ...] = ()
    apart: tuple[tuple[int, int], ...] = ()  # pairs of the task's bindings, by place, whose buffers are different
    threads: int = 0

    def __str__(self) -> str:
        accumulates = "accumulators" if self.threads in RESIDENT else ""
        parts = filter(None, (accumulates, *self.needs, "different arrays" if self.apart else ""))
        return ", ".join(parts) or "any device"


class LaunchTask(Record):
    """A dispatch on the device."""

    name: str  # the compiler's name for it; on CUDA and CPUs that of the function
    groups: int = 0  # groups, or blocks of CUDA, as compiled
    block: int = 0  # threads in each; on a CPU what the code may add to the last index of its loop
    shared: int = 0  # bytes of dynamic shared memory, for CUDA
    bindings: tuple[Binding, ...] = ()  # what the code binds; empty for CUDA
    # Operations and their operands: a program that computes the length of its loop, if it is known. Threads that go on
    # after it may be left out.
    length: tuple[Signed, ...] = ()
    codes: tuple[Code, ...] = ()  # the first that fits is used; by default the SPIR-V that has the task's name
    number: int = 0  # of the module's task, where not all are launched
    fills: int = 0  # how many times its groups may fill a device; 0: any number
    each: int = 1  # iterations that a thread had better do


class LaunchInfo(Record):
    """A launch of one kernel, or why only the library makes it: a short clause whose subject is the kernel."""

    bytes: int = 0  # of the argument struct
    arguments: tuple[LaunchArgument, ...] = ()
    tasks: tuple[LaunchTask, ...] = ()
    returns: int = 0  # bytes of the return values, on a CPU
    library: str = ""
    needs: tuple[str, ...] = ()  # what machine code or PTX uses of the runtime
    trees: tuple[int, ...] = ()  # of fields that it uses


class KernelInfo(Record):
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

    signature: Annotated[Signature, INLINE]
    tasks: tuple[TaskInfo, ...]
    cpu_threads: int | None = None
    field_trees: Annotated[tuple[int, ...], Key("trees")] = ()
    names_of: str = ""
    checked: bool = False
    doc: str = ""
    file: str = ""
    line: int = 0
    grad: str = ""
    repeats: tuple[Repeat, ...] = ()
    instance: Instance | None = None
    result: ResultLayout | None = None
    draws: int = 0  # the threads that take random numbers of the states that the library has on a CUDA device
    gradients: bool = False  # whether its code is passed gradients
    launch: LaunchInfo | None = None  # None if it is not derived yet: see `Plan.launch`

    def _check(self) -> None:
        parameters = self.signature.parameters
        for begin, end, condition in self.repeats:
            if not begin < end <= len(self.tasks):
                raise ValueError(f"it has no tasks from {begin} to {end}")
            number = parameters[condition]
            if (number.kind, number.dtype, number.ndim) != ("ndarray", DataType.I32, 0):
                raise ValueError(f"{number.name} is no array of one i32")
        returned = self.launch.returns if self.launch is not None else 0
        if self.result is not None and self.result.stored is not None and returned > self.result.size:
            raise ValueError("its results do not fit their memory")
        if self.launch is not None and any(each.codes for each in self.launch.tasks):
            _ = list(zip(self.tasks, self.launch.tasks, strict=True))

    @property
    def return_dtype(self) -> np.dtype[Any] | None:
        """A struct with a field for each return value, of the type that Python gets; None if it is unknown."""
        return None if self.result is None else self.result.value

    @property
    def by_library(self) -> str:
        """Why only the library launches it; empty if it does not, or that is not derived yet."""
        return self.launch.library if self.launch is not None else ""

    def with_codes(self) -> "KernelInfo":
        """The kernel, whose tasks say what codes their launches have."""
        launched = self.launch.tasks if self.launch is not None else ()
        if not any(each.codes for each in launched):
            return self
        tasks = [
            task._replace(codes=tuple(map(str, each.codes))) for task, each in zip(self.tasks, launched, strict=True)
        ]
        return self._replace(tasks=tuple(tasks))

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


@row
class Dispatch(Record):
    """One step of a compute graph: a kernel of `ModuleInfo.all_kernels`, and the graph's arguments for it."""

    kernel: str
    arguments: tuple[str, ...]


class GraphInfo(Record):
    """A compute graph: its signature, its dispatches in order, and its documentation if the module has a description.

    Examples
    --------
    >>> graph = inspect("saxpy.tcm").graphs["twice"]
    >>> graph
    <GraphInfo twice(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1]), 2 dispatches>
    >>> graph.dispatches[0].arguments
    ('a', 'x', 'y')
    """

    signature: Annotated[Signature, INLINE]
    dispatches: tuple[Dispatch, ...]
    doc: str = ""
    inherits: bool = False  # whether it has its shapes from its kernels

    def to_dict(self) -> dict[str, Any]:
        """All information about the graph as dicts, lists, strings and numbers, for ``json.dumps``."""
        steps = [{"kernel": step.kernel, "arguments": list(step.arguments)} for step in self.dispatches]
        return {**self.signature.to_dict(), "doc": self.doc, "dispatches": steps}

    def __repr__(self) -> str:
        return f"<GraphInfo {self.signature}, {len(self.dispatches)} dispatch{'es' * (len(self.dispatches) != 1)}>"


ACCESSORS = ("get", "set", "gather", "scatter")  # what the kernels of a field do


class FieldInfo(Record):
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

    def _check(self) -> None:
        if self.dtype is None and (self.accessors or self.contents):
            raise KeyError("dtype")

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


class Device(Record):
    """What SPIR-V code needs of a device: the operands of its OpCapability, and the names of the device's capabilities.

    `spirv` is the highest version of the code.
    """

    spirv: tuple[int, int] = (0, 0)
    capabilities: frozenset[int] = frozenset()
    needs: tuple[str, ...] = ()

    @classmethod
    def of(cls, spirv: tuple[int, int], capabilities: frozenset[int]) -> "Device":
        needs = sorted(DEVICE_CAPABILITIES[n].name.lower() for n in capabilities if n in DEVICE_CAPABILITIES)
        return cls(spirv, capabilities, tuple(dict.fromkeys(needs)))


class SourceFile(Record):
    """The file that a module was compiled from, and its SHA-256 in hexadecimal digits; empty if not known."""

    file: str
    sha256: str


Edits = tuple[tuple[int, int, tuple[str, ...]], ...]  # the first line, the one after the last, and the new ones


class Library(Record):
    """The copy of a module that the C library is given, by its own files and changes of them."""

    names: tuple[str, ...]  # its files; empty if the library cannot load the module
    results: tuple[str, ...] = ()  # the kernels whose return values are in an array
    gradients: tuple[str, ...] = ()  # the kernels that are passed gradients
    files: Mapping[str, str] = {}  # those that are under other names
    edits: Mapping[str, Edits] = {}  # of lines, by file
    roots: Mapping[str, Edits] = {}  # further ones, of kernels that use the fields of machine code
    tokens: Size = 0  # see `_plan.TOKENS`
    checks: Mapping[str, tuple[str, tuple[str, ...]]] = {}  # what failures show: name and parameters, by kernel
    nodes: tuple[tuple[str, str], ...] = ()  # the fields by the names of their nodes, for the same


class RuntimeStruct(Record):
    """The struct of the compiler's runtime that machine code and PTX use."""

    size: int
    members: dict[str, int]  # their offsets
    temporaries: int = 0  # bytes of the memory that tasks share
    needs: tuple[str, ...] = ()  # what some kernel uses
    trees: tuple[tuple[int, Size], ...] = ()  # of fields that code uses, with their bytes
    random_threads: int = 0  # that draw random numbers

    def _check(self) -> None:
        if not self.members["roots"] <= self.size - 8 <= MOST_BYTES:
            raise ValueError(f"its roots leave its {self.size} bytes")


class ModuleInfo(Record):
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

    taichi: str  # version of Taichi that compiled it: ``"1.7.4"``; else empty
    family: Literal["llvm", "gfx", "bundle"]
    archs: tuple[Arch, ...]
    all_kernels: Annotated[Mapping[str, KernelInfo], Key("kernels")]
    kernels: Annotated[Mapping[str, KernelInfo], Key("public"), Among("all_kernels")]
    graphs: dict[str, GraphInfo]
    has_fields: bool
    field_trees: tuple[int, ...] = ()
    tree_sizes: tuple[Size, ...] = ()
    fields: tuple[FieldInfo, ...] = ()
    device: Device = Device()
    refused: str = ""  # why the library cannot run it, as a clause whose subject it is
    source: SourceFile = SourceFile("", "")
    library: Library = Library(())
    runtime: RuntimeStruct | None = None
    code: dict[str, str] | None = None  # the files of machine code, by kind of CPU; None if it was built without
    ptx: dict[str, dict[str, str]] | None = None  # those of PTX and cubins, by kernel
    cubins: tuple[str, ...] = ()
    compiler: str = ""
    seed: AnyNumber = 0
    modules: Annotated[Mapping[Arch, "ModuleInfo"], DERIVED] = {}

    def _check(self) -> None:
        _ = self.version
        if self.family == "bundle":
            raise KeyError(self.family)
        if len(self.field_trees) != len(self.tree_sizes):
            raise ValueError("each tree of fields has a size")
        used = [step.kernel for graph in self.graphs.values() for step in graph.dispatches]
        for name in (*used, *(name for field in self.fields for name in field.accessors)):
            if name not in self.all_kernels:
                raise KeyError(name)

    @property
    def version(self) -> tuple[int, int, int] | None:
        """Taichi version that compiled it; None if the files do not state it."""
        if not self.taichi:
            return None
        major, minor, patch = map(int, self.taichi.split("."))
        return major, minor, patch

    @property
    def spirv_version(self) -> tuple[int, int]:
        """Highest SPIR-V version of its code, ``(0, 0)`` for LLVM modules."""
        return self.device.spirv

    @property
    def spirv_capabilities(self) -> frozenset[int]:
        """``OpCapability`` operands of all its code; `capabilities` has their names."""
        return self.device.capabilities

    @property
    def native_targets(self) -> tuple[str, ...]:
        """The kinds of CPU for which the module for x64 has machine code, such as ``"x86-64-v3"``."""
        return self._of_one("native_targets") or tuple(self.code or ())

    @property
    def not_native(self) -> dict[str, str]:
        """Its kernels without machine code, each with the reason; empty if it was built without machine code."""
        return self._of_one("not_native") or ({} if self.code is None else self._by_library())

    @property
    def ptx_targets(self) -> tuple[str, ...]:
        """``"ptx"`` if the module for CUDA has some, and the capabilities of devices for which it has cubins."""
        return self._of_one("ptx_targets") or (() if self.ptx is None else ("ptx", *self.cubins))

    @property
    def not_ptx(self) -> dict[str, str]:
        """Its kernels without PTX, each with the reason; empty if it was built without PTX."""
        return self._of_one("not_ptx") or ({} if self.ptx is None else self._by_library())

    def _of_one(self, name: str) -> Any:
        """What the modules of a bundle state that only one of them has."""
        stated: list[Any] = [getattr(each, name) for each in self.modules.values()]
        return next((each for each in stated if each), None)

    def _by_library(self) -> dict[str, str]:
        return {name: each.by_library for name, each in self.all_kernels.items() if each.by_library}

    def whole(self) -> "ModuleInfo":
        """The same, with dicts of all items in place of mappings that make them on access."""
        every = {name: kernel.with_codes() for name, kernel in self.all_kernels.items()}
        return self._replace(all_kernels=every, kernels={name: every[name] for name in self.kernels})

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


class Stated(Record):
    """What ``plan.json`` states."""

    plan: int  # its format
    module: Annotated[ModuleInfo, INLINE]
    files: tuple[str, ...]  # the other files of the module
    digest: str  # of all of them


def _check_parameter(parameter: Parameter) -> None:
    kind, dtype, elem_shape = parameter.kind, parameter.dtype, parameter.elem_shape
    if dtype is None and kind in ("scalar", "matrix", "ndarray"):
        raise KeyError("dtype")
    if parameter.ndim > MOST_NDIM or 0 in elem_shape:
        raise ValueError(f"{kind} of {parameter.ndim} dimensions with elements of shape {elem_shape}")
    layout = parameter.layout
    size = 8 * math.prod(elem_shape) * (kind == "matrix") if layout is None else layout.itemsize
    if size > MOST_BYTES:
        raise ValueError(f"a {kind} of {size} bytes")


def _check_signature(signature: Signature) -> None:
    names = [each.name for each in signature.parameters]
    if any("." in each for each in names) and not usable_names(*names):
        raise ValueError(f"it has the parameters {', '.join(names)}")
    shapes = {each.name: each.shape for each in signature.parameters if each.shape}
    if shapes:
        signature.with_shapes(shapes)  # raises for one that cannot be stated


register(Parameter, _check_parameter, "pack")
register(Signature, _check_signature)
