"""``taichi_aot/_capi.pyi``, which describes the extension to type checkers, from builddeclared.py's declarations.

The result of ``ffi.new``, ``ffi.cast`` and ``ffi.addressof`` depends on a text, so the stub has one overload for each
text that the package passes.
"""

from __future__ import annotations

import ast
import keyword
import re
import runpy
import tempfile
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from cffi import FFI
from cffi.recompiler import make_py_source

from build_ffi import ROOT, Prototype, make_cdef, read_functions

if TYPE_CHECKING:
    from taichi_aot._cdata import CType

PACKAGE = ROOT / "taichi_aot"

HEADER = """\
# Made at build time from include/taichi by .ci/codegen. Do not edit.
#
# Each structure S has two classes: S by value, and S_p, the pointer to one, with the same members. Only type checkers
# know these names, and those of `_cdata`.

from typing import Any, Literal, TypeAlias, TypeVar, overload

from ._cdata import Array, BaseFFI, CData, CType, Function, Member, Number, Pointer, Struct

PointerToIt = TypeVar("PointerToIt")
"""


def read_declarations(cdef: str) -> Any:
    """Return an `FFI` of declarations as a module has it: any other parses all of them again for each type."""
    declared = FFI()
    declared.cdef(cdef)
    with tempfile.TemporaryDirectory() as folder:
        make_py_source(declared, "declarations", f"{folder}/declarations.py")
        return runpy.run_path(f"{folder}/declarations.py")["ffi"]


declared = read_declarations(make_cdef().replace("...;", ""))  # no sizes of structures: only the C compiler knows them


def make_stub() -> str:
    """Return the text of the stub."""
    cdef = make_cdef()
    parts = [HEADER, *_structures(), *_aliases(), *_ffi_class(), *_lib_class(cdef), "ffi: FFI", "lib: Lib", ""]
    return "\n".join(parts)


def read_type(ctype: CType) -> str:
    """Return the Python type of a C value of this type."""
    if ctype.kind == "void":
        return "None"
    if ctype.kind in ("primitive", "enum"):
        return {"char": "bytes", "_Bool": "bool", "float": "float", "double": "float"}.get(ctype.cname, "int")
    if ctype.kind in ("struct", "union"):
        return name_of(ctype)
    if ctype.kind == "array":
        return f"Array[{read_type(ctype.item)}]"
    if ctype.kind == "function":
        parameters = ", ".join(write_type(parameter) for parameter in ctype.args)
        return f"Function[[{parameters}], {read_type(ctype.result)}]"
    if ctype.item.kind == "void":
        return "Pointer[Any]"
    return f"{name_of(ctype.item)}_p" if has_members(ctype.item) else f"Pointer[{read_type(ctype.item)}]"


def write_type(ctype: CType) -> str:
    """Return the Python type that C accepts for a parameter of this type."""
    if ctype.kind != "pointer" or ctype.item.kind == "void":
        return read_type(ctype)
    return f"Pointer[{read_type(ctype.item)}]" + (" | bytes" if ctype.item.cname == "char" else "")


def member_type(ctype: CType) -> str:
    """Return the type of a member. It accepts initializers of structures and arrays, but would not keep bytes."""
    read = read_type(ctype)
    if ctype.kind in ("struct", "union"):
        return f"Member[{read}, {read} | dict[str, Any]]"
    if ctype.kind == "array":
        item = read_type(ctype.item)
        initializer = "bytes" if item == "bytes" else f"list[{item}] | tuple[{item}, ...]"
        return f"Member[{read}, {read} | {initializer}]"
    if ctype.kind == "pointer" and has_members(ctype.item):
        return f"Member[{read}, Pointer[{read_type(ctype.item)}]]"
    if ctype.kind == "function":
        return f"Member[{read}, {read} | Pointer[Any]]"
    return read


def name_of(ctype: CType) -> str:
    return ctype.cname.removeprefix("struct ").removeprefix("union ")


def has_members(ctype: CType) -> bool:
    if ctype.kind not in ("struct", "union"):
        return False
    try:
        declared.sizeof(ctype)
    except declared.error:  # it is opaque: cffi ends the process that asks for its fields
        return False
    return bool(ctype.fields)


def _members(ctype: CType) -> Iterator[tuple[str, CType]]:
    """Yield the names and types of members, including those of unnamed unions."""
    for name, info in ctype.fields:
        if name:
            yield name, info.type
        else:
            yield from _members(info.type)


