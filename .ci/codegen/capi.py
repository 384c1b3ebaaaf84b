"""The modules of ``taichi_aot/capi`` that follow from the headers: enumerations, structures and functions.

build_ffi.py reads the headers; ``capi_text`` has the sentences of the docstrings. The build does not require ruff, so
the lines are broken here as ``ruff format`` would break them.
"""

from __future__ import annotations

import re
import textwrap
from typing import NamedTuple

from build_ffi import Prototype, read_declarations

from .capi_text import ENUMERATIONS, FUNCTIONS, MEMBERS, PARAMETERS, STRUCTURES, FunctionText

WIDTH = 120
TYPES, PROTOTYPES = read_declarations()
HANDLES = ("TiRuntime", "TiAotModule", "TiMemory", "TiImage", "TiSampler", "TiKernel", "TiComputeGraph")
INTEGERS = {"uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "uint64_t": 64, "size_t": 64, "GLuint": 32, "GLenum": 32}
INTEGERS |= {"VkBufferUsageFlags": 32, "VkImageUsageFlags": 32}
SIGNED = {"int32_t": 32, "int": 32, "GLsizei": 32, "GLsizeiptr": 64}
SIGNED |= dict.fromkeys(("VkImageType", "VkFormat", "VkSampleCountFlagBits", "VkImageTiling", "VkImageViewType"), 32)
SIGNED |= {"VkImageLayout": 32}


class Enumeration(NamedTuple):
    """An enumeration: its name, its members with their values, and the value that only gives it a width."""

    name: str
    members: tuple[tuple[str, int], ...]
    placeholder: tuple[tuple[str, int], ...]  # empty without one
    is_flags: bool


class Structure(NamedTuple):
    """A structure or union: its name, and its members as (type, name, length or 0)."""

    name: str
    members: tuple[tuple[str, str, int], ...]
    is_union: bool


def read_enumerations() -> list[Enumeration]:
    found = []
    for name, body in re.findall(r"typedef enum (\w+) \{(.*?)\}", TYPES, re.DOTALL):
        pairs = [(member, eval(value)) for member, value in re.findall(r"(\w+) = ([^,\n]+)", body)]
        members = tuple(pair for pair in pairs if not pair[0].endswith("_MAX_ENUM"))
        placeholder = tuple(pair for pair in pairs if pair not in members)
        found.append(Enumeration(name, members, placeholder, name.endswith("FlagBits")))
    return found


def read_structures() -> list[Structure]:
    found = []
    for kind, name, body in re.findall(r"typedef (struct|union) (\w+) \{(.*?)\}", TYPES, re.DOTALL):
        members = []
        for text in filter(str.strip, body.split(";")):
            match = re.fullmatch(r"\s*(.+?)\s*(\w+)(?:\[(\d+)\])?\s*", text, re.DOTALL)
            assert match is not None, text
            members.append((match[1], match[2], int(match[3] or 0)))
        found.append(Structure(name, tuple(members), kind == "union"))
    return found


ENUMS = {enum.name: enum for enum in read_enumerations()}
FLAGS = {enum.name.replace("FlagBits", "Flags"): enum.name for enum in ENUMS.values() if enum.is_flags}
STRUCTS = {structure.name: structure for structure in read_structures()}


def module_text(what: str, lines: list[str]) -> str:
    start = ["# Made at build time from include/taichi by .ci/codegen. Do not edit.", f'"""{what}."""', ""]
    return "\n".join([*start, "from __future__ import annotations", "", *lines]).rstrip("\n") + "\n"


def exported(names: list[str]) -> str:
    return "\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names, key=sort_key)) + "]\n"


