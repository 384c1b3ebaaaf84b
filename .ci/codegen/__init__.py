"""Make the modules of the package that follow from the headers. README.md says which ones, and why."""

from __future__ import annotations

from build_ffi import ROOT, write_if_changed

from . import capi, stub

PACKAGE = ROOT / "taichi_aot"


def write_all() -> None:
    """Write the modules into the source tree; a file that would not change keeps its time."""
    for name, make in capi.FILES.items():
        write_if_changed(PACKAGE / "capi" / name, make())
    # The stub is last, because it has the types that the sources name, also those of the modules above.
    write_if_changed(PACKAGE / "_capi.pyi", stub.make_stub())
