"""Imports follow the rooms of docs/architecture.md."""

import ast
import fnmatch
import importlib.util
import json
import re
from functools import cache
from pathlib import Path

import pytest
from helpers.archs import ARCHS, need
from helpers.child import run_child, run_in_child
from helpers.headers import codegen
from scenarios.reading import count_calls_of_a_first_load

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "taichi_aot"

# Public modules. All others belong to the demo or have names that begin with an underscore.
PUBLIC = {
    "__init__",
    "__main__",
    "build",
    "build.hatch_hook",
    "build.setuptools_hook",
    "capi",
    "cli.main",
    "distributed",
    "interop.dask",
    "interop.jax",
    "interop.torch",
    "interop.vulkan",
    "isolated",
}
# Objects of a runtime have an attribute for it, memories make arrays: they name these types through the package.
NAMES_THE_PACKAGE = ("handles._runtime", "__init__", True)

# Modules that use os.environ. All others read numbers and switches with driver._host.
ENVIRONMENT = {
    "driver._host",
    # texts: paths and names
    "backends._devices",
    "build.output._in_program",
    "build._options",
    "cli._output",
    "driver._gpus",
    # what they set, or pass on
    "build._archs",
    "build.compile._children",
    "build.source._program",
    "driver._library",
    "interop.dask",
    "runtime._environment",
}


# Files of tests that import private modules: unit tests of those, and the helpers that other tests ask
# (docs/testing.md). Only lower it.
MOST_WITH_PRIVATE_IMPORTS = 62
# Lines of the rooms, of Python and C. The commit that changes a number says what its lines buy.
LINES = {
    ".": 680,  # with `capi`
    "_c": 10965,
    "_pyinstaller": 73,
    "adopt": 6626,
    "arrays": 2400,
    "backends": 1834,
    "bundle": 2492,
    "build": 19126,
    "cli": 2501,
    "demo": 129,
    "distributed": 972,
    "driver": 2139,
    "functions": 1682,
    "handles": 3146,
    "interop": 1980,
    "isolated": 481,
    "kernels": 5258,
    "runtime": 2114,
    "values": 2549,
}


HEAD = """\
import taichi as ti

from taichi_aot.build import export

"""
KERNEL = """\
@export
@ti.kernel
def k{0}(a: ti.f32, x: ti.types.ndarray(dtype=ti.f32, ndim=1)):
    for i in x:
        x[i] = a * x[i] + {0}.5


"""


def module_name(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


MODULES = {
    module_name(path): path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] != "_pyinstaller"
}


def floors():
    """Return the floor of each room, from the table in docs/architecture.md."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = re.findall(r"^\| `(\w+)/?` \|", text, re.MULTILINE)
    return {room: floor for floor, room in enumerate(rooms)}


def room_of(module):
    return module.partition(".")[0]


@cache
def imports(name):
    """Return the package's modules that a module imports, and whether only for type checking."""
    path, found = MODULES[name], []
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
            found.append((inner if inner in MODULES else target or "__init__", node in guarded))
    return found


def cycle(arrows):
    """Return a cycle of the graph as a list of names, or None."""
    done, path = set(), []

    def follow(name):
        if name in path:
            return [*path[path.index(name) :], name]
        if name not in done:
            path.append(name)
            for other in sorted(arrows.get(name, ())):
                if found := follow(other):
                    return found
            path.pop()
            done.add(name)
        return None

    return next((found for name in sorted(arrows) if (found := follow(name))), None)


def test_every_folder_is_a_room():
    assert set(floors()) == {room_of(name) for name in MODULES} - {"__init__"}
    assert len(list(PACKAGE.glob("*.py"))) <= 4


def test_rooms_keep_their_size():
    lines = dict.fromkeys(LINES, 0)
    made = {"_capi.c", *codegen.MODULES}
    for path in PACKAGE.rglob("*"):
        if path.suffix in (".py", ".pyi", ".c", ".h") and path.relative_to(PACKAGE).as_posix() not in made:
            room = path.relative_to(PACKAGE).parts[0] if path.parent != PACKAGE else "."
            lines[room] = lines.get(room, 0) + path.read_text(encoding="utf-8").count("\n")
    grown = {room: count for room, count in lines.items() if count > 1.03 * LINES.get(room, 0)}
    assert grown == {}, "make room first, or change LINES and say what the lines buy"
    shrunk = {room: count for room, count in lines.items() if count < 0.9 * LINES[room]}
    assert shrunk == {}, "change LINES, so that the room stays small"


def test_wheels_have_every_package():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    stated = re.search(r"^packages = (\[\"taichi_aot\".*\])$", project, re.MULTILINE)
    folders = {path.parent.relative_to(ROOT).as_posix().replace("/", ".") for path in PACKAGE.rglob("__init__.py")}
    assert set(json.loads(stated[1])) == folders


def test_rooms_import_only_from_rooms_above():
    floor = floors()
    for name in sorted(set(MODULES) - {"__init__"}):
        for imported, for_types in imports(name):
            if imported in ("_capi", "_cdata") or (name, imported, for_types) == NAMES_THE_PACKAGE:
                continue
            if room_of(name) == "demo" and imported == "__init__":  # demos import public names, like users
                continue
            assert floor[room_of(imported)] <= floor[room_of(name)], f"{name} imports {imported}"


