"""Shared parts of the demos: their bundles of kernels, their loop, and the picture files."""

from __future__ import annotations

import io
import lzma
import time
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import AotModule, Arch, NotSupportedError, Runtime
from ..driver._files import write_whole

if TYPE_CHECKING:
    from PIL.Image import Image as PilImage

__all__ = ["ARCHS", "SUFFIXES", "Outcome", "Program", "colours", "load_kernels", "read_bundle", "require_arch", "show"]

ARCHS = (Arch.X64, Arch.VULKAN, Arch.CUDA)  # with modules in the bundles
SUFFIXES = (".png", ".gif")  # one picture, or an animation
MILLISECONDS = 50  # per frame of an animation
MAX_PIXELS = 4 << 30  # of all frames of an animation: they stay in memory until it is written


class Program(ABC):
    """A demo: state on the device that steps change and pictures show."""

    summary: ClassVar[str]
    out: ClassVar[str]  # the default file
    size: ClassVar[int]  # by default
    size_of: ClassVar[str]  # the unit of the size
    sizes: ClassVar[range]
    steps: ClassVar[int]  # by default
    steps_per_frame: ClassVar[int] = 1
    launches_per_step: ClassVar[int] = 1

    @abstractmethod
    def __init__(self, runtime: Runtime, size: int) -> None:
        """Begin on a runtime on one of `ARCHS`.

        Raises
        ------
        ValueError
            If the size is out of range.
        NotSupportedError
            If the runtime has another arch.
        """

    @abstractmethod
    def advance(self, steps: int) -> None:
        """Run steps and wait for the device."""

    @abstractmethod
    def picture(self) -> PilImage:
        """Draw the current state."""

    @classmethod
    def require_size(cls, size: int) -> None:
        if size not in cls.sizes:
            raise ValueError(f"the size is {cls.sizes.start:,} to {cls.sizes.stop - 1:,} {cls.size_of}, not {size:,}")


class Outcome(NamedTuple):
    """The result of a run: kernel launches, and their seconds without the pictures."""

    launches: int
    seconds: float


def require_arch(arch: Arch) -> None:
    if arch not in ARCHS:
        raise NotSupportedError(f"the demo has modules for {', '.join(map(str, ARCHS))}, not for {arch}")


@cache
def read_bundle(name: str) -> bytes:
    """Return a bundle packed by ``.ci/make_demos.py``: ``mpm88``, or ``demos`` for the other demos."""
    packed = resources.files("taichi_aot.demo").joinpath("bundles.tib.xz").read_bytes()
    with zipfile.ZipFile(io.BytesIO(lzma.decompress(packed))) as bundles:
        return bundles.read(f"{name}.tib")


def load_kernels(runtime: Runtime) -> AotModule:
    """Load the module with the kernels of all demos except mpm88.

    Raises
    ------
    NotSupportedError
        If the bundle does not have a module for the runtime's arch.
    """
    require_arch(runtime.arch)
    return runtime.load_module(read_bundle("demos"))


def show(program: Program, out: Path, steps: int, progress: Callable[[int], None]) -> Outcome:
    """Run steps, and write the last picture (PNG) or an animation (GIF); `progress` gets the number of steps done.

    Raises
    ------
    ValueError
        If the frames have too many pixels.
    """
    animated = out.suffix.lower() == ".gif"
    if animated:
        _require_few_pixels(program.picture(), -(-steps // program.steps_per_frame))
    frames: list[PilImage] = []
    seconds, done = 0.0, 0
    while done < steps:
        progress(done)
        count = min(program.steps_per_frame, steps - done)
        begin = time.perf_counter()
        program.advance(count)
        seconds += time.perf_counter() - begin
        if animated:
            frames.append(program.picture().quantize())
        done += count
    progress(done)
    file = io.BytesIO()
    if animated:
        frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=MILLISECONDS, loop=0)
    else:
        program.picture().save(file, "PNG")
    write_whole(out, file.getvalue())
    return Outcome(steps * program.launches_per_step, seconds)


def _require_few_pixels(picture: PilImage, frames: int) -> None:
    most = MAX_PIXELS // (picture.width * picture.height)
    if frames > most:
        raise ValueError(
            f"an animation of {picture.width} x {picture.height} pixels has at most {most:,} frames, not {frames:,}: "
            "run fewer steps, or write a .png"
        )


def colours(values: npt.ArrayLike, stops: list[tuple[float, int]]) -> npt.NDArray[np.uint8]:
    """Return colours for numbers, interpolated between stops: pairs of a number and its colour as 0xRRGGBB."""
    numbers, colours = zip(*stops, strict=True)
    channels = [[colour >> shift & 255 for colour in colours] for shift in (16, 8, 0)]
    floats: npt.NDArray[Any] = np.asarray(values)
    return np.stack([np.interp(floats, numbers, channel) for channel in channels], axis=-1).astype(np.uint8)
