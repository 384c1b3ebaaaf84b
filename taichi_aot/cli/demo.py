"""The command ``demo``: the bundled fluid simulation."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from ..demo import mpm88
from ..device import visible_devices
from ..enums import Arch
from ..runtime import Runtime

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--arch", choices=[str(arch) for arch in mpm88.ARCHS], help="default: the best device")
    parser.add_argument("--out", default="fluid.png", help="picture to write (default: %(default)s)")
    parser.add_argument("--steps", type=_positive, default=2000, help="time steps (default: %(default)s)")
    parser.add_argument("--particles", type=_positive, default=mpm88.PARTICLES, help="default: %(default)s")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {value}")
    return value


def run(options: argparse.Namespace) -> int:
    if any(importlib.util.find_spec(name) is None for name in ("PIL", "tqdm")):
        print("error: the demo needs pillow and tqdm: pip install pillow tqdm", file=sys.stderr)
        return 1
    if not Path(options.out).resolve().parent.is_dir():
        raise FileNotFoundError(f"the folder of {options.out} does not exist")
    with _make_runtime(options.arch) as runtime:
        device = visible_devices(runtime.arch)[runtime.device_index]
        print(f"device: {device.name} ({runtime.arch}, {device.kind})", flush=True)
        print(mpm88.run(runtime, options.out, options.steps, options.particles))
    print(f"wrote {options.out}")
    return 0


def _make_runtime(arch: str | None) -> Runtime:
    """A runtime on the requested arch; by default on the best device that the demo has a module for."""
    runtime = Runtime(arch)
    if arch is None and runtime.arch not in mpm88.ARCHS:
        runtime.close()
        return Runtime(Arch.X64)
    return runtime
