"""The Python equivalents of C-API functions and of public members of taichi.hpp, as tables for docs/from-cpp.md.

Functions are read from ``include/taichi``. The members of taichi.hpp and the C functions that they call are read from
the package ``taichi``, which must be installed. Only the Python side is written here. A function or a member without it
is an error.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from build_ffi import read_declarations

# C function: the archs on which the function of `capi` works, the equivalent objects, and where the C function or the
# objects differ.
FUNCTIONS: dict[str, tuple[str, str, str]] = {
    "ti_get_version": ("all", "`library_version`", ""),
    "ti_get_available_archs": ("all", "`available_archs`, `devices`", ""),
    "ti_get_last_error": ("all", "every call raises: `TaichiError`, `TaichiError.code`, `TaichiError.routine`", ""),
    "ti_set_last_error": ("all", "`raise` an exception", ""),
    "ti_create_runtime": ("all", "`Runtime`", ""),
    "ti_destroy_runtime": ("all", "`Runtime.close`", ""),
    "ti_set_runtime_capabilities_ext": ("vulkan, opengl", "`Runtime.set_capabilities`", ""),
    "ti_get_runtime_capabilities": ("all", "`Runtime.capabilities`", ""),
    "ti_flush": ("all", "`Runtime.flush`", ""),
    "ti_wait": ("all", "`Runtime.wait`", ""),
    "ti_allocate_memory": ("all", "`Runtime.allocate`, `Runtime.empty`, `Runtime.zeros`, `Runtime.asarray`", ""),
    "ti_free_memory": ("all", "`Memory.close`, `NdArray.close`", ""),
    "ti_map_memory": ("all", "`Memory.map`, `NdArray.map`; `Memory.read`, `Memory.write` copy", ""),
    "ti_unmap_memory": ("all", "the end of `with memory.map()`", ""),
    "ti_allocate_image": ("vulkan", "`Runtime.allocate_image`, `Runtime.image_from`", ""),
    "ti_free_image": ("vulkan", "`Image.close`", ""),
    "ti_create_sampler": ("none", "`Sampler`, the default one", "objects: vulkan"),
    "ti_destroy_sampler": ("none", "samplers need not be destroyed", ""),
    "ti_copy_memory_device_to_device": (
        "vulkan, opengl",
        "`Memory.copy_from`, `MemorySlice.copy_from`, `NdArray.copy_from`",
        "objects: all",
    ),
    "ti_copy_image_device_to_device": ("vulkan", "`Image.copy_from`, `ImageSlice.copy_from`", ""),
    "ti_track_image_ext": ("vulkan", "`Image.track`", ""),
    "ti_transition_image": ("vulkan", "`Image.transition`", ""),
    "ti_load_aot_module": ("all", "`Runtime.load_module`, `load`", ""),
    "ti_create_aot_module": ("vulkan, opengl", "`Runtime.load_module`, `load`, of bytes", "objects: all"),
    "ti_destroy_aot_module": ("all", "`AotModule.close`", ""),
    "ti_get_aot_module_kernel": ("all", "`AotModule.kernels`", ""),
    "ti_get_aot_module_compute_graph": ("all", "`AotModule.graphs`", ""),
    "ti_launch_kernel": ("all", "`Kernel.__call__`, `Kernel.bind`, `Launch`", ""),
    "ti_launch_compute_graph": ("all", "`ComputeGraph.__call__`, `ComputeGraph.bind`, `Launch`", ""),
    "ti_export_cpu_memory": ("x64", "`Memory.map`, `NdArray.__array_interface__`, `NdArray.__dlpack__`", ""),
    "ti_import_cpu_memory": ("x64", "`Runtime.import_memory`, `Runtime.from_dlpack`", ""),
    "ti_export_cuda_memory": ("cuda", "`NdArray.__cuda_array_interface__`, `NdArray.__dlpack__`", ""),
    "ti_import_cuda_memory": ("cuda", "`Runtime.import_memory`, `Runtime.from_dlpack`", ""),
    "ti_set_cuda_stream": ("cuda", "`Runtime.stream`", ""),
    "ti_get_cuda_stream": ("cuda", "`Runtime.current_stream`", ""),
    "ti_import_opengl_runtime": ("opengl", "`Runtime`: the library imports only its own context", ""),
    "ti_export_opengl_runtime": ("opengl", "`Runtime.handle` with `capi`", ""),
    "ti_import_opengl_memory": ("none", "the headers declare it, but the library lacks it", ""),
    "ti_export_opengl_memory": ("opengl", "`Memory.handle` with `capi`", ""),
    "ti_import_opengl_image": ("none", "the headers declare it, but the library lacks it", ""),
    "ti_export_opengl_image": ("none", "OpenGL runtimes have no images", ""),
    "ti_create_vulkan_runtime_ext": ("vulkan", "`vulkan.create_runtime`", ""),
    "ti_import_vulkan_runtime": ("vulkan", "`vulkan.import_runtime`", ""),
    "ti_export_vulkan_runtime": ("vulkan", "`vulkan.export_runtime`", ""),
    "ti_import_vulkan_memory": ("vulkan", "`vulkan.import_memory`, `vulkan.import_ndarray`", ""),
    "ti_export_vulkan_memory": ("vulkan", "`vulkan.export_memory`", ""),
    "ti_import_vulkan_image": ("vulkan", "`vulkan.import_image`", ""),
    "ti_export_vulkan_image": ("vulkan", "`vulkan.export_image`", ""),
}

BORROW = "bind another name to the object; from a handle: `{}.from_handle`"
CLOSED = "not `{}.closed`"
NO_MOVES = "assignment binds a name: objects are not moved or copied"
COLLECTED = "an object that is not closed is released when it is collected"

# Member of taichi.hpp: the equivalent objects.
MEMBERS: dict[str, str] = {
    "Version::version": "`library_version`",
    "Version::Version": "a tuple, as `library_version` returns it",
    "Version::operator=": NO_MOVES,
    "Version::major": "`library_version()[0]`",
    "Version::minor": "`library_version()[1]`",
    "Version::patch": "`library_version()[2]`",
    "get_version": "`library_version`",
    "get_available_archs": "`available_archs`",
    "is_arch_available": "`in available_archs()`",
    "Error::error": "`TaichiError.code`",
    "Error::message": "`str` of the exception",
    "Error::operator TiError": "`TaichiError.code`",
    "get_last_error": "every call raises: `TaichiError`",
    "check_last_error": "every call raises: `TaichiError`",
    "set_last_error": "`raise` an exception",
    "MemorySlice::MemorySlice": "`memory[a:b]`: `MemorySlice`",
    "MemorySlice::operator=": NO_MOVES,
    "MemorySlice::copy_to": "`MemorySlice.copy_from`, with the two exchanged",
    "MemorySlice::memory": "keep the `Memory` that was sliced",
    "MemorySlice::offset": "`MemorySlice.offset`",
    "MemorySlice::size": "`MemorySlice.size`",
    "MemorySlice::slice": "`capi.TiMemorySlice` of `Memory.handle`, `MemorySlice.offset` and `MemorySlice.size`",
    "MemorySlice::operator const TiMemorySlice &": "as for `slice`",
    "Memory::is_valid": CLOSED.format("Memory"),
    "Memory::destroy": "`Memory.close`",
    "Memory::Memory": "`Runtime.allocate`; from a handle: `Memory.from_handle`",
    "Memory::~Memory": COLLECTED,
    "Memory::operator=": NO_MOVES,
    "Memory::borrow": BORROW.format("Memory"),
    "Memory::map": "`Memory.map`",
    "Memory::unmap": "the end of `with memory.map()`",
    "Memory::read": "`Memory.read`",
    "Memory::write": "`Memory.write`",
    "Memory::copy_to": "`Memory.copy_from`, with the two exchanged",
    "Memory::slice": "`memory[a:b]`: `MemorySlice`",
    "Memory::size": "`Memory.size`",
    "Memory::memory": "`Memory.handle`",
    "Memory::operator TiMemory": "`Memory.handle`",
    "NdArray::is_valid": CLOSED.format("NdArray"),
    "NdArray::destroy": "`NdArray.close`",
    "NdArray::NdArray": "`Runtime.empty`; over memory: `Memory.ndarray`",
    "NdArray::~NdArray": COLLECTED,
    "NdArray::operator=": NO_MOVES,
    "NdArray::borrow": "`Memory.ndarray`, which does not own the memory",
    "NdArray::map": "`NdArray.map`",
    "NdArray::unmap": "the end of `with array.map()`",
    "NdArray::scalar_count": "`array.to_numpy().size`, or `NdArray.nbytes` by the size of `NdArray.dtype`",
    "NdArray::elem_count": "the product of `NdArray.shape`",
    "NdArray::read": "`NdArray.to_numpy`",
    "NdArray::write": "`NdArray.write`",
    "NdArray::copy_to": "`NdArray.copy_from`, with the two exchanged",
    "NdArray::slice": "`NdArray.memory`, and `memory[a:b]`",
    "NdArray::elem_type": "`NdArray.dtype`",
    "NdArray::shape": "`NdArray.shape`",
    "NdArray::elem_shape": "`NdArray.elem_shape`",
    "NdArray::memory": "`NdArray.memory`",
    "NdArray::ndarray": "`capi.TiNdArray` of `Memory.handle`, `NdArray.shape` and `NdArray.elem_shape`",
    "NdArray::operator TiNdArray": "as for `ndarray`",
    "ImageSlice::ImageSlice": "`image[y0:y1, x0:x1]`: `ImageSlice`",
    "ImageSlice::operator=": NO_MOVES,
    "ImageSlice::copy_to": "`ImageSlice.copy_from`, with the two exchanged",
    "ImageSlice::image": "keep the `Image` that was sliced",
    "ImageSlice::offset": "`ImageSlice.offset`",
    "ImageSlice::extent": "`ImageSlice.extent`",
    "ImageSlice::mip_level": "always 0: kernels and copies take images of one level",
    "ImageSlice::slice": "`capi.TiImageSlice` of `Image.handle`, `ImageSlice.offset` and `ImageSlice.extent`",
    "ImageSlice::operator TiImageSlice": "as for `slice`",
    "Image::is_valid": CLOSED.format("Image"),
    "Image::destroy": "`Image.close`",
    "Image::Image": "`Runtime.allocate_image`; from a handle: `Image.from_handle`",
    "Image::~Image": COLLECTED,
    "Image::operator=": NO_MOVES,
    "Image::borrow": BORROW.format("Image"),
    "Image::copy_to": "`Image.copy_from`, with the two exchanged",
    "Image::transition_to": "`Image.transition`",
    "Image::slice": "`image[y0:y1, x0:x1]`: `ImageSlice`",
    "Image::dimension": "`Image.ndim`",
    "Image::extent": "`Image.extent`",
    "Image::mip_level_count": "always 1: kernels and copies take images of one level",
    "Image::format": "`Image.format`",
    "Image::image": "`Image.handle`",
    "Image::operator TiImage": "`Image.handle`",
    "Texture::is_valid": CLOSED.format("Image"),
    "Texture::destroy": "`Image.close`",
    "Texture::Texture": "`Image.texture`; the image itself is its default texture",
    "Texture::~Texture": COLLECTED,
    "Texture::operator=": NO_MOVES,
    "Texture::borrow": "`Image.texture`, which does not own the image",
    "Texture::copy_to": "`Image.copy_from`, with the two exchanged",
    "Texture::slice": "`Texture.image`, and `image[y0:y1, x0:x1]`",
    "Texture::image": "`Texture.image`",
    "Texture::texture": "`capi.TiTexture` of `Image.handle`, `Image.extent` and `Image.format`",
    "Texture::operator TiTexture": "as for `texture`",
    "DataTypeToEnum::value": "`DataType` of a numpy dtype: `NdArray.dtype`",
    "ArgumentEntry::ArgumentEntry": "an argument of `Kernel.__call__`",
    "ArgumentEntry::set_f16": "a number: the signature says that it is an `f16`",
    "ArgumentEntry::set_u16": "a number: the signature says that it is a `u16`",
    "ArgumentEntry::set_i16": "a number: the signature says that it is an `i16`",
    "ArgumentEntry::operator=": "an argument of `Kernel.__call__`: a number, a list, an `NdArray`, an `Image`",
    "ComputeGraph::is_valid": "`in module.graphs`; not `AotModule.closed`",
    "ComputeGraph::ComputeGraph": "`AotModule.graphs`",
    "ComputeGraph::~ComputeGraph": "graphs belong to their module",
    "ComputeGraph::operator=": NO_MOVES,
    "ComputeGraph::at": "an argument by name: `ComputeGraph.__call__`, `ComputeGraph.bind`, `Launch.update`",
    "ComputeGraph::operator[]": "as for `at`",
    "ComputeGraph::launch": "`ComputeGraph.__call__`",
    "ComputeGraph::compute_graph": "`ComputeGraph.handle`",
    "ComputeGraph::operator TiComputeGraph": "`ComputeGraph.handle`",
    "Kernel::is_valid": "`in module.kernels`; not `AotModule.closed`",
    "Kernel::Kernel": "`AotModule.kernels`",
    "Kernel::operator=": NO_MOVES,
    "Kernel::at": "an argument by position or name: `Kernel.__call__`, `Kernel.bind`, `Launch.update`",
    "Kernel::operator[]": "as for `at`",
    "Kernel::push_arg": "the next argument of `Kernel.__call__`, `Kernel.bind`",
    "Kernel::clear_args": "every call has its own arguments",
    "Kernel::launch": "`Kernel.__call__`",
    "Kernel::kernel": "`Kernel.handle`",
    "Kernel::operator TiKernel": "`Kernel.handle`",
    "AotModule::is_valid": CLOSED.format("AotModule"),
    "AotModule::destroy": "`AotModule.close`",
    "AotModule::AotModule": "`Runtime.load_module`; from a handle: `AotModule.from_handle`",
    "AotModule::~AotModule": "the library's module stays until `Runtime.close`",
    "AotModule::operator=": NO_MOVES,
    "AotModule::borrow": BORROW.format("AotModule"),
    "AotModule::get_kernel": "`AotModule.kernels`",
    "AotModule::get_compute_graph": "`AotModule.graphs`",
    "AotModule::aot_module": "`AotModule.handle`",
    "AotModule::operator TiAotModule": "`AotModule.handle`",
    "CapabilityLevelConfig::cap_level_infos": "the items of `Runtime.capabilities`",
    "CapabilityLevelConfig::CapabilityLevelConfig": "a mapping of `Capability` to levels",
    "CapabilityLevelConfig::builder": "a mapping of `Capability` to levels",
    "CapabilityLevelConfig::get": "`rt.capabilities.get(capability, 0)`",
    "CapabilityLevelConfig::set": "an item of the mapping for `Runtime.set_capabilities`",
    "CapabilityLevelConfigBuilder::CapabilityLevelConfigBuilder": "a mapping of `Capability` to levels",
    "CapabilityLevelConfigBuilder::build": "the mapping itself",
    "Runtime::is_valid": CLOSED.format("Runtime"),
    "Runtime::destroy": "`Runtime.close`",
    "Runtime::Runtime": "`Runtime`; from a handle: `Runtime.from_handle`",
    "Runtime::~Runtime": COLLECTED,
    "Runtime::operator=": NO_MOVES,
    "Runtime::borrow": BORROW.format("Runtime"),
    "Runtime::set_capabilities_ext": "`Runtime.set_capabilities`",
    "Runtime::get_capabilities": "`Runtime.capabilities`",
    "Runtime::allocate_memory": "`Runtime.allocate`",
    "Runtime::allocate_ndarray": "`Runtime.empty`, `Runtime.zeros`, `Runtime.full`, `Runtime.asarray`",
    "Runtime::allocate_image": "`Runtime.allocate_image`",
    "Runtime::allocate_texture2d": "`Runtime.allocate_image` and `Image.texture`",
    "Runtime::load_aot_module": "`Runtime.load_module`",
    "Runtime::create_aot_module": "`Runtime.load_module` of bytes",
    "Runtime::copy_memory_device_to_device": "`Memory.copy_from`, `MemorySlice.copy_from`",
    "Runtime::copy_image_device_to_device": "`Image.copy_from`, `ImageSlice.copy_from`",
    "Runtime::transition_image": "`Image.transition`",
    "Runtime::flush": "`Runtime.flush`",
    "Runtime::wait": "`Runtime.wait`",
    "Runtime::arch": "`Runtime.arch`",
    "Runtime::runtime": "`Runtime.handle`",
    "Runtime::operator TiRuntime": "`Runtime.handle`",
}

# The class of an expression in a member's body, if it is not the member's own class.
RECEIVERS = {
    ("NdArray", "memory_"): "Memory",
    ("NdArray", "memory()"): "Memory",
    ("Texture", "image_"): "Image",
    ("Memory", "slice()"): "MemorySlice",
    ("Image", "slice()"): "ImageSlice",
    ("Texture", "slice()"): "ImageSlice",
}

HEAD = ["| C | `capi` | objects | taichi.hpp | archs |", "| --- | --- | --- | --- | --- |"]


class Member(NamedTuple):
    """A public member of a class of taichi.hpp, or a function of its namespace; all overloads together."""

    scope: str  # the class; empty for a function
    name: str
    body: str  # of all overloads, with the initializers of constructors

    @property
    def key(self) -> str:
        return f"{self.scope}::{self.name}" if self.scope else self.name


def find_header() -> Path | None:
    """Return the path of taichi.hpp in the installed package ``taichi``."""
    spec = importlib.util.find_spec("taichi")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "_lib" / "c_api" / "include" / "taichi" / "cpp" / "taichi.hpp"


def read_members(text: str) -> dict[str, Member]:
    """Return the members of taichi.hpp by `Member.key`."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.MULTILINE)
    begin = text.index("{", text.index("namespace ti"))
    members: dict[str, Member] = {}
    for scope, declaration, body in _public(text[begin + 1 : _end_of(text, begin) - 1]):
        name = _name(declaration)
        if name is not None:
            new = Member(scope, name, declaration + body)
            old = members.get(new.key)
            members[new.key] = new if old is None else old._replace(body=old.body + new.body)
    return members


