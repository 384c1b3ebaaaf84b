"""Read the components and the licence expression of THIRD-PARTY-NOTICES."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

TEXT = (Path(__file__).parents[2] / "THIRD-PARTY-NOTICES").read_text(encoding="utf-8")
EXPRESSION = " ".join(re.findall(r"^    (Apache-2\.0 AND .+)\n    (.+)$", TEXT, re.MULTILINE)[0])


class Component(NamedTuple):
    """An entry: its licence, a string by which it is found in the library ("" for headers), and its text."""

    licence: str
    marker: bytes
    text: str


def _read(entry: str) -> tuple[str, Component]:
    fields = dict(line.split(": ", 1) for line in entry.partition("\n\n")[0].splitlines())
    return fields["Component"], Component(fields["License"], fields.get("Marker", "").encode(), entry)


COMPONENTS = dict(map(_read, re.findall(r"^=+\n(Component: .*?)(?=^={80})", TEXT, re.MULTILINE | re.DOTALL)))
