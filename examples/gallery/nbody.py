"""Two galaxies that meet: n bodies, each of which attracts all others.

    python examples/gallery/nbody.py nbody.gif

A sequence of launches alternates between two arrays of positions.
"""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageFilter
import program

from taichi_aot import AotModule

TIME_STEP = 0.01
SOFTNESS = 0.08  # distance below which the attraction weakens
DISC = 0.08  # mass of the bodies around a core of mass 1
PIXELS = 480
HALF = 2.5  # half of the width of the picture
LIGHTS = np.array([[0.4, 0.62, 1.0], [1.0, 0.68, 0.32]])  # of the two galaxies


class Galaxies:
    """Two discs of bodies around heavy cores, which meet and tear each other apart."""

    def __init__(self, module: AotModule, size: int) -> None:
        self.runtime = runtime = module.runtime
        half = size // 2
        generator = np.random.default_rng(6)
        first = galaxy(generator, half, tilt=0.5, at=(-1.4, -0.5, 0.0), moving=(0.4, -0.24, 0.0))
        second = galaxy(generator, size - half, tilt=-0.8, at=(1.4, 0.5, 0.0), moving=(-0.4, 0.24, 0.0))
        mass, x, v = (np.concatenate(pair) for pair in zip(first, second, strict=True))
        self.light = np.repeat(LIGHTS, [half, size - half], axis=0)
        self.x = runtime.asarray(x, np.float32, elem_shape=3)
        self._moved = runtime.zeros(size, np.float32, 3)
        self.v = runtime.asarray(v, np.float32, elem_shape=3)
        self.mass = runtime.asarray(mass, np.float32)
        arrays = {"mass": self.mass, "v": self.v}
        pull = module.kernels["pull"]
        self._steps = [
            pull.bind(dt=TIME_STEP, softness=SOFTNESS, x=self.x, moved=self._moved, **arrays),
            pull.bind(dt=TIME_STEP, softness=SOFTNESS, x=self._moved, moved=self.x, **arrays),
        ]

    def advance(self, steps: int) -> None:
        self.runtime.sequence(self._steps)(repeat=steps // 2)
        if steps % 2:
            self._steps[0]()
            self._steps.reverse()
            self.x, self._moved = self._moved, self.x

    def draw(self) -> np.ndarray:
        at = ((self.x.to_numpy()[:, :2] * (1, -1) / HALF + 1) * PIXELS / 2).astype(int)
        inside = ((at >= 0) & (at < PIXELS)).all(axis=1)
        light = np.zeros((PIXELS, PIXELS, 3))
        np.add.at(light, (at[inside, 1], at[inside, 0]), self.light[inside])
        # A body is a point with a halo. The blur works on 8-bit layers: brighten them before, dim them after.
        layer = PIL.Image.fromarray((255 * np.minimum(light, 1.0)).astype(np.uint8))
        layers = [(0.7, 3.0), (2.0, 5.0), (8.0, 9.0)]
        glow = sum(w * np.asarray(layer.filter(PIL.ImageFilter.GaussianBlur(r)), np.float32) for r, w in layers)
        return (255 * (1 - np.exp(-np.asarray(glow) / 200))).astype(np.uint8)


def galaxy(
    generator: np.random.Generator, count: int, tilt: float, at: tuple[float, ...], moving: tuple[float, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return masses, places and velocities of a core and of bodies that circle it, in a plane rotated about x."""
    radius = np.concatenate([[0.0], 0.12 + 0.9 * generator.random(count - 1)])
    angle = 2 * np.pi * generator.random(count)
    mass = np.full(count, DISC / count)
    mass[0] = 1.0
    inner = 1.0 + DISC * radius / radius.max()  # mass inside each circle
    speed = np.sqrt(inner * radius**2 / (radius**2 + SOFTNESS**2) ** 1.5)
    flat = np.zeros(count)
    plane = np.stack([radius * np.cos(angle), radius * np.sin(angle), flat], axis=1)
    along = np.stack([-speed * np.sin(angle), speed * np.cos(angle), flat], axis=1)
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    return mass, plane @ turn.T + at, along @ turn.T + moving


if __name__ == "__main__":
    program.animate(__doc__, "nbody_kernels.py", Galaxies, size=1536, steps=416, every=8)