def _public(namespace: str) -> Iterator[tuple[str, str, str]]:
    """Yield (class, declaration, body) of each public declaration."""
    for declaration, body in _statements(namespace):
        found = re.search(r"\b(class|struct) (\w+)$", declaration)
        if found and body:
            is_public = found[1] == "struct"
            for inner, inner_body in _statements(body[1 : body.rindex("}")]):
                if inner in ("public:", "private:", "protected:"):
                    is_public = inner == "public:"
                elif is_public:
                    yield found[2], inner, inner_body
        elif re.match(r"inline (?!\w+ \w+::)", declaration):  # else a definition of a member, or a macro
            yield "", declaration, body


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """Yield (head, block in braces or an empty text) of each declaration, and access specifiers."""
    start = at = depth = 0
    while at < len(text):
        sign = text[at]
        depth += {"(": 1, ")": -1}.get(sign, 0)
        head = " ".join(text[start:at].split())
        if depth:
            pass
        elif sign == "{":
            end = _end_of(text, at)
            yield head, text[at:end]
            start = at = end + len(re.match(r"\s*;?", text[end:])[0])  # type: ignore[index]  # it always matches
            continue
        elif sign == ";":
            yield head, ""
            start = at + 1
        elif sign == ":" and head in ("public", "private", "protected"):
            yield f"{head}:", ""
            start = at + 1
        at += 1


