"""Compile ``taichi_aot._capi`` from the headers in ``include/``.

The headers are the one source of truth. This script derives from them the declarations that cffi parses, a
table of function pointers that is filled when the library is loaded (``dlopen`` and ``dlsym``, so neither the
build nor the import needs the library), and one C function per prototype:

``ti_NAME``, for the error state and the version
    Calls through the table. Where the loaded library lacks the symbol nothing is called.
``checked_ti_NAME``, for all others
    Takes the lock of the runtime, its first parameter (NULL in calls that are about none), clears the thread's error,
    calls, and returns the error code, or a refusal, all in one crossing from Python. The value of a function that
    returns one goes to a trailing ``result`` pointer.

Run by setuptools (``cffi_modules`` in setup.py), or by hand to print what was derived.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

from cffi import FFI

ROOT = Path(__file__).resolve().parent
INCLUDE = ROOT / "include"
HELPERS = ROOT / "taichi_aot" / "_c"
HELPER_FILES = ("library.c", "cuda.c", "runtime.c", "launch.c", "dlpack.c")
HEADERS = ("taichi_core.h", "taichi_cpu.h", "taichi_cuda.h", "taichi_opengl.h", "taichi_vulkan.h")
DRIVER_HEADERS = ("vulkan_subset.h", "egl_subset.h")  # in include/drivers: what this package calls of drivers itself

# These are the error state and the version themselves: there is nothing to check around them.
UNCHECKED = ("ti_get_version", "ti_get_last_error", "ti_set_last_error")


class Prototype(NamedTuple):
    """One function of the C API as the headers declare it."""

    result: str
    name: str
    parameters: tuple[tuple[str, str], ...]  # (type, name)

    @property
    def arguments(self) -> str:
        return ", ".join(name for _, name in self.parameters)

    def declaration(self) -> str:
        parameters = ", ".join(f"{kind} {name}" for kind, name in self.parameters)
        return f"{self.result} {self.name}({parameters or 'void'})"

    def checked(self) -> Prototype:
        of_runtime = self.parameters[:1] and self.parameters[0][0] == "TiRuntime"
        parameters = (("taichi_aot_runtime *", "runtime"), *self.parameters[1 if of_runtime else 0 :])
        if self.result != "void":
            parameters += ((f"{self.result} *", "result"),)
        return Prototype("int", f"checked_{self.name}", parameters)


def read_declarations(include: Path = INCLUDE) -> tuple[str, list[Prototype]]:
    """The type declarations of the headers as one text, and their prototypes."""
    text = "\n".join((include / "taichi" / header).read_text(encoding="utf-8") for header in HEADERS)
    text = _plain(text)
    pattern = re.compile(r"TI_DLL_EXPORT\s+([^;]*?)\s*TI_API_CALL\s+(\w+)\(([^;]*)\);")
    prototypes = [Prototype(_type(result), name, _parameters(rest)) for result, name, rest in pattern.findall(text)]
    types = re.sub(r"\n{2,}", "\n", pattern.sub("", text)).strip() + "\n"
    if "TI_DLL_EXPORT" in types:
        raise ValueError("a prototype in include/ is not of the form that build_ffi.py reads")
    return types, prototypes


def driver_declarations() -> str:
    """What cffi reads of ``include/drivers``."""
    return "".join(_plain((INCLUDE / "drivers" / name).read_text(encoding="utf-8")) for name in DRIVER_HEADERS)


def _plain(text: str) -> str:
    """The declarations of a header, without comments and directives."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    return re.sub(r"^#.*$", "", text, flags=re.MULTILINE)


def _type(text: str) -> str:
    return " ".join(text.split())


def _parameters(text: str) -> tuple[tuple[str, str], ...]:
    text = _type(text)
    if text == "void":
        return ()
    parameters = []
    for parameter in text.split(","):
        match = re.fullmatch(r"(.*?)(\w+)", parameter.strip())
        if match is None:
            raise ValueError(f"a parameter in include/ has no name: {parameter!r}")
        parameters.append((match[1].strip(), match[2]))
    return tuple(parameters)


