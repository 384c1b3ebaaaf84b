"""Drop balls that spin and bounce, by kernels of Quadrants that take one dataclass of ten arrays.

taichi-aot build examples/bodies_kernels.py     # where Quadrants is installed
python examples/bodies.py bodies_kernels.tib
"""

import argparse
from dataclasses import dataclass, fields

import numpy as np

import taichi_aot


@dataclass
class Bodies:
    """The arrays of the balls, by the names that the kernels use."""

    position: taichi_aot.NdArray
    velocity: taichi_aot.NdArray
    force: taichi_aot.NdArray
    rotation: taichi_aot.NdArray
    spin: taichi_aot.NdArray
    torque: taichi_aot.NdArray
    inverse_mass: taichi_aot.NdArray
    inverse_inertia: taichi_aot.NdArray
    radius: taichi_aot.NdArray
    bounce: taichi_aot.NdArray


def start(count: int) -> dict[str, np.ndarray]:
    """Return the numbers of so many balls at rest above the floor, each with a sideways speed."""
    random = np.random.default_rng(1)
    radius = random.uniform(0.1, 0.3, count)
    inverse_mass = 1 / (1000 * 4 / 3 * np.pi * radius**3)
    return {
        "position": random.uniform((-5, 1, -5), (5, 4, 5), (count, 3)),
        "velocity": random.uniform(-1, 1, (count, 3)) * (1, 0, 1),
        "force": np.zeros((count, 3)),
        "rotation": np.tile((1.0, 0.0, 0.0, 0.0), (count, 1)),
        "spin": np.zeros((count, 3)),
        "torque": np.zeros((count, 3)),
        "inverse_mass": inverse_mass,
        "inverse_inertia": inverse_mass / (0.4 * radius**2),
        "radius": radius,
        "bounce": random.uniform(0.3, 0.8, count),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Drop balls that spin and bounce.")
    parser.add_argument("module", help="bodies_kernels.tib")
    parser.add_argument("--arch", default="cpu")
    parser.add_argument("--steps", type=int, default=2000)
    options = parser.parse_args()
    with taichi_aot.Runtime(options.arch) as rt:
        kernels = rt.load_module(options.module).kernels
        numbers = start(1000)
        bodies = Bodies(
            *(rt.asarray(numbers[each.name], "f32", elem_shape=numbers[each.name].shape[1:]) for each in fields(Bodies))
        )
        push = kernels["push"].bind(bodies, gravity=9.81, friction=0.5)
        step = kernels["step"].bind(bodies, dt=0.002)
        rt.sequence([push, step])(repeat=options.steps)
        height = bodies.position.to_numpy()[:, 1] - bodies.radius.to_numpy()
        turned = np.linalg.norm(bodies.spin.to_numpy(), axis=1)
        print(f"{options.steps} steps: mean height {height.mean():.3f} m, mean spin {turned.mean():.2f} rad/s")


if __name__ == "__main__":
    main()
