"""The kernel of a path tracer: light that spheres and a floor reflect."""

import taichi as ti

from taichi_aot.build import export

ti.init(fast_math=False)

FAR = 1e6
BOUNCES = 6
COLOURS = ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=1)


@ti.func
def scramble(number: ti.u32) -> ti.u32:
    """Return a number that looks random, and is the same on every device."""
    word = number * ti.u32(747796405) + ti.u32(2891336453)
    word = ((word >> ((word >> ti.u32(28)) + ti.u32(4))) ^ word) * ti.u32(277803737)
    return (word >> ti.u32(22)) ^ word


@ti.func
def fraction(number: ti.u32) -> ti.f32:
    return ti.cast(number >> ti.u32(8), ti.f32) / 16777216.0


@ti.func
def sky(direction):
    """Return the light of a bright evening sky with the sun at the left."""
    up = ti.max(direction.y, 0.0)
    glow = ti.max(direction.dot(ti.Vector([-0.62, 0.53, -0.58])), 0.0)
    low, high = ti.Vector([1.0, 0.58, 0.34]), ti.Vector([0.1, 0.22, 0.55])
    return low + (high - low) * ti.sqrt(up) + ti.Vector([5.0, 3.6, 2.2]) * glow**24


@export(shapes={"spheres": "n", "colours": "n", "shine": "n", "picture": ("rows", "columns")})
@ti.kernel
def trace(
    samples: ti.i32,
    spheres: ti.types.ndarray(dtype=ti.types.vector(4, ti.f32), ndim=1),
    colours: COLOURS,
    shine: ti.types.ndarray(dtype=ti.f32, ndim=1),
    picture: ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=2),
):
    """Store the mean light of samples; spheres have a centre and a radius, and reflect with probability `shine`."""
    rows, columns = picture.shape[0], picture.shape[1]
    for i, j in picture:
        seed = scramble(ti.cast(i * columns + j, ti.u32))
        total = ti.Vector([0.0, 0.0, 0.0])
        for _ in range(samples):
            seed = scramble(seed)
            right = fraction(seed)
            seed = scramble(seed)
            at = ti.Vector([j + right - 0.5 * columns, 0.5 * rows - i - fraction(seed)]) / rows
            origin = ti.Vector([0.0, 1.15, 4.6])
            direction = ti.Vector([at.x, at.y - 0.16, -1.25]).normalized()
            light = ti.Vector([1.0, 1.0, 1.0])
            bounce = 0
            while bounce < BOUNCES:
                near, hit = FAR, -1
                for k in range(spheres.shape[0]):
                    away = origin - ti.Vector([spheres[k][0], spheres[k][1], spheres[k][2]])
                    half = away.dot(direction)
                    root = half * half - away.norm_sqr() + spheres[k][3] * spheres[k][3]
                    if root > 0.0:
                        distance = -half - ti.sqrt(root)
                        if 1e-3 < distance < near:
                            near, hit = distance, k
                colour, mirrors = ti.Vector([0.8, 0.8, 0.8]), 0.06
                normal = ti.Vector([0.0, 1.0, 0.0])
                if direction.y < -1e-4 and -origin.y / direction.y < near:
                    near = -origin.y / direction.y
                    hit = spheres.shape[0]
                if hit == -1:
                    total += light * sky(direction)
                    bounce = BOUNCES
                else:
                    origin += near * direction
                    if hit < spheres.shape[0]:
                        centre = ti.Vector([spheres[hit][0], spheres[hit][1], spheres[hit][2]])
                        normal = (origin - centre) / spheres[hit][3]
                        colour, mirrors = colours[hit], shine[hit]
                    elif (int(ti.floor(origin.x)) + int(ti.floor(origin.z))) % 2 != 0:
                        colour = ti.Vector([0.16, 0.18, 0.26])
                    origin += 1e-3 * normal
                    seed = scramble(seed)
                    if fraction(seed) < mirrors:
                        direction -= 2.0 * direction.dot(normal) * normal
                        colour = 0.5 * colour + 0.5
                    else:
                        seed = scramble(seed)
                        z = 1.0 - 2.0 * fraction(seed)
                        seed = scramble(seed)
                        angle, side = 6.2831853 * fraction(seed), ti.sqrt(ti.max(1.0 - z * z, 0.0))
                        ball = ti.Vector([side * ti.cos(angle), side * ti.sin(angle), z])
                        direction = (normal * 1.001 + ball).normalized()
                    light *= colour
                    bounce += 1
        picture[i, j] = total / samples