# Parts of rooms, each below those that it uses: folders, and modules that come after one. A room's other modules come
# before if private, after if public.
PARTS = {
    "adopt": ("taichi", "llvm", "spirv", "_module", "_make", "_quadrants"),
    "build": ("source", "compile", "ir", "vector", "code", "spirv", "quadrants", "output", "_project"),
}


def part_of(module, parts):
    """Return the place of a module's part in its room, from 0 to ``len(parts) + 1``."""
    _, _, inside = module.partition(".")
    part = inside.partition(".")[0]
    return parts.index(part) + 1 if part in parts else 0 if part.startswith("_") else len(parts) + 1


def test_parts_of_rooms_import_only_from_parts_before():
    for room, parts in PARTS.items():
        folders = {path.name for path in (PACKAGE / room).iterdir() if path.is_dir()} - {"__pycache__"}
        assert folders == {part for part in parts if not part.startswith("_")}
        for name in (name for name in MODULES if room_of(name) == room):
            for imported, _ in imports(name):
                if room_of(imported) == room:
                    assert part_of(imported, parts) <= part_of(name, parts), f"{name} imports {imported}"


def test_imports_have_no_cycle():
    arrows = {
        name: {other for other, for_types in imports(name) if (name, other, for_types) != NAMES_THE_PACKAGE}
        for name in MODULES
        if name != "__init__"
    }
    assert cycle(arrows) is None


def test_cycles_are_found():
    assert cycle({"a": {"b"}, "b": {"c"}}) is None
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_names_of_private_modules_begin_with_an_underscore():
    marked = {name for name in MODULES if name.rpartition(".")[2].startswith("_") and "__" not in name}
    rooms = {name for name, path in MODULES.items() if path.name == "__init__.py"}
    demo = {name for name in MODULES if room_of(name) == "demo"}
    assert set(MODULES) - marked - rooms - demo - PUBLIC == set()
    for name in rooms - PUBLIC - demo:
        assert not imports(name), f"{name} is private and exports something"


def test_launching_what_this_package_has_built_needs_no_parser():
    """Modules of Taichi's own are read by `adopt`, which run-time rooms import only to load those."""
    rooms = {"adopt", "build", "capi", "cli", "isolated", "__init__"}
    importers = {name for name in MODULES for other, _ in imports(name) if room_of(other) == "adopt"}
    assert {name for name in importers if room_of(name) not in rooms} == {"kernels._loading"}


@pytest.mark.parametrize("arch", ["x64", "vulkan"])
def test_first_loads_are_short(build_source, tmp_path, arch):
    """Calls of functions of the package: as many for eight kernels as for two."""
    if arch not in ARCHS:
        need(arch, "no such device on this machine")
    counts = {}
    for name, kernels in (("few", 2), ("many", 8)):
        source = tmp_path / f"{name}.py"
        source.write_text(HEAD + "".join(KERNEL.format(number) for number in range(kernels)), encoding="utf-8")
        output = run_in_child(count_calls_of_a_first_load, arch, build_source(source, arch)).stdout
        counts[name] = loaded, called, imported = output.split()
        assert int(loaded) <= 190  # of which 60 find the forms of records, once in a process
        assert int(called) <= 510
        assert int(imported) <= 15
    assert counts["few"] == counts["many"]


def test_the_package_imports_kernels_and_readers_with_the_first_load():
    code = "import sys, taichi_aot; print(*(name for name in sys.modules if name.startswith('taichi_aot.')))"
    names = [name.removeprefix("taichi_aot.") for name in run_child("-c", code, timeout=60).stdout.split()]
    rooms = {"_capi", "values", "driver", "handles", "backends", "arrays", "runtime"}
    assert {room_of(name) for name in names} == rooms
    assert {"handles._module", "handles._code"}.isdisjoint(names)
    assert {"arrays._image", "handles._image", "values._texels"}.isdisjoint(names)  # they come with the first image
    assert "kernels._messages" not in names  # they come with the first message
    assert len(names) <= 31


def test_only_driver_imports_the_extension():
    importers = {name for name in MODULES if ("_capi", False) in imports(name)}
    assert importers == {"driver._library"}


def test_readers_of_files_import_no_compiled_code():
    seen, left = set(), {name for name in MODULES if room_of(name) in ("bundle", "adopt")}
    while left:
        name = left.pop()
        seen.add(name)
        left |= {imported for imported, _ in imports(name) if imported in MODULES} - seen
    assert {room_of(name) for name in seen} == {"values", "bundle", "adopt"}


def test_few_modules_use_the_environment():
    """Numbers and switches are for ``driver/_host.py`` to read, by one rule."""
    word = re.compile(r"\bos\.(environb?|getenvb?|putenv)\b|^from os import", re.MULTILINE)
    assert {name for name, path in MODULES.items() if word.search(path.read_text(encoding="utf-8"))} == ENVIRONMENT


