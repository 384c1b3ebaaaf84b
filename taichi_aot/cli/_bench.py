"""The command ``bench``: measures a kernel or graph on several archs, and compares results."""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays._image import Image
from ..arrays._ndarray import NdArray
from ..driver._files import write_whole
from ..formats._read import inspect
from ..runtime._benchmark import benchmark
from ..runtime._environment import make_report
from ..values._signature import Signature
from ..values._units import four_digits
from ._change import THRESHOLD, compare_records, read_record
from ._codes import NO, OK, code_of
from ._inspect import find
from ._launching import TIMEOUT, Arguments, Request, add_kernel, answering, ask, open_runtime, prepare, warn_if_stale
from ._options import add_archs, add_timeout, find_arch, not_negative, output_file, positive
from ._output import print_error, print_json, table, write
from ._terminal import StatusLine

__all__ = ["configure", "measure", "run"]

STARTS = 5
SECONDS = 0.4  # of measurements in each process, about
REPEATS = (5, 100)
STDOUT = "-"


class _Compare(argparse.Action):
    """Takes two files instead of a module and a kernel."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, _: Any = None
    ) -> None:
        setattr(namespace, self.dest, values)
        for action in parser._actions:
            if action.dest == "module":
                action.required = False


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Measure how fast a kernel or graph runs, or compare two results that --json FILE wrote. Arguments that are "
        "not given are made up: numbers are 1, matrices the identity, arrays all zeros. Several processes measure each "
        "arch, one process at a time, in turns with the other archs."
    )
    add_kernel(parser)
    add_archs(parser, "the best arch of the module")
    parser.add_argument(
        "--starts", type=positive, default=STARTS, metavar="N", help="processes for each arch (default: %(default)s)"
    )
    add_timeout(parser, TIMEOUT, "each process")
    parser.add_argument(
        "--json",
        nargs="?",
        const=STDOUT,
        metavar="FILE",
        help="write the result and details of the machine to a .json file, or print them as JSON",
    )
    parser.add_argument(
        "--compare",
        nargs=2,
        action=_Compare,
        metavar=("A", "B"),
        help="compare two results; exit status 1 if B is slower",
    )
    parser.add_argument(
        "--threshold",
        type=not_negative,
        default=THRESHOLD,
        metavar="PERCENT",
        help="--compare calls B slower if it is, by more than this, with 95 %% confidence (default: %(default)g)",
    )


def run(options: argparse.Namespace) -> int:
    output = _output(options.json)
    if options.compare:
        return _compare(options, output)
    signature = find(inspect(options.module), options.kernel).signature
    warn_if_stale(options.module)
    Arguments(signature, options.arguments, complete=False)
    rows, errors = _measure_all(options)
    for error in errors:
        print_error(error)
    if rows:
        _report(options, output, signature, rows)
    return max((code_of(error) or OK for error in errors), default=OK)


def _report(
    options: argparse.Namespace, output: Path | None, signature: Signature, rows: Sequence[Mapping[str, Any]]
) -> None:
    if options.json:
        record = {**_facts(options), "signature": str(signature), "rows": rows}
        _save(record, output)
    if options.json != STDOUT:
        _print(signature, rows)


def _output(text: str | None) -> Path | None:
    if text is None or text == STDOUT:
        return None
    try:
        return output_file(".json")(text)
    except argparse.ArgumentTypeError as error:
        raise ValueError(f"--json {text}: {error}; write --json last to print JSON") from None


def _save(record: object, output: Path | None) -> None:
    """Write JSON to a file, or print it."""
    if output is None:
        print_json(record)
    else:
        write_whole(output, json.dumps(record, indent=1).encode())


def _facts(options: argparse.Namespace) -> dict[str, Any]:
    """Return the module, kernel, arguments, time and machine of a measurement."""
    path = Path(options.module)
    return {
        "module": options.module,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None,
        "kernel": options.kernel,
        "arguments": sorted(options.arguments),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "cpus": os.cpu_count(),
        "machine": make_report(),
    }


def _measure_all(options: argparse.Namespace) -> tuple[list[dict[str, Any]], list[Exception]]:
    """Measure all archs; return a row for each success, and the exceptions of the others."""
    words: list[str | None] = [None]
    if options.arch:
        words = list(dict.fromkeys(str(find_arch(word)) for word in options.arch))
    answers: dict[str | None, list[dict[str, Any]]] = {word: [] for word in words}
    errors: dict[str | None, Exception] = {}
    turns = list(itertools.product(range(options.starts), words))
    line = StatusLine(sys.stderr)
    try:
        for number, (_, word) in enumerate(turns):
            line.show(f"process {number + 1} of {len(turns)}")
            request: Request = {
                "module": options.module,
                "kernel": options.kernel,
                "arguments": options.arguments,
                "arch": word,
            }
            if word not in errors:
                try:
                    answers[word].append(ask(measure, request, options.timeout))
                except Exception as error:
                    if code_of(error) is None:
                        raise
                    errors[word] = error
    finally:
        line.clear()
    return [_row(answers[word]) for word in words if word not in errors], list(errors.values())


def _row(starts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the result for an arch from the times in all its processes."""
    times = [time for start in starts for time in start["us"]]
    low, median, high = (float(x) for x in np.percentile(times, (5, 50, 95)))
    host = statistics.median(time for start in starts for time in start["host_us"])
    first = starts[0]
    return {
        "arch": first["arch"],
        "device": first["device"],
        "arrays": first["arrays"],
        "bytes": first["bytes"],
        "median_us": median,
        "p5_us": low,
        "p95_us": high,
        "host_median_us": host,
        "launches_per_s": 1e6 / median,
        "gb_per_s": first["bytes"] / median / 1000,
        "first_us": statistics.median(start["first_us"] for start in starts),
        "starts": [{name: start[name] for name in ("batch", "us", "host_us")} for start in starts],
    }


