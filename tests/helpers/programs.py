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
import numpy.typing as npt

from taichi_aot import AotModule, Arch
from taichi_aot.build import build

Numbers = npt.NDArray[Any]
Pairs = list[tuple[Any, Any]]

FOLDER = Path(__file__).parents[1] / "programs"
ARCHS = ("x64", "vulkan", "cuda")
CAPABILITIES = [f"spirv_has_{name}" for name in ("int8", "int64", "float64")]


@dataclass(frozen=True)
class Program:
    """A program.

    Attributes
    ----------
    run : callable
        Runs a module; returns pairs of results and expected values.
    tolerance : float
        Largest difference, relative to the largest number of the array; 0 requires equal bits.
    unsupported : mapping of str to str
        The archs that cannot run it, and why.
    """

    run: Callable[[AotModule], Pairs]
    tolerance: float = 0.0
    unsupported: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def archs(self) -> list[str]:
        return [arch for arch in ARCHS if arch not in self.unsupported]

    def check(self, module: AotModule) -> int:
        """Run the program and compare its results; return the count of compared numbers.

        Raises
        ------
        AssertionError
            If a result is wrong.
        """
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


def sort(module: AotModule) -> Pairs:
    numbers = random(2).permutation(np.arange(4096, dtype=np.uint32) * 1_000_003)
    keys, values = module.runtime.asarray(numbers), module.runtime.asarray(np.arange(4096, dtype=np.int32))
    for size in (2**stage for stage in range(1, 13)):
        distance = size // 2
        while distance:
            module.exchange(size, distance, keys, values)
            distance //= 2
    order = np.argsort(numbers).astype(np.int32)
    return [(keys.to_numpy(), numbers[order]), (values.to_numpy(), order)]


