"""The documentation is complete according to its sources; `.ci/run` builds it and checks its links."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from taichi_aot import capi

pytest.importorskip("dask", reason="it has public names in interop.dask")
from helpers import public
from helpers.errors_page import UNSAID
from helpers.inside import reasons_without_code

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def test_reference_has_every_public_name_once():
    """A name has a directive, or belongs to a module that has one."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((DOCS / "api").glob("*.rst")))
    documented = re.findall(r"^\.\. (?:auto(?!module)\w+|class-reference):: (\S+)$", text, re.MULTILINE)
    documented = [name for name in documented if name.rpartition(".")[0] not in public.MISSING]
    modules = re.findall(r"^\.\. automodule:: (\S+)$", text, re.MULTILINE)
    rest = [name for name in public.NAMES if name.rpartition(".")[0] in modules and name not in documented]
    assert sorted([*documented, *rest]) == sorted(public.NAMES)


def test_index_of_the_reference_summarizes_every_page():
    text = (DOCS / "api" / "index.md").read_text(encoding="utf-8")
    pages = re.findall(r":caption: taichi_aot\n:hidden:\n\n(.*?)^:::$", text, re.DOTALL | re.MULTILINE)[0].split()
    summarized = " ".join(re.findall(r"^\.\. summary:: (.*)$", text, re.MULTILINE)).split()
    assert sorted([*summarized, "types"]) == sorted(pages)


def test_groups_of_members_name_what_classes_have():
    """The build fails otherwise."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((DOCS / "api").glob("*.rst")))
    classes = re.findall(r"^\.\. class-reference:: (\S+)\n((?:\n|   .*\n)*)", text, re.MULTILINE)
    grouped = [(name, re.findall(r"^   .*?: (.*)$", lines, re.MULTILINE)) for name, lines in classes]
    members = [(name, member) for name, groups in grouped for group in groups for member in group.split()]
    assert len(members) > 60
    assert len(members) == len(set(members))
    assert [(name, member) for name, member in members if member not in dir(public.NAMES[name])] == []


def test_every_page_is_in_one_table_of_contents():
    """Sphinx warns about a page in none."""
    listed = [
        f"{index.parent.relative_to(DOCS) / name}"
        for index in DOCS.rglob("index.md")
        for toctree in re.findall(
            r"^:::\{toctree\}\n(.*?)^:::$", index.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        )
        for name in re.findall(r"^(?!:)(\S+)$", toctree, re.MULTILINE)
    ]
    assert len(listed) == len(set(listed))


def read(page):
    return (DOCS / page).read_text(encoding="utf-8")


@cache
def strings_of(*folders):
    return tuple(find_strings(*folders))


def find_strings(*folders):
    """Return the strings in the Python code of files and folders, with ``…`` for what an f-string inserts."""
    for folder in folders:
        for path in [ROOT / folder] if folder.endswith(".py") else sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def first_column(page, header):
    """Return the code spans in the first column of a page's tables with this header."""
    tables = re.findall(rf"^\| {header} \|.*\n((?:\|.*\n)+)", read(page), re.MULTILINE)
    rows = re.findall(r"^\| (.*?) \| ", "".join(tables), re.MULTILINE)
    return [text for row in rows for text in re.findall(r"`([^`]+)`", row)]


@pytest.mark.parametrize("message", UNSAID)
def test_errors_page_quotes_real_messages(message):
    """tests/values/test_mistakes.py makes the calls that say the others."""
    parts = [part.strip() for part in message.split("…") if re.search(r"\w", part)]
    assert any(all(part in text for part in parts) for text in strings_of("taichi_aot"))


def test_environment_page_has_every_variable():
    """Find the package's and Taichi's variables by their names, and all others by uses of `os.environ`."""
    sources = ("taichi_aot", "tests/helpers/archs.py", "tests/helpers/frameworks.py", "setup.py", ".ci/project_page.py")
    name = re.compile(r"(TAICHI_AOT|TAICHI_C_API|TI)_[A-Z_]+[A-Z]")
    names = set(filter(name.fullmatch, strings_of(*sources)))
    names -= set(capi.__all__)  # constants of C
    files = [path for pattern in ("*.py", "*.c") for path in (ROOT / "taichi_aot").rglob(pattern)]
    texts = [path.read_text(encoding="utf-8") for path in [*files, ROOT / "setup.py"]]
    names |= {name for text in texts for name in re.findall(r"""environ(?:\.get\(|\[)"(\w+)""", text)}
    names |= {name for text in texts for name in re.findall(r'static const char \w+\[\] = "(TAICHI_\w+)"', text)}
    listed = set(first_column("environment.md", "variable"))
    assert names - listed == set()
    assert {name for name in listed - names if name.startswith("TAICHI_")} == set()


def test_build_page_has_every_reason_why_a_kernel_has_no_code():
    reasons = set(reasons_without_code())
    assert len(reasons) > 12
    assert set(first_column("build.md", "reason")) >= reasons


def test_tests_named_in_pages_exist():
    pages = [*DOCS.glob("*.md"), ROOT / "tests" / "launch" / "README.md"]
    named = set(re.findall(r"`(test_\w+)`", "".join(path.read_text(encoding="utf-8") for path in pages)))
    defined = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in [path.stem, *re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)]
    }
    assert len(named) > 15
    assert named <= defined
