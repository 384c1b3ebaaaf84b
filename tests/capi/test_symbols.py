"""`taichi_aot.capi` has exactly the functions that the library exports, and every other name of the headers."""

import inspect
import re
import sys
from pathlib import Path

import pytest
from helpers.elf import exported_functions
from helpers.headers import build_ffi

from taichi_aot import capi, library_path

PROTOTYPES = {prototype.name: prototype for prototype in build_ffi.read_declarations()[1]}
FUNCTIONS = {
    name: value for name in capi.__all__ if inspect.isfunction(value := getattr(capi, name)) and name.islower()
}
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
            for member, value in re.findall(r"(TI_\w+(?<!_MAX_ENUM)) = ([-\w< ]+)", body):
                yield name, member, eval(value)


NAMES = list(names_of_the_headers())


def test_capi_has_every_type_and_constant_of_the_headers():
    owners = [(owner, *each) for enum, *each in NAMES for owner in {capi, getattr(capi, enum) if enum else capi}]
    assert [name for owner, name, _ in owners if not hasattr(owner, name)] == []
    assert [name for owner, name, number in owners if number is not None and getattr(owner, name) != number] == []
    assert {name for enum, name, _ in NAMES if not enum} <= set(capi.__all__)


def test_list_of_the_headers_is_complete():
    names = {name for _, name, _ in NAMES}
    assert {"TiBool", "TiFlags", "TiRuntime", "TiArgumentValue", "TiMemoryUsageFlags"} <= names
    assert {"TI_TRUE", "TI_NULL_HANDLE", "TI_ARCH_VULKAN", "TI_MEMORY_USAGE_INDEX_BIT"} <= names


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


def test_functions_have_the_parameters_of_the_headers():
    assert str(inspect.signature(capi.launch_kernel)) == "(runtime, kernel, args)"
    assert str(inspect.signature(capi.create_aot_module)) == "(runtime, tcm)"
    assert str(inspect.signature(capi.export_cpu_memory)) == "(runtime, memory)"
    assert str(inspect.signature(capi.TiMemorySlice)) == "(memory=None, offset=None, size=None)"
    assert capi.wait.__doc__ == "Call ``ti_wait(TiRuntime runtime)``, whose result is ``void``."
    assert all(function.__doc__ and function.__name__ == name for name, function in FUNCTIONS.items())
