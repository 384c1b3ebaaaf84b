"""HTML for notebooks, imported on demand. All texts are escaped, because names come from files and drivers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["paragraph", "table"]


def paragraph(text: str) -> str:
    """Return an HTML paragraph."""
    return f"<p>{escape(text)}</p>"


def table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return an HTML table with column titles and the ``str`` of each cell."""
    body = "".join(_row("td", row) for row in rows)
    return f"<table><thead>{_row('th', columns)}</thead><tbody>{body}</tbody></table>"


def _row(tag: str, cells: Iterable[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"
