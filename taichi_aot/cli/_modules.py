"""The commands ``devices``, ``inspect``, ``validate``, ``bundle`` and ``python``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .. import isolated
from ..adopt._make import inspect, join, read_plan, read_sources, verify
from ..adopt._module import ParsedModule
from ..backends._devices import BACKENDS, CPU_ARCH, best_device, visible_devices
from ..build.output._python import can_import, make_python, path_from, require_own
from ..bundle._files import Source
from ..bundle._info import GraphInfo, KernelInfo, ModuleInfo, TaskInfo, describe_ptx
from ..driver._files import write_whole
from ..driver._library import library_path
from ..isolated._validate import Outcome, Report, Step, with_remedy
from ..runtime._environment import Report as MachineReport
from ..runtime._environment import library_line, make_report
from ..values._errors import IncompatibleModuleError, NameNotFoundError, NotSupportedError, TaichiError, count
from ..values._items import did_you_mean
from ..values._numbers import Arch
from ._output import (
    CANNOT_RUN,
    NO,
    OK,
    CrashedError,
    add_arch,
    add_archs,
    add_json,
    add_module,
    add_timeout,
    find_arch,
    for_command_line,
    nonempty,
    output_file,
    print_json,
    table,
    without_accessors,
    write,
)

# The command ``devices``: lists the devices of this machine, and the reasons for missing ones.


def configure_devices(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "List the devices for runtimes with the versions of their drivers, best first: a program that names no device "
        "uses the first one. State the reason if an arch does not have a device, and the C library in use. The exit "
        "status is 3 if the devices, or a library that the package was built with, cannot be found."
    )
    add_json(parser, "JSON, with all details for a bug report")


def run_devices(options: argparse.Namespace) -> int:
    report = make_report()
    if options.json:
        print_json(report)
    else:
        _print_devices(report)
    needs_library = not report["versions"]["taichi_aot"].endswith("+without.library")
    return CANNOT_RUN if report["error"] or (needs_library and report["library"]["error"]) else OK


def _print_devices(report: MachineReport) -> None:
    rows = [
        (d["arch"], d["index"], d["kind"], f"{d['name']}{' (default)' * d['default']}", d["driver"])
        for d in report["devices"]
    ]
    if rows:
        table(("arch", "number", "kind", "name", "driver"), rows)
    for arch, reason in report["missing"].items():
        write(f"{arch}: not available, {reason}")
    if report["error"]:
        write(f"devices: {report['error']}")
    write(library_line(report["library"]))
    write(", ".join(f"{name} {report['versions'][name]}" for name in ("taichi_aot", "python", "numpy", "cffi")))


# The command ``inspect``: shows the contents of a module or bundle.


STDIN = "-"
MAX_BYTES = 1 << 30  # of the standard input


def configure_inspect(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show the contents of a module or bundle: kernels and graphs with their parameters, fields, and the "
        "requirements on the device. This does not need a device or the C library."
    )
    add_module(parser, ", or - for the standard input")
    add_arch(parser, "all archs of a bundle", [*map(str, Arch), "cpu"])
    help = "show this kernel or graph, with its tasks or dispatches"
    parser.add_argument("--kernel", metavar="NAME", help=help)
    add_json(parser)


def run_inspect(options: argparse.Namespace) -> int:
    source = _source(options.module)
    info = _info(source, options.arch)
    if options.kernel is not None:
        find(info, options.kernel)
    if options.json:
        print_json(info.to_dict() if options.kernel is None else _named(source, info, options.kernel))
    elif options.kernel is not None:
        _print_kernel(info, options.kernel)
        _print_machine_code(info, options.kernel)
        for arch, recording in _recordings(source, info, options.kernel).items():
            write(f"launches on {arch}: {recording}")
    else:
        _print_module(info)
    return OK


def _source(text: str) -> Source:
    """Return the path of a module, or its bytes from the standard input."""
    if text != STDIN:
        return text
    data = bytearray(sys.stdin.buffer.read(MAX_BYTES + 1))  # bytes could be taken for a path
    if len(data) > MAX_BYTES:
        raise ValueError(f"the standard input has more than {MAX_BYTES:,} bytes")
    return data


def _info(source: Source, word: str | None) -> ModuleInfo:
    """Return the contents of a module, of a bundle those of the stated arch."""
    if word is None:
        return inspect(source)
    try:
        return inspect(source, CPU_ARCH if word == "cpu" else Arch(word))
    except IncompatibleModuleError as error:
        inspect(source)  # raises if no arch would do
        raise ValueError(str(error)) from None


def find(info: ModuleInfo, name: str | None) -> KernelInfo | GraphInfo:
    found = None if name is None else info.kernels.get(name) or info.graphs.get(name)
    if found is not None:
        return found
    both: dict[str, Iterable[str]] = {"kernels": info.kernels, "graphs": info.graphs}
    present = [f"{what} {', '.join(names)}" for what, names in both.items() if names]
    has = f"it has {' and '.join(present) or 'neither'}"
    if name is None:
        raise NameNotFoundError(f"name a kernel or graph after the module; {has}")
    hint = did_you_mean(name, [*info.kernels, *info.graphs])
    raise NameNotFoundError(f"the module has no kernel or graph {name!r}, {has}{hint}")


def _print_module(info: ModuleInfo) -> None:
    write(str(info))
    for what, reasons in (("machine code", info.not_native), ("PTX", info.not_ptx)):
        if reasons:
            write(f"kernels without {what}:")
            table(("kernel", "reason: it"), without_accessors(reasons), indent=4)
    if info.modules:
        write("modules:")
        table(
            ("arch", "tasks", "memory for fields", "needs"),
            [
                (arch, sum(len(kernel.tasks) for kernel in module.kernels.values()), size, _needs(module))
                for arch, module in info.modules.items()
                for size in [f"{module.root_buffer_size:,} bytes" if module.has_fields else "none"]
            ],
            indent=4,
        )


def _needs(info: ModuleInfo) -> str:
    """Return a module's requirements of the device, for one arch."""
    threads = {kernel.cpu_threads for kernel in info.kernels.values()} - {None}
    checks = "; checks indices and asserts" if any(kernel.checked for kernel in info.kernels.values()) else ""
    if threads:
        return f"at most {max(filter(None, threads))} CPU threads{checks}"
    if not any(info.spirv_version):
        return checks.removeprefix("; ")
    return ", ".join([f"SPIR-V {'.'.join(map(str, info.spirv_version))}", *info.capabilities])


