"""The command ``bench``: how fast a kernel or graph of any module runs, with arguments that are made up."""

from __future__ import annotations

import multiprocessing
import statistics
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..device import best_device, visible_devices
from ..dtypes import numpy_dtype
from ..enums import Arch
from ..errors import LibraryNotFoundError, NameNotFoundError, NotSupportedError, TaichiError
from ..formats import inspect
from ..formats.info import ModuleInfo
from ..launch import Launch
from ..ndarray import NdArray
from ..runtime import Runtime
from ..signature import Parameter, Signature

__all__ = ["bench"]

Shape: TypeAlias = tuple[int, ...]

DEFAULT_ELEMENTS = 20  # as a power of two, of an array that no shape is given for
BATCH_SECONDS = 0.02
LARGEST_BATCH = 1000  # launches without a wait pile up in the library
TOTAL_SECONDS = 2.0
ROUNDS = (5, 100)


def bench(path: str, name: str, shapes: Sequence[str], arch: str | None) -> int:
    """Measure a kernel or graph, print the result or one line of what is wrong, and return the exit status.

    It runs in a child process, which a kernel ends that cannot run with made-up arguments.

    Parameters
    ----------
    path : str
        The module.
    name : str
        Name of the kernel or graph.
    shapes : sequence of str
        Shapes of arrays, such as ``x=1024,1024``.
    arch : str or None
        By default the best that the module is for.
    """
    process = multiprocessing.get_context("spawn").Process(target=_child, args=(path, name, shapes, arch))
    process.start()
    process.join()
    if process.exitcode in (0, 2):
        return process.exitcode
    print(f"error: {name} ended its process ({process.exitcode}): it cannot run with such arguments", file=sys.stderr)
    return 2


def _child(path: str, name: str, shapes: Sequence[str], arch: str | None) -> None:
    try:
        print(_run(path, name, _parse_shapes(shapes), arch))
    except (TaichiError, LibraryNotFoundError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def _parse_shapes(texts: Sequence[str]) -> dict[str, Shape]:
    shapes = {}
    for text in texts:
        name, _, sizes = text.partition("=")
        if not name or not all(size.isdecimal() for size in sizes.split(",")):
            raise ValueError(f"a shape is given as NAME=SIZE,SIZE and so on, not as {text!r}")
        shapes[name] = tuple(map(int, sizes.split(",")))
    return shapes


def _run(path: str, name: str, shapes: Mapping[str, Shape], arch: str | None) -> str:
    """Run a kernel or graph for some seconds; returns what to tell the user."""
    info = inspect(path)
    signature = _find(info, name)
    with Runtime(_choose_arch(info) if arch is None else arch) as runtime:
        device = visible_devices(runtime.arch)[runtime.device_index]
        module = runtime.load_module(path)
        arguments = _arguments(runtime, signature, shapes)
        launchable = module.kernels[name] if name in module.kernels else module.graphs[name]
        count, times = _measure(runtime, launchable.bind(*arguments))
        lines = [f"{signature} on {device.name} ({runtime.arch})", *_describe_arrays(signature, arguments)]
        return "\n".join([*lines, *_describe_times(count, times, _array_bytes(arguments))])


def _find(info: ModuleInfo, name: str) -> Signature:
    if name in info.kernels:
        return info.kernels[name].signature
    if name in info.graphs:
        return info.graphs[name].signature
    both: dict[str, Iterable[str]] = {"kernels": info.kernels, "graphs": info.graphs}
    there = [f"{what} {', '.join(names)}" for what, names in both.items() if names]
    raise NameNotFoundError(f"the module has no kernel or graph {name!r}, it has {' and '.join(there) or 'none'}")


def _choose_arch(info: ModuleInfo) -> Arch:
    """The best device's arch if the module is for it, else one that it is for and that is here."""
    best = best_device().arch
    for arch in sorted(info.archs, key=lambda arch: arch is not best):
        if visible_devices(arch):
            return arch
    raise NotSupportedError(f"the module is for {', '.join(map(str, info.archs))}, for which there is no device here")


def _arguments(runtime: Runtime, signature: Signature, shapes: Mapping[str, Shape]) -> list[Any]:
    arrays = [parameter.name for parameter in signature.parameters if parameter.kind == "ndarray"]
    for name in shapes:
        if name not in arrays:
            raise ValueError(f"{signature} has no ndarray {name!r}, it has {', '.join(arrays) or 'none'}")
    return [_argument(runtime, parameter, shapes.get(parameter.name)) for parameter in signature.parameters]


def _argument(runtime: Runtime, parameter: Parameter, shape: Shape | None) -> Any:
    """A scalar is 1, a matrix the identity, an array all zeros: what a kernel finds by an index of 0 is there."""
    if parameter.dtype is None:
        raise NotSupportedError(f"parameter {parameter} cannot be made up: it is neither a number nor an array")
    dtype = numpy_dtype(parameter.dtype)
    if parameter.kind == "ndarray":
        if shape is None:
            shape = (2 ** (DEFAULT_ELEMENTS // max(parameter.ndim, 1)),) * parameter.ndim
        if len(shape) != parameter.ndim:
            raise ValueError(f"parameter {parameter} has {parameter.ndim} dimensions, not the {len(shape)} of {shape}")
        return runtime.zeros(shape, parameter.dtype, parameter.elem_shape)
    if parameter.kind == "matrix":
        is_matrix = len(parameter.elem_shape) == 2
        return np.eye(*parameter.elem_shape, dtype=dtype) if is_matrix else np.ones(parameter.elem_shape, dtype)
    return dtype.type(1)


def _measure(runtime: Runtime, launch: Launch) -> tuple[int, list[float]]:
    """How many launches make a batch, and what one launch took in each batch, in microseconds."""

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


def _array_bytes(arguments: Sequence[Any]) -> int:
    return sum(argument.nbytes for argument in arguments if isinstance(argument, NdArray))


def _describe_arrays(signature: Signature, arguments: Sequence[Any]) -> list[str]:
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
    """Four digits, or all of those before the point."""
    return f"{value:.4g}" if value < 1000 else f"{value:,.0f}"
