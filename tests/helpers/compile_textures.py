"""Compile kernels with textures and run them with Taichi's own runtime; run as a child process.

    python compile_textures.py FOLDER FORMAT...

writes ``textures.tcm`` with kernels for textures of 1 to 3 dimensions, and for each format the kernels
``store_FORMAT`` and ``load_FORMAT``; and ``expected.npz`` with ``INPUT`` and, for each format, what ``load``, ``fetch``
and ``sample`` return after ``store``. The graph ``filter`` takes one image under two names, ``mixed`` passes it to
kernels that take both kinds of textures, ``swapped`` states another kind than its kernels, and ``clash`` passes it to
one kernel as both; ``MIXED`` is what ``mixed`` returns.
"""

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import taichi as ti

from helpers.graphs import array, graph, rw_texture, scalar, texture

WIDTH, HEIGHT, DEPTH = 5, 3, 2
KERNELS = """
import taichi as ti

VEC4 = ti.types.vector(4, ti.f32)
OUT = ti.types.ndarray(dtype=VEC4, ndim=2)
LINE = ti.types.ndarray(dtype=VEC4, ndim=1)

@ti.kernel
def fetch(image: ti.types.texture(num_dimensions=2), out: OUT):
    for y, x in out:
        out[y, x] = image.fetch(ti.Vector([x, y]), 0)

@ti.kernel
def sample(image: ti.types.texture(num_dimensions=2), out: OUT):
    for y, x in out:
        out[y, x] = image.sample_lod(ti.Vector([(x - 0.7) / 3.1, (y + 0.4) / 2.3]), 0.0)

@ti.kernel
def fetch_1d(image: ti.types.texture(num_dimensions=1), out: LINE):
    for x in out:
        out[x] = image.fetch(ti.Vector([x]), 0)

@ti.kernel
def fetch_3d(image: ti.types.texture(num_dimensions=3), out: ti.types.ndarray(dtype=VEC4, ndim=3)):
    for z, y, x in out:
        out[z, y, x] = image.fetch(ti.Vector([x, y, z]), 0)

@ti.kernel
def index_2d(image: ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.rg32f, lod=0), width: ti.i32, height: ti.i32):
    for x, y in ti.ndrange(width, height):
        image.store(ti.Vector([x, y]), ti.Vector([x * 1.0, y * 1.0, 0.0, 0.0]))

@ti.kernel
def index_3d(image: ti.types.rw_texture(num_dimensions=3, fmt=ti.Format.rgba32f, lod=0), depth: ti.i32):
    for x, y, z in ti.ndrange(5, 3, depth):
        image.store(ti.Vector([x, y, z]), ti.Vector([x * 1.0, y * 1.0, z * 1.0, 1.0]))

@ti.kernel
def double(image: ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.r32f, lod=0), factor: ti.f32):
    for x, y in ti.ndrange(5, 3):
        image.store(ti.Vector([x, y]), image.load(ti.Vector([x, y])) * factor)

@ti.kernel
def both(first: ti.types.texture(num_dimensions=2), second: ti.types.texture(num_dimensions=2), out: OUT):
    for y, x in out:
        out[y, x] = first.fetch(ti.Vector([x, y]), 0) + second.fetch(ti.Vector([x, y]), 0)

@ti.kernel
def transfer(source: ti.types.texture(2), target: ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.r32f, lod=0)):
    for x, y in ti.ndrange(5, 3):
        target.store(ti.Vector([x, y]), source.fetch(ti.Vector([x, y]), 0))

@ti.kernel
def shift(image: ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.r32f, lod=0), number: ti.f32):
    for x, y in image:
        image.store(ti.Vector([x, y]), image.load(ti.Vector([x, y])) + number)

@ti.kernel
def unused(image: ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.r32f, lod=0), out: OUT):
    for y, x in out:
        out[y, x] += 1.0
"""
OF_FORMAT = """
@ti.kernel
def store_{0}(image: ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.{0}, lod=0), values: OUT):
    for y, x in values:
        image.store(ti.Vector([x, y]), values[y, x])

@ti.kernel
def load_{0}(image: ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.{0}, lod=0), out: OUT):
    for y, x in out:
        out[y, x] = image.load(ti.Vector([x, y]))
"""
PLAIN = ("fetch", "sample", "fetch_1d", "fetch_3d", "index_2d", "index_3d", "double", "both", "transfer", "shift")


def make_graphs(kernels: Any) -> dict[str, ti.graph.Graph]:
    target, image = (rw_texture(name, ti.Format.r32f) for name in ("target", "image"))
    source, factor, out = texture("source"), scalar("factor"), array("out", ti.types.vector(4, ti.f32), ndim=2)
    return {
        "filter": graph((kernels.double, target, factor), (kernels.fetch, source, out)),
        "move": graph((kernels.transfer, source, target)),
        "mixed": graph((kernels.double, image, factor), (kernels.fetch, image, out), (kernels.unused, image, out)),
        "swapped": graph((kernels.shift, source, factor), (kernels.fetch, source, out)),
        "clash": graph((kernels.transfer, source, source)),
    }


def build_module(kernels: Any, formats: list[str], graphs: dict[str, ti.graph.Graph], path: Path) -> None:
    module = ti.aot.Module(ti.vulkan, caps=[])
    for name in (*PLAIN, *(f"{action}_{name}" for name in formats for action in ("store", "load"))):
        module.add_kernel(getattr(kernels, name))
    for name, each in graphs.items():
        module.add_graph(name, each)
    module.archive(str(path))


def run(kernels: Any, formats: list[str], mixed: ti.graph.Graph) -> dict[str, Any]:
    values = ti.Vector.ndarray(4, ti.f32, (HEIGHT, WIDTH))
    out = ti.Vector.ndarray(4, ti.f32, (HEIGHT, WIDTH))
    given = np.random.default_rng(5).random((HEIGHT, WIDTH, 4), np.float32)
    values.from_numpy(given)
    results: dict[str, Any] = {"INPUT": given}
    for name in formats:
        image = ti.Texture(getattr(ti.Format, name), (WIDTH, HEIGHT))
        getattr(kernels, f"store_{name}")(image, values)
        for action in (f"load_{name}", "fetch", "sample"):
            getattr(kernels, action)(image, out)
            results[f"{name}_{action.partition('_')[0]}"] = out.to_numpy()
    image = ti.Texture(ti.Format.r32f, (WIDTH, HEIGHT))
    kernels.store_r32f(image, values)
    for _ in range(2):
        mixed.run({"image": image, "factor": 3.0, "out": out})
    results["MIXED"] = out.to_numpy()
    return results


def main() -> None:
    folder, formats = Path(sys.argv[1]), sys.argv[2:]
    (folder / "texture_kernels.py").write_text(KERNELS + "".join(OF_FORMAT.format(name) for name in formats))
    sys.path.insert(0, str(folder))
    ti.init(arch=ti.vulkan, offline_cache=False, log_level=ti.ERROR)
    if ti.lang.impl.current_cfg().arch != ti.vulkan:
        raise SystemExit("taichi cannot compile for vulkan here")
    kernels = importlib.import_module("texture_kernels")
    graphs = make_graphs(kernels)
    build_module(kernels, formats, graphs, folder / "textures.tcm")
    np.savez(folder / "expected.npz", **run(kernels, formats, graphs["mixed"]))
    os._exit(0)


if __name__ == "__main__":
    main()
