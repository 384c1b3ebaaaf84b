"""docs/architecture.md lists the rooms and modules in order; each imports only from the rows above its own."""

import ast
import fnmatch
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "taichi_aot"

# What belongs to a runtime names it, allocators of a runtime return handles of memory, and memory creates arrays: these
# types need each other. At run time the imports go one way.
FOR_TYPES_ONLY = {("_handles.resource", "runtime"), ("_handles.runtime", "_handles.memory"), ("memory", "ndarray")}


def places():
    """Module name to its place: row by row, from left to right."""
    order = {}
    for line in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            for name in re.findall(r"`([\w/]+)`", line.split("|")[1]):
                order[name.replace("/", ".").rstrip(".")] = len(order)
    return order


def module_name(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


MODULES = {module_name(path): path for path in PACKAGE.rglob("*.py")}


def imports(name):
    """The modules of the package that a module imports, for types too, with whether it is only for types."""
    path = MODULES[name]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    guarded = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    package = path.relative_to(PACKAGE).parts[:-1]
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or node.level == 0:
            continue
        base = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
        target = ".".join(filter(None, base))
        for alias in node.names:
            inner = f"{target}.{alias.name}".lstrip(".")
            yield (inner if inner in MODULES else target), node in guarded


def place_of(order, name):
    """A module's own place, else that of its folder."""
    while name not in order and "." in name:
        name = name.rpartition(".")[0]
    return name


def test_modules_import_only_from_rows_above():
    order = places()
    for name in sorted(name for name in MODULES if name != "__init__" and MODULES[name].stat().st_size):
        own = place_of(order, name)
        assert own in order, f"{name} is not in docs/architecture.md"
        for imported, for_types in imports(name):
            other = place_of(order, imported)
            if other in (own, "_capi", "_cdata") or (for_types and (name, imported) in FOR_TYPES_ONLY):
                continue
            assert order[other] < order[own], f"{name} imports {imported}, which stands below it"


def test_only_ffi_imports_the_extension():
    importers = {name for name in MODULES if ("_capi", False) in imports(name)}
    assert importers == {"_ffi.library", "_ffi.pointers"}


def test_formats_import_no_compiled_code():
    seen, left = set(), {name for name in MODULES if name.startswith("formats")}
    while left:
        name = left.pop()
        seen.add(name)
        left |= {imported for imported, _ in imports(name) if imported in MODULES} - seen
    assert not any(name.startswith("_") for name in seen), sorted(seen)


def test_every_folder_of_tests_is_collected(pytestconfig):
    """By default pytest leaves out folders called ``build``, for one."""
    tests = ROOT / "tests"
    folders = {part for path in tests.rglob("test_*.py") for part in path.relative_to(tests).parts[:-1]}
    assert len(folders) > 10
    for pattern in pytestconfig.getini("norecursedirs"):
        assert not fnmatch.filter(folders, pattern)
