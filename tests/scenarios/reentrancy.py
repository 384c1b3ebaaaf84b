"""Python code that runs inside our calls and calls us again: signal handlers, finalizers, owners."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import FrameType

import numpy as np
from helpers.tracing import at_each_bytecode, at_every_bytecode

import taichi_aot
from scenarios import ArchName
from scenarios.objects import Objects, make
from taichi_aot import ImageLayout, MemoryUsage, NdArray, Runtime
from taichi_aot.interop import vulkan

HOST, VULKAN = (1, 0), 7  # of DLPack


def operations(arch: ArchName, module: str, things: Objects) -> dict[str, Callable[[], object]]:
    """Return calls of every public operation, each of which leaves the objects unchanged."""
    rt, kernel, x, y, memory = things.rt, things.kernel, things.x, things.y, things.memory
    launch = kernel.bind(0.0, x, y)
    sequence = rt.sequence([launch])
    answer, integers = things.module.kernels["answer"], rt.zeros(1, "i32")
    question = answer.bind(integers)
    question()
    data = np.ones(100, np.float32)

    out = np.empty(100, np.float32)
    over = rt.allocate(400).ndarray(100, "f32")

    def map_and_write() -> None:
        with x.map() as view:
            view[:] = 1

    def map_and_keep() -> None:
        with x.map() as view, memory.map() as other:
            kept = view[1:], other
        del view, other
        assert kept[0][0] == 1

    def close_module() -> None:
        loaded = rt.load_module(module)
        loaded.kernels["saxpy"](0.0, x, y)
        loaded.close()

    def measure() -> None:
        with rt.timer() as timer:
            kernel(0.0, x, y)
        assert timer.seconds >= 0

    calls: dict[str, Callable[[], object]] = {
        "empty": lambda: rt.empty((3, 4), "i16", (2,)),
        "zeros": lambda: rt.zeros(1000),
        "full": lambda: rt.full(10, 7, "u8"),
        "asarray": lambda: rt.asarray(data),
        "asarray of a list": lambda: rt.asarray([[1, 2], [3, 4]], "i32"),
        "allocate": lambda: rt.allocate(64, host_read=True),
        "close": lambda: rt.zeros(10).close(),
        "memory.close": lambda: rt.allocate(64).close(),
        "module.close": close_module,
        "to_numpy": x.to_numpy,
        "to_numpy(out)": lambda: x.to_numpy(out),
        "numpy": lambda: np.asarray(x),
        "__dlpack__": lambda: x.__dlpack__(dl_device=None if x.__dlpack_device__()[0] != VULKAN else HOST),
        "__dlpack__(copy)": lambda: x.__dlpack__(copy=True, dl_device=(1, 0), max_version=(1, 0)),
        "write": lambda: x.write(data),
        "fill": lambda: x.fill(1),
        "map": map_and_write,
        "views kept": map_and_keep,
        "copy_from": lambda: x.copy_from(rt.full(100, 1.0, "f32")),
        "memory.read": memory.read,
        "memory.write": lambda: memory.write(bytes(64)),
        "memory.fill": lambda: memory[1:3].fill(0),
        "slices": lambda: memory[8:16].copy_from(memory[:8]),
        "slice.read": lambda: memory[8:16][2:].read(),
        "usage": lambda: rt.zeros(10, usage=MemoryUsage.VERTEX),
        "ndarray": lambda: memory.ndarray(4, "f32", 2),
        "ndarray.close": lambda: memory.ndarray(4, "f32", 2).close(),
        "launch over memory": lambda: kernel(0.0, x, over),
        "fill over memory": lambda: over.fill(0),
        "array slice": lambda: x[10:20].to_numpy(),
        "array slice(out)": lambda: x[10:20][5:].to_numpy(out[:5]),
        "array slice.write": lambda: x[10:20].write(data[:10]),
        "array slice.fill": lambda: x[10:20].fill(1),
        "array slice.copy_from": lambda: x[10:20].copy_from(x[50:60]),
        "flush": rt.flush,
        "wait": rt.wait,
        "memory_info": rt.memory_info,
        "trim": rt.trim,
        "record_event": rt.record_event,
        "elapsed": measure,
        "launch": lambda: kernel(0.0, x, y),
        "graph": lambda: things.graph(0.0, x, y),
        "bind": lambda: kernel.bind(0.0, x, y),
        "update": lambda: launch.update(x=x),
        "bound": launch,
        "call for a value": lambda: answer(integers),
        "bind for a value": lambda: answer.bind(integers),
        "result": question.result,
        "sequence": lambda: sequence(3, ramps={"a": (0, 0)}),
        "kernels": lambda: things.module.kernels["iota"],
        "rename": lambda: kernel.rename("p", "q", "r"),
        "load_module": lambda: rt.load_module(module),
        "runtime": lambda: Runtime(arch).close(),
        "module of a new runtime": lambda: Runtime(arch).load_module(module),
        "load": lambda: taichi_aot.load(module, arch).close(),
    }
    if arch == "x64":
        calls |= {
            "from_dlpack": lambda: rt.from_dlpack(data),
            "from_dlpack of a capsule": lambda: rt.from_dlpack(NdArrayOnly(x)),
            "import_memory": lambda: rt.import_memory(data),
            "ndarray at an offset": lambda: memory.ndarray(4, "f32", offset=16),
        }
    if arch == "vulkan":
        calls |= vulkan_operations(rt, x)
    if arch == "cuda":

        def stream() -> None:
            with rt.stream(1):
                kernel(0.0, x, y)

        calls |= {"stream": stream, "from_dlpack": lambda: rt.from_dlpack(x)}
    return calls


class NdArrayOnly:
    """Export an array only through DLPack."""

    def __init__(self, array: NdArray) -> None:
        self.__dlpack__ = array.__dlpack__
        self.__dlpack_device__ = array.__dlpack_device__


def vulkan_operations(rt: Runtime, x: NdArray) -> dict[str, Callable[[], object]]:
    """Return calls of the Vulkan interop."""
    shared = rt.zeros(10)

    def import_twice() -> None:
        info = vulkan.export_memory(shared)
        with vulkan.import_memory(rt, info) as memory:
            assert memory.read(0, 4) == bytes(4)
        vulkan.import_ndarray(rt, info, 10, "f32").close()

    def import_runtime() -> None:
        with vulkan.import_runtime(vulkan.export_runtime(rt)) as imported:
            imported.zeros(4).to_numpy()

    return {
        "export_memory": lambda: vulkan.export_memory(x),
        "import_memory": import_twice,
        "export_runtime": lambda: vulkan.export_runtime(rt),
        "import_runtime": import_runtime,
        "create_runtime": lambda: vulkan.create_runtime().close(),
    }


def image_operations(rt: Runtime, module: str) -> dict[str, Callable[[], object]]:
    """Return calls of image operations."""
    kernel = rt.load_module(Path(module).with_name("kinds.tcm")).kernels["fetch_texels"]
    image, other = rt.allocate_image((4, 4), "r32f"), rt.allocate_image((4, 4), "r32f")
    array, out, texels = rt.full((4, 4), 1.0), rt.zeros(4), np.ones((4, 4), np.float32)
    result = np.empty((4, 4), np.float32)
    picture = np.zeros((4, 4, 3), np.uint8)
    colors = rt.image_from(picture)
    launch = kernel.bind(image, out)
    image.write(texels)

    def import_image() -> None:
        info = vulkan.export_image(image, ImageLayout.SHADER_READ)
        with vulkan.import_image(rt, info, ImageLayout.SHADER_READ) as imported:
            assert imported.to_numpy()[0, 0] == 1

    return {
        "allocate_image": lambda: rt.allocate_image((4, 4), "r32f"),
        "image.close": lambda: rt.allocate_image((4, 4), "r32f").close(),
        "image.write": lambda: image.write(texels),
        "image.to_numpy": lambda: image.to_numpy(result),
        "image_from": lambda: rt.image_from(picture),
        "image.to_pil": lambda: colors.to_pil(),
        "preview": lambda: colors._repr_png_(),
        "image slices": lambda: image[1:3, :2].copy_from(image[:2, 2:]),
        "image.copy_from": lambda: other.copy_from(image),
        "image.copy_from of an array": lambda: image.copy_from(array),
        "copy_from of an image": lambda: array.copy_from(image),
        "transition": lambda: image.transition(ImageLayout.SHADER_READ),
        "texture": lambda: kernel(image.texture(), out),
        "bound texture": launch,
        "update of a texture": lambda: launch.update(image=image),
        "import_image": import_image,
    }


HEAVY = (
    "load_module",
    "module.close",
    "runtime",
    "module of a new runtime",
    "load",
    "import_runtime",
    "create_runtime",
)


def every_operation(arch: ArchName, module: str, things: Objects) -> dict[str, Callable[[], object]]:
    return operations(arch, module, things) | (image_operations(things.rt, module) if arch == "vulkan" else {})


def light_operations(arch: ArchName, module: str, things: Objects) -> dict[str, Callable[[], object]]:
    """Return the operations that take less than a millisecond, except for images."""
    every = operations(arch, module, things)
    return {name: every[name] for name in every if name not in HEAVY}


def assert_working(things: Objects) -> None:
    before = things.y.to_numpy()[0]
    things.kernel(1.0, things.x, things.y)
    assert things.y.to_numpy()[0] == before + 1


def use_in_a_signal_handler(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    calls = 0

    def handle(_signal: int, _frame: FrameType | None) -> None:
        nonlocal calls
        calls += 1
        with suppress(RuntimeError):  # refused inside another call
            assert things.x.to_numpy()[0] == 1
            things.rt.zeros(10).close()

    every = every_operation(arch, module, things)
    light = [every[name] for name in every if name not in HEAVY]
    signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    while calls < 500:
        for operation in light:
            operation()
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert_working(things)


def use_at_every_bytecode(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    other = things.rt.full(4, 7.0, "f32")

    def use() -> None:
        with suppress(RuntimeError):
            assert other.to_numpy()[0] == 7

    for name, operation in every_operation(arch, module, things).items():
        print(name, flush=True)
        with at_every_bytecode(use):
            operation()
    assert_working(things)


def close_at_each_bytecode(arch: ArchName, module: str) -> None:
    """Close the runtime in a handler at each bytecode: the operation ends or raises, and closing works."""
    things = make(arch, module)

    def use(rt: Runtime) -> None:
        x = rt.full(100, 1.0, "f32")
        x.to_numpy()
        with x.map() as view:
            view[:] = 2
        rt.wait()

    box = [Runtime(arch)]

    def close() -> None:
        with suppress(RuntimeError, BufferError):
            box[0].close()

    for _ in at_each_bytecode(lambda: use(box[0]), close, at_most=25):
        box[0].close()
        assert box[0].closed
        box[0] = Runtime(arch)
    assert_working(things)


class ClosesInCycle:
    """Close an object when the garbage collector finds it."""

    def __init__(self, thing: NdArray | Runtime) -> None:
        self.thing = thing
        self.cycle = self

    def __del__(self) -> None:
        self.thing.close()


def collect_at_every_bytecode(arch: ArchName, module: str) -> None:
    things = make(arch, module)
    stock: list[NdArray] = []
    gc.freeze()

    def collect() -> None:
        if stock:
            ClosesInCycle(stock.pop())
            gc.collect()

    for name, operation in every_operation(arch, module, things).items():
        print(name, flush=True)
        stock += [things.rt.zeros(4) for _ in range(300)]
        with at_every_bytecode(collect):
            operation()
    assert_working(things)


class Owner(bytearray):
    """Memory that calls a function when freed."""

    on_free: Callable[[], object]

    def __del__(self) -> None:
        self.on_free()


def drop_an_owner_that_uses_the_runtime() -> None:
    rt = Runtime("x64")
    freed = []

    def use() -> None:
        freed.append(rt.zeros(3).to_numpy().sum())

    for close in (True, False):
        owner = Owner(400)
        owner.on_free = use
        memory = rt.import_memory(owner)
        del owner
        if close:
            memory.close()
        del memory
        gc.collect()
        rt.wait()
    assert freed == [0, 0]


def collect_at_every_allocation(arch: ArchName) -> None:
    """Close an array with live views while each garbage collection adds one more."""
    rt = Runtime(arch)
    arrays = [rt.zeros(16) for _ in range(50)]
    begun = []

    def begin_another(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            begun.append(arrays[1].map().__enter__())

    with ExitStack() as stack:
        views = [stack.enter_context(x.map()) for x in arrays]
        thresholds = gc.get_threshold()
        for threshold in range(1, 60):
            kept = [(number, threshold) for number in range(5000)]  # CPython has no freed tuples left to reuse
            gc.callbacks.append(begin_another)
            gc.set_threshold(threshold)
            try:
                arrays[0].close()
            except BufferError:
                pass
            else:
                raise AssertionError("closed a mapped array")
            finally:
                gc.set_threshold(*thresholds)
                gc.callbacks.remove(begin_another)
            assert kept
        assert begun
    del views
    begun.clear()
    rt.close()
