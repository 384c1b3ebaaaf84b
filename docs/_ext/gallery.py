"""The directive ``gallery-program``: tabs with a program's picture on each arch, which the build makes, and its source.

The pictures stay in ``docs/gallery/made`` and are made again when the program or its kernels are newer.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import ClassVar, NamedTuple

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata, OptionSpec

import taichi_aot

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "gallery"
DEMOS = ROOT / "taichi_aot" / "demo"
MADE = ROOT / "docs" / "gallery" / "made"
ARCHS = {"x64": "CPU", "vulkan": "Vulkan"}  # those that the pages show, as far as the machine that builds has them
TIMEOUT = 900  # seconds for a picture, on a machine with much else to do


class Sources(NamedTuple):
    """The files of a program, and the arguments of Python that run it."""

    program: Path
    kernels: Path
    command: tuple[str, ...]


def sources_of(name: str, kernels: str | None) -> Sources:
    """The sources of a script of the gallery, or of the demo."""
    script = EXAMPLES / f"{name}.py"
    file = ROOT / kernels if kernels else EXAMPLES / f"{name}_kernels.py"
    if script.is_file():
        return Sources(script, file, (f"examples/gallery/{name}.py",))
    return Sources(DEMOS / f"{name}.py", file, ("-m", "taichi_aot", "demo", "--out"))


class Program(SphinxDirective):
    """One picture of a program, a tab for each arch, tabs with its sources, and how it is run."""

    required_arguments = 1
    has_content = False
    option_spec: ClassVar[OptionSpec] = {
        "arguments": directives.unchanged,  # of the program, for the page
        "kernels": directives.unchanged,  # their file, if it has another name
        "suffix": directives.unchanged,
        "wide": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        suffix = self.options.get("suffix", ".png")
        sources = sources_of(name, self.options.get("kernels"))
        arguments = self.options.get("arguments", "").split()
        for path in (sources.program, sources.kernels):
            self.env.note_dependency(str(path))
        tabs = []
        for arch in archs():
            out = MADE / f"{name}-{arch}{suffix}"
            make(sources, arguments, arch, out)
            tabs += _picture(out.name, f"{name}, computed on {ARCHS[arch]}", arch)
        tabs += [*_source("Program", sources.program), *_source("Kernels", sources.kernels)]
        style = "wide" if "wide" in self.options else "narrow"
        command = " ".join(["python", *sources.command, f"{name}{suffix}"])
        return [
            *self.parse_text_to_nodes("\n".join(["::::{tab-set}", f":class: program {style}", *tabs, "::::"])),
            nodes.literal_block(text=command, language="sh"),
        ]


@cache
def archs() -> tuple[str, ...]:
    available = {str(arch) for arch in taichi_aot.available_archs()}
    return tuple(arch for arch in ARCHS if arch in available)


def make(sources: Sources, arguments: list[str], arch: str, out: Path) -> None:
    """Run a program, unless its picture is newer than it.

    Raises
    ------
    RuntimeError
        If the program fails; the message has what it printed.
    """
    newest = max(path.stat().st_mtime for path in (sources.program, sources.kernels, Path(__file__)))
    if out.is_file() and out.stat().st_mtime > newest:
        return
    MADE.mkdir(exist_ok=True)
    package = str(Path(taichi_aot.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, *sources.command, str(out), *arguments, "--arch", arch],
        # `-m` would find the checkout in ROOT before the installed package.
        cwd=MADE if sources.command[0] == "-m" else ROOT,
        env={**os.environ, "PYTHONPATH": package, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(sources.command)} on {arch}: {done.stderr}")


def _picture(name: str, alt: str, arch: str) -> list[str]:
    """A tab; choosing an arch chooses it for all programs of the page."""
    tab = [f":::{{tab-item}} {ARCHS[arch]}", f":sync: {arch}", "", f"```{{image}} made/{name}"]
    return [*tab, f":alt: {alt}", ":loading: lazy", "```", ":::"]


def _source(title: str, path: Path) -> list[str]:
    tab = [f":::{{tab-item}} {title}", f"`{path.relative_to(ROOT)}`", "", "````python"]
    return [*tab, path.read_text(encoding="utf-8").rstrip(), "````", ":::"]


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_directive("gallery-program", Program)
    app.add_css_file("gallery.css")
    return {"parallel_read_safe": False}
