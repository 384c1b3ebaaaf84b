"""The directive ``benchmark-plots``: plots of ``benchmarks/results``, drawn as `benchmarks/report.py` does."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FOLDER = "plots"  # below docs; not under version control


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
        return nodes.figure("", image, nodes.caption(text=caption), classes=["plot"])


def draw(record: Path, picture: Path) -> None:
    """Draw a record, unless that has been done since it was written."""
    if picture.is_file() and picture.stat().st_mtime > record.stat().st_mtime:
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
    return {"version": "1", "parallel_read_safe": True}
