"""The Python modules of bundles: what programs do with them, and that hostile names stay strings."""

import ast
import importlib
import inspect
import pickle
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from helpers.made_infos import EMPTY, HOSTILE, HOSTILE_NAMES, USUAL, kernel, module_of
from hypothesis import given
from hypothesis import strategies as st

import taichi_aot
from taichi_aot import AotModule, Arch, Kernel, Runtime
from taichi_aot.build import make_python
from taichi_aot.build.output._python import functions_without_names, functions_without_results, path_from
from taichi_aot.demo import mpm88

X = np.float32([1, 2, 3])


@pytest.fixture
def imported(tmp_path, monkeypatch):
    """Return a function that writes a bundle with its Python module into a package, and imports it."""
    package = tmp_path / "of_a_bundle"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)

    def write_and_import(info, data):
        (package / "made_aot.py").write_text(make_python(info, "data/made.tib"), encoding="utf-8")
        (package / "data").mkdir()
        (package / "data" / "made.tib").write_bytes(data)
        return importlib.import_module("of_a_bundle.made_aot")

    yield write_and_import
    for name in [name for name in sys.modules if name.startswith("of_a_bundle")]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def basic(compiled):
    """A module that states which arrays a kernel writes."""
    return (compiled("vulkan") / "basic.tcm").read_bytes()


def test_programs_load_the_bundle_and_call_functions(imported, basic):
    made = imported(taichi_aot.inspect(basic), basic)
    with made.load("vulkan") as module:
        assert isinstance(module, made.Kernels)
        assert isinstance(module.saxpy, made.SaxpyKernel)
        x, y = module.runtime.asarray(X), module.runtime.zeros(3, "f32")
        module.saxpy(2.0, x, y)
        assert y.to_numpy().tolist() == [2, 4, 6]
        with made.load(runtime=module.runtime) as other:
            assert other.runtime is module.runtime
    functions = made.Functions("vulkan")
    assert functions.saxpy(2.0, X, X).tolist() == [3, 6, 9]
    assert functions.saxpy is functions.saxpy
    value, out = pickle.loads(pickle.dumps(functions.answer))(np.zeros(1, np.int32))
    assert (value, out.shape) == (42, (1,))
    assert callable(made.SaxpyFunction)


def test_bundle_is_found_in_a_zip_file(imported, basic, tmp_path):
    """Also a module outside of packages."""
    text = make_python(taichi_aot.inspect(basic), "zipped.tcm")
    with zipfile.ZipFile(tmp_path / "program.zip", "w") as archive:
        archive.writestr("of_a_bundle_in_zip.py", text)
        archive.writestr("zipped.tcm", basic)
    sys.path.insert(0, str(tmp_path / "program.zip"))
    try:
        made = importlib.import_module("of_a_bundle_in_zip")
        assert list(made.load("vulkan").kernels) == list(taichi_aot.inspect(basic).kernels)
        assert made.Functions("vulkan").saxpy(2.0, X, X).tolist() == [3, 6, 9]
    finally:
        sys.path.pop(0)


def test_missing_bundle_is_named(imported, basic):
    made = imported(taichi_aot.inspect(basic), basic)
    Path(made.__file__).with_name("data").joinpath("made.tib").unlink()
    with pytest.raises(FileNotFoundError, match=r"made\.tib"):
        made.load("x64")