def _print_kernel(info: ModuleInfo, name: str) -> None:
    found = find(info, name)
    write(str(found.signature))
    if found.doc:
        write(f"    {found.doc.strip()}")
    if isinstance(found, GraphInfo):
        write(f"{len(found.dispatches)} dispatches:")
        for dispatch in found.dispatches:
            write(f"    {dispatch.kernel}({', '.join(dispatch.arguments)})")
        return
    if found.names_of:
        write(
            f"    the module states the parameter names of {found.names_of}, which has the same code, and not its own"
        )
    if found.file:
        write(f"    {found.file}, line {found.line}")
    rows = [
        (arch, *task[:2], *(number or "" for number in task[2:5]), task.loop, "; ".join(task.codes))
        for arch, module in _modules(info).items()
        for task in module.kernels[name].tasks
    ]
    write(f"{count(rows, 'task')}:")
    table(("arch", *TaskInfo._fields), rows, indent=4)
    for arch, module in _modules(info).items():
        for begin, end, condition in module.kernels[name].repeats:
            number = found.signature.parameters[condition].name
            write(f"    {arch}: repeats tasks {begin} to {end - 1} until {number} is 0")


def _print_machine_code(info: ModuleInfo, name: str) -> None:
    """Print whether a kernel has machine code and PTX, for what, or why it has none."""
    if name in info.graphs:
        return
    if info.native_targets or info.not_native:
        reason = info.not_native.get(name)
        write(f"no machine code: it {reason}" if reason else f"machine code for {', '.join(info.native_targets)}")
    if info.ptx_targets:
        reason = info.not_ptx.get(name)
        write(f"no PTX: it {reason}" if reason else describe_ptx(info.ptx_targets))


def _modules(info: ModuleInfo) -> dict[str, ModuleInfo]:
    """Return the modules by arch; several archs can share a module."""
    if info.modules:
        return {str(arch): module for arch, module in info.modules.items()}
    return {", ".join(map(str, info.archs)) or info.family: info}


def _recordings(source: Source, info: ModuleInfo, name: str) -> dict[str, str]:
    """Return how a kernel or graph is launched on each arch that can do without the library: see `Kernel.recording`."""
    found: dict[str, str] = {}
    for each in info.archs:
        code = BACKENDS[each].code if each in BACKENDS else None
        if code is not None and code.recording:
            plan, is_graph = read_plan(source, each), name in info.graphs
            found[str(each)] = code.describe_recording(plan.why_by_library(name, is_graph=is_graph))
    return found


def _named(source: Source, info: ModuleInfo, name: str) -> dict[str, Any]:
    """Return a kernel or graph for JSON; for a bundle, also its form on each arch."""
    modules = {str(arch): find(module, name).to_dict() for arch, module in info.modules.items()}
    return {**find(info, name).to_dict(), "recording": _recordings(source, info, name), "modules": modules}


