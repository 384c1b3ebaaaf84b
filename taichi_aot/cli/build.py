"""The command ``build``: compiles a file of kernels for several archs into one file."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import threading
from typing import TextIO

from ..build import BuildError, CudaDevice, Progress, build
from ..build._cuda import device_here
from ..enums import Arch

__all__ = ["ProgressLine", "configure", "run"]

CUDA_OPTIONS = {
    "capability": "compute capability, ten times",
    "multiprocessors": "multiprocessors",
    "blocks": "blocks that a multiprocessor can hold",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compile the exported kernels of a Python file, each arch in a child process, and write them to one file. "
        "This machine needs taichi (pip install 'taichi_aot[build]'), those that run the kernels do not."
    )
    parser.add_argument("source", help="a .py file with exported kernels, or the dotted name of a module")
    parser.add_argument(
        "-o", "--output", help="a bundle (.tib, default: NAME.tib here), or the module of one arch (.tcm)"
    )
    parser.add_argument(
        "--arch",
        metavar="ARCH,...",
        help=f"of {', '.join(map(str, Arch))}; default: the CPU, vulkan and cuda, as far as they can be built here",
    )
    parser.add_argument(
        "--cpu-threads", type=int, metavar="N", help="CPU threads that a kernel uses at most (default: 16)"
    )
    parser.add_argument(
        "--caps",
        metavar="NAME,...",
        help="what devices of vulkan, opengl, gles and metal must have: spirv_has_float64,spirv_version=1.5 and so on",
    )
    cuda = parser.add_argument_group("the CUDA device to compile for", "See docs/build-devices.md.")
    for name, text in CUDA_OPTIONS.items():
        cuda.add_argument(
            f"--cuda-{name}", type=int, metavar="N", help=f"{text} (default: {getattr(CudaDevice(), name)})"
        )
    cuda.add_argument("--cuda-device", action="store_true", help="that of this machine")
    parser.add_argument("--stubs", metavar="FILE.pyi", help="also write a typed stub of the kernels")
    parser.add_argument(
        "--timeout", type=float, default=600.0, metavar="S", help="limit for each arch (default: 600 s)"
    )
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")


def run(options: argparse.Namespace) -> int:
    line = ProgressLine(sys.stderr)
    try:
        result = build(
            options.source,
            options.output,
            archs=None if options.arch is None else _archs(options.arch),
            cpu_threads=options.cpu_threads,
            caps=options.caps.split(",") if options.caps else None,
            stubs=options.stubs,
            cuda_device=_cuda_device(options),
            progress=line.update if line.is_shown else None,
            timeout=options.timeout,
        )
    except BuildError as error:
        line.clear()
        print(f"error: {error}", file=sys.stderr)
        return 1
    finally:
        line.clear()
    for warning in result.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    if options.json:
        print(json.dumps(result.to_dict(), indent=1, ensure_ascii=False))
        return 0
    print(result)
    for each in result.modules:
        memory = f", {each.peak_memory / 2**20:.0f} MiB" if each.peak_memory else ""
        print(f"    {each.arch}: {each.size:,} bytes, {each.seconds:.1f} s{memory}")
    for arch, reason in result.skipped.items():
        print(f"    {arch}: not built: {reason}")
    return 0


def _archs(text: str) -> list[str]:
    names = text.split(",")
    if not all(names):
        raise ValueError(f"--arch is names with commas between them, such as x64,vulkan, not {text!r}")
    return names


def _cuda_device(options: argparse.Namespace) -> CudaDevice | None:
    given = {name: value for name in CUDA_OPTIONS if (value := getattr(options, f"cuda_{name}")) is not None}
    if not options.cuda_device:
        return CudaDevice(**given) if given else None
    if given:
        raise ValueError(f"--cuda-device takes all values of the device; leave --cuda-{next(iter(given))} out")
    device = device_here()
    if device is None:
        raise ValueError("this machine does not have a CUDA device; leave --cuda-device out")
    return device


class ProgressLine:
    """A line of a terminal that shows how far each arch is."""

    def __init__(self, stream: TextIO) -> None:
        self.is_shown: bool = stream.isatty()
        self._stream = stream
        self._archs: dict[Arch, str] = {}
        self._lock = threading.Lock()

    def update(self, progress: Progress) -> None:
        """Show the progress of an arch."""
        state = f"{progress.done}/{progress.total} {progress.name}" if progress.name else "done"
        with self._lock:
            self._archs[progress.arch] = f"{progress.arch}: {state}"
            text = "   ".join(self._archs.values())[: shutil.get_terminal_size().columns - 1]
            print(f"\r\x1b[K{text}", end="", file=self._stream, flush=True)

    def clear(self) -> None:
        """Make the line empty."""
        with self._lock:
            if self._archs:
                print("\r\x1b[K", end="", file=self._stream, flush=True)
                self._archs.clear()
