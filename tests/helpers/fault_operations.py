"""Public operations whose calls fail or are interrupted. Each checks its result, and can be repeated."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from helpers.machine import has_driver_for_tests
from taichi_aot import Arch, ImageLayout, Runtime, TaichiError
from taichi_aot.interop import vulkan

LENGTH = 100
RECORDED = 64  # launches: as many as are submitted together
MANY = 9  # bound launches: more than the package submits at once on Vulkan, after it has submitted others
LOST = re.compile(r"(?:this launch(?: and (\d+) before it)?|(\d+) waiting launch(?:es)?) w(?:as|ere) not made")
DATA = np.arange(LENGTH, dtype=np.float32)
TEXELS = np.arange(16, dtype=np.float32).reshape(4, 4)


class Operation(NamedTuple):
    """An operation, and what its launches do."""

    run: Callable[[], object]  # performs it, checks its result and drops what it makes
    adds: int = 0  # to each element of the counter
    per_launch: int = 1  # what a launch of a sequence adds
    per_iteration: int = 1  # launches of a sequence


class Objects:
    """A runtime, the module ``basic.tcm``, and a counter to which ``kernel(1.0, ones, counter)`` adds 1."""

    def __init__(self, rt: Runtime, path: str | Path) -> None:
        self.rt = rt
        self.path = Path(path)
        self.ones, self.counter, self.flag = rt.full(LENGTH, 1.0, "f32"), rt.zeros(LENGTH), rt.zeros(1, "i32")

    def load(self) -> None:
        self.module = self.rt.load_module(self.path)
        self.kernel, self.graph = self.module.kernels["saxpy"], self.module.graphs["twice"]
        self.arguments = 1.0, self.ones, self.counter

    def make_busy(self) -> None:
        """Launch by the library, which must submit this before the package submits anything."""
        self.module.kernels["poke"](0, self.flag)

    def count(self) -> int:
        values = self.counter.to_numpy()
        assert (values == values[0]).all(), values
        return int(values[0])


def expect(array: object, wanted: object) -> None:
    found = np.asarray(array.to_numpy())  # type: ignore[attr-defined]
    assert (found == wanted).all(), (found, wanted)


def warm_operations(things: Objects) -> dict[str, Operation]:
    """Return operations on one runtime, where all of them have run before."""
    things.load()
    operations = memory_operations(things.rt) | launch_operations(things)
    if has_driver_for_tests():  # which runs only the kernel that counts
        operations |= stream_operations(things) | sharing_operations(things)
    else:
        operations |= value_operations(things)
    if things.rt.arch is Arch.VULKAN:
        operations |= image_operations(things) | interop_operations(things.rt)
    return operations


def memory_operations(rt: Runtime) -> dict[str, Operation]:
    source, target = rt.asarray(DATA), rt.zeros(LENGTH)
    over = rt.allocate(64, host_read=True, host_write=True)
    private = rt.allocate(4 * LENGTH)

    def write() -> None:
        target.write(DATA[::-1].copy())
        expect(target, DATA[::-1])

    def fill() -> None:
        target.fill(7)
        expect(target, 7)

    def copy() -> None:
        target.fill(0)
        target.copy_from(source)
        expect(target, DATA)

    def write_through_a_map() -> None:
        target.fill(0)
        with target.map() as view:
            view[:] = DATA
        del view
        expect(target, DATA)

    def use_slices() -> None:
        target.fill(0)
        target[10:20].write(DATA[:10])
        target[20:30].fill(5)
        target[30:40].copy_from(source[:10])
        expect(target[10:40], [*DATA[:10], *[5] * 10, *DATA[:10]])

    def use_memory() -> None:
        with rt.allocate(64, host_read=True, host_write=True) as memory:
            memory.fill(0)
            memory.write(b"x" * 8)
            memory[8:16].copy_from(memory[:8])
            assert memory[4:24].read() == b"x" * 12 + bytes(8)

    def use_private_memory() -> None:
        private.write(DATA)
        assert private.read() == DATA.tobytes()

    def trim() -> None:
        rt.zeros(LENGTH).close()
        rt.trim()
        expect(source, DATA)

    def use_array_over_memory() -> None:
        with over.ndarray(4, "f32") as array:
            array.fill(3)
            expect(array, 3)

    return {
        "asarray": Operation(lambda: expect(rt.asarray(DATA), DATA)),
        "zeros": Operation(lambda: expect(rt.zeros(LENGTH), 0)),
        "full": Operation(lambda: expect(rt.full(LENGTH, 3, "i32"), 3)),
        "to_numpy": Operation(lambda: expect(source, DATA)),
        "numpy": Operation(lambda: np.asarray(rt.asarray(DATA)).sum()),
        "write": Operation(write),
        "fill": Operation(fill),
        "copy_from": Operation(copy),
        "map": Operation(write_through_a_map),
        "slices": Operation(use_slices),
        "allocate": Operation(use_memory),
        "private memory": Operation(use_private_memory),
        "array over memory": Operation(use_array_over_memory),
        "close": Operation(lambda: rt.zeros(LENGTH).close()),
        "memory_info": Operation(rt.memory_info),
        "trim": Operation(trim),
        "wait": Operation(rt.wait),
        "flush": Operation(rt.flush),
    }


def launch_operations(things: Objects) -> dict[str, Operation]:
    rt, kernel, graph, arguments = things.rt, things.kernel, things.graph, things.arguments
    bound, young = kernel.bind(*arguments), kernel.bind(*arguments)
    long = rt.sequence([kernel.bind(*arguments)])
    of_graph = rt.sequence([graph.bind(*arguments)])
    short = rt.sequence([kernel.bind(*arguments)] * 3)
    for _ in range(RECORDED + 2):
        bound()
    long(RECORDED)
    of_graph(RECORDED)
    _ = [rt.record_event() for _ in range(8)]  # marks that the device has not reached yet are not used again

    def launch_recorded() -> None:
        things.make_busy()
        bound()

    def launch_many() -> None:
        """Launch several times; an error says after how many launches, as that of a sequence."""
        made = 0
        try:
            things.make_busy()
            for _ in range(MANY):
                bound()
                made += 1
            young.update(a=1.0)  # submits what waits, and calls nothing else
        except TaichiError as error:
            lost = LOST.search(str(error))
            if made == MANY and lost is None:
                return  # the update failed, after all launches
            made -= int(lost[1] or lost[2] or 0) if lost else 0
            error.args = (f"launch 0 (saxpy), iteration {made}: {error}",)
            raise

    def run_long_sequence() -> None:
        things.make_busy()
        long(200)

    number = rt.zeros(1)
    checked = long.until(number, above=1, check_every=30)

    def run_checked_sequence() -> None:
        """Check a number four times, and launch once more: an error says after how many launches."""
        made = 0
        try:
            made = checked(100)
            long(1)
        except TaichiError as error:
            text = str(error).replace("the number of until(),", "launch 0 (saxpy),")
            error.args = (text.replace("iteration 0:", f"iteration {made}:"),)
            raise

    def measure() -> None:
        with rt.timer() as timer:
            things.make_busy()
        assert timer.seconds >= 0

    def update() -> None:
        young.update(x=things.ones)
        young()

    return {
        "call": Operation(lambda: kernel(*arguments), 1),
        "bind": Operation(lambda: kernel.bind(*arguments)(), 1),
        "recorded launch": Operation(launch_recorded, 1),
        "recorded launches": Operation(launch_many, MANY),
        "update": Operation(update, 1),
        "graph": Operation(lambda: graph(*arguments), 2),
        "graphs": Operation(lambda: of_graph(40), 80, 2),
        "short sequence": Operation(lambda: short(2), 6, 1, 3),
        "long sequence": Operation(run_long_sequence, 200),
        "checked sequence": Operation(run_checked_sequence, 101),
        "events": Operation(measure),
        "ramp": Operation(lambda: long(100, ramps={"a": (1.0, 0.0)}), 100),
    }


def value_operations(things: Objects) -> dict[str, Operation]:
    answer, out = things.module.kernels["answer"], things.rt.zeros(1, "i32")
    question = answer.bind(out)

    def call() -> None:
        out.fill(0)
        assert answer(out) == 42
        expect(out, 42)

    def read() -> None:
        question()
        assert question.result() == 42

    return {"call for a value": Operation(call), "result": Operation(read)}


def stream_operations(things: Objects) -> dict[str, Operation]:
    """Return operations on streams of the driver for tests."""
    rt, kernel, arguments = things.rt, things.kernel, things.arguments
    bound, aside = kernel.bind(*arguments), kernel.bind(1.0, things.ones, rt.zeros(LENGTH))
    sequence, target, unseen = rt.sequence([kernel.bind(*arguments)]), rt.zeros(LENGTH), rt.zeros(LENGTH)
    for _ in range(RECORDED + 2):
        bound()
        aside()
    sequence(RECORDED)
    blocking, first, second = cuda_stream(0, 0), cuda_stream(1, 1), cuda_stream(2, 1)
    operations: dict[str, Operation] = {}

    def on(stream: CudaStream, call: Callable[[], object]) -> Callable[[], object]:
        def run() -> None:
            with rt.stream(stream):
                call()

        return run

    def copy() -> None:
        target.write(DATA)
        expect(target, DATA)

    def launch_on_two() -> None:
        with rt.stream(first):
            aside()
        with rt.stream(second):
            bound()

    def change_streams() -> None:
        with rt.stream(first):
            aside()
            with rt.stream(blocking):
                bound()

    def destroy_afterwards(flags: int) -> None:
        stream = CudaStream(flags)
        try:
            with rt.stream(stream):
                kernel(*arguments)
        finally:
            stream.destroy()

    def drop() -> None:
        dropped = kernel.bind(1.0, things.ones, unseen)
        for _ in range(2 * RECORDED):
            dropped()
        rt.sequence([dropped])(RECORDED)

    def launch_in_another_context() -> None:
        before = first.driver.fake_set_context(other)
        try:
            bound()
        finally:
            first.driver.fake_set_context(before)

    for stream, name in ((blocking, "a blocking stream"), (first, "a stream")):
        operations |= {
            f"call on {name}": Operation(on(stream, lambda: kernel(*arguments)), 1),
            f"bind on {name}": Operation(on(stream, lambda: kernel.bind(*arguments)()), 1),
            f"recorded launch on {name}": Operation(on(stream, bound), 1),
            f"sequence on {name}": Operation(on(stream, lambda: sequence(100)), 100),
            f"copy on {name}": Operation(on(stream, copy)),
            f"wait on {name}": Operation(on(stream, rt.wait)),
        }
    other = first.make_context()
    return operations | {
        "drop": Operation(drop),
        "two streams": Operation(launch_on_two, 1),
        "streams within each other": Operation(change_streams, 1),
        "blocking stream that is destroyed": Operation(lambda: destroy_afterwards(0), 1),
        "stream that is destroyed": Operation(lambda: destroy_afterwards(1), 1),
        "current_stream": Operation(lambda: rt.current_stream),
        "another context": Operation(launch_in_another_context, 1),
    }


class CudaStream:
    """A stream of the driver for tests. Its own calls of the driver do not count."""

    def __init__(self, flags: int) -> None:
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.driver.fake_set_context.restype = ctypes.c_void_p
        self.driver.fake_set_context.argtypes = [ctypes.c_void_p]
        handle = ctypes.c_void_p()
        self._call("cuStreamCreate", ctypes.byref(handle), flags)
        assert handle.value
        self.ptr = handle.value

    def _call(self, name: str, *arguments: object) -> None:
        before = self.driver.fake_set_counting(False)
        assert getattr(self.driver, name)(*arguments) == 0
        self.driver.fake_set_counting(before)

    def destroy(self) -> None:
        self._call("cuStreamDestroy_v2", ctypes.c_void_p(self.ptr))

    def make_context(self) -> int:
        """Return a new context, which is not current."""
        handle = ctypes.c_void_p()
        before = self.driver.fake_set_context(None)
        self._call("cuCtxCreate_v2", ctypes.byref(handle), 0, 0)
        self.driver.fake_set_context(before)
        assert handle.value
        return handle.value


@cache
def cuda_stream(number: int, flags: int) -> CudaStream:
    return CudaStream(flags)


def sharing_operations(things: Objects) -> dict[str, Operation]:
    rt, source, stream = things.rt, things.rt.asarray(DATA), cuda_stream(1, 1)
    interface = source.__cuda_array_interface__ | {"stream": stream.ptr}

    class OfAnotherLibrary:
        owner, __cuda_array_interface__ = source, interface

    shared = OfAnotherLibrary()

    def import_array() -> None:
        with rt.from_dlpack(shared) as imported:
            expect(imported, DATA)

    def call_with_it() -> None:
        target = rt.zeros(LENGTH)
        things.kernel(1.0, shared, target)
        expect(target, DATA)

    return {
        "call with an array of a stream": Operation(call_with_it),
        "from_dlpack": Operation(import_array),
        "__dlpack__": Operation(lambda: rt.asarray(DATA).__dlpack__(stream=stream.ptr)),
    }


def image_operations(things: Objects) -> dict[str, Operation]:
    rt = things.rt
    image, other = rt.allocate_image((4, 4), "r32f"), rt.allocate_image((4, 4), "r32f")
    source, target, out = rt.asarray(TEXELS), rt.zeros((4, 4)), rt.zeros(4)
    kernel = rt.load_module(things.path.with_name("kinds.tcm")).kernels["fetch_texels"]
    launch, sequence = kernel.bind(image, out), rt.sequence([kernel.bind(image, out)])
    image.write(TEXELS)
    launch()
    fetched = out.to_numpy()

    def write() -> None:
        image.write(TEXELS)
        expect(image, TEXELS)

    def copy() -> None:
        image.write(TEXELS)
        other.copy_from(image)
        expect(other, TEXELS)

    def copy_arrays() -> None:
        target.fill(0)
        image.copy_from(source)
        target.copy_from(image)
        expect(target, TEXELS)

    def change_layout() -> None:
        image.write(TEXELS)
        image.transition(ImageLayout.SHADER_READ)
        expect(image, TEXELS)

    def fetch(launch: Callable[[], object]) -> None:
        image.write(TEXELS)
        out.fill(0)
        launch()
        expect(out, fetched)

    return {
        "allocate_image": Operation(lambda: rt.allocate_image((4, 4), "r32f").close()),
        "image.write": Operation(write),
        "image.copy_from": Operation(copy),
        "image.copy_from an array": Operation(copy_arrays),
        "transition": Operation(change_layout),
        "texture": Operation(lambda: fetch(launch)),
        "textures": Operation(lambda: fetch(lambda: sequence(RECORDED + 6))),
    }


def interop_operations(rt: Runtime) -> dict[str, Operation]:
    array, image = rt.asarray(DATA), rt.allocate_image((4, 4), "r32f")

    def import_memory() -> None:
        info = vulkan.export_memory(array)
        with vulkan.import_memory(rt, info) as memory:
            assert memory.read() == DATA.tobytes()
        with vulkan.import_ndarray(rt, info, LENGTH, "f32") as imported:
            expect(imported, DATA)

    def import_image() -> None:
        image.write(TEXELS)
        info = vulkan.export_image(image, ImageLayout.SHADER_READ)
        with vulkan.import_image(rt, info, ImageLayout.SHADER_READ) as imported:
            expect(imported, TEXELS)

    return {"import_memory": Operation(import_memory), "import_image": Operation(import_image)}


Prepare = Callable[[Objects], Operation]
SURFACE = ["VK_KHR_surface"]


def first_operations(arch: Arch) -> dict[str, Prepare]:
    """Return operations that need a new runtime for each try, because they make something once."""
    first: dict[str, Prepare] = {
        "runtime": using(lambda rt: Runtime(rt.arch)),
        "load_module": lambda things: Operation(lambda: load(things, "saxpy"), 1),
        "first graph": lambda things: Operation(lambda: load(things, "twice"), 2),
        "close of a runtime": close_everything,
    }
    if arch in (Arch.VULKAN, Arch.CUDA):
        first |= {
            "first recorded launch": first_recorded_launch,
            "first recorded graph": first_recorded_graph,
            "first long sequence": first_long_sequence,
        }
    if not arch.is_llvm:
        first |= {"first value": first_value, "first copy": first_copy, "capabilities": set_capabilities}
    if arch is Arch.VULKAN:
        first |= {
            "first image": first_image,
            "first textures": lambda things: image_operations(things)["textures"],
            "import_runtime": using(lambda rt: vulkan.import_runtime(vulkan.export_runtime(rt))),
            "create_runtime": using(lambda _: vulkan.create_runtime()),
            "create_runtime with an instance": using(lambda _: vulkan.create_runtime(instance_extensions=SURFACE)),
        }
    return first


def using(make: Callable[[Runtime], Runtime]) -> Prepare:
    """Return what prepares the use of a runtime that is made beside another one."""
    return lambda things: Operation(lambda: use(make(things.rt)))


def use(rt: Runtime) -> None:
    with rt:
        expect(rt.zeros(3), 0)


def load(things: Objects, name: str) -> None:
    """Load the module, and call a kernel or graph."""
    getattr(things.rt.load_module(things.path), name)(1.0, things.ones, things.counter)


def close_everything(things: Objects) -> Operation:
    operations = warm_operations(things)
    for operation in operations.values():
        operation.run()

    def close() -> None:
        things.rt.close()
        assert things.rt.closed
        assert operations  # its objects have been alive

    return Operation(close)


def first_recorded_launch(things: Objects) -> Operation:
    things.load()
    launch = things.kernel.bind(*things.arguments)
    for _ in range(RECORDED):
        launch()

    def launch_recorded() -> None:
        things.make_busy()
        launch()

    return Operation(launch_recorded, 1)


def first_recorded_graph(things: Objects) -> Operation:
    things.load()
    launch = things.graph.bind(*things.arguments)
    for _ in range(RECORDED):
        launch()
    return Operation(launch, 2)


def first_long_sequence(things: Objects) -> Operation:
    things.load()
    sequence = things.rt.sequence([things.kernel.bind(*things.arguments)])

    def run() -> None:
        things.make_busy()
        sequence(200, ramps={"a": (1.0, 0.0)})

    return Operation(run, 200)


def first_value(things: Objects) -> Operation:
    things.load()
    return value_operations(things)["call for a value"]


def first_copy(things: Objects) -> Operation:
    memory = things.rt.allocate(4 * LENGTH)

    def copy() -> None:
        memory.write(DATA)
        assert memory.read() == DATA.tobytes()

    return Operation(copy)


def set_capabilities(things: Objects) -> Operation:
    return Operation(lambda: things.rt.set_capabilities(things.rt.capabilities))


def first_image(things: Objects) -> Operation:
    def copy() -> None:
        with things.rt.allocate_image((4, 4), "r32f") as image:
            image.write(TEXELS)
            expect(image, TEXELS)

    return Operation(copy)
