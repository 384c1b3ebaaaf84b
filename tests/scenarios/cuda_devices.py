"""PTX and two devices on CUDA, without a device: the driver of ``helpers/cuda_driver``."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from helpers.raising import assert_raises
from helpers.threads import run_together

from taichi_aot import DeviceLostError, NdArray, NotSupportedError, Runtime, devices

from .fake_cuda import NON_BLOCKING, driver

SIZE = 1000


def has_library(rt: Runtime) -> bool:
    return rt._handle.context.has_library


def arrays(rt: Runtime, value: float = 1.0) -> tuple[NdArray[Any], NdArray[Any]]:
    return rt.full(SIZE, value, "f32"), rt.zeros(SIZE)


def expect(array: NdArray[Any], value: float) -> None:
    found = array.to_numpy()
    assert (found == value).all(), (found[:4], value)


def launch_without_the_library(path: str) -> None:
    """Call, bind, repeat and step kernels, and return values: nothing needs the library."""
    with Runtime("cuda") as rt:
        module = rt.load_module(path)
        saxpy = module.kernels["saxpy"]
        assert saxpy.recording == "native"
        x, y = arrays(rt)
        saxpy(2.0, x, y)
        launch = saxpy.bind(1.0, x, y)
        for _ in range(100):
            launch()
        assert repr(launch).endswith("(native)>"), launch
        expect(y, 102)
        sequence = rt.sequence([launch, module.kernels["größe"].bind(rt.zeros(7))])
        sequence(3)
        assert repr(sequence).endswith("(recorded)>"), sequence
        expect(y, 105)
        rt.sequence([launch])(4, ramps={"a": (1.0, 0.5)})
        expect(y, 112)
        launch.update(a=-12.0)
        launch()
        expect(y, 100)
        total = module.kernels["total"]
        bound = total.bind(x)
        bound()
        assert bound.result() == x.to_numpy()[0]
        assert total(x) == x.to_numpy()[0]
        assert rt.current_stream == 0
        module.fields["grid"].fill(3)
        assert module.fields["grid"].to_numpy()[1] == 3
        event = rt.record_event()
        event.wait()
        module.prefetch("turn", "narrow", "staged")
        assert not has_library(rt)
    assert driver.count("module") == 0


def mix_with_the_library(path: str, flags: str) -> None:
    """Launch native kernels between others, on a stream and in sequences: all are in order."""
    with Runtime("cuda") as rt:
        module = rt.load_module(path)
        x, y = arrays(rt)
        saxpy, show = module.kernels["saxpy"], module.kernels["show"]
        assert show.recording == "by the library: prints"
        native, other = saxpy.bind(1.0, x, y), show.bind(1)
        assert has_library(rt)
        with rt.stream(driver.stream(int(flags))):
            for _ in range(6):
                native()
                other()
            rt.sequence([native, other, native])(100)
            native()
        native()
        for _ in range(10):
            other()
            native()
        rt.wait()


def use_two_devices(path: str) -> None:
    """Launch on both devices, copy between them, and mix up their arrays."""
    assert [str(device.arch) for device in devices()][:2] == ["cuda", "cuda"]
    with Runtime("cuda", 0) as a, Runtime("cuda", 1) as b:
        assert (repr(a), repr(b)) == ("<Runtime cuda:0>", "<Runtime cuda:1>")
        own = [rt.load_module(path).kernels["saxpy"] for rt in (a, b)]
        (x, y), (u, v) = arrays(a), arrays(b)
        for i in range(100):
            own[0](1.0, x, y)
            v.copy_from(y)
            own[1](1.0, u, v)
            y.copy_from(v)
            assert y[0] == 2 * (i + 1) or i % 10
        expect(y, 200)
        v[:10].copy_from(x[5:15])
        u.memory[:8].copy_from(y.memory[8:16])
        assert v.to_numpy()[[9, 10]].tolist() == [1, 200]
        assert u.to_numpy()[[1, 2]].tolist() == [200, 1]
        for kernel, wrong, of, it in ((own[0], u, a, b), (own[1], x, b, a)):
            where = f"which is on cuda:{of.device_index}, and it is on cuda:{it.device_index};"
            assert_raises(ValueError, partial(kernel, 1.0, wrong, wrong), match=where)
        assert x.__dlpack_device__() == (2, 0)
        assert u.__dlpack_device__() == (2, 1)
        assert (b.from_dlpack(u).to_numpy() == u.to_numpy()).all()
        assert_raises(ValueError, lambda: b.from_dlpack(x), match="it is on cuda:0, and this runtime is on cuda:1")
        assert b.memory_info().total
        assert not has_library(a)


def need_the_library(path: str) -> None:
    """On the second device, kernels without PTX are an error; the other ones go on."""
    with Runtime("cuda", 1) as rt:
        module = rt.load_module(path)
        look_up = partial(module.kernels.__getitem__, "show")
        assert_raises(NotSupportedError, look_up, match="uses only cuda:0, not cuda:1")
        x, y = arrays(rt)
        module.kernels["saxpy"](1.0, x, y)
        expect(y, 1)


def switch_off(path: str) -> None:
    with Runtime("cuda", 1) as rt:
        try:
            rt.load_module(path)
        except NotSupportedError as error:
            print("not cuda:1" in str(error))


def stream_on(rt: Runtime) -> int:
    """Create a stream on the device of a runtime, as another library does."""
    context, before = ctypes.c_void_p(), ctypes.c_void_p()
    driver.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), rt.device_index)
    driver.call("cuCtxGetCurrent", ctypes.byref(before))
    driver.call("cuCtxSetCurrent", context)
    stream = driver.stream(NON_BLOCKING)
    driver.call("cuCtxSetCurrent", before)
    return stream


def use_streams(path: str) -> None:
    """Streams belong to their device; the other device's launches on the thread go on in its own order."""
    with Runtime("cuda", 0) as a, Runtime("cuda", 1) as b:
        own = [rt.load_module(path).kernels["saxpy"] for rt in (a, b)]
        (x, y), (u, v) = arrays(a), arrays(b)
        first, second = stream_on(a), stream_on(b)
        with a.stream(first):
            assert (a.current_stream, b.current_stream) == (first, 0)
            for _ in range(20):
                own[0](1.0, x, y)
                own[1](1.0, u, v)
                v.copy_from(y)
            with b.stream(second):
                assert (a.current_stream, b.current_stream) == (first, second)
                for _ in range(20):
                    own[1](1.0, u, v)
                    own[0](1.0, x, y)
                    y.copy_from(v)
        expect(y, 40)
        expect(v, 40)


