"""What the lines of `planted.py` mean, in the same order: type checkers accept all of it."""

from __future__ import annotations

import numpy as np
from kernels_aot import Functions, Kernels, load

import taichi_aot
from taichi_aot import NdArray, Runtime, build, function

numbers = np.ones(3, np.float32)
wide = np.ones(3, np.float64)

rt = Runtime("cuda")
fields = taichi_aot.load("kernels.tib", arch="vulkan")
module: Kernels = load("opengl")
shared = taichi_aot.default_runtime("x64", device=0)
x: NdArray = rt.zeros(3, "f32")
z = rt.asarray(numbers, np.float64)
module.saxpy(2.0, x, x)
module.saxpy(2.0, x, y=x)
module.saxpy(2.0, rt.asarray(numbers), x)
module.saxpy(x.to_numpy()[0], x, x)
module.saxpy(x=x, a=2.0, y=x)
module.saxpy(0, x, x)
module.saxpy(np.float64(2.0), x, x)
module.saxpy.bind(2.0, x, x).update(a=3.0)
module.turn([0, 1, 2], np.eye(2), 7)
print(module.dot(x, x) + 1)
print(x.to_numpy())
f = function("a.tib", "saxpy", out="y")
print(Functions("cpu").saxpy(2.0, wide.astype(np.float32), numbers))
build.build("kernels.py")
