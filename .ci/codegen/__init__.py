"""Make the stubs that follow from the headers. README.md says which ones, and why."""

from __future__ import annotations

from build_ffi import ROOT, write_files

from . import capi, stub

PACKAGE = ROOT / "taichi_aot"
MODULES = {"_capi.pyi": stub.make_stub, "capi.pyi": capi.make_stub}  # by path in the package


def write_all() -> None:
    """Write the modules into the source tree; a file that would not change keeps its time."""
    for name, make in MODULES.items():
        write_files(PACKAGE, {name: make().encode()})
