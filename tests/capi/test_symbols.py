"""`taichi_aot.capi` has exactly the functions that the library exports, and every other name of the headers."""

import inspect
import re
import sys
from pathlib import Path
from types import FunctionType

import pytest
from helpers.elf import exported_functions
from helpers.headers import build_ffi

from taichi_aot import capi, library_path

PROTOTYPES = {prototype.name: prototype for prototype in build_ffi.read_declarations()[1]}
FUNCTIONS = {name: value for name in capi.__all__ if isinstance(value := getattr(capi, name), FunctionType)}
HEADERS = Path(build_ffi.INCLUDE) / "taichi"


def names_of_the_headers():
    """Yield the enumeration of each constant (else ""), the name of each constant and type, and a constant's number."""
    typedef = re.compile(r"^typedef ([^{;]*(?:\{[^}]*\})?)[\s*](Ti\w+);", re.MULTILINE)
    for path in sorted(HEADERS.glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for name, value in re.findall(r"^#define (TI_\w+) (\d+)$", text, re.MULTILINE):
            yield "", name, int(value)
        for body, name in typedef.findall(text):
            yield "", name, None
            for member, value in re.findall(r"(TI_\w+) = ([-\w< ]+)", body):
                yield name, member, eval(value)


NAMES = list(names_of_the_headers())


def test_capi_has_every_type_and_constant_of_the_headers():
    owners = [(getattr(capi, enum) if enum else capi, name, number) for enum, name, number in NAMES]
    assert [name for owner, name, _ in owners if not hasattr(owner, name)] == []
    assert [name for owner, name, number in owners if number is not None and getattr(owner, name) != number] == []
    assert {name for enum, name, _ in NAMES if not enum} <= set(capi.__all__)


def test_list_of_the_headers_is_complete():
    names = {name for _, name, _ in NAMES}
    assert {"TiBool", "TiFlags", "TiRuntime", "TiArgumentValue", "TiMemoryUsageFlags"} <= names
    assert {"TI_TRUE", "TI_NULL_HANDLE", "TI_ARCH_VULKAN", "TI_MEMORY_USAGE_INDEX_BIT"} <= names
    enumerations = {enum for enum, _, _ in NAMES} - {""}
    with_placeholders = {enum for enum, name, _ in NAMES if name.endswith("_MAX_ENUM")}
    assert enumerations - with_placeholders == {"TiMemoryUsageFlagBits", "TiImageUsageFlagBits"}  # as in upstream's


@pytest.fixture(scope="module")
def exported():
    """The ``ti_*`` functions in the dynamic symbol table of the library."""
    if not sys.platform.startswith("linux"):
        pytest.skip("reads ELF files")
    names = {name for name in exported_functions(library_path()) if name.startswith("ti_")}
    assert len(names) > 40
    return names


def test_capi_has_every_exported_function(exported):
    assert sorted(exported - {f"ti_{name}" for name in FUNCTIONS}) == []


def test_every_function_has_a_prototype():
    assert sorted({f"ti_{name}" for name in FUNCTIONS} - PROTOTYPES.keys()) == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_is_typed_and_documented(name):
    function = FUNCTIONS[name]
    signature = inspect.signature(function)
    assert all(parameter.annotation is not parameter.empty for parameter in signature.parameters.values())
    assert signature.return_annotation is not signature.empty
    assert function.__doc__ is not None
    assert "Examples\n" in function.__doc__
    assert all(f"{parameter} : " in function.__doc__ for parameter in signature.parameters)
