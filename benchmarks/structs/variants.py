"""The variants of structs.py, as a child process: structs.variants ARCH FOLDER."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import make_dataclass
from itertools import repeat
from types import SimpleNamespace
from typing import Any

import numpy as np

import taichi_aot
from lib.serve import Run, answers, serve

NAMES = "abcdefghijkl"


def times(kernel: Callable[..., Any], *arguments: Any) -> Run:
    def run(count: int) -> None:
        for _ in repeat(None, count):
            kernel(*arguments)

    return run


def variants(module: taichi_aot.AotModule) -> dict[str, Run]:
    x = module.runtime.zeros(1)
    kernels = module.kernels
    numbers = {name: float(i) if i % 2 else i for i, name in enumerate(NAMES)}
    record = np.array(tuple(numbers.values()), kernels["struct"].signature.parameters[0].layout)[()]
    whole = {"x": x, **numbers}
    structs = {
        "dict": numbers,
        "dataclass": make_dataclass("Numbers", NAMES)(**numbers),
        "namespace": SimpleNamespace(**numbers),
        "tuple": tuple(numbers.values()),
        "record": record,
    }
    packs = {"dict": whole, "namespace": SimpleNamespace(**whole), "tuple": tuple(whole.values())}
    return {
        "scalars": times(kernels["scalars"], *numbers.values(), x),
        **{f"struct_{name}": times(kernels["struct"], value, x) for name, value in structs.items()},
        **{f"pack_{name}": times(kernels["pack"], value) for name, value in packs.items()},
    }


def main() -> None:
    descriptor = answers()
    arch, folder = sys.argv[1:]
    serve(variants(taichi_aot.load(f"{folder}/structs.tcm", arch)), descriptor)


if __name__ == "__main__":
    main()
