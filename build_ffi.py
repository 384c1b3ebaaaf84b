"""Compile ``taichi_aot._capi`` from the headers in ``include/``.

The headers are the only source of truth. This script derives the declarations that cffi parses, a table
of function pointers, and one C function per prototype. The table is filled when the library is loaded (``dlopen`` and
``dlsym``), so neither the build nor the import needs the library. The C functions are:

``ti_NAME``, for the error state and the version
    Calls through the table, or does nothing if the loaded library lacks the symbol.
``checked_ti_NAME``, for all other functions
    Takes the mutex of the runtime, its first parameter (NULL for calls without one). Clears the thread's error, calls,
    and returns the status, all in one call from Python. A return value is stored through a trailing ``result`` pointer.

Run by setuptools (``cffi_modules`` in setup.py), or by hand to print the derived declarations.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from cffi import FFI

ROOT = Path(__file__).resolve().parent
INCLUDE = ROOT / "include"
OWN_SOURCES = "taichi_aot/_c"
OWN_FOLDERS = ("core", "cpu", "cuda", "vulkan", "opengl")  # the others are of libraries of their own
OWN_HEADER = ROOT / OWN_SOURCES / "taichi_aot.h"  # includes all others, each below those that it uses
GENERATED = ROOT / "build" / "generated"
HEADERS = ("taichi_core.h", "taichi_cpu.h", "taichi_cuda.h", "taichi_opengl.h", "taichi_vulkan.h")
DRIVER_HEADERS = ("vulkan_subset.h", "egl_subset.h")  # in include/drivers: the driver functions that Python calls
# Declarations for cffi in place of headers whose members Python does not use.
SIZE_ONLY = {
    '#include "drivers/vulkan_limits.h"': "typedef struct VkPhysicalDeviceLimits { ...; } VkPhysicalDeviceLimits;"
}

# These read and set the error state and the version, so they are not checked.
UNCHECKED = ("ti_get_version", "ti_get_last_error", "ti_set_last_error")

# `capi` has these by hand: their results are of Python.
BY_HAND = (*UNCHECKED, "ti_get_available_archs", "ti_get_runtime_capabilities")

# The library creates and destroys runtimes, loads modules and fetches kernels for one thread at a time in a process.
SERIALIZED = (
    "ti_create_runtime",
    "ti_destroy_runtime",
    "ti_import_vulkan_runtime",
    "ti_create_vulkan_runtime_ext",
    "ti_load_aot_module",
    "ti_create_aot_module",
    "ti_destroy_aot_module",
    "ti_get_aot_module_kernel",
    "ti_get_aot_module_compute_graph",
)

# The device may still work on what these queue when they return.
QUEUED = ("ti_launch_", "ti_copy_", "ti_transition_")


class Prototype(NamedTuple):
    """One function of the C-API, as the headers declare it."""

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
    """Return the type declarations of the headers as one text, and their prototypes."""
    text = "\n".join((include / "taichi" / header).read_text(encoding="utf-8") for header in HEADERS)
    text = _plain(text)
    pattern = re.compile(r"TI_DLL_EXPORT\s+([^;]*?)\s*TI_API_CALL\s+(\w+)\(([^;]*)\);")
    prototypes = [Prototype(_type(result), name, _parameters(rest)) for result, name, rest in pattern.findall(text)]
    types = re.sub(r"\n{2,}", "\n", pattern.sub("", text)).strip() + "\n"
    if "TI_DLL_EXPORT" in types:
        raise ValueError("a prototype in include/ is not of the form that build_ffi.py reads")
    return types, prototypes


def driver_declarations() -> str:
    """Return the declarations in ``include/drivers`` that cffi reads."""
    text = "".join((INCLUDE / "drivers" / name).read_text(encoding="utf-8") for name in DRIVER_HEADERS)
    for include, structure in SIZE_ONLY.items():
        text = text.replace(include, structure)
    return _plain(text)


def _plain(text: str) -> str:
    """Return the declarations of a header, without comments and directives."""
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
    """Return the declarations of the extension that Python sees."""
    types, prototypes = read_declarations()
    functions = [p if p.name in UNCHECKED else p.checked() for p in prototypes]
    shims = "".join(f"{function.declaration()};\n" for function in functions)
    table = "extern const char *const taichi_aot_signatures;\n"
    return types + driver_declarations() + own_declarations() + shims + table


def signature(p: Prototype) -> tuple[str, list[tuple[str, str]]]:
    """Return the type of the result of a function of `capi`, and the type and name of each parameter.

    A count and a pointer are one sequence, ``T[]``, and ``void[]`` is a buffer. What C writes into its last argument is
    the result.
    """
    result, parameters, left = p.result, [], list(p.parameters)
    while left:
        kind, name = left.pop(0)
        if name.endswith("_count"):
            kind, name = left.pop(0)
            kind = kind.removesuffix("*") + "[]"
        elif kind == "const void *":
            kind = "void[]"
            left.pop(0)
        elif kind.endswith("*") and p.name.startswith(("ti_export_", "ti_get_cuda_")):
            result = kind if kind != "void **" else "void *"
            continue
        parameters.append((kind.removeprefix("const ").replace(" []", "[]"), name.removesuffix("_index")))
    return result, parameters


def signatures() -> str:
    """Return the functions that `capi` makes, one per line: types and names, separated by tabs."""
    lines = []
    for prototype in read_declarations()[1]:
        result, parameters = signature(prototype)
        if prototype.name not in BY_HAND:
            lines.append("\t".join([f"{result} {prototype.name}", *map(" ".join, parameters)]))
    return "\n".join(lines)


def read_functions(cdef: str) -> list[Prototype]:
    """Return the functions of the extension that Python sees."""
    pattern = re.compile(r"^(?!typedef)([\w *]+?)(\w+)\(([^;{}]*)\);", re.MULTILINE)
    return [Prototype(_type(result), name, _parameters(rest)) for result, name, rest in pattern.findall(cdef)]


def own_headers() -> list[Path]:
    """Return the headers of the hand-written C, each below those that it uses."""
    names = re.findall(r'^#include "([\w/]+\.h)"', OWN_HEADER.read_text(encoding="utf-8"), re.MULTILINE)
    return [OWN_HEADER.parent / name for name in names]


def own_files(suffix: str) -> list[str]:
    """Return the hand-written files of a suffix, relative to the root."""
    folders = (OWN_HEADER.parent, *(OWN_HEADER.parent / name for name in OWN_FOLDERS))
    return sorted(path.relative_to(ROOT).as_posix() for folder in folders for path in folder.glob(f"*.{suffix}"))


def own_declarations() -> str:
    """Return the declarations of the hand-written C for Python, without comments and directives except constants.

    The part of a header below "For C only" is left out. In a structure, the members below such a line are.
    """
    texts = [header.read_text(encoding="utf-8").partition("\n/* For C only. */")[0] for header in own_headers()]
    text = re.sub(r"  /\* For C only\. \*/.*?(?=^\})", "  ...;\n", "".join(texts), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"^#(?!define TAICHI_AOT_\w+ \d).*\n", "", text, flags=re.MULTILINE)


def make_functions_header() -> str:
    """Return the header with the table of the library's functions, which is filled at run time.

    If the loaded library lacks a function, the table has one that fails.
    """
    _, prototypes = read_declarations()
    # Pointers of the same types as the prototypes, so that the compiler checks every call through them.
    members = [
        f"  {p.result} (TI_API_CALL *{p.name})({', '.join(kind for kind, _ in p.parameters) or 'void'});"
        for p in prototypes
    ]
    stand_ins = {p.name: _stand_in(p) for p in prototypes if p.name not in UNCHECKED}
    symbols = []
    for name in (p.name for p in prototypes):
        stand_in = f"(void *)lacks_{name}" if name in stand_ins else "NULL"
        symbols.append(f'  {{"{name}", (void **)&taichi_aot_functions.{name}, {stand_in}}}')
    return "\n".join(
        [
            "/* Made at build time from include/taichi by build_ffi.py. Do not edit. */",
            "struct taichi_aot_functions {",
            *members,
            "};",
            "extern struct taichi_aot_functions taichi_aot_functions;",
            "#define TAICHI_AOT_STAND_INS \\",
            " \\\n".join(stand_ins.values()),
            "#define TAICHI_AOT_SYMBOLS \\",
            ", \\\n".join(symbols),
            "",
        ]
    )


def _stand_in(p: Prototype) -> str:
    """Return a function that takes the place of one that the loaded library lacks."""
    unused = "".join(f" (void){name};" for _, name in p.parameters)
    result = "" if p.result == "void" else " return 0;"
    declaration = p.declaration().replace(p.name, f"TI_API_CALL lacks_{p.name}", 1)
    return f"static {declaration} {{{unused} taichi_aot_lack();{result} }}"


def make_source() -> str:
    """Return the C source that cffi prepends to its own: one function per prototype."""
    _, prototypes = read_declarations()
    shims = [_shim(p) if p.name in UNCHECKED else _checked_shim(p) for p in prototypes]
    includes = [f'#include "{name}"' for name in ("taichi_aot.h", *(f"drivers/{name}" for name in DRIVER_HEADERS))]
    table = f"static const char *const taichi_aot_signatures = {json.dumps(signatures())};"
    return "\n".join([*includes, "#define functions taichi_aot_functions", table, *shims])


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
        arguments[0] = "runtime->context->ti_runtime"
    assignment = "" if p.result == "void" else "*result = "
    lines = [f'if (functions.{p.name} == NULL) return taichi_aot_missing("{p.name}");']
    if p.name in SERIALIZED:
        lines += ["status = taichi_aot_enter_process();", "if (status != 0) return status;"]
    lines += [
        "status = taichi_aot_enter(runtime);",
        "if (status == 0) {",
        # The call may change the layout of an image.
        *["  runtime->context->changes += 1;"] * (arguments[:1] == ["runtime->context->ti_runtime"]),
        *["  taichi_aot_library_queued(runtime->context);"] * p.name.startswith(QUEUED),
        f"  {assignment}functions.{p.name}({', '.join(arguments)});",
        f'  status = taichi_aot_leave(runtime, "{p.name}");',
        "}",
    ]
    if p.name in SERIALIZED:
        lines.append("taichi_aot_leave_process();")
    body = "\n".join(f"  {line}" for line in ["int status;", *lines, "return status;"])
    return f"static {p.checked().declaration()} {{\n{body}\n}}"


def _define_macros() -> list[tuple[str, str | None]]:
    # One wheel works on every CPython from 3.10 on; free-threaded builds and PyPy do not have a stable ABI.
    return [("Py_LIMITED_API", "0x030A0000")] if stable_abi() else []


def stable_abi() -> bool:
    """Return whether this interpreter can build the abi3 extension."""
    import sysconfig

    return sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace the files of a folder that have other contents, once all new ones are complete.

    Programs may have mapped libraries from the old ones. Compilers and caches compare modification times.
    """
    files = {name: data for name, data in files.items() if not _has_contents(folder / name, data)}
    if not files:
        return
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".part-", dir=folder.parent) as temporary:
        new = {name: Path(temporary, str(number)) for number, name in enumerate(files)}
        for name, data in files.items():
            new[name].write_bytes(data)
        for name, path in new.items():
            path.replace(folder / name)


def _has_contents(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


ffibuilder = FFI()
ffibuilder.cdef(make_cdef())
write_files(GENERATED, {"functions.h": make_functions_header().encode()})
ffibuilder.set_source(
    "taichi_aot._capi",
    make_source(),
    sources=own_files("c"),
    depends=own_files("h"),
    include_dirs=[str(INCLUDE), str(OWN_HEADER.parent), str(GENERATED)],
    define_macros=_define_macros(),
    py_limited_api=stable_abi(),
    # Only the module's entry point is exported. C++ exceptions never pass through it, and the wheel must stay small.
    extra_compile_args=(
        ["/std:c11"] if sys.platform == "win32" else ["-fvisibility=hidden", "-O2", "-fno-asynchronous-unwind-tables"]
    ),
    libraries=["dl"] if sys.platform.startswith("linux") else [],
    # The threads of the pool run code of the extension until the process ends.
    extra_link_args=["-Wl,-z,nodelete"] if sys.platform.startswith("linux") else [],
)

if __name__ == "__main__":
    print(make_cdef())
    print(make_functions_header())
    print(make_source())
