"""PTX and two devices on CUDA: tested with a fake driver, without a device."""

import ctypes
import gc
import logging
import os
from contextlib import suppress
from functools import partial

import numpy as np
import pytest
from helpers.child import in_child, run_in_child
from helpers.fake_cuda import driver, read_log
from helpers.machine import resident_bytes
from helpers.raising import assert_raises
from helpers.threads import run_together

from taichi_aot import DeviceLostError, NotSupportedError, Runtime, devices

pytestmark = pytest.mark.usefixtures("fake_cuda")


@pytest.fixture(scope="session")
def path(build_source):
    return build_source("ptx_kernels", "cuda")


SIZE = 1000


def has_library(rt):
    return rt._handle.context.has_library


def arrays(rt, value=1.0):
    return rt.full(SIZE, value, "f32"), rt.zeros(SIZE)


def expect(array, value):
    found = array.to_numpy()
    assert (found == value).all(), (found[:4], value)


def expect_lost(call, rt, code):
    with suppress(DeviceLostError):
        call()
        raise AssertionError("the device is not lost")
    assert_raises(DeviceLostError, call, match=f"the CUDA context of {rt._handle.device} is unusable, because a kernel")
    assert_raises(DeviceLostError, call, match=f"The first error was: CUDA driver error {code}: ")


@in_child
def test_ptx_needs_no_library(path):
    """Call, bind, repeat and step kernels, and return values: nothing needs the library."""
    with Runtime("cuda") as rt:
        basic = rt.load_module(path)
        saxpy = basic.kernels["saxpy"]
        assert saxpy.recording == "native"
        x, y = arrays(rt)
        saxpy(2.0, x, y)
        launch = saxpy.bind(1.0, x, y)
        for _ in range(100):
            launch()
        assert repr(launch).endswith("(native)>"), launch
        expect(y, 102)
        sequence = rt.sequence([launch, basic.kernels["größe"].bind(rt.zeros(7))])
        sequence(3)
        assert repr(sequence).endswith("(recorded)>"), sequence
        expect(y, 105)
        rt.sequence([launch])(4, ramps={"a": (1.0, 0.5)})
        expect(y, 112)
        launch.update(a=-12.0)
        launch()
        expect(y, 100)
        total = basic.kernels["total"]
        bound = total.bind(x)
        bound()
        assert bound.result() == x.to_numpy()[0]
        assert total(x) == x.to_numpy()[0]
        assert rt.current_stream == 0
        basic.fields["grid"].fill(3)
        assert basic.fields["grid"].to_numpy()[1] == 3
        event = rt.record_event()
        event.wait()
        basic.prefetch("turn", "narrow", "staged")
        assert not has_library(rt)
    assert driver.count("module") == 0


def mix_with_the_library(path, flags):
    """Launch native kernels between others, on a stream and in sequences: all are in order."""
    with Runtime("cuda") as rt:
        basic = rt.load_module(path)
        x, y = arrays(rt)
        saxpy, show = basic.kernels["saxpy"], basic.kernels["show"]
        assert show.recording == "by the library: prints"
        native, other = saxpy.bind(1.0, x, y), show.bind(1)
        assert has_library(rt)
        with rt.stream(driver.stream(flags)):
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


@pytest.mark.parametrize("flags", [0, 1], ids=["blocking", "non-blocking"])
def test_ptx_is_in_order_with_the_library(fake_cuda, path, flags):
    run_in_child(mix_with_the_library, path, flags)
    assert {kernel.name.split("_")[0] for kernel in read_log(fake_cuda).kernels} == {"saxpy", "show"}


def use_two_devices(path):
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


def test_two_devices_live_together(fake_cuda, path):
    run_in_child(use_two_devices, path, env={"FAKE_CUDA_TRACE": "1"})
    calls = read_log(fake_cuda).calls
    assert calls.count("cuMemcpyPeerAsync") == 202
    assert calls.count("cuCtxEnablePeerAccess") == 2


@in_child
def test_second_device_has_no_library(path):
    """On the second device, kernels without PTX are an error; the other ones go on."""
    with Runtime("cuda", 1) as rt:
        basic = rt.load_module(path)
        look_up = partial(basic.kernels.__getitem__, "show")
        assert_raises(NotSupportedError, look_up, match="uses only cuda:0, not cuda:1")
        x, y = arrays(rt)
        basic.kernels["saxpy"](1.0, x, y)
        expect(y, 1)


