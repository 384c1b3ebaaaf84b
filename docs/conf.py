"""The configuration of the documentation: ``python -m sphinx -W --keep-going -b html docs out/site``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from numpydoc.xref import DEFAULT_LINKS
from sphinx.application import Sphinx

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import taichi_aot  # noqa: E402  # as installed: a checkout has no compiled extension

project = "taichi_aot"
author = "the authors of taichi_aot"
copyright = author  # Sphinx's name
version = release = taichi_aot.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "command_line",
    "benchmark_plots",
    "gallery",
]
exclude_patterns = ["_ext", "changes"]
nitpicky = True
# What numpy, cffi, other packages and Python document; the build needs no network, so nothing is looked up there.
nitpick_ignore_regex = [("py:.*", r"(?!taichi_aot).*")]

html_theme = "furo"
html_title = f"taichi_aot {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # the names that links to sections of a page use

smartquotes = False  # quotes in commands remain as they are

default_role = "autolink"  # a link to what is documented, else emphasis
autosummary_generate = False
autodoc_typehints = "none"  # numpydoc's sections have the types
autodoc_preserve_defaults = True  # as the source has them
autodoc_member_order = "bysource"
autodoc_default_options = {
    "members": True,
    "special-members": "__call__",
    "inherited-members": "int,str,BaseException,Exception,OSError,WorkerPlugin,tuple",
}
numpydoc_show_class_members = False  # autodoc lists them
numpydoc_attributes_as_param_list = True
numpydoc_xref_param_type = True  # types in sections are links
numpydoc_xref_aliases = {name: f"taichi_aot.{name}" for name in taichi_aot.__all__}
numpydoc_xref_ignore = "all"  # other words
DEFAULT_LINKS.clear()  # to the documentation of Python and numpy


def without_arguments(
    app: Sphinx, what: str, name: str, thing: object, options: Any, arguments: str | None, result: str | None
) -> tuple[str, str | None] | None:
    """A class that users do not call, such as an enumeration or what modules and runtimes create, has no signature."""
    return ("", result) if what == "class" and arguments in ("(*args, **kwargs)", "(*values)") else None


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", without_arguments)
