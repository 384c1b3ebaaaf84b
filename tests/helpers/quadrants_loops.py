"""The kernels of `vector_kernels` with Quadrants in the place of Taichi: their arguments, and what calls leave.

``python quadrants_loops.py SOURCE GIVEN OUT`` calls those of a file by Quadrants' own JIT.
"""

import importlib.util
import inspect
import sys
from pathlib import Path

import numpy as np

from taichi_aot.values._dtypes import numpy_dtype

SHAPES = {1: (1031,), 2: (1031, 40), 3: (7, 9, 40)}
NUMBERS = {"n": 900, "a": 1.7, "top": 2, "bottom": 20}
# They draw random numbers, read what another task writes, or write what another one writes too.
UNORDERED = ("drawn", "shifted", "of_looked_up_field")
SUMS = ("total.return", "field_total.sum_field")  # whose terms have no order


def write_source(path):
    """Write the kernels to a file."""
    taichi = Path(__file__).with_name("vector_kernels.py").read_text()
    path.write_text(taichi.replace("import taichi as ti", "import quadrants as ti"))


def arguments(kernels):
    """Return the arguments of kernels by the names of both, ``KERNEL.PARAMETER``, from their signatures."""
    generator, found = np.random.default_rng(3), {}
    for name, kernel in kernels.items():
        if name not in UNORDERED:
            found |= {f"{name}.{each.name}": _argument(each, generator) for each in kernel.signature.parameters}
    return found


def _argument(parameter, generator):
    if parameter.kind != "ndarray":
        return np.asarray(NUMBERS[parameter.name])
    dtype, shape = numpy_dtype(parameter.dtype), SHAPES[parameter.ndim] + parameter.elem_shape
    if dtype.kind == "f":
        return generator.normal(0, 2, shape).astype(dtype)
    return generator.integers(0, 1000, shape).astype(dtype)


def call_all(kernels, fields, given):
    """Call kernels; return what they leave in arrays and fields and return, by ``KERNEL.NAME``."""
    found = {}
    for name, kernel in kernels.items():
        if name in UNORDERED:
            continue
        own = {key.partition(".")[2]: each.copy() for key, each in given.items() if key.startswith(f"{name}.")}
        for number, (read, write) in enumerate(fields.values()):
            write(np.random.default_rng(number).normal(0, 2, read().shape).astype(np.float32))
        returned = kernel(*(each if each.ndim else each.item() for each in own.values()))
        found |= {f"{name}.{key}": each for key, each in own.items() if each.ndim}
        found |= {f"{name}.{key}": read() for key, (read, _) in fields.items()} if not own else {}
        found |= {f"{name}.return": np.asarray(returned)} if returned is not None else {}
    return found


def call_by_jit(source, given, out):
    """Call the kernels of a file by Quadrants' own JIT, with arguments of a file, and write a file."""
    spec = importlib.util.spec_from_file_location("loops", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kernels = {name: each for name, each in inspect.getmembers(module) if hasattr(each, "_primal")}
    fields = {name: each for name, each in inspect.getmembers(module) if hasattr(each, "from_numpy")}
    pairs = {name: (each.to_numpy, each.from_numpy) for name, each in fields.items()}
    with np.load(given) as file:
        np.savez(out, **call_all(kernels, pairs, dict(file)))


if __name__ == "__main__":
    call_by_jit(*sys.argv[1:])
