"""Runs the kernels of `sparse_kernels` by the JIT, and prints what the fields hold, as Taichi's loops see it."""

import json

import numpy as np
import taichi as ti

ti.init(arch=ti.x64, offline_cache=False, log_level=ti.ERROR)

from helpers import sparse_kernels as source  # noqa: E402  # fields exist after init


def reader(name, part):
    """A kernel that reads the elements of a scalar field that exist."""
    first = ti.Vector(source.firsts[name], ti.i32)
    node = source.cells[name][0]

    @ti.kernel
    def read(out: ti.types.ndarray()):
        for index in ti.grouped(part):
            out[index - first] = part[index]

    @ti.kernel
    def read_lists(out: ti.types.ndarray(ndim=2)):  # Taichi's loops over dynamic nodes leave out elements
        for i in node:
            for j in range(out.shape[1]):
                out[i, j] = part[i, j]

    return read_lists if "list" in name else read


READERS = {name: [reader(name, part) for part in parts] for name, parts in source.numbers.items()}


def numbers(name):
    """The numbers of a field, 0 for those that do not exist."""
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
