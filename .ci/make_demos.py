"""Write the bundles of the demos, ``taichi_aot/demo/*.tib.xz``: new builds of their kernels, in few bytes.

The LLVM modules resemble one another, which deflate does not see across files. So the archives are stored as they are
and compressed together. Run this after a change of a kernel; a test compares.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import tempfile
import zipfile
from pathlib import Path

from taichi_aot.build import build
from taichi_aot.demo.program import ARCHS
from taichi_aot.formats.container import pack_reproducible

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {"demos": "examples/gallery/demos.py", "mpm88": "examples/mpm88.py"}


def built(name: str) -> bytes:
    """The bundle of a new build, with nothing compressed in it."""
    with tempfile.TemporaryDirectory() as folder:
        bundle = build(ROOT / SOURCES[name], Path(folder) / f"{name}.tib", archs=ARCHS)
        files = _files(bundle.path.read_bytes())
    description = json.loads(files["bundle.json"])
    for entry in description["archs"].values():
        files[entry["file"]] = pack_reproducible(_files(files[entry["file"]]), stored=True)
        entry["sha256"] = hashlib.sha256(files[entry["file"]]).hexdigest()
    return pack_reproducible({**files, "bundle.json": json.dumps(description).encode()}, stored=True)


def _files(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        return {name: source.read(name) for name in source.namelist()}


if __name__ == "__main__":
    for name in SOURCES:
        path = ROOT / "taichi_aot" / "demo" / f"{name}.tib.xz"
        path.write_bytes(lzma.compress(built(name), preset=9 | lzma.PRESET_EXTREME))
        print(f"{path.name}: {path.stat().st_size:,} bytes")
