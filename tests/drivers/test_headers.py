"""Compare our declarations of Vulkan and EGL with the real headers, if they are installed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from taichi_aot.driver._library import ffi, lib

FOLDER = Path(__file__).resolve().parents[2] / "include" / "drivers"
VULKAN = "#include <vulkan/vulkan.h>\n"
INCLUDES = {
    "vulkan_subset.h": VULKAN,
    "vulkan_limits.h": VULKAN,
    "vulkan_commands.h": VULKAN,
    "vulkan_devices.h": VULKAN,
    "vulkan_labels.h": VULKAN,
    "egl_subset.h": "#define EGL_NO_X11\n#include <EGL/egl.h>\n#include <GL/glcorearb.h>\n",
}
SIZE_ONLY = ("VkPhysicalDeviceLimits",)  # Python does not know the members of these

STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\} \w+;", re.DOTALL)
FUNCTION_TYPE = re.compile(r"typedef ([^;]*?)\(\*(PFN\w+)\)\(([^;]*)\);")
MEMBER = re.compile(r"(\w+)(?:\[\d+\])?;")
PLAIN_TYPE = re.compile(r"typedef (?!struct )([\w ]+?) (\w+);")
CONSTANT = re.compile(r"^ +(\w+) = (-?\w+),?$", re.MULTILINE)


def declarations(header):
    return re.sub(r"/\*.*?\*/", "", (FOLDER / header).read_text(encoding="utf-8"), flags=re.DOTALL)


def assertions(text):
    """Return C declarations that compile only if our header agrees with the included one."""
    for name, members in STRUCT.findall(text):
        yield f"struct ours_{name} {{{members}}};"
        yield f"_Static_assert(sizeof(struct ours_{name}) == sizeof({name}), {quote(name)});"
        for field in MEMBER.findall(members):
            member = f"{name}.{field}"
            ours, theirs = f"(((struct ours_{name} *)0)->{field})", f"((({name} *)0)->{field})"
            place = f"offsetof(struct ours_{name}, {field})"
            yield f"_Static_assert({place} == offsetof({name}, {field}), {quote(member, 'place')});"
            yield (
                f"_Static_assert(__builtin_types_compatible_p(__typeof__{ours}, __typeof__{theirs}), "
                f"{quote(member, 'type')});"
            )
    for result, name, parameters in FUNCTION_TYPE.findall(text):
        yield f"typedef {result}(*ours_{name})({parameters});"
        yield f"_Static_assert(__builtin_types_compatible_p(ours_{name}, {name}), {quote(name)});"
    for kind, name in PLAIN_TYPE.findall(STRUCT.sub("", text)):
        yield f"_Static_assert(sizeof({name}) == sizeof({kind}), {quote(name)});"
    for name, value in CONSTANT.findall(text):
        yield f"_Static_assert((long long)({name}) == {value}, {quote(name)});"


def assertions_of_cffi(text):
    """Return such declarations from cffi's types, which must cover all that the text declares."""
    for name, members in STRUCT.findall(text):
        yield f"_Static_assert(sizeof({name}) == {ffi.sizeof(name)}, {quote(name, 'of cffi')});"
        fields = ffi.typeof(name).fields
        assert [field for field, _ in fields] == ([] if name in SIZE_ONLY else MEMBER.findall(members))
        for field, info in fields:
            yield f"_Static_assert(offsetof({name}, {field}) == {info.offset}, {quote(name, field, 'of cffi')});"
    for _, name in PLAIN_TYPE.findall(STRUCT.sub("", text)):
        if not name.startswith("PFN"):
            yield f"_Static_assert(sizeof({name}) == {ffi.sizeof(name)}, {quote(name, 'of cffi')});"
    for name, _ in CONSTANT.findall(text):
        yield f"_Static_assert((long long)({name}) == {getattr(lib, name)}, {quote(name, 'of cffi')});"


def quote(*words):
    return f'"{" ".join(words)}"'


@pytest.fixture(scope="module")
def cc():
    found = shutil.which("cc")
    if found is None:
        pytest.skip("the C compiler cc is not installed")
    return found


def compile_text(cc, text, folder):
    source = folder / "test.c"
    source.write_text("#include <stddef.h>\n#include <stdint.h>\n" + text)
    command = [cc, "-std=gnu11", "-Wall", "-Werror", "-fsyntax-only", str(source)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def need_headers(cc, header, folder):
    if compile_text(cc, INCLUDES[header], folder).returncode != 0:
        package = "libegl-dev" if header == "egl_subset.h" else "libvulkan-dev"
        pytest.skip(f"the package {package} with the real headers is not installed")


@pytest.mark.parametrize("header", INCLUDES)
def test_declarations_match_the_real_headers(cc, header, tmp_path):
    need_headers(cc, header, tmp_path)
    lines = list(assertions(declarations(header)))
    assert len(lines) > 30
    done = compile_text(cc, INCLUDES[header] + "\n".join(lines), tmp_path)
    assert done.returncode == 0, done.stderr[:3000]


@pytest.mark.parametrize("header", ["vulkan_subset.h", "vulkan_limits.h", "egl_subset.h"])
def test_cffi_agrees_with_the_real_headers(cc, header, tmp_path):
    need_headers(cc, header, tmp_path)
    done = compile_text(cc, INCLUDES[header] + "\n".join(assertions_of_cffi(declarations(header))), tmp_path)
    assert done.returncode == 0, done.stderr[:3000]


# A header, and a change to it.
MUTATIONS = {
    "a member of another type": (
        "vulkan_limits.h",
        "VkDeviceSize sparseAddressSpaceSize;",
        "int64_t sparseAddressSpaceSize;",
    ),
    "two members swapped": (
        "vulkan_subset.h",
        "uint32_t queueCount;\n  uint32_t timestampValidBits;",
        "uint32_t timestampValidBits;\n  uint32_t queueCount;",
    ),
    "a member missing": ("vulkan_limits.h", "  uint32_t maxCullDistances;\n", ""),
    "a parameter missing": (
        "vulkan_subset.h",
        "(VkDevice, VkBuffer, VkMemoryRequirements *)",
        "(VkDevice, VkMemoryRequirements *)",
    ),
    "another constant": ("vulkan_commands.h", "VK_TIMEOUT = 2,", "VK_TIMEOUT = 3,"),
    "another width": ("vulkan_commands.h", "typedef VkFlags VkAccessFlags;", "typedef uint64_t VkAccessFlags;"),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_mutated_declarations_do_not_match(cc, mutation, tmp_path):
    header, before, after = MUTATIONS[mutation]
    need_headers(cc, header, tmp_path)
    text = declarations(header)
    assert text.count(before) == 1
    done = compile_text(cc, INCLUDES[header] + "\n".join(assertions(text.replace(before, after))), tmp_path)
    assert done.returncode != 0
