"""Our headers compared with those of the installed `taichi` wheel, as cffi and the C compiler read them."""

import functools
import importlib.util
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from helpers.headers import build_ffi, codegen

from taichi_aot.driver._library import ffi as compiled_ffi
from taichi_aot.driver._library import lib as compiled_lib
from taichi_aot.values import _numbers as enums
from taichi_aot.values._errors import ErrorCode

ROOT = Path(__file__).resolve().parent.parent
OURS = ROOT / "include"


# Upstream's headers take these from <vulkan/vulkan.h> and <GL/gl.h>. They are declared twice: for cffi with the widths
# of the platform ABI, for the C compiler as in the real headers.
FOREIGN_TYPES = """
typedef struct VkInstance_T *VkInstance;
typedef struct VkPhysicalDevice_T *VkPhysicalDevice;
typedef struct VkDevice_T *VkDevice;
typedef struct VkQueue_T *VkQueue;
typedef struct VkBuffer_T *VkBuffer;
typedef struct VkDeviceMemory_T *VkDeviceMemory;
typedef struct VkImage_T *VkImage;
typedef void (*PFN_vkVoidFunction)(void);
typedef PFN_vkVoidFunction (*PFN_vkGetInstanceProcAddr)(VkInstance instance, const char *pName);
typedef uint32_t VkBufferUsageFlags;
typedef uint32_t VkImageUsageFlags;
typedef int VkImageType;
typedef int VkFormat;
typedef int VkSampleCountFlagBits;
typedef int VkImageTiling;
typedef int VkImageViewType;
typedef int VkImageLayout;
typedef struct VkExtent3D { uint32_t width; uint32_t height; uint32_t depth; } VkExtent3D;
typedef unsigned int GLuint;
typedef unsigned int GLenum;
typedef int GLsizei;
typedef ptrdiff_t GLsizeiptr;
"""


@pytest.fixture(scope="module")
def upstream():
    spec = importlib.util.find_spec("taichi")
    if spec is None or spec.origin is None:
        pytest.skip("the package taichi with upstream's headers is not installed")
    return Path(spec.origin).parent / "_lib" / "c_api" / "include"


@pytest.fixture
def changed(tmp_path):
    """Copy our headers with one change, which the comparison must find."""

    def change(header, old, new):
        shutil.copytree(OURS, tmp_path / "include")
        path = tmp_path / "include" / "taichi" / header
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))
        return tmp_path / "include"

    return change


# Reading: each side becomes facts, name -> value, which one function compares.


def clean(text):
    """Return a C header as declarations for cffi; each prototype becomes a typedef of a function pointer."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
    return re.sub(r"TI_DLL_EXPORT\b([^;]*?)\bTI_API_CALL\s+(\w+)\s*\(", r"typedef \1 (*\2)(", text)


def read_upstream(include):
    return FOREIGN_TYPES + "".join(clean((include / "taichi" / name).read_text()) for name in build_ffi.HEADERS)


def read_ours(include):
    types, prototypes = build_ffi.read_declarations(include)
    pointers = (p.declaration().replace(f" {p.name}(", f" (*{p.name})(", 1) for p in prototypes)
    return types + "".join(f"typedef {pointer};\n" for pointer in pointers)


def constants(include):
    text = "\n".join((include / "taichi" / name).read_text() for name in build_ffi.HEADERS)
    found = re.findall(r"^\s*#\s*define\s+(TI_\w+)[ \t]+(\S+)", text, flags=re.MULTILINE)
    return {f"constant {name}": int(value, 0) for name, value in found}


parse = functools.cache(codegen.stub.read_declarations)  # cffi's parser is slow


def plain(ctype):
    """Return a type's name, the same for declarations and for compiled modules."""
    return re.sub(r"\b(enum|struct|union) ", "", ctype.cname).replace(" *", "*")


def signature(function):
    assert not function.ellipsis
    return [plain(function.result), *map(plain, function.args)]


