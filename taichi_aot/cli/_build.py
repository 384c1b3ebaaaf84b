"""The command ``build``: compiles a file of kernels for several archs into one file."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Mapping, Sequence

from ..backends._devices import CPU_ARCH, GPU_ARCHS
from ..build._archs import TARGETS, CudaDevice, device_here
from ..build._options import KINDS, MATHS, written_as
from ..build._project import watch
from ..build.compile._children import Progress
from ..build.output._build import TIMEOUT, BuildResult, build
from ..values._errors import NotSupportedError, count
from ..values._numbers import Arch
from ._output import (
    ARCH_WORDS,
    OK,
    StatusLine,
    add_archs,
    add_json,
    add_timeout,
    nonempty,
    output_file,
    positive,
    print_error,
    print_json,
    warn,
    without_accessors,
    write,
)

OTHER_ARCHS = tuple(name for name in map(str, Arch) if name not in ARCH_WORDS)
CUDA_OPTIONS = {
    "capability": "compute capability times ten, 75 for 7.5",
    "multiprocessors": "number of multiprocessors",
    "blocks": "number of blocks that a multiprocessor can hold",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compile the exported kernels of a Python file, one child process per arch, and write them to one file. "
        "This machine needs taichi (pip install taichi==1.7.4); machines that run the kernels do not."
    )
    parser.add_argument(
        "source",
        metavar="SOURCE",
        type=nonempty,
        help="a .py file with exported kernels, or the dotted name of a module",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=output_file(".tib", ".tcm"),
        metavar="FILE",
        help="a bundle (.tib, default: NAME.tib here or beside --python), or the module of one arch (.tcm)",
    )
    add_archs(parser, "the CPU, vulkan and cuda, if they can be built here", others=OTHER_ARCHS)
    parser.add_argument(
        "--cpu-threads", type=positive, metavar="N", help="maximum number of CPU threads of a kernel (default: 16)"
    )
    parser.add_argument(
        "--caps",
        metavar="NAME,...",
        help="capabilities that devices of vulkan, opengl, gles and metal must have, such as "
        "spirv_has_float64,spirv_version=1.5",
    )
    cuda = parser.add_argument_group("the CUDA device to compile for", "See docs/build.md.")
    for name, text in CUDA_OPTIONS.items():
        cuda.add_argument(
            f"--cuda-{name}", type=positive, metavar="N", help=f"{text} (default: {getattr(CudaDevice(), name)})"
        )
    cuda.add_argument("--cuda-device", action="store_true", help="compile for the CUDA device of this machine")
    parser.add_argument(
        "--python",
        type=output_file(".py"),
        metavar="FILE.py",
        help="also write a Python module that loads the bundle, with the types of its kernels",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="run SOURCE as a program, recording its calls of kernels, and take all its kernels and fields",
    )
    parser.add_argument(
        "--debug",
        action="store_true",
        help="let kernels for the CPU and CUDA check indices and asserts, and raise what fails (slower; for tests)",
    )
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="show the frames of the compiler in errors, and all that it printed, and all loops that are not vectors",
    )
    parser.add_argument(
        "--ignore", metavar="KIND,...", help=f"do not print warnings and notes of these kinds: {', '.join(KINDS)}"
    )
    parser.add_argument(
        "--native",
        action=argparse.BooleanOptionalAction,
        help="whether the module for x64 gets the machine code of its kernels, which needs llvmlite and ziglang, and "
        "that for cuda their PTX (default: where they can be compiled)",
    )
    parser.add_argument(
        "--math",
        choices=MATHS,
        default="default",
        help="what machine code may do with floats: keep the order of sums, and call libm (exact), compute the same "
        "bits on all CPUs (default), or what is fastest on each kind of CPU (fast)",
    )
    parser.add_argument(
        "--cubins",
        metavar="NAME,...",
        help="also assemble the PTX for devices of these capabilities, such as sm_90, or native for those of this "
        "machine; this needs ptxas",
    )
    parser.add_argument(
        "--watch",
        action="store_true",
        help="build again whenever SOURCE or a file that it imports from its folder changes, until Ctrl-C",
    )
    add_timeout(parser, TIMEOUT, "each arch")
    add_json(parser, "the result as JSON")


def run(options: argparse.Namespace) -> int:
    archs = None if options.arch is None else list(map(Arch, _archs(options.arch)))
    if archs is not None:
        _require_uses(options, archs)
    cuda_device = _cuda_device(options)
    if options.source.endswith(".py") and not os.path.exists(options.source):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), options.source)
    line = StatusLine(sys.stderr)
    states: dict[Arch, str] = {}

    def show_progress(progress: Progress) -> None:
        state = f"{progress.done}/{progress.total} {progress.name}" if progress.name else "done"
        states[progress.arch] = f"{progress.arch}: {state}"
        line.show("   ".join(list(states.values())))

    def build_once() -> BuildResult:
        with line, written_as("flag"):
            return build(
                options.source,
                options.output,
                archs=archs,
                cpu_threads=options.cpu_threads,
                caps=options.caps.split(",") if options.caps else None,
                python=options.python,
                cuda_device=cuda_device,
                progress=show_progress if line.is_shown else None,
                timeout=options.timeout,
                all_kernels=options.all,
                debug=options.debug,
                verbose=options.verbose,
                ignore=options.ignore.split(",") if options.ignore else (),
                native=options.native,
                math=options.math,
                cubins=options.cubins.split(",") if options.cubins is not None else (),
            )

    if not options.watch:
        _show(build_once(), as_json=options.json)
        return OK
    for number, result in enumerate(watch(options.source, build_once)):
        if isinstance(result, BuildResult):
            _show(result, as_json=options.json)
        else:
            print_error(result)
        if not number and not options.json:
            write("watching the source; Ctrl-C ends")
    raise AssertionError  # Ctrl-C ends the loop


def _show(result: BuildResult, *, as_json: bool) -> None:
    for warning in result.warnings:
        warn(warning)
    if as_json:
        print_json(result.to_dict())
    else:
        _print(result)


def _print(result: BuildResult) -> None:
    write(str(result))
    for each in result.modules:
        memory = f", {each.peak_memory / 2**20:.0f} MiB" if each.peak_memory else ""
        write(f"    {each.arch}: {each.size:,} bytes, {each.seconds:.1f} s{memory}")
    for arch, reason in result.skipped.items():
        if arch != Arch.ARM64 or not result.native or result.not_native:  # machine code of x64 modules is for arm64 too
            write(f"    {arch}: not built: {reason}")
    _print_without("x64", "machine code", result.native, result.not_native)
    _print_without("cuda", "PTX", result.ptx, result.not_ptx)
    for note in result.notes:
        write(f"    x64: {note}")
    if result.taken:
        write(f"took {count(result.taken, 'kernel')}:")
        for name, place in result.taken.items():
            write(f"    {name} ({place})")
    if result.left_out:
        write(f"left out {len(result.left_out)}:")
        for name, reason in result.left_out.items():
            write(f"    {name} ({reason})")


def _print_without(arch: str, what: str, others: Sequence[str], reasons: Mapping[str, str]) -> None:
    """Print which kernels for an arch have no machine code or PTX, and why: a line for each reason."""
    kernels: dict[str, list[str]] = {}
    for name, reason in without_accessors(reasons):
        kernels.setdefault(reason, []).append(name)
    for reason, names in kernels.items():
        which = f" of {', '.join(names)}" if others or len(kernels) > 1 else ""
        write(f"    {arch}: no {what}{which}: it {reason}")


def _archs(words: Sequence[str]) -> list[str]:
    # Here ``gpu`` means all GPU archs of this package, because a build does not need a GPU.
    meaning = {"cpu": [str(CPU_ARCH)], "gpu": list(map(str, GPU_ARCHS))}
    return list(dict.fromkeys(name for word in words for name in meaning.get(word, [word])))


def _require_uses(options: argparse.Namespace, archs: Sequence[Arch]) -> None:
    """Raise for options that do not apply to any of the archs."""
    cuda = [f"cuda_{name}" for name in (*CUDA_OPTIONS, "device")]
    targets = [TARGETS[each] for each in archs]
    uses = (
        (["debug"], "CPUs and cuda", any(each.has_checks for each in targets)),
        (["cpu_threads"], "CPUs", any(each.uses_cpu_threads for each in targets)),
        (["caps"], "vulkan, opengl, gles and metal", any(each.uses_caps for each in targets)),
        ([*cuda, "cubins"], "cuda", any(each.uses_cuda_device for each in targets)),
    )
    for names, others, is_used in uses:
        given = next((name for name in names if getattr(options, name)), None)
        if given and not is_used:
            option = f"--{given.replace('_', '-')}"
            raise ValueError(f"{option} is for {others}, which --arch {','.join(map(str, archs))} leaves out")


def _cuda_device(options: argparse.Namespace) -> CudaDevice | None:
    given = {name: value for name in CUDA_OPTIONS if (value := getattr(options, f"cuda_{name}")) is not None}
    if not options.cuda_device:
        return CudaDevice(**given) if given else None
    if given:
        raise ValueError(f"--cuda-device takes all values of the device; leave --cuda-{next(iter(given))} out")
    device = device_here()
    if device is None:
        raise NotSupportedError("this machine does not have a CUDA device; leave --cuda-device out")
    return device
