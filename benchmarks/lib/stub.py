"""A stub Taichi C-API library, generated from the prototypes in ``include/`` and compiled with cc.

All functions return immediately, so the time of a launch is only the caller's cost, which a real backend would hide.
Handles are not NULL, and memory is real memory.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lib.build import INCLUDE, ROOT, compile_c

sys.path.append(str(ROOT))  # last: benchmarks measure the installed package, not this checkout
from build_ffi import Prototype, read_declarations

# A memory handle is an address; the lowest bit marks imported memory, which belongs to the caller.
BODIES = {
    "ti_get_version": "return TI_C_API_VERSION;",
    "ti_get_available_archs": "*arch_count = 0;",
    "ti_get_runtime_capabilities": "*capability_count = 0;",
    "ti_allocate_memory": "return (TiMemory)malloc(allocate_info->size);",
    "ti_free_memory": "if (!((uintptr_t)memory & 1)) free(memory);",
    "ti_map_memory": "return (void *)((uintptr_t)memory & ~(uintptr_t)1);",
    "ti_import_cpu_memory": "return (TiMemory)((uintptr_t)ptr | 1);",
}

# The package checks the bitcode of the library's folder: this is an empty module.
BITCODE = b"BC\xc0\xde" + (8 << 2).to_bytes(4, "little") + bytes(4)


def build(folder: Path) -> Path:
    """Compile the library into `folder`, in the layout of TAICHI_C_API_INSTALL_DIR; return its path."""
    _, prototypes = read_declarations(INCLUDE)
    functions = [f"TI_DLL_EXPORT {p.declaration()} {{ {_body(p)} }}" for p in prototypes]
    head = ["#include <stdlib.h>", '#include "taichi/taichi.h"', "static char handle;"]
    source = folder / "stub.c"
    source.write_text("\n".join([*head, *functions]) + "\n")
    library = folder / "lib" / "libtaichi_c_api.so"
    for path in (library.parent, folder / "runtime"):
        path.mkdir()
    (folder / "runtime" / "runtime_x64.bc").write_bytes(BITCODE)
    compile_c(source, library, "-shared", "-fPIC")
    return library


def _body(prototype: Prototype) -> str:
    if prototype.name in BODIES:
        return BODIES[prototype.name]
    if prototype.result == "void":
        return ""
    is_handle = prototype.result.startswith("Ti") and prototype.result != "TiError"
    return f"return ({prototype.result})&handle;" if is_handle else f"return ({prototype.result})0;"
