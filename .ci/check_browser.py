"""Check a built site in a browser: what fits a desktop and a phone, accessibility, copy buttons, searches.

python .ci/check_browser.py out/site [--all]

It needs Debian's chromium, and axe-playwright-python, which contains axe-core.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import axe_playwright_python
from playwright.sync_api import Page, ViewportSize, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

from search_places import PLACES  # noqa: E402

# Questions, beside the words of PLACES themselves.
QUESTIONS = {
    "how do I add up an array": "add up array",
    "how do I cancel": "cancel",
    "how do I debug a kernel": "debug kernel",
    "how do I free memory": "free memory",
    "how do I install": "install",
    "how do I make a wheel": "make wheel",
    "how do I measure a kernel": "measure kernel",
    "how do I pass a numpy array": "numpy array",
    "how do I profile a kernel": "profile",
    "how do I run in docker": "docker",
    "how do I show a progress bar": "progress bar",
    "how do I use several GPUs": "several GPUs",
    "how to return a value": "return value",
}
# Pages of each kind, whose accessibility takes a minute; that of all takes minutes.
SOME = ("index", "quickstart", "kernels", "taichi-in-ten-minutes", "service", "gallery/index", "api/runtime", "search")
LISTS = ("changelog", "genindex", "py-modindex", "search", "security")  # without code and pictures
DESKTOP, PHONE = ViewportSize(width=1280, height=900), ViewportSize(width=390, height=844)
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")

RUN_AXE = """async () => (await axe.run({resultTypes: ["violations"]})).violations.flatMap(
    rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 120)}`))"""
OVERLAPS = """() => {
    const shown = [...document.querySelectorAll("header a, header label, header button, .content-icon-container > *")]
        .map(node => [node, node.getBoundingClientRect()]).filter(([_, box]) => box.width && box.height);
    const over = (a, b) => a.left < b.right + 4 && b.left < a.right + 4 && a.top < b.bottom && b.top < a.bottom;
    return shown.flatMap(([a, box], i) => shown.slice(i + 1)
        .filter(([b, other]) => !a.contains(b) && !b.contains(a) && over(box, other))
        .map(([b]) => `${a.className || a.tagName} touches ${b.className || b.tagName}`));
}"""
# What does not fit. Source code and columns may scroll, with a shade where they go on; output wraps.
CUT = """() => {
    const problems = [], page = document.documentElement.clientWidth;
    const text = node => (node.innerText ?? "").slice(0, 50).replaceAll(/\\s+/g, " ");
    const name = node => `${node.tagName.toLowerCase()} ${node.className} ${text(node)}`;
    const clips = node => getComputedStyle(node).overflowX !== "visible";
    const boxed = node => node.parentElement && (clips(node.parentElement) || boxed(node.parentElement));
    const output = ["pycon", "console", "sh", "text", "default"].map(name => `.highlight-${name}:not(.columns)`).join();
    for (const node of document.querySelectorAll(".main .content, .main .content :not(.visually-hidden)")) {
        const box = node.getBoundingClientRect();
        if (!box.width || !box.height) continue;
        if (box.right > page + 1 || box.left < -1) boxed(node) || problems.push(`wider than the page: ${name(node)}`);
        if (node.scrollWidth <= node.clientWidth + 1 || !clips(node)) continue;
        const sign = node.matches("pre") && getComputedStyle(node).backgroundImage !== "none";
        if (!sign || node.closest(output)) problems.push(`cut off: ${name(node)}`);
    }
    const empty = [...document.querySelectorAll("td .column")].filter(node =>
        node.getBoundingClientRect().width && node.closest("td").innerText.trim() === node.innerText.trim());
    if (empty.length) problems.push(`${empty.length} labels without a value`);
    for (const tabs of document.querySelectorAll(".sd-tab-set")) {
        const rows = new Set([...tabs.querySelectorAll(":scope > label")].map(tab => tab.getBoundingClientRect().top));
        if (rows.size > 1) problems.push(`tabs in ${rows.size} rows`);
    }
    return [...new Set(problems)];
}"""
WITHOUT_EXCERPT = """() => [...document.querySelectorAll("#search-results ul.search > li")]
    .filter(result => !result.querySelector("p.context")?.innerText.trim()).map(result => result.innerText)"""
WITHOUT_COPY = """() => [...document.querySelectorAll("article div.highlight")]
    .filter(block => !block.querySelector("button.copybtn")).map(block => block.innerText.slice(0, 60))"""
FIRST_SCREEN = """() => [...document.querySelectorAll("article :is(pre, img, svg, dt.sig, table.autosummary)")]
    .some(node => { const box = node.getBoundingClientRect(); return box.height && box.top < innerHeight; })"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing."""

    def log_message(self, *args: object) -> None:
        pass


def problems_of(page: Page, name: str, base: str, accessibility: bool) -> Iterator[str]:
    """Yield what is wrong with a page on a desktop in light colours, and on a phone in dark ones."""
    for scheme, size in (("light", DESKTOP), ("dark", PHONE)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        page.goto(f"{base}/{name}")
        yield from (f"{name}, {size['width']} pixels: {found}" for found in page.evaluate(CUT))
        if accessibility:
            page.add_script_tag(path=AXE)
            yield from (f"{name}, {scheme}: {found}" for found in page.evaluate(RUN_AXE))
    yield from (f"{name}, phone: {found}" for found in page.evaluate(OVERLAPS))
    yield from (f"{name}: no copy button on {text!r}" for text in page.evaluate(WITHOUT_COPY))
    page.set_viewport_size(DESKTOP)
    if name.removesuffix(".html") not in LISTS and not page.evaluate(FIRST_SCREEN):
        yield f"{name}: the first screen has neither code nor a picture"


def wrong_results(page: Page, base: str) -> Iterator[str]:
    """Yield the searches whose first result is another place."""
    searches = PLACES | {text: PLACES[words] for text, words in QUESTIONS.items()}
    for query, place in searches.items():
        page.goto(f"{base}/search.html?q={quote(query)}")
        page.wait_for_function(
            "() => /finished|did not match/.test(document.querySelector('.search-summary')?.innerText)"
        )
        links = page.locator("#search-results ul.search > li > a")
        first = links.first.get_attribute("href") if links.count() else "nothing"
        if first != place:
            yield f"the search for {query!r} finds {first}, not {place}"
    page.wait_for_load_state("networkidle")
    yield from (f"the search for {query!r} has no excerpt of {found!r}" for found in page.evaluate(WITHOUT_EXCERPT))


def main() -> int:
    parser = argparse.ArgumentParser(description="Check a built site in a browser.")
    parser.add_argument("site", type=Path)
    parser.add_argument("--all", action="store_true", help="accessibility of all pages, which takes minutes")
    given = parser.parse_args()
    site = given.site.resolve()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    names = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    problems = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=[*OPTIONS])
        page = browser.new_page()
        page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
        for name in names:
            problems += problems_of(page, name, base, given.all or name.removesuffix(".html") in SOME)
        problems += wrong_results(page, base)
    print("\n".join(problems) or f"{len(names)} pages, {len(PLACES) + len(QUESTIONS)} searches: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
