"""A picture filter: a picture drawn by pillow, its blurred copy, and its edges, side by side.

    python examples/edges.py edges.png

A pass of the blur samples one image along its rows and stores into another; then it goes back along the columns.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import command_line
from taichi_aot import AotModule, Image, Runtime

if TYPE_CHECKING:
    import PIL.Image

STRENGTH = 0.7  # of the edges: the larger, the darker


def draw(width: int, height: int) -> PIL.Image.Image:
    """Draw a house in the hills at night, at four times the size for smooth lines."""
    import PIL.Image
    import PIL.ImageDraw

    scale = 4
    picture = PIL.Image.new("RGB", (width * scale, height * scale))
    pen = PIL.ImageDraw.Draw(picture)

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x * width * scale, y * height * scale) for x, y in points]

    for row in range(height * scale):
        share = row / (height * scale)
        pen.line([(0, row), (width * scale, row)], (int(20 + 120 * share), int(25 + 60 * share), int(70 + 50 * share)))
    for x, y in np.random.default_rng(3).random((60, 2)) * (1.0, 0.55):
        pen.ellipse(at((x, y), (x + 0.004, y + 0.004 * width / height)), (235, 235, 255))
    pen.ellipse(at((0.68, 0.1), (0.82, 0.1 + 0.14 * width / height)), (250, 240, 200))
    pen.ellipse(at((-0.4, 0.62), (0.6, 1.5)), (28, 60, 52))
    pen.ellipse(at((0.3, 0.7), (1.5, 1.7)), (18, 44, 40))
    pen.rectangle(at((0.2, 0.5), (0.42, 0.74)), (150, 96, 74))
    pen.polygon(at((0.17, 0.5), (0.31, 0.34), (0.45, 0.5)), (96, 42, 46))
    pen.rectangle(at((0.24, 0.56), (0.29, 0.64)), (255, 214, 120))
    pen.rectangle(at((0.34, 0.58), (0.39, 0.74)), (64, 38, 34))
    return picture.resize((width, height), PIL.Image.Resampling.LANCZOS)


def blurred(runtime: Runtime, module: AotModule, source: Image, passes: int, label: str) -> Image:
    """Return a blurred copy of an image, in floats: many passes over 8-bit texels would lose precision."""
    width, height = source.extent
    between, result = (runtime.allocate_image(source.extent, "rgba16f") for _ in range(2))
    blur = module.kernels["blur"]
    rows = blur.bind(source=source, step_x=1.0, step_y=0.0, width=width, height=height, target=between)
    columns = blur.bind(source=between, step_x=0.0, step_y=1.0, width=width, height=height, target=result)
    for _ in command_line.progress(passes, label):
        rows()
        columns()
        rows.update(source=result)
    return result


def write_picture(runtime: Runtime, module: AotModule, out: Path, width: int, passes: int) -> None:
    import PIL.Image

    height = max(1, width * 3 // 4)
    source = runtime.image_from(draw(width, height))
    soft = blurred(runtime, module, source, passes, out.name)
    outlines = runtime.allocate_image(source.extent, "rgba8")
    module.kernels["edges"](source=source, strength=STRENGTH, width=width, height=height, target=outlines)
    floats = soft.to_numpy()
    pictures = source.to_pil(), PIL.Image.fromarray((floats * 255 + 0.5).astype(np.uint8)), outlines.to_pil()
    page = PIL.Image.new("RGB", (3 * width, height))
    for i, picture in enumerate(pictures):
        page.paste(picture.convert("RGB"), (i * width, 0))
    page.save(out)


def main() -> None:
    parser = command_line.parser(__doc__.splitlines()[0], ".png")
    parser.add_argument("--width", type=command_line.positive, default=480, help="of one (default: %(default)s)")
    parser.add_argument("--passes", type=command_line.positive, default=40, help="of the blur (default: %(default)s)")
    options = parser.parse_args()
    with command_line.open_module(options.module) as (runtime, module):
        write_picture(runtime, module, options.out, options.width, options.passes)
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
