"""The kernels of bodies.py, for the compiler Quadrants."""

import dataclasses

import quadrants as qd

from taichi_aot.build import export

Number = qd.types.ndarray(dtype=qd.f32, ndim=1)
Vector = qd.types.ndarray(dtype=qd.types.vector(3, qd.f32), ndim=1)
Rotation = qd.types.ndarray(dtype=qd.types.vector(4, qd.f32), ndim=1)  # quaternions, the real part first


@dataclasses.dataclass
class Bodies:
    """Balls: ten arrays, each with an element for each ball."""

    position: Vector
    velocity: Vector
    force: Vector
    rotation: Rotation
    spin: Vector
    torque: Vector
    inverse_mass: Number
    inverse_inertia: Number
    radius: Number
    bounce: Number


@export
@qd.kernel
def push(bodies: Bodies, gravity: qd.f32, friction: qd.f32):
    """Set the forces: gravity, and the floor's friction where a ball touches it."""
    for i in bodies.position:
        force = qd.Vector([0.0, -gravity / bodies.inverse_mass[i], 0.0])
        torque = qd.Vector([0.0, 0.0, 0.0])
        if bodies.position[i][1] <= bodies.radius[i]:
            arm = qd.Vector([0.0, -bodies.radius[i], 0.0])
            slip = bodies.velocity[i] + bodies.spin[i].cross(arm)
            drag = -friction * qd.Vector([slip[0], 0.0, slip[2]])
            force += drag
            torque = arm.cross(drag)
        bodies.force[i] = force
        bodies.torque[i] = torque


@export
@qd.kernel
def step(bodies: Bodies, dt: qd.f32):
    """Move and turn the balls, which bounce off the floor."""
    for i in bodies.position:
        velocity = bodies.velocity[i] + dt * bodies.inverse_mass[i] * bodies.force[i]
        spin = bodies.spin[i] + dt * bodies.inverse_inertia[i] * bodies.torque[i]
        position = bodies.position[i] + dt * velocity
        if position[1] < bodies.radius[i] and velocity[1] < 0.0:
            position[1] = bodies.radius[i]
            velocity[1] *= -bodies.bounce[i]
        w, x, y, z = bodies.rotation[i][0], bodies.rotation[i][1], bodies.rotation[i][2], bodies.rotation[i][3]
        turned = bodies.rotation[i] + 0.5 * dt * qd.Vector(
            [
                -spin[0] * x - spin[1] * y - spin[2] * z,
                spin[0] * w + spin[1] * z - spin[2] * y,
                spin[1] * w + spin[2] * x - spin[0] * z,
                spin[2] * w + spin[0] * y - spin[1] * x,
            ]
        )
        bodies.rotation[i] = turned / turned.norm()
        bodies.position[i], bodies.velocity[i], bodies.spin[i] = position, velocity, spin
