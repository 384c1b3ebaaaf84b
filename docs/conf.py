"""The configuration of the documentation: ``python -m sphinx -W --keep-going -b html docs out/site``."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

from numpydoc.xref import DEFAULT_LINKS
from sphinx.application import Sphinx

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

ALIASES = re.findall(r"py:type:: (\w+)", (ROOT / "docs" / "api" / "types.rst").read_text(encoding="utf-8"))

import taichi_aot  # noqa: E402  # as installed: a checkout has no compiled extension

project = "taichi_aot"
author = "the authors of taichi_aot"
copyright = author  # Sphinx's name
version = release = taichi_aot.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
    "benchmarks",
    "capi_types",
    "command_line",
    "exceptions",
    "from_cpp",
    "gallery",
    "pages",
    "reference",
    "search_places",
]
exclude_patterns = ["_ext", "changes", "inventories"]
templates_path = ["_templates"]
nitpicky = True
# Without a network: the inventories list the names of Python and numpy that signatures use. Others have no link.
intersphinx_mapping = {
    "python": ("https://docs.python.org/3", "inventories/python.inv"),
    "numpy": ("https://numpy.org/doc/stable", "inventories/numpy.inv"),
}
nitpick_ignore_regex = [("py:.*", r"(?!taichi_aot).*")]

html_theme = "furo"
html_title = project
html_favicon = "_static/logo-light.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_copy_source = False
SIDEBAR = {"color-sidebar-link-text--top-level": "var(--color-foreground-secondary)"}  # the groups have the colours
html_theme_options = {
    "light_logo": "logo-light.svg",
    "dark_logo": "logo-dark.svg",
    "light_css_variables": SIDEBAR,
    "dark_css_variables": SIDEBAR,
    "navigation_with_keys": True,
}
pygments_dark_style = "github-dark"

copybutton_prompt_text = r"\$ |>>> |\.\.\. "  # what is copied has neither prompts nor output
copybutton_prompt_is_regexp = True

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # the names that links to sections of a page use

smartquotes = False  # quotes in commands remain as they are

toc_object_entries_show_parents = "hide"
default_role = "autolink"  # a link to what is documented, else emphasis
autosummary_generate = False
autodoc_mock_imports = ["jax", "torch"]  # the modules for them import them
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
# As the source has them: docs/api/types.rst says what they are.
autodoc_type_aliases = {name: name for name in ALIASES} | {
    "npt.ArrayLike": "numpy.typing.ArrayLike",
    "NumpyArrayLike": "numpy.typing.ArrayLike",  # in overloads, whose names are looked up
}
python_maximum_signature_line_length = 90
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


def edit_signature(
    app: Sphinx, what: str, name: str, thing: object, options: Any, arguments: str | None, result: str | None
) -> tuple[str, str | None] | None:
    """Remove the signatures of classes that programs do not call, and unwrap the aliases in others."""
    if what == "class":
        documented = re.search(r"^(Parameters|Attributes)\n-", inspect.getdoc(thing) or "", re.MULTILINE)
        is_handle = name.startswith("taichi_aot.capi.Ti") and arguments not in ("(*args, **kwargs)", "(*values)")
        if not (documented or is_handle) or "<factory>" in (arguments or ""):
            return "", result
    return (re.sub(r"TypeAliasForwardRef\('([\w.]+)'\)", r"\1", arguments), result) if arguments else None


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", edit_signature)