def sort_key(name: str) -> tuple[int, str]:
    """Return a key that sorts constants first, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def docstring(lines: list[str], indent: str = "    ") -> list[str]:
    if len(lines) == 1:
        return [f'{indent}"""{lines[0]}"""']
    return [f'{indent}"""{lines[0]}', *[f"{indent}{line}" if line else "" for line in lines[1:]], f'{indent}"""']


def wrapped(text: str, indent: str = "", width: int = WIDTH - 4) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False)


def paragraphs(text: str) -> list[str]:
    """Return the wrapped lines of a text with paragraphs between empty lines; indented lines are unchanged."""
    lines: list[str] = []
    for number, block in enumerate(textwrap.dedent(text).strip().split("\n\n")):
        if number:
            lines.append("")
        plain = all(not line.startswith((" ", "- ")) for line in block.split("\n"))
        lines += wrapped(" ".join(block.split())) if plain else block.split("\n")
    return lines


def section(title: str, lines: list[str]) -> list[str]:
    return ["", title, "-" * len(title), *lines] if lines else []


def examples(text: str) -> list[str]:
    return section("Examples", textwrap.dedent(text).strip().split("\n") if text else [])


# Enumerations.


def make_enumerations() -> str:
    lines = ["from enum import IntEnum, IntFlag", "from typing import ClassVar", exported([*ENUMS, *FLAGS])]
    for enum in ENUMS.values():
        text = ENUMERATIONS[enum.name]
        shown = enum.members[min(1, len(enum.members) - 1)]
        value = f"<{enum.name}.{shown[0]}: {shown[1]}>"
        lines += ["", f"class {enum.name}({'IntFlag' if enum.is_flags else 'IntEnum'}):"]
        lines += docstring([*paragraphs(text), *examples(f">>> capi.{enum.name}.{shown[0]}\n{value}")])
        lines += ["", *[f"    {name} = {value}" for name, value in enum.members]]
        lines += [*[f"    {name}: ClassVar[int]" for name, _ in enum.placeholder], ""]
    lines += ["", *[f"{alias} = {name}" for alias, name in FLAGS.items()], ""]
    lines += ["# These give the enumerations of C their width. They are not members, so no function accepts them."]
    lines += [f"{enum.name}.{name} = 0x{value:X}" for enum in ENUMS.values() for name, value in enum.placeholder]
    return module_text("Enumerations of the C-API", lines)


# Structures.


class Kind(NamedTuple):
    """How a member stands in Python: its descriptor, that one's type, and a parameter of the constructor."""

    descriptor: str
    type: str
    parameter: str
    default: str


def member_kind(structure: Structure, kind: str, length: int) -> Kind:
    kind = " ".join(kind.split())
    default = "None" if structure.is_union else None
    if length:
        return Kind(f"NumbersMember({INTEGERS[kind]})", "NumbersMember", "Numbers | Sequence[int] | None", "None")
    if structure.is_union and kind in INTEGERS:
        return Kind(f"Bits({INTEGERS[kind]})", "Bits", "int | None", "None")
    if kind in INTEGERS or kind in SIGNED:
        text = f"Integer({INTEGERS[kind]})" if kind in INTEGERS else f"Integer({SIGNED[kind]}, signed=True)"
        return Kind(text, "Integer", "int | None" if default else "int", default or "0")
    if kind == "float":
        return Kind("Real()", "Real", "float | None" if default else "float", default or "0.0")
    if kind == "TiBool":
        return Kind("Boolean()", "Boolean", "bool", "False")
    if kind in ENUMS:
        name = ENUMS[kind].members[0][0]
        return Kind(f"Enumeration({kind})", f"Enumeration[{kind}]", f"{kind} | int", f"{kind}.{name}")
    if kind in FLAGS:
        return Kind(f"Flags({FLAGS[kind]})", f"Flags[{FLAGS[kind]}]", f"{FLAGS[kind]} | int", "0")
    if kind in HANDLES:
        return Kind(f"HandleMember({kind})", f"HandleMember[{kind}]", f"{kind} | int | None", "None")
    if kind in STRUCTS:
        return Kind(f"Nested({kind})", f"Nested[{kind}]", f"{kind} | None", "None")
    if kind == "const char *":
        return Kind("Text()", "Text", "str | None", "None")
    if kind.endswith("*") or kind.startswith(("Vk", "PFN_")):
        return Kind(f'Address("{kind}")', "Address", "int", "0")
    raise ValueError(f"a member of {structure.name} has a type that this script does not know: {kind}")


OF_TYPE = {
    "TiArgumentValue": {
        f"TI_ARGUMENT_TYPE_{name.upper()}": name for name in ("i32", "f32", "ndarray", "texture", "scalar", "tensor")
    },
    **{
        union: {
            f"TI_DATA_TYPE_{letter}{bits}": f"x{bits}"
            for bits in (8, 16, 32, 64)
            for letter in "IUF"
            if (letter, bits) != ("F", 8)
        }
        for union in ("TiScalarValue", "TiTensorValue")
    },
}


MEMBER_CLASSES = ("Address", "Bits", "Boolean", "Enumeration", "Flags", "HandleMember", "Integer", "Nested", "Numbers")
MEMBER_CLASSES += ("NumbersMember", "Real", "Structure", "Text", "Union")


