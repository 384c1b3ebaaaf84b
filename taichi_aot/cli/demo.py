"""The command ``demo``: the bundled fluid simulation."""

from __future__ import annotations

import argparse
import importlib.util

from ..demo import mpm88
from ..device import visible_devices
from ..enums import Arch
from ..runtime import Runtime
from .codes import OK
from .options import add_arch, output_file, positive
from .output import write

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    add_arch(parser, "the best device")
    parser.add_argument(
        "--out",
        type=output_file(".png"),
        default="fluid.png",
        metavar="FILE.png",
        help="picture to write (default: %(default)s)",
    )
    parser.add_argument("--steps", type=positive, default=2000, help="time steps (default: %(default)s)")
    parser.add_argument("--particles", type=positive, default=mpm88.PARTICLES, help="default: %(default)s")


def run(options: argparse.Namespace) -> int:
    if any(importlib.util.find_spec(name) is None for name in ("PIL", "tqdm")):
        raise ModuleNotFoundError("the demo needs pillow and tqdm: pip install pillow tqdm")
    with _make_runtime(options.arch) as runtime:
        device = visible_devices(runtime.arch)[runtime.device_index]
        write(f"device: {device.name} ({runtime.arch}, {device.kind})")
        write(mpm88.run(runtime, options.out, options.steps, options.particles))
    write(f"wrote {options.out}")
    return OK


def _make_runtime(arch: str | None) -> Runtime:
    """A runtime on the requested arch; by default on the best device that the demo has a module for."""
    runtime = Runtime(arch)
    if arch is None and runtime.arch not in mpm88.ARCHS:
        runtime.close()
        return Runtime(Arch.X64)
    return runtime