def _print(signature: Signature, rows: Sequence[Mapping[str, Any]]) -> None:
    write(str(signature))
    arrays = ", ".join(f"{name} {'x'.join(map(str, shape)) or '()'}" for name, shape in rows[0]["arrays"].items())
    if arrays:
        write(f"arrays: {arrays}; {rows[0]['bytes']:,} bytes, GB/s if each is moved once")
    table(
        ("arch", "device", "device us", "p5", "p95", "host us", "launches/s", "GB/s", "first launch ms"),
        [
            (
                row["arch"],
                row["device"],
                *(
                    four_digits(row[name])
                    for name in ("median_us", "p5_us", "p95_us", "host_median_us", "launches_per_s")
                ),
                four_digits(row["gb_per_s"]) if row["bytes"] else "",
                four_digits(row["first_us"] / 1000),
            )
            for row in rows
        ],
    )


def _compare(options: argparse.Namespace, output: Path | None) -> int:
    if options.module or options.arch:
        raise ValueError("--compare takes two results and nothing to measure")
    before, after = options.compare
    changes = compare_records(read_record(before), read_record(after), options.threshold)
    answer = {"threshold": options.threshold, "rows": [change.to_dict() for change in changes]}
    if options.json:
        _save(answer, output)
    if options.json != STDOUT:
        table(
            ("arch", "us A", "us B", "B / A", "95 % interval", ""),
            [
                (
                    change.arch,
                    four_digits(change.before),
                    four_digits(change.after),
                    f"{change.ratio:.3f}",
                    "unknown" if change.interval is None else "{:.3f} to {:.3f}".format(*change.interval),
                    change.verdict,
                )
                for change in changes
            ],
        )
    return NO if any(change.verdict == "slower" for change in changes) else OK


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
            "first_us": first * 1e6,
            "batch": result.batch,
            "us": (result.device.seconds * 1e6).tolist(),
            "host_us": (result.host.seconds * 1e6).tolist(),
        }
