"""Launches that are measured to crash, hang or corrupt when they reach the library: each in a child process."""

import pytest

PRELUDE = """
import sys
import numpy as np
from taichi_aot import Runtime
ARCH, FOLDER = sys.argv[1:3]
rt = Runtime(ARCH)
module = rt.load_module(FOLDER + "/basic.tcm")
saxpy, twice, store = module.kernels["saxpy"], module.graphs["twice"], module.kernels["store"]
x, y = rt.full(8, 1.0, "f32"), rt.zeros(8)
ints = rt.zeros(1, "i32")
table = rt.load_module(FOLDER + "/table.tcm")

def expect(error, *uses):
    for use in uses:
        try:
            use()
        except error as caught:
            print("refused:", type(caught).__name__, caught)
        else:
            raise SystemExit("it went through")
"""

ROWS = {
    "fewer arguments": "expect(TypeError, lambda: saxpy(), lambda: saxpy(1.0), lambda: twice(1.0, x), lambda: twice())",
    "more arguments": "expect(TypeError, lambda: saxpy(1.0, x, y, y), lambda: twice(1.0, x, y, 1), "
    "lambda: twice(a=1.0, x=x, y=y, z=y))",
    "a scalar for an ndarray": "expect(TypeError, lambda: saxpy(1.0, 2.0, y), lambda: twice(1.0, x, 3))",
    "a matrix for an ndarray": "expect(TypeError, lambda: saxpy(1.0, [1.0, 2.0], y), lambda: twice(1.0, x, [[1]]))",
    "an ndarray for a scalar": "expect(TypeError, lambda: saxpy(x, x, y), lambda: twice(x, x, y))",
    "an ndarray for a matrix": "m = table.kernels['matrix_f32']\nexpect(TypeError, lambda: m(x, y), "
    "lambda: table.graphs['graph_matrix_f32'](x, y))",
    "a float for an integer": "expect(TypeError, lambda: store(1.5, 0.0, ints, x), lambda: store(x, 0.0, ints, x))",
    "too many dimensions": "z = rt.zeros((2, 2))\nexpect(TypeError, lambda: saxpy(1.0, z, y), "
    "lambda: twice(1.0, x, z))",
    "too few dimensions": "z = rt.zeros(())\nexpect(TypeError, lambda: saxpy(1.0, z, y), lambda: twice(1.0, x, z))",
    "13 dimensions": "expect(ValueError, lambda: rt.zeros((1,) * 13), lambda: rt.zeros((1,) * 1000))",
    "a wrong dtype": "z = rt.zeros(8, 'f64')\nexpect(TypeError, lambda: saxpy(1.0, z, y), lambda: twice(1.0, x, z))",
    "a wrong element shape": "z = rt.zeros(8, 'f32', 3)\nexpect(TypeError, lambda: saxpy(1.0, z, y), "
    "lambda: twice(1.0, x, z))",
    "a product over 2^31": "expect(ValueError, lambda: rt.zeros((2**16, 2**15)), lambda: rt.zeros((2**31 - 1, 2)))",
    "freed memory": "y.close()\nexpect(ValueError, lambda: saxpy(1.0, x, y), lambda: twice(1.0, x, y))",
    "freed memory, through its Memory": "y.memory.close()\nexpect(ValueError, lambda: saxpy(1.0, x, y), y.to_numpy)",
    "memory of another runtime": "z = Runtime(ARCH).zeros(8)\nexpect(ValueError, lambda: saxpy(1.0, z, y), "
    "lambda: twice(1.0, x, z))",
    "a destroyed runtime": "rt.close()\nexpect(ValueError, lambda: saxpy(1.0, x, y), lambda: twice(1.0, x, y), "
    "rt.wait)",
    "a destroyed module": "module.close()\nexpect(ValueError, lambda: saxpy(1.0, x, y), lambda: twice(1.0, x, y), "
    "lambda: module.kernels['swap'])",
    "a missing name": "expect(KeyError, lambda: module.kernels['nothing'], lambda: module.graphs['nothing'], "
    "lambda: module.kernels['saxpy\\0'])",
    "size 0 and sizes beyond all memory": "expect(ValueError, lambda: rt.allocate(0))\n"
    "expect(MemoryError, lambda: rt.allocate(10**18), lambda: rt.allocate(2**64 - 1))",
    "a map without host flags": "m = rt.allocate(64)\nexpect(ValueError, lambda: m.map().__enter__())",
    "a map after free": "m = rt.allocate(64, host_read=True)\nm.close()\n"
    "expect(ValueError, lambda: m.map().__enter__())",
    "free while mapped": "m = x.map()\nview = m.__enter__()\nexpect(BufferError, x.close)\nassert view.sum() == 8",
}
FINE = {
    "0-sized arrays": "e = rt.zeros(0)\nsaxpy(1.0, e, e)\ntwice(1.0, e, e)\nrt.wait()\nassert e.to_numpy().size == 0",
    "free twice": "m = rt.allocate(64)\nm.close()\nm.close()\na, b = rt.zeros(16), rt.full(16, 1.0)\n"
    "assert a.to_numpy().sum() == 0",
    "map twice": "with x.map() as a, x.map() as b:\n    a[0] = 5\n    assert b[0] == 5\nassert x.to_numpy()[0] == 5",
    "destroy while mapped": "m = x.map()\nview = m.__enter__()\nrt.close()\nassert view.sum() == 8",
    "arguments overwritten after the launch": "z = rt.full(8, 1.0, 'f32')\nfor i in range(50):\n"
    "    saxpy(float(i), z, y)\nassert y.to_numpy()[0] == sum(range(50))",
    "a host write after the launch": "saxpy(1.0, x, y)\nx.fill(100)\nassert y.to_numpy()[0] == 1",
}


@pytest.mark.parametrize("row", ROWS)
def test_what_would_crash_is_an_exception(arch, modules, child, row):
    expected = ROWS[row].count("lambda") or ROWS[row].count("expect(")
    done = child(PRELUDE + ROWS[row] + "\nprint('alive')\n", arch, modules)
    lines = done.stdout.splitlines()
    assert lines[-1] == "alive"
    assert sum(line.startswith("refused: ") for line in lines) >= expected


@pytest.mark.parametrize("row", FINE)
def test_what_looks_dangerous_is_fine(arch, modules, child, row):
    assert child(PRELUDE + FINE[row] + "\nprint('alive')\n", arch, modules).stdout == "alive\n"
