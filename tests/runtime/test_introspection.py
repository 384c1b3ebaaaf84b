"""Objects in Python, prompts and notebooks: signatures, docstrings, completion, reprs, HTML, JSON."""

import inspect
import json
import pydoc
import subprocess
import sys
from copy import copy

import numpy as np
import pytest

from taichi_aot import (
    AotModule,
    Arch,
    DataType,
    DeviceInfo,
    FieldInfo,
    Image,
    Kernel,
    KernelInfo,
    Launch,
    NdArray,
    Parameter,
    Signature,
    Texture,
    devices,
)
from taichi_aot.bundle._info import ModuleInfo
from taichi_aot.bundle._plan import Plan
from taichi_aot.kernels._introspection import annotation
from taichi_aot.values._items import MOST_ROWS, NamedItems, paragraph, table


def test_signature_of_kernels_and_graphs(module):
    saxpy = inspect.signature(module.kernels["saxpy"])
    assert [(p.name, p.annotation) for p in saxpy.parameters.values()] == [("a", float), ("x", NdArray), ("y", NdArray)]
    assert saxpy.return_annotation is None
    assert saxpy.bind(2.0, y=1, x=3).args == (2.0, 3, 1)
    with pytest.raises(TypeError, match="missing a required argument: 'y'"):
        saxpy.bind(2.0, 1)
    assert list(inspect.signature(module.graphs["twice"]).parameters) == ["a", "x", "y"]
    bind = inspect.signature(module.kernels["saxpy"].bind)
    assert bind == saxpy.replace(return_annotation=Launch)
    assert list(inspect.signature(module.graphs["twice"].bind).parameters) == ["a", "x", "y"]
    assert module.kernels["saxpy"].bind.__doc__ == Kernel.bind.__doc__
    assert "bind(a: float, x: " in pydoc.plain(pydoc.render_doc(module.kernels["saxpy"].bind))
    assert inspect.signature(module.kernels["answer"]).return_annotation is np.int32


def test_signatures_of_every_kind_of_parameter(rt, modules):
    returns = rt.load_module(modules / "returns.tcm").kernels
    annotations = {
        name: [p.annotation for p in inspect.signature(returns[name]).parameters.values()]
        for name in ("scalar_f16", "scalar_u64", "scalar_u1", "vector_f32", "matrix_i8")
    }
    assert annotations["scalar_f16"] == [float]
    assert annotations["scalar_u64"] == [int]
    assert annotations["scalar_u1"] == [bool]
    assert "Sequence[float]" in str(annotations["vector_f32"][0])
    assert "Sequence[collections.abc.Sequence[float]]" in str(annotations["matrix_i8"][0])
    given = {name: inspect.signature(returns[name]).return_annotation for name in ("pair", "vector_f32", "several")}
    assert given["pair"] is np.record
    assert given["vector_f32"] is np.ndarray
    assert given["several"].__origin__ is tuple


def test_signature_of_a_kernel_with_textures():
    assert annotation(Parameter("t", "rw_texture", ndim=2)) == Image | Texture
    assert annotation(Parameter("s", "struct")) is inspect.Parameter.empty


def test_help_describes_a_kernel_and_its_class(module):
    saxpy = module.kernels["saxpy"]
    shown = pydoc.plain(pydoc.render_doc(saxpy))
    assert repr(saxpy) in shown
    assert "x : ndarray[f32, 1]" in shown
    assert "Method resolution order" not in shown
    assert (saxpy.__name__, saxpy.__qualname__, saxpy.__module__) == (
        "saxpy",
        "saxpy",
        "taichi_aot.kernels._kernel",
    )
    assert (Kernel.__name__, Kernel.__qualname__) == ("Kernel", "Kernel")
    assert (Kernel.__doc__ or "").startswith("A kernel of a module")
    assert "rename" in pydoc.render_doc(Kernel)
    inspect.signature(Kernel)
    assert module.graphs["twice"].__doc__.startswith("Compute graph of an AOT module.")
    assert "i32" in module.kernels["answer"].__doc__.partition("Returns")[2]


