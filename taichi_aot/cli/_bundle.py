"""The command ``bundle``: joins modules for several archs into a bundle."""

from __future__ import annotations

import argparse

from ..adopt.modules._make import SourceModule, join, read_sources
from ..adopt.modules._read import inspect
from ..driver._files import write_whole
from ..values._enums import Arch
from ._options import add_json, nonempty, output_file
from ._output import OK, print_json, write


def configure(parser: argparse.ArgumentParser) -> None:
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


def run(options: argparse.Namespace) -> int:
    modules: dict[Arch, SourceModule] = {}
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
