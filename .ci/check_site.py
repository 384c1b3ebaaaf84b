"""Check a built site: links, names, types and summaries of the API reference, words for the search, pictures, sizes.

python .ci/check_site.py out/site
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag
from sphinx.search.en import SearchEnglish
from sphinx.util.inventory import InventoryFile

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "docs" / "_ext")]

from helpers import public  # noqa: E402
from search_places import PLACES  # noqa: E402

# What people type into the search; each must find the page, among others.
SEARCHES = {
    "synchronize": "glossary",
    "timer": "glossary",
    "profile": "glossary",
    "elapsed": "launching",
    "cuda event": "glossary",
    "benchmark": "launching",
    "dtype mismatch": "glossary",
    "license": "glossary",
    "logging": "glossary",
    "debug log": "glossary",
    "segmentation fault": "glossary",
    "out of memory": "glossary",
    "memory usage": "glossary",
    "free memory": "glossary",
    "empty_cache": "glossary",
    "multiprocessing": "processes",
    "zero-copy": "glossary",
    "offline": "glossary",
    "hot reload": "glossary",
    "pickle": "functions",
    "wait": "api/runtime",
    "asarray": "api/runtime",
    "bundle": "bundles",
    "atomic": "kernels",
    "nsight systems": "profiling",
    "nvtx": "profiling",
    "renderdoc": "profiling",
    "profiler": "profiling",
}
SIZE = 500_000  # bytes of a page
LARGE = ("api/capi.html", "genindex.html")  # the whole C-API, and all names
FILE = re.compile(r"[\w./-]+\.(md|rst)(#\S*)?")

Pages = dict[Path, BeautifulSoup]


def read_pages(site: Path) -> Pages:
    """Return the pages of a site by their absolute paths."""
    paths = (path.resolve() for path in sorted(site.rglob("*.html")))
    return {path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in paths}


def broken_links(pages: Pages) -> Iterator[str]:
    """Yield the links within the site that do not have a target."""
    places = {path: {"", *(tag["id"] for tag in page.select("[id]"))} for path, page in pages.items()}
    for path, page in pages.items():
        for link in (tag.get("href") or tag.get("src") or "" for tag in page.select("[href], [src]")):
            parts = urlsplit(str(link))
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file() or (target in pages and unquote(parts.fragment) not in places[target]):
                yield f"{path.name}: {link} has no target"


def texts_of_links(pages: Pages) -> Iterator[str]:
    """Yield the links that show a file instead of a title."""
    for path, page in pages.items():
        for link in page.select("article a.reference.internal"):
            if FILE.fullmatch(link.get_text()):
                yield f"{path.name}: the link to {link['href']} shows a file name"


def missing_names(site: Path) -> Iterator[str]:
    """Yield the public names that the inventory lacks."""
    with open(site / "objects.inv", "rb") as file:
        inventory = InventoryFile.load(file, "", lambda base, path: path)
    found = {name for domain, names in inventory.items() if domain.startswith("py:") for name in names}
    yield from (f"not in the inventory: {name}" for name in public.NAMES if name not in found)


def untyped_signatures(page: BeautifulSoup) -> Iterator[str]:
    """Yield the functions and methods with a parameter or a result that has no type."""
    for signature in page.select("dl.py.function > dt.sig, dl.py.method > dt.sig"):
        parameters = [tag.get_text() for tag in signature.select(".sig-param")]
        if parameters == ["..."]:  # a second name, which links to the first
            continue
        untyped = [text for text in parameters if ":" not in text and text not in ("*", "/")]
        if untyped or not signature.select(".sig-return"):
            yield f"{signature.get('id')}: no type of {', '.join(untyped) or 'the result'}"


def private_types(page: BeautifulSoup) -> Iterator[str]:
    """Yield the signatures that show what only the source or Sphinx knows."""
    for signature in page.select("dl.py > dt.sig"):
        if found := re.search(r"TypeAliasForwardRef|<factory>|~|\b_[A-Z]\w*|\._\w+", signature.get_text()):
            yield f"{signature.get('id')}: its signature has {found[0]}"


def unlinked_types(page: BeautifulSoup) -> Iterator[str]:
    """Yield the public classes that a signature names without a link."""
    classes = {name.rpartition(".")[2] for name, thing in public.NAMES.items() if isinstance(thing, type)}
    for signature in page.select("dl.py > dt.sig"):
        for name in signature.select(".sig-param .n > .pre, .sig-return .pre"):
            if name.get_text() in classes and name.find_parent("a") is None:
                yield f"{signature.get('id')}: {name.get_text()} is not a link"


def missing_summaries(page: BeautifulSoup) -> Iterator[str]:
    """Yield the names without a line in a table, and the lines without text."""
    rows = [row.select("td") for row in page.select("table.autosummary tr")]
    links = [str(name.a["href"]).rpartition("#")[2] for name, _text in rows if isinstance(name.a, Tag)]
    yield from (f"{name.get_text()} has no summary" for name, text in rows if not text.get_text(strip=True))
    for cls in page.select("dl.py.class"):
        if cls.dd is not None and cls.dd.select("table.autosummary"):
            members = [tag["id"] for tag in cls.dd.select("dl.py.method > dt[id], dl.py.property > dt[id]")]
            yield from (f"{member} is not in the table of its class" for member in members if member not in links)


def missing_places(site: Path, pages: Pages) -> Iterator[str]:
    """Yield the places of the search that the site does not have."""
    for words, place in PLACES.items():
        name, _, anchor = place.partition("#")
        page = pages.get((site / name).resolve())
        if page is None or (anchor and page.find(id=anchor) is None):
            yield f"the search for {words!r} shows {place}, which does not exist"


def words_not_found(site: Path) -> Iterator[str]:
    """Yield the searches that do not find their page, by the rule of the site's search: all words in one page."""
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    english = SearchEnglish({})
    for query, page in SEARCHES.items():
        words = [english.stem(word) for word in english.split(query.lower()) if word not in english.stopwords]
        found = [{*_documents(index["terms"], word), *_documents(index["titleterms"], word)} for word in words]
        if index["docnames"].index(page) not in set.intersection(*found):
            yield f"the search for {query!r} does not find {page}"


