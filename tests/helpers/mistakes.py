"""Mistakes in files of kernels, and how their errors begin."""

from __future__ import annotations

import textwrap

KERNEL = "@export\n@ti.kernel\n"


def fill(statements: str, parameters: str = "x: F32_1D") -> str:
    """Return a kernel with these statements."""
    return f"{KERNEL}def fill({parameters}):\n{textwrap.indent(statements, '    ')}"


def at(line: int, reason: str, kernel: str = "fill", function: str = "") -> str:
    """Return how an error begins, in a file whose imports are five lines."""
    return f"kernel {kernel} (kernels.py, line {line}{function and f', in {function}'}): {reason}"


def outside(line: int, reason: str) -> str:
    """Return how an error begins that is not in a kernel."""
    return f"kernels.py, line {line}: {reason}"


# Statements of ``def fill(x: F32_1D)``, which is in line 8.
STATEMENTS = {
    "for i in x:\n    x[i] = nothing": at(
        10, 'Name "nothing" is not defined here: import it, or assign it in this block or'
    ),
    "for i in x:\n    try:\n        x[i] = 1\n    except ValueError:\n        pass": at(
        10, "kernels cannot have this statement of Python (Try): move it out of the kernel"
    ),
    "x[1:] = 0": at(9, "a kernel cannot slice an ndarray: loop over its indices"),
    "a = 'a'\nx[0] = a + 1": at(9, "a kernel cannot have a value of type str: use numbers, vectors and matrices"),
    "for i in [1, 2, 3]:\n    x[i] = 1": at(9, "a kernel cannot loop over a list: unroll the loop by ti.static(...)"),
    "for i, v in enumerate(x):\n    x[i] = v": at(
        9, "a kernel cannot treat an ndarray as a sequence: loop over its indices, `for i"
    ),
    "for i in range(0, 8, 2):\n    x[i] = 1": at(
        9, "Range should have 1 or 2 arguments, found 3: loop over `range(n)`, and"
    ),
    "x[0] = x.nothing": at(9, "an ndarray has no attribute 'nothing' in a kernel, where it has a shape and elements"),
    "a = ti.Matrix([[1.0, 2.0], [3.0]])\nx[0] = a[0, 0]": at(
        9, "the compiler fails without a reason: check the types and shapes here"
    ),
    "if x[0] > 0:\n    a = 1\nx[0] = a": at(
        11, 'Name "a" is not defined here: import it, or assign it in this block or in one'
    ),
    "fill(x)": at(9, "a kernel cannot call kernel fill: decorate fill with @ti.func, or call it"),
    "ti.static_assert(1 == 2, 'sizes differ')\nx[0] = 1": at(9, "AssertionError: sizes differ"),
    "for i in range(ti.i64(3_000_000_000)):\n    x[0] = i": at(
        9, "a loop from 0 to 3,000,000,000 has too many iterations: it counts with i32, at most"
    ),
    "for i in range(-2_000_000_000, 200_000_000):\n    x[0] = i": at(
        9, "a loop from -2,000,000,000 to 200,000,000 has"
    ),
    "s = f'{x[0]}'\nx[0] = s": at(9, "a kernel cannot have a value of type str: use numbers, vectors and matrices"),
    "for i in x:\n    i = 3\n    x[i] = 1": at(
        8, "the compiler fails without a reason: check the types and shapes here"
    ),
    "a = 1.0\na = ti.math.vec3(1)\nx[0] = a.x": at(
        11, "a number of f32 is not a vector: a variable keeps the type of its first value"
    ),
    "m = ti.Matrix.zero(ti.f32, x.shape[0], 2)\nx[0] = m[0, 0]": at(9, "this value must be known when the kernel is"),
    "f = ti.field(ti.f32, 3)\nx[0] = 1": at(9, "a kernel cannot call field of this object: create arrays and fields"),
    "x[0] = len(x)": at(9, "a kernel cannot treat an ndarray as a sequence: loop over its indices"),
    "x[0] = x.size": at(9, "an ndarray has no attribute 'size' in a kernel, where it has a shape and elements"),
    "x[0] = ti.cast(1, 'f32')": at(9, "f32 is not a type of Taichi here: use one such as ti.f32"),
    "x[0] = ti.sine(1.0)": at(9, "taichi has no attribute sine"),
    "ti.loop_config(nothing=1)\nfor i in x:\n    x[i] = 1": at(
        9, "TypeError when calling `loop_config`: loop_config() got an unexpected keyword"
    ),
    "assert x, 1": at(9, "an ndarray is given where a number is needed: index it"),
    "a: int = 'a'\nx[0] = a": at(9, "a kernel cannot have a value of type type: use numbers, vectors and matrices"),
    "x[0] = (x[1]\n        + nothing\n        + x[2])": at(
        10, 'Name "nothing" is not defined here: import it, or assign it in this block or'
    ),
}

