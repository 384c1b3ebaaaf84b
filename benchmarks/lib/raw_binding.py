"""A bare cffi binding of the C library's functions: the variant `raw`."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import sys
import sysconfig
from pathlib import Path
from typing import Any

from cffi import FFI

from lib.build import INCLUDE, ROOT, compile_against

sys.path.append(str(ROOT))  # last: benchmarks measure the installed package, not this checkout
from build_ffi import read_declarations

NAME = "raw_capi"
# Link only these functions: the library lacks some that the headers declare.
FUNCTIONS = (
    "ti_create_runtime",
    "ti_wait",
    "ti_allocate_memory",
    "ti_load_aot_module",
    "ti_get_aot_module_kernel",
    "ti_get_aot_module_compute_graph",
    "ti_launch_kernel",
    "ti_launch_compute_graph",
)


def build(folder: Path, library: Path) -> None:
    """Compile the binding, linked against `library`, into `folder`."""
    types, prototypes = read_declarations(INCLUDE)
    ffi = FFI()
    ffi.cdef(
        types + "".join(f"{prototype.declaration()};\n" for prototype in prototypes if prototype.name in FUNCTIONS)
    )
    ffi.set_source(NAME, '#include "taichi/taichi.h"')
    source = folder / f"{NAME}.c"
    with contextlib.redirect_stdout(io.StringIO()):  # it prints its steps
        ffi.emit_c_code(str(source))
    python = f"-I{sysconfig.get_path('include')}"
    compile_against(library, source, folder / f"{NAME}.so", "-shared", "-fPIC", "-w", python)


def load(folder: Path) -> Any:
    """Return the compiled binding, with `ffi` and `lib`."""
    spec = importlib.util.spec_from_file_location(NAME, folder / f"{NAME}.so")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
