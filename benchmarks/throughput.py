"""The speed of kernels, compared with numpy and the memory bandwidth; on CUDA also with CuPy's RawKernel and cuda.core.

The variants of this package: ``taichi_aot`` is bound, ``sequence`` is a batch as a sequence. On Vulkan and CUDA,
``library`` is bound too, but the C library launches it.

triad      the bandwidth of the host's memory: a = b + 3 * c in C on all cores, arrays of 64 MiB
copy       an array of 64 MiB to another; on a GPU, the bandwidth of its memory
saxpy      y = 2 * x + y, 2^24 elements
sines      y = sin(x) + exp(-x)
reduction  the sum of 2^24 elements, added to one number
reduction_variable  the same, in a variable that the kernel adds to its result
reduction_parts     the same, of 131,072 sums
reduction_returned  the same, as the value that the kernel returns
least, most, counted  the smallest and the largest of 2^24 numbers, and how many are above a half
histogram  2^24 numbers in 256 bins
stencil    the mean of four neighbours, 4096 x 4096
transpose  4096 x 4096
matmul     1024 x 1024, a thread for each number
julia      2048 x 2048 pixels of up to 200 steps
nbody      gravity of 8,192 bodies on each other; an element is a pair
mpm        one step of examples/mpm88.py, 16,384 particles

CuPy's kernels have a thread for each element; ``copy4`` and ``saxpy4`` take four at once, and CuPy's own functions
reduce. ``taichi`` is Taichi's JIT, where it is installed.

Each result is compared with numpy's before it is timed. GB/s count each array as read or written once; GFLOP/s count
the operations in the source.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from lib import build
from lib.harness import ARCHS, RECORDING_ARCHS, Bench, Child, Measure, Result, bench, options, take_turns
from throughput.workloads import BY_LIBRARY, REDUCTIONS

BATCH_US = 20_000  # approximate time of a batch
LONGEST_BATCH = 100


class Size(NamedTuple):
    """The size of one run."""

    elements: int
    bytes: int = 0  # per element
    operations: int = 0  # per element


SUM = Size(2**24, 4, 1)
SIZES = {
    "triad": Size(2**24, 12, 2),
    **dict.fromkeys(("copy", "copy4", "sines"), Size(2**24, 8)),
    **dict.fromkeys(("saxpy", "saxpy4"), Size(2**24, 12, 2)),
    **dict.fromkeys((*REDUCTIONS, "least", "most", "counted"), SUM),
    "histogram": Size(2**24, 4),
    "stencil": Size(4096**2, 8, 4),
    "transpose": Size(4096**2, 8),
    "matmul": Size(1024**3, 0, 2),
    "julia": Size(2048**2),
    "nbody": Size(8192**2, 0, 18),
    "mpm": Size(16_384),
}
ONLY_CUPY = ("copy4", "saxpy4")
ONLY_CHECKED = ("julia", "transpose", "nbody")  # by numpy, which would take seconds, or for which they are no work
# Work that other libraries do on CUDA.
PEERS = {
    "cupy": tuple(name for name in SIZES if name not in ("triad", "mpm", *REDUCTIONS[1:])),
    "cuda.core": ("saxpy", "reduction", "stencil", "nbody"),
}


def start(work: Bench, notes: list[str]) -> dict[str, Measure]:
    """Start the variants' processes; return functions that measure one batch of each."""
    work.modules("throughput", "mpm")
    source, program = build.SOURCES / "bandwidth.c", work.folder / "bandwidth"
    build.compile_c(source, program, "-O3", "-march=native", "-pthread")
    child = work.python("throughput.variants", "taichi_aot")
    children: dict[str, Child] = {"triad": work.child(program, str(build.cores()), env=work.environment)}
    names = [name for name in SIZES if name not in ("triad", *ONLY_CUPY)]
    children |= {f"{name}/taichi_aot": child for name in names}
    children |= {f"{name}/numpy": child for name in names if name not in (*REDUCTIONS[1:], *ONLY_CHECKED)}
    children |= {f"{name}/sequence": child for name in names if name != "reduction_returned"}
    if work.arch in RECORDING_ARCHS:
        library = work.python("throughput.variants", "library", library=True)
        children |= {f"{name}/library": library for name in BY_LIBRARY}
    taichi = work.start_if_possible("taichi", notes, "throughput.variants", "taichi")
    children |= {f"{name}/taichi": taichi for name in names if taichi is not None and name != "mpm"}
    children |= peers(work, notes) if work.arch == "cuda" else {}
    order = sorted(children, key=lambda name: list(SIZES).index(name.split("/")[0]))
    return {name: partial(children[name].microseconds, name, batch(children[name], name)) for name in order}


def peers(work: Bench, notes: list[str]) -> dict[str, Child]:
    """Return the variants of other libraries that are installed."""
    children: dict[str, Child] = {}
    for name, works in PEERS.items():
        child = work.start_if_possible(name, notes, "throughput.variants", name)
        if child is not None:
            children |= {f"{one}/{name}": child for one in works}
    return children


def batch(child: Child, name: str) -> int:
    """Return the number of runs in a batch: enough for the clock, few enough not to pile up."""
    return max(1, min(LONGEST_BATCH, int(BATCH_US / child.microseconds(name, 1))))


def main() -> None:
    archs = tuple(arch for arch in ARCHS if arch != "stub")  # the stub does not run kernels
    given = options("How fast kernels run.", rounds=15, archs=archs)
    result = Result("throughput", given.arch, "us")
    with bench(given.arch) as work:
        variants = start(work, result.notes)
        for name, times in take_turns(variants, given.rounds, f"throughput on {given.arch}").items():
            result.add(name, times)
    for name, variant in result.variants.items():
        size = SIZES[name.split("/")[0]]
        rate = size.elements / variant["us"] / 1000  # in G/s
        variant["elements_per_s"] = rate * 1e9
        if size.bytes:
            variant["gb_per_s"] = rate * size.bytes
        if size.operations:
            variant["gflop_per_s"] = rate * size.operations
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