def make_structures() -> str:
    names = [name for name in STRUCTS if name.startswith("Ti") or name == "VkExtent3D"]
    body: list[str] = []
    for name in names:
        body += structure_class(STRUCTS[name])
    used = sorted(set(re.findall(r"\b(Ti\w+)\b", "\n".join(line for line in body if not line.startswith("class ")))))
    enums = [name for name in used if name in ENUMS]
    handles = [name for name in used if name in HANDLES]
    text = "\n".join(body)
    members = sorted(name for name in MEMBER_CLASSES if re.search(rf"\b{name}\b", text))
    lines = ["from collections.abc import Sequence", "from typing import ClassVar", ""]
    for module, imported in (("..handles._c_types", handles), ("._enums", enums), ("._members", members)):
        lines += import_lines(module, imported)
    return module_text("Structures of the C-API", [*lines, exported(names), *body])


def import_lines(module: str, names: list[str]) -> list[str]:
    line = f"from {module} import {', '.join(names)}"
    return [line] if len(line) <= WIDTH else bracket_lines(f"from {module} import (", names, ")")


def bracket_lines(before: str, items: list[str], after: str, indent: str = "") -> list[str]:
    """Return the lines of a bracket: one, or one for the items of a call if they fit, or one per item."""
    joined = ", ".join(items)
    if len(line := f"{indent}{before}{joined}{after}") <= WIDTH:
        return [line]
    is_call = before[-2:-1].isidentifier()
    if is_call and len(line := f"{indent}    {joined}") <= WIDTH:
        return [f"{indent}{before}", line, f"{indent}{after}"]
    return [f"{indent}{before}", *[f"{indent}    {item}," for item in items], f"{indent}{after}"]


def call_lines(function: str, before: str, items: list[str], after: str, indent: str) -> list[str]:
    """Return the lines of a call whose only argument is a bracket."""
    if len(line := f"{indent}{function}({before}{', '.join(items)}{after})") <= WIDTH:
        return [line]
    return [f"{indent}{function}(", *bracket_lines(before, items, after, f"{indent}    "), f"{indent})"]


def structure_class(structure: Structure) -> list[str]:
    text = STRUCTURES[structure.name]
    kinds = {name: member_kind(structure, kind, length) for kind, name, length in structure.members}
    lines = ["", f"class {structure.name}({'Union' if structure.is_union else 'Structure'}):"]
    described = [
        line
        for name in kinds
        for line in (name, *wrapped(MEMBERS.get(f"{structure.name}.{name}") or MEMBERS[name], "    "))
    ]
    described = [f"{line} : {kind_text(kinds[line])}" if line in kinds else line for line in described]
    lines += docstring([*paragraphs(text.summary), *section("Parameters", described), *examples(text.example)])
    lines += ["", "    __slots__ = ()"]
    lines += bracket_lines("_names = (", [f'"{name}"' for name in kinds], ")" if len(kinds) > 1 else ",)", "    ")
    if structure.is_union:
        lines.append("    _of_type: ClassVar[dict[int, str]] = {")
        of_type = OF_TYPE[structure.name]
        enum = "TiArgumentType" if structure.name == "TiArgumentValue" else "TiDataType"
        lines += [f'        {enum}.{value}: "{member}",' for value, member in of_type.items()] + ["    }"]
    lines += [f"    {name}: {kind.type} = {kind.descriptor}" for name, kind in kinds.items()]
    parameters = [f"{name}: {kind.parameter} = {kind.default}" for name, kind in kinds.items()]
    lines += ["", *bracket_lines("def __init__(", ["self", *parameters], ") -> None:", "    ")]
    values = [f'"{name}": {name}' for name in kinds]
    lines += call_lines("self._fill", "{", values, "}", " " * 8)
    return [*lines, ""]


def kind_text(kind: Kind) -> str:
    return kind.parameter.replace(" | None", ", optional").replace(" | ", " or ").replace("Numbers or ", "")


# Functions.


class Parameter(NamedTuple):
    """A parameter of a Python function, from one or two of C."""

    name: str
    type: str


class Function(NamedTuple):
    """A Python function and its C function."""

    prototype: Prototype
    name: str
    parameters: tuple[Parameter, ...]
    result: str


def is_input(prototype: Prototype, kind: str) -> bool:
    """Return whether C only reads a structure; ``ti_import_opengl_runtime`` lacks the ``const``."""
    return kind.startswith("const ") or prototype.name.startswith("ti_import_")


