"""The bundled fluid simulation; its kernels are in ``examples/mpm88.py`` of the source tree."""

from __future__ import annotations

import io
import lzma
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import Arch, NdArray, NotSupportedError, Runtime

if TYPE_CHECKING:
    from PIL.Image import Image as PilImage

__all__ = ["ARCHS", "GRAVITY", "PARTICLES", "TIME_STEP", "Fluid", "bundle_bytes", "draw", "module_bytes"]

ARCHS = (Arch.X64, Arch.VULKAN, Arch.CUDA)  # with modules in the bundle
GRID = 128  # cells per side of the unit square, as compiled into the module
PARTICLES = 16_384
MOST_PARTICLES = 20_000
TIME_STEP = 2e-4
GRAVITY = 9.8


def module_bytes(arch: Arch) -> bytes:
    """Return the module for `arch`, as the bytes of a ``.tcm``.

    Raises
    ------
    NotSupportedError
        If the demo does not have a module for `arch`.
    """
    _require_arch(arch)
    with zipfile.ZipFile(io.BytesIO(bundle_bytes())) as bundle:
        return bundle.read(f"{arch}.tcm")


@cache
def bundle_bytes() -> bytes:
    """Return the bundle of the modules, which ``.ci/make_demo.py`` packed."""
    return lzma.decompress(resources.files("taichi_aot.demo").joinpath("mpm88.tib.xz").read_bytes())


def _require_arch(arch: Arch) -> None:
    if arch not in ARCHS:
        raise NotSupportedError(f"the demo has modules for {', '.join(map(str, ARCHS))}, not for {arch}")


class Fluid:
    """A dam of fluid that bursts into a box.

    Parameters
    ----------
    runtime : Runtime
        A runtime on one of `ARCHS`.
    particles : int
        Number of particles, 1 to 20,000.
    gravity : float, default 9.8
        Downward acceleration, in sides of the box per square second.

    Raises
    ------
    ValueError
        If the number of particles is out of range.
    NotSupportedError
        If the runtime has another arch.
    """

    def __init__(self, runtime: Runtime, particles: int = PARTICLES, gravity: float = GRAVITY) -> None:
        if not 1 <= particles <= MOST_PARTICLES:
            raise ValueError(f"the size is 1 to {MOST_PARTICLES:,} particles, not {particles:,}")
        _require_arch(runtime.arch)
        generator = np.random.default_rng(88)
        # The dam is at the left wall, 0.38 wide, with 4 particles in each cell.
        size = np.array([0.38, particles / (4 * GRID**2) / 0.38], np.float32)
        start = np.float32(0.03) + size * generator.random((particles, 2), np.float32)
        self.runtime = runtime
        self.x: NdArray = runtime.asarray(start, elem_shape=2)
        self.v: NdArray = runtime.asarray(np.zeros((particles, 2), np.float32), elem_shape=2)
        substep = runtime.load_module(bundle_bytes()).graphs["substep"]
        self._step = substep.bind(
            dt=TIME_STEP,
            gravity=gravity,
            x=self.x,
            v=self.v,
            affine=runtime.zeros(particles, np.float32, (2, 2)),
            stretch=runtime.full(particles, 1.0, np.float32),
            momentum=runtime.zeros((GRID, GRID), np.float32, 2),
            mass=runtime.zeros((GRID, GRID), np.float32),
        )

    def advance(self, steps: int) -> None:
        """Run `steps` time steps and wait for the device."""
        self.runtime.sequence([self._step])(repeat=steps)
        self.runtime.wait()

    def picture(self) -> PilImage:
        """Draw the particles."""
        return draw(self.x.to_numpy(), self.v.to_numpy())


def draw(x: npt.NDArray[np.float32], v: npt.NDArray[np.float32], size: int = 768) -> PilImage:
    """Draw the particles: a ``PIL.Image`` of `size` x `size` pixels, bright where the fluid is fast."""
    from PIL import Image, ImageFilter

    speed = np.linalg.norm(v, axis=1)
    column = np.clip((x[:, 0] * size).astype(int), 0, size - 1)
    row = np.clip(((1.0 - x[:, 1]) * size).astype(int), 0, size - 1)
    # Slow particles are drawn first, so that fast ones stay visible.
    order = np.argsort(speed)
    column, row = column[order], row[order]
    share = np.clip(speed[order, None] / 3.0, 0.0, 1.0)
    colour = (np.array([28, 104, 190]) * (1 - share) + np.array([225, 244, 255]) * share).astype(np.uint8)
    picture = np.full((size, size, 3), (14, 20, 34), np.uint8)
    for down, right in _disc(radius=3):
        picture[np.clip(row + down, 0, size - 1), np.clip(column + right, 0, size - 1)] = colour
    return Image.fromarray(picture).filter(ImageFilter.GaussianBlur(0.7))


def _disc(radius: int) -> Iterator[tuple[int, int]]:
    span = range(-radius, radius + 1)
    return ((i, j) for i in span for j in span if i * i + j * j <= radius * radius + 1)
