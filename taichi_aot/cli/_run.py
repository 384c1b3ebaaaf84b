"""The command ``run``: launches a kernel or graph with given arguments; shows, saves and compares its results."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..adopt.modules._read import inspect
from ..arrays._image import Image
from ..arrays._ndarray import NdArray
from ..bundle._info import ModuleInfo
from ..driver._child import FILE_SIZE
from ..driver._files import replacing, write_new
from ..isolated._made_up import Argument
from ..values._dtypes import to_data_type
from ..values._errors import NotSupportedError
from ..values._signature import Parameter, ParameterKind, Signature
from ._arguments import MADE, Value, assignments, read_assignments, split_assignment
from ._checked import add_debug, debuggable
from ._codes import NO, OK, ArgumentError
from ._comparison import Comparison, compare
from ._contents import content_of, encode, require_encodable
from ._inspect import find
from ._launching import (
    TIMEOUT,
    Arguments,
    Prepared,
    Request,
    add_kernel,
    answering,
    ask,
    open_runtime,
    prepare,
    warn_if_stale,
)
from ._options import add_arch, add_json, add_timeout, not_negative, output_file, positive
from ._output import print_json, write, write_verdicts
from ._problems import Problems

__all__ = ["configure", "launch", "run"]

RETURN = "return"  # the name of the return value; a keyword, so parameters cannot have it
ARRAYS = ("ndarray", "texture", "rw_texture")  # kinds of parameters with results
MOST_VALUES = 4096  # largest array that the JSON contains
RTOL, ATOL = 1e-6, 0.0
EDGE, LINE = 4, 100  # numbers at each end of a long array, characters of a line
HEADER = 4096  # bytes; more than the overhead of a .npy or .png file


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Launch a kernel or graph in a child process with the given arguments. Print its return value, and the arrays "
        "and images that it may have written, unless they are saved or compared."
    )
    add_kernel(parser)
    parser.add_argument(
        "--out", action="append", default=[], metavar="NAME=FILE", help="save an array or image as .npy or .png"
    )
    parser.add_argument(
        "--expect",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="compare the result with this; exit status 1 if it differs. The return value has the name `return`",
    )
    parser.add_argument(
        "--rtol",
        type=not_negative,
        default=RTOL,
        metavar="R",
        help="relative tolerance of --expect for floats (default: %(default)s)",
    )
    parser.add_argument(
        "--atol",
        type=not_negative,
        default=ATOL,
        metavar="A",
        help="absolute tolerance of --expect (default: %(default)s)",
    )
    parser.add_argument("--repeat", type=positive, default=1, metavar="N", help="launch it N times (default: 1)")
    add_debug(parser)
    add_arch(parser, "the best arch of the module")
    add_timeout(parser, TIMEOUT, "the launches")
    add_json(parser, "the results as JSON")


@debuggable
def run(options: argparse.Namespace) -> int:
    info = inspect(options.module)
    warn_if_stale(options.module)
    signature = find(info, options.kernel).signature
    problems = Problems()
    with problems.caught():
        Arguments(signature, options.arguments, complete=True)
    outputs = _outputs(signature, options.out, problems)
    with problems.caught():
        if RETURN in {*outputs, *_expected_names(signature, options.expect, problems)}:
            _return_parameter(info, options.kernel)
    problems.report()
    request: Request = {
        "module": options.module,
        "kernel": options.kernel,
        "arguments": options.arguments,
        "arch": options.arch,
        "repeat": options.repeat,
        "out": outputs,
        "expect": options.expect,
        "rtol": options.rtol,
        "atol": options.atol,
    }
    with replacing(map(Path, outputs.values())) as parts:
        request["parts"] = {name: str(parts[Path(path)]) for name, path in outputs.items()}
        answer = ask(launch, request, options.timeout)
    comparisons = [Comparison(*each) for each in answer["comparisons"]]
    if options.json:
        print_json({**answer, "comparisons": [each._asdict() for each in comparisons]})
    else:
        _print(answer, comparisons)
    return OK if all(each.equal for each in comparisons) else NO


def _outputs(signature: Signature, texts: Sequence[str], problems: Problems) -> dict[str, str]:
    """Return the output files by parameter; note what is wrong."""
    kinds = {p.name: p.kind for p in signature.parameters}
    if signature.returns:
        kinds[RETURN] = "ndarray"
    outputs: dict[str, str] = {}
    for text in texts:
        with problems.caught():
            name, path = split_assignment(text, "NAME=FILE")
            if kinds.get(name) not in ARRAYS:
                raise ArgumentError(f"--out {text}: {name} is not an array or image of {signature}")
            if name in outputs or Path(path) in map(Path, outputs.values()):
                raise ArgumentError(f"--out {text}: {name if name in outputs else path} is given twice")
            try:
                output_file(".npy", ".png")(path)
            except argparse.ArgumentTypeError as error:
                raise ArgumentError(f"--out {text}: {error}") from None
            outputs[name] = path
    return outputs


def _expected_names(signature: Signature, texts: Sequence[str], problems: Problems) -> set[str]:
    """Return the names that --expect has; note what is wrong."""
    names = set(read_assignments(signature, texts, problems, [RETURN]))
    for parameter in signature.parameters:
        if parameter.name in names and parameter.kind not in ARRAYS:
            with problems.caught():
                raise ArgumentError(f"--expect {parameter.name}: it is not an array or image of {signature}")
    return names


def _print(answer: Mapping[str, Any], comparisons: Sequence[Comparison]) -> None:
    launches = f"{answer['repeat']:,} launch{'es' * (answer['repeat'] != 1)}"
    write(
        f"{answer['signature']} on {answer['device']} ({answer['arch']}): {launches}, {answer['seconds'] * 1e3:.4g} ms"
    )
    quiet = {each.name for each in comparisons}
    for result in answer["results"]:
        if result["file"]:
            write(f"{result['name']}: wrote {result['file']}")
        elif result["name"] not in quiet:
            write(_describe(result))
    for each in comparisons:
        write_verdicts(str(each))


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
        expected = _expectations(prepared, request)
        _check_outputs(prepared.arguments, request["out"])
        begin = time.perf_counter()
        runtime.sequence([prepared.launch])(repeat=request["repeat"])
        runtime.wait()
        seconds = time.perf_counter() - begin
        values = _values(prepared, {*expected, *request["out"]})
        comparisons = [
            compare(name, np.asarray(values[name]), array, request["rtol"], request["atol"])
            for name, array in expected.items()
        ]
        for name, path in request["out"].items():
            argument = prepared.arguments.get(name)
            format = argument.format if isinstance(argument, Image) else None
            data = encode(Path(path), np.asarray(values[name]), format)
            write_new(Path(request["parts"][name]), data, Path(path))
        return {
            "signature": str(prepared.signature),
            "arch": str(runtime.arch),
            "device": prepared.device,
            "repeat": request["repeat"],
            "seconds": seconds,
            "results": [{"name": n, **_summary(v), "file": request["out"].get(n)} for n, v in values.items()],
            "comparisons": comparisons,
        }


def _expectations(prepared: Prepared, request: Request) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays to compare with, of the same shapes and dtypes as the results."""
    parameters = {p.name: p for p in prepared.signature.parameters}
    expected: dict[str, npt.NDArray[Any]] = {}
    for name, value in assignments(prepared.signature, request["expect"], [RETURN]).items():
        if name == RETURN:
            parameter = _return_parameter(inspect(request["module"]), request["kernel"])
            expected[name] = content_of(parameter, value, ()).make()
            continue
        argument = prepared.arguments[name]
        assert isinstance(argument, (NdArray, Image))
        expected[name] = _expected(parameters[name], argument, value)
    return expected


