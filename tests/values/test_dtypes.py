"""The table of primitive types, which is the only one; the formats of images, and the literals that name members."""

import ast
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from helpers.textures import COLORS

import taichi_aot
from taichi_aot import AddressMode, Arch, DataType, Filter, Format
from taichi_aot.values._numbers import (
    DTYPES,
    INTEGER_RANGES,
    SYMBOL_TYPES,
    ArchName,
    DTypeName,
    numpy_dtype,
    to_data_type,
)
from taichi_aot.values._texels import AddressModeName, FilterName, FormatName, format_of_vulkan, texel_of

PACKAGE = Path(taichi_aot.__file__).parent
MOST = 3  # members in a literal
# Literals that list types, and do not state what a type is.
EXCEPTIONS = {
    "values/_numbers.py": "the table",
    "values/_texels.py": "the formats of images, each with the type of its channels",
    "build/vector/_fixed.py": "the types of LLVM, some of which have the same names",
    "build/vector/_sums.py": "the same",
}


def test_every_type_has_a_row():
    assert list(DTYPES) == list(DataType)


@pytest.mark.parametrize("dtype", DataType)
def test_rows_agree_with_numpy(dtype):
    row = DTYPES[dtype]
    kind, bits = str(dtype)[0], int(str(dtype)[1:])
    assert row.numpy.kind == ("b" if bits == 1 else kind)
    assert row.numpy.itemsize == max(1, bits // 8)
    assert row.python is type(np.zeros((), row.numpy).item())
    limits = np.iinfo(row.numpy) if row.python is int else None
    assert row.limits == ((limits.min, limits.max) if limits else (0, 1) if bits == 1 else None)


def test_derived_tables():
    assert {str(dtype) for dtype in INTEGER_RANGES} == {
        "u1",
        *(f"{sign}{bits}" for sign in "iu" for bits in (8, 16, 32, 64)),
    }
    assert set(INTEGER_RANGES) - SYMBOL_TYPES == {DataType.U1}


def test_every_format_states_its_texels():
    for format in COLORS:
        texel = texel_of(format)
        channels = sum(letter in "rgba" for letter in format.name.lower().replace("srgb", "").rstrip("uif0123456789"))
        bits = int("".join(filter(str.isdigit, format.name)))
        assert (texel.channels, texel.nbytes) == (channels, channels * bits // 8)
        dtype = numpy_dtype(texel.data_type)
        assert dtype.kind == {"U": "u", "I": "i", "F": "f"}.get(format.name[-1], "u")
        assert texel_of(format_of_vulkan(texel.vulkan)) == texel
    assert len({format.value for format in Format}) == 43


@pytest.mark.parametrize(
    ("enum", "names"),
    [(Arch, ArchName), (Filter, FilterName), (AddressMode, AddressModeName), (Format, FormatName)],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_literals_are_the_names_of_the_members(enum, names):
    assert tuple(map(enum, get_args(names))) == tuple(enum)


def test_literals_of_dtypes_are_accepted_and_complete():
    assert {to_data_type(name) for name in get_args(DTypeName)} == set(DataType)
    assert set(map(str, DataType)) <= set(get_args(DTypeName))


def listed_types(node):
    return {
        inner.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == "DataType"
    } | {
        inner.value
        for inner in ast.walk(node)
        if isinstance(inner, ast.Constant) and inner.value in list(map(str, DataType))
    }


def literals(text):
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Dict | ast.Tuple | ast.List | ast.Set)]


def test_no_other_module_lists_the_types():
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if any(len(listed_types(node)) > MOST for node in literals(path.read_text(encoding="utf-8")))
    }
    assert found == set(EXCEPTIONS)


def test_lists_of_types_are_found():
    assert not any(len(listed_types(node)) > MOST for node in literals("(DataType.F16, DataType.F32, 'f64')"))
    assert any(len(listed_types(node)) > MOST for node in literals("{DataType.F16: 1, DataType.F32: 2, 'f64': ['i8']}"))
