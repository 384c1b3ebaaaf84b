"""Print the section of CHANGELOG.md for the release of a tag, and check that all files say its version.

python .ci/release_notes.py v0.1.0
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
VERSIONS = {
    "taichi_aot/__init__.py": r'^__version__ = "(.+)"$',
    "CITATION.cff": r"^version: (.+)$",
    ".ci/conda/recipe.yaml": r'^  version: "(.+)"$',
}


def release_notes(tag: str, root: Path = ROOT) -> str:
    """Return the section of the changelog without its title.

    Raises
    ------
    ValueError
        If a file has another version, or the changelog has no section for it.
    """
    version = tag.removeprefix("v")
    for name, pattern in VERSIONS.items():
        (found,) = re.findall(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        if found != version:
            raise ValueError(f"the tag is {tag}, but {name} says {found}")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if section is None:
        raise ValueError(f"CHANGELOG.md has no section for {version}: towncrier build --version {version}")
    return section[1].strip() + "\n"


if __name__ == "__main__":
    try:
        print(release_notes(sys.argv[1]), end="")
    except ValueError as error:
        sys.exit(str(error))
