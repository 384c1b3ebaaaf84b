"""The cases of grids.py, and its variants as a child process: launch.grids_variants ARCH FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

from lib.serve import Run, answers, serve
from taichi_aot import Runtime

LONG = 2**22


class Case(NamedTuple):
    """A kernel of the module ``grids``, its scalars, and the shape of its array."""

    kernel: str
    scalars: tuple[int, ...]
    shape: tuple[int, ...]


# A block has 128 threads. A grid has 131,072 threads on Vulkan, 327,680 on CUDA by default, 1,081,344 on an H200.
LENGTHS = (1, 127, 129, 131_071, 131_073, 327_679, 327_681, 1_081_343, 1_081_345, LONG)
CASES = {
    **{f"array_{n}": Case("over_array", (), (n,)) for n in LENGTHS},
    "matrix_30x40": Case("over_matrix", (), (30, 40)),
    "matrix_2048x2048": Case("over_matrix", (), (2048, 2048)),
    "scalar_100": Case("over_scalar", (100,), (LONG,)),
    "scalar_long": Case("over_scalar", (LONG,), (LONG,)),
    "part_100": Case("over_part", (LONG - 100, LONG), (LONG,)),
    "part_long": Case("over_part", (100, LONG), (LONG,)),
    "product_10x10": Case("over_product", (10, 10), (LONG,)),
    "product_2048x2048": Case("over_product", (2048, 2048), (LONG,)),
    "pairs_10x10": Case("over_pairs", (10, 10), (LONG,)),
    "pairs_2x2097152": Case("over_pairs", (2, LONG // 2), (LONG,)),
    "constant_1000": Case("over_constant", (), (LONG,)),
    "constant_1048576": Case("over_long_constant", (), (LONG,)),
    "rows_64x1024": Case("over_rows", (64, 1024), (LONG,)),
    "rows_4096x1024": Case("over_rows", (4096, 1024), (LONG,)),
    "part_of_array_100": Case("over_part_of_array", (100,), (LONG,)),
    "two_100": Case("over_two", (100,), (LONG,)),
    "two_long": Case("over_two", (LONG,), (LONG,)),
}


def main() -> None:
    descriptor = answers()
    rt = Runtime(sys.argv[1])
    kernels = rt.load_module(Path(sys.argv[2]) / "grids.tcm").kernels
    arrays: dict[tuple[int, ...], Any] = {case.shape: rt.zeros(case.shape) for case in CASES.values()}

    def run_of(case: Case) -> Run:
        sequence = rt.sequence([kernels[case.kernel].bind(*case.scalars, arrays[case.shape])])

        def run(count: int) -> None:
            sequence(repeat=count)
            rt.wait()

        return run

    serve({name: run_of(case) for name, case in CASES.items()}, descriptor)


if __name__ == "__main__":
    main()