def wait_without_the_library(path: str, failure: str) -> None:
    """Wait where no mark can be set or asked: the driver waits, and its errors are raised."""
    with Runtime("cuda") as rt:
        saxpy = rt.load_module(path).kernels["saxpy"]
        x, y = arrays(rt)
        saxpy(1.0, x, y)
        rt.wait()
        before = driver.counts()
        saxpy(1.0, x, y)
        driver.fail(failure)
        try:
            rt.wait()
        except DeviceLostError:
            print("lost")
        else:
            driver.fail("")
            assert driver.counts() == before
            expect(y, 2)
        assert not has_library(rt)


def copy_with_faults(failure: str) -> None:
    """A copy that the driver refuses passes the host, with the same result."""
    with Runtime("cuda", 0) as a, Runtime("cuda", 1) as b:
        x, y = a.asarray(np.arange(SIZE, dtype=np.float32)), b.zeros(SIZE)
        driver.fail(failure)
        y.copy_from(x)
        driver.fail("")
        assert (y.to_numpy() == x.to_numpy()).all()
        y[1:].copy_from(x[:-1])
        assert (y.to_numpy()[1:] == x.to_numpy()[:-1]).all()


def lose_a_device() -> None:
    with Runtime("cuda", 0) as a, Runtime("cuda", 1) as b:
        x, y = a.zeros(SIZE), b.zeros(SIZE)
        driver.fail("cuMemcpyPeerAsync:700")
        for _ in range(2):
            try:
                y.copy_from(x)
            except Exception as error:
                print(type(error).__name__)


