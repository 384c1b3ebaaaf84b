"""Julia sets, animated: a kernel stores each frame into an image, and pillow writes them as a GIF.

    python examples/julia.py julia.gif

The constants go once around the edge of the Mandelbrot set's largest part, where Julia sets are richest.
"""

from __future__ import annotations

import cmath
import math
from pathlib import Path

import command_line
from taichi_aot import AotModule, Runtime

OUTSIDE = 1.05  # times the edge: there, the sets are about to fall apart
MILLISECONDS = 60  # per frame
COLOURS = 32  # in the palette of a frame


def write_frames(runtime: Runtime, module: AotModule, out: Path, size: int, count: int) -> None:
    image = runtime.allocate_image((size, size), "rgba8")
    draw = module.kernels["julia"].bind(real=0.0, imaginary=0.0, width=size, height=size, target=image)
    frames = []
    for i in command_line.progress(count, out.name):
        turn = cmath.exp(2j * math.pi * i / count)
        constant = OUTSIDE * (turn / 2 - turn**2 / 4)
        draw.update(real=constant.real, imaginary=constant.imag)
        draw()
        frames.append(image.to_pil().convert("RGB").quantize(COLOURS))
    frames[0].save(out, save_all=True, append_images=frames[1:], duration=MILLISECONDS, loop=0)


def main() -> None:
    parser = command_line.parser(__doc__.splitlines()[0], ".gif")
    parser.add_argument("--size", type=command_line.positive, default=320, help="in pixels (default: %(default)s)")
    parser.add_argument("--frames", type=command_line.positive, default=80, help="default: %(default)s")
    options = parser.parse_args()
    with command_line.open_module(options.module) as (runtime, module):
        write_frames(runtime, module, options.out, options.size, options.frames)
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
