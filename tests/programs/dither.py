"""Error diffusion to black and white, in a loop that is not parallel."""

import taichi as ti

from taichi_aot.build import export

PICTURE = ti.types.ndarray(dtype=ti.i32, ndim=2)


@ti.func
def push(picture: ti.template(), i, j, error):
    if i < picture.shape[0] and 0 <= j < picture.shape[1]:
        picture[i, j] += error


@export
@ti.kernel
def dither(picture: PICTURE) -> ti.i32:
    white = 0
    ti.loop_config(serialize=True)
    for i in range(picture.shape[0]):
        for j in range(picture.shape[1]):
            old = picture[i, j]
            new = 255 if old > 127 else 0
            picture[i, j] = new
            white += int(new == 255)
            error = old - new
            push(picture, i, j + 1, (7 * error) >> 4)
            push(picture, i + 1, j - 1, (3 * error) >> 4)
            push(picture, i + 1, j, (5 * error) >> 4)
            push(picture, i + 1, j + 1, error >> 4)
    return white
