"""Directives of the page of benchmarks, which read ``benchmarks``.

- ``benchmark-plots``: plots of records, drawn as `benchmarks/report.py` does.
- ``benchmark-table``: numbers of records.
- ``benchmark-list``: what each script measures, from its docstring.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
TOOLS = ("build_modules", "child", "coefficients", "cpu_launch_plot", "halo_plot", "launch_plot", "report")
FOLDER = "plots"  # below docs; not under version control
OLD = (BENCHMARKS / "results" / "old.txt").read_text(encoding="utf-8").split()  # records of former code


class BenchmarkPlots(SphinxDirective):
    """A plot for each line of the content: the path of a record without ``.json``, and what to read off it."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        return [self._figure(*line.split(" ", 1)) for line in self.content if line.strip()]

    def _figure(self, record: str, caption: str) -> nodes.figure:
        name = f"{FOLDER}/{record.replace('/', '-')}.png"
        source = BENCHMARKS / "results" / f"{record}.json"
        self.env.note_dependency(str(source))
        draw(source, Path(self.env.srcdir) / name)
        image = nodes.image(uri=f"/{name}", alt=caption, candidates={})
        text = f"{caption} (old)" if record in OLD else caption
        return nodes.figure("", image, nodes.caption(text=text), classes=["plot"])


class BenchmarkTable(SphinxDirective):
    """A row for each line of the content: ``title: record variant``, with a ``*`` for the variant's part in a column.

    A column is ``title=part``, or ``title=part/key`` for a number other than the record's own. A record without the
    variant leaves its cell empty.
    """

    has_content = True
    option_spec: ClassVar[OptionSpec] = {"columns": directives.unchanged_required, "of": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        columns = [column.strip().rsplit("=", 1) for column in self.options["columns"].split(",")]
        head = [self.options.get("of", ""), *(title for title, _part in columns)]
        lines = [_line(*head), _line(*["---"] * len(head))]
        for line in filter(None, self.content):
            title, place = line.rsplit(": ", 1)
            record, variant = place.split()
            source = BENCHMARKS / "results" / f"{record}.json"
            self.env.note_dependency(str(source))
            found = json.loads(source.read_text(encoding="utf-8"))
            title = f"{title} (old)" if record in OLD else title
            lines.append(_line(title, *(_number(found, variant, part) for _title, part in columns)))
        return self.parse_text_to_nodes("\n".join(lines))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _number(found: dict[str, Any], pattern: str, part: str) -> str:
    name, _, key = part.partition(":")
    value = found["variants"].get(pattern.replace("*", name), {}).get(key or found["key"])
    return "" if value is None else f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2g}"


class BenchmarkList(SphinxDirective):
    """A row for each script that writes a record, with the first sentence of its docstring."""

    def run(self) -> list[nodes.Node]:
        lines = [_line("script", "what it measures"), _line("---", "---")]
        for path in sorted(BENCHMARKS.glob("*.py")):
            if path.stem not in TOOLS:
                text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
                lines.append(_line(f"`{path.name}`", text.partition("\n\n")[0].replace("\n", " ")))
        return self.parse_text_to_nodes("\n".join(lines))


def draw(record: Path, picture: Path) -> None:
    """Draw a record, unless that has been done since it or what draws it was written."""
    newest = max(path.stat().st_mtime for path in (record, BENCHMARKS / "report.py", BENCHMARKS / "lib" / "titles.py"))
    if picture.is_file() and picture.stat().st_mtime > newest:
        return
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import report
    finally:
        sys.path.remove(str(BENCHMARKS))
    picture.parent.mkdir(exist_ok=True)
    report.plot(json.loads(record.read_text(encoding="utf-8")), picture)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("benchmark-plots", BenchmarkPlots)
    app.add_directive("benchmark-table", BenchmarkTable)
    app.add_directive("benchmark-list", BenchmarkList)
    return {"version": "1", "parallel_read_safe": True}
