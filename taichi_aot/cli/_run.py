"""The command ``run``, and what it shares with ``bench``: a runtime, a kernel, and its arguments."""

from __future__ import annotations

import argparse
import functools
import io
import math
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ..adopt._make import inspect
from ..arrays._image import Image
from ..arrays._ndarray import NdArray
from ..backends._devices import visible_devices
from ..bundle._plan import read_origin, stale_message
from ..driver._child import FILE_SIZE, call
from ..driver._files import replacing, write_new
from ..isolated._validate import (
    ADDRESS_SPACE,
    Argument,
    choose_arch,
    choose_shape,
    choose_sizes,
    limited_runtime,
    make_argument,
    with_cause,
    with_remedy,
)
from ..kernels._kernel import ComputeGraph, Kernel
from ..kernels._launch import Launch
from ..runtime._runtime import Runtime
from ..values._errors import KernelAssertionError, NotSupportedError, count
from ..values._numbers import Arch, numpy_dtype, to_data_type
from ..values._signature import TEXTURES, Parameter, Signature, nested, require_passable
from ._arguments import (
    FORMS,
    Content,
    Shape,
    Value,
    content_of,
    count_numbers,
    read_assignments,
    size_of,
    split_assignment,
    stated_shape,
)
from ._modules import find
from ._output import (
    CANNOT_RUN,
    NO,
    OK,
    USAGE,
    ArgumentError,
    CrashedError,
    add_arch,
    add_json,
    add_module,
    add_timeout,
    code_of,
    find_arch,
    message,
    output_file,
    positive,
    print_json,
    warn,
    write,
)

# Launches in child processes, for the commands ``run`` and ``bench``.


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


# The command ``run``: launches a kernel or graph with given arguments; shows and saves its results.


RETURN = "return"  # the name of the return value; a keyword, so parameters cannot have it
ARRAYS = ("ndarray", *TEXTURES)  # kinds of parameters with results
MOST_VALUES = 4096  # largest array that the JSON contains
EDGE, LINE = 4, 100  # numbers at each end of a long array, characters of a line
HEADER = 4096  # bytes; more than the overhead of a .npy file


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Launch a kernel or graph in a child process with the given arguments. Print its return value, and the arrays "
        "and images that it may have written, unless they are saved."
    )
    add_kernel(parser)
    parser.add_argument(
        "--out", action="append", default=[], metavar="NAME=FILE", help="save an array or image as .npy"
    )
    parser.add_argument("--repeat", type=positive, default=1, metavar="N", help="launch it N times (default: 1)")
    add_arch(parser, "the best arch of the module")
    add_timeout(parser, TIMEOUT, "the launches")
    add_json(parser, "the results as JSON")


def run(options: argparse.Namespace) -> int:
    info = inspect(options.module)
    warn_if_stale(options.module)
    signature = find(info, options.kernel).signature
    Arguments(signature, options.arguments, complete=True)
    outputs = _outputs(signature, options.out)
    request = {**request_of(options, options.arch), "repeat": options.repeat, "out": outputs}
    with replacing(map(Path, outputs.values())) as parts:
        request["parts"] = {name: str(parts[Path(path)]) for name, path in outputs.items()}
        answer = ask(launch, request, options.timeout)
    if options.json:
        print_json(answer)
    else:
        _print(answer)
    return OK


def _outputs(signature: Signature, texts: Sequence[str]) -> dict[str, str]:
    """Return the output files by parameter."""
    kinds = {p.name: p.kind for p in signature.parameters}
    if signature.returns:
        kinds[RETURN] = "ndarray"
    outputs: dict[str, str] = {}
    for text in texts:
        name, path = split_assignment(text, "NAME=FILE")
        if kinds.get(name) not in ARRAYS:
            raise ArgumentError(f"--out {text}: {name} is not an array or image of {signature}")
        if name in outputs or Path(path) in map(Path, outputs.values()):
            raise ArgumentError(f"--out {text}: {name if name in outputs else path} is given twice")
        try:
            output_file(".npy")(path)
        except argparse.ArgumentTypeError as error:
            raise ArgumentError(f"--out {text}: {error}") from None
        outputs[name] = path
    return outputs


def _print(answer: Mapping[str, Any]) -> None:
    launches = f"{answer['repeat']:,} launch{'es' * (answer['repeat'] != 1)}"
    write(
        f"{answer['signature']} on {answer['device']} ({answer['arch']}): {launches}, {answer['seconds'] * 1e3:.4g} ms"
    )
    for result in answer["results"]:
        if result["file"]:
            write(f"{result['name']}: wrote {result['file']}")
        else:
            write(_describe(result))


