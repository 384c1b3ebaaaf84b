"""The commands ``bench`` and ``demo``.

``bench`` measures a kernel or graph on several archs, and writes the times for ``pyperf``; ``demo`` runs the bundled
simulation of a fluid, and writes pictures of it.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import io
import itertools
import json
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..adopt._make import inspect
from ..arrays._image import Image
from ..arrays._ndarray import NdArray
from ..backends._devices import best_device, visible_devices
from ..demo.mpm88 import ARCHS, PARTICLES, Fluid
from ..driver._files import write_whole
from ..runtime._benchmark import benchmark
from ..runtime._environment import make_report
from ..runtime._runtime import Runtime
from ..values._errors import four_digits
from ..values._signature import Signature
from ._modules import find
from ._output import (
    OK,
    StatusLine,
    add_arch,
    add_archs,
    add_json,
    add_timeout,
    code_of,
    find_arch,
    output_file,
    positive,
    print_error,
    print_json,
    table,
    write,
)
from ._run import (
    TIMEOUT,
    Arguments,
    Request,
    add_kernel,
    answering,
    ask,
    open_runtime,
    prepare,
    request_of,
    warn_if_stale,
)

if TYPE_CHECKING:
    from PIL.Image import Image as PilImage


Start: TypeAlias = Mapping[str, Any]  # what a process measured

STARTS = 5
SECONDS = 0.4  # of measurements in each process, about
REPEATS = (5, 100)
STDOUT = "-"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Measure how fast a kernel or graph runs. Arguments that are not given are made up: numbers are 1, matrices "
        "the identity, arrays all zeros. Several processes measure each arch, one process at a time, in turns with the "
        "other archs."
    )
    add_kernel(parser)
    add_archs(parser, "the best arch of the module")
    parser.add_argument(
        "--starts", type=positive, default=STARTS, metavar="N", help="processes for each arch (default: %(default)s)"
    )
    add_timeout(parser, TIMEOUT, "each process")
    parser.add_argument(
        "--json",
        type=_output,
        nargs="?",
        const=STDOUT,
        metavar="FILE",
        help="write the times to a .json file that `pyperf compare_to` compares, or print them as JSON",
    )


def run(options: argparse.Namespace) -> int:
    signature = find(inspect(options.module), options.kernel).signature
    warn_if_stale(options.module)
    Arguments(signature, options.arguments, complete=False)
    results, errors = _measure_all(options)
    for error in errors:
        print_error(error)
    if results:
        if options.json:
            record = _record(options, signature, results)
            if options.json == STDOUT:
                print_json(record)
            else:
                write_whole(options.json, json.dumps(record, indent=1).encode())
        if options.json != STDOUT:
            _print(signature, results)
    return max((code_of(error) or OK for error in errors), default=OK)


def _output(text: str) -> Path | str:
    """Read a file to write, or `STDOUT`."""
    try:
        return text if text == STDOUT else output_file(".json")(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}; write --json last to print JSON") from None


def _record(options: argparse.Namespace, signature: Signature, results: Sequence[Sequence[Start]]) -> dict[str, Any]:
    """Return the times for ``pyperf``: for each arch, a benchmark of the device and one of the host.

    A process is a run with one value, its median: batches of a process resemble each other more than those of others,
    and ``pyperf`` tests only as many values as the other file has.
    """
    path = Path(options.module)
    call = " ".join([options.kernel, *sorted(options.arguments)])
    facts = {
        "unit": "second",
        "module": options.module,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none",
        "signature": str(signature),
        "date": datetime.now(timezone.utc).replace(tzinfo=None).isoformat(" "),
    }
    benchmarks = [
        {
            "metadata": _metadata(name=f"{call} on {starts[0]['arch']}, {clock}", on=starts[0]["device"]),
            "runs": [
                {
                    "values": [statistics.median(start[clock])],
                    "metadata": {"loops": start["batch"], "first_launch": start["first"]},
                }
                for start in starts
            ],
        }
        for starts in results
        for clock in ("device time", "host time")
    ]
    return {"version": "1.0", "metadata": _metadata(**facts), "benchmarks": benchmarks, "machine": make_report()}


def _metadata(**texts: str) -> dict[str, str]:
    """Join the lines of texts, which ``pyperf`` requires."""
    return {name: " ".join(text.split()) for name, text in texts.items()}


def _measure_all(options: argparse.Namespace) -> tuple[list[list[Start]], list[Exception]]:
    """Measure all archs; return the processes' results for each success, and the exceptions of the others."""
    words: list[str | None] = [None]
    if options.arch:
        words = list(dict.fromkeys(str(find_arch(word)) for word in options.arch))
    answers: dict[str | None, list[Start]] = {word: [] for word in words}
    errors: dict[str | None, Exception] = {}
    turns = list(itertools.product(range(options.starts), words))
    with StatusLine(sys.stderr) as line:
        for number, (_, word) in enumerate(turns):
            line.show(f"process {number + 1} of {len(turns)}")
            if word not in errors:
                try:
                    answers[word].append(ask(measure, request_of(options, word), options.timeout))
                except Exception as error:
                    if code_of(error) is None:
                        raise
                    errors[word] = error
    return [answers[word] for word in words if word not in errors], list(errors.values())