def _expected(parameter: Parameter, argument: NdArray | Image, value: Value) -> npt.NDArray[Any]:
    if isinstance(argument, Image):
        parameter = parameter._replace(format=str(argument.format))
        shape, sizes = argument.shape, argument.extent
    else:
        shape, sizes = (*argument.shape, *parameter.elem_shape), argument.shape
    if value.source in MADE and value.sizes is None:
        value = value._replace(sizes=sizes)
    content = content_of(parameter, value, sizes)
    if content.shape != shape:
        raise ArgumentError(f"--expect {parameter.name}: it has the shape {shape}, the expected value {content.shape}")
    return content.make()


def _check_outputs(arguments: Mapping[str, Argument], outputs: Mapping[str, str]) -> None:
    """Raise ArgumentError if an array cannot be saved, before it is computed."""
    for name, text in outputs.items():
        argument, path = arguments.get(name), Path(text)
        if isinstance(argument, (NdArray, Image)):
            if argument.nbytes + HEADER > FILE_SIZE:
                raise ArgumentError(f"--out {name}: {argument.nbytes:,} bytes are more than {FILE_SIZE:,}")
            tail = argument.elem_shape if isinstance(argument, NdArray) else ()
            require_encodable(path, np.dtype(argument.dtype), (*argument.shape, *tail))


def _values(prepared: Prepared, wanted: set[str]) -> dict[str, Any]:
    """Return the arrays and images that are wanted or may have been written, and the return values."""
    values: dict[str, Any] = {}
    for parameter in prepared.signature.parameters:
        argument = prepared.arguments[parameter.name]
        if isinstance(argument, (NdArray, Image)) and (parameter.name in wanted or _is_written(parameter)):
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


def _is_written(parameter: Parameter) -> bool:
    return parameter.kind == "rw_texture" or (parameter.kind == "ndarray" and parameter.access != "r")


def _return_parameter(info: ModuleInfo, kernel: str) -> Parameter:
    """The value that a kernel returns as if it were a parameter, with which numbers on the command line are read."""
    dtype = info.kernels[kernel].return_dtype if kernel in info.kernels else None
    fields = [] if dtype is None else [dtype[name] for name in dtype.names or ()]
    if len(fields) != 1 or fields[0].base.names:
        raise ArgumentError(f"{kernel} does not return one number, vector or matrix; --json shows what it returns")
    kind: ParameterKind = "matrix" if fields[0].shape else "scalar"
    return Parameter(RETURN, kind, to_data_type(fields[0].base), 0, fields[0].shape)


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
