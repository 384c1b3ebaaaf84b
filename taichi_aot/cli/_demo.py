"""The command ``demo``: runs the bundled simulation of a fluid, and writes pictures of it."""

from __future__ import annotations

import argparse
import importlib.util
import io
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ..backends._devices import best_device, visible_devices
from ..demo.mpm88 import ARCHS, PARTICLES, Fluid
from ..driver._files import write_whole
from ..runtime._runtime import Runtime
from ._options import add_arch, add_json, output_file, positive
from ._output import OK, StatusLine, print_json, write

if TYPE_CHECKING:
    from PIL.Image import Image

STEPS = 2000
MOST_STEPS = 1_000_000
STEPS_PER_FRAME = 50
MOST_FRAMES = 2000  # of an animation: they stay in memory until it is written
MILLISECONDS = 50  # per frame
LAUNCHES_PER_STEP = 4  # kernels that the graph of a step dispatches
PICTURE = output_file(".png", ".gif")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = "Simulate a dam of fluid that bursts into a box, and write a picture or an animation."
    add_arch(parser, "the best device")
    parser.add_argument(
        "--out", type=PICTURE, metavar="FILE", help="picture (.png) or animation (.gif) to write (default: fluid.png)"
    )
    parser.add_argument("--steps", type=positive, default=STEPS, metavar="N", help="time steps (default: %(default)s)")
    parser.add_argument(
        "--size", type=positive, default=PARTICLES, metavar="N", help="particles (default: %(default)s)"
    )
    add_json(parser, "the result as JSON")


def run(options: argparse.Namespace) -> int:
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
    frames: list[Image] = []
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
