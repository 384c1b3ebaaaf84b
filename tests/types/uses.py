"""Right uses of the Python module of a bundle, and wrong uses with the rules of mypy and pyright that report them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from kernels_aot import Functions, Kernels, SaxpyFunction, load

import taichi_aot
from taichi_aot import AotModule, Arch, ArchLike, ArrayLike, DTypeLike, Image, Kernel, NdArray, Runtime


@dataclass
class Inner:
    n: int


@dataclass(frozen=True)
class Weight:
    factor: float
    place: list[int]
    inner: Inner


@dataclass
class Edge:
    y: NdArray


@dataclass
class Fluid:
    mass: float
    x: NdArray
    inner: Edge


class Tensor:
    """An array of another library."""

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        return stream

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def right(rt: Runtime, x: NdArray[np.float32], image: Image, foreign: ArrayLike) -> np.float32:
    with load(runtime=rt) as module:
        module.saxpy(2.0, np.ones(3, np.float32), foreign)
        module.saxpy.bind(2.0, Tensor(), x).update(x=np.ones(3, np.float32))
        module.saxpy(2.0, x, x)
        module.saxpy(a=np.float32(2), x=x, y=x)
        module.saxpy(True, x, y=x)
        module.kernels["saxpy"](2, x, y=x)
        module.kernels.saxpy(2.0, x, x)
        module.turn([1, 2, 3], np.eye(2), 7)
        module.turn(np.arange(3), [[1.0, 0.5], (0, 1)], n=np.int64(7))
        module.weigh({"factor": 1.0, "place": [1, 2, 3], "inner": {"n": 4}}, x)
        module.weigh((1, np.ones(3), Inner(4)), x)
        module.weigh.bind(Weight(1.0, [1, 2, 3], Inner(4)), x).update(w={"inner": {"n": 5}})
        module.weigh(np.zeros((), "f4, 3f4, i4")[()], x)
        module.flow({"mass": 1.0, "x": x, "inner": {"y": foreign}}, x)
        module.flow((1.0, x, (np.ones(3, np.float32),)), x)
        module.flow.bind(Fluid(1.0, x, Edge(x)), x).update(fluid={"inner": {"y": x}})
        module.blur(image, image.texture(), x)
        module.graphs["both"](x=x)
        module.both(x)
        module.nothing()
        step = module.saxpy.bind(2.0, x, y=x)
        step.update(a=3.0)
        rt.sequence([step, module.both.bind(x)])(10)
        print([(name, module.kernels[name].signature) for name in module.kernels])
        pair = module.pair()
        print(pair[0] + pair[1].sum(), module.kernels["not-a-name"].name, module.kernels["close"].name)
        module.fields["not-a-name"].write(module.fields.v.to_numpy())
        print([module.fields[name].shape for name in module.fields], module.fields.particle.x.to_numpy())
        kernel: Kernel = module.saxpy.rename("b", "c", "d")
        print(kernel, module.info.version, module.runtime is rt)
        module.shift(1.0)
        module.shift(module.fields.v, 1.0, 2)
        module.shift(f="keys", by=1.0, n=3)
        module.shift["v", 2](1.0)
        module.shift_1[module.fields["keys"], 3].bind(1.0).update(by=2.0)
        module.shift.bind("v", 1.0, 2).update(by=2.0)
        module.step["a"](1.0)
        module.step("b", 2.0)
        module.scale(1.0, 0.5)
        module.scale[0.5](1.0)
        dot = module.dot.bind(x, x)
        any_module: AotModule = module
        any_module.prefetch("saxpy")
        return module.dot(x, x) + dot.result()


def open_on(arch: ArchLike | None, dtype: DTypeLike) -> None:
    for each in (arch, "cpu", Arch.CUDA, Arch("metal"), taichi_aot.devices()[0], None):
        with load(each) as module:
            module.runtime.zeros(3, dtype)
            print(module.info.archs, Functions(each).dot.signature)


async def call(arrays: npt.NDArray[np.float32], x: NdArray) -> npt.NDArray[np.float32]:
    functions = Functions("cuda", 0)
    saxpy: SaxpyFunction = functions.saxpy
    y = saxpy(2.0, arrays)
    saxpy(a=2, x=np.ones(3, np.int16), y=y)
    saxpy(2.0, x, y + arrays)
    saxpy(2.0, [1.0, 2, np.float64(0.5)])
    y = functions.flow({"mass": 1.0, "x": arrays, "inner": {"y": arrays}}, x)
    value, first, second = functions.split(2.0, arrays, arrays, z=np.ones(3))
    print(value[0] + value[1], first.sum(), second.sum(), functions.dot(x, arrays) + 1.0)
    return sum(await asyncio.gather(saxpy.call_async(1.0, x), saxpy.call_async(2.0, x)), y)


def untyped(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    one = taichi_aot.function("kernels.tib", "saxpy", out="y", arch="x64")
    some = taichi_aot.function("kernels.tib", "split", out=["y", "z"])
    value: np.float32 = taichi_aot.function("kernels.tib", "dot")(x, x)
    (_, y, z), w = some(2.0, x), taichi_aot.function("kernels.tib", "saxpy", out={"y": "x"})(2.0, x)
    result: npt.NDArray[np.float32] = one(2.0, x) + value + y + z + w
    return result


def wrong(module: Kernels, x: NdArray, image: Image, name: str) -> None:
    module.saxpy(a=2.0, x=x, z=x)  # mypy: call-arg; pyright: reportCallIssue
    module.shift("v", 1.0, 3)  # mypy: call-overload; pyright: reportCallIssue; pyright: reportArgumentType
    module.shift("v", 1.0)  # mypy: call-overload; pyright: reportCallIssue
    module.shift(f="v", by=1.0, m=2)  # mypy: call-overload; pyright: reportCallIssue
    module.shift["v", 3](1.0)  # mypy: index; pyright: reportArgumentType
    module.shift[2](1.0)  # mypy: index; pyright: reportArgumentType
    module.step["c"](1.0)  # mypy: index; pyright: reportArgumentType
    module.step("c", 1.0)  # mypy: call-overload; pyright: reportCallIssue; pyright: reportArgumentType
    module.saxpy(2.0, 3.0, x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy(x, x, x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy(2.0, x)  # mypy: call-arg; pyright: reportCallIssue
    module.saxpy(2.0, x, x, x)  # mypy: call-arg; pyright: reportCallIssue
    module.saxpy("2", x, x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy(np.ones(3), x, x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy(2.0, [1.0, 2.0], x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy(2.0, x[1:], x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy(2.0, memoryview(b"1234"), x)  # mypy: arg-type; pyright: reportArgumentType
    module.turn(x, np.eye(2), 7)  # mypy: arg-type; pyright: reportArgumentType
    module.turn(np.ones(3), np.eye(2), 7)  # mypy: arg-type; pyright: reportArgumentType
    module.turn([1, 2, 3], [1, 2], 7)  # mypy: list-item; pyright: reportArgumentType
    module.turn([1, 2, 3], np.eye(2), 7.5)  # mypy: arg-type; pyright: reportArgumentType
    module.blur(7, image, x)  # mypy: arg-type; pyright: reportArgumentType
    module.blur(image, image, image)  # mypy: arg-type; pyright: reportArgumentType
    module.weigh({"factor": 1, "place": (1, 2, 3)}, x)  # mypy: arg-type; pyright: reportArgumentType
    module.weigh({"factor": 1, "place": (1, 2, 3), "inner": {"m": 1}}, x)  # mypy: arg-type; pyright: reportArgumentType
    module.weigh((1, 2, 3), x)  # mypy: arg-type; pyright: reportArgumentType
    module.weigh(1.0, x)  # mypy: arg-type; pyright: reportArgumentType
    module.flow({"mass": 1.0, "x": x}, x)  # mypy: arg-type; pyright: reportArgumentType
    module.flow({"mass": 1.0, "x": 2.0, "inner": {"y": x}}, x)  # mypy: arg-type; pyright: reportArgumentType
    module.flow({"mass": 1.0, "x": x, "inner": {"z": x}}, x)  # mypy: arg-type; pyright: reportArgumentType
    module.flow((1.0, x, x), x)  # mypy: arg-type; pyright: reportArgumentType
    module.weigh.bind((1, [1, 2, 3], (4,)), x).update(w={"n": 1})  # mypy: arg-type; pyright: reportArgumentType
    module.packed(x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpi(2.0, x, x)  # mypy: attr-defined; pyright: reportAttributeAccessIssue
    module.kernels.saxpi(2.0, x, x)  # mypy: attr-defined; pyright: reportAttributeAccessIssue
    print(module.kernels["saxpi"])  # mypy: call-overload; pyright: reportCallIssue; pyright: reportArgumentType
    print(module.kernels[name])  # mypy: call-overload; pyright: reportCallIssue; pyright: reportArgumentType
    print(module.graphs["saxpy"])  # mypy: index; pyright: reportArgumentType
    module.saxpy.bind(2.0, x, x).update(a=x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy.bind(2.0, x, x).update(b=2.0)  # mypy: call-arg; pyright: reportCallIssue
    module.both(x, x)  # mypy: call-arg; pyright: reportCallIssue
    module.dot(x, x).upper()  # mypy: attr-defined; pyright: reportAttributeAccessIssue
    print(module.fields["hidden"])  # mypy: index; pyright: reportArgumentType
    print(module.fields.hidden)  # mypy: attr-defined; pyright: reportAttributeAccessIssue


def wrong_functions(x: npt.NDArray[np.float32], wide: npt.NDArray[np.float64]) -> None:
    functions = Functions()
    functions.nothing()  # mypy: attr-defined; pyright: reportAttributeAccessIssue
    functions.unstated(x, x)  # mypy: attr-defined; pyright: reportAttributeAccessIssue
    functions.saxpy(2.0)  # mypy: call-arg; pyright: reportCallIssue
    functions.saxpy(2.0, wide)  # mypy: arg-type; pyright: reportArgumentType
    functions.flow({"mass": 1.0, "x": wide, "inner": {"y": x}}, x)  # mypy: arg-type; pyright: reportArgumentType
    functions.saxpy(x, x)  # mypy: arg-type; pyright: reportArgumentType
    functions.saxpy(2.0, ["1", "2"])  # mypy: arg-type; pyright: reportArgumentType
    functions.saxpy(2.0, "12")  # mypy: arg-type; pyright: reportArgumentType
    functions.saxpy(2.0, x).to_numpy()  # mypy: attr-defined; pyright: reportAttributeAccessIssue
    named = taichi_aot.function("kernels.tib", "saxpy", out="y")
    named(2.0, x).upper()  # mypy: attr-defined; pyright: reportAttributeAccessIssue
    load(arch=b"cpu")  # mypy: arg-type; pyright: reportArgumentType
