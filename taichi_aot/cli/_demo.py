"""The command ``demo``: runs bundled programs that write pictures."""

from __future__ import annotations

import argparse
import difflib
import importlib.util
import sys
from pathlib import Path

from ..backends._devices import ArchLike, visible_devices
from ..demo import PROGRAMS
from ..demo.program import ARCHS, SUFFIXES, Outcome, Program, show
from ..runtime._runtime import Runtime
from ..values._enums import Arch
from ..values._wording import short
from ._codes import OK
from ._options import add_arch, add_json, output_file, positive
from ._output import print_json, table, write
from ._terminal import StatusLine

__all__ = ["configure", "run"]

MOST_STEPS = 1_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = "Run one of the bundled programs, and write its result as a picture or an animation."
    parser.add_argument(
        "name",
        nargs="?",
        type=_name,
        choices=tuple(PROGRAMS),
        default="mpm88",
        metavar="DEMO",
        help=f"{', '.join(PROGRAMS)} (default: %(default)s)",
    )
    parser.add_argument("--list", action="store_true", help="list the demos, what they write, and their defaults")
    add_arch(parser, "the best device")
    parser.add_argument(
        "--out", type=output_file(*SUFFIXES), metavar="FILE", help="picture (.png) or animation (.gif) to write"
    )
    parser.add_argument(
        "--steps", type=positive, metavar="N", help="time steps, frames, rounds or passes (default: see --list)"
    )
    parser.add_argument(
        "--size", type=positive, metavar="N", help="particles, bodies, cells or pixels a side (default: see --list)"
    )
    add_json(parser, "the list or the result as JSON")


def _name(text: str) -> str:
    """Read the name of a demo, which a word for what it shows may suggest."""
    if text in PROGRAMS:
        return text
    words = {program.__name__.lower(): name for name, program in PROGRAMS.items()}
    known = ", ".join(f"{name}{f' ({word})' * (word != name)}" for word, name in words.items())
    near = difflib.get_close_matches(text.lower(), [*words, *PROGRAMS], n=1)
    hint = f"; did you mean {words.get(near[0], near[0])!r}?" if near else ""
    raise argparse.ArgumentTypeError(f"unknown demo {short(text)}; known are {known}{hint}")


def run(options: argparse.Namespace) -> int:
    if options.list:
        return _list(options.json)
    if importlib.util.find_spec("PIL") is None:
        raise ModuleNotFoundError("the demo needs pillow: pip install pillow")
    program = PROGRAMS[options.name]
    out = options.out or output_file(*SUFFIXES)(program.out)
    steps, size = options.steps or program.steps, options.size or program.size
    program.require_size(size)
    if steps > MOST_STEPS:
        raise ValueError(f"the steps are 1 to {MOST_STEPS:,}, not {steps:,}")
    with _make_runtime(options.arch) as runtime:
        demo = program(runtime, size)
        device = visible_devices(runtime.arch)[runtime.device_index]
        if not options.json:
            write(f"device: {device.name} ({runtime.arch}, {device.kind})")
        done = _show(demo, out, steps, f"{options.name}: {size:,} {program.size_of}")
    if options.json:
        print_json(
            {
                "demo": options.name,
                "arch": str(device.arch),
                "device": device.name,
                "size": size,
                "steps": steps,
                "launches": done.launches,
                "seconds": done.seconds,
                "out": str(out),
            }
        )
    else:
        rate = done.launches / done.seconds
        write(f"{done.launches} kernel launches in {done.seconds:.2f} s: {rate:,.0f} launches/s\nwrote {out}")
    return OK


def _show(demo: Program, out: Path, steps: int, label: str) -> Outcome:
    """Run a demo and write its pictures, with its progress on a terminal."""
    line = StatusLine(sys.stderr)
    try:
        return show(
            demo, out, steps, lambda done: line.show(f"{label}, step {done:,} of {steps:,} ({done * 100 // steps} %)")
        )
    finally:
        line.clear()


def _list(as_json: bool) -> int:
    if as_json:
        print_json(
            [
                {"demo": name, "shows": program.summary, "out": program.out, "steps": program.steps}
                | {"size": program.size, "size_of": program.size_of}
                for name, program in PROGRAMS.items()
            ]
        )
    else:
        table(
            ("demo", "shows", "writes", "steps", "size"),
            [
                (name, program.summary, program.out, program.steps, f"{program.size:,} {program.size_of}")
                for name, program in PROGRAMS.items()
            ],
        )
    return OK


def _make_runtime(arch: ArchLike | None) -> Runtime:
    """Create a runtime on the requested arch; by default on the best device for which the demos have modules."""
    runtime = Runtime(arch)
    if arch is None and runtime.arch not in ARCHS:
        runtime.close()
        return Runtime(Arch.X64)
    return runtime
