"""Twenty mistakes of users, with the rules of mypy and pyright that report them."""

from __future__ import annotations

import numpy as np
from kernels_aot import Functions, Kernels, load

import taichi_aot
from taichi_aot import NdArray, Runtime, build, function

numbers = np.ones(3, np.float32)
wide = np.ones(3, np.float64)

rt = Runtime("cudda")  # mypy: arg-type; pyright: reportArgumentType
fields = taichi_aot.load("kernels.tib", arch="vulcan")  # mypy: arg-type; pyright: reportArgumentType
module: Kernels = load("opencl")  # mypy: arg-type; pyright: reportArgumentType
shared = taichi_aot.default_runtime("x64", device="0")  # mypy: arg-type; pyright: reportArgumentType
x: NdArray = rt.zeros(3, "f33")  # mypy: call-overload; pyright: reportCallIssue; pyright: reportArgumentType
z = rt.asarray(numbers, np.complex64)  # mypy: type-var; pyright: reportCallIssue; pyright: reportArgumentType
module.saxpy(2.0, x)  # mypy: call-arg; pyright: reportCallIssue
module.saxpy(2.0, x, x, x)  # mypy: call-arg; pyright: reportCallIssue
module.saxpy(2.0, [1, 2], x)  # mypy: arg-type; pyright: reportArgumentType
module.saxpy(x, x, x)  # mypy: arg-type; pyright: reportArgumentType
module.saxpy(x=2.0, a=2.0, y=x)  # mypy: arg-type; pyright: reportArgumentType
module.saxpy(None, x, x)  # mypy: arg-type; pyright: reportArgumentType
module.saxpi(2.0, x, x)  # mypy: attr-defined; pyright: reportAttributeAccessIssue
module.saxpy.bind(2.0, x, x).update(b=3.0)  # mypy: call-arg; pyright: reportCallIssue
module.turn([0.5, 1.5, 2.5], np.eye(2), 7)  # mypy: list-item; pyright: reportArgumentType
print(module.dot(x, x).to_numpy())  # mypy: attr-defined; pyright: reportAttributeAccessIssue
print(x.to_nunpy())  # mypy: attr-defined; pyright: reportAttributeAccessIssue
f = function("a.tib", "saxpy", out=4)  # mypy: call-overload; pyright: reportCallIssue; pyright: reportArgumentType
print(Functions("cpu").saxpy(2.0, wide, numbers))  # mypy: arg-type; pyright: reportArgumentType
build.build(b"kernels.py")  # mypy: arg-type; pyright: reportArgumentType