def switch_off(path):
    with Runtime("cuda", 1) as rt:
        assert_raises(NotSupportedError, lambda: rt.load_module(path), match="not cuda:1")


@pytest.mark.parametrize("variable", ["TAICHI_AOT_NATIVE", "TAICHI_AOT_CUDA_RECORDING"])
def test_ptx_can_be_switched_off(path, variable):
    run_in_child(switch_off, path, env={variable: "0"})


@in_child
def test_streams_belong_to_a_device(path):
    """Streams belong to their device; the other device's launches on the thread go on in its own order."""
    with Runtime("cuda", 0) as a, Runtime("cuda", 1) as b:
        own = [rt.load_module(path).kernels["saxpy"] for rt in (a, b)]
        (x, y), (u, v) = arrays(a), arrays(b)
        first, second = driver.stream_on(a), driver.stream_on(b)
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


def wait_without_the_library(path, failure):
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


@pytest.mark.parametrize("failure", ["cuEventRecord:1:1", "cuEventQuery:1"])
def test_driver_waits_if_there_is_no_mark(fake_cuda, path, failure):
    run_in_child(wait_without_the_library, path, failure, env={"FAKE_CUDA_TRACE": "1"})
    assert "cuStreamSynchronize" in read_log(fake_cuda).calls


@pytest.mark.parametrize("failure", ["kernel:700", "cuEventRecord:700", "cuEventQuery:719", "cuEventQuery:700:1"])
def test_wait_reports_a_lost_device(path, failure):
    assert run_in_child(wait_without_the_library, path, failure, quiet=False).stdout == "lost\n"


FAULTS = (
    "cuMemcpyPeerAsync:1",
    "cuMemcpyPeerAsync:801",
    "cuCtxEnablePeerAccess:217",
    "cuEventCreate:2:1",
    "cuEventCreate:2:2",
    "cuEventRecord:1:2",
    "cuStreamWaitEvent:1:1",
    "cuStreamWaitEvent:1:2",
)


@pytest.mark.parametrize("failure", FAULTS)
@in_child
def test_failed_copy_passes_the_host(failure):
    """A copy that the driver refuses passes the host, with the same result."""
    with Runtime("cuda", 0) as a, Runtime("cuda", 1) as b:
        x, y = a.asarray(np.arange(SIZE, dtype=np.float32)), b.zeros(SIZE)
        driver.fail(failure)
        y.copy_from(x)
        driver.fail("")
        assert (y.to_numpy() == x.to_numpy()).all()
        y[1:].copy_from(x[:-1])
        assert (y.to_numpy()[1:] == x.to_numpy()[:-1]).all()


def test_driver_without_peer_copies_passes_the_host(old_driver):
    without = old_driver("cuMemcpyPeerAsync", "cuCtxEnablePeerAccess")
    run_in_child(test_failed_copy_passes_the_host, named={"failure": ""}, env={"LD_LIBRARY_PATH": str(without)})


@in_child(quiet=False)
def test_lost_device_fails_copies():
    with Runtime("cuda", 0) as a, Runtime("cuda", 1) as b:
        x, y = a.zeros(SIZE), b.zeros(SIZE)
        driver.fail("cuMemcpyPeerAsync:700")
        for _ in range(2):
            with pytest.raises(DeviceLostError):
                y.copy_from(x)


@in_child(quiet=False)
def test_fault_loses_one_device(path):
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


@in_child
def test_copies_in_both_directions_end():
    """Copies in both directions at the same time end, with the arrays of one of their orders."""
    with Runtime("cuda", 0) as a, Runtime("cuda", 1) as b:
        x, y = a.full(SIZE, 1, "f32"), b.full(SIZE, 2, "f32")

        def work(target, source):
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


@in_child
def test_refused_ptx_is_compiled_by_the_library(path):
    """The library compiles a kernel whose PTX the driver refuses; on the second device that is an error."""
    lines = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
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


@pytest.fixture(scope="session")
def plain(build_source):
    return build_source("plain_kernels", "cuda")