@cache
def _structure_types() -> list[CType]:
    typedefs, structs, unions = declared.list_types()
    types = [declared.typeof(name) for name in typedefs]
    types += [declared.typeof(f"struct {name}") for name in structs] + [
        declared.typeof(f"union {name}") for name in unions
    ]
    return sorted({type for type in types if type.kind in ("struct", "union")}, key=name_of)


def _structures() -> Iterator[str]:
    for ctype in _structure_types():
        name = name_of(ctype)
        if not has_members(ctype):
            yield f"class {name}(CData): ..."
            continue
        yield f"class _{name}:"
        yield from (f"    {field}: {member_type(member)}" for field, member in _members(ctype))
        yield f"class {name}(_{name}, Struct[{name}_p]): ..."
        yield f"class {name}_p(_{name}, Pointer[{name}]): ..."
    yield ""


def _aliases() -> Iterator[str]:
    """Yield the aliases of handles and functions."""
    for name in declared.list_types()[0]:
        ctype = declared.typeof(name)
        if ctype.kind in ("pointer", "function") and not name.startswith("__"):
            yield f"{name}: TypeAlias = {read_type(ctype)}"
    yield ""


def _ffi_class() -> Iterator[str]:
    yield "class FFI(BaseFFI):"
    # Other texts are composed at run time.
    yield from _overloads("new", "initializer: object = None", _texts("new"), "str")
    yield from _overloads("cast", "value: CData | int | float", _texts("cast"), "str | CType")
    yield "    @overload"
    yield "    def addressof(self, structure: Struct[PointerToIt], /) -> PointerToIt: ..."
    members = set(_texts("addressof"))
    for ctype in filter(has_members, _structure_types()):
        for member, type in _members(ctype):
            if member in members:
                result = read_type(declared.typeof(declared.getctype(type, "*")))
                parameters = f'structure: _{name_of(ctype)}, member: Literal["{member}"]'
                yield "    @overload"
                yield f"    def addressof(self, {parameters}, /) -> {result}: ..."
    yield ""


def _overloads(function: str, parameter: str, texts: list[str], rest: str) -> Iterator[str]:
    for text in texts:
        ctype = declared.typeof(text)
        result = "Number" if ctype.kind in ("primitive", "enum") else read_type(ctype)
        yield "    @overload"
        yield f'    def {function}(self, type: Literal["{text}"], {parameter}, /) -> {result}: ...'
    yield "    @overload"
    yield f"    def {function}(self, type: {rest}, {parameter}, /) -> Any: ..."


def _texts(function: str) -> list[str]:
    """Return the constant texts that the package passes to this function of `ffi`."""
    arguments = (argument for call in _calls() if ast.unparse(call.func) == f"ffi.{function}" for argument in call.args)
    constants = (inner for argument in arguments for inner in _alternatives(argument))
    return sorted({inner.value for inner in constants if isinstance(inner.value, str)})


@cache
def _calls() -> list[ast.Call]:
    """Return all calls in the modules of the package that use `ffi`."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")))
    nodes = (node for text in texts if "ffi." in text for node in ast.walk(ast.parse(text)))
    return [node for node in nodes if isinstance(node, ast.Call)]


def _alternatives(argument: ast.expr) -> list[ast.Constant]:
    branches = [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]
    return [branch for branch in branches if isinstance(branch, ast.Constant)]


def _lib_class(cdef: str) -> Iterator[str]:
    yield "class Lib:"
    for groups in re.findall(r"^#define (\w+)|^\s*(\w+) = ", cdef, re.MULTILINE):
        yield f"    {''.join(groups)}: int"
    yield "    taichi_aot_signatures: Pointer[bytes]"
    for function in read_functions(cdef):
        yield f"    {_method(function)}"
    yield ""


def _method(function: Prototype) -> str:
    parameters = ["self"]
    for kind, name in function.parameters:
        parameters.append(f"{name}_" if keyword.iskeyword(name) else name)
        parameters[-1] += f": {write_type(declared.typeof(kind))}"
    return f"def {function.name}({', '.join([*parameters, '/'])}) -> {_result(function.result)}: ..."


def _result(text: str) -> str:
    return "None" if text == "void" else read_type(declared.typeof(text))
