"""`taichi_aot.capi` has exactly the functions that the library exports."""

from __future__ import annotations

import inspect
import sys
from types import FunctionType

import pytest
from helpers.elf import exported_functions
from helpers.headers import build_ffi

from taichi_aot import capi, library_path

PROTOTYPES = {prototype.name: prototype for prototype in build_ffi.read_declarations()[1]}
FUNCTIONS = {name: value for name in capi.__all__ if isinstance(value := getattr(capi, name), FunctionType)}


@pytest.fixture(scope="module")
def exported() -> set[str]:
    """The ``ti_*`` functions in the dynamic symbol table of the library."""
    if not sys.platform.startswith("linux"):
        pytest.skip("reads ELF files")
    names = {name for name in exported_functions(library_path()) if name.startswith("ti_")}
    assert len(names) > 40
    return names


def test_capi_has_every_exported_function(exported: set[str]) -> None:
    assert sorted(exported - {f"ti_{name}" for name in FUNCTIONS}) == []


def test_every_function_has_a_prototype() -> None:
    assert sorted({f"ti_{name}" for name in FUNCTIONS} - PROTOTYPES.keys()) == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_is_typed_and_documented(name: str) -> None:
    function = FUNCTIONS[name]
    signature = inspect.signature(function)
    assert all(parameter.annotation is not parameter.empty for parameter in signature.parameters.values())
    assert signature.return_annotation is not signature.empty
    assert function.__doc__ is not None
    assert "Examples\n" in function.__doc__
    assert all(f"{parameter} : " in function.__doc__ for parameter in signature.parameters)
