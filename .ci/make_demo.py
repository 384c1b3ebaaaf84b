"""Write a small bundle of the demo's kernels from a new build: ``taichi_aot/demo/mpm88.tib.xz``.

The LLVM modules are similar, but deflate cannot use similarities across files. The archives are therefore stored and
compressed together, without the metadata for human readers and without PTX. Run this after a change of a kernel; a test
compares.
"""

from __future__ import annotations

import io
import json
import lzma
import tempfile
import zipfile
from pathlib import Path

from taichi_aot.adopt._make import module_files, read_module
from taichi_aot.adopt.llvm._module import TEXT_METADATA
from taichi_aot.build import build
from taichi_aot.bundle._files import code_digest, open_source, pack_reproducible
from taichi_aot.bundle._plan import SourceFiles
from taichi_aot.demo.mpm88 import ARCHS

ROOT = Path(__file__).resolve().parent.parent


def build_demo() -> bytes:
    """Build a new bundle without compressed files, and return its bytes."""
    with tempfile.TemporaryDirectory() as folder:
        bundle = build(ROOT / "examples" / "mpm88.py", Path(folder) / "mpm88.tib", archs=ARCHS, native=True)
        files = _files(bundle.path.read_bytes())
    description = json.loads(files["bundle.json"])
    for arch, entry in description["archs"].items():
        files[entry["file"]] = data = _smaller(files[entry["file"]], has_text=arch == "vulkan")
        entry["sha256"] = code_digest(data)
    return pack_reproducible({**files, "bundle.json": json.dumps(description).encode()}, stored=True)


def _smaller(archive: bytes, *, has_text: bool) -> bytes:
    """Return a module without PTX, and without metadata for human readers unless they are its own."""
    with open_source(archive) as container:
        parsed = read_module(SourceFiles("the demo", container.read_module()))
    files = parsed.files if has_text else parsed.files.only([name for name in parsed.files if name != TEXT_METADATA])
    return pack_reproducible(module_files(parsed._replace(files=files, ptx=None)), stored=True)


def _files(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        return {name: source.read(name) for name in source.namelist()}


if __name__ == "__main__":
    path = ROOT / "taichi_aot" / "demo" / "mpm88.tib.xz"
    # Of all LZMA settings, these give the fewest bytes.
    lzma2 = {"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 4, "lp": 0, "pb": 0, "nice_len": 200, "depth": 1000}
    path.write_bytes(lzma.compress(build_demo(), filters=[lzma2]))
    print(f"{path.name}: {path.stat().st_size:,} bytes")
