"""Launches in child processes, for the commands ``run`` and ``bench``."""

from __future__ import annotations

import argparse
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ..adopt.modules._read import inspect
from ..backends._devices import visible_devices
from ..bundle._bundle import read_origin
from ..bundle._origin import stale_message
from ..driver._child import call
from ..isolated._made_up import Argument, choose_shape, choose_sizes, make_argument
from ..isolated._validate import ADDRESS_SPACE, choose_arch, limited_runtime, with_cause, with_remedy
from ..kernels.calls._kernel import ComputeGraph, Kernel
from ..kernels.calls._launch import Launch
from ..runtime._runtime import Runtime
from ..values._dtypes import numpy_dtype
from ..values._enums import Arch
from ..values._errors import KernelAssertionError, NotSupportedError
from ..values._paths import nested
from ..values._signature import Parameter, Signature, require_passable
from ..values._wording import count
from ._arguments import FORMS, Shape, Value, read_assignments
from ._codes import CANNOT_RUN, NO, USAGE, ArgumentError, CrashedError, code_of
from ._contents import Content, content_of, count_numbers, size_of, stated_shape
from ._options import add_module, find_arch
from ._output import message, warn

Request: TypeAlias = dict[str, Any]

ELEMENTS = 2**20  # of an array without sizes on the command line or in the module
EXAMPLE = 64  # of an array in a message
MAX_BYTES = 4 << 30  # of all arguments together
TIMEOUT = 600.0  # seconds
# What stands for an exception of a child process, by its exit status; others are crashes.
ERRORS = {NO: KernelAssertionError, USAGE: ValueError, CANNOT_RUN: NotSupportedError}


def add_kernel(parser: argparse.ArgumentParser) -> None:
    """Add the module, the kernel and its arguments."""
    add_module(parser)
    kernel = parser.add_argument("kernel", metavar="KERNEL", help="name of a kernel or graph")
    kernel.required = False  # `find` lists the kernels if it is missing
    parser.add_argument("arguments", nargs="*", default=[], metavar="NAME=VALUE", help="its arguments: see below")
    forms = parser.add_argument_group("arguments", "Their names are those that `taichi-aot inspect MODULE` lists.")
    # The parser shows the forms, and does not know them.
    forms._group_actions = [argparse.Action([], form, metavar=form, help=text) for form, text in FORMS.items()]


def request_of(options: argparse.Namespace, arch: str | None) -> Request:
    """Return what a child process needs to make the launch."""
    return {"module": options.module, "kernel": options.kernel, "arguments": options.arguments, "arch": arch}


def warn_if_stale(module: str) -> None:
    """Print a warning if the source of a bundle has changed since it was built."""
    message = stale_message(module, read_origin(module))
    if message:
        warn(message)


def ask(function: Callable[[Request], object], request: Request, timeout: float) -> Any:
    """Call a function decorated with `answering` in a child process, where it launches `request["kernel"]`."""
    ending = call(function, request, timeout, shows_output=True)
    kernel = request["kernel"]
    match ending.answer:
        case {"answer": answer}:
            return answer
        case {"error": str(text), "code": int(code)} if code in ERRORS:
            raise ERRORS[code](text)
        case {"error": str(text)}:
            raise CrashedError(f"{kernel} on {_arch_of(request)}: {text}")
        case _ if ending.how == "timed out":
            raise CrashedError(f"{kernel} did not end within {timeout:g} s on {_arch_of(request)}")
        case _:
            reason = with_remedy(with_cause(ending))
            raise CrashedError(f"{kernel} ended its process on {_arch_of(request)}: {reason}")


def _arch_of(request: Request) -> Arch:
    """Return the arch of a request; by default, the arch of the best device for the module."""
    return find_arch(request["arch"]) if request["arch"] else choose_arch(inspect(request["module"]))


# In the child


def answering(function: Callable[[Request], object]) -> Callable[[Request], object]:
    """Decorate a function for `ask`: it returns exceptions that have an exit status."""

    @functools.wraps(function)
    def answer(request: Request) -> object:
        try:
            return {"answer": function(request)}
        except Exception as error:
            code = code_of(error)
            if code is None:
                raise
            return {"error": message(error), "code": code}

    return answer


class Prepared(NamedTuple):
    """A kernel or graph with its arguments, ready to be launched."""

    device: str
    signature: Signature
    arguments: dict[str, Argument]
    launch: Launch


def prepare(runtime: Runtime, request: Request, *, complete: bool) -> Prepared:
    """Load the module of a request and create the arguments."""
    module = runtime.load_module(request["module"])
    name = request["kernel"]
    kernel: Kernel | ComputeGraph = module.kernels[name] if name in module.kernels else module.graphs[name]
    arguments = Arguments(kernel.signature, request["arguments"], complete=complete).make(runtime)
    try:
        launch = kernel.bind(*nested(list(arguments), list(arguments.values())))
    except (TypeError, OverflowError) as error:
        raise ArgumentError(str(error)) from None
    device = visible_devices(runtime.arch)[runtime.device_index].name
    return Prepared(device, kernel.signature, arguments, launch)


