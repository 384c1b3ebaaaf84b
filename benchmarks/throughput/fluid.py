"""The variants of fluid.py, as a child process: throughput.fluid ARCH FOLDER."""

from __future__ import annotations

import sys
from itertools import repeat

import numpy as np

from lib.serve import Run, answers, serve
from taichi_aot import Runtime
from taichi_aot.demo.mpm88 import bundle_bytes
from throughput.workloads import GRAVITY, GRID, PARTICLES, TIME_STEP, dam

KERNELS = ("clear_grid", "particles_to_grid", "move_grid", "grid_to_particles")  # in the order of a step
WATCHED = 10  # steps between two reads


def variants(rt: Runtime) -> dict[str, Run]:
    arguments = {
        "dt": TIME_STEP,
        "gravity": GRAVITY,
        "x": rt.asarray(dam(), elem_shape=2),
        "v": rt.zeros(PARTICLES, elem_shape=2),
        "affine": rt.zeros(PARTICLES, elem_shape=(2, 2)),
        "stretch": rt.full(PARTICLES, 1.0, np.float32),
        "momentum": rt.zeros((GRID, GRID), elem_shape=2),
        "mass": rt.zeros((GRID, GRID)),
    }
    module = rt.load_module(bundle_bytes())
    kernels = [module.kernels[name] for name in KERNELS]
    launches = [kernel.bind(**{p.name: arguments[p.name] for p in kernel.signature.parameters}) for kernel in kernels]
    graph = module.graphs["substep"].bind(**arguments)
    sequence = rt.sequence(launches)

    def in_sequence(count: int) -> None:
        sequence(repeat=count)
        rt.wait()

    def bound(count: int) -> None:
        for _ in repeat(None, count):
            for launch in launches:
                launch()
        rt.wait()

    # A program that watches its fluid reads one number at every tenth step.
    watched = arguments["x"].memory.read

    def in_sequence_watched(count: int) -> None:
        for done in range(0, count, WATCHED):
            sequence(repeat=min(WATCHED, count - done))
            watched(0, 4)

    def bound_watched(count: int) -> None:
        for done in range(0, count, WATCHED):
            for _ in range(min(WATCHED, count - done)):
                for launch in launches:
                    launch()
            watched(0, 4)

    def by_graph(count: int) -> None:
        for _ in repeat(None, count):
            graph()
        rt.wait()

    return {
        "sequence": in_sequence,
        "bound": bound,
        "graph": by_graph,
        "sequence_watched": in_sequence_watched,
        "bound_watched": bound_watched,
    }


def main() -> None:
    descriptor = answers()
    serve(variants(Runtime(sys.argv[1])), descriptor)


if __name__ == "__main__":
    main()