def expect_lost(call: Callable[[], object], rt: Runtime, code: int) -> None:
    with suppress(DeviceLostError):
        call()
        raise AssertionError("the device is not lost")
    assert_raises(DeviceLostError, call, match=f"the CUDA context of {rt._handle.device} is unusable, because a kernel")
    assert_raises(DeviceLostError, call, match=f"The first error was: CUDA driver error {code}: ")


def lose_one_device(path: str) -> None:
    """A fault loses one device, whose errors name it; the other device works on until a fault of its own."""
    with Runtime("cuda", 0) as a, Runtime("cuda", 1) as b:
        own = [rt.load_module(path).kernels["saxpy"] for rt in (a, b)]
        (x, y), (u, v) = arrays(a), arrays(b)
        driver.fail("kernel:700:1")
        own[1](1.0, u, v)
        expect_lost(b.wait, b, 700)
        for _ in range(80):
            own[0](1.0, x, y)
        expect(y, 80)
        for call in (v.to_numpy, partial(own[1], 1.0, u, v), partial(y.copy_from, v)):
            expect_lost(call, b, 700)
        expect(y, 80)
        driver.fail("kernel:719:1")
        own[0](1.0, x, y)
        expect_lost(a.wait, a, 719)
        expect_lost(b.wait, b, 700)
        expect_lost(a.wait, a, 719)


def copy_in_threads() -> None:
    """Copies in both directions at the same time end, with the arrays of one of their orders."""
    with Runtime("cuda", 0) as a, Runtime("cuda", 1) as b:
        x, y = a.full(SIZE, 1, "f32"), b.full(SIZE, 2, "f32")

        def work(target: NdArray[Any], source: NdArray[Any]) -> None:
            for _ in range(2000):
                target.copy_from(source)

        run_together(*(partial(work, *pair) for pair in ((x, y), (y, x))))
        assert len(set(x.to_numpy())) == 1
        assert (x.to_numpy() == y.to_numpy()).all()
        before = driver.counts()
        for _ in range(10_000):
            x.copy_from(y)
        a.wait()
        b.wait()
        assert driver.counts() == before


def refuse_ptx(path: str) -> None:
    """The library compiles a kernel whose PTX the driver refuses; on the second device that is an error."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("taichi_aot")
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    with Runtime("cuda", 0) as a, Runtime("cuda", 1) as b:
        modules = [rt.load_module(path) for rt in (a, b)]
        driver.fail("cuModuleLoadDataEx:218:1")
        saxpy = modules[0].kernels["saxpy"]
        driver.fail("")
        assert any("kernel saxpy: the driver refuses its PTX" in line and "ptxas for tests" in line for line in lines)
        assert has_library(a)
        x, y = arrays(a)
        saxpy(2.0, x, y)
        expect(y, 2)
        assert saxpy.recording == "by the library: the driver refuses its PTX"
        driver.fail("cuModuleLoadDataEx:218")
        look_up = partial(modules[1].kernels.__getitem__, "saxpy")
        assert_raises(RuntimeError, look_up, match="ptxas for tests: an unknown instruction")
        driver.fail("")
        u, v = arrays(b)
        modules[1].kernels["saxpy"](1.0, u, v)
        expect(v, 1)


def draw_random_numbers(path: str) -> None:
    """Kernels that draw random numbers have states of their own on each device, which differ from the library's."""
    for index in (0, 1):
        with Runtime("cuda", index) as rt:
            module = rt.load_module(path)
            assert module.kernels["noise"].recording == "native"
            module.kernels["noise"](rt.zeros(SIZE))
            rt.wait()
            assert not has_library(rt)
            size, address, following = rt._handle.context.random_states
            tasks = module.info.kernels["noise"].tasks
            assert size == max(task.threads for task in tasks) == following - (1 << 30)
            context = ctypes.c_void_p()
            driver.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), index)
            driver.call("cuCtxSetCurrent", context)
            states = np.empty((size, 5), np.uint32)
            driver.call("cuMemcpyDtoH_v2", ctypes.c_void_p(states.ctypes.data), ctypes.c_uint64(address), states.nbytes)
            first = [123456789 * number * 1000000007 & 0xFFFFFFFF for number in range(1 << 30, (1 << 30) + size)]
            assert states[:, 0].tolist() == first
            assert len(set(first)) == size
            assert (states[:, 1:] == (362436069, 521288629, 88675123, 0)).all()
            rt.load_module(path)
            assert rt._handle.context.random_states == (size, address, following)


