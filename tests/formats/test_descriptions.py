"""``bundle.json``: every description is read back as written, and everything else is rejected."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from helpers.mutants import mutate, mutate_json
from helpers.scaling import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from taichi_aot import CorruptedDataError, DataType, IncompatibleModuleError
from taichi_aot.adopt.modules import _description as module
from taichi_aot.adopt.modules._description import (
    Description,
    FieldDescription,
    GraphDescription,
    KernelDescription,
    ParameterDescription,
    parse_description,
)

SIZE = st.integers(0, 2**31 - 1)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
NAME = TEXT.filter(bool)
SYMBOL = st.sampled_from(["n", "m", "breite", "größe", "_k2"])
SHAPE = st.lists(SYMBOL | SIZE, max_size=4).map(tuple)
ACCESS = st.sampled_from(["", "r", "w", "rw"])
PARAMETERS = st.lists(
    st.builds(ParameterDescription, st.sampled_from(["a", "x", "y", "ä", "out"]), SHAPE, ACCESS),
    max_size=4,
    unique_by=lambda parameter: parameter.name,
).map(tuple)
GRAPH_PARAMETERS = st.lists(
    st.builds(ParameterDescription, TEXT, SHAPE, ACCESS), max_size=4, unique_by=lambda parameter: parameter.name
).map(tuple)
SHAPE_OF_FIELD = st.lists(SIZE, max_size=3).map(tuple)


def distinct(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(strategy, max_size=4, unique_by=lambda item: item.name).map(tuple)


DESCRIPTIONS = st.builds(
    Description,
    taichi=TEXT,
    source_file=TEXT,
    source_sha256=st.sampled_from(["", "0123456789abcdef" * 4]),
    kernels=distinct(st.builds(KernelDescription, NAME, PARAMETERS, TEXT, TEXT, SIZE, TEXT)),
    graphs=distinct(st.builds(GraphDescription, NAME, GRAPH_PARAMETERS, TEXT)),
    fields=distinct(
        st.builds(FieldDescription, NAME, st.sampled_from(DataType), SHAPE_OF_FIELD, SHAPE_OF_FIELD, TEXT, TEXT)
    ),
)
SAXPY = KernelDescription(
    "saxpy", (ParameterDescription("a"), ParameterDescription("x", ("n", 3), "r")), "Doc.", "k.py", 3
)
SAMPLE = Description(
    "1.7.4",
    "kernels.py",
    "ab" * 32,
    (SAXPY,),
    (GraphDescription("both", (ParameterDescription("x", ("n",)),)),),
    (FieldDescription("v", DataType.F32, (16, 16), (3,), "taichi_aot_get_v", "taichi_aot_set_v"),),
)


@settings(max_examples=examples(300), deadline=None)
@given(DESCRIPTIONS)
def test_description_is_read_back(description: Description) -> None:
    data = description.to_json()
    assert parse_description("m", data) == description
    assert parse_description("m", data).to_json() == data
    data.decode()


def test_description_has_the_documented_json() -> None:
    assert json.loads(SAMPLE.to_json()) == {
        "format": 1,
        "taichi": "1.7.4",
        "source": {"file": "kernels.py", "sha256": "ab" * 32},
        "kernels": [
            {
                "name": "saxpy",
                "doc": "Doc.",
                "file": "k.py",
                "line": 3,
                "parameters": [{"name": "a"}, {"name": "x", "shape": ["n", 3], "access": "r"}],
            }
        ],
        "graphs": [{"name": "both", "doc": "", "parameters": [{"name": "x", "shape": ["n"]}]}],
        "fields": [
            {
                "name": "v",
                "dtype": "f32",
                "shape": [16, 16],
                "elem_shape": [3],
                "get": "taichi_aot_get_v",
                "set": "taichi_aot_set_v",
            }
        ],
    }
    assert SAMPLE.to_json().endswith(b"}\n")


def read_or_rejected(data: bytes) -> Description | None:
    """Parse data; return None if it raises one of the two expected exceptions."""
    try:
        return parse_description("m", data)
    except (CorruptedDataError, IncompatibleModuleError):
        return None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*SAMPLE.to_dict(), "a"]), inner),
    max_leaves=20,
)


@settings(max_examples=examples(300), deadline=None)
@given(st.binary(max_size=100) | JSON.map(lambda value: json.dumps(value).encode()))
def test_random_contents_are_rejected(data: bytes) -> None:
    assert read_or_rejected(data) is None


@settings(max_examples=examples(2000), deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_mutants_are_read_or_rejected(dice: random.Random) -> None:
    change = dice.choice([mutate, mutate_json])
    found = read_or_rejected(change(SAMPLE.to_json(), dice))
    assert found is None or parse_description("m", found.to_json()) == found


def changed(**values: Any) -> bytes:
    return json.dumps({**SAMPLE.to_dict(), **values}).encode()


KERNEL = SAMPLE.to_dict()["kernels"][0]


def with_parameters(*parameters: Any) -> bytes:
    return changed(kernels=[{**KERNEL, "parameters": list(parameters)}])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"format": 1, "format": 1}', "a key twice"),
        (changed(format=0), "format: expected an integer from 1 to 2"),
        (changed(extra=1), "missing or unknown.*'extra'"),
        (changed(taichi=None), "taichi: expected a text"),
        (changed(source={"file": "", "sha256": "xyz"}), "a SHA-256 digest"),
        (changed(kernels=[KERNEL, KERNEL]), "kernels: 'saxpy' occurs twice"),
        (changed(kernels=[{**KERNEL, "name": ""}]), "expected a name"),
        (changed(kernels=[{**KERNEL, "name": "\ud800"}]), "expected a text"),
        (changed(kernels=[{**KERNEL, "line": 2**31}]), "line: expected an integer"),
        (with_parameters({"name": "x"}, {"name": "x"}), "'x' occurs twice"),
        (with_parameters({"name": "ﬁ"}, {"name": "fi"}), "not names of Python"),
        (with_parameters({"name": "lambda"}), "not names of Python"),
        (with_parameters({"name": "x", "shape": ["n m"]}), "a symbol or a number"),
        (with_parameters({"name": "x", "shape": [-1]}), "expected an integer"),
        (with_parameters({"name": "x", "shape": [True]}), "expected an integer"),
        (with_parameters({"name": "x", "access": "x"}), "an access"),
        (changed(fields=[{"name": "v", "dtype": "f8", "shape": [], "elem_shape": []}]), "expected a type"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_error_names_the_damage(data: bytes, message: str) -> None:
    with pytest.raises(CorruptedDataError, match=message):
        parse_description("m", data)


def test_newer_format_says_to_update() -> None:
    with pytest.raises(IncompatibleModuleError, match=r"m: bundle\.json has the format 3.*update taichi-aot"):
        parse_description("m", changed(format=3, news=[]))


def test_size_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DESCRIPTION_BYTES", 100)
    with pytest.raises(CorruptedDataError, match="too large"):
        parse_description("m", SAMPLE.to_json())
