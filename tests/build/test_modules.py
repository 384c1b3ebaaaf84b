"""The contents of a built module, and its kernels' results."""

import json
import logging
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from helpers.archives import read_archive, taichis_own

import taichi_aot
from taichi_aot import Arch, Runtime
from taichi_aot.adopt._module import describe
from taichi_aot.adopt.llvm import _module as _llvm
from taichi_aot.adopt.spirv import _module as _gfx
from taichi_aot.build import build, make_python
from taichi_aot.build.compile._compiled import Compiled
from taichi_aot.build.output import _build
from taichi_aot.bundle._codec import encode

FOLDER = Path(__file__).parent
NAMES = ("saxpy", "dot", "fill", "scaled", "count", "rows", "square", "cube", "put", "power|exponent=4,")


def member(path, arch):
    return read_archive(path)[f"{arch}.tcm"]


def description(path):
    return json.loads(read_archive(path)["bundle.json"])


def copy_sources(folder):
    folder.mkdir()
    for name in ("kernels.py", "constants.py"):
        shutil.copy(FOLDER / name, folder / name)
    return folder / "kernels.py"


@pytest.fixture
def built_module(rt, built):
    if rt.arch not in [each.arch for each in built.modules]:
        pytest.skip("the fixture does not build for this arch")
    return rt.load_module(member(built.path, rt.arch))


def test_result_lists_kernels_graphs_and_archs(built):
    assert built.kernels == NAMES
    assert built.graphs == ("twice", "chain", "again")
    assert str(built).endswith("kernels.tib: 10 kernels, 3 graphs for x64, vulkan")
    assert [each.arch for each in built.modules] == [Arch.X64, Arch.VULKAN]
    assert json.loads(json.dumps(built.to_dict()))["modules"]["x64"]["size"] == len(member(built.path, "x64"))


def test_bundle_describes_its_kernels(built):
    info = taichi_aot.inspect(built.path)
    assert info.version == (1, 7, 4)
    assert description(built.path)["source"]["file"] == "kernels.py"
    saxpy, dot, *_ = info.kernels.values()
    lines = (FOLDER / "kernels.py").read_text().splitlines()
    assert lines[saxpy.line - 1].startswith("def saxpy(")
    assert lines[dot.line - 1].startswith("def dot_product(")
    assert saxpy.doc == "Add a * x to y."
    assert saxpy.file == "kernels.py"
    assert [parameter.name for parameter in saxpy.signature.parameters] == ["a", "x", "y"]
    assert [parameter.shape for parameter in saxpy.signature.parameters] == [(), ("n",), ("n",)]
    (x,) = info.kernels["cube"].signature.parameters
    assert (x.name, x.shape, x.access) == ("x", (4,), "rw")


def test_graph_shapes_follow_from_kernel_shapes(built):
    graphs = taichi_aot.inspect(built.path).graphs
    assert [each.shape for each in graphs["twice"].signature.parameters] == [(), ("n",), ("n",)]
    chain = graphs["chain"].signature.parameters
    assert {each.name: each.shape for each in chain} == {
        "a": (),
        "x": ("n",),
        "y": ("n",),
        "z": ("n",),
        "m": ("n", 3),
        "u": ("n2",),
        "v": ("n2",),
    }


def test_init_options_apply_except_the_arch(built):
    info = taichi_aot.inspect(member(built.path, "x64"))
    assert info.kernels["saxpy"].cpu_threads == 5


def test_template_and_self_are_not_parameters(built):
    kernels = taichi_aot.inspect(built.path).kernels
    assert [parameter.name for parameter in kernels["count"].signature.parameters] == ["out"]
    assert [parameter.name for parameter in kernels["put"].signature.parameters] == ["x"]


def test_kernels_run(built_module, rt):
    x, y = rt.asarray(np.arange(4, dtype=np.float32)), rt.asarray(np.ones(4, np.float32))
    kernels = built_module.kernels
    kernels["saxpy"](2.0, x, y)
    assert y.to_numpy().tolist() == [1, 3, 5, 7]
    assert kernels["dot"](x, y) == 34
    kernels["scaled"]([[0, 3], [0, 0]], x)
    assert x.to_numpy().tolist() == [0, 3, 6, 9]
    ints = rt.zeros(3, np.int32)
    kernels["fill"](ints)
    assert ints.to_numpy().tolist() == [42] * 3


