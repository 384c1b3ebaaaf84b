"""``.ci/codegen`` generates modules from the headers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.checkers import need
from helpers.headers import build_ffi, codegen

ROOT = Path(__file__).parent.parent
FILES = ["taichi_aot/_capi.pyi", *(f"taichi_aot/capi/{name}" for name in codegen.capi.FILES)]
NOTE = "# Made at build time from include/taichi by .ci/codegen. Do not edit.\n"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A package folder with the generated modules."""
    folder = tmp_path_factory.mktemp("codegen")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codegen, "PACKAGE", folder / "taichi_aot")
        codegen.write_all()
    return folder


def test_git_ignores_the_files(written):
    made = sorted(path.relative_to(written).as_posix() for path in written.rglob("*.py*"))
    assert made == sorted(FILES)
    assert {f"/{name}" for name in made} <= set((ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("name", FILES)
def test_file_says_where_it_comes_from(name, written):
    assert (written / name).read_text(encoding="utf-8").startswith(NOTE)


@pytest.mark.parametrize("command", [("check", "--no-cache"), ("format", "--check", "--diff")], ids=["check", "format"])
def test_ruff_accepts_the_generated_files(command, written):
    need("ruff")
    options = ["--config", str(ROOT / "pyproject.toml"), *(name for name in FILES if not name.endswith(".pyi"))]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, *options], cwd=written, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_stub_has_every_structure_and_function(written):
    tree = ast.parse((written / "taichi_aot" / "_capi.pyi").read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for name in codegen.capi.STRUCTS:
        assert {name, f"{name}_p"} <= classes.keys()
    methods = {node.name for node in classes["Lib"].body if isinstance(node, ast.FunctionDef)}
    assert methods == {function.name for function in build_ffi.read_functions(build_ffi.make_cdef())}


def test_python_does_not_see_what_is_for_c_alone():
    declarations = build_ffi.own_declarations()
    assert len(build_ffi.own_headers()) > 20
    assert "taichi_aot_cuda_leave(" not in declarations  # below the line in a header
    context = declarations.partition("typedef struct taichi_aot_context {")[2].partition("}")[0]
    assert "ti_runtime" in context
    assert "backend" not in context  # below the line in a structure
    assert "...;" in context


# Headers with unknown declarations.


def test_member_of_an_unknown_type_is_an_error():
    structure = codegen.capi.Structure("TiNew", (("TiUnknown", "member", 0),), is_union=False)
    with pytest.raises(ValueError, match=r"TiNew has a type that this script does not know: TiUnknown"):
        codegen.capi.member_kind(structure, "TiUnknown", 0)


def test_parameter_of_an_unknown_type_is_an_error():
    prototype = build_ffi.Prototype("void", "ti_wait", (("TiUnknown", "argument"),))
    with pytest.raises(ValueError, match=r"ti_wait has a parameter that this script does not know: TiUnknown argument"):
        codegen.capi.read_function(prototype)


def test_function_without_sentences_is_an_error():
    with pytest.raises(KeyError, match="new_function"):
        codegen.capi.read_function(build_ffi.Prototype("void", "ti_new_function", ()))