def read_function(prototype: Prototype) -> Function:
    parameters: list[Parameter] = []
    results: list[str] = []
    text = FUNCTIONS[prototype.name.removeprefix("ti_")]
    left = [] if text.result == "LastError" else list(prototype.parameters)  # the buffer for the text
    while left:
        kind, name = left.pop(0)
        plain = kind.removeprefix("const ").removesuffix("*").strip()
        next_kind = left[0][0] if left else ""
        name = text.names.get(name, name)
        if kind in ("uint32_t", "uint32_t *") and name.endswith("_count"):
            item_kind, item_name = left.pop(0)
            item = item_kind.removeprefix("const ").removesuffix("*").strip()
            if kind == "uint32_t *":
                results.append(f"list[{item}]")
                if item_name in text.accepts_none:
                    parameters.append(Parameter(item_name, "None = None"))
            elif item in STRUCTS:
                parameters.append(Parameter(item_name, f"Array[{item}] | Sequence[{item}]"))
            else:
                parameters.append(Parameter(item_name, "Sequence[str]"))
        elif kind == "const void *" and next_kind == "uint64_t":
            left.pop(0)
            parameters.append(Parameter(name, "Buffer"))
        elif kind == "const char *":
            parameters.append(Parameter(name, "str | None" if name in text.accepts_none else "str"))
        elif kind.endswith("*") and plain in STRUCTS:
            if is_input(prototype, kind):
                parameters.append(Parameter(name, plain))
            else:
                results.append(plain)
        elif kind in HANDLES:
            parameters.append(Parameter(name, kind))
        elif kind in ENUMS:
            parameters.append(Parameter(name, f"{kind} | int"))
        elif kind == "bool":
            parameters.append(Parameter(name, "bool"))
        elif kind == "void **":
            results.append("int")
        elif kind == "void *" or kind in INTEGERS or kind in SIGNED:
            parameters.append(Parameter(name, "int"))
        else:
            raise ValueError(f"{prototype.name} has a parameter that this script does not know: {kind} {name}")
    if prototype.result != "void":
        results.append("int" if prototype.result in ("uint32_t", "void *") else prototype.result)
    result = text.result or (results[0] if results else "None")
    return Function(prototype, prototype.name.removeprefix("ti_"), tuple(parameters), result)


def function_lines(function: Function) -> list[str]:
    text: FunctionText = FUNCTIONS[function.name]
    described = [
        line
        for name, kind in function.parameters
        for line in (
            f"{name} : {kind_name(kind)}",
            *wrapped(PARAMETERS.get(f"{function.name}.{name}") or PARAMETERS[name], "    "),
        )
    ]
    returned = [] if function.result == "None" else [kind_name(function.result), *wrapped(text.returned, "    ")]
    raised = [line for kind, why in text.errors(function) for line in (kind, *wrapped(why, "    "))]
    lines = [
        *paragraphs(text.summary),
        *section("Parameters", described),
        *section("Returns", returned),
        *section("Raises", raised),
        *section("Notes", paragraphs(text.notes) if text.notes else []),
        *examples(text.example),
    ]
    parameters = [f"{name}: {kind}" for name, kind in function.parameters]
    signature = bracket_lines(f"def {function.name}(", parameters, f") -> {function.result}:")
    return ["", *signature, *docstring(lines), *body_lines(function), ""]


LAUNCHES = {"launch_kernel": "taichi_aot_launch_kernel", "launch_compute_graph": "taichi_aot_launch_graph"}


def body_lines(function: Function) -> list[str]:
    """Return the body: a call, whose exception `note_error` notes."""
    begin = launch_lines(function) if function.name in LAUNCHES else []
    noted = ["    except Exception as raised:", "        note_error(raised)", "        raise"]
    return [*begin, "    try:", *call_lines_of(function), *noted]


def launch_lines(function: Function) -> list[str]:
    """Return the usual case of a launch, which takes one call of C."""
    runtime, entry, array = (name for name, _ in function.parameters)
    call = f"lib.{LAUNCHES[function.name]}(owner.c, {entry}._owner.c, {array}._length, {array}.c)"
    return [
        "    status = None  # a handle or an array must be made or checked first",
        "    try:",
        f"        owner, context = {runtime}._owner, {array}._owners.context  # type: ignore[union-attr]",
        "        if context is None or context is owner.context:",
        f"            status = {call}  # type: ignore[union-attr]",
        "    except (AttributeError, TypeError):",
        "        pass",
        "    if status == 0:",
        "        return",
    ]