def test_instances_of_one_kernel_run(built_module, rt):
    for name, exponent in (("square", 2), ("cube", 3), ("power|exponent=4,", 4)):
        x = rt.asarray(np.arange(4, dtype=np.float32))
        built_module.kernels[name](x)
        np.testing.assert_allclose(x.to_numpy(), np.arange(4.0) ** exponent, rtol=1e-5)


def test_methods_templates_and_graphs_run(built_module, rt):
    x = rt.zeros(2, np.float32)
    built_module.kernels["put"](x)
    assert x.to_numpy().tolist() == [5, 5]
    out = rt.zeros(3, np.float32)
    built_module.kernels["count"](out)
    assert out.to_numpy().tolist() == [0, 3, 6]
    one = rt.full(2, 1.0, np.float32)
    built_module.graphs["twice"](a=1.0, x=one, y=x)
    built_module.graphs["again"](a=1.0, x=one, y=x)
    assert x.to_numpy().tolist() == [9, 9]


@pytest.mark.slow
def test_same_source_in_another_folder_gives_the_same_bytes(built, tmp_path):
    source = copy_sources(tmp_path / "elsewhere")
    again = build(source, tmp_path / "again.tib", archs=["vulkan", "x64"])
    assert again.path.read_bytes() == built.path.read_bytes()


PARSERS = {"x64": (_llvm, ["read_metadata", "read_graphs"]), "vulkan": (_gfx, ["parse_json", "parse_json"])}


@pytest.mark.parametrize(("suffix", "archs"), [(".tib", ["x64", "vulkan"]), (".tcm", ["x64"]), (".tcm", ["vulkan"])])
def test_each_module_is_parsed_once(built, tmp_path, monkeypatch, suffix, archs):
    compiled = [compiled_before(built.path, arch) for arch in archs]
    monkeypatch.setattr(_build, "compile_all", lambda *_: compiled)
    parsed = []

    def count(module, name):
        parse = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given: parsed.append(name) or parse(*given))

    for arch in archs:
        module, names = PARSERS[arch]
        for name in set(names):
            count(module, name)
    result = build(FOLDER / "kernels.py", tmp_path / f"kernels{suffix}", archs=archs, python=tmp_path / "made_aot.py")
    assert parsed == [name for arch in archs for name in PARSERS[arch][1]]
    assert (tmp_path / "made_aot.py").read_text(encoding="utf-8") == make_python(
        taichi_aot.inspect(result.path), result.path.name
    )


def compiled_before(path, arch):
    """What a child has compiled for a bundle."""
    files = taichis_own(read_archive(member(path, arch)))
    stated = describe(taichi_aot.inspect(path, arch))
    items = {
        kind: [
            {**item._asdict(), "name": name, "parameters": [p._asdict() for p in item.signature.parameters]}
            for name, item in each.items()
        ]
        for kind, each in (("kernels", stated.kernels), ("graphs", stated.graphs))
    }
    fields = encode(stated.fields)
    source = {"file": "kernels.py", "sha256": ""}
    description = {"taichi": stated.taichi, "source": source, **items, "fields": fields}
    return Compiled(Arch(arch), files, description, sources=("kernels.py",))


def test_one_arch_as_a_module(source, tmp_path, caplog):
    path = source(
        """
        @export
        @ti.kernel
        def saxpy(a: ti.f32, x: F32_1D, y: F32_1D):
            for i in y:
                y[i] = a * x[i] + y[i]
        """
    )
    caplog.set_level(logging.DEBUG, "taichi_aot")
    result = build(path, tmp_path / "saxpy.tcm", archs=[Arch.X64], cpu_threads=3)
    assert re.fullmatch(rf"kernels compiled: {path} for x64 in {result.path}, \d+\.\d s", caplog.messages[0])
    info = taichi_aot.inspect(result.path)
    assert list(info.kernels) == ["saxpy"]
    assert info.kernels["saxpy"].cpu_threads == 3
    with Runtime("x64") as rt:
        x, y = rt.asarray([1.0, 2.0], "f32"), rt.zeros(2, "f32")
        rt.load_module(result.path).kernels["saxpy"](2.0, x, y)
        assert y.to_numpy().tolist() == [2, 4]
