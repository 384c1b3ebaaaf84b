"""Write ``taichi_aot/demo/demos.tib.xz``: a build of ``examples/gallery/demos.py`` in few bytes.

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
from collections.abc import Iterable
from pathlib import Path

from taichi_aot.build import build
from taichi_aot.demo.program import ARCHS
from taichi_aot.formats.container import pack_reproducible

ROOT = Path(__file__).resolve().parent.parent
PACKED = ROOT / "taichi_aot" / "demo" / "demos.tib.xz"


def built(archs: Iterable[str] = tuple(map(str, ARCHS))) -> bytes:
    """The bundle of a new build, with nothing compressed in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "demos.tib"
        build(ROOT / "examples" / "gallery" / "demos.py", path, archs=list(archs))
        files = _files(path.read_bytes())
    description = json.loads(files["bundle.json"])
    for entry in description["archs"].values():
        files[entry["file"]] = pack_reproducible(_files(files[entry["file"]]), stored=True)
        entry["sha256"] = hashlib.sha256(files[entry["file"]]).hexdigest()
    return pack_reproducible({**files, "bundle.json": json.dumps(description).encode()}, stored=True)


def _files(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        return {name: source.read(name) for name in source.namelist()}


if __name__ == "__main__":
    PACKED.write_bytes(lzma.compress(built(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{PACKED.name}: {PACKED.stat().st_size:,} bytes")
