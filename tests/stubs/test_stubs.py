"""Type checkers accept stubs of modules and their right uses, and stubs escape hostile names."""

import ast
import inspect
import shutil
from pathlib import Path

import numpy as np
import pytest
from helpers.checkers import expected_errors, mypy_errors, pyright_errors
from hypothesis import given
from hypothesis import strategies as st

import taichi_aot
from taichi_aot import Arch, DataType, FieldInfo, KernelInfo, ModuleInfo, Parameter, Signature
from taichi_aot.demo import mpm88
from taichi_aot.formats._info import GraphInfo
from taichi_aot.stubs import make_stubs

USES = Path(__file__).parent / "uses.py"
F32, I32 = DataType.F32, DataType.I32
X = Parameter("x", "ndarray", F32, 1)
HOSTILE = [
    'x"]: ...\nimport os\nos.abort()\n#',
    '"""\nimport os\nos.abort()\n"""',
    "\\",
    "\\n\r\u2028\0\ud800\u202e",
    'end"',
    "",
    "not-a-name",
    "class",
    "None",
    "2d",
    "ŉ",
    "__init__",
    "__double",
    "_",
    "close",
    "runtime",
    "_graphs",
    "str",
    "property",
    "Kernel",
    "Kernels",
    "SaxpyKernel",
    "KernelMapping",
    "ﬁne",
    "a_b",
    "aB",
    "größe",
]


def kernel(name, *parameters, result=None, doc=""):
    dtype = None if result is None else np.dtype(result)
    returns = () if result is None else ("f32",)
    return KernelInfo(Signature(name, parameters, returns), (), return_dtype=dtype, doc=doc)


def field(name):
    return FieldInfo(name, F32, (4,), (), f"get {name}", f"set {name}")


def module_of(kernels, graphs=(), fields=()):
    kernels = {kernel.signature.name: kernel for kernel in kernels}
    graphs = {graph.signature.name: graph for graph in graphs}
    return ModuleInfo("gfx", (), (1, 7, 4), kernels, graphs, kernels, fields)


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A folder with stubs of two modules, and uses of one of them."""
    folder = tmp_path_factory.mktemp("stubs")
    kernels = [
        kernel("saxpy", Parameter("a", "scalar", F32), X, X._replace(name="y"), doc='Adds\n\n    "indented"\n'),
        kernel(
            "turn",
            Parameter("v", "matrix", I32, elem_shape=(3,)),
            Parameter("m", "matrix", F32, elem_shape=(2, 2)),
            Parameter("n", "scalar", I32),
        ),
        kernel("blur", Parameter("image", "rw_texture", ndim=2), Parameter("source", "texture", ndim=2), X),
        kernel("dot", X, X._replace(name="y"), result=[("0", "f4")]),
        kernel("pair", result=[("0", "f4"), ("1", "i4", (2,))]),
        kernel("packed", Parameter("pack", "argpack")),
        kernel("nothing"),
        kernel("not-a-name"),
        kernel("close"),
    ]
    fields = [field(name) for name in ("v", "not-a-name", "keys", "particle.x", "particle.y")]
    fields.append(field("hidden")._replace(get=""))
    text = make_stubs(module_of(kernels, [GraphInfo(Signature("both", (X,)), ())], fields))
    (folder / "kernels.pyi").write_text(text, encoding="utf-8")
    parameters = [Parameter(name, "scalar", F32) for name in ("self", "_self", "__x", "None_", "np", "größe")]
    hostile = [kernel(name, *parameters, doc=name) for name in ["saxpy", *HOSTILE]]
    graphs = [GraphInfo(Signature(name, (X,)), ()) for name in ("saxpy", "other")]
    (folder / "hostile.pyi").write_text(
        make_stubs(module_of(hostile, graphs, [field(name) for name in HOSTILE])), encoding="utf-8"
    )
    (folder / "empty.pyi").write_text(make_stubs(module_of([])), encoding="utf-8")
    shutil.copy(USES, folder)
    return folder


def test_mypy_finds_only_the_wrong_uses(sources):
    found, output = mypy_errors(sources.iterdir())
    assert found == expected_errors("mypy", [sources / "uses.py"]), output


@pytest.mark.slow
def test_pyright_finds_only_the_wrong_uses(sources):
    found, output = pyright_errors(sources, sources, {"typeCheckingMode": "strict"})
    expected = expected_errors("pyright", [sources / "uses.py"])
    lines = {line for _, line, _ in expected}
    # Ignore unknown types in lines with an error: they follow from it.
    assert {error for error in found if error[1] not in lines or "Unknown" not in error[2]} == expected, output


def test_hostile_names_and_docs_stay_strings(sources):
    tree = ast.parse((sources / "hostile.pyi").read_text(encoding="utf-8"))
    assert {type(node) for node in tree.body} == {ast.ImportFrom, ast.Import, ast.AnnAssign, ast.ClassDef}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    assert len(classes) == sum(isinstance(node, ast.ClassDef) for node in tree.body)
    literals = [node for node in tree.body if isinstance(node, ast.AnnAssign) and node.target.id == "KernelName"]
    assert ast.literal_eval(literals[0].value.slice) == ("saxpy", *HOSTILE)
    signatures = [ast.get_docstring(node) or "" for node in classes.values()]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__call__"]
    docs = {ast.get_docstring(call) for call in calls}
    for name in HOSTILE:
        assert any(text.startswith(inspect.cleandoc(f"{name}(")) for text in signatures)
        assert inspect.cleandoc(name) in docs or not name.strip()
    attributes = {node.target.id for node in classes["Kernels"].body}
    own = {"_", "str", "property", "Kernel", "Kernels", "SaxpyKernel", "KernelMapping", "a_b", "aB", "größe"}
    assert attributes == {"saxpy", "other"} | own


@given(st.text('"\\\\\n\r\t #\u2028ax()', max_size=12), st.text('"\\\\\n\r \0a', max_size=12))
def test_any_name_and_doc_stay_strings(name, doc):
    tree = ast.parse(make_stubs(module_of([kernel(name, doc=doc), kernel("other")])))
    assert [type(node) for node in tree.body[:2]] == [ast.ImportFrom, ast.ImportFrom]
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    assert len(names) == 7
    assert names[2:] == ["OtherKernel", "OtherLaunch", "KernelMapping", "_Module", "Kernels"]


def test_same_module_gives_the_same_text():
    texts = {make_stubs(taichi_aot.inspect(mpm88.module_bytes(Arch.X64))) for _ in range(2)}
    assert len(texts) == 1


@pytest.mark.parametrize("name", ["", "class", "a b", "Kernel", "KernelName", "_Module", "x\n"])
def test_wrong_class_name_is_rejected(name):
    with pytest.raises(ValueError, match="the class cannot be named"):
        make_stubs(module_of([]), name)


def test_class_name_is_used():
    assert "class Fluid(_Module, Protocol): ..." in make_stubs(module_of([]), "Fluid")
