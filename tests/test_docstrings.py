"""Docstrings of public names have examples that run, and numpydoc sections."""

import doctest
import inspect
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import taichi_aot
import taichi_aot.build
from taichi_aot import Runtime, capi, distributed, isolated

pytest.importorskip("dask", reason="it has public names in interop.dask")
from helpers import public

from taichi_aot.interop import dask

DOCS = Path(__file__).parent.parent / "docs"
SESSIONS = [path.name for path in sorted(DOCS.glob("*.md")) if "```pycon\n" in path.read_text(encoding="utf-8")]
# In the order of a docstring.
SECTIONS = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "See Also", "Notes", "Examples")
PUBLIC = {
    name: thing
    for name, thing in public.NAMES.items()
    if (inspect.isclass(thing) or inspect.isfunction(thing)) and thing.__module__ != "builtins"
    # Most of `capi` is made by reflection, and documented by C's manual.
    if thing.__module__ != capi.__name__ or hasattr(thing, "_as_parameter_")
}


def documented():
    """Yield the package, its public classes and functions, and their documented methods and properties."""
    yield "taichi_aot", taichi_aot
    yield "taichi_aot.capi", capi
    for name, thing in PUBLIC.items():
        yield name, thing
        for attribute in dir(thing) if inspect.isclass(thing) else ():
            member = inspect.getattr_static(thing, attribute)
            function = member.fget if isinstance(member, property) else member
            if inspect.isfunction(function) and function.__module__.startswith("taichi_aot") and function.__doc__:
                yield f"{name}.{attribute}", member


def sections(text):
    """Return the titles of a docstring's sections."""
    return [title for title, line in re.findall(r"^(\S.*)\n(-{3,})$", text, re.MULTILINE) if len(title) == len(line)]


def test_public_names_have_examples():
    texts = {name: inspect.getdoc(each) or "" for name, each in PUBLIC.items()}
    assert len(texts) > 100
    assert [name for name, text in texts.items() if "Examples" not in sections(text) or ">>> " not in text] == []


def test_sections_follow_numpydoc():
    found = {name: inspect.getdoc(each) or "" for name, each in documented()}
    assert len(found) > 400
    for name, text in found.items():
        titles = sections(text)
        underlines = re.findall(r"^-{3,}$", text, re.MULTILINE)
        assert len(titles) == len(underlines), f"{name}: an underline and its title differ in length"
        assert titles == [section for section in SECTIONS if section in titles], name


@pytest.fixture
def names(compiled, build_source, tmp_path, monkeypatch):
    """Names that examples use; the module ``saxpy.tcm`` that they load is in the current folder."""
    shutil.copy(compiled("x64") / "basic.tcm", tmp_path / "saxpy.tcm")
    monkeypatch.chdir(tmp_path)
    with Runtime("x64") as rt:
        module = rt.load_module("saxpy.tcm")
        yield {
            **{name: getattr(taichi_aot, name) for name in taichi_aot.__all__},
            "np": np,
            "capi": capi,
            "isolated": isolated,
            "taichi_aot": taichi_aot,
            **{name: getattr(taichi_aot.build, name) for name in taichi_aot.build.__all__},
            **{name: getattr(dask, name) for name in dask.__all__},
            **{name: getattr(distributed, name) for name in distributed.__all__},
            **{name: getattr(each, name) for each in public.INSTALLED for name in each.__all__},
            "rt": rt,
            "module": module,
            "saxpy": module.kernels["saxpy"],
            "simulation": rt.load_module(build_source("simulation", "x64")),
            "dot": rt.load_module(compiled("x64") / "returns.tcm").kernels["dot"],
            "x": rt.asarray([1.0, 2.0, 3.0], "f32"),
            "y": rt.zeros(3, "f32"),
        }


def test_examples_run(names):
    """Examples that need a GPU or an application are marked to skip."""
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    x = names["x"]
    y = names["y"]
    output = []
    for name, thing in documented():
        x.write([1, 2, 3])
        y.fill(0)
        example = parser.get_doctest(inspect.getdoc(thing) or "", dict(names), name, None, None)
        runner.run(example, out=output.append)
    assert not runner.failures, "".join(output)
    assert runner.tries > 100


@pytest.mark.parametrize("page", SESSIONS)
def test_sessions_of_pages_run(page, names):
    text = (DOCS / page).read_text(encoding="utf-8")
    sessions = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
    runner = doctest.DocTestRunner()
    output = []
    runner.run(doctest.DocTestParser().get_doctest(sessions, names, page, None, None), out=output.append)
    assert not runner.failures, "".join(output)
    assert runner.tries
