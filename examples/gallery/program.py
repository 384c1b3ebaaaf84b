"""Shared parts of the gallery's programs: their arguments, and their kernels, compiled if Taichi is installed."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

import taichi_aot
from taichi_aot import AotModule, TaichiError
from taichi_aot.build import BuildError, build

HERE = Path(__file__).parent


def arguments(
    doc: str | None, size: int, steps: int, suffix: str = ".png", nargs: str | None = None
) -> argparse.ArgumentParser:
    """Create a parser of the arguments of all programs; the first line of `doc` describes the program."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("out", nargs=nargs, type=_picture(suffix), help=f"picture to write, ending in {suffix}")
    parser.add_argument("--arch", help="default: the best device")
    parser.add_argument("--module", type=Path, help="a bundle of the kernels; by default, taichi compiles them")
    parser.add_argument("--size", type=_positive, default=size, help="of the picture (default: %(default)s)")
    parser.add_argument("--steps", type=_positive, default=steps, help="default: %(default)s")
    return parser


def _picture(suffix: str) -> Callable[[str], Path]:
    def read(text: str) -> Path:
        path = Path(text)
        if path.suffix.lower() != suffix or not path.absolute().parent.is_dir():
            raise argparse.ArgumentTypeError(f"{text} is not a {suffix} in a folder that exists")
        return path

    return read


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a positive integer, not {text}")
    return int(text)


@contextmanager
def open_kernels(file: str, options: argparse.Namespace) -> Iterator[AotModule]:
    """Open the kernels of a file beside this one; exit with a message if something is missing."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = options.module or build(HERE / file, Path(folder) / "kernels.tib").path
            with taichi_aot.load(path, options.arch) as module:
                yield module
    except (BuildError, TaichiError, ImportError, OSError, ValueError) as error:
        raise SystemExit(f"error: {error}") from error


def main(
    doc: str | None,
    file: str,
    run: Callable[[AotModule, int, int], np.ndarray],
    draw: Callable[[np.ndarray], np.ndarray],
    size: int,
    steps: int,
) -> None:
    """Run a program with the kernels of a file: `draw` converts the result of `run` to colours."""
    options = arguments(doc, size, steps).parse_args()
    with open_kernels(file, options) as module:
        PIL.Image.fromarray(draw(run(module, options.size, options.steps))).save(options.out)
    print(f"wrote {options.out}")


def animate(
    doc: str | None, file: str, scene: Callable[[AotModule, int], Any], size: int, steps: int, every: int = 1
) -> None:
    """Write an animation: `scene` makes an object that advances so many steps and draws colours."""
    options = arguments(doc, size, steps, ".gif").parse_args()
    frames = []
    with open_kernels(file, options) as module:
        shown = scene(module, options.size)
        for done in range(0, options.steps, every):
            shown.advance(min(every, options.steps - done))
            frames.append(PIL.Image.fromarray(shown.draw()).quantize())
    frames[0].save(options.out, save_all=True, append_images=frames[1:], duration=50, loop=0)
    print(f"wrote {options.out}")


def colours(values: np.ndarray, stops: list[tuple[float, int]]) -> np.ndarray:
    """Return colours for numbers, interpolated between stops: pairs of a number and its colour as 0xRRGGBB."""
    numbers, colours = zip(*stops, strict=True)
    channels = [[colour >> shift & 255 for colour in colours] for shift in (16, 8, 0)]
    return np.stack([np.interp(values, numbers, channel) for channel in channels], axis=-1).astype(np.uint8)