def _print(signature: Signature, results: Sequence[Sequence[Start]]) -> None:
    write(str(signature))
    first = results[0][0]
    arrays = ", ".join(f"{name} {'x'.join(map(str, shape)) or '()'}" for name, shape in first["arrays"].items())
    if arrays:
        write(f"arrays: {arrays}; {first['bytes']:,} bytes, GB/s if each is moved once")
    table(
        ("arch", "device", "device us", "p5", "p95", "host us", "launches/s", "GB/s", "first launch ms"),
        map(_row, results),
    )


def _row(starts: Sequence[Start]) -> Sequence[str]:
    """Return the row of an arch from the times in all its processes."""
    low, median, high = np.percentile([time for start in starts for time in start["device time"]], (5, 50, 95))
    host = statistics.median(time for start in starts for time in start["host time"])
    first = statistics.median(start["first"] for start in starts)
    numbers = [1e6 * median, 1e6 * low, 1e6 * high, 1e6 * host, 1 / median]
    speed = four_digits(starts[0]["bytes"] / median / 1e9) if starts[0]["bytes"] else ""
    return [starts[0]["arch"], starts[0]["device"], *map(four_digits, numbers), speed, four_digits(1000 * first)]


# In the child


@answering
def measure(request: Request) -> object:
    """Measure a kernel in this process."""
    with open_runtime(request) as runtime:
        prepared = prepare(runtime, request, complete=False)
        sequence = runtime.sequence([prepared.launch])

        def seconds() -> float:
            begin = time.perf_counter()
            sequence()
            runtime.wait()
            return time.perf_counter() - begin

        first, second = seconds(), seconds()
        repeat = int(np.clip(SECONDS / second, *REPEATS))
        result = benchmark(sequence, repeat=repeat, warmup=repeat)
        arrays = {n: a for n, a in prepared.arguments.items() if isinstance(a, (NdArray, Image))}
        return {
            "arch": str(runtime.arch),
            "device": prepared.device,
            "arrays": {n: a.shape for n, a in arrays.items()},
            "bytes": sum(a.nbytes for a in arrays.values()),
            "first": first,
            "batch": result.batch,
            "device time": result.device.seconds.tolist(),
            "host time": result.host.seconds.tolist(),
        }


# The command ``demo``: runs the bundled simulation of a fluid, and writes pictures of it.


DEMO_STEPS = 2000
MOST_STEPS = 1_000_000
STEPS_PER_FRAME = 50
MOST_FRAMES = 2000  # of an animation: they stay in memory until it is written
MILLISECONDS = 50  # per frame
LAUNCHES_PER_STEP = 4  # kernels that the graph of a step dispatches
PICTURE = output_file(".png", ".gif")


def configure_demo(parser: argparse.ArgumentParser) -> None:
    parser.description = "Simulate a dam of fluid that bursts into a box, and write a picture or an animation."
    add_arch(parser, "the best device")
    parser.add_argument(
        "--out", type=PICTURE, metavar="FILE", help="picture (.png) or animation (.gif) to write (default: fluid.png)"
    )
    parser.add_argument(
        "--steps", type=positive, default=DEMO_STEPS, metavar="N", help="time steps (default: %(default)s)"
    )
    parser.add_argument(
        "--size", type=positive, default=PARTICLES, metavar="N", help="particles (default: %(default)s)"
    )
    add_json(parser, "the result as JSON")


def run_demo(options: argparse.Namespace) -> int:
    if importlib.util.find_spec("PIL") is None:
        raise ModuleNotFoundError("the demo needs pillow: pip install pillow")
    out, steps = options.out or PICTURE("fluid.png"), options.steps
    if steps > MOST_STEPS:
        raise ValueError(f"the steps are 1 to {MOST_STEPS:,}, not {steps:,}")
    with Runtime(options.arch or best_device(ARCHS)) as runtime:  # for which the demo has a module
        fluid = Fluid(runtime, options.size)
        device = visible_devices(runtime.arch)[runtime.device_index]
        if not options.json:
            write(f"device: {device.name} ({runtime.arch}, {device.kind})")
        seconds = _show(fluid, out, steps)
    launches = steps * LAUNCHES_PER_STEP
    if options.json:
        print_json(
            {
                "arch": str(device.arch),
                "device": device.name,
                "size": options.size,
                "steps": steps,
                "launches": launches,
                "seconds": seconds,
                "out": str(out),
            }
        )
    else:
        rate = launches / seconds
        write(f"{launches} kernel launches in {seconds:.2f} s: {rate:,.0f} launches/s\nwrote {out}")
    return OK


def _show(fluid: Fluid, out: Path, steps: int) -> float:
    """Run steps, with their progress on a terminal, and write the pictures; return the seconds without these."""
    animated = out.suffix.lower() == ".gif"
    each = max(STEPS_PER_FRAME, -(-steps // MOST_FRAMES)) if animated else STEPS_PER_FRAME
    frames: list[PilImage] = []
    seconds = 0.0
    with StatusLine(sys.stderr) as line:
        for done in range(0, steps, each):
            line.show(f"step {done:,} of {steps:,} ({done * 100 // steps} %)")
            begin = time.perf_counter()
            fluid.advance(min(each, steps - done))
            seconds += time.perf_counter() - begin
            if animated:
                frames.append(fluid.picture().quantize())
    file = io.BytesIO()
    if animated:
        frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=MILLISECONDS, loop=0)
    else:
        fluid.picture().save(file, "PNG")
    write_whole(out, file.getvalue())
    return seconds
