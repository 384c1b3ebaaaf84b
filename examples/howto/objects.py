"""The examples of the C-API's HowTo with the objects of this package; ``functions.py`` uses the C-API's functions.

    python examples/howto/objects.py x64 howto.tcm

``kernels.py`` says how to compile the module.
"""

from __future__ import annotations

import sys

import numpy as np

from taichi_aot import Runtime

SOURCE = np.arange(1024, dtype=np.uint8)


def create_and_destroy_runtime(arch: str) -> None:
    runtime = Runtime(arch, 0)
    print(f"a runtime with {len(runtime.capabilities)} capabilities")
    runtime.close()  # also frees everything that was allocated on it


def allocate_and_free_memory(runtime: Runtime) -> None:
    memory = runtime.allocate(1024)
    print(f"{memory.size} bytes on the device")
    memory.close()


def write_from_host(runtime: Runtime) -> None:
    streaming_memory = runtime.allocate(1024, host_write=True)
    with streaming_memory.map() as destination:
        destination[:] = SOURCE
    print(f"{SOURCE.nbytes} bytes written")


def read_to_host(runtime: Runtime) -> None:
    read_back_memory = runtime.allocate(1024, host_read=True)
    with read_back_memory.map() as source:
        destination = source.copy()
    del source  # memory with live views cannot be closed
    read_back_memory.close()
    print(f"{destination.nbytes} bytes read")


def write_and_read(runtime: Runtime) -> None:
    memory = runtime.allocate(1024, host_read=True, host_write=True)
    with memory.map() as destination:
        destination[:] = SOURCE
    with memory.map() as source:
        print(f"bytes 1020 to 1023: {source[1020:].tolist()}")


def load_and_destroy_module(runtime: Runtime, path: str) -> None:
    module = runtime.load_module(path)
    print("a module")
    module.close()


def launch_kernel(runtime: Runtime, path: str) -> None:
    foo = runtime.load_module(path).kernels["foo"]
    ndarray = runtime.zeros(16, np.float32, elem_shape=(4, 4))
    foo(123, 123.0, ndarray)
    runtime.flush()
    runtime.wait()
    print(f"foo: {ndarray.to_numpy()[15].tolist()}")


def launch_compute_graph(runtime: Runtime, path: str) -> None:
    bar = runtime.load_module(path).graphs["bar"]
    ndarray = runtime.zeros(16, np.float32, elem_shape=(4, 4))
    bar(foo=456, bar=0.5, baz=ndarray)
    runtime.flush()
    runtime.wait()
    print(f"bar: {ndarray.to_numpy()[15].tolist()}")


def main(arch: str, path: str) -> None:
    create_and_destroy_runtime(arch)
    with Runtime(arch, 0) as runtime:
        allocate_and_free_memory(runtime)
        write_from_host(runtime)
        read_to_host(runtime)
        write_and_read(runtime)
        load_and_destroy_module(runtime, path)
        launch_kernel(runtime, path)
        launch_compute_graph(runtime, path)


if __name__ == "__main__":
    main(*sys.argv[1:])