def _end_of(text: str, begin: int) -> int:
    """Return the position after the brace that closes the one at `begin`."""
    depth = 0
    for at in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    raise ValueError("a brace of taichi.hpp is not closed")


def _name(declaration: str) -> str | None:
    """Return the declared name; None for a deleted function."""
    if declaration.endswith("= delete"):
        return None
    declaration = re.sub(r"^template <[^>]*> ", "", declaration)
    function = re.search(r"(operator [\w &]+|operator\W+?|~?\w+) ?\(", declaration)
    found = function or re.search(r"(\w+)(?: = .*)?$", declaration)
    assert found is not None, declaration
    return found[1].strip()


def c_functions(member: Member, members: Mapping[str, Member], seen: frozenset[str] = frozenset()) -> set[str]:
    """Return the C functions that a member calls, itself or through other members."""
    found = set(re.findall(r"\bti_\w+(?=\()", member.body))
    for receiver, name in re.findall(r"(?:(\w+(?:\(\))?)\.)?(~?\w+)\(", member.body):
        scope = RECEIVERS.get((member.scope, receiver)) if receiver else member.scope
        other = members.get(f"{scope}::{name}" if scope else name)
        if scope is not None and other and other.key not in seen | {member.key} and name != scope:
            found |= c_functions(other, members, seen | {member.key})
    return found - {"ti_set_last_error"} if member.scope else found  # it only reports wrong arguments


