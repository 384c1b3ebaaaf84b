"""Modules tried in child processes, with made-up arguments."""

from __future__ import annotations

import base64
import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ..adopt._make import inspect, verify
from ..arrays._image import Image
from ..arrays._ndarray import NdArray
from ..backends._devices import CPU_ARCH, best_device, visible_devices
from ..bundle._files import Source, to_bytes
from ..bundle._info import ModuleInfo
from ..driver._child import Ending, call, limit, read_timeout
from ..runtime._runtime import Runtime
from ..values._errors import ArgumentOutOfRangeError, NotSupportedError, short
from ..values._numbers import SYMBOL_TYPES, Arch, ArchName, arch_of, as_integer, numpy_dtype
from ..values._signature import Parameter, Signature, nested, why_unpassable
from ..values._texels import Format

# Made-up arguments for trying or measuring a kernel.


Argument: TypeAlias = "NdArray | Image | np.generic | npt.NDArray[Any]"
Shape: TypeAlias = tuple[int, ...]

IMAGE_SIZE = 64  # width, height and depth of a made-up image


def choose_sizes(
    signature: Signature, shapes: Mapping[str, Shape], elements: int, numbers: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Choose a size for each symbol of stated shapes: from a given shape or number, else one that fits all arrays."""
    sizes: dict[str, int] = {}
    given: dict[str, int] = {}
    limits = {
        parameter.name: int(np.iinfo(numpy_dtype(parameter.dtype)).max)
        for parameter in signature.parameters
        if parameter.kind == "scalar" and parameter.dtype is not None and parameter.dtype in SYMBOL_TYPES
    }
    for parameter in signature.parameters:
        shape = shapes.get(parameter.name, ())
        for axis, size in enumerate(parameter.shape):
            if isinstance(size, str):
                largest = sizes.get(size, limits.get(size, elements))
                sizes[size] = min(largest, _edge(parameter.ndim, elements))
                if len(shape) == parameter.ndim:
                    given.setdefault(size, shape[axis])
    return sizes | given | {name: number for name, number in (numbers or {}).items() if name in sizes}


def choose_shape(parameter: Parameter, sizes: Mapping[str, int], elements: int) -> Shape:
    """Return the shape of a made-up array: as stated, else with equal dimensions. Return () for other kinds."""
    if parameter.kind != "ndarray":
        return ()
    edges = (_edge(parameter.ndim, elements),) * parameter.ndim
    return tuple(sizes[size] if isinstance(size, str) else size for size in parameter.shape or edges)


def _edge(ndim: int, elements: int) -> int:
    return 1 << (elements.bit_length() - 1) // max(ndim, 1)


def make_argument(runtime: Runtime, parameter: Parameter, shape: Shape, sizes: Mapping[str, int]) -> Argument:
    """Make up an argument for `make_arguments`: an array of this shape, or a number from `sizes`."""
    if parameter.kind in ("texture", "rw_texture"):
        image = runtime.allocate_image((IMAGE_SIZE,) * parameter.ndim, Format(parameter.format or "rgba32f"))
        image.write(np.zeros(image.shape, image.dtype))
        return image
    if reason := why_unpassable(parameter):
        raise NotSupportedError(f"parameter {parameter} cannot be made up: {reason}")
    if parameter.layout is not None:
        return np.ones((), parameter.layout)[()]
    assert parameter.dtype is not None
    dtype = numpy_dtype(parameter.dtype)
    if parameter.kind == "ndarray":
        return runtime.full(shape, 0 if parameter.ndim else 1, parameter.dtype, parameter.elem_shape)
    if len(parameter.elem_shape) == 2:
        return np.eye(*parameter.elem_shape, dtype=dtype)
    if parameter.kind == "scalar" and parameter.name in sizes:
        return np.array(sizes[parameter.name], dtype)
    return np.ones(parameter.elem_shape, dtype)[()]


# Load a module and launch its kernels, each step in a child process.


Action: TypeAlias = Literal["read", "load", "kernel", "graph"]

ADDRESS_SPACE = 16 << 30  # bytes; a runtime takes 1 GiB, and each thread of the library adds to this
MAX_ADDRESS_SPACE = (1 << 63) - 1
ARRAY_ELEMENTS = 4096  # of a made-up array


OUT_OF_RANGE = "an index out of range in the kernel"
CAUSES = {
    "SIGSEGV": OUT_OF_RANGE,
    "SIGBUS": OUT_OF_RANGE,
    "SIGFPE": "an integer division by zero",
    "SIGABRT": "a check that fails in the library or the driver, or memory that an index out of range has damaged",
    "SIGILL": "code for another CPU, or a damaged module",
    "SIGKILL": "the system, when memory is short",
}
REMEDY = (
    "build it with `taichi-aot build --debug`, whose kernels check indices and name the line, or state the shapes of "
    "the kernel's arrays (shapes=), which launches check"
)


class Outcome(Enum):
    """How a step ended; the value is the word in reports.

    Examples
    --------
    >>> isolated.Outcome("timed out")
    <Outcome.TIMED_OUT: 'timed out'>
    """

    OK = "ok"
    ERROR = "error"  # an exception
    CRASHED = "crashed"  # a signal ended the process, or it did not answer
    TIMED_OUT = "timed out"
    NOT_RUN = "not run"  # its arguments cannot be made up


@dataclass(frozen=True)
class Step:
    """One step of a validation, which runs in its own process.

    Attributes
    ----------
    action : str
        ``"read"``, ``"load"``, ``"kernel"`` or ``"graph"``.
    outcome : Outcome
        How it ended.
    name : str
        The kernel or graph; empty for ``"read"`` and ``"load"``.
    message : str
        The exception, or the signal (``SIGFPE``), the last line that the process printed, and the usual cause.

    Examples
    --------
    >>> step = isolated.Step("kernel", isolated.Outcome.CRASHED, "divide", "SIGFPE")
    >>> print(step)
    kernel divide: crashed: SIGFPE
    >>> step.failed
    True
    """

    action: Action
    outcome: Outcome
    name: str = ""
    message: str = ""

    @property
    def failed(self) -> bool:
        """Whether it raised, crashed or timed out."""
        return self.outcome not in (Outcome.OK, Outcome.NOT_RUN)

    def to_dict(self) -> dict[str, str]:
        """Return the step as a dict of strings, for ``json.dumps``.

        Examples
        --------
        >>> isolated.Step("kernel", isolated.Outcome.CRASHED, "divide", "SIGFPE").to_dict()
        {'action': 'kernel', 'name': 'divide', 'outcome': 'crashed', 'message': 'SIGFPE'}
        """
        return {"action": self.action, "name": self.name, "outcome": self.outcome.value, "message": self.message}

    def __str__(self) -> str:
        title = f"{self.action} {self.name}" if self.name else self.action
        return f"{title}: {self.outcome.value}{f': {self.message}' if self.message else ''}"


@dataclass(frozen=True)
class Report:
    """The result of `validate`; ``str()`` of it has a line for each step.

    Attributes
    ----------
    source : str
        The module's path, or a note that it was given as bytes.
    arch : Arch or None
        The arch for which it was loaded; None if an arch was not given and the module was not loaded.
    steps : tuple of Step
        The steps in the order in which they ran. If reading or loading fails, it is the last step.

    Examples
    --------
    >>> report = isolated.Report("saxpy.tcm", Arch.X64, (isolated.Step("read", isolated.Outcome.OK),))
    >>> report.ok
    True
    >>> print(report)
    saxpy.tcm (x64): ok
        read: ok
    """

    source: str
    arch: Arch | None
    steps: tuple[Step, ...]

    @property
    def ok(self) -> bool:
        """Whether every step that could run succeeded."""
        return not any(step.failed for step in self.steps)

    @property
    def kernels(self) -> Mapping[str, Step]:
        """The steps of kernels, by their names."""
        return {step.name: step for step in self.steps if step.action == "kernel"}

    @property
    def graphs(self) -> Mapping[str, Step]:
        """The steps of compute graphs, by their names."""
        return {step.name: step for step in self.steps if step.action == "graph"}

    def to_dict(self) -> dict[str, Any]:
        """Return the report as dicts, lists and strings, for ``json.dumps``.

        Examples
        --------
        >>> isolated.Report("saxpy.tcm", Arch.X64, ()).to_dict()
        {'source': 'saxpy.tcm', 'arch': 'x64', 'ok': True, 'steps': []}
        """
        return {
            "source": self.source,
            "arch": str(self.arch) if self.arch else None,
            "ok": self.ok,
            "steps": [step.to_dict() for step in self.steps],
        }

    def __str__(self) -> str:
        failed = sum(step.failed for step in self.steps)
        result = f"{failed} of {len(self.steps)} steps failed" if failed else "ok"
        arch = f" ({self.arch})" if self.arch else ""
        return "\n".join([f"{self.source}{arch}: {result}", *(f"    {step}" for step in self.steps)])


def validate(
    source: Source, arch: Arch | ArchName | None = None, *, timeout: float = 60.0, address_space: int = ADDRESS_SPACE
) -> Report:
    """Read and load a module and launch its kernels and graphs once, each step in a child process.

    The arguments of the launches are made up: numbers are 1, also in arrays without dimensions, matrices the identity,
    other arrays all zeros with at most 4096 elements. A kernel that works with other arguments may crash with these,
    and vice versa. Child processes have the user's rights: `validate` protects the caller from crashes, but it is not a
    sandbox for malicious code.

    Parameters
    ----------
    source : path or bytes-like
        A folder, a ``.tcm`` archive, a bundle, or the bytes of one.
    arch : Arch or str, optional
        Arch to load it on; by default that of the best device for which the module was compiled.
    timeout : float, default 60
        Limit for each step in seconds, including some tenths of a second to start its process.
    address_space : int, default 16 GiB
        Limit of each process in bytes (``RLIMIT_AS``), for CPU devices on systems that have this limit. GPU drivers
        reserve more than they use.

    Returns
    -------
    Report

    Raises
    ------
    TypeError
        If `source` is neither a path nor bytes-like, or a limit is not a number.
    ValueError
        If the arch does not exist, or a limit is out of range.
    NotSupportedError
        In a program frozen by PyInstaller or Nuitka, whose children would run the program again instead of Python.

    Examples
    --------
    >>> print(isolated.validate("saxpy.tcm"))  # doctest: +SKIP
    saxpy.tcm (x64): ok
        read: ok
        load: ok
        kernel saxpy: ok
    """
    seconds, size = read_timeout(timeout), as_integer(address_space, "address_space")
    if not 0 < size <= MAX_ADDRESS_SPACE:
        raise ArgumentOutOfRangeError(f"address_space is 1 to {MAX_ADDRESS_SPACE} bytes, not {short(size)}")
    path, data, title = _find(source)
    wanted = arch_of(arch)
    request = _Request("read", "", path, data, wanted.name if wanted else "", size)
    steps: list[Step] = []

    def run(action: Action, name: str = "") -> Any:
        """Run one step; return the child's answer, or None if it failed."""
        ending = call(try_step, request._replace(action=action, name=name), seconds)
        outcome, message, answer = _outcome(ending)
        if outcome is Outcome.CRASHED and name:
            message = f"{with_cause(ending)}, launched with made-up arguments"
        steps.append(Step(action, outcome, name, message.replace(path, title) if path else message))
        return answer

    contents = run("read")
    if contents is not None:
        request = request._replace(arch=contents["arch"])
        if run("load"):
            for name in contents["kernels"]:
                run("kernel", name)
            for name in contents["graphs"]:
                run("graph", name)
    return Report(title, Arch[request.arch] if request.arch else None, tuple(steps))


def _find(source: Source) -> tuple[str | None, str, str]:
    """Return the path of a module or its data in base 64, and its name in reports."""
    if isinstance(source, (str, os.PathLike)):
        name = os.fsdecode(source)
        return os.path.abspath(name) if name else name, "", name
    return None, base64.b64encode(to_bytes(source)).decode(), "module given as bytes"


# In the parent


class _Request(NamedTuple):
    """A step for a child process to run."""

    action: Action
    name: str
    path: str | None
    data: str
    arch: str  # its name in Arch, or empty
    address_space: int

    @property
    def source(self) -> Source:
        """The module."""
        if self.path is not None:
            return self.path
        return memoryview(base64.b64decode(self.data))  # bytes could be mistaken for a path


def _outcome(ending: Ending) -> tuple[Outcome, str, Any]:
    """Return the outcome, message and answer of a step."""
    outcomes = [each.value for each in Outcome]  # checked below: a kernel may have written an arbitrary answer
    match ending:
        case Ending("answered", answer=[str(outcome), str(message), value]) if outcome in outcomes:
            return Outcome(outcome), message, value
        case Ending("timed out"):
            return Outcome.TIMED_OUT, ending.message, None
        case _:
            return Outcome.CRASHED, ending.message or "the process ended without an answer", None


# In the child


def try_step(request: Any) -> tuple[str, str, object]:
    """Run a step in a child process; return its outcome, message and answer."""
    step = _Request(*request)
    try:
        return Outcome.OK.value, "", _act(step)
    except Exception as error:
        outcome = Outcome.NOT_RUN if step.name and isinstance(error, NotSupportedError) else Outcome.ERROR
        return outcome.value, f"{type(error).__name__}: {error}", None


def _act(request: _Request) -> object:
    """Run a step; return the data for the parent."""
    info = inspect(request.source)
    if request.action == "read":
        verify(request.source)
        return {"arch": request.arch or _find_arch(info), "kernels": list(info.kernels), "graphs": list(info.graphs)}
    arch = Arch[request.arch] if request.arch else choose_arch(info)
    with limited_runtime(arch, request.address_space) as runtime:
        module = runtime.load_module(request.source)
        if request.action == "load":
            module.prefetch()
        else:
            launches = module.kernels if request.action == "kernel" else module.graphs
            launch = launches[request.name]
            launch(*make_arguments(runtime, launch.signature, elements=ARRAY_ELEMENTS))
            runtime.wait()
    return True


def limited_runtime(arch: Arch, address_space: int) -> Runtime:
    """Create a runtime in a child process; limit the memory of the process for CPU devices."""
    if any(device.kind == "cpu" for device in visible_devices(arch)):  # GPU drivers reserve more than they use
        limit("RLIMIT_AS", address_space)
    return Runtime(arch)


def _find_arch(info: ModuleInfo) -> str:
    with contextlib.suppress(NotSupportedError):
        return choose_arch(info).name
    return ""  # loading reports the reason


def choose_arch(info: ModuleInfo) -> Arch:
    """Return the arch of the best device for which the module or bundle was compiled.

    Raises
    ------
    NotSupportedError
        If this machine does not have a device for the module.

    Examples
    --------
    >>> isolated.choose_arch(inspect("saxpy.tcm"))
    <Arch.X64: 4>
    """
    # LLVM modules without kernels do not state an arch: all LLVM archs load them.
    return best_device(info.archs or (CPU_ARCH,)).arch


def make_arguments(runtime: Runtime, signature: Signature, *, elements: int) -> list[Any]:
    """Make up arguments for a kernel or graph: numbers are 1, matrices the identity, arrays and images all zeros.

    Arrays without dimensions have a 1: kernels may count it down.

    The number 1 is a valid index of the arrays. A number that is the size of an array has that value.

    Parameters
    ----------
    runtime : Runtime
        The runtime of the arrays.
    signature : Signature
        Signature of the kernel or graph.
    elements : int
        Maximum number of elements of an array, a power of two; its dimensions are equal where no shape is stated.

    Raises
    ------
    NotSupportedError
        If an argument cannot be passed, or the device does not support a texture.

    Examples
    --------
    >>> isolated.make_arguments(rt, saxpy.signature, elements=4096)[1:]
    [<NdArray shape=(4096,) ndarray[f32, 1] on x64>, <NdArray shape=(4096,) ndarray[f32, 1] on x64>]
    """
    sizes = choose_sizes(signature, {}, elements)
    parameters = signature.parameters
    made = [make_argument(runtime, each, choose_shape(each, sizes, elements), sizes) for each in parameters]
    return nested([each.name for each in parameters], made)


def with_cause(ending: Ending) -> str:
    """Return how a launch ended its process, and the usual cause."""
    cause = CAUSES.get(ending.end)
    message = ending.message or "the process ended without an answer"
    return f"{message}, usually {cause}" if cause else message


def with_remedy(message: str) -> str:
    return f"{message}: {REMEDY}" if OUT_OF_RANGE in message else message
