"""The command ``devices``: lists the devices of this machine, and the reasons for missing ones."""

from __future__ import annotations

import argparse

from ..runtime._environment import Report, library_line, make_report
from ._options import add_json
from ._output import CANNOT_RUN, OK, print_json, table, write


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "List the devices for runtimes with the versions of their drivers, best first: a program that names no device "
        "uses the first one. State the reason if an arch does not have a device, and the C library in use. The exit "
        "status is 3 if the devices, or a library that the package was built with, cannot be found."
    )
    add_json(parser, "JSON, with all details for a bug report")


def run(options: argparse.Namespace) -> int:
    report = make_report()
    if options.json:
        print_json(report)
    else:
        _print(report)
    needs_library = not report["versions"]["taichi_aot"].endswith("+without.library")
    return CANNOT_RUN if report["error"] or (needs_library and report["library"]["error"]) else OK


def _print(report: Report) -> None:
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
