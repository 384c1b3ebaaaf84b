"""Run the kernels of `sparse_kernels` through the JIT, and print the fields as Taichi's loops see them."""

import json

import numpy as np
import taichi as ti

ti.init(arch=ti.x64, offline_cache=False, log_level=ti.ERROR)

from helpers import sparse_kernels as source  # noqa: E402  # fields exist after init


def reader(name, part):
    """Return a kernel that reads the existing elements of a scalar field."""
    first = ti.Vector(source.firsts[name], ti.i32)
    node = source.cells[name][0]

    @ti.kernel
    def read(out: ti.types.ndarray()):
        for index in ti.grouped(part):
            out[index - first] = part[index]

    @ti.kernel
    def read_lists(out: ti.types.ndarray(ndim=2)):  # Taichi's loops over dynamic nodes skip elements
        for i in node:
            for j in range(out.shape[1]):
                out[i, j] = part[i, j]

    return read_lists if "list" in name else read


READERS = {name: [reader(name, part) for part in parts] for name, parts in source.numbers.items()}


def numbers(name):
    """Return the numbers of a field, with 0 for elements that do not exist."""
    found = []
    for read in READERS[name]:
        array = np.zeros(source.shapes[name])
        read(array)
        found.append(array)
    return np.stack(found, -1).ravel().tolist()


seen = {}
for kernel in (source.number_all, source.deactivate, source.number_some):
    kernel()
    seen[kernel.__name__] = {name: numbers(name) for name in source.cells}
print(json.dumps(seen))
