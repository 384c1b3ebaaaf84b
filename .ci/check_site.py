"""Check a built site: its internal links have targets, and its inventory has every public name.

python .ci/check_site.py out/site
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.util.inventory import InventoryFile

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from helpers import public  # noqa: E402


class Page(HTMLParser):
    """The links of a page, and the anchors that links can name."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places = {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value is not None and name == "id":
                self.places.add(value)
            elif value is not None and name in ("href", "src"):
                self.links.append(value)


def broken_links(site: Path) -> list[str]:
    """Return the links within the site that do not have a target."""
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            places = pages[target].places if target in pages else {""}
            if not target.is_file() or (target in pages and unquote(parts.fragment) not in places):
                broken.append(f"{path.relative_to(site.resolve())}: {link}")
    return broken


def missing_names(site: Path) -> list[str]:
    """Return the public names that the inventory lacks."""
    with open(site / "objects.inv", "rb") as file:
        inventory = InventoryFile.load(file, "", lambda base, path: path)
    found = {name for domain, names in inventory.items() if domain.startswith("py:") for name in names}
    return [name for name in public.NAMES if name not in found]


def main() -> int:
    site = Path(sys.argv[1])
    problems = broken_links(site) + [f"not in the inventory: {name}" for name in missing_names(site)]
    print("\n".join(problems) or f"{len(list(site.rglob('*.html')))} pages, {len(public.NAMES)} public names: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
