"""What the build changes on every page.

- A link whose text is a file, such as ``[build.md](build.md)``, shows the title of its target.
- A wide table has the titles of its columns in its cells too, for phones, where a row becomes a block.
- Output in columns has the class ``columns``: it scrolls, as other output wraps.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.typing import ExtensionMetadata

FILE = re.compile(r"[\w./-]+\.(md|rst)")
WIDE = 45  # characters in a row that a phone cannot show in columns


class Titles(SphinxTransform):
    """Leave the text of such a link to MyST, which takes the title of the page or section."""

    default_priority = 900

    def apply(self, **kwargs: Any) -> None:
        for link in self.document.findall(addnodes.pending_xref):
            if link.get("reftype") == "myst" and FILE.fullmatch(link.astext()):
                link["refexplicit"] = False


class Tables(SphinxTransform):
    """Add the class ``stacked`` and the titles to wide tables."""

    default_priority = 900

    def apply(self, **kwargs: Any) -> None:
        for table in self.document.findall(nodes.table):
            head = next(table.findall(nodes.thead), None)
            body = next(table.findall(nodes.tbody))
            rows = list(body.findall(nodes.row))
            if head is None or all(len(row.astext()) < WIDE for row in (*head.findall(nodes.row), *rows)):
                continue
            titles = [entry.astext() for entry in head.findall(nodes.entry)]
            table["classes"].append("stacked")
            for row in rows:
                for title, entry in list(zip(titles, row.children, strict=True))[1:]:
                    if entry.astext() and title:
                        entry[0].insert(0, nodes.inline(text=f"{title}: ", classes=["column"]))


def _columns(line: str) -> int:
    return len([column for column in line.split("  ") if column])


class Columns(SphinxTransform):
    """Add the class ``columns`` to blocks with lines of four columns."""

    default_priority = 900

    def apply(self, **kwargs: Any) -> None:
        for block in self.document.findall(nodes.literal_block):
            if block.get("language") == "console" and any(_columns(line) > 3 for line in block.astext().splitlines()):
                block["classes"].append("columns")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.add_transform(Titles)
    app.add_transform(Tables)
    app.add_transform(Columns)
    return {"parallel_read_safe": True}