def type_facts(ffi):
    found = {}
    typedefs, structs, unions = ffi.list_types()
    for name in typedefs:
        ctype = ffi.typeof(name)
        if ctype.kind == "enum":
            found[f"enum {name}"] = (ffi.sizeof(ctype), ffi.alignof(ctype))
            found |= {f"enumerator {name}.{key}": value for key, value in ctype.relements.items()}
        elif name.startswith("ti_"):
            found[f"function {name}"] = signature(ctype)
        else:
            found[f"typedef {name}"] = plain(ctype)
    for name in [*(f"struct {tag}" for tag in structs), *(f"union {tag}" for tag in unions)]:
        try:
            layout = (ffi.sizeof(name), ffi.alignof(name))
        except compiled_ffi.error:  # reading the fields of an opaque type can crash the process
            found[name] = "opaque"
            continue
        fields = ffi.typeof(name).fields
        found[name] = (*layout, [key for key, _ in fields])
        for key, field in fields:
            found[f"field {name.split()[1]}.{key}"] = (plain(field.type), field.offset, field.bitsize)
    return found


def facts(text):
    """Return all declarations as cffi parses them, and as spelled, because cffi drops const."""
    return type_facts(parse(text)) | spellings(text)


def spellings(text):
    found = {}
    for name, body in re.findall(r"typedef\s+(?:struct|union)\s+(\w+)\s*\{(.*?)\}", text, flags=re.DOTALL):
        for field in filter(str.strip, body.split(";")):
            written, key = spelling(field)
            found[f"spelling of field {name}.{key}"] = written
    for result, name, rest in re.findall(r"typedef\s+([^;{}()]*)\(\*(ti_\w+)\)\(([^;]*)\);", text):
        parameters = [] if rest.strip() in ("", "void") else [spelling(item)[0] for item in rest.split(",")]
        found[f"spelling of function {name}"] = (" ".join(result.replace("*", " * ").split()), parameters)
    for old, new in re.findall(r"typedef\s+([^;{}()]*?)(\w+);", text):
        found[f"spelling of typedef {new}"] = " ".join(old.replace("*", " * ").split())
    return found


def spelling(declaration):
    """Return (type, name) of a field or a parameter."""
    match = re.fullmatch(r"(.*\W)(\w+)((?:\s*\[\w+\])*)", declaration.strip(), flags=re.DOTALL)
    assert match is not None, declaration
    return " ".join((match[1].replace("*", " * ") + match[3]).split()), match[2]


# Comparing.


def differences(ours, theirs):
    found = [f"{key}: only ours" for key in sorted(ours.keys() - theirs.keys())]
    found += [f"{key}: only upstream's" for key in sorted(theirs.keys() - ours.keys())]
    for key in sorted(ours.keys() & theirs.keys()):
        if ours[key] != theirs[key]:
            found.append(f"{key}: {ours[key]} is ours, {theirs[key]} is upstream's")
    return found


def compare_headers(ours, theirs):
    """Return the differences between two include folders, as cffi reads them."""
    return differences(facts(read_ours(ours)) | constants(ours), facts(read_upstream(theirs)) | constants(theirs))


# The headers.


def test_headers_match_upstream(upstream):
    assert compare_headers(OURS, upstream) == []


def test_comparison_covers_every_declaration(upstream):
    # Declarations lost on both sides would compare equal, so count them in the plain text.
    found = facts(read_upstream(upstream))
    found = {key: value for key, value in found.items() if key not in facts(FOREIGN_TYPES)}
    counts = Counter(key.rsplit(" ", 1)[0] for key in found)
    text = "".join((upstream / "taichi" / name).read_text() for name in build_ffi.HEADERS)
    code = re.sub(r"//[^\n]*", "", text)
    assert counts["function"] == counts["spelling of function"] == code.count("TI_DLL_EXPORT") == 48
    assert counts["enum"] == len(re.findall(r"\benum\b", code)) == 12
    assert counts["enumerator"] == len(re.findall(r"^  TI_\w+ = ", code, flags=re.MULTILINE))
    handles = sum(value == "opaque" for value in found.values())
    assert handles == 7
    assert counts["struct"] - handles == len(re.findall(r"\bstruct \w+ \{", code))
    assert counts["union"] == len(re.findall(r"\bunion \w+ \{", code)) == 3
    assert counts["field"] == counts["spelling of field"] > 100
    assert constants(upstream) == {
        "constant TI_C_API_VERSION": 1007000,
        "constant TI_FALSE": 0,
        "constant TI_TRUE": 1,
        "constant TI_NULL_HANDLE": 0,
    }


