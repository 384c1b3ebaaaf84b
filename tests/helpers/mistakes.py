"""Mistakes in files of kernels, and how their errors begin."""

from __future__ import annotations

KERNEL = "@export\n@ti.kernel\n"

# Statements of ``def fill(x: F32_1D)``: the line of the error after the `def`, and its reason.
STATEMENTS = {
    "for i in x:\n    x[i] = nothing": (
        2,
        'Name "nothing" is not defined here: import it, or assign it in this block or',
    ),
    "for i in x:\n    try:\n        x[i] = 1\n    except ValueError:\n        pass": (
        2,
        "kernels cannot have this statement of Python (Try): move it out of the kernel",
    ),
    "with open('f'):\n    x[0] = 1": (
        1,
        "kernels cannot have this statement of Python (With): move it out of the kernel",
    ),
    "f = lambda a: a\nx[0] = f(1)": (
        1,
        "kernels cannot have this statement of Python (Lambda): move it out of the kernel",
    ),
    "def f(a):\n    return a\nx[0] = f(1)": (1, "Function definition is not allowed in 'ti.kernel'."),
    "x[1:] = 0": (1, "a kernel cannot slice an ndarray: loop over its indices"),
    "x = 1": (1, 'Kernel argument "x" is immutable in the kernel. If you want to change its'),
    "a = 'a'\nx[0] = a + 1": (1, "a kernel cannot have a value of type str: use numbers, vectors and matrices"),
    "i = 0\nwhile i < 3:\n    i += 1\nelse:\n    x[0] = 1": (
        2,
        "'else' clause for 'while' not supported in Taichi kernels",
    ),
    "for i in x:\n    x[i] = 1\nelse:\n    x[0] = 1": (1, "'else' clause for 'for' not supported in Taichi kernels"),
    "for i in x:\n    break": (2, "Cannot break in the outermost loop"),
    "for i in ti.static(range(3)):\n    if x[0] > 1:\n        break\n    x[i] = 1": (
        2,
        "You are trying to `break` a static `for` loop, but the `break` statement is",
    ),
    "for i in [1, 2, 3]:\n    x[i] = 1": (1, "a kernel cannot loop over a list: unroll the loop by ti.static(...)"),
    "for i, v in enumerate(x):\n    x[i] = v": (
        1,
        "a kernel cannot treat an ndarray as a sequence: loop over its indices, `for i",
    ),
    "for i in range(0, 8, 2):\n    x[i] = 1": (
        1,
        "Range should have 1 or 2 arguments, found 3: loop over `range(n)`, and",
    ),
    "for i in ti.ndrange(2.5):\n    x[i] = 1": (
        1,
        "TypeError when calling `ndrange`: Every argument of ndrange should be an",
    ),
    "for i in ti.ndrange(2, 3):\n    x[i] = 1": (
        1,
        "Ndrange for loop with number of the loop variables not equal to the dimension",
    ),
    "for i, j in x:\n    x[i] = 1": (1, "IndexError: Number of struct-for indices does not match loop variable"),
    "for i in x:\n    x[i, 0] = 1": (2, "Array with dim 1 accessed with indices of dim 2"),
    "x[1.5] = 1": (1, "indices must be integers, however 'f32' is provided as index 0"),
    "x[0] = x.nothing": (1, "an ndarray has no attribute 'nothing' in a kernel, where it has a shape and elements"),
    "a = ti.Vector([1.0, 2.0])\nb = ti.Vector([1.0, 2.0, 3.0])\nx[0] = (a + b)[0]": (
        3,
        "unsupported operand type(s) for '+': '[Tensor (2) f32]' and '[Tensor (3) f32]'",
    ),
    "a = ti.Matrix([[1.0, 2.0]])\nx[0] = (a @ a)[0, 0]": (
        2,
        "dimension mismatch between (1, 2) and (1, 2) for matrix multiplication",
    ),
    "a = ti.Matrix([[1.0, 2.0], [3.0]])\nx[0] = a[0, 0]": (
        1,
        "the compiler fails without a reason: check the types and shapes here",
    ),
    "a = ti.Matrix([[1.0, 2.0, 3.0]])\nx[0] = a.determinant()": (2, "expected a square matrix, got shape (1, 3)"),
    "a = ti.Vector([1.0, 2.0])\nx[0] = a.cross(ti.Vector([1.0, 2.0, 3.0]))[0]": (
        2,
        "required shapes to be the same, got shapes [(2,), (3,)]",
    ),
    "x[0] = x[0] & 1": (1, "unsupported operand type(s) for '&': 'f32' and 'i32'"),
    "if ti.Vector([1, 2]):\n    x[0] = 1": (
        1,
        "`if` conditions must be an integer; found [Tensor (2) i32]. Consider using",
    ),
    "a = 1\na = ti.Vector([1, 2])\nx[0] = a": (
        0,
        "the compiler fails without a reason: check the types and shapes here",
    ),
    "if x[0] > 0:\n    a = 1\nx[0] = a": (
        3,
        'Name "a" is not defined here: import it, or assign it in this block or in one',
    ),
    "fill(x)": (1, "a kernel cannot call kernel fill: decorate fill with @ti.func, or call it"),
    "ti.static_assert(1 == 2, 'sizes differ')\nx[0] = 1": (1, "AssertionError: sizes differ"),
    "for i in ti.static(x):\n    x[i] = 1": (
        1,
        "a kernel cannot treat an ndarray as a sequence: loop over its indices, `for i",
    ),
    "s = f'{x[0]}'\nx[0] = s": (1, "a kernel cannot have a value of type str: use numbers, vectors and matrices"),
    "print('{:d}'.format(x[0]))": (1, "'d' doesn't match 'f32'."),
    "ti.atomic_add(1, 2)": (1, "cannot use a non-writable target as the first operand of 'atomic_add'"),
    "for i in x:\n    for i in range(3):\n        x[i] = 1": (
        2,
        "Variable 'i' is already declared in the outer scope and cannot be used as",
    ),
    "for i in x:\n    i = 3\n    x[i] = 1": (0, "the compiler fails without a reason: check the types and shapes here"),
    "a = [v for v in x]\nx[0] = a[0]": (
        1,
        "a kernel cannot treat an ndarray as a sequence: loop over its indices, `for i",
    ),
    "a, *b = ti.Vector([1, 2, 3])\nx[0] = a": (1, "The number of targets is not equal to value length"),
    "a, b, c = ti.Vector([1, 2])\nx[0] = a": (1, "The number of targets is not equal to value length"),
    "x[0] = len(x)": (1, "a kernel cannot treat an ndarray as a sequence: loop over its indices"),
    "x[0] = x.size": (1, "an ndarray has no attribute 'size' in a kernel, where it has a shape and elements"),
    "x[0] = x.shape[1]": (1, "IndexError: list index out of range"),
    "x[0] = sum(x)": (1, "a kernel cannot treat an ndarray as a sequence: loop over its indices, `for i"),
    "x[0] = ti.cast(1, 'f32')": (1, "f32 is not a type of Taichi here: use one such as ti.f32"),
    "x[0] = ti.sine(1.0)": (1, "taichi has no attribute sine"),
    "x[0] = 1 // 0": (1, "ZeroDivisionError: integer division or modulo by zero"),
    "x[0] = 2 ** 70": (1, "Integer literal 1180591620717411303424 exceeded the range of default_ip: i32,"),
    "ti.loop_config(nothing=1)\nfor i in x:\n    x[i] = 1": (
        1,
        "TypeError when calling `loop_config`: loop_config() got an unexpected keyword",
    ),
    "assert x, 1": (1, "an ndarray is given where a number is needed: index it"),
    "if x[0] is None:\n    x[0] = 1": (1, 'Operator "is" in Taichi scope is not supported.'),
    "if 1 in x:\n    x[0] = 1": (1, '"In" is only supported inside `ti.static`.'),
    "x[0] = 'a' if x[0] > 1 else 2": (1, "a kernel cannot have a value of type str: use numbers, vectors and matrices"),
    "for i in x:\n    total += x[i]": (
        2,
        'Name "total" is not defined here: import it, or assign it in this block or in',
    ),
    "a: int = 'a'\nx[0] = a": (1, "a kernel cannot have a value of type type: use numbers, vectors and matrices"),
    "match 1:\n    case 1:\n        x[0] = 1": (
        1,
        "kernels cannot have this statement of Python (Match): move it out of the kernel",
    ),
    "class A: pass": (1, "kernels cannot have this statement of Python (ClassDef): move it out of the kernel"),
    "x[0] = (x[1]\n        + nothing\n        + x[2])": (
        2,
        'Name "nothing" is not defined here: import it, or assign it in this block or',
    ),
}

