"""The types of `taichi_aot.capi`, which makes its functions at run time: their signatures come from its stub."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

import taichi_aot

MODULE, EXTENSION, POINTER = "taichi_aot.capi.", "_capi", "_p"


class _AsPublic(ast.NodeTransformer):
    """Names the types of `capi` in place of the extension's: ``TiImage`` for ``TiImage | _capi.TiImage``."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        is_of_extension = isinstance(node.value, ast.Name) and node.value.id == EXTENSION
        return ast.Name(node.attr.removesuffix(POINTER)) if is_of_extension else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        return left if ast.unparse(left) == ast.unparse(right) else ast.BinOp(left, node.op, right)


@cache
def signatures() -> dict[str, tuple[str, str]]:
    """The parameters and the result of each function, and of what makes a structure."""
    stub = Path(taichi_aot.__file__).with_name("capi.pyi")
    found: dict[str, tuple[str, str]] = {}
    for each in ast.parse(stub.read_text(encoding="utf-8")).body:
        _AsPublic().visit(each)
        if isinstance(each, ast.FunctionDef) and each.returns is not None:
            found[each.name] = f"({ast.unparse(each.args)})", ast.unparse(each.returns)
        for member in each.body if isinstance(each, ast.ClassDef) else ():
            if isinstance(member, ast.FunctionDef):
                del member.args.args[0]
                found[each.name] = f"({ast.unparse(member.args)})", each.name
    return found


def state_types(app: Sphinx, what: str, name: str, thing: object, *others: object) -> tuple[str, str] | None:
    """Return the signature of a function of `capi`."""
    return signatures().get(name.removeprefix(MODULE)) if name.startswith(MODULE) and what == "function" else None


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", state_types, priority=400)  # before conf.py
    return {"parallel_read_safe": True}