def test_build_script_reads_all_of_our_headers():
    plain = "".join(clean((OURS / "taichi" / name).read_text()) for name in build_ffi.HEADERS)
    assert differences(facts(read_ours(OURS)), facts(plain)) == []


@pytest.mark.parametrize("header", build_ffi.HEADERS)
def test_each_header_declares_the_same_functions(header, upstream):
    def functions(include):
        return sorted(re.findall(r"TI_API_CALL\s+(\w+)\s*\(", (include / "taichi" / header).read_text()))

    assert functions(OURS) == functions(upstream) != []


def test_upstream_has_no_other_header(upstream):
    known = {*build_ffi.HEADERS, "taichi.h", "taichi_platform.h"}
    # Omitted on purpose: Unity's plugin interface, and Metal, which only macOS builds have.
    left_out = {"taichi_unity.h", "taichi_metal.h"}
    assert {path.name for path in (upstream / "taichi").glob("*.h")} - left_out == known
    assert {path.name for path in (OURS / "taichi").iterdir()} == known


# Other code derived from the headers.

SIZE_ONLY = ("VkPhysicalDeviceLimits",)


def compare_compiled_types(theirs):
    # Structures of which Python knows only the size are compared in tests/drivers/test_headers.py.
    facts = type_facts(parse(theirs + build_ffi.driver_declarations().replace("...;", "uint64_t words[63];")))
    expected = {key: value for key, value in facts.items() if not key.startswith("function ")}
    compiled = {key: value for key, value in type_facts(compiled_ffi).items() if " taichi_aot_" not in key}
    for name in SIZE_ONLY:
        assert compiled.pop(f"struct {name}")[:2] == expected.pop(f"struct {name}")[:2]
        del expected[f"field {name}.words"]
    return differences(compiled, expected)


def compare_compiled_functions(theirs):
    expected = {}
    for key, value in type_facts(parse(theirs)).items():
        if not key.startswith("function "):
            continue
        name = key.split()[1]
        if name in build_ffi.UNCHECKED:
            expected[name] = value
        else:  # takes our runtime, returns the error code, and passes its result through a trailing pointer
            result, *parameters = value
            of_runtime = parameters[:1] == ["TiRuntime_t*"]
            parameters = ["taichi_aot_runtime*", *parameters[1 if of_runtime else 0 :]]
            expected[f"checked_{name}"] = ["int", *parameters, *([] if result == "void" else [f"{result}*"])]
    names = [name for name in dir(compiled_lib) if re.match(r"(checked_)?ti_", name)]
    return differences({name: signature(compiled_ffi.typeof(getattr(compiled_lib, name))) for name in names}, expected)


def test_compiled_types_match_upstream(upstream):
    assert compare_compiled_types(read_upstream(upstream)) == []
    assert compiled_ffi.sizeof("TiArgument") == parse(read_upstream(upstream)).sizeof("TiArgument") == 160


def test_compiled_functions_match_upstream(upstream):
    assert compare_compiled_functions(read_upstream(upstream)) == []


