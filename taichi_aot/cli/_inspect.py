"""The command ``inspect``: shows the contents of a module or bundle."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import Any

from ..adopt.modules._read import inspect, read_plan
from ..backends._devices import CPU_ARCH
from ..backends._table import BACKENDS
from ..bundle._info import GraphInfo, KernelInfo, ModuleInfo, TaskInfo, describe_ptx
from ..bundle._source import Source
from ..values._enums import Arch
from ..values._errors import IncompatibleModuleError, NameNotFoundError
from ..values._items import did_you_mean
from ..values._wording import count
from ._options import add_arch, add_json, add_module
from ._output import OK, print_json, table, without_accessors, write

STDIN = "-"
MAX_BYTES = 1 << 30  # of the standard input


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show the contents of a module or bundle: kernels and graphs with their parameters, fields, and the "
        "requirements on the device. This does not need a device or the C library."
    )
    add_module(parser, ", or - for the standard input")
    add_arch(parser, "all archs of a bundle", [*map(str, Arch), "cpu"])
    help = "show this kernel or graph, with its tasks or dispatches"
    parser.add_argument("--kernel", metavar="NAME", help=help)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
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
        (arch, task.name, task.kind, task.grid or "", task.block or "", task.threads or "", task.loop, "; ".join(task.codes))
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