# Whole sources, which begin in line 6.
SOURCES = {
    "untyped parameter": (
        KERNEL + "def fill(x):\n    for i in x:\n        x[i] = 1",
        "kernel fill (kernels.py, line 8): parameter x has no type: write x: ti.f32,",
    ),
    "np.ndarray annotation": (
        "import numpy as np\n@export\n@ti.kernel\ndef fill(x: np.ndarray):\n    for i in x:\n        x[i] = 1",
        "kernel fill (kernels.py, line 9): parameter x is annotated ndarray, which is not a",
    ),
    "value annotation": (
        KERNEL + "def fill(a: 3, x: F32_1D):\n    for i in x:\n        x[i] = a",
        "kernel fill (kernels.py, line 8): parameter a is annotated 3, which is not a type of Taichi: write a: ti.f32",
    ),
    "str dtype annotation": (
        KERNEL + "def fill(a: 'f32', x: F32_1D):\n    for i in x:\n        x[i] = a",
        "kernel fill (kernels.py, line 8): annotations are strings, such as 'f32', and",
    ),
    "ndarray type positional swapped": (
        KERNEL + "def fill(x: ti.types.ndarray(1, ti.f32)):\n    for i in x:\n        x[i] = 1",
        "kernel fill (kernels.py, line 8): parameter x is an ndarray whose ndim is",
    ),
    "ti.ndarray as annotation": (
        KERNEL + "def fill(x: ti.ndarray(ti.f32, 1)):\n    for i in x:\n        x[i] = 1",
        "kernel fill (kernels.py, line 8): parameter x is annotated taichi.lang._ndarray.ScalarNdarray, which is not a",
    ),
    "numpy dtype annotation": (
        "import numpy as np\n"
        "@export\n"
        "@ti.kernel\n"
        "def fill(a: np.float32, x: F32_1D):\n"
        "    for i in x:\n"
        "        x[i] = a",
        "kernel fill (kernels.py, line 9): parameter a is annotated float32, which is not a type of Taichi: write a: "
        "ti.f32",
    ),
    "npt annotation": (
        "import numpy as np\n"
        "import numpy.typing as npt\n"
        "@export\n"
        "@ti.kernel\n"
        "def fill(x: npt.NDArray[np.float32]):\n"
        "    for i in x:\n"
        "        x[i] = a",
        "kernel fill (kernels.py, line 10): parameter x is annotated ndarray, which is not a",
    ),
    "text": (
        KERNEL + "def fill(x: F32_1D, name: str):\n    for i in x:\n        x[i] = 1",
        "kernel fill (kernels.py, line 8): parameter name is annotated str, which is not a type of Taichi: pass a "
        "number, name: ti.i32, or a text that the build knows, name: ti.template()",
    ),
    "misspelt argument of export": (
        '@export(shape={"x": "n"})\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1',
        "kernels.py, line 6: TypeError: export() got an unexpected keyword argument 'shape'; it has name, shapes, "
        "template_types, grad; did you mean 'shapes'?",
    ),
    "misspelt argument of add_kernel": (
        "@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1\ndef build(module):\n    module.add_kernel(fill, shape={})",
        "kernels.py, line 10: TypeError: add_kernel() got an unexpected keyword argument 'shape'; it has kernel_fn, "
        "template_args, name, shapes, grad; did you mean 'shapes'?",
    ),
    "default value": (
        KERNEL + "def fill(x: F32_1D, a: ti.f32 = 1.0):\n    for i in x:\n        x[i] = a",
        "kernel fill (kernels.py, line 8): Taichi kernels do not support default",
    ),
    "star args": (
        KERNEL + "def fill(*x: F32_1D):\n    pass",
        "kernel fill (kernels.py, line 8): Taichi kernels do not support variable",
    ),
    "keyword only": (
        KERNEL + "def fill(x: F32_1D, *, a: ti.f32):\n    for i in x:\n        x[i] = a",
        "kernel fill (kernels.py, line 8): Taichi kernels do not support keyword parameters",
    ),
    "undefined in func": (
        "@ti.func\n"
        "def helper(a):\n"
        "    return a + nothing\n"
        "@export\n"
        "@ti.kernel\n"
        "def fill(x: F32_1D):\n"
        "    for i in x:\n"
        "        x[i] = helper(1.0)",
        'kernel fill (kernels.py, line 8, in helper): Name "nothing" is not defined',
    ),
    "two funcs deep": (
        "@ti.func\n"
        "def inner(a):\n"
        "    return a.nothing\n"
        "@ti.func\n"
        "def outer(a):\n"
        "    return inner(a)\n"
        "@export\n"
        "@ti.kernel\n"
        "def fill(x: F32_1D):\n"
        "    for i in x:\n"
        "        x[i] = outer(1.0)",
        "kernel fill (kernels.py, line 8, in inner): a number has no attribute 'nothing'",
    ),
    "func with wrong args": (
        "@ti.func\n"
        "def helper(a, b):\n"
        "    return a + b\n"
        "@export\n"
        "@ti.kernel\n"
        "def fill(x: F32_1D):\n"
        "    for i in x:\n"
        "        x[i] = helper(1.0)",
        "kernel fill (kernels.py, line 13): the function is called without its parameter b",
    ),
    "func with too many args": (
        "@ti.func\n"
        "def helper(a):\n"
        "    return a\n"
        "@export\n"
        "@ti.kernel\n"
        "def fill(x: F32_1D):\n"
        "    for i in x:\n"
        "        x[i] = helper(1.0, 2.0)",
        "kernel fill (kernels.py, line 13): the function is called with more arguments",
    ),
    "python func raises": (
        "def helper(a):\n"
        "    return {}['k']\n"
        "@export\n"
        "@ti.kernel\n"
        "def fill(x: F32_1D):\n"
        "    for i in x:\n"
        "        x[i] = helper(1.0)",
        "kernel fill (kernels.py, line 7, in helper): KeyError: 'k'",
    ),
    "global": (
        "count = 0\n@export\n@ti.kernel\ndef fill(x: F32_1D):\n    global count\n    count = 1",
        "kernel fill (kernels.py, line 10): kernels cannot have this statement of",
    ),
    "zip": (
        KERNEL + "def fill(x: F32_1D, y: F32_1D):\n    for a, b in zip(x, y):\n        a = b",
        "kernel fill (kernels.py, line 9): a kernel cannot treat an ndarray as a",
    ),
    "too few indices": (
        KERNEL + "def fill(x: ti.types.ndarray(ti.f32, 2)):\n    for i, j in x:\n        x[i] = 1",
        "kernel fill (kernels.py, line 10): Array with dim 2 accessed with indices of dim 1",
    ),
    "index a scalar": (
        KERNEL + "def fill(x: F32_1D, a: ti.f32):\n    x[0] = a[0]",
        "kernel fill (kernels.py, line 9): the compiler fails without a reason: check",
    ),
    "scalar to vector array": (
        KERNEL + "def fill(x: ti.types.ndarray(ti.math.vec3, 1)):\n    x[0] = ti.Vector([1.0, 2.0])",
        "kernel fill (kernels.py, line 9): cannot assign '[Tensor (2) f32]' to",
    ),
    "swizzle": (
        KERNEL + "def fill(x: ti.types.ndarray(ti.math.vec2, 1)):\n    x[0].z = 1.0",
        "kernel fill (kernels.py, line 9): vec2 only has attributes=('x', 'y'), got=('z',)",
    ),
    "missing return": (
        KERNEL + "def total(x: F32_1D) -> ti.f32:\n    x[0] = 1",
        "kernel total (kernels.py, line 8): Kernel has a return type but does not have",
    ),
    "return without type": (
        KERNEL + "def total(x: F32_1D):\n    return x[0]",
        "kernel total (kernels.py, line 9): A kernel with a return value must be",
    ),
    "return in loop": (
        KERNEL + "def total(x: F32_1D) -> ti.f32:\n    for i in x:\n        return x[i]",
        "kernel total (kernels.py, line 10): Return inside non-static if/for is not",
    ),
    "return in if": (
        KERNEL + "def total(x: F32_1D) -> ti.f32:\n    if x[0] > 0:\n        return 1.0\n    return 2.0",
        "kernel total (kernels.py, line 10): Return inside non-static if/for is not",
    ),
    "return of array": (
        KERNEL + "def total(x: F32_1D) -> F32_1D:\n    return x",
        "kernel total (kernels.py, line 8): NdarrayType(dtype=f32, ndim=1,",
    ),
    "return tuple": (
        KERNEL + "def total(x: F32_1D) -> (ti.f32, ti.f32):\n    return x[0]",
        "kernel total (kernels.py, line 9): a number is given where a tuple or vector",
    ),
    "return vector for scalar": (
        KERNEL + "def total(x: F32_1D) -> ti.f32:\n    return ti.Vector([1.0, 2.0])",
        "kernel total (kernels.py, line 9): the returned value is not a single number,",
    ),
    "recursion func": (
        "@ti.func\n"
        "def fact(n):\n"
        "    return n * fact(n - 1)\n"
        "@export\n"
        "@ti.kernel\n"
        "def fill(x: F32_1D):\n"
        "    x[0] = fact(3)",
        "kernel fill (kernels.py, line 8, in fact): a function calls itself, and the",
    ),
    "kernel in kernel": (
        "@ti.kernel\ndef other(x: F32_1D):\n    x[0] = 1\n@export\n@ti.kernel\ndef fill(x: F32_1D):\n    other(x)",
        "kernel fill (kernels.py, line 12): a kernel cannot call kernel other:",
    ),
    "ti.func at python scope": (
        "@ti.func\ndef f(a):\n    return a\nf(1)",
        "kernels.py, line 9: Taichi functions cannot be called from Python-scope.",
    ),
    "ti.static of value": (
        KERNEL + "def fill(x: F32_1D, n: ti.i32):\n    for i in ti.static(range(n)):\n        x[i] = 1",
        "kernel fill (kernels.py, line 9): this value must be known when the kernel is",
    ),
    "template of nothing": (
        KERNEL + "def fill(t: ti.template(), x: F32_1D):\n    x[0] = t",
        "kernel fill (kernels.py, line 8): parameter t is a template, which needs a",
    ),
    "array for a function": (
        "@ti.func\ndef first(x):\n    return x[0]\n\n\n"
        + KERNEL
        + "def fill(x: F32_1D):\n    for i in x:\n        x[i] = first(x)",
        "kernel fill (kernels.py, line 7, in first): an ndarray is given where a number is needed",
    ),
    "field in kernel unplaced": (
        "grid = ti.field(ti.f32)\n@export\n@ti.kernel\ndef fill():\n    for i in grid:\n        grid[i] = 1",
        "kernels.py, line 6: a field has no shape and is not placed: give each",
    ),
    "field index dims": (
        "grid = ti.field(ti.f32, shape=4)\n"
        "export_field('grid', grid)\n"
        "@export\n"
        "@ti.kernel\n"
        "def fill():\n"
        "    for i in grid:\n"
        "        grid[i, 0] = 1",
        "kernel fill (kernels.py, line 12): Field with dim 1 accessed with indices of dim 2",
    ),
    "numpy in kernel": (
        "import numpy as np\n@export\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = np.sin(x[1])",
        "kernel fill (kernels.py, line 10): TypeError when calling `sin`: loop of",
    ),
    "numpy array global": (
        "import numpy as np\n"
        "A = np.zeros(3)\n"
        "@export\n"
        "@ti.kernel\n"
        "def fill(x: F32_1D):\n"
        "    for i in x:\n"
        "        x[i] = A[i]",
        "kernel fill (kernels.py, line 12): an index that is computed by the kernel",
    ),
    "math in kernel": (
        "import math\n@export\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = math.sin(x[1])",
        "kernel fill (kernels.py, line 10): TypeError when calling `sin`: must be real",
    ),
    "list global": (
        "A = [1, 2, 3]\n@export\n@ti.kernel\ndef fill(x: F32_1D):\n    for i in x:\n        x[i] = A[i]",
        "kernel fill (kernels.py, line 11): an index that is computed by the kernel",
    ),
    "assign to parameter": (
        KERNEL + "def fill(x: F32_1D, a: ti.f32):\n    a = 2.0\n    x[0] = a",
        'kernel fill (kernels.py, line 9): Kernel argument "a" is immutable in the',
    ),
    "wrong ti attr at import": (
        "V = ti.types.ndarry(ti.f32, 1)",
        "kernels.py, line 6: taichi.types has no attribute ndarry",
    ),
    "ti.init wrong option": (
        "ti.init(arch=ti.cpu, nonsense=1)\n@export\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1",
        "kernels.py, line 6: KeyError: 'Unrecognized keyword argument(s) for ti.init:",
    ),
    "ti.init wrong fp": (
        "ti.init(arch=ti.cpu, default_fp=ti.i32)\n@export\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1",
        "kernels.py, line 6: the compiler fails without a reason: check the types and",
    ),
    "ti.init wrong arch": (
        "ti.init(arch=ti.nothing)\n@export\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1",
        "kernels.py, line 6: taichi has no attribute nothing",
    ),
    "syntax error": ("def f(:\n    pass", "kernels.py, line 6: SyntaxError: invalid syntax"),
    "indentation": (
        KERNEL + "def fill(x: F32_1D):\nx[0] = 1",
        "kernels.py, line 9: IndentationError: expected an indented block after",
    ),
    "import missing": ("import nothing_of_this_name", "kernels.py, line 6: ModuleNotFoundError: No module named"),
    "name twice": (
        KERNEL + "def fill(x: F32_1D):\n    x[0] = 1\n" + KERNEL + "def fill(x: F32_1D):\n    x[0] = 2",
        "kernel fill (kernels.py, line 12): the module has a kernel fill already",
    ),
    "exit": ("import sys\nsys.exit(3)", "kernels.py, line 7: SystemExit: 3"),
    "export func": (
        "@export\n@ti.func\ndef f(a):\n    return a",
        "kernels.py, line 6: f is not a kernel: decorate it with @ti.kernel",
    ),
    "export class": (
        "@export\nclass A: pass",
        "kernels.py, line 6: TypeError: @export is for kernels, not for the class A",
    ),
    "export wrong shapes": (
        "@export(shapes={'z': 'n'})\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1",
        "kernels.py, line 6: ValueError: fill has no parameter 'z' to state a shape",
    ),
    "export shape str in tuple": (
        "@export(shapes={'x': 1.5})\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1",
        "kernels.py, line 6: TypeError: fill: shape of x: a shape is a symbol, an int,",
    ),
    "export positional": (
        "@export({'x': 'n'})\n@ti.kernel\ndef fill(x: F32_1D):\n    x[0] = 1",
        "kernels.py, line 6: TypeError: the name of an exported kernel is a string, not dict",
    ),
    "method without data_oriented": (
        "class Box:\n    @export\n    @ti.kernel\n    def fill(self, x: F32_1D):\n        x[0] = 1",
        "kernel fill (kernels.py, line 9): it is a method: add it in a function",
    ),
    "build with wrong args": (
        KERNEL + "def fill(x: F32_1D):\n    x[0] = 1\ndef build():\n    pass",
        "kernels.py, line 10: build() needs one parameter, the module: def build(module)",
    ),
    "build add unknown": (
        KERNEL + "def fill(x: F32_1D):\n    x[0] = 1\ndef build(module):\n    module.add(fill)",
        "kernels.py, line 11: the module has no method add; it has add_kernel,",
    ),
    "build add not kernel": (
        "def build(module):\n    module.add_kernel(3)",
        "kernels.py, line 7: 3 is not a kernel: decorate it with @ti.kernel",
    ),
    "raise at import": ("raise ValueError('the table is empty')", "kernels.py, line 6: ValueError: the table is empty"),
    "struct member": (
        "P = ti.types.struct(a=ti.f32)\n@export\n@ti.kernel\ndef fill(x: F32_1D):\n    p = P(a=1.0)\n    x[0] = p.b",
        "kernel fill (kernels.py, line 11): AttributeError: 'Struct3' object has no",
    ),
    "texture args": (
        KERNEL + "def fill(t: ti.types.texture(2), x: F32_1D):\n    x[0] = t.fetch(0, 0).x",
        "kernel fill (kernels.py, line 8): parameter t is a texture, which x64 does",
    ),
    "async": (
        KERNEL + "async def fill(x: F32_1D):\n    pass",
        "kernel fill (kernels.py, line 8): kernels cannot have this statement of",
    ),
}
