"""Directives and links of the API reference.

- ``summary``: a table of what this page, or the pages named, document, with one line each.
- ``class-reference``: a class with a table of its members in groups, which also orders them.
- Types in signatures stay as the source writes them. `link_public_name` links them to the public name.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext.autosummary import import_by_name
from sphinx.ext.intersphinx import InventoryAdapter
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

DOCUMENTED = re.compile(r"^\.\. (?:auto(?!module|data)\w+|class-reference):: (\S+)$", re.MULTILINE)
SECTION = re.compile(r":\w+:|\.\. (rubric|seealso)::")
LAST = ("handle", "from_handle")  # for users of the C-API


class Summary(SphinxDirective):
    """A table of the names that pages document, or this page, but not of constants, which have no docstrings."""

    optional_arguments = 100

    def run(self) -> list[nodes.Node]:
        folder = Path(self.env.doc2path(self.env.docname)).parent
        pages = self.arguments or [Path(self.env.docname).name]
        for page in pages:
            self.env.note_dependency(str(folder / f"{page}.rst"))
        names = [name for page in pages for name in DOCUMENTED.findall((folder / f"{page}.rst").read_text("utf-8"))]
        module = f"{self.env.ref_context.get('py:module')}."
        return self.parse_text_to_nodes("\n".join(_table(f"~{name.removeprefix(module)}" for name in names)))


class ClassReference(SphinxDirective):
    """A class; each line of the content is a group, ``Title: member member``. Other members follow."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        cls = import_by_name(name)[1]
        groups = _groups(cls, [line.split(":", 1) for line in self.content if line.strip()])
        tables = self.env.temp_data.setdefault("class_tables", {})
        tables[name] = [
            line
            for title, members in groups
            for line in [*([f".. rubric:: {title}", "   :class: members", ""] if title else []), *_table(members)]
        ]
        lines = [
            f".. autoclass:: {name}",
            "   :no-members:",
            "   :no-inherited-members:",
            "   :no-special-members:",
            "",
        ]
        for _title, members in groups:
            lines += [f"   {line}" for member in members for line in _entry(cls, name, member)]
        return self.parse_text_to_nodes("\n".join(lines))


def insert_table(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Insert the table of a class behind the text of its docstring, before the sections that numpydoc has made."""
    if table := app.env.temp_data.get("class_tables", {}).pop(name, None):
        place = next((i for i, line in enumerate(lines) if SECTION.match(line)), len(lines))
        lines[place:place] = ["", *table, ""]


def _groups(cls: type, stated: list[list[str]]) -> list[tuple[str, list[str]]]:
    """The members of a class by group.

    Raises
    ------
    ValueError
        If a group names something that the class does not have.
    """
    members = list(_members(cls))
    groups = [(title.strip(), names.split()) for title, names in stated]
    placed = [name for _title, names in groups for name in names]
    if unknown := set(placed) - set(members):
        raise ValueError(f"{cls.__name__} has no {', '.join(sorted(unknown))}")
    rest = [name for name in members if name not in placed and name not in LAST]
    last = [name for name in LAST if name in members and name not in placed]
    if groups and rest:
        groups.append(("More", rest))
    elif rest:
        groups.append(("", rest))
    return [*groups, ("C-API", last)] if last else groups


def _members(cls: type) -> Iterator[str]:
    """The public members, those of a class before those that it inherits, but not those of Python's own classes."""
    seen: set[str] = set()
    for base in cls.__mro__:
        if base.__module__.startswith("taichi_aot"):
            for name, member in vars(base).items():
                is_public = bool(member.__doc__) if name == "__call__" else not name.startswith("_")
                # A hint, such as `NdArray.reshape`, raises AttributeError.
                if is_public and name not in seen and _is_documented(member) and hasattr(cls, name):
                    seen.add(name)
                    yield name


def _is_documented(member: object) -> bool:
    """A method or property; other attributes are in the section of the class that lists them."""
    return isinstance(member, property) or (hasattr(member, "__get__") and not inspect.isdatadescriptor(member))


def _entry(cls: type, class_name: str, name: str) -> list[str]:
    """The directive that documents a member. A second name of a method refers to the first."""
    member = inspect.getattr_static(cls, name)
    if isinstance(member, property):
        return [f".. autoproperty:: {class_name}.{name}", ""]
    first = getattr(member, "__name__", name)
    if first == name:
        return [f".. automethod:: {class_name}.{name}", ""]
    return [f".. py:method:: {cls.__name__}.{name}(...)", "", f"   The same method as `{first}`.", ""]


def _table(names: Iterable[str]) -> list[str]:
    return [".. autosummary::", "   :nosignatures:", "", *(f"   {name}" for name in names), ""]


def link_public_name(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.TextElement
) -> nodes.reference | None:
    """Link a type such as ``NdArray``, or the private module's ``taichi_aot.arrays._ndarray.NdArray``."""
    if node.get("refdomain") != "py" or not node.get("reftarget"):
        return None
    module, _, name = node["reftarget"].rpartition(".")
    if module and not module.startswith("taichi_aot"):
        return None
    python = env.domains.python_domain
    modules = [
        node.get("py:module"),
        "taichi_aot",
        "taichi_aot.build",
        "taichi_aot.capi",
        "taichi_aot.distributed",
        "taichi_aot.isolated",
    ]
    for target in (name, *(f"{module}.{name}" for module in modules)):
        if target in python.objects:
            return python.resolve_xref(env, node["refdoc"], app.builder, "obj", target, node, content)
    if not module:  # intersphinx, which comes next, needs the whole name
        known = (other for names in InventoryAdapter(env).main_inventory.values() for other in names)
        node["reftarget"] = next((other for other in known if other.endswith(f".{name}")), name)
    return None


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.add_directive("summary", Summary)
    app.add_directive("class-reference", ClassReference)
    app.connect("autodoc-process-docstring", insert_table, priority=900)  # after numpydoc
    app.connect("missing-reference", link_public_name, priority=400)  # before intersphinx
    return {"parallel_read_safe": True}
