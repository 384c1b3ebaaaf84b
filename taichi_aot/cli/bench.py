"""The command ``bench``: how fast a kernel or graph of any module runs with made-up arguments."""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import statistics
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from ..device import visible_devices
from ..formats import inspect
from ..isolated import Argument, choose_arch, make_arguments
from ..launch import Launch
from ..ndarray import NdArray
from ..runtime import Runtime
from ..signature import Signature
from .codes import CANNOT_RUN, CRASHED, OK, USAGE, CrashedError, code_of
from .inspect import find
from .options import add_arch, add_module
from .output import print_error, write

__all__ = ["configure", "run"]

Shape: TypeAlias = tuple[int, ...]

DEFAULT_ELEMENTS = 2**20  # of an array without a given shape
BATCH_SECONDS = 0.02
LARGEST_BATCH = 1000  # launches without a wait accumulate in the library
TOTAL_SECONDS = 2.0
ROUNDS = (5, 100)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Measure how fast a kernel or graph runs with made-up arguments: numbers are 1, arrays all zeros."
    )
    add_module(parser)
    parser.add_argument("kernel", help="name of a kernel or graph")
    parser.add_argument(
        "--shape",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=SIZE,SIZE",
        help="shapes of arrays (default: up to a million elements in each, all dimensions alike)",
    )
    add_arch(parser, "the best that the module is for")


def run(options: argparse.Namespace) -> int:
    """Measure in a child process, because the kernel may crash with made-up arguments."""
    arguments = (options.module, options.kernel, options.shape, options.arch)
    process = multiprocessing.get_context("spawn").Process(target=_child, args=arguments)
    # The child inherits that Ctrl-C is ignored: this process ends it.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process.start()
    finally:
        signal.signal(signal.SIGINT, handler)
    try:
        process.join()
    except BaseException:
        process.kill()
        process.join()
        raise
    if process.exitcode in (OK, USAGE, CANNOT_RUN, CRASHED):
        return process.exitcode
    raise CrashedError(f"{options.kernel} ended its process ({process.exitcode}): it cannot run with such arguments")


def _child(path: str, name: str, shapes: Sequence[str], arch: str | None) -> None:
    try:
        write(_report(path, name, _parse_shapes(shapes), arch))
    except Exception as error:
        code = code_of(error)
        if code is None:
            raise
        print_error(error)
        sys.exit(code)


def _parse_shapes(texts: Sequence[str]) -> dict[str, Shape]:
    shapes: dict[str, Shape] = {}
    for text in texts:
        name, _, sizes = text.partition("=")
        if not name or not all(size.isdecimal() for size in sizes.split(",")):
            raise ValueError(f"a shape must be given as NAME=SIZE,SIZE,..., not as {text!r}")
        shapes[name] = tuple(map(int, sizes.split(",")))
    return shapes


def _report(path: str, name: str, shapes: Mapping[str, Shape], arch: str | None) -> str:
    """Run a kernel or graph for some seconds; return the text for the user."""
    info = inspect(path)
    signature = find(info, name).signature
    with Runtime(choose_arch(info) if arch is None else arch) as runtime:
        device = visible_devices(runtime.arch)[runtime.device_index]
        module = runtime.load_module(path)
        arguments = make_arguments(runtime, signature, shapes, elements=DEFAULT_ELEMENTS)
        kernel = module.kernels[name] if name in module.kernels else module.graphs[name]
        count, times = _measure(runtime, kernel.bind(*arguments))
        lines = [f"{signature} on {device.name} ({runtime.arch})", *_describe_arrays(signature, arguments)]
        return "\n".join([*lines, *_describe_times(count, times, _array_bytes(arguments))])


def _measure(runtime: Runtime, launch: Launch) -> tuple[int, list[float]]:
    """The number of launches in a batch, and the time of one launch in each batch in microseconds."""

    def seconds(count: int) -> float:
        begin = time.perf_counter()
        for _ in range(count):
            launch()
        runtime.wait()
        return time.perf_counter() - begin

    seconds(1)  # the first launch may compile
    count, taken = 1, seconds(1)
    while taken < BATCH_SECONDS and count < LARGEST_BATCH:
        count = min(2 * count, LARGEST_BATCH)
        taken = seconds(count)
    rounds = int(max(ROUNDS[0], min(ROUNDS[1], TOTAL_SECONDS / taken)))
    return count, [seconds(count) / count * 1e6 for _ in _progress(rounds)]


def _progress(rounds: int) -> Iterable[int]:
    try:
        from tqdm import tqdm
    except ImportError:
        return range(rounds)
    return tqdm(range(rounds), unit="batch", leave=False)  # type: ignore[no-any-return]


def _array_bytes(arguments: Sequence[Argument]) -> int:
    return sum(argument.nbytes for argument in arguments if isinstance(argument, NdArray))


def _describe_arrays(signature: Signature, arguments: Sequence[Argument]) -> list[str]:
    pairs = zip(signature.parameters, arguments, strict=True)
    arrays = [f"{p.name} {'x'.join(map(str, a.shape)) or '()'}" for p, a in pairs if isinstance(a, NdArray)]
    return [f"arrays of zeros: {', '.join(arrays)}"] if arrays else []


def _describe_times(count: int, times: Sequence[float], size: int) -> list[str]:
    median = statistics.median(times)
    lines = [
        f"{1e6 / median:,.0f} launches/s ({len(times)} batches of {count} launches and a wait)",
        f"us per launch: median {_number(median)}, min {_number(min(times))}, max {_number(max(times))}",
    ]
    if size:
        lines.append(f"{size:,} bytes of arrays per launch: {_number(size / median / 1000)} GB/s if each is moved once")
    return lines


def _number(value: float) -> str:
    """A number with four digits, or with all digits before the decimal point."""
    return f"{value:.4g}" if value < 1000 else f"{value:,.0f}"
