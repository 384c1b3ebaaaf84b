"""The programs of ``tests/programs``: how to run each from its bundle, and the same computation in numpy.

A program is a file of kernels. The function of the same name here runs it from its built module and returns pairs:
its results, and those of numpy or Python for the same data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from taichi_aot import AotModule, Arch
from taichi_aot.build import build

Pairs = list[tuple[Any, Any]]

FOLDER = Path(__file__).parents[1] / "programs"
ARCHS = ("x64", "vulkan", "cuda")
CAPABILITIES = [f"spirv_has_{name}" for name in ("int8", "int64", "float64")]


@dataclass(frozen=True)
class Program:
    """A program."""

    run: Callable[[AotModule], Pairs]  # returns pairs of results and expected values
    tolerance: float = 0.0  # largest difference, relative to the largest number of the array; 0 requires equal bits
    unsupported: Mapping[str, str] = field(default_factory=dict[str, str])  # archs that cannot run it, and why

    @property
    def archs(self) -> list[str]:
        return [arch for arch in ARCHS if arch not in self.unsupported]

    def check(self, module: AotModule) -> int:
        """Run the program and compare its results; return the count of compared numbers."""
        count = 0
        for i, (result, expected) in enumerate(self.run(module)):
            own, wanted = np.asarray(result), np.asarray(expected)
            assert own.shape == wanted.shape, f"result {i} has shape {own.shape}, not {wanted.shape}"
            if self.tolerance:
                difference = np.abs(own.astype(float) - wanted).max() / max(1e-30, np.abs(wanted).max())
                assert difference <= self.tolerance, f"result {i} differs by {difference:.3g} of its largest number"
            else:
                assert own.dtype == wanted.dtype, f"result {i} is of {own.dtype}, not {wanted.dtype}"
                assert own.tobytes() == wanted.tobytes(), f"result {i} differs in {np.sum(own != wanted)} numbers"
            count += own.size
        return count


def build_program(name: str, folder: Path) -> Path:
    """Build the bundle of a program for all of its archs; return its path, ``NAME.tib`` in the folder."""
    return build(
        FOLDER / f"{name}.py",
        folder / f"{name}.tib",
        archs=list(map(Arch, PROGRAMS[name].archs)),
        cpu_threads=4,
        caps=CAPABILITIES,
    ).path


def random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def life(module: AotModule) -> Pairs:
    cells = (random(1).random((48, 80)) < 0.4).astype(np.int32)
    now, after = module.runtime.asarray(cells), module.runtime.zeros(cells.shape, "i32")
    module.runtime.sequence([module.graphs["two_steps"].bind(now, after)])(20)
    for _ in range(40):
        around = sum(np.roll(cells, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - cells
        cells = ((around == 3) | ((around == 2) & (cells == 1))).astype(np.int32)
    return [(now.to_numpy(), cells), (module.alive(cells=now), cells.sum(dtype=np.int32))]


def rotation(module: AotModule) -> Pairs:
    points, centre = random(11).normal(size=(300, 3)).astype(np.float32), np.array([1, -2, 0.5], np.float32)
    matrix = np.linalg.qr(random(12).normal(size=(3, 3)))[0].astype(np.float32)
    turned = module.runtime.asarray(points, elem_shape=3)
    module.turn(matrix, centre, turned)
    low, high, count = module.box(turned)
    expected = (points - centre).astype(float) @ matrix.T + centre
    return [
        (turned.to_numpy(), expected),
        (low, expected.min(0)),
        (high, expected.max(0)),
        (count, 300),
        (module.moments(turned), expected.T @ expected),
    ]


def sha256(module: AotModule) -> Pairs:
    primes = [n for n in range(2, 312) if all(n % k for k in range(2, n))]
    constants = np.array([_root(n << 96, 3) % 2**32 for n in primes], np.uint32)
    start = np.array([_root(n << 64, 2) % 2**32 for n in primes[:8]], np.uint32)
    messages = [random(n).bytes(n) for n in range(56)]
    padded = b"".join(m + b"\x80" + bytes(55 - len(m)) + (8 * len(m)).to_bytes(8, "big") for m in messages)
    blocks = module.runtime.asarray(np.frombuffer(padded, ">u4").astype(np.uint32).reshape(56, 16), elem_shape=16)
    digests = module.runtime.zeros(56, "u32", 8)
    module.digest(module.runtime.asarray(start), module.runtime.asarray(constants), blocks, digests)
    expected = b"".join(hashlib.sha256(message).digest() for message in messages)
    return [(digests.to_numpy(), np.frombuffer(expected, ">u4").astype(np.uint32).reshape(56, 8))]


def _root(number: int, power: int) -> int:
    """Return the integer part of a root."""
    low, high = 0, 1 << 64
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**power <= number else (low, middle)
    return low


def blur(module: AotModule) -> Pairs:
    picture = random(16).integers(0, 256, (32, 48)).astype(np.float32)
    pixels = module.runtime.asarray(picture)
    texture = module.runtime.allocate_image(picture.shape, "r32f")
    module.paint(pixels, texture)
    module.blur(texture, pixels)
    wide = np.pad(picture, ((0, 1), (0, 1)), mode="edge")
    return [(pixels.to_numpy(), (wide[:-1, :-1] + wide[1:, :-1] + wide[:-1, 1:] + wide[1:, 1:]) / 4)]


TEXTURES = "its kernels take textures"
PROGRAMS = {
    "blur": Program(blur, unsupported={"x64": TEXTURES, "cuda": TEXTURES}),
    "life": Program(life),
    "rotation": Program(rotation, 1e-5),
    "sha256": Program(sha256),
}
