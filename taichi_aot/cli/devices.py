"""The command ``devices``: the devices of this machine, and why an arch has none."""

from __future__ import annotations

import argparse
import json

from ..environment import device_lines, library_line, make_report

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "List the devices that a runtime can be created on, why an arch has none, and the C library in use."
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with all that a report of a problem needs")


def run(options: argparse.Namespace) -> int:
    report = make_report()
    print(json.dumps(report, indent=2) if options.json else "\n".join([*device_lines(report), library_line(report)]))
    return 0
