"""The command ``run``: launches a kernel or graph with given arguments; shows and saves its results."""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..adopt.modules._read import inspect
from ..arrays._image import Image
from ..arrays._ndarray import NdArray
from ..driver._child import FILE_SIZE
from ..driver._files import replacing, write_new
from ..isolated._made_up import Argument
from ..values._dtypes import to_data_type
from ..values._errors import NotSupportedError
from ..values._signature import TEXTURES, Signature
from ._arguments import split_assignment
from ._codes import OK, ArgumentError
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
    request_of,
    warn_if_stale,
)
from ._options import add_arch, add_json, add_timeout, output_file, positive
from ._output import print_json, write

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
