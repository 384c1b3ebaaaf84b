"""Uses of the package that type checkers must refuse, with the rules of mypy and pyright that report them."""

from __future__ import annotations

import numpy as np

from taichi_aot import Arch, NdArray, Runtime
from taichi_aot.driver._library import ffi, lib

Runtime("x86")  # mypy: arg-type; pyright: reportArgumentType
Runtime(4.5)  # mypy: arg-type; pyright: reportArgumentType
Runtime(b"vulkan")  # mypy: arg-type; pyright: reportArgumentType
print(Runtime().zeros(3)["a"])  # mypy: call-overload; pyright: reportCallIssue; pyright: reportArgumentType
print(Arch.X65)  # mypy: attr-defined; pyright: reportAttributeAccessIssue


def use(runtime: Runtime, array: NdArray) -> None:
    runtime.empty("8")  # mypy: arg-type; pyright: reportArgumentType
    runtime.zeros(8, "float128")  # mypy: call-overload; pyright: reportCallIssue; pyright: reportArgumentType
    runtime.allocate_image(8, "rgba9")  # mypy: arg-type; pyright: reportArgumentType
    runtime.zeros(8, dtype=4)  # mypy: call-overload; pyright: reportCallIssue; pyright: reportArgumentType
    runtime.full(8, None)  # mypy: call-overload; pyright: reportArgumentType
    runtime.allocate(8, True)  # mypy: call-arg; pyright: reportCallIssue
    runtime.import_memory(8)  # mypy: arg-type; pyright: reportArgumentType
    runtime.stream("default")  # mypy: arg-type; pyright: reportArgumentType
    runtime.load_module(8)  # mypy: arg-type; pyright: reportArgumentType
    runtime.load_module("a.tcm").kernels["a"](None)  # mypy: arg-type; pyright: reportArgumentType
    runtime.image_from("photo.png")  # mypy: arg-type; pyright: reportArgumentType
    runtime.arch = Arch.X64  # mypy: misc; pyright: reportAttributeAccessIssue
    array["a"] = 1.0  # mypy: index; pyright: reportArgumentType
    array.shape = (1,)  # mypy: misc; pyright: reportAttributeAccessIssue
    array.write([1], casting="any")  # mypy: arg-type; pyright: reportArgumentType
    array.fill("1")  # mypy: arg-type; pyright: reportArgumentType
    array.copy_from([1.0])  # mypy: arg-type; pyright: reportArgumentType


def call_c(runtime: Runtime) -> None:
    memory = ffi.new("taichi_aot_memory *")
    memory.generation = "1"  # mypy: assignment; pyright: reportAttributeAccessIssue
    print(memory.sise)  # mypy: attr-defined; pyright: reportAttributeAccessIssue
    lib.taichi_aot_wait(memory, 0, 0)  # mypy: arg-type; pyright: reportArgumentType
    lib.taichi_aot_wait(runtime._handle.c)  # mypy: call-arg; pyright: reportCallIssue
    lib.taichi_aot_pause(runtime._handle.c)  # mypy: attr-defined; pyright: reportAttributeAccessIssue


def other_dtypes(runtime: Runtime) -> None:
    doubles: NdArray[np.float64] = runtime.zeros(3)  # mypy: assignment; pyright: reportAssignmentType
    given = runtime.asarray(np.ones(3, np.int8))
    floats: NdArray[np.float32] = given  # mypy: assignment; pyright: reportAssignmentType
    print(doubles, floats)
