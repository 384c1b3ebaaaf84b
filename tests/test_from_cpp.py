"""The tables of docs/from-cpp.md have a row for each C-API function and public member of taichi.hpp."""

import re
from collections import Counter
from pathlib import Path

import pytest
from helpers.headers import load_file
from scenarios.capi import ANYWHERE, OF_ARCH

import taichi_aot
from taichi_aot import capi
from taichi_aot.interop import vulkan

USAGE = capi.TiMemoryUsageFlagBits.TI_MEMORY_USAGE_STORAGE_BIT


LAYOUT = capi.TiImageLayout.TI_IMAGE_LAYOUT_SHADER_READ


ROOT = Path(__file__).parent.parent


generator = load_file("cpp_members", ROOT / "docs" / "_ext" / "cpp_members.py")


@pytest.fixture(scope="module")
def header():
    path = generator.find_header()
    if path is None:
        pytest.skip("the package taichi, which has taichi.hpp, is not installed")
    return str(path.read_text(encoding="utf-8"))


def rows(lines):
    """Return the cells of each row of a table."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def names_in(cell):
    """Return the code spans of a cell."""
    return re.findall(r"`([^`]+)`", cell)


def test_each_function_has_a_row(header):
    functions = [prototype.name for prototype in generator.read_declarations()[1]]
    table = rows(generator.function_rows(generator.read_members(header)))
    assert [row[0].strip("`") for row in table] == functions
    for row in table:
        assert all((row[2], row[4])), row


def test_reading_loses_no_member(header):
    """Every function declared at the indentation of members or the namespace is read, and every public variable."""
    text = header.replace(header[header.index("namespace detail") : header.index("}  // namespace detail")], "")
    text = re.sub(r"^.*= delete;$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^(inline [^\n]*\n)  .*?^}$", r"\1", text, flags=re.MULTILINE | re.DOTALL)  # bodies of functions
    pattern = r"^(?:  )?(?:[\w:<>,&*]+ )*?[*&]?(operator ?[^(]+|~?\w+)\([^\n]*$"
    found = Counter(name.strip() for name in re.findall(pattern, text, flags=re.MULTILINE))
    macros = {"DEFINE_DATA_TYPE_ENUM"}
    members = generator.read_members(header)
    assert found.keys() - macros == {m.name for m in members.values() if re.search(r"\(", m.body)} - {"value"}
    variables = {key for key in members if key.rpartition("::")[2] in ("version", "error", "message", "value")}
    assert variables == {"Version::version", "Error::error", "Error::message", "DataTypeToEnum::value"}
    assert len(members) == 177
    assert {key for key in members if key.startswith("Runtime::")} >= {"Runtime::wait", "Runtime::operator TiRuntime"}


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("  void wait() const {", "  void sleep() const {}\n  void wait() const {", "Runtime::sleep"),
        ("inline Version get_version() {", "inline int f() { return 0; }\ninline Version get_version() {", "f"),
        ("  std::string message;", "  std::string message;\n  int line;", "Error::line"),
        (
            "  inline uint32_t major() const {",
            "  inline uint32_t greater() const {",
            "Version::greater, Version::major",
        ),
    ],
)
def test_member_without_a_row_is_an_error(header, old, new, name):
    assert header.count(old) == 1
    with pytest.raises(ValueError, match=f"without one: {name}$"):
        generator.function_rows(generator.read_members(header.replace(old, new)))


def test_function_without_a_row_is_an_error(header, monkeypatch):
    monkeypatch.delitem(generator.FUNCTIONS, "ti_wait")
    with pytest.raises(ValueError, match=r"without one: ti_wait$"):
        generator.function_rows(generator.read_members(header))


def test_members_call_the_functions_in_their_rows(header):
    members = generator.read_members(header)
    for key, functions in {
        "Memory::read": {"ti_map_memory", "ti_unmap_memory"},
        "Memory::~Memory": {"ti_free_memory"},
        "NdArray::copy_to": {"ti_copy_memory_device_to_device"},
        "Texture::copy_to": {"ti_copy_image_device_to_device"},
        "Kernel::launch": {"ti_launch_kernel"},
        "is_arch_available": {"ti_get_available_archs"},
        "set_last_error": {"ti_set_last_error"},
        "Memory::slice": set(),
        "Runtime::is_valid": set(),
    }.items():
        assert generator.c_functions(members[key], members) == functions, key


def resolve(expression):
    """Return the object that a name in the table refers to."""
    first, *rest = expression.split(".")
    thing = {"capi": capi, "vulkan": vulkan}.get(first) or getattr(taichi_aot, first)
    for name in rest:
        if name not in getattr(thing, "__annotations__", ()):  # otherwise an instance attribute
            thing = getattr(thing, name)
    return thing


def test_each_python_name_exists(header):
    seen = set()
    members = generator.read_members(header)
    cells = [cell for row in rows(generator.function_rows(members)) for cell in row[1:3]]
    cells += [row[1] for row in rows(generator.member_rows(members))]
    for cell in cells:
        for name in names_in(cell):
            if re.fullmatch(r"(capi|vulkan|[A-Z]\w*)(\.\w+)*|\w+_\w+|load|devices", name):
                resolve(name)
                seen.add(name)
    assert {"Runtime.handle", "Memory.from_handle", "capi.launch_kernel", "library_version", "load"} <= seen
    assert len(seen) > 150


# No test has a context to import; and only some archs have capabilities, although all take those that they have.
STATED_ALONE = {"ti_import_opengl_runtime": "opengl", "ti_set_runtime_capabilities_ext": "vulkan, opengl"}


def test_stated_archs_are_those_of_the_calls():
    """``capi/test_functions.py`` makes a good call of each function on each arch: it works as its tables say."""
    for name, (archs, _, _) in generator.FUNCTIONS.items():
        function = name.removeprefix("ti_")
        works = ["all"] if function in ANYWHERE else [arch for arch, table in OF_ARCH.items() if function in table]
        stated = STATED_ALONE.get(name, ", ".join(works) or "none")
        assert archs.partition("; ")[0] == stated, name
