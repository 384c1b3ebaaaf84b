"""Kernels of pictures: a Julia set, a blur, and the edges of a picture; ``julia.py`` and ``edges.py`` run them.

If Taichi is installed (``pip install taichi==1.7.4``), they compile the module themselves. For a machine without it,
compile the module with

    python examples/picture_kernels.py pictures.tcm

and run the examples with ``--module pictures.tcm``. The arch is Vulkan: other archs do not have images.
"""

import argparse

import taichi as ti

ITERATIONS = 200
FAINT = 0.1  # slopes up to this, as in the sky, are not drawn as edges
FAR = 64.0  # beyond it, the colours of two iterations meet without a step

PICTURE = ti.types.texture(num_dimensions=2)
TARGET = ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.rgba8, lod=0)
FINE_TARGET = ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.rgba16f, lod=0)


@ti.func
def blend(low, high, share):
    return low + (high - low) * ti.min(ti.max(share, 0.0), 1.0)


@ti.func
def colour(share):
    """Return a colour between night blue, red, gold and white."""
    blue, red, gold = ti.Vector([0.02, 0.03, 0.12]), ti.Vector([0.62, 0.12, 0.25]), ti.Vector([1.0, 0.75, 0.25])
    low = blend(blue, red, share * 3.0)
    middle = blend(low, gold, share * 3.0 - 1.0)
    return blend(middle, ti.Vector([1.0, 1.0, 0.95]), share * 3.0 - 2.0)


@ti.func
def escape(z, c):
    """Return how soon z -> z^2 + c escapes: 0 for immediately, 1 for late or never."""
    count = 0
    while count < ITERATIONS and z.norm_sqr() < FAR * FAR:
        z = ti.Vector([z.x * z.x - z.y * z.y, 2.0 * z.x * z.y]) + c
        count += 1
    share = 1.0
    if count < ITERATIONS:
        smooth = count + 1.0 - ti.log(ti.log(z.norm()) / ti.log(FAR)) / ti.log(2.0)
        share = ti.log(ti.max(smooth, 1.0)) / ti.log(float(ITERATIONS))
    return share


@ti.kernel
def julia(real: ti.f32, imaginary: ti.f32, width: ti.i32, height: ti.i32, target: TARGET):
    """Store the Julia set of a constant, with the imaginary axis upwards, from four samples in each texel."""
    for x, y in ti.ndrange(width, height):
        rgb = ti.Vector([0.0, 0.0, 0.0])
        for i, j in ti.static(ti.ndrange(2, 2)):
            z = ti.Vector([x + 0.25 + 0.5 * i - 0.5 * width, 0.5 * height - y - 0.25 - 0.5 * j])
            rgb += 0.25 * colour(1.5 * escape(z * 3.3 / ti.min(width, height), ti.Vector([real, imaginary])) - 0.5)
        target.store(ti.Vector([x, y]), ti.Vector([rgb.x, rgb.y, rgb.z, 1.0]))


@ti.kernel
def blur(source: PICTURE, step_x: ti.f32, step_y: ti.f32, width: ti.i32, height: ti.i32, target: FINE_TARGET):
    """Blur a little along a step, of one texel to the right or down."""
    size = ti.Vector([ti.cast(width, ti.f32), ti.cast(height, ti.f32)])
    for x, y in ti.ndrange(width, height):
        total = ti.Vector([0.0, 0.0, 0.0, 0.0])
        # Between two texels the sampler returns their mean: two samples weigh three texels by 1/4, 1/2 and 1/4.
        for side in ti.static((-1.0, 1.0)):
            at = ti.Vector([x + 0.5 + side * 0.5 * step_x, y + 0.5 + side * 0.5 * step_y])
            # The sampler repeats the picture: beyond the centre of the last texel it would read the other side.
            at = ti.min(ti.max(at, 0.5), size - 0.5)
            total += 0.5 * source.sample_lod(at / size, 0.0)
        target.store(ti.Vector([x, y]), total)


@ti.kernel
def edges(source: PICTURE, strength: ti.f32, width: ti.i32, height: ti.i32, target: TARGET):
    """Store the edges, dark on white: the slope of the colours by Sobel's weights."""
    for x, y in ti.ndrange(width, height):
        right = ti.Vector([0.0, 0.0, 0.0, 0.0])
        down = ti.Vector([0.0, 0.0, 0.0, 0.0])
        for i, j in ti.static(ti.ndrange((-1, 2), (-1, 2))):
            at = ti.Vector([ti.min(ti.max(x + i, 0), width - 1), ti.min(ti.max(y + j, 0), height - 1)])
            texel = source.fetch(at, 0)
            right += i * (2 - abs(j)) * texel
            down += j * (2 - abs(i)) * texel
        slope = ti.sqrt((right * right + down * down).sum())  # the alpha of a picture is even and adds nothing
        shade = 1.0 - ti.min(ti.max(strength * (slope - FAINT), 0.0), 1.0)
        target.store(ti.Vector([x, y]), ti.Vector([shade, shade, shade, 1.0]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", help="archive to write, ending in .tcm")
    options = parser.parse_args()
    ti.init(arch=ti.vulkan, offline_cache=False)
    if ti.lang.impl.current_cfg().arch != ti.vulkan:
        raise SystemExit("taichi has no vulkan here and would compile for another arch")
    module = ti.aot.Module(ti.vulkan)
    for kernel in (julia, blur, edges):
        module.add_kernel(kernel)
    module.archive(options.out)


if __name__ == "__main__":
    main()