def test_docstring_of_the_module_is_used(module):
    saxpy = kernels_with(module, doc="Add ``a * x`` to ``y``.\n\nMore.")["saxpy"]
    assert saxpy.__doc__.startswith("Add ``a * x`` to ``y``.\n\nMore.\n\nParameters\n")
    assert "Add ``a * x``" in pydoc.plain(pydoc.render_doc(saxpy))
    assert "\n\nMore.\n\nParameters\n----------\np : f32" in saxpy.rename("p", "q", "r").__doc__
    documented = "Add.\n\n    Parameters\n    ----------\n    a : float\n        Factor."
    own = kernels_with(module, doc=documented)["saxpy"].__doc__
    assert own == "Add.\n\nParameters\n----------\na : float\n    Factor."
    kernels = {name: kernel._replace(doc="Add it.\n\nMore.") for name, kernel in module.info.kernels.items()}
    assert "<td>Add it.</td>" in module.info._replace(kernels=kernels)._repr_html_()


def kernels_with(module, **stated):
    """Return the kernels of a module whose plan states more of them."""
    return AotModule(module.runtime, handle_with(module, lambda kernel: kernel._replace(**stated))).kernels


def handle_with(module, change, more=()):
    """Return the handle of a module as if its plan stated other kernels, and `more` of the first one."""
    handle = copy(module._handle)
    plan = handle.plan
    kernels = {name: change(kernel) for name, kernel in plan.kernels.items()}
    kernels |= dict.fromkeys(more, kernels["saxpy"])
    public = {name: kernels[name] for name in (*plan.public, *more)}
    handle.plan = Plan("it", plan.info._replace(all_kernels=kernels, kernels=public), plan.files, plan.launch)
    return handle


def test_kernels_and_graphs_are_attributes(module):
    assert module.saxpy is module.kernels["saxpy"] is module.kernels.saxpy
    assert module.both is module.graphs["both"] is module.graphs.both
    assert {"saxpy", "both", "info", "close"} <= set(dir(module))
    assert {"saxpy", "keys"} <= set(dir(module.kernels))
    assert module.kernels._ipython_key_completions_() == list(module.kernels)
    for owner, name, message in (
        (module, "saxpi", "did you mean 'saxpy'"),
        (module, "load", "no attribute, kernel or graph 'load'"),
        (module, "_ipython_display_", "no attribute"),
        (module.kernels, "saxpi", "did you mean 'saxpy'"),
        (module.kernels, "both", r"it is a graph, module.graphs\['both'\]"),
        (module.graphs, "saxpy", r"it is a kernel, module.kernels\['saxpy'\]"),
    ):
        with pytest.raises(AttributeError, match=message) as caught:
            getattr(owner, name)
        assert caught.value.name == name
    assert not hasattr(module, "__len__")
    with pytest.raises(KeyError, match="the module has no kernel None, it has"):
        module.kernels[None]


def test_names_are_listed_once(rt, module):
    """Kernels named like attributes were once listed twice."""
    same = AotModule(rt, handle_with(module, lambda kernel: kernel, ("close", "info", "fields", "keys", "both")))
    for owner in (same, same.kernels, same.graphs, same.fields):
        assert len(dir(owner)) == len(set(dir(owner)))
    assert {"close", "both"} <= set(dir(same)) & set(dir(same.kernels))


def test_attributes_hide_items_of_the_same_name():
    items = NamedItems("kernel", dict.fromkeys(["keys", "a-b", "c"], "signature"), str.upper, {})
    assert list(items.keys()) == ["keys", "a-b", "c"]
    assert (items["keys"], items["a-b"], items.c) == ("KEYS", "A-B", "C")
    with pytest.raises(AttributeError, match="no kernel 'a-b'"):
        getattr(items, "a-b")
    assert "a-b" not in dir(items)
    assert repr(NamedItems("kernel", {}, str.upper, {})) == "<0 kernels>"
    many = NamedItems("graph", {f"g{i}": i for i in range(1000)}, str.upper, {})
    assert repr(many) == "<1000 graphs: 'g0', 'g1', 'g2', 'g3', 'g4', 'g5', 'g6', 'g7', ...>"


