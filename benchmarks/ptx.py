"""How long the PTX of CUDA kernels takes to compile, how large it is, and which kernels have none.

    python benchmarks/ptx.py --kernels 400 --modules modules

The kernels are those of ``recorded.py``. Their modules are compiled without PTX, which is then added. No device is
needed. Where there is ``ptxas``, cubins are made too.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

from recorded import NAME, SOURCES, compile_examples, compile_generated, compile_programs
from taichi_aot.adopt._make import module_files, read_module
from taichi_aot.adopt.taichi._native import BuiltPtx
from taichi_aot.build.code import _ptx
from taichi_aot.build.code._ptx import find_assembler
from taichi_aot.bundle._files import pack_reproducible
from taichi_aot.bundle._plan import read_files

TIMEOUT = 600


class Added(NamedTuple):
    """PTX that was added to a module, or cubins."""

    ptx: BuiltPtx
    seconds: float
    before: int  # bytes of the module without
    after: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernels", type=int, default=400, help="generated kernels (default: %(default)s)")
    parser.add_argument("--programs", type=int, help="programs of each kind (default: all)")
    parser.add_argument("--modules", type=Path, help="folder of the modules (default: a temporary one)")
    parser.add_argument("--capability", default="sm_90", help="that of the cubins (default: %(default)s)")
    options = parser.parse_args()
    assembler = find_assembler()
    with TemporaryDirectory() as temporary:
        folder = (options.modules or Path(temporary)).resolve()
        compile_generated("cuda", options.kernels, folder / "generated-cuda")
        compile_programs("cuda", options.programs, folder / "programs-cuda")
        compile_examples("cuda", options.programs, folder / "examples-cuda")
        for source in SOURCES:
            paths = sorted((folder / f"{source}-cuda").glob("**/*.tcm"))
            for cubins in ((), (options.capability,)) if assembler else ((),):
                print_source(source, cubins, [add(path, cubins) for path in paths])


def add(path: Path, cubins: Sequence[str]) -> Added:
    module = read_module(read_files(path, lambda _, archs: archs[0]))
    before = pack_reproducible(module_files(module))
    begin = time.perf_counter()
    with patch.object(_ptx, "find_assembler", find_assembler if cubins else str):  # which would check the PTX
        made = _ptx.with_ptx(module, TIMEOUT, cubins=cubins)
    seconds = time.perf_counter() - begin
    assert made.ptx is not None
    after = pack_reproducible(module_files(made))
    return Added(made.ptx, seconds, len(before), len(after))


def print_source(source: str, cubins: Sequence[str], added: Sequence[Added]) -> None:
    """Print counts, times and sizes, then the reasons of kernels without PTX."""
    counts = [len(each.ptx.kernels) for each in added]
    refused = Counter(NAME.sub("", reason) for each in added for reason in each.ptx.refused.values())
    sizes = [len(data) for each in added for data in each.ptx.images.values()]
    what = f"PTX and cubins for {', '.join(cubins)}" if cubins else "PTX"
    print(f"\n{source}: {sum(counts)} of {sum(counts) + refused.total()} kernels in {len(added)} modules have {what}")
    seconds = sum(each.seconds for each in added)
    print(f"    {seconds:.1f} s, a process for each module included")
    print(f"    {median(sizes):,.0f} bytes a file (median), at most {max(sizes):,}")
    before, after = sum(each.before for each in added), sum(each.after for each in added)
    print(f"    modules grow from {before:,} to {after:,} bytes, compressed")
    for reason, number in () if cubins else refused.most_common():
        print(f"    {number:6} {reason}")


if __name__ == "__main__":
    main()
