"""A step of the fluid simulation of the command ``demo``: four kernels, 16,384 particles. All variants take turns.

sequence   a sequence of the four bound kernels; recorded on Vulkan and CUDA
bound      the four bound kernels, launched one by one
graph      the module's compute graph, bound
library_.. on Vulkan and CUDA: the same, launched by the library. Its sequence is a loop in C
"""

from __future__ import annotations

from functools import partial

from lib.harness import ARCHS, RECORDING_ARCHS, Result, bench, options, take_turns

VARIANTS = ("sequence", "bound", "graph")
BATCH = 50  # steps


def main() -> None:
    archs = tuple(arch for arch in ARCHS if arch != "stub")  # the stub does not run kernels
    given = options("A step of the fluid simulation.", rounds=30, archs=archs)
    with bench(given.arch) as work:
        child = work.python("throughput.fluid")
        variants = {name: partial(child.microseconds, name, BATCH) for name in VARIANTS}
        if given.arch in RECORDING_ARCHS:
            library = work.python("throughput.fluid", library=True)
            variants |= {f"library_{name}": partial(library.microseconds, name, BATCH) for name in VARIANTS}
        samples = take_turns(variants, given.rounds, f"fluid on {given.arch}")
    result = Result("fluid", given.arch, "us_per_step")
    for name, times in samples.items():
        result.add(name, times)
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
