"""The command ``validate``: reads, loads and launches a module in child processes, and reports the outcome."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .. import isolated
from ..adopt.modules._read import inspect
from ..adopt.modules._verify import verify
from ..backends._devices import best_device, visible_devices
from ..driver._library import library_path
from ..isolated._validate import Outcome, Report, Step, with_remedy
from ..values._enums import Arch
from ..values._errors import NotSupportedError, TaichiError
from ._options import add_archs, add_json, add_module, add_timeout, find_arch
from ._output import NO, OK, CrashedError, for_command_line, print_json, write

TIMEOUT = 60.0  # seconds


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read a module, load it, and launch each kernel and graph once with small made-up arguments. Each step is a "
        "child process with limits on time and memory. The exit status is 0 if all steps that could run succeeded, 4 "
        "if a process crashed, 1 if something else failed."
    )
    add_module(parser)
    add_archs(parser, "the archs of a bundle that this machine has, else the best arch of the module")
    add_timeout(parser, TIMEOUT, "each step")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
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
