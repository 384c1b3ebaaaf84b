"""Heat spreads over a plate whose parts are on several devices; the result equals that of one device bit for bit.

    python examples/heat.py x64 x64 --rows 300 --steps 500

Each argument is the arch of a device, or its name in ``taichi-aot devices``, such as ``cuda:1``. The upper edge of the
plate is hot: the halo of the first part, which no other part fills.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from taichi_aot import Launch, Runtime, TaichiError
from taichi_aot.distributed import Parts, decompose


def spread(runtimes: Sequence[Runtime], bundle: Path, rows: int, columns: int, steps: int) -> npt.NDArray[Any]:
    """Return the plate after these steps."""
    now, then = (decompose((rows, columns), runtimes) for _ in range(2))
    kernels = [runtime.load_module(bundle).kernels["spread"] for runtime in runtimes]
    for field in (now, then):
        field[0].array[0].write(np.ones(columns, np.float32))

    def bind(source: Parts, target: Parts) -> list[Launch]:
        return [
            kernel.bind(part.array, other.array, *part.interior[2:])
            for kernel, part, other in zip(kernels, source, target, strict=True)
        ]

    turns = [(source, bind(source, target)) for source, target in ((now, then), (then, now))]
    for step in range(steps):
        source, launches = turns[step % 2]
        source.exchange()
        for launch in launches:
            launch()
    return (then if steps % 2 else now).to_numpy()


def build(folder: Path, archs: Sequence[str]) -> Path:
    try:
        from taichi_aot.build import build
    except ImportError as error:
        raise SystemExit(f"error: without --bundle the example needs the compiler: {error}") from error
    build(Path(__file__).with_name("heat_kernels.py"), folder / "heat.tib", archs=sorted({*archs}))
    return folder / "heat.tib"


def device(text: str) -> tuple[str, int]:
    arch, _, number = text.partition(":")
    return arch, int(number or 0)


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("devices", nargs="*", type=device, default=[("x64", 0)] * 2, help="default: x64 x64")
    parser.add_argument("--bundle", type=Path, help="what heat_kernels.py was built to; by default it is built now")
    parser.add_argument("--rows", type=positive, default=300, help="default: %(default)s")
    parser.add_argument("--columns", type=positive, default=400, help="default: %(default)s")
    parser.add_argument("--steps", type=positive, default=500, help="default: %(default)s")
    options = parser.parse_args()
    try:
        with ExitStack() as opened:
            bundle = options.bundle
            if bundle is None:
                folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
                bundle = build(folder, [arch for arch, _ in options.devices])
            runtimes = [opened.enter_context(Runtime(*each)) for each in options.devices]
            several, one = (
                spread(each, bundle, options.rows, options.columns, options.steps) for each in (runtimes, runtimes[:1])
            )
    except (TaichiError, OSError) as error:
        raise SystemExit(f"error: {error}") from error
    print(f"{len(runtimes)} devices, {options.steps} steps: the mean temperature is {several.mean():.6f}")
    print(f"equal to one device bit for bit: {several.tobytes() == one.tobytes()}")


if __name__ == "__main__":
    main()
