"""The decorators `export` and `export_field`, without the compiler."""

import pytest
from helpers.child import run_in_child
from scenarios.building import import_build

from taichi_aot.build import export, export_field
from taichi_aot.build.source import _source


@pytest.fixture(autouse=True)
def exports(monkeypatch):
    found = []
    monkeypatch.setattr(_source, "EXPORTS", found)
    monkeypatch.setattr(_source, "FIELDS", [])
    return found


def saxpy(a, x, y):
    """A function that the decorator takes for a kernel."""


def test_decorator_takes_every_form(exports):
    assert export(saxpy) is saxpy
    assert export()(saxpy) is saxpy
    assert export("other")(saxpy) is saxpy
    assert export(name="third", shapes={"x": "n", "y": ["n", 3]})(saxpy) is saxpy
    assert [each.name for each in exports] == ["saxpy", "saxpy", "other", "third"]
    assert exports[-1].shapes == {"x": ("n",), "y": ("n", 3)}


@pytest.mark.parametrize("name", ["a b", "", "1st", "class", "a/b"])
def test_name_must_be_an_identifier(name):
    with pytest.raises(ValueError, match="not an identifier"):
        export(name)(saxpy)
    with pytest.raises(ValueError, match="not an identifier"):
        export_field(name, object())


@pytest.mark.parametrize(
    ("shapes", "error", "message"),
    [
        ({"z": "n"}, ValueError, "has no parameter 'z' to state a shape of; it has: a, x, y"),
        ({"x": "n m"}, ValueError, "a symbol is an identifier"),
        ({"x": (1.5,)}, TypeError, "a symbol or an int"),
        ({"x": (True,)}, TypeError, "a symbol or an int"),
        ({"x": 1.5}, TypeError, "a symbol, an int, or a tuple"),
        ({"x": -1}, ValueError, "0 to 2147483647 elements"),
        ({"x": 2**31}, ValueError, "0 to 2147483647 elements"),
        (["x"], TypeError, "a mapping of parameters"),
    ],
)
def test_wrong_shapes_raise(shapes, error, message):
    with pytest.raises(error, match=message):
        export(shapes=shapes)(saxpy)


def test_wrong_template_types_raise():
    with pytest.raises(ValueError, match="no parameter 'z' to give a type to"):
        export(template_types={"z": 1})(saxpy)


@pytest.mark.parametrize("decorated", [3, None, object()])
def test_only_functions_can_be_exported(decorated):
    with pytest.raises(TypeError, match=r"is for kernels|is a string"):
        export()(decorated)


def test_import_needs_neither_taichi_nor_the_library():
    run_in_child(import_build, env={"TAICHI_C_API_INSTALL_DIR": "/nowhere"})
