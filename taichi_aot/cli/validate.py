"""The command ``validate``: reads, loads and launches a module in child processes and reports what happened."""

from __future__ import annotations

import argparse

from .. import isolated
from ..enums import Arch

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read a module, load it, and launch each kernel and graph once with small made-up arguments, each in a child "
        "process with limits. The exit status is 0 if all that could be run ended well."
    )
    parser.add_argument("module", help="a folder, a .tcm archive or a bundle")
    parser.add_argument("--arch", choices=[str(arch) for arch in Arch], help="default: the best that the module is for")


def run(options: argparse.Namespace) -> int:
    report = isolated.validate(str(options.module), options.arch)
    print(report)
    return 0 if report.ok else 1
