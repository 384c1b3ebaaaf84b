"""Signatures: other parameter names, and which names are valid."""

import pytest

from taichi_aot import DataType, Parameter, Signature

SIGNATURE = Signature("k", (Parameter("arg0", "scalar", DataType.F32), Parameter("arg1", "ndarray", DataType.F32, 1)))


def test_renamed_signature_has_the_new_names():
    assert str(SIGNATURE.renamed(["a", "x"])) == "k(a: f32, x: ndarray[f32, 1])"
    assert str(SIGNATURE.renamed(("self", "größe"))) == "k(self: f32, größe: ndarray[f32, 1])"
    assert [p.name for p in SIGNATURE.renamed(["ﬁ", "match"]).parameters] == ["fi", "match"]


@pytest.mark.parametrize(
    "names",
    [
        ("class", "x"),
        ("None", "x"),
        ("__debug__", "x"),
        ("x", "x"),
        ("fi", "ﬁ"),
        ("ｉｆ", "x"),  # noqa: RUF001
        ("1a", "x"),
        ("", "x"),
        ("a b", "x"),
        ("x",),
        ("x", "y", "z"),
    ],
    ids=ascii,
)
def test_invalid_names_raise_value_error(names):
    with pytest.raises(ValueError, match=r"k.*(cannot name a parameter|occurs twice|has 2 parameters)"):
        SIGNATURE.renamed(names)


@pytest.mark.parametrize("names", [(1, "x"), (None, "x"), (b"a", "x"), "ax", b"ax"], ids=repr)
def test_names_that_are_not_str_raise_type_error(names):
    with pytest.raises(TypeError, match="names must be a sequence of str"):
        SIGNATURE.renamed(names)


def test_stated_shape_is_shown():
    array = Parameter("m", "ndarray", DataType.F32, 2, elem_shape=(3,))
    assert str(array._replace(shape=("n", 4))) == "m: ndarray[vector(3, f32), 2, shape=(n, 4)]"
    assert str(array._replace(ndim=1, shape=("n",))) == "m: ndarray[vector(3, f32), 1, shape=(n,)]"
    assert str(array) == f"m: {array.type_name}"
