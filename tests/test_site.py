"""What the documentation must have, from its sources; `.ci/run` builds it and checks its links."""

from __future__ import annotations

import re
from pathlib import Path

from helpers import public

DOCS = Path(__file__).parent.parent / "docs"


def test_reference_has_every_public_name_once() -> None:
    pages = [path.read_text(encoding="utf-8") for path in sorted((DOCS / "api").glob("*.rst"))]
    documented = [name for page in pages for name in re.findall(r"^\.\. auto\w+:: (\S+)$", page, re.MULTILINE)]
    assert sorted(documented) == sorted(public.NAMES)


def test_every_page_is_in_one_table_of_contents() -> None:
    """Sphinx warns of a page that is in none."""
    listed = [
        f"{index.parent.relative_to(DOCS) / name}"
        for index in DOCS.rglob("index.md")
        for toctree in re.findall(
            r"^:::\{toctree\}\n(.*?)^:::$", index.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        )
        for name in re.findall(r"^(?!:)(\S+)$", toctree, re.MULTILINE)
    ]
    assert len(listed) == len(set(listed))
