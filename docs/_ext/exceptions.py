"""The directive ``exceptions``: a table of the package's exceptions and warnings, from the classes themselves."""

from __future__ import annotations

import inspect
import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

import taichi_aot


class Exceptions(SphinxDirective):
    """A row for each class: its name, the class of Python that also catches it, its code, and when it is raised."""

    def run(self) -> list[nodes.Node]:
        lines = ["| class | also | code | raised when |", "| --- | --- | --- | --- |"]
        found = (thing for thing in vars(taichi_aot).values() if inspect.isclass(thing))
        lines += [_row(cls) for cls in found if issubclass(cls, Exception)]
        return self.parse_text_to_nodes("\n".join(lines))


def _row(cls: type[Exception]) -> str:
    also = next(base.__name__ for base in cls.__mro__ if not base.__module__.startswith("taichi_aot"))
    code = f"`{cls.code.name}`" if issubclass(cls, taichi_aot.TaichiError) and cls is not taichi_aot.TaichiError else ""
    summary = (inspect.getdoc(cls) or "").partition("\n\n")[0].replace("\n", " ")
    return f"| `{cls.__name__}` | {also} | {code} | {re.sub('``', '`', summary)} |"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.add_directive("exceptions", Exceptions)
    return {"parallel_read_safe": True}
