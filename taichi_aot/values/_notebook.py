"""HTML for notebooks, imported on demand. All texts are escaped, because names come from files and drivers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

MOST_ROWS = 200  # of a table
MOST_CHARACTERS = 1000  # of a text


def paragraph(text: str) -> str:
    return f"<p>{_text(text)}</p>"


def preformatted(text: str) -> str:
    """Return an HTML block that keeps the lines of a bounded text."""
    return f"<pre>{escape(text)}</pre>"


def table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return an HTML table with column titles and the ``str`` of each cell; of many rows the first ones."""
    listed = list(rows)
    body = "".join(_row("td", row) for row in listed[:MOST_ROWS])
    if len(listed) > MOST_ROWS:
        body += _row("td", [f"... {len(listed)} in all"])
    return f"<table><thead>{_row('th', columns)}</thead><tbody>{body}</tbody></table>"


def _row(tag: str, cells: Iterable[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells)}</tr>"


def _text(value: object) -> str:
    text = str(value)
    return escape(text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}...")