MISTAKES = {
    **{fill(statements): error for statements, error in STATEMENTS.items()},
    fill("for i in x:\n    x[i] = 1", "x"): at(8, "parameter x has no type: write x: ti.f32,"),
    "import numpy as np\n" + fill("for i in x:\n    x[i] = 1", "x: np.ndarray"): at(
        9, "parameter x is annotated ndarray, which is not a"
    ),
    fill("for i in x:\n    x[i] = a", "a: 3, x: F32_1D"): at(
        8, "parameter a is annotated 3, which is not a type of Taichi: write a: ti.f32"
    ),
    fill("for i in x:\n    x[i] = 1", "x: ti.types.ndarray(1, ti.f32)"): at(
        8, "parameter x is an ndarray whose ndim is"
    ),
    fill("for i in x:\n    x[i] = 1", "x: ti.ndarray(ti.f32, 1)"): at(
        8, "parameter x is annotated taichi.lang._ndarray.ScalarNdarray, which is not a"
    ),
    "import numpy as np\n" + fill("for i in x:\n    x[i] = a", "a: np.float32, x: F32_1D"): at(
        9, "parameter a is annotated float32, which is not a type of Taichi: write a: ti.f32"
    ),
    fill("for i in x:\n    x[i] = 1", "x: F32_1D, name: str"): at(
        8,
        "parameter name is annotated str, which is not a type of Taichi: pass a number, name: ti.i32, or a "
        "text that the build knows, name: ti.template()",
    ),
    '@export(shape={"x": "n"})\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1': outside(
        6,
        "TypeError: export() got an unexpected keyword argument 'shape'; "
        "it has name, shapes, template_types, grad; did you mean 'shapes'?",
    ),
    "@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1\ndef build(module):\n    module.add_kernel(fill, "
    "shape={})": outside(
        10,
        "TypeError: add_kernel() got an unexpected keyword argument 'shape'; "
        "it has kernel_fn, template_args, name, shapes, grad; did you mean 'shapes'?",
    ),
    fill("for i in x:\n    x[i] = a", "x: F32_1D, a: ti.f32 = 1.0"): at(
        8, "Taichi kernels do not support default values for arguments: pass the value in each call"
    ),
    fill("x[0] = 1", "x: F32_1D, *args"): at(
        8, "Taichi kernels do not support variable positional parameters (i.e., *args): name each parameter"
    ),
    fill("x[0] = a", "x: F32_1D, *, a: ti.f32"): at(
        8, "Taichi kernels do not support keyword parameters: remove the * or / between the parameters"
    ),
    fill("b[0, 0] += x[0]", "b: ti.types.sparse_matrix_builder(), x: F32_1D"): at(
        8, "parameter b is a sparse matrix builder, which a module cannot have: write rows, columns and values to"
    ),
    fill("x[0] = 1").replace("def ", "async def "): at(8, "a kernel cannot be async: write def"),
    "export(ti.kernel(lambda x: x))": outside(6, "kernel <lambda> is not a function that `def` defines"),
    "f = ti.field(ti.f32, (), needs_grad=True)\nwith ti.ad.Tape(f):\n    pass": outside(
        7, "the source uses ti.ad.Tape. A build compiles without running anything"
    ),
    "f = ti.field(ti.f32, 4)\nf.fill(1)": outside(7, "the source writes into a field. A build compiles"),
    "@ti.func\ndef helper(a):\n    return a + nothing\n" + fill("for i in x:\n    x[i] = helper(1.0)"): at(
        8, 'Name "nothing" is not defined', function="helper"
    ),
    "@ti.func\ndef inner(a):\n    return a.nothing\n@ti.func\ndef outer(a):\n    return inner(a)\n"
    + fill("for i in x:\n    x[i] = outer(1.0)"): at(8, "a number has no attribute 'nothing'", function="inner"),
    "@ti.func\ndef helper(a, b):\n    return a + b\n" + fill("for i in x:\n    x[i] = helper(1.0)"): at(
        13, "the function is called without its parameter b"
    ),
    "@ti.func\ndef helper(a):\n    return a\n" + fill("for i in x:\n    x[i] = helper(1.0, 2.0)"): at(
        13, "the function is called with more arguments"
    ),
    "def helper(a):\n    return {}['k']\n" + fill("for i in x:\n    x[i] = helper(1.0)"): at(
        7, "KeyError: 'k'", function="helper"
    ),
    fill("x[0] = a[0]", "x: F32_1D, a: ti.f32"): at(9, "the compiler fails without a reason: check"),
    KERNEL + "def total(x: F32_1D) -> ti.f32:\n    for i in x:\n        return x[i]": at(
        10, "Return inside non-static if/for is not", kernel="total"
    ),
    KERNEL + "def total(x: F32_1D) -> F32_1D:\n    return x": at(8, "NdarrayType(dtype=f32, ndim=1,", kernel="total"),
    KERNEL + "def total(x: F32_1D) -> (ti.f32, ti.f32):\n    return x[0]": at(
        9, "a number is given where a tuple or vector", kernel="total"
    ),
    KERNEL + "def total(x: F32_1D) -> ti.f32:\n    return ti.Vector([1.0, 2.0])": at(
        9, "the returned value is not a single number,", kernel="total"
    ),
    "@ti.func\ndef fact(n):\n    return n * fact(n - 1)\n" + fill("x[0] = fact(3)"): at(
        8, "a function calls itself, and the", function="fact"
    ),
    "@ti.kernel\ndef other(x: F32_1D):\n    x[0] = 1\n" + fill("other(x)"): at(
        12, "a kernel cannot call kernel other:"
    ),
    fill("for i in ti.static(range(n)):\n    x[i] = 1", "x: F32_1D, n: ti.i32"): at(
        9, "this value must be known when the kernel is"
    ),
    "@ti.func\ndef first(x):\n    return x[0]\n\n\n" + fill("for i in x:\n    x[i] = first(x)"): at(
        7, "an ndarray is given where a number is needed", function="first"
    ),
    "import numpy as np\n" + fill("x[0] = np.sin(x[1])"): at(10, "TypeError when calling `sin`: loop of"),
    "import numpy as np\nA = np.zeros(3)\n" + fill("for i in x:\n    x[i] = A[i]"): at(
        12, "an index that is computed by the kernel"
    ),
    "V = ti.types.ndarry(ti.f32, 1)": outside(6, "taichi.types has no attribute ndarry"),
    "ti.init(arch=ti.cpu, nonsense=1)\n" + fill("x[0] = 1"): outside(
        6, "KeyError: 'Unrecognized keyword argument(s) for ti.init:"
    ),
    "ti.init(arch=ti.cpu, default_fp=ti.i32)\n" + fill("x[0] = 1"): outside(
        6, "the compiler fails without a reason: check the types and"
    ),
    "ti.init(arch=ti.nothing)\n" + fill("x[0] = 1"): outside(6, "taichi has no attribute nothing"),
    "def f(:\n    pass": outside(6, "SyntaxError: invalid syntax"),
    KERNEL + "def fill(x: F32_1D):\nx[0] = 1": outside(9, "IndentationError: expected an indented block after"),
    "import nothing_of_this_name": outside(6, "ModuleNotFoundError: No module named"),
    fill("x[0] = 1") + "\n" + fill("x[0] = 2"): at(12, "the module has a kernel fill already"),
    "import sys\nsys.exit(3)": outside(7, "SystemExit: 3"),
    "@export\nclass A: pass": outside(6, "TypeError: @export is for kernels, not for the class A"),
    "@export(shapes={'z': 'n'})\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1": outside(
        6, "ValueError: fill has no parameter 'z' to state a shape"
    ),
    "@export(shapes={'x': 1.5})\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1": outside(
        6, "TypeError: fill: shape of x: a shape is a symbol, an int,"
    ),
    "@export({'x': 'n'})\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1": outside(
        6, "TypeError: the name of an exported kernel is a string, not dict"
    ),
    fill("x[0] = 1") + "\ndef build():\n    pass": outside(
        10, "build() needs one parameter, the module: def build(module)"
    ),
    fill("x[0] = 1") + "\ndef build(module):\n    module.add(fill)": outside(
        11, "the module has no method add; it has add_kernel,"
    ),
    "def build(module):\n    module.add_kernel(3)": outside(7, "3 is not a kernel: decorate it with @ti.kernel"),
    "raise ValueError('the table is empty')": outside(6, "ValueError: the table is empty"),
    "P = ti.types.struct(a=ti.f32)\n" + fill("p = P(a=1.0)\nx[0] = p.b"): at(
        11, "AttributeError: 'Struct3' object has no"
    ),
}
