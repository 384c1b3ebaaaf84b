"""Uses of the package that type checkers must accept."""

from __future__ import annotations

import argparse
import inspect
import json
from array import array

import numpy as np
import numpy.typing as npt
import PIL.Image

import taichi_aot
from taichi_aot import (
    AddressMode,
    AotModule,
    Arch,
    ArraySlice,
    DataType,
    DTypeLike,
    Filter,
    Format,
    ImageUsage,
    Kernel,
    Memory,
    MemoryUsage,
    NdArray,
    Runtime,
    Sampler,
)

parser = argparse.ArgumentParser()
parser.add_argument("--arch", type=Arch, choices=list(Arch))

by_name: Arch = Arch("vulkan")
by_number: Arch = Arch(4)
flags: MemoryUsage = MemoryUsage.STORAGE | MemoryUsage.UNIFORM
counts: dict[str, int] = taichi_aot.object_counts()


def introspect(module: AotModule, x: NdArray) -> None:
    module.saxpy(2.0, x, y=x)
    module.kernels.saxpy.bind(2.0, x, x)()
    module.graphs.both(x, x)
    kernel: Kernel = module.kernels["saxpy"]
    name: str = kernel.__name__ + kernel.__qualname__
    print(inspect.signature(kernel), name, json.dumps(kernel.signature.to_dict()))
    by_device = [Runtime(device) for device in taichi_aot.devices()]
    print(by_device, Runtime("cpu"), Sampler("nearest", Filter("linear"), AddressMode.REPEAT), DataType("f32"))


def allocate(runtime: Runtime) -> list[NdArray]:
    runtime.allocate(16, host_read=True, usage=flags).write(b"0123456789abcdef")
    return [
        runtime.empty(8),
        runtime.empty(8, usage=flags),
        runtime.asarray([1.0], "f32", usage=MemoryUsage.VERTEX),
        runtime.empty((8, 8), "f32", elem_shape=3),
        runtime.zeros((8,), np.float64),
        runtime.zeros(8, np.dtype(np.int32)),
        runtime.zeros(8, int),
        runtime.zeros(8, "float64"),
        runtime.zeros(8, np.bool_),
        runtime.zeros(8, bool),
        runtime.zeros(8, np.zeros(2).dtype),
        runtime.full([2, 3], np.float32(1.5), DataType.F32),
        runtime.asarray([[1, 2], [3, 4]], dtype=DataType.I32),
        runtime.asarray(np.zeros(3)),
        runtime.from_dlpack(np.zeros(3, np.float32)),
    ]


def import_memory(runtime: Runtime) -> None:
    for source in (bytearray(8), array("f", [1.0])):
        runtime.import_memory(source)
    runtime.import_memory(np.zeros(8))
    runtime.import_memory(memoryview(bytearray(8)))


def exchange(array: NdArray) -> None:
    array.fill(1)
    array.fill(np.float32(0.5))
    with array.map() as view:
        view[...] = 0
    numbers: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = array.to_numpy()
    array.write(numbers * 2)
    np.from_dlpack(array)
    array[0] = array[1, 2] + array.item(3)
    array[:2] = [1.0, 2.0]
    array[1:] = array[:-1]
    print(bytes(array.tobytes()), list(array), array.tolist())
    array[1:3].write(numbers[:2])
    array[0:1].copy_from(array[4:5])
    array.copy_from(array[:])
    part: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = array[2:][:1].to_numpy()
    array[:1].fill(part.size)
    over: NdArray = array.memory.ndarray((2, 2), "f32", 3, offset=16)
    over.close()


def show(runtime: Runtime, picture: PIL.Image.Image) -> PIL.Image.Image:
    runtime.image_from(np.zeros((4, 4), np.uint8))
    image = runtime.image_from(picture, usage=ImageUsage.SAMPLED)
    print(np.asarray(image).mean(), image.to_pil().size)
    return image[:2, 1:].to_pil().convert("RGB")


def launch(runtime: Runtime, array: NdArray, stream: int) -> None:
    module = runtime.load_module("saxpy.tcm")
    saxpy = module.kernels["saxpy"]
    saxpy(2.0, array, y=array)
    saxpy(np.float64(2.0), array, array)
    module.graphs["step"]([1.0, 2.0], np.eye(2), True)
    bound = saxpy.bind(2, array, array)
    bound.update(a=3.0)
    total: np.float32 = module.kernels["dot"](array, array)
    print(total + bound.result())
    runtime.sequence([bound])(100, ramps={"a": (0.0, 0.1), (0, "a"): (1, 2)})
    made = runtime.sequence([bound]).until(array[0:1], below=1e-6, check_every=50)(repeat=1000)
    iterations: int = made
    converged: bool = made.converged
    print(iterations, converged, made.value.hex(), runtime.sequence([bound]).until(array, above=3)(10).converged)
    with runtime.stream(stream):
        bound()


def draw(runtime: Runtime, array: NdArray) -> None:
    image = runtime.allocate_image((640, 480), "rgba8", usage=ImageUsage.STORAGE | ImageUsage.SAMPLED)
    runtime.allocate_image(64, Format.R32F)
    image.write(np.zeros(image.shape, image.dtype))
    image[1:3, :4].copy_from(image[:2, 8:12])
    image.copy_from(array)
    array.copy_from(image[:2])
    pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]] = image.to_numpy()
    runtime.load_module("blur.tcm").kernels["blur"](image, image.texture(sampler=Sampler()), pixels.size)


with Runtime("vulkan") as named, Runtime(Arch.CUDA, 1), Runtime():
    allocate(named)


def load_bundle(runtime: Runtime) -> list[str]:
    with taichi_aot.load("kernels.tib", "vulkan") as module:
        own: Runtime = module.runtime
        own.wait()
    taichi_aot.load(b"PK", runtime=runtime).close()
    info = taichi_aot.inspect("kernels.tib", Arch.X64)
    return [kernel.doc for kernel in info.kernels.values()]


def dtypes(runtime: Runtime, numbers: npt.NDArray[np.int16], dtype: DTypeLike, memory: Memory) -> None:
    by_default: NdArray[np.float32] = runtime.zeros(3)
    by_name: NdArray[np.float32] = runtime.full(3, 1, "f32")
    by_class: NdArray[np.int8] = runtime.empty(3, np.int8, grad=False)
    by_dtype: NdArray[np.float64] = runtime.zeros(3, np.dtype(np.float64), usage=MemoryUsage.VERTEX)
    given: NdArray[np.int16] = runtime.asarray(numbers, elem_shape=2)
    cast: NdArray[np.float32] = runtime.asarray(numbers, "f32")
    shared: NdArray[np.int16] = runtime.from_dlpack(numbers, readonly=True)
    over: NdArray[np.uint8] = memory.ndarray(3, np.uint8, offset=4)
    unknown: NdArray = runtime.zeros(3, dtype)
    copied: npt.NDArray[np.int16] = given.to_numpy()
    part: ArraySlice[np.uint8] = over[1:]
    print(by_default.grad, by_name, by_class, by_dtype, cast, shared, unknown, copied, part.dtype.type)
