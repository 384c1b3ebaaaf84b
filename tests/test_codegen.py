"""``.ci/codegen`` generates modules from the headers."""

import ast
import inspect
from pathlib import Path

import pytest
from helpers.headers import build_ffi, codegen

from taichi_aot import capi

ROOT = Path(__file__).parent.parent
FILES = [f"taichi_aot/{name}" for name in codegen.MODULES]
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


def test_stub_has_every_structure_and_function(written):
    tree = ast.parse((written / "taichi_aot" / "_capi.pyi").read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    assert {
        name for each in ("TiArgument", "TiNdArray", "VkExtent3D") for name in (each, f"{each}_p")
    } <= classes.keys()
    methods = {node.name for node in classes["Lib"].body if isinstance(node, ast.FunctionDef)}
    assert methods == {function.name for function in build_ffi.read_functions(build_ffi.make_cdef())}


def test_stub_of_capi_has_its_names(written):
    tree = ast.parse((written / "taichi_aot" / "capi.pyi").read_text(encoding="utf-8"))
    names = {each.name for each in tree.body if isinstance(each, ast.ClassDef | ast.FunctionDef)}
    names |= {
        each.target.id for each in tree.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    assert names == {*capi.__all__, "__all__"}
    for each in (each for each in tree.body if isinstance(each, ast.FunctionDef)):
        assert [argument.arg for argument in each.args.args] == [
            *inspect.signature(getattr(capi, each.name)).parameters
        ]


def test_python_does_not_see_what_is_for_c_alone():
    declarations = build_ffi.own_declarations()
    assert len(build_ffi.own_headers()) > 20
    assert "taichi_aot_cuda_leave(" not in declarations  # below the line in a header
    context = declarations.partition("typedef struct taichi_aot_context {")[2].partition("}")[0]
    assert "ti_runtime" in context
    assert "backend" not in context  # below the line in a structure
    assert "...;" in context
