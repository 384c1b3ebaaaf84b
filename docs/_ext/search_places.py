"""What people type into the search, and the place that answers it, which the search then shows first.

Sphinx ranks pages by words alone: a method before the section that explains it. ``docs/_static/search.js`` takes an
entry if its words are in the query and are half of it or more. `.ci/check_site.py` checks that the places exist, and
`.ci/check_browser.py` that they come first.
"""

from __future__ import annotations

import json
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

PLACES = {
    "asarray": "api/runtime.html#taichi_aot.Runtime.asarray",
    "add up array": "kernels.html#a-fast-sum",
    "asyncio": "functions.html#with-asyncio",
    "bind": "launching.html#bound-launches",
    "cancel": "service.html#long-computations",
    "container": "shipping.html#in-a-container",
    "debug kernel": "debugging.html#checks-for-debugging",
    "docker": "shipping.html#in-a-container",
    "fastapi": "service.html",
    "free memory": "memory.html#memory-in-use",
    "gradient": "kernels.html#gradients",
    "IndexError": "debugging.html#checks-for-debugging",
    "install": "installing.html",
    "make wheel": "wheels.html",
    "measure kernel": "run-and-bench.html#measure",
    "numpy array": "functions.html",
    "out of range": "debugging.html#checks-for-debugging",
    "profile": "profiling.html",
    "progress bar": "service.html#long-computations",
    "pytest": "service.html#tests",
    "pytorch": "torch.html",
    "several GPUs": "processes.html#several-gpus",
    "thread": "processes.html#threads",
    "two GPUs": "processes.html#several-gpus",
    "return value": "kernels.html#return-values",
    "wait": "launching.html#when-the-device-is-waited-for",
    "wrong shape": "memory.html#shapes-as-a-contract",
}


def add_places(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Give the page of the search its places, with their titles."""
    if page == "search":
        titles = {name: title.astext() for name, title in app.env.titles.items()}
        places = [
            {"words": words, "place": place, "title": titles[place.partition(".html")[0]]}
            for words, place in PLACES.items()
        ]
        app.add_js_file(None, body=f"const PLACES = {json.dumps(places)};", priority=100)
        app.add_js_file("search.js", loading_method="defer")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.connect("html-page-context", add_places)
    return {"parallel_read_safe": True}
