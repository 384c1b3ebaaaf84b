"""The directives ``c-functions`` and ``cpp-members``: the tables of docs/from-cpp.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

import cpp_members
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata


class Table(SphinxDirective):
    """A table of what taichi.hpp, from the installed package ``taichi``, has beside Python."""

    rows: ClassVar[Callable[[Mapping[str, cpp_members.Member]], list[str]]]

    def run(self) -> list[nodes.Node]:
        header = cpp_members.find_header()
        if header is None:
            raise self.error("the package taichi, which has taichi.hpp, is not installed")
        self.env.note_dependency(cpp_members.__file__)
        members = cpp_members.read_members(header.read_text(encoding="utf-8"))
        return self.parse_text_to_nodes("\n".join(type(self).rows(members)))


class CFunctions(Table):
    rows = staticmethod(cpp_members.function_rows)


class CppMembers(Table):
    rows = staticmethod(cpp_members.member_rows)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.add_directive("c-functions", CFunctions)
    app.add_directive("cpp-members", CppMembers)
    return {"parallel_read_safe": True}