def call_lines_of(function: Function) -> list[str]:
    """Return the call of the function in `_calls`, or of the C function with converted arguments."""
    indent = " " * 8
    arguments = ", ".join(name for name, _ in function.parameters)
    if function.name in LAUNCHES:
        runtime, entry, array = (name for name, _ in function.parameters)
        noun = "kernel" if entry == "kernel" else "graph"
        return [
            f"{indent}if status is not None:",
            f'{indent}    raise _calls.launch_error({runtime}, {entry}, "{noun}", status, {array})',
            f'{indent}_calls.launch({runtime}, {entry}, {array}, "{noun}")',
        ]
    if FUNCTIONS[function.name].own:
        returned = "" if function.result == "None" else "return "
        return [f"{indent}{returned}{module_of(function.name)}.{function.name}({arguments})"]
    converted = ["handle.c"]
    for name, kind in function.parameters[1:]:
        plain = kind.removesuffix(" | int")
        if plain in ("TiMemory", "TiImage"):
            converted.append(f'_arguments.{"memory" if plain == "TiMemory" else "image"}_of(handle, {name}, "{name}")')
        elif plain in ENUMS:
            converted.append(f'as_member({plain}, {name}, "{name}")')
        else:
            converted.append(f'_arguments.structure_of({plain}, {name}, "{name}")')
    api = re.match(r"(?:export|import)_(cpu|cuda|opengl|vulkan)_", function.name)
    find = f'runtime_sharing_with("{api[1]}", runtime)' if api else "runtime_of(runtime)"
    lines = [f"{indent}handle = _arguments.{find}"]
    end = []
    if function.result in STRUCTS:
        lines.append(f"{indent}result = {function.result}()")
        converted.append("result.c")
        end = [f"{indent}return result"]
    elif function.result in HANDLES:
        lines.append(f'{indent}result = ffi.new("{function.result} *")')
        converted.append("result")
        end = [f"{indent}return {function.result}(address_of(result[0]))"]
    elif function.result != "None":
        raise ValueError(f"{function.name} needs a function in _calls")
    lines += call_lines("handle.check", f"lib.checked_{function.prototype.name}(", converted, ")", indent)
    return [*lines, *end]


def module_of(name: str) -> str:
    """Return the module of the function that a generated one calls."""
    if name in ("get_last_error", "set_last_error"):
        return "_last_error"
    return "_interop" if re.search("cpu|cuda|opengl|vulkan", name) else "_calls"


def kind_name(kind: str) -> str:
    kind = re.sub(r"Array\[(\w+)\] \| Sequence\[\w+\]", r"Array or sequence of \1", kind)
    kind = re.sub(r"^Sequence\[(\w+)\]$", r"sequence of \1", kind)
    kind = re.sub(r"^list\[(\w+)\]$", r"list of \1", kind)
    return {"Buffer": "bytes-like", "None = None": "None, optional"}.get(kind, kind.replace(" | int", " or int"))


def make_functions() -> str:
    functions = [read_function(prototype) for prototype in PROTOTYPES]
    body = [line for function in functions for line in function_lines(function)]
    code = re.sub(r'""".*?"""', "", "\n".join(body), flags=re.DOTALL)
    signatures = " ".join(f"{parameter.type} " for function in functions for parameter in function.parameters)
    signatures += " ".join(function.result for function in functions)
    used = set(re.findall(r"\b\w+\b", signatures))
    lines = [
        "from collections.abc import Sequence",
        "from typing import TYPE_CHECKING",
        "",
        "from ..driver._library import address_of, ffi, lib",
        *import_lines("..handles._c_types", sorted(HANDLES)),
        "from . import _arguments, _calls, _interop, _last_error",
    ]
    for module, names in (
        ("._enums", ENUMS),
        ("._last_error", ("LastError", "note_error")),
        ("._members", ("Array", "as_member")),
        ("._structures", STRUCTS),
    ):
        lines += import_lines(
            module, sorted(name for name in names if name in used or re.search(rf"[( ]{name}[(,]", code))
        )
    lines += ["", "if TYPE_CHECKING:", "    from typing_extensions import Buffer"]
    lines.append(exported([function.name for function in functions]))
    return module_text("Functions of the C-API", [*lines, *body])


FILES = {
    "_enums.py": make_enumerations,
    "_structures.py": make_structures,
    "_functions.py": make_functions,
}
