"""Arguments of the kernels of Quadrants that tests build, and a program that runs those by Quadrants' own JIT.

``python quadrants_cases.py OUT`` writes what they leave in their arrays and return to a file of numpy.
"""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).parents[2] / "examples"
BODIES = {"gravity": 9.81, "friction": 0.5, "dt": 0.002, "steps": 400, "count": 100}  # of the example bodies.py


def cases():
    """Return for each kernel its arguments by name; those of a dataclass are a dict."""
    numbers = np.random.default_rng(7)
    real = numbers.random((40, 30), dtype=np.float32)
    exact = np.round(64 * real) / 64  # whose sums are the same in any order
    shape = (3, 4, 5)
    return {
        "saxpy": {"a": 1.7, "x": real[0].copy(), "y": real[1].copy()},
        "total": {"x": numbers.integers(-1000, 1000, 10007, dtype=np.int32)},
        "waves": {"x": 4 * real, "y": real.astype(np.float64) + 0.1},
        "integers": {
            "a": numbers.integers(-100, 100, shape, dtype=np.int8),
            "b": numbers.integers(0, 60000, shape, dtype=np.uint16),
            "c": numbers.integers(-(2**40), 2**40, shape, dtype=np.int64),
            "d": numbers.integers(0, 2**60, shape, dtype=np.uint64),
        },
        "halves": {"x": real[2].astype(np.float16)},
        "turn": {"m": real[:2, :3].copy(), "v": real[3, :3].copy(), "x": numbers.random((4, 6, 2), dtype=np.float32)},
        "pairs": {"x": numbers.integers(-9, 9, (5, 5), dtype=np.int32), "n": 5},
        "settle": {"x": real[11].copy(), "left": np.array(3, np.int32), "inner": np.array(0, np.int32)},
        "move": {
            "particles": {"place": real[5].copy(), "speed": real[6].copy(), "unused": real[7].copy(), "step": 0.25},
            "force": -9.81,
        },
        "put": {"ball": {"place": [0.5, 1.5, -2.0], "mass": 3.0}, "x": real[9, :6].copy()},
        "advance": {"dt": 0.25, "speed": real[10, :20].copy(), "count": 15},
        "bits": {"x": numbers.integers(-50, 50, 77, dtype=np.int32), "y": numbers.integers(0, 99, 6, dtype=np.int32)},
        "matrices": {"m": numbers.random((20, 3, 3), dtype=np.float32), "v": numbers.random((20, 3), dtype=np.float32)},
        "unpack": {"x": real[12].copy()},
        "rise": {"world": {"body": {"mass": exact[:4, 5].copy(), "step": 0.5}, "height": exact[:4, :5].copy()}},
    }


def cpu_cases():
    """Return those of the kernels in `quadrants_cpu_kernels`."""
    return {"wide": {"y": np.random.default_rng(8).random((40, 30)) + 0.1}}


def gradient_case():
    """Return the arguments of the kernel `energy`, and the gradient of `y`."""
    numbers = np.random.default_rng(9)
    x, y_grad = numbers.random((50, 2), dtype=np.float32), numbers.random(50, dtype=np.float32)
    return {"x": x, "at": numbers.permutation(50).astype(np.int32), "y": np.zeros(50, np.float32)}, y_grad


def results(name, arguments, returned):
    """Return what a kernel has left, as arrays by name."""
    if isinstance(returned, np.record):
        returned = returned.tolist()
    values = returned if isinstance(returned, (tuple, list)) else () if returned is None else (returned,)
    return _arrays(name, arguments) | {f"{name}.{i}": np.asarray(each) for i, each in enumerate(values)}


def _arrays(path, value):
    """Return the arrays of a value, and of what is in dicts, by their paths."""
    if isinstance(value, dict):
        return {key: each for part, inner in value.items() for key, each in _arrays(f"{path}.{part}", inner).items()}
    return {path: value} if isinstance(value, np.ndarray) else {}


def example(name):
    """Return a module of the examples."""
    if str(EXAMPLES) not in sys.path:
        sys.path.append(str(EXAMPLES))
    return import_module(name)


def run_by_quadrants():
    import quadrants as qd

    from helpers import quadrants_kernels as k

    def turn(m, v, x):
        return [np.asarray(each) for each in k.turn(qd.Matrix(m.tolist()), qd.Vector(v.tolist()), x)]

    def put(ball, x):
        returned = k.put(k.Ball(**ball), x)
        return returned.place.to_numpy(), returned.mass

    def advance(dt, speed, count):
        k.simulation.count = count
        k.simulation.speed.from_numpy(speed)
        k.simulation.advance(dt)
        speed[:] = k.simulation.speed.to_numpy()

    own = {
        "turn": turn,
        "put": put,
        "advance": advance,
        "move": lambda particles, force: k.move(k.Particles(**particles), force),
        "rise": lambda world: k.rise(k.World(k.Body(**world["body"]), k.grid, world["height"]), 0.5),
        "unpack": lambda x: k.unpack(x, None),
        "wide": import_module("helpers.quadrants_cpu_kernels").wide,  # whose fields need the start of the others
    }
    found = {}
    for name, given in (cpu_cases() | cases()).items():
        found |= results(name, given, (own.get(name) or getattr(k, name))(*given.values()))
    found |= _fallen() | {"gradient.x": _gradient(qd, k.energy)}
    for value in (0.5, 1.5):
        k.fill(value)
    return found | {f"field.{name}": getattr(k, name).to_numpy() for name in ("grid", "wind", "count")}


def _gradient(qd, kernel):
    """Return the gradient of `x`."""
    given, y_grad = gradient_case()
    x, y = qd.ndarray(qd.types.vector(2, qd.f32), 50, needs_grad=True), qd.ndarray(qd.f32, 50, needs_grad=True)
    x.from_numpy(given["x"])
    y.grad.from_numpy(y_grad)
    kernel.grad(x, given["at"], y)
    return x.grad.to_numpy()


def _fallen():
    """Return the arrays of the example after some steps."""
    arrays = {key: each.astype(np.float32) for key, each in example("bodies").start(BODIES["count"]).items()}
    kernels = example("bodies_kernels")
    balls = kernels.Bodies(**arrays)
    for _ in range(BODIES["steps"]):
        kernels.push(balls, BODIES["gravity"], BODIES["friction"])
        kernels.step(balls, BODIES["dt"])
    return {f"bodies.{key}": each for key, each in arrays.items()}


if __name__ == "__main__":
    np.savez(sys.argv[1], **run_by_quadrants())