@in_child
def test_random_numbers_need_no_library(path):
    """Kernels that draw random numbers have states of their own on each device, which differ from the library's."""
    for index in (0, 1):
        with Runtime("cuda", index) as rt:
            basic = rt.load_module(path)
            assert basic.kernels["noise"].recording == "native"
            basic.kernels["noise"](rt.zeros(SIZE))
            rt.wait()
            assert not has_library(rt)
            kept = rt._handle.random.cuda
            size, address = kept.threads, kept.address
            tasks = basic.info.kernels["noise"].tasks
            assert (size, kept.first) == (max(task.threads for task in tasks), 1 << 30)
            context = ctypes.c_void_p()
            driver.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), index)
            driver.call("cuCtxSetCurrent", context)
            states = np.empty((size, 5), np.uint32)
            copy = ctypes.c_void_p(states.ctypes.data), ctypes.c_uint64(address), states.nbytes
            driver.call("cuMemcpyDtoH_v2", *copy)
            first = [123456789 * number * 1000000007 & 0xFFFFFFFF for number in range(1 << 30, (1 << 30) + size)]
            assert states[:, 0].tolist() == first
            assert len(set(first)) == size
            assert (states[:, 1:] == (362436069, 521288629, 88675123, 0)).all()
            rt.load_module(path)
            assert rt._handle.random.cuda is kept
            rt.seed(1)
            driver.call("cuMemcpyDtoH_v2", *copy)
            assert len(set(map(tuple, states[:, :4].tolist()))) == size
            assert not states[:, 4].any()


@in_child
def test_code_that_nothing_uses_is_unloaded(plain):
    """Code without fields is unloaded with the last object that uses it, and what was launched is done."""
    with Runtime("cuda", 1) as rt, Runtime("cuda", 1) as other:
        x, y = arrays(rt)
        module, again = rt.load_module(plain), other.load_module(plain)
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
        kernel = rt.load_module(plain).kernels["saxpy"]
        kernel(1.0, x, y)
        del kernel
        gc.collect()
        assert driver.count("module") == 0
        expect(y, 281)
        launches = [rt.load_module(plain).kernels["saxpy"].bind(1.0, x, y) for _ in range(3)]
        for each in launches:
            each()
        cycle = [each, launches]
        cycle.append(cycle)
        del cycle, launches, each
        gc.collect()
        assert driver.count("module") == 0
        expect(y, 284)
        kernel = rt.load_module(plain).kernels["saxpy"]
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


@pytest.mark.parametrize("rounds", [400, pytest.param(10_000, marks=pytest.mark.slow)])
@in_child
def test_modules_that_are_dropped_keep_nothing(plain, rounds):
    """Loading, launching and dropping modules without fields keeps nothing."""
    with Runtime("cuda", 0) as rt:
        x, y = arrays(rt)

        def use(times):
            for _ in range(times):
                module = rt.load_module(plain)
                module.kernels["saxpy"](1.0, x, y)
                module.close()

        use(20)
        counts, before = driver.counts(), len(rt._handle.context.loaded)
        assert driver.count("module") <= 1
        use(rounds // 2)
        rt.wait()
        first = resident_bytes()
        use(rounds // 2)
        rt.wait()
        assert driver.counts() == counts, (driver.counts(), counts)
        assert len(rt._handle.context.loaded) == before
        assert resident_bytes() < first + 2_000_000, (first, resident_bytes())


@in_child
def test_module_that_the_library_has_loaded_stays(plain):
    """A module that the library has loaded stays: loading it again finds it."""
    with Runtime("cuda", 0) as rt:
        for _ in range(3):
            module = rt.load_module(plain)
            assert module.kernels["show"].recording == "by the library: prints"
            module.close()
            del module
            gc.collect()
            assert len(rt._handle.context.loaded) == 1


@in_child
def test_closed_runtime_unloads_its_code(path):
    """Closing a runtime unloads the code of a module with fields and frees what it has."""
    counts = []
    for _ in range(4):
        with Runtime("cuda", 1) as rt:
            basic = rt.load_module(path)
            basic.fields["grid"].fill(1)
            basic.prefetch("saxpy")
            assert driver.count("module") >= 2
        counts.append({**driver.counts(), "module": driver.count("module")})
    assert counts[1] == counts[3], counts
    assert counts[3]["module"] == 0
