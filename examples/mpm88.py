"""A fluid in 2-D by the moving least squares material point method, after the well-known 88-line program.

These are the kernels of ``python -m taichi_aot demo``. Compile them (with ``pip install taichi==1.7.4``) by

    python -m taichi_aot build examples/mpm88.py --arch x64,vulkan,cuda

The bundle has the kernels and a compute graph ``substep`` that dispatches them in order.
``.ci/make_demo.py`` compresses it for the demo.
"""

import taichi as ti

from taichi_aot.build import export

GRID = 128  # cells per side of the unit square
SPACING = 1.0 / GRID
VOLUME = (SPACING * 0.5) ** 2  # of a particle; its density is 1, so that is its mass too
STIFFNESS = 400.0
WALL = 3  # cells along each side that nothing flows into

ti.init(fast_math=False)

VECTORS = ti.types.ndarray(dtype=ti.types.vector(2, ti.f32), ndim=1)
MATRICES = ti.types.ndarray(dtype=ti.types.matrix(2, 2, ti.f32), ndim=1)
SCALARS = ti.types.ndarray(dtype=ti.f32, ndim=1)
GRID_VECTORS = ti.types.ndarray(dtype=ti.types.vector(2, ti.f32), ndim=2)
GRID_SCALARS = ti.types.ndarray(dtype=ti.f32, ndim=2)


@ti.func
def weights(offset):
    """Quadratic B-spline over the three cells around a particle."""
    return [0.5 * (1.5 - offset) ** 2, 0.75 - (offset - 1.0) ** 2, 0.5 * (offset - 0.5) ** 2]


@export(shapes={"momentum": ("rows", "columns"), "mass": ("rows", "columns")})
@ti.kernel
def clear_grid(momentum: GRID_VECTORS, mass: GRID_SCALARS):
    for cell in ti.grouped(mass):
        momentum[cell] = ti.Vector([0.0, 0.0])
        mass[cell] = 0.0


@export(shapes={"x": "n", "v": "n", "affine": "n", "stretch": "n", "momentum": (GRID, GRID), "mass": (GRID, GRID)})
@ti.kernel
def particles_to_grid(
    dt: ti.f32,
    x: VECTORS,
    v: VECTORS,
    affine: MATRICES,
    stretch: SCALARS,
    momentum: GRID_VECTORS,
    mass: GRID_SCALARS,
):
    for p in x:
        base = int(x[p] * GRID - 0.5)
        offset = x[p] * GRID - base
        w = weights(offset)
        pressure = -dt * 4.0 * STIFFNESS * VOLUME * (stretch[p] - 1.0) * GRID * GRID
        change = ti.Matrix([[pressure, 0.0], [0.0, pressure]]) + VOLUME * affine[p]
        for i, j in ti.static(ti.ndrange(3, 3)):
            distance = (ti.Vector([i, j]) - offset) * SPACING
            weight = w[i].x * w[j].y
            cell = base + ti.Vector([i, j])
            momentum[cell] += weight * (VOLUME * v[p] + change @ distance)
            mass[cell] += weight * VOLUME


@export(shapes={"momentum": ("rows", "columns"), "mass": ("rows", "columns")})
@ti.kernel
def move_grid(dt: ti.f32, gravity: ti.f32, momentum: GRID_VECTORS, mass: GRID_SCALARS):
    for i, j in mass:
        velocity = ti.Vector([0.0, 0.0])
        if mass[i, j] > 0.0:
            velocity = momentum[i, j] / mass[i, j]
        velocity.y -= dt * gravity
        if (i < WALL and velocity.x < 0.0) or (i > GRID - WALL and velocity.x > 0.0):
            velocity.x = 0.0
        if (j < WALL and velocity.y < 0.0) or (j > GRID - WALL and velocity.y > 0.0):
            velocity.y = 0.0
        momentum[i, j] = velocity


@export(shapes={"x": "n", "v": "n", "affine": "n", "stretch": "n", "momentum": (GRID, GRID)})
@ti.kernel
def grid_to_particles(dt: ti.f32, x: VECTORS, v: VECTORS, affine: MATRICES, stretch: SCALARS, momentum: GRID_VECTORS):
    for p in x:
        base = int(x[p] * GRID - 0.5)
        offset = x[p] * GRID - base
        w = weights(offset)
        velocity = ti.Vector([0.0, 0.0])
        gradient = ti.Matrix([[0.0, 0.0], [0.0, 0.0]])
        for i, j in ti.static(ti.ndrange(3, 3)):
            distance = (ti.Vector([i, j]) - offset) * SPACING
            weight = w[i].x * w[j].y
            cell_velocity = momentum[base + ti.Vector([i, j])]
            velocity += weight * cell_velocity
            gradient += 4.0 * weight * cell_velocity.outer_product(distance) * GRID * GRID
        v[p] = velocity
        x[p] += dt * velocity
        stretch[p] *= 1.0 + dt * gradient.trace()
        affine[p] = gradient


def _substep() -> ti.graph.Graph:
    """The four kernels in order."""
    kind = ti.graph.ArgKind
    dt = ti.graph.Arg(kind.SCALAR, "dt", ti.f32)
    gravity = ti.graph.Arg(kind.SCALAR, "gravity", ti.f32)
    x = ti.graph.Arg(kind.NDARRAY, "x", ti.types.vector(2, ti.f32), ndim=1)
    v = ti.graph.Arg(kind.NDARRAY, "v", ti.types.vector(2, ti.f32), ndim=1)
    affine = ti.graph.Arg(kind.NDARRAY, "affine", ti.types.matrix(2, 2, ti.f32), ndim=1)
    stretch = ti.graph.Arg(kind.NDARRAY, "stretch", ti.f32, ndim=1)
    momentum = ti.graph.Arg(kind.NDARRAY, "momentum", ti.types.vector(2, ti.f32), ndim=2)
    mass = ti.graph.Arg(kind.NDARRAY, "mass", ti.f32, ndim=2)

    builder = ti.graph.GraphBuilder()
    builder.dispatch(clear_grid, momentum, mass)
    builder.dispatch(particles_to_grid, dt, x, v, affine, stretch, momentum, mass)
    builder.dispatch(move_grid, dt, gravity, momentum, mass)
    builder.dispatch(grid_to_particles, dt, x, v, affine, stretch, momentum)
    return builder.compile()


substep = _substep()