def private_imports(text):
    """Return the private modules and names of the package that a test's file imports."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if re.match(r"taichi_aot\b.*\._(?!_)", name)}


def test_few_files_of_tests_import_private_modules():
    files = (ROOT / "tests").rglob("*.py")
    found = {path.relative_to(ROOT).as_posix() for path in files if private_imports(path.read_text(encoding="utf-8"))}
    assert len(found) <= MOST_WITH_PRIVATE_IMPORTS, f"ask helpers.inside instead, or a public name: {sorted(found)}"


def test_private_imports_are_found():
    for text in (
        "from taichi_aot.values._numbers import Arch",
        "def f():\n    from taichi_aot.build import _export as export",
        "import taichi_aot._capi",
        "from taichi_aot import Arch, _capi",
    ):
        assert private_imports(text), text
    assert not private_imports("from taichi_aot import Arch, __version__\nfrom taichi_aot.__main__ import main\n")


def test_every_folder_of_tests_is_collected(pytestconfig):
    """By default pytest skips folders named ``build``, among others."""
    tests = ROOT / "tests"
    folders = {part for path in tests.rglob("test_*.py") for part in path.relative_to(tests).parts[:-1]}
    assert len(folders) > 10
    for pattern in pytestconfig.getini("norecursedirs"):
        assert not fnmatch.filter(folders, pattern)


def test_files_named_in_the_page_exist():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for name in re.findall(r"`((?:[\w.]+/)+[\w.]*)`", text):
        assert any((folder / f"{name}{suffix}").exists() for folder in (PACKAGE, ROOT) for suffix in ("", ".py")), name


def c_code(path):
    """The text of a C file without comments and texts."""
    return re.sub(r'/\*.*?\*/|"[^"\n]*"', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


C = PACKAGE / "_c"
C_FOLDERS = ("core", "cpu", "cuda", "vulkan", "opengl")


def c_files(suffix):
    """The C files of the extension by folder and stem."""
    return {f"{folder}/{path.stem}": path for folder in C_FOLDERS for path in (C / folder).glob(f"*{suffix}")}


def test_c_files_call_only_files_below():
    order = re.findall(r'^#include "([\w/]+)\.h"', (C / "taichi_aot.h").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(order) == sorted(c_files(".h"))
    codes = {name: c_code(path) for name, path in c_files(".c").items()}
    floor = {name: order.index(name) if name in order else len(order) for name in codes}
    definition = re.compile(r"^(?!static)\w[\w \*]*?\b(taichi_aot_\w+)\([^;{}]*\) \{", re.MULTILINE)
    defined = {function: name for name, code in codes.items() for function in definition.findall(code)}
    assert len(defined) > 100
    for name, code in codes.items():
        used = {defined[function] for function in re.findall(r"\btaichi_aot_\w+", code) if function in defined}
        assert {other for other in used - {name} if floor[other] >= floor[name]} == set(), name


def test_c_files_of_all_backends_ask_for_no_arch():
    for name, path in (c_files(".c") | c_files(".h")).items():
        if name != "core/archs":
            assert "TI_ARCH_" not in c_code(path), path
        if name.startswith("core/") and name != "core/archs":
            assert not re.search(r"taichi_aot_(?:cuda|vulkan)_(?!backend)", c_code(path)), path
            assert not re.search(r'#include "(?:cpu|cuda|vulkan|opengl)/', path.read_text(encoding="utf-8")), path


def test_c_functions_that_answer_are_named_so():
    """A caller that negates a result reads an answer from it, and an answer is no status."""
    definition = re.compile(r"^(?:static )?int (\w+)\([^;{}]*\) \{(.*\}$|\n(?s:.*?)^\})", re.MULTILINE)
    answers = re.compile(r"(?:^|_)(?:is|has|can|takes)_")
    found = {name: definition.findall(c_code(path)) for name, path in c_files(".c").items()}
    shared = {own for functions in found.values() for own, _ in functions if own.startswith("taichi_aot_")}
    assert len(shared) > 100
    for name, functions in found.items():
        actions = {function for function in shared | {own for own, _ in functions} if not answers.search(function)}
        assert actions.isdisjoint(re.findall(r"!(\w+)\(", c_code(c_files(".c")[name]))), name
        wrong = [own for own, body in functions if answers.search(own) and "return TAICHI_AOT_" in body]
        assert wrong == [], name


def test_scripts_import_names_that_exist():
    """Type checkers do not read the scripts beside the package, and few of them run with the tests."""
    scripts = [path for folder in ("benchmarks", ".ci", "docs", "examples") for path in (ROOT / folder).rglob("*.py")]
    found = 0
    for node in (node for path in scripts for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        if not isinstance(node, ast.ImportFrom) or not re.match(r"taichi_aot(?!\._cdata)(\.|$)", node.module or ""):
            continue  # _cdata is for type checkers only
        module = importlib.import_module(node.module)
        for alias in node.names:
            known = hasattr(module, alias.name) or importlib.util.find_spec(f"{node.module}.{alias.name}")
            assert known, f"{node.module} has no {alias.name}"
            found += 1
    assert found > 50