@pytest.mark.parametrize(
    ("members", "name", "pattern"),
    [
        (enums.Arch, "TiArch", r"TI_ARCH_(\w+)"),
        (enums.Capability, "TiCapability", r"TI_CAPABILITY_(\w+)"),
        (enums.DataType, "TiDataType", r"TI_DATA_TYPE_(\w+)"),
        (ErrorCode, "TiError", r"TI_ERROR_(\w+)"),
        (enums.MemoryUsage, "TiMemoryUsageFlagBits", r"TI_MEMORY_USAGE_(\w+)_BIT"),
    ],
)
def test_python_enums_match_upstream(members, name, pattern, upstream):
    expected = {}
    for key, value in parse(read_upstream(upstream)).typeof(name).relements.items():
        match = re.fullmatch(pattern, key)
        assert match is not None
        expected[match[1]] = value
    for placeholder in ("RESERVED", "MAX_ENUM", "GEN", "UNKNOWN"):
        expected.pop(placeholder, None)
    assert {key: member.value for key, member in members.__members__.items()} == expected


# The comparisons themselves must find and name each change.


CHANGES = {
    "enumerator value": ("taichi_core.h", "TI_ARCH_CUDA = 3,", "TI_ARCH_CUDA = 8,", "enumerator TiArch.TI_ARCH_CUDA"),
    "field dropped": ("taichi_core.h", "  TiNdShape elem_shape;\n", "", "struct TiNdArray"),
    "field type": ("taichi_core.h", "uint32_t dims[16];", "int32_t dims[16];", "field TiNdShape.dims"),
    "field const": ("taichi_core.h", "  const char *name;", "  char *name;", "field TiNamedArgument.name"),
    "array length": ("taichi_core.h", "uint32_t dims[16];", "uint32_t dims[12];", "struct TiNdShape"),
    "fields swapped": (
        "taichi_vulkan.h",
        "VkImageTiling tiling;\n  VkImageUsageFlags usage;",
        "VkImageUsageFlags usage;\n  VkImageTiling tiling;",
        "struct TiVulkanImageInteropInfo",
    ),
    "result": ("taichi_core.h", "uint32_t TI_API_CALL ti_get_version", "int32_t TI_API_CALL ti_get_version", "version"),
    "parameter type": ("taichi_cpu.h", "void *ptr, size_t memory_size", "void *ptr, int memory_size", "ti_import_cpu"),
    "parameter dropped": ("taichi_opengl.h", ", bool use_gles", "", "function ti_import_opengl_runtime"),
    "parameter const": ("taichi_core.h", "const void *tcm", "void *tcm", "function ti_create_aot_module"),
    "pointer depth": ("taichi_cuda.h", "void **stream", "void *stream", "function ti_get_cuda_stream"),
    "function dropped": (
        "taichi_core.h",
        "TI_DLL_EXPORT void TI_API_CALL ti_wait(TiRuntime runtime);\n",
        "",
        "function ti_wait: only upstream's",
    ),
    "handle": ("taichi_core.h", "struct TiKernel_t *TiKernel;", "struct TiImage_t *TiKernel;", "typedef TiKernel"),
    "constant": ("taichi_core.h", "TI_TRUE 1", "TI_TRUE -1", "constant TI_TRUE"),
}


@pytest.mark.slow(but=("field const", "*value*"))
@pytest.mark.parametrize("change", CHANGES)
def test_changed_header_is_detected(change, changed, upstream):
    header, old, new, name = CHANGES[change]
    found = compare_headers(changed(header, old, new), upstream)
    assert any(name in difference for difference in found), found


@pytest.mark.slow
@pytest.mark.parametrize("change", ["enumerator value", "field dropped", "array length", "handle"])
def test_compiled_types_of_another_header_are_detected(change, changed):
    header, old, new, name = CHANGES[change]
    found = compare_compiled_types(read_ours(changed(header, old, new)))
    assert any(name in difference for difference in found), found


@pytest.mark.slow(but="parameter type")
@pytest.mark.parametrize(
    "change", ["result", "parameter type", "parameter dropped", "pointer depth", "function dropped"]
)
def test_compiled_functions_of_another_header_are_detected(change, changed):
    found = compare_compiled_functions(read_ours(changed(*CHANGES[change][:3])))
    assert len(found) == 1
