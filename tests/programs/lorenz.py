"""Orbits of the Lorenz system by the Runge-Kutta method, in f64."""

import taichi as ti

from taichi_aot.build import export

VECTOR = ti.types.vector(3, ti.f64)

ti.init(default_fp=ti.f64)


@ti.func
def slope(p: VECTOR, sigma: ti.f64, rho: ti.f64, beta: ti.f64) -> VECTOR:
    return ti.Vector([sigma * (p.y - p.x), p.x * (rho - p.z) - p.y, p.x * p.y - beta * p.z])


@export
@ti.kernel
def orbit(
    steps: ti.i32,
    dt: ti.f64,
    sigma: ti.f64,
    rho: ti.f64,
    beta: ti.f64,
    points: ti.types.ndarray(dtype=VECTOR, ndim=1),
):
    for i in points:
        p = points[i]
        for _ in range(steps):
            a = slope(p, sigma, rho, beta)
            b = slope(p + 0.5 * dt * a, sigma, rho, beta)
            c = slope(p + 0.5 * dt * b, sigma, rho, beta)
            d = slope(p + dt * c, sigma, rho, beta)
            p += dt / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        points[i] = p
