"""The examples of the C-API's HowTo with its functions; ``objects.py`` uses the objects of this package instead.

    python -m zipfile -e howto.tcm howto
    python examples/howto/functions.py x64 howto

``kernels.py`` says how to compile the module.
"""

from __future__ import annotations

import ctypes
import sys

import numpy as np

from taichi_aot import capi

SOURCE = np.arange(1024, dtype=np.uint8)


def create_and_destroy_runtime(arch: capi.TiArch) -> None:
    runtime = capi.create_runtime(arch, 0)
    print(f"a runtime with {len(capi.get_runtime_capabilities(runtime))} capabilities")
    capi.destroy_runtime(runtime)


def allocate_and_free_memory(runtime: capi.TiRuntime) -> None:
    info = capi.TiMemoryAllocateInfo(size=1024, usage=capi.TI_MEMORY_USAGE_STORAGE_BIT)
    memory = capi.allocate_memory(runtime, info)
    print(f"{info.size} bytes on the device")
    capi.free_memory(runtime, memory)


def write_from_host(runtime: capi.TiRuntime) -> None:
    info = capi.TiMemoryAllocateInfo(size=1024, host_write=True, usage=capi.TI_MEMORY_USAGE_STORAGE_BIT)
    streaming_memory = capi.allocate_memory(runtime, info)
    destination = capi.map_memory(runtime, streaming_memory)
    ctypes.memmove(destination, SOURCE.ctypes.data, SOURCE.nbytes)
    capi.unmap_memory(runtime, streaming_memory)
    capi.free_memory(runtime, streaming_memory)
    print(f"{SOURCE.nbytes} bytes written")


def read_to_host(runtime: capi.TiRuntime) -> None:
    info = capi.TiMemoryAllocateInfo(size=1024, host_read=True, usage=capi.TI_MEMORY_USAGE_STORAGE_BIT)
    read_back_memory = capi.allocate_memory(runtime, info)
    source = capi.map_memory(runtime, read_back_memory)
    destination = ctypes.string_at(source, 1024)
    capi.unmap_memory(runtime, read_back_memory)
    capi.free_memory(runtime, read_back_memory)
    print(f"{len(destination)} bytes read")


def write_and_read(runtime: capi.TiRuntime) -> None:
    usage = capi.TI_MEMORY_USAGE_STORAGE_BIT
    info = capi.TiMemoryAllocateInfo(size=1024, host_write=True, host_read=True, usage=usage)
    memory = capi.allocate_memory(runtime, info)
    ctypes.memmove(capi.map_memory(runtime, memory), SOURCE.ctypes.data, SOURCE.nbytes)
    capi.unmap_memory(runtime, memory)
    source = ctypes.string_at(capi.map_memory(runtime, memory), 1024)
    capi.unmap_memory(runtime, memory)
    print(f"bytes 1020 to 1023: {list(source[1020:])}")
    capi.free_memory(runtime, memory)


def load_and_destroy_module(runtime: capi.TiRuntime, path: str) -> None:
    aot_module = capi.load_aot_module(runtime, path)
    print("a module")
    capi.destroy_aot_module(aot_module)


def allocate_matrices(runtime: capi.TiRuntime) -> capi.TiNdArray:
    """Allocate 16 matrices of 4 by 4 numbers that the host can read."""
    usage = capi.TI_MEMORY_USAGE_STORAGE_BIT
    info = capi.TiMemoryAllocateInfo(size=16 * 4 * 4 * 4, host_read=True, usage=usage)
    return capi.TiNdArray(
        memory=capi.allocate_memory(runtime, info),
        shape=capi.TiNdShape(dim_count=1, dims=[16]),
        elem_shape=capi.TiNdShape(dim_count=2, dims=[4, 4]),
        elem_type=capi.TI_DATA_TYPE_F32,
    )


def read_last_matrix(runtime: capi.TiRuntime, ndarray: capi.TiNdArray) -> list[list[float]]:
    address = capi.map_memory(runtime, ndarray.memory)
    matrices = np.frombuffer(ctypes.string_at(address, 1024), np.float32).reshape(16, 4, 4)
    capi.unmap_memory(runtime, ndarray.memory)
    return matrices[15].tolist()


def arguments(offset: int, scale: float, ndarray: capi.TiNdArray) -> list[capi.TiArgument]:
    return [
        capi.TiArgument(type=capi.TI_ARGUMENT_TYPE_I32, value=capi.TiArgumentValue(i32=offset)),
        capi.TiArgument(type=capi.TI_ARGUMENT_TYPE_F32, value=capi.TiArgumentValue(f32=scale)),
        capi.TiArgument(type=capi.TI_ARGUMENT_TYPE_NDARRAY, value=capi.TiArgumentValue(ndarray=ndarray)),
    ]


def launch_kernel(runtime: capi.TiRuntime, path: str) -> None:
    aot_module = capi.load_aot_module(runtime, path)
    foo = capi.get_aot_module_kernel(aot_module, "foo")
    ndarray = allocate_matrices(runtime)
    capi.launch_kernel(runtime, foo, arguments(123, 123.0, ndarray))
    capi.flush(runtime)
    capi.wait(runtime)
    print(f"foo: {read_last_matrix(runtime, ndarray)}")
    capi.free_memory(runtime, ndarray.memory)
    capi.destroy_aot_module(aot_module)


def launch_compute_graph(runtime: capi.TiRuntime, path: str) -> None:
    aot_module = capi.load_aot_module(runtime, path)
    bar = capi.get_aot_module_compute_graph(aot_module, "bar")
    ndarray = allocate_matrices(runtime)
    names = ("foo", "bar", "baz")
    named_arguments = [
        capi.TiNamedArgument(name=name, argument=argument)
        for name, argument in zip(names, arguments(456, 0.5, ndarray), strict=True)
    ]
    capi.launch_compute_graph(runtime, bar, named_arguments)
    capi.flush(runtime)
    capi.wait(runtime)
    print(f"bar: {read_last_matrix(runtime, ndarray)}")
    capi.free_memory(runtime, ndarray.memory)
    capi.destroy_aot_module(aot_module)


def main(arch_name: str, path: str) -> None:
    arch = capi.TiArch[f"TI_ARCH_{arch_name.upper()}"]
    create_and_destroy_runtime(arch)
    runtime = capi.create_runtime(arch, 0)
    allocate_and_free_memory(runtime)
    write_from_host(runtime)
    read_to_host(runtime)
    write_and_read(runtime)
    load_and_destroy_module(runtime, path)
    launch_kernel(runtime, path)
    launch_compute_graph(runtime, path)
    capi.destroy_runtime(runtime)


if __name__ == "__main__":
    main(*sys.argv[1:])