def objects_of(member: Member) -> str:
    """Return the equivalent objects of a member."""
    if member.scope == "CapabilityLevelConfigBuilder" and member.name.startswith("spirv_"):
        return f"`Capability.{member.name.upper()}`"
    return MEMBERS[member.key]


def capi_name(function: str) -> str:
    """Return the function of `taichi_aot.capi`."""
    return f"`capi.{function.removeprefix('ti_')}`"


def archs_of(function: str) -> str:
    """Return the archs of a function, and the difference."""
    archs, _, difference = FUNCTIONS[function]
    return f"{archs}; {difference}" if difference else archs


def function_rows(members: Mapping[str, Member]) -> list[str]:
    """Return the lines of the table of C functions.

    Raises
    ------
    ValueError
        If a function or member lacks its equivalent, or an equivalent its function or member.
    """
    functions = [prototype.name for prototype in read_declarations()[1]]
    known = {key for key in members if key in MEMBERS or "::spirv_" in key}
    wrong = sorted((set(functions) ^ FUNCTIONS.keys()) | (members.keys() - known) | (MEMBERS.keys() - members.keys()))
    if wrong:
        raise ValueError(f"functions or members without a row, or rows without one: {', '.join(wrong)}")
    callers = {key: c_functions(member, members) for key, member in members.items()}
    lines = list(HEAD)
    for name in functions:
        used_by = ", ".join(f"`{key}`" for key, calls in callers.items() if name in calls and "~" not in key)
        lines.append(f"| `{name}` | {capi_name(name)} | {FUNCTIONS[name][1]} | {used_by} | {archs_of(name)} |")
    return lines


def member_rows(members: Mapping[str, Member]) -> list[str]:
    """Return the lines of the table of members."""
    lines = ["| taichi.hpp | objects | C | archs |", "| --- | --- | --- | --- |"]
    for key, member in members.items():
        calls = sorted(c_functions(member, members))
        archs = " / ".join(dict.fromkeys(map(archs_of, calls))) or "all"
        lines.append(f"| `{key}` | {objects_of(member)} | {', '.join(f'`{name}`' for name in calls)} | {archs} |")
    return lines
