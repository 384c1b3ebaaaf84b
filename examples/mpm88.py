"""A fluid in 2-D by the moving least squares material point method, after the well-known 88-line program.

This is the source of the module that ``python -m taichi_aot demo`` runs. Compile it anew (with ``pip install
taichi==1.7.4``) for each arch, on a machine that has it, by

    python examples/mpm88.py x64 taichi_aot/demo/mpm88-x64.tcm
    python examples/mpm88.py vulkan taichi_aot/demo/mpm88-vulkan.tcm
    python examples/mpm88.py cuda taichi_aot/demo/mpm88-cuda.tcm

The module holds the kernels and a compute graph ``substep`` that dispatches them in order.
"""

import argparse

import taichi as ti

GRID = 128  # cells per side of the unit square
SPACING = 1.0 / GRID
VOLUME = (SPACING * 0.5) ** 2  # of a particle; its density is 1, so that is its mass too
STIFFNESS = 400.0
WALL = 3  # cells along each side that nothing flows into
CPU_THREADS = 16  # at most; without this a kernel would never use more than the compiling machine has

VECTORS = ti.types.ndarray(dtype=ti.types.vector(2, ti.f32), ndim=1)
MATRICES = ti.types.ndarray(dtype=ti.types.matrix(2, 2, ti.f32), ndim=1)
SCALARS = ti.types.ndarray(dtype=ti.f32, ndim=1)
GRID_VECTORS = ti.types.ndarray(dtype=ti.types.vector(2, ti.f32), ndim=2)
GRID_SCALARS = ti.types.ndarray(dtype=ti.f32, ndim=2)


@ti.func
def weights(offset):
    """Quadratic B-spline over the three cells around a particle."""
    return [0.5 * (1.5 - offset) ** 2, 0.75 - (offset - 1.0) ** 2, 0.5 * (offset - 0.5) ** 2]


@ti.kernel
def clear_grid(momentum: GRID_VECTORS, mass: GRID_SCALARS):
    ti.loop_config(parallelize=CPU_THREADS)
    for cell in ti.grouped(mass):
        momentum[cell] = ti.Vector([0.0, 0.0])
        mass[cell] = 0.0


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
    ti.loop_config(parallelize=CPU_THREADS)
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


@ti.kernel
def move_grid(dt: ti.f32, gravity: ti.f32, momentum: GRID_VECTORS, mass: GRID_SCALARS):
    ti.loop_config(parallelize=CPU_THREADS)
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


@ti.kernel
def grid_to_particles(dt: ti.f32, x: VECTORS, v: VECTORS, affine: MATRICES, stretch: SCALARS, momentum: GRID_VECTORS):
    ti.loop_config(parallelize=CPU_THREADS)
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


def build_module(arch) -> ti.aot.Module:
    """The module with the four kernels and the graph."""
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

    module = ti.aot.Module(arch)
    for kernel in (clear_grid, particles_to_grid, move_grid, grid_to_particles):
        module.add_kernel(kernel)
    module.add_graph("substep", builder.compile())
    return module


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("arch", choices=["x64", "vulkan", "cuda"])
    parser.add_argument("out", help="archive to write, ending in .tcm")
    options = parser.parse_args()
    ti.init(arch=getattr(ti, options.arch), offline_cache=False, fast_math=False, cpu_max_num_threads=CPU_THREADS)
    if ti.lang.impl.current_cfg().arch != getattr(ti, options.arch):
        raise SystemExit(f"taichi has no {options.arch} here and would compile for another arch")
    build_module(getattr(ti, options.arch)).archive(options.out)


if __name__ == "__main__":
    main()