# The command ``validate``: reads, loads and launches a module in child processes, and reports the outcome.


VALIDATE_TIMEOUT = 60.0  # seconds


def configure_validate(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read a module, load it, and launch each kernel and graph once with small made-up arguments. Each step is a "
        "child process with limits on time and memory. The exit status is 0 if all steps that could run succeeded, 4 "
        "if a process crashed, 1 if something else failed."
    )
    add_module(parser)
    add_archs(parser, "the archs of a bundle that this machine has, else the best arch of the module")
    add_timeout(parser, VALIDATE_TIMEOUT, "each step")
    add_json(parser)


def run_validate(options: argparse.Namespace) -> int:
    library_path()
    archs = _find_archs(options.module, options.arch)
    reports = [isolated.validate(options.module, each, timeout=options.timeout) for each in archs]
    ok = all(report.ok for report in reports)
    if options.json:
        print_json({"ok": ok, "reports": [report.to_dict() for report in reports]})
    else:
        write(for_command_line("\n".join(map(str, reports))))
    crashed = [
        _describe(report, step) for report in reports for step in report.steps if step.outcome is Outcome.CRASHED
    ]
    if crashed:
        raise CrashedError(with_remedy("; ".join(crashed)))
    return OK if ok else NO


def _find_archs(module: str, words: Sequence[str] | None) -> list[Arch | None]:
    """Return the archs to try; only None if the module cannot be read or is damaged, which the report describes."""
    try:
        info = inspect(module)
    except TaichiError:
        return [None]
    try:
        if words is not None:
            return [best_device((each,)).arch for each in dict.fromkeys(map(find_arch, words))]
        return [each for each in info.modules if visible_devices(each)] or [isolated.choose_arch(info)]
    except NotSupportedError:
        try:
            verify(module)  # this needs no device
        except TaichiError:
            return [None]
        raise


def _describe(report: Report, step: Step) -> str:
    what = f"{step.action} {step.name} of {report.source}" if step.name else f"{step.action}ing {report.source}"
    return f"{what} ended its process{f' on {report.arch}' if report.arch else ''}: {step.message}"


# The command ``bundle``: joins modules for several archs into a bundle.


def configure_bundle(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Join modules of the same kernels for several archs, for example from several machines, into one bundle "
        "(.tib). The output may be one of the inputs. The same modules give the same bytes."
    )
    parser.add_argument(
        "module",
        nargs="+",
        type=nonempty,
        metavar="[ARCH=]MODULE",
        help="a .tcm archive, a folder or a bundle; SPIR-V modules are for vulkan unless ARCH is given",
    )
    parser.add_argument(
        "-o", "--output", required=True, type=output_file(".tib"), metavar="FILE.tib", help="the bundle to write"
    )
    add_json(parser, "the result as JSON")


def run_bundle(options: argparse.Namespace) -> int:
    modules: dict[Arch, ParsedModule] = {}
    origins: dict[Arch, str] = {}
    for text in options.module:
        name, separator, rest = text.partition("=")
        arch, path = (Arch(name), rest) if separator and name in map(str, Arch) else (None, text)
        for each, module in read_sources(path, arch).items():
            if each in modules:
                raise ValueError(
                    f"{origins[each]} and {path} are both for {each}; a bundle takes one module of each arch"
                )
            modules[each], origins[each] = module, path
    data = join(modules).data
    write_whole(options.output, data)
    if options.json:
        print_json({"path": str(options.output), "size": len(data), "archs": list(map(str, inspect(data).archs))})
    else:
        write(f"{options.output}: {len(data):,} bytes, {str(inspect(data)).splitlines()[0]}")
    return OK


# The command ``python``: writes a Python module that loads a bundle, with the types of its kernels.


def configure_python(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write the Python module of a bundle that exists already; `build --python` writes it together with the bundle. "
        "Programs import it to load the bundle, and type checkers know its kernels."
    )
    add_module(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=output_file(".py"),
        metavar="FILE.py",
        help="file to write, in the folder of MODULE or above it (default: the standard output)",
    )


def run_python(options: argparse.Namespace) -> int:
    module = Path(options.module)
    output = Path(os.path.abspath(module)).with_suffix(".py") if options.output is None else Path(options.output)
    if options.output is not None and not can_import(output):
        raise ValueError(f"--output is a .py file that programs can import, not {str(options.output)!r}")
    text = make_python(inspect(options.module), path_from(output, module))
    if options.output is None:
        write(text, end="")
    else:
        require_own(output)
        write_whole(options.output, text.encode())
    return OK