def _documents(terms: dict[str, int | list[int]], word: str) -> list[int]:
    found = terms.get(word, [])
    return found if isinstance(found, list) else [found]


def repeated_pictures(pages: Pages) -> Iterator[str]:
    """Yield the pictures that a page shows twice, that have no description, or that share a tab."""
    for path, page in pages.items():
        pictures = page.select("article img")
        sources = [str(picture.get("src")) for picture in pictures]
        yield from (f"{path.name}: {source} occurs twice" for source in set(sources) if sources.count(source) > 1)
        yield from (
            f"{path.name}: {picture.get('src')} has no description" for picture in pictures if not picture.get("alt")
        )
        tabs = page.select(".sd-tab-content")
        yield from (f"{path.name}: a tab with several pictures" for tab in tabs if len(tab.select("img")) > 1)


def large_pages(site: Path) -> Iterator[str]:
    """Yield the pages that take long to load."""
    for path in site.rglob("*.html"):
        name = path.relative_to(site).as_posix()
        if name not in LARGE and path.stat().st_size > SIZE:
            yield f"{name} has {path.stat().st_size:,} bytes"


def main() -> int:
    site = Path(sys.argv[1])
    pages = read_pages(site)
    problems = [*broken_links(pages), *texts_of_links(pages), *missing_names(site)]
    for path in sorted((site / "api").resolve().glob("*.html")):
        page = pages[path]
        problems += [*untyped_signatures(page), *private_types(page), *unlinked_types(page), *missing_summaries(page)]
    problems += [*missing_places(site, pages), *words_not_found(site), *repeated_pictures(pages), *large_pages(site)]
    print("\n".join(problems) or f"{len(pages)} pages, {len(public.NAMES)} public names: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