def open_runtime(request: Request) -> Runtime:
    """Create a runtime for a request, by default on the best device for the module; limit the process's memory."""
    return limited_runtime(_arch_of(request), ADDRESS_SPACE)


class Arguments:
    """The checked arguments of a kernel or graph; `make` creates them.

    If `complete`, each parameter must have one; otherwise missing arguments are made up.
    """

    def __init__(self, signature: Signature, texts: Sequence[str], *, complete: bool) -> None:
        require_passable(signature)
        values = read_assignments(signature, texts)
        given = [parameter for parameter in signature.parameters if parameter.name in values]
        shapes, numbers = _stated_sizes(given, values)
        missing = [p for p in signature.parameters if p.name not in values]
        if missing and complete:
            sizes = choose_sizes(signature, shapes, EXAMPLE, numbers)
            raise ArgumentError(
                f"{signature.name} needs {count(missing, 'more argument')}, such as "
                f"{' '.join(_example(each, sizes) for each in missing)}; it is {signature}"
            )
        self._parameters = signature.parameters
        self._sizes = choose_sizes(signature, shapes, ELEMENTS, numbers)
        self._shapes: dict[str, Shape] = {
            p.name: shapes.get(p.name, choose_shape(p, self._sizes, ELEMENTS)) for p in signature.parameters
        }
        self._contents: dict[str, Content] = {}
        for each in given:
            self._contents[each.name] = content_of(each, values[each.name], self._shapes[each.name])
            _require_stated_shape(each, self._shapes[each.name], self._sizes)
        self._check_bytes()

    def _check_bytes(self) -> None:
        sizes = {p.name: self._nbytes(p) for p in self._parameters}
        total = sum(sizes.values())
        if total > MAX_BYTES:
            name = max(sizes, key=lambda name: sizes[name])
            raise ArgumentError(
                f"the arguments take {total:,} bytes, {name} alone {sizes[name]:,}; they may take at most {MAX_BYTES:,}"
            )

    def _nbytes(self, parameter: Parameter) -> int:
        if parameter.name in self._contents:
            return self._contents[parameter.name].nbytes
        if parameter.dtype is None:  # a small made-up image
            return 0
        shape = (*self._shapes[parameter.name], *parameter.elem_shape)
        return math.prod(shape) * numpy_dtype(parameter.dtype).itemsize

    def make(self, runtime: Runtime) -> dict[str, Argument]:
        """Create the arguments; return them by parameter, in order."""
        return {p.name: self._make(runtime, p) for p in self._parameters}

    def _make(self, runtime: Runtime, parameter: Parameter) -> Argument:
        content = self._contents.get(parameter.name)
        if content is None:
            return make_argument(runtime, parameter, self._shapes[parameter.name], self._sizes)
        if content.format is not None:
            image = runtime.allocate_image(content.shape[: parameter.ndim][::-1], content.format)
            image.write(content.make())
            return image
        if parameter.kind == "ndarray":
            return runtime.asarray(content.make(), parameter.dtype, parameter.elem_shape)
        return content.make()[()]


def _stated_sizes(given: Sequence[Parameter], values: Mapping[str, Value]) -> tuple[dict[str, Shape], dict[str, int]]:
    """Return the shapes of arrays, and the numbers that may be sizes, by parameter."""
    shapes = {p.name: stated_shape(p, values[p.name]) for p in given}
    numbers = {p.name: size_of(p, values[p.name]) for p in given}
    return (
        {name: shape for name, shape in shapes.items() if shape is not None},
        {name: number for name, number in numbers.items() if number is not None},
    )


def _require_stated_shape(parameter: Parameter, shape: Shape, sizes: Mapping[str, int]) -> None:
    """Raise if an array has another shape than the module states."""
    expected = choose_shape(parameter, sizes, ELEMENTS)
    if not parameter.shape or shape == expected:
        return
    symbols = dict.fromkeys(size for size in parameter.shape if isinstance(size, str))
    known = "".join(f", and {symbol} is {sizes[symbol]}" for symbol in symbols)
    raise ArgumentError(f"{parameter} has the shape {shape}{known}: it must be {expected}")


def _example(parameter: Parameter, sizes: Mapping[str, int]) -> str:
    """Return an argument that a parameter accepts."""
    match parameter.kind:
        case "ndarray":
            shape = choose_shape(parameter, sizes, EXAMPLE)
            return f"{parameter.name}=zeros:{'x'.join(map(str, shape))}".rstrip(":")
        case "texture" | "rw_texture":
            return f"{parameter.name}=zeros:{'x'.join(['64'] * parameter.ndim)}"
        case "scalar" if parameter.name in sizes:
            return f"{parameter.name}={sizes[parameter.name]}"
        case _:
            return f"{parameter.name}={','.join(['1'] * count_numbers(parameter))}"
