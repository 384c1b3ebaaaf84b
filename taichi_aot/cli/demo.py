"""The command ``demo``: programs with bundled modules, which write pictures."""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from pathlib import Path

from ..demo import PROGRAMS
from ..demo.program import ARCHS, SUFFIXES, show
from ..device import visible_devices
from ..enums import Arch
from ..runtime import Runtime

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", choices=tuple(PROGRAMS), default="mpm88", help="default: %(default)s")
    parser.add_argument("--list", action="store_true", help="list the demos and what they write")
    parser.add_argument("--arch", choices=[str(arch) for arch in ARCHS], help="default: the best device")
    parser.add_argument("--out", type=_picture, help="picture (.png) or animation (.gif); default: see --list")
    parser.add_argument("--steps", type=_positive, help="time steps, frames, rounds or passes; default: see --list")
    parser.add_argument("--size", type=_positive, help="of the simulation or the picture; default: see --list")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {value}")
    return value


def _picture(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in SUFFIXES:
        raise argparse.ArgumentTypeError(f"{text} does not end in {' or '.join(SUFFIXES)}")
    if not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"the folder of {text} does not exist")
    return path


def run(options: argparse.Namespace) -> int:
    if options.list:
        return _list(options.json)
    if any(importlib.util.find_spec(name) is None for name in ("PIL", "tqdm")):
        print("error: the demo needs pillow and tqdm: pip install pillow tqdm", file=sys.stderr)
        return 1
    kind = PROGRAMS[options.name]
    out = options.out or Path(kind.out)
    steps, size = options.steps or kind.steps, options.size or kind.size
    kind.require_size(size)
    with _make_runtime(options.arch) as runtime:
        device = visible_devices(runtime.arch)[runtime.device_index]
        if not options.json:
            print(f"device: {device.name} ({runtime.arch}, {device.kind})", flush=True)
        done = show(kind(runtime, size), out, steps, f"{options.name}: {size} {kind.size_of}")
    rate = done.launches / done.seconds
    if options.json:
        answer = {"demo": options.name, "arch": str(device.arch), "device": device.name, "size": size, "steps": steps}
        print(json.dumps({**answer, "launches": done.launches, "seconds": done.seconds, "out": str(out)}, indent=2))
    else:
        print(f"{done.launches} kernel launches in {done.seconds:.2f} s: {rate:,.0f} launches/s\nwrote {out}")
    return 0


def _list(as_json: bool) -> int:
    rows = [
        {"demo": name, "shows": kind.summary, "writes": kind.out, "steps": kind.steps, "size": kind.size}
        for name, kind in PROGRAMS.items()
    ]
    if as_json:
        print(json.dumps(rows, indent=2))
    else:
        for name, kind in PROGRAMS.items():
            print(f"{name:7} {kind.summary}: {kind.out}, {kind.steps} steps, {kind.size:,} {kind.size_of}")
    return 0


def _make_runtime(arch: str | None) -> Runtime:
    """A runtime on the requested arch; by default on the best device that the demos have modules for."""
    runtime = Runtime(arch)
    if arch is None and runtime.arch not in ARCHS:
        runtime.close()
        return Runtime(Arch.X64)
    return runtime
