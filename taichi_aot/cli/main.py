"""The command line: ``python -m taichi_aot``."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from ..demo import mpm88
from ..device import visible_devices
from ..enums import Arch
from ..errors import LibraryNotFoundError, TaichiError
from ..runtime import Runtime
from .bench import bench


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m taichi_aot", description="Run Taichi AOT modules.")
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo", help="simulate a fluid with a bundled module and write a picture")
    demo.add_argument("--arch", choices=[str(arch) for arch in mpm88.ARCHS], help="default: the best device")
    demo.add_argument("--out", default="fluid.png", help="picture to write (default: %(default)s)")
    demo.add_argument("--steps", type=_positive, default=2000, help="time steps (default: %(default)s)")
    demo.add_argument("--particles", type=_positive, default=mpm88.PARTICLES, help="default: %(default)s")
    demo.set_defaults(run=_demo)
    measure = commands.add_parser(
        "bench",
        help="measure how fast a kernel or graph of any module runs",
        description="Measure how fast a kernel or graph runs with made-up arguments: numbers are 1, arrays all zeros.",
    )
    measure.add_argument("module", help="a folder or a .tcm archive")
    measure.add_argument("kernel", help="name of a kernel or graph")
    measure.add_argument(
        "--shape",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=SIZE,SIZE",
        help="shapes of arrays (default: up to a million elements in each, all dimensions alike)",
    )
    measure.add_argument(
        "--arch", choices=[str(arch) for arch in Arch], help="default: the best that the module is for"
    )
    measure.set_defaults(run=_bench)
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except (TaichiError, LibraryNotFoundError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {value}")
    return value


def _bench(options: argparse.Namespace) -> int:
    return bench(options.module, options.kernel, options.shape, options.arch)


def _demo(options: argparse.Namespace) -> int:
    missing = [name for name in ("PIL", "tqdm") if importlib.util.find_spec(name) is None]
    if missing:
        print("error: the demo needs pillow and tqdm: pip install pillow tqdm", file=sys.stderr)
        return 1
    if not Path(options.out).resolve().parent.is_dir():
        raise FileNotFoundError(f"the folder of {options.out} does not exist")
    with _demo_runtime(options.arch) as runtime:
        device = visible_devices(runtime.arch)[runtime.device_index]
        print(f"device: {device.name} ({runtime.arch}, {device.kind})", flush=True)
        print(mpm88.run(runtime, options.out, options.steps, options.particles))
    print(f"wrote {options.out}")
    return 0


def _demo_runtime(arch: str | None) -> Runtime:
    """The runtime that is asked for; by default the best device that the demo has a module for."""
    runtime = Runtime(arch)
    if arch is None and runtime.arch not in mpm88.ARCHS:
        runtime.close()
        return Runtime(Arch.X64)
    return runtime
