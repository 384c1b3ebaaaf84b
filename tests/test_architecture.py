"""docs/architecture.md lists the modules; each imports only from the rows above its own."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "taichi_aot"


def rows():
    """Module name to its place: row by row, from left to right."""
    order = {}
    for line in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            for name in re.findall(r"`([\w/]+)`", line.split("|")[1]):
                order[name.rstrip("/")] = len(order)
    return order


def imports(path):
    """The modules of the package that a file imports at run time."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    guarded = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    depth = len(path.relative_to(PACKAGE).parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == depth and node not in guarded:
            yield from [node.module.split(".")[0]] if node.module else [alias.name for alias in node.names]


def test_every_module_is_in_the_map_and_imports_from_above_only():
    order = rows()
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if name == "__init__":
            continue
        assert name in order, f"{name} is not in docs/architecture.md"
        for imported in imports(path):
            if imported not in ("_capi", name):
                assert order[imported] < order[name], f"{name} imports {imported}, which stands below it"


def test_one_module_alone_imports_the_extension():
    importers = [path.name for path in PACKAGE.rglob("*.py") if "_capi" in imports(path)]
    assert importers == ["_library.py"]