def histogram(module: AotModule) -> Pairs:
    picture = np.clip(random(3).normal(90, 20, (64, 100)), 0, 255).astype(np.int32)
    pixels, counts, sums = module.runtime.asarray(picture), *(module.runtime.empty(256, "i32") for _ in range(2))
    module.count(pixels, counts)
    total = module.add_up(counts, sums)
    module.equalize(sums, pixels)
    levels = np.bincount(picture.ravel(), minlength=256).astype(np.int32)
    added = levels.cumsum(dtype=np.int32)
    return [
        (counts.to_numpy(), levels),
        (total, np.int32(picture.size)),
        (pixels.to_numpy(), added[picture] * 255 // added[-1]),
    ]


GRID = 32


def fluid(module: AotModule) -> Pairs:
    x = (random(5).random((512, 2)) * 0.4 + 0.3).astype(np.float32)
    fields = module.fields
    fields["x"].write(x)
    v = random(18).normal(size=(512, 2)).astype(np.float32)
    fields["v"].write(v)
    fields["stretch"].write(np.ones(512, np.float32))
    for _ in range(40):
        module.substep(dt=1e-3, stiffness=50.0)
    state = (x.astype(float), v.astype(float), np.zeros((512, 2, 2)), np.ones(512))
    for _ in range(40):
        state, mass = _substep(*state, 1e-3, 50.0)
    names = ("x", "v", "affine", "stretch", "mass")
    return [(fields[name].to_numpy(), each) for name, each in zip(names, (*state, mass), strict=True)]


def _substep(
    x: Numbers, v: Numbers, affine: Numbers, stretch: Numbers, dt: float, stiffness: float
) -> tuple[tuple[Numbers, Numbers, Numbers, Numbers], Numbers]:
    volume, momentum, mass = (0.5 / GRID) ** 2, np.zeros((GRID, GRID, 2)), np.zeros((GRID, GRID))
    base = (x * GRID - 0.5).astype(int)
    offset = x * GRID - base
    w = [0.5 * (1.5 - offset) ** 2, 0.75 - (offset - 1) ** 2, 0.5 * (offset - 0.5) ** 2]
    pressure = -dt * 4 * stiffness * volume * (stretch - 1) * GRID * GRID
    change = pressure[:, None, None] * np.eye(2) + volume * affine
    around = [
        (tuple((base + np.array((i, j))).T), w[i][:, 0] * w[j][:, 1], ([i, j] - offset) / GRID)
        for i in range(3)
        for j in range(3)
    ]
    for cell, weight, distance in around:
        np.add.at(momentum, cell, weight[:, None] * (volume * v + (change @ distance[:, :, None])[:, :, 0]))
        np.add.at(mass, cell, weight * volume)
    velocity = np.divide(momentum, mass[:, :, None], out=np.zeros_like(momentum), where=mass[:, :, None] > 0)
    velocity[:, :, 1] -= dt * 9.8
    for side, inwards in ((slice(3), (0, None)), (slice(GRID - 2, None), (None, 0))):
        velocity[side, :, 0] = velocity[side, :, 0].clip(*inwards)
        velocity[:, side, 1] = velocity[:, side, 1].clip(*inwards)
    v, affine = np.zeros_like(v), np.zeros_like(affine)
    for cell, weight, distance in around:
        v += weight[:, None] * velocity[cell]
        affine += 4 * GRID * GRID * (weight[:, None] * velocity[cell])[:, :, None] * distance[:, None]
    return (x + dt * v, v, affine, stretch * (1 + dt * np.trace(affine, axis1=1, axis2=2))), mass


def collatz(module: AotModule) -> Pairs:
    first, n = 8_400_510_000, 2000
    steps, peaks = module.runtime.zeros(n, "i32"), module.runtime.zeros(n, "i64")
    module.count(first, steps, peaks)
    counts, highest = np.array([_collatz(first + i) for i in range(n)]).T
    return [
        (steps.to_numpy(), counts.astype(np.int32)),
        (peaks.to_numpy(), highest),
        (module.longest(steps), counts.astype(np.int32).max()),
    ]


def _collatz(number: int) -> tuple[int, int]:
    """Return the steps to 1 and the largest number on the way."""
    steps, peak = 0, number
    while number != 1:
        number, steps = (3 * number + 1 if number & 1 else number >> 1), steps + 1
        peak = max(peak, number)
    return steps, peak


def paths(module: AotModule) -> Pairs:
    n = 96
    lengths = random(6).integers(1, 1000, (n, n), np.int32)
    lengths[random(7).random((n, n)) < 0.9] = 1_000_000
    np.fill_diagonal(lengths, 0)
    distance, via = module.runtime.asarray(lengths), module.runtime.full((n, n), -1, "i32")
    launch = module.kernels["relax"].bind(k=0, distance=distance, via=via)
    module.runtime.sequence([launch])(n, ramps={"k": (0, 1)})
    places = np.full((n, n), -1, np.int32)
    for k in range(n):
        length = lengths[:, k, None] + lengths[k]
        places = np.where(length < lengths, np.int32(k), places)
        lengths = np.minimum(lengths, length)
    return [(distance.to_numpy(), lengths), (via.to_numpy(), places)]


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


def fft(module: AotModule) -> Pairs:
    bits = 10
    numbers = random(13).normal(size=(1 << bits, 2)).astype(np.float32)
    x, y = module.runtime.asarray(numbers, elem_shape=2), module.runtime.zeros(1 << bits, elem_shape=2)
    module.reverse(bits, x, y)
    for stage in range(bits):
        module.butterflies(1 << stage, y)
    expected = np.fft.fft(numbers[:, 0] + 1j * numbers[:, 1])
    return [(y.to_numpy(), np.stack([expected.real, expected.imag], 1))]


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


def voxels(module: AotModule) -> Pairs:
    points = random(17).integers(20, 44, (500, 2), np.int32)
    module.sort_in(module.runtime.asarray(points, elem_shape=2))
    expected = np.zeros((64, 64), np.int32)
    np.add.at(expected, tuple(points.T), 1)
    totals = np.array([np.count_nonzero(expected), 500], np.int32)
    return [(module.occupied(), totals), (module.fields["count"].to_numpy(), expected)]


TEXTURES = "its kernels take textures"
PROGRAMS = {
    "blur": Program(blur, unsupported={"x64": TEXTURES, "cuda": TEXTURES}),
    "collatz": Program(collatz),
    "fft": Program(fft, 1e-5),
    "fluid": Program(fluid, 1e-3),
    "histogram": Program(histogram),
    "life": Program(life),
    "paths": Program(paths),
    "rotation": Program(rotation, 1e-5),
    "sha256": Program(sha256),
    "sort": Program(sort),
    "voxels": Program(voxels, unsupported={"vulkan": "Taichi has no sparse fields there"}),
}