def _describe(result: Mapping[str, Any]) -> str:
    if result["error"]:
        return f"{result['name']}: {result['error']}"
    begin = f"{result['name']} = "
    text = result["text"].replace("\n", "\n" + " " * len(begin))
    if not result["shape"]:
        return f"{begin}{text}"
    shape = " x ".join(map(str, result["shape"]))
    limits = "" if result["min"] is None else f", {result['min']:.6g} to {result['max']:.6g}"
    nan = f", {result['nan']} NaN" if result["nan"] else ""
    return f"{begin}{text}  ({result['dtype']}, {shape}{limits}{nan})"


# In the child


@answering
def launch(request: Request) -> object:
    """Launch for a request of `run`; return the data to print."""
    with open_runtime(request) as runtime:
        prepared = prepare(runtime, request, complete=True)
        _check_outputs(prepared.arguments, request["out"])
        begin = time.perf_counter()
        runtime.sequence([prepared.launch])(repeat=request["repeat"])
        runtime.wait()
        seconds = time.perf_counter() - begin
        values = _values(prepared, set(request["out"]))
        for name, path in request["out"].items():
            file = io.BytesIO()
            np.lib.format.write_array(file, np.asarray(values[name]), allow_pickle=False)
            write_new(Path(request["parts"][name]), file.getbuffer(), Path(path))
        return {
            "signature": str(prepared.signature),
            "arch": str(runtime.arch),
            "device": prepared.device,
            "repeat": request["repeat"],
            "seconds": seconds,
            "results": [{"name": n, **_summary(v), "file": request["out"].get(n)} for n, v in values.items()],
        }


def _check_outputs(arguments: Mapping[str, Argument], outputs: Mapping[str, str]) -> None:
    """Raise ArgumentError if an array cannot be saved, before it is computed."""
    for name in outputs:
        argument = arguments.get(name)
        if isinstance(argument, (NdArray, Image)) and argument.nbytes + HEADER > FILE_SIZE:
            raise ArgumentError(f"--out {name}: {argument.nbytes:,} bytes are more than {FILE_SIZE:,}")


def _values(prepared: Prepared, wanted: set[str]) -> dict[str, Any]:
    """Return the arrays and images that are wanted or may have been written, and the return values."""
    values: dict[str, Any] = {}
    for parameter in prepared.signature.parameters:
        argument = prepared.arguments[parameter.name]
        is_written = parameter.kind == "rw_texture" or (parameter.kind == "ndarray" and parameter.access != "r")
        if isinstance(argument, (NdArray, Image)) and (parameter.name in wanted or is_written):
            values[parameter.name] = argument.to_numpy()
    if prepared.signature.returns:
        values |= _returned(prepared)
    return values


def _returned(prepared: Prepared) -> dict[str, Any]:
    """Return the return value by its name, several values by numbered names; an exception if fetching failed."""
    try:
        value: Any = prepared.launch.result()
    except NotSupportedError as error:
        return {RETURN: error}
    if len(prepared.signature.returns) == 1:
        return {RETURN: value}
    return {f"{RETURN}[{i}]": each for i, each in enumerate(value)}


def _summary(value: Any) -> dict[str, Any]:
    """Return the data to print for a result."""
    summary: dict[str, Any] = dict.fromkeys(("dtype", "shape", "text", "values", "min", "max", "nan", "error"))
    if isinstance(value, NotSupportedError):
        return {**summary, "error": str(value)}
    if isinstance(value, np.record):
        fields = {name: np.asarray(value[name]).tolist() for name in value.dtype.names or ()}
        return {**summary, "shape": [], "text": ", ".join(f"{n}={v}" for n, v in fields.items()), "values": fields}
    array = np.asarray(value)
    summary["dtype"], summary["shape"] = str(to_data_type(array.dtype)), array.shape
    summary["text"] = _text(array)
    summary["values"] = array.tolist() if array.size <= MOST_VALUES else None
    if array.dtype.kind != "b" and array.size:
        summary["nan"] = int(np.isnan(array).sum())
        if summary["nan"] < array.size:
            summary["min"], summary["max"] = np.nanmin(array).item(), np.nanmax(array).item()
    return summary


def _text(array: npt.NDArray[Any]) -> str:
    """Format an array in short form; a single number as numpy shows it."""
    if not array.ndim:
        return str(array[()])
    formats: Any = {"float_kind": "{:.6g}".format}
    return np.array2string(array, threshold=4 * EDGE, edgeitems=EDGE, max_line_width=LINE, formatter=formats)
