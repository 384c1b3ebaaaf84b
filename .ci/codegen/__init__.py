"""Make the modules of the package that follow from the headers. README.md says which ones, and why."""

from __future__ import annotations

from build_ffi import ROOT, write_files

from . import capi, stub

PACKAGE = ROOT / "taichi_aot"


# By path in the package. The stub is last: it has the types that the sources name, also those of the modules before it.
MODULES = {f"capi/{name}": make for name, make in capi.FILES.items()} | {"_capi.pyi": stub.make_stub}


def write_all() -> None:
    """Write the modules into the source tree; a file that would not change keeps its time."""
    for name, make in MODULES.items():
        write_files(PACKAGE, {name: make().encode()})