def test_reprs_are_short(module, rt):
    saxpy = module.kernels["saxpy"]
    x = rt.zeros(3)
    step = saxpy.bind(1.0, x, x)
    objects = [module, module.kernels, module.info, saxpy, saxpy.signature, saxpy.signature.parameters[0], x, step]
    objects += [x[1:], x.memory, x.memory[0:4], rt, rt.sequence([step]), devices()[0], module.info.kernels["saxpy"]]
    for shown in objects:
        assert len(repr(shown)) < 100, repr(shown)
        assert repr(shown).startswith("<")
    assert repr(saxpy.signature) == "<Signature saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])>"
    assert str(module.kernels).splitlines()[-1] == str(list(module.kernels.values())[-1].signature)


HOSTILE = "<script>alert('&')</script>"


def test_html_is_escaped():
    parameter = Parameter(HOSTILE, "scalar", DataType.F32)
    kernel = KernelInfo(Signature(HOSTILE, (parameter,)), (), doc=HOSTILE)
    field = FieldInfo(HOSTILE, DataType.F32, (3,))
    kernels = {HOSTILE: kernel}
    info = ModuleInfo("", "gfx", (Arch.VULKAN,), kernels, kernels, {}, has_fields=True, fields=(field,))
    assert info._repr_html_().count("&lt;script&gt;alert(&#x27;&amp;&#x27;)&lt;/script&gt;") == 4
    for html in (info._repr_html_(), type(devices())([DeviceInfo(Arch.X64, 0, HOSTILE, "cpu")])._repr_html_()):
        assert "<script" not in html
        assert html.count("<tr>") == html.count("</tr>") >= 2


def test_modules_and_devices_are_tables_in_notebooks(module):
    html = module._repr_html_()
    assert "<td>saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])</td>" in html
    assert "<th>graph</th>" in html
    assert html.startswith(f"<p>&lt;AotModule of 7 kernels, 2 graphs on {module.runtime.arch}&gt;</p>")
    assert "<th>kernel</th>" in module.info._repr_html_()
    found = devices()
    assert isinstance(found, tuple)
    assert found._repr_html_().count("<tr>") == len(found) + 1


def test_objects_are_short_tables_in_notebooks(rt, module):
    """They say what their attributes say, and do not wait for the device."""
    x = rt.zeros((2, 3), "f32", 4)
    assert (
        f"<td>(2, 3)</td><td>ndarray[vector(4, f32), 2]</td><td>96</td><td>{rt.arch}</td><td>open</td>"
        in x._repr_html_()
    )
    x.close()
    assert "<td>closed</td>" in x._repr_html_()
    assert f"<td>{rt.arch}</td><td>0</td><td>open</td>" in rt._repr_html_()
    html = module.saxpy._repr_html_()
    assert html.startswith("<p>&lt;Kernel saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])&gt;</p><table>")
    assert "<tr><td>x</td><td>ndarray[f32, 1]</td>" in html
    assert module.graphs["both"]._repr_html_().startswith("<p>&lt;ComputeGraph both(")
    many = table(["number"], ((i,) for i in range(10**4)))
    assert many.count("<tr>") == MOST_ROWS + 2
    assert many.endswith("<tr><td>... 10000 in all</td></tr></tbody></table>")
    assert len(paragraph("&" * 10**6)) < 10**4


def test_everything_converts_to_json(module):
    info = module.info
    kernel = info.kernels["saxpy"]
    described = [device.to_dict() for device in devices()]
    assert json.loads(json.dumps(described))[0] == {
        "arch": str(devices()[0].arch),
        "index": 0,
        "name": devices()[0].name,
        "kind": devices()[0].kind,
    }
    for value in (info, kernel, info.graphs["both"], kernel.signature, kernel.signature.parameters[0], FieldInfo("v")):
        assert json.loads(json.dumps(value.to_dict()))
    assert info.to_dict()["kernels"]["saxpy"] == kernel.to_dict()
    assert kernel.to_dict()["parameters"] == kernel.signature.to_dict()["parameters"]


def test_import_skips_modules_for_introspection():
    code = (
        "import numpy, cffi, sys; before = set(sys.modules); import taichi_aot; new = set(sys.modules) - before;"
        "lazy = {f'taichi_aot.{name}' for name in ('runtime._benchmark',)};"
        "print(sorted({'html', 'difflib', 'inspect', 'logging', 'torch', 'jax', 'taichi_aot.interop', *lazy} & new))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout == "[]\n"