def make_cdef() -> str:
    """What Python sees of the extension."""
    types, prototypes = read_declarations()
    functions = [p if p.name in UNCHECKED else p.checked() for p in prototypes]
    prototypes_text = "".join(f"{function.declaration()};\n" for function in functions)
    return types + driver_declarations() + helper_declarations() + prototypes_text


def helper_declarations() -> str:
    return (HELPERS / "helpers.h").read_text(encoding="utf-8")


def make_source() -> str:
    """The C source of the extension."""
    _, prototypes = read_declarations()
    lines = [
        "#ifndef _GNU_SOURCE",
        "#define _GNU_SOURCE",
        "#endif",
        # Declared for the compiler to check the table against; only what stays unchecked is defined, for Python alone.
        "#ifdef __GNUC__",
        '#define TI_DLL_EXPORT __attribute__((visibility("hidden")))',
        "#else",
        "#define TI_DLL_EXPORT",
        "#endif",
        '#include "taichi/taichi.h"',
        *(f'#include "drivers/{name}"' for name in DRIVER_HEADERS),
        "",
        "static struct {",
    ]
    for p in prototypes:
        # A pointer of the same type as the prototype, so that the compiler checks every call through it.
        types = ", ".join(kind for kind, _ in p.parameters) or "void"
        lines.append(f"  {p.result} (TI_API_CALL *{p.name})({types});")
    lines += ["} functions;", "", "static const struct { const char *name; void **slot; } symbols[] = {"]
    lines += [f'  {{"{p.name}", (void **)&functions.{p.name}}},' for p in prototypes]
    lines += ["};", ""]
    # Nothing but the module's own entry is exported.
    lines.append(
        re.sub(r"^(?=(?!typedef)[\w ]+\W*taichi_aot_\w+\()", "static ", helper_declarations(), flags=re.MULTILINE)
    )
    lines += [(HELPERS / name).read_text(encoding="utf-8") for name in HELPER_FILES]
    lines += [_shim(p) if p.name in UNCHECKED else _checked_shim(p) for p in prototypes]
    return "\n".join(lines)


def _shim(p: Prototype) -> str:
    call = f"functions.{p.name}({p.arguments})"
    if p.result == "void":
        body = f"  if (functions.{p.name} != NULL) {call};"
    else:
        body = f"  if (functions.{p.name} == NULL) return ({p.result})0;\n  return {call};"
    return f"{p.declaration().replace(p.name, 'TI_API_CALL ' + p.name, 1)} {{\n{body}\n}}"


def _checked_shim(p: Prototype) -> str:
    arguments = [name for _, name in p.parameters]
    if p.parameters[:1] and p.parameters[0][0] == "TiRuntime":
        arguments[0] = "runtime->native"
    assignment = "" if p.result == "void" else "*result = "
    return (
        f"static {p.checked().declaration()} {{\n"
        "  int refusal;\n"
        f'  if (functions.{p.name} == NULL) return missing_symbol("{p.name}");\n'
        "  refusal = enter(runtime);\n  if (refusal != 0) return refusal;\n"
        f"  {assignment}functions.{p.name}({', '.join(arguments)});\n  return leave(runtime);\n}}"
    )


def _define_macros() -> list[tuple[str, str | None]]:
    # One wheel serves every CPython from 3.10 on; free-threaded builds and PyPy have no stable ABI.
    return [("Py_LIMITED_API", "0x030A0000")] if stable_abi() else []


def stable_abi() -> bool:
    """Whether this interpreter can build the abi3 extension."""
    import sysconfig

    return sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")


ffibuilder = FFI()
ffibuilder.cdef(make_cdef())
ffibuilder.set_source(
    "taichi_aot._capi",
    make_source(),
    include_dirs=[str(INCLUDE)],
    define_macros=_define_macros(),
    py_limited_api=stable_abi(),
    libraries=["dl"] if sys.platform.startswith("linux") else [],
)

if __name__ == "__main__":
    print(make_cdef())
    print(make_source())