def unload_modules(path: str) -> None:
    """Code without fields is unloaded with the last object that uses it, and what was launched is done."""
    with Runtime("cuda", 1) as rt, Runtime("cuda", 1) as other:
        x, y = arrays(rt)
        module, again = rt.load_module(path), other.load_module(path)
        kernel = module.kernels["saxpy"]
        assert driver.count("module") == 1
        assert again.kernels["saxpy"].recording == "native"
        assert driver.count("module") == 1
        launch = kernel.bind(1.0, x, y)
        for _ in range(80):
            launch()
        sequence = rt.sequence([launch])
        sequence(200)
        module.close()
        again.close()
        del module, again, kernel, launch
        gc.collect()
        assert driver.count("module") == 1  # the sequence has a graph
        del sequence
        gc.collect()
        assert driver.count("module") == 0
        expect(y, 280)
        kernel = rt.load_module(path).kernels["saxpy"]
        kernel(1.0, x, y)
        del kernel
        gc.collect()
        assert driver.count("module") == 0
        expect(y, 281)
        launches = [rt.load_module(path).kernels["saxpy"].bind(1.0, x, y) for _ in range(3)]
        for each in launches:
            each()
        cycle: list[Any] = [each, launches]
        cycle.append(cycle)
        del cycle, launches, each
        gc.collect()
        assert driver.count("module") == 0
        expect(y, 284)
        kernel = rt.load_module(path).kernels["saxpy"]
    assert driver.count("module") == 1
    child = os.fork()
    if not child:
        del kernel  # which must not call the driver
        gc.collect()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    del kernel
    gc.collect()
    assert driver.count("module") == 0


def resident() -> int:
    """Return the memory of this process in KiB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def load_again_and_again(path: str, rounds: str) -> None:
    """Loading, launching and dropping modules without fields keeps nothing."""
    with Runtime("cuda", 0) as rt:
        x, y = arrays(rt)

        def use(times: int) -> None:
            for _ in range(times):
                module = rt.load_module(path)
                module.kernels["saxpy"](1.0, x, y)
                module.close()

        use(20)
        counts, before = driver.counts(), len(rt._handle.context.loaded)
        assert driver.count("module") <= 1
        use(int(rounds) // 2)
        rt.wait()
        first = resident()
        use(int(rounds) // 2)
        rt.wait()
        assert driver.counts() == counts, (driver.counts(), counts)
        assert len(rt._handle.context.loaded) == before
        assert resident() < first + 2000, (first, resident())


def keep_what_the_library_has_loaded(path: str) -> None:
    """A module that the library has loaded stays: loading it again finds it."""
    with Runtime("cuda", 0) as rt:
        for _ in range(3):
            module = rt.load_module(path)
            assert module.kernels["show"].recording == "by the library: prints"
            module.close()
            del module
            gc.collect()
            assert len(rt._handle.context.loaded) == 1


def close_runtimes(path: str) -> None:
    """Closing a runtime unloads the code of a module with fields and frees what it has."""
    counts = []
    for _ in range(4):
        with Runtime("cuda", 1) as rt:
            module = rt.load_module(path)
            module.fields["grid"].fill(1)
            module.prefetch("saxpy")
            assert driver.count("module") >= 2
        counts.append({**driver.counts(), "module": driver.count("module")})
    assert counts[1] == counts[3], counts
    assert counts[3]["module"] == 0