def test_types_of_functions_have_the_parameters_of_calls(imported, basic):
    info = taichi_aot.inspect(basic)
    functions = imported(info, basic).Functions("vulkan")
    tree = ast.parse(make_python(info, "made.tib"))
    calls = {
        node.name.removesuffix("Function").lower(): next(
            each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__call__"
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name.endswith("Function")
    }
    names = [name for name in vars(type(functions)) if name.replace("_", "") in calls and not name.startswith("_")]
    assert {"saxpy", "answer"} <= set(names)
    for name in names:
        stated = calls[name.replace("_", "")].args
        parameters = inspect.signature(getattr(functions, name)).parameters.values()
        assert [each.arg for each in stated.args] == [each.name for each in parameters]
        assert len(stated.defaults) == sum(each.default is not inspect.Parameter.empty for each in parameters)


def test_functions_need_known_results():
    assert functions_without_results(USUAL) == ("unstated",)
    text = make_python(USUAL, "usual.tib")
    assert "def split(self) -> SplitFunction:" in text
    for name in ("nothing", "unstated", "packed", "turn"):
        assert f"def {name}(" not in text
    assert "class Functions" not in make_python(EMPTY, "empty.tib")
    assert functions_without_names(USUAL) == ()
    assert {"load", "_make", "class"} <= set(functions_without_names(HOSTILE))


def test_hostile_names_and_docs_stay_strings():
    tree = ast.parse(make_python(HOSTILE, 'x"\n.tib'))
    assert {type(node) for node in tree.body} == {
        *(ast.Expr, ast.ImportFrom, ast.Import, ast.If, ast.FunctionDef, ast.ClassDef)
    }
    (types,) = (node for node in tree.body if isinstance(node, ast.If))
    classes = {node.name: node for node in types.body if isinstance(node, ast.ClassDef)}
    assert len(classes) == sum(isinstance(node, ast.ClassDef) for node in types.body)
    aliases = {node.target.id: node.value for node in types.body if isinstance(node, ast.AnnAssign)}
    assert ast.literal_eval(aliases["KernelName"].slice) == ("saxpy", *HOSTILE_NAMES, "many")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__call__"]
    docs = {ast.get_docstring(call) for call in calls}
    signatures = [ast.get_docstring(node) or "" for node in classes.values()]
    for name in HOSTILE_NAMES:
        assert any(text.startswith(inspect.cleandoc(f"{name}(")) for text in signatures)
        assert inspect.cleandoc(name) in docs or not name.strip()
    attributes = {node.target.id for node in classes["Kernels"].body if isinstance(node, ast.AnnAssign)}
    no_attributes = {"class", "None", "ŉ", "__init__", "__double", "close", "runtime", "_graphs", "ﬁne"}
    identifiers = {name for name in HOSTILE_NAMES if name.isidentifier()}
    assert attributes == identifiers - no_attributes | {"saxpy", "many", "other"}
    (functions,) = (node for node in tree.body if isinstance(node, ast.ClassDef))
    methods = {node.name for node in functions.body if isinstance(node, ast.FunctionDef)}
    hidden = {"_make", "load", "cached_property", "Kernel", "Kernels", "Functions", "KernelMapping"}
    assert methods == {"__init__", "_make", "saxpy", "many"} | identifiers - no_attributes - hidden | {
        *("close", "runtime", "_graphs")
    }


def test_hostile_text_runs(imported):
    made = imported(HOSTILE, b"")
    assert made.Kernels is AotModule
    assert made.ManyKernel is Kernel
    assert isinstance(made.Functions("x64"), made.Functions)


@given(st.text('"\\\\\n\r\t #\u2028ax()', max_size=12), st.text('"\\\\\n\r \0a', max_size=12))
def test_any_name_and_doc_stay_strings(name, doc):
    text = make_python(module_of([kernel(name, doc=doc), kernel("other")]), name)
    (types,) = (node for node in ast.parse(text).body if isinstance(node, ast.If))
    names = [node.name for node in types.body if isinstance(node, ast.ClassDef)]
    assert len(names) == 7
    assert names[2:] == ["OtherKernel", "OtherLaunch", "KernelMapping", "_Module", "Kernels"]


def test_text_is_formatted_and_the_same_each_time():
    if find_spec("ruff") is None:
        pytest.skip("ruff is not installed")
    for info in (USUAL, HOSTILE, EMPTY, taichi_aot.inspect(mpm88.module_bytes(Arch.X64))):
        text = make_python(info, "folder/kernels.tib")
        assert text == make_python(info, "folder/kernels.tib")
        command = [sys.executable, "-m", "ruff", "format", "--isolated", "--stdin-filename", "made.py", "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", timeout=60)
        assert (done.stdout, done.stderr) == (text, "")


@pytest.mark.parametrize(
    ("python", "bundle", "path"),
    [
        ("a.py", "k.tib", "k.tib"),
        ("x/a.py", "x/y/k.tib", "y/k.tib"),
        ("x/a.py", "k.tib", ""),
        ("x/a.py", "y/k.tib", ""),
    ],
)
def test_bundle_is_in_the_folder_of_the_module(python, bundle, path):
    if path:
        assert path_from(Path(python), Path(bundle)) == path
    else:
        with pytest.raises(ValueError, match=r"k\.tib must be in the folder of x/a\.py, which loads it, or below"):
            path_from(Path(python), Path(bundle))


def test_arguments_reach_the_package(imported, basic):
    made = imported(taichi_aot.inspect(basic), basic)
    with pytest.raises(taichi_aot.InvalidArgumentError, match="contradicts the runtime"), Runtime("cpu") as rt:
        made.load("metal", rt)
    with pytest.raises(taichi_aot.ArgumentOutOfRangeError, match="unknown arch 'vulcan'"):
        made.Functions("vulcan").saxpy(2.0, X, X)
