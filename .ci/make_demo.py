"""Write a small bundle of the demo's kernels from a new build: ``taichi_aot/demo/mpm88.tib.xz``.

The LLVM modules are similar, but deflate cannot use similarities across files. The archives are therefore stored and
compressed together, without the metadata for human readers and without PTX. Run this after a change of a kernel; a test
compares.
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
from taichi_aot.demo.mpm88 import ARCHS
from taichi_aot.formats._container import pack_reproducible
from taichi_aot.formats._files import is_ptx_file
from taichi_aot.formats._llvm import TEXT_METADATA

ROOT = Path(__file__).resolve().parent.parent


def build_demo() -> bytes:
    """Build a new bundle without compressed files, and return its bytes."""
    with tempfile.TemporaryDirectory() as folder:
        bundle = build(ROOT / "examples" / "mpm88.py", Path(folder) / "mpm88.tib", archs=ARCHS, native=True)
        files = _files(bundle.path.read_bytes())
    description = json.loads(files["bundle.json"])
    for arch, entry in description["archs"].items():
        module = {n: data for n, data in _files(files[entry["file"]]).items() if not is_ptx_file(n)}
        if arch != "vulkan":
            del module[TEXT_METADATA]
        files[entry["file"]] = pack_reproducible(module, stored=True)
        entry["sha256"] = hashlib.sha256(files[entry["file"]]).hexdigest()
    return pack_reproducible({**files, "bundle.json": json.dumps(description).encode()}, stored=True)


def _files(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        return {name: source.read(name) for name in source.namelist()}


if __name__ == "__main__":
    path = ROOT / "taichi_aot" / "demo" / "mpm88.tib.xz"
    # Of all LZMA settings, these give the fewest bytes.
    lzma2 = {"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 4, "lp": 0, "pb": 0, "nice_len": 200, "depth": 1000}
    path.write_bytes(lzma.compress(build_demo(), filters=[lzma2]))
    print(f"{path.name}: {path.stat().st_size:,} bytes")
