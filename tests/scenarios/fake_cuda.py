"""Launches on CUDA without a device: the driver of ``helpers/cuda_driver`` logs each kernel.

Tests compare a scenario's output and log between launches of PTX and the library's.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from helpers.failed_checks import Failure
from helpers.fake_cuda import driver
from helpers.inside import made_up_arguments
from helpers.objects import bind
from helpers.raising import assert_raises
from helpers.threads import run_together

from taichi_aot import AotModule, NdArray, NotSupportedError, OutOfMemoryError, Runtime, capi, devices
from taichi_aot.handles import _interchange

GLOBAL, RELAXED = 0, 2
CALLS = 20
RECORDED = 70  # launches: more than a sequence needs to be recorded


def words(array: NdArray) -> str:
    """Return the first bytes of an array, in hexadecimal."""
    return array.to_numpy().tobytes()[:16].hex()


@contextmanager
def loaded(path: str) -> Generator[tuple[Runtime, AotModule]]:
    with Runtime("cuda") as rt:
        yield rt, rt.load_module(path)


def numbers(*shape: int) -> np.ndarray[Any, Any]:
    return np.arange(np.prod(shape), dtype=np.int32).reshape(shape)


def launch_every_kernel(path: str) -> None:
    """Launch each kernel and graph alone and in a sequence."""
    with loaded(path) as (rt, module):
        count = 0
        for name, item in [*module.kernels.items(), *module.graphs.items()]:
            if item.signature.returns or not name.isascii():
                continue  # the library passes an array for the values, and PTX has other names
            try:
                arguments = made_up_arguments(rt, item.signature, 300)
                launch = item.bind(*arguments)
                launch()
            except NotSupportedError:
                continue
            for _ in range(5):
                launch()
            rt.sequence([launch])(RECORDED)
            print(name, *(words(argument) for argument in arguments if isinstance(argument, NdArray)))
            count += 1
        assert count, "nothing was launched"


def launch_bound(path: str) -> None:
    with loaded(path) as (rt, module):
        x, y, z = rt.full(1000, 1.0, "f32"), rt.zeros(1000), rt.zeros(5)
        saxpy = module.kernels["saxpy"]
        launch = saxpy.bind(1.0, x, y)
        for i in range(80):
            if i < 20 and i % 3 == 2:
                launch.update(a=float(i))
            if i % 30 == 6:
                launch.update(x=z, y=z)
            if i % 30 == 7:
                launch.update(x=x, y=y)
            launch()
        print(words(y), words(z))


def call_checked(path: str) -> None:
    with loaded(path) as (rt, module):
        x, y, z = rt.full(1000, 1.0, "f32"), rt.zeros(1000), rt.zeros(1000)
        module.kernels["saxpy"].bind(1.0, x, y).update(y=z)  # its memory goes to the calls
        for i in range(40):
            module.kernels["saxpy"](float(i), x, (y, z)[i % 2])
            if i % 10 == 9:
                x.write(np.full(1000, i, np.float32))
        print(words(y), words(z))


def run_sequences(path: str, repeats: str) -> None:
    """Run sequences of several kernels, with one launch twice, for each number of iterations."""
    with loaded(path) as (rt, module):
        one, (x,) = bind(module, "array", numbers(500))
        other, (y, m) = bind(module, "several", 200, numbers(500), numbers(30, 40))
        third, _ = bind(module, "wide", 1e9, -(2**40), [1, 2, 3], 5, numbers(300))  # for -5, the library passes 4 bytes
        sequence = rt.sequence([one, other, one, third])
        for repeat in map(int, repeats.split(",")):
            sequence(repeat)
            rt.sequence([other, one])(repeat)
            driver.mark()
        print(words(x), words(y), words(m))


def run_until(path: str) -> None:
    """Run until a number is the largest that a loop on the host has read, then until it would be larger than all."""
    with loaded(path) as (rt, module):
        launch, (x,) = bind(module, "array", numbers(500))
        sequence, number = rt.sequence([launch, launch]), x[3:4]
        found: list[int] = []
        for every in (1, 40, 1000):
            x.write(numbers(500))
            values = []
            for _ in range(160 // every):
                sequence(every)
                values.append(number.item())
            x.write(numbers(500))
            made = sequence.until(number, above=max(values, default=0) - 1, check_every=every)(160)
            driver.mark()
            assert made == (values.index(max(values)) + 1) * every if values else 160
            assert made.converged or not values
            assert not values or made.value == max(values)
            found.append(made)
        print(found, words(x))


def run_ramps(path: str) -> None:
    with loaded(path) as (rt, module):
        launch, (x,) = bind(module, "scalar", 0, numbers(1000))
        plain, _ = bind(module, "array", numbers(50))
        for first, step in ((0, 3), (1000, -2), (7, 0)):
            rt.sequence([launch, plain])(300, ramps={"n": (first, step)})
        sequence = rt.sequence([launch, plain, launch])
        for first in range(5):
            sequence(100, ramps={"n": (first, 1)})
            sequence(30)
        print(words(x))


def update_between_runs(path: str) -> None:
    with loaded(path) as (rt, module):
        one, (x,) = bind(module, "array", numbers(500))
        other, (y, m) = bind(module, "several", 200, numbers(500), numbers(30, 40))
        spare = rt.asarray(numbers(700))
        sequence = rt.sequence([one, other, one])
        for _ in range(2):
            sequence(RECORDED)
            one.update(x=spare)
            sequence(RECORDED)
            other.update(n=300, x=spare)
            sequence(3)
            other()
            one()
            module.kernels["array"](spare)
            sequence(RECORDED)
            other.update(n=200, x=y)
            one.update(x=x)
        print(words(x), words(y), words(m), words(spare))


def update_while_a_sequence_runs(path: str) -> None:
    """Update a running sequence: a launch has all old or all new arguments, and no old ones after `update`."""
    with loaded(path) as (rt, module):
        arrays = [rt.zeros(size) for size in (10, 20)]
        launch = module.kernels["saxpy"].bind(1.0, arrays[0], arrays[0])
        sequence = rt.sequence([launch])
        sequence(RECORDED)
        thread = threading.Thread(target=sequence, args=(20_000,))
        thread.start()
        for i in range(1, 50):
            launch.update(a=1.0 + i % 2, x=arrays[i % 2], y=arrays[i % 2])
        driver.mark()
        thread.join()
        sequence(RECORDED)
        rt.wait()


def run_graphs(path: str) -> None:
    with loaded(path) as (rt, module):
        x, y = rt.full(1000, 1.0, "f32"), rt.zeros(1000)
        launch = module.graphs["twice"].bind(a=1.0, x=x, y=y)
        for i in range(8):
            launch.update(a=float(i))
            launch()
        rt.sequence([launch, module.kernels["saxpy"].bind(-1.0, x, y)])(RECORDED)
        print(y.to_numpy()[:3].tolist())


def read_results(path: str) -> None:
    """Read what a kernel returns, in every form: the first number that it has written."""
    with loaded(path) as (rt, module):
        launch, (x,) = bind(module, "returned", 100, numbers(100))
        other, _ = bind(module, "array", numbers(10))
        found = set()

        def check(value: int) -> None:
            assert value == x.to_numpy()[0], (value, x.to_numpy()[:3])
            found.add(int(value))

        for i in range(8):
            check(module.kernels["returned"](i, x))
            launch()
            check(launch.result())
        sequence = rt.sequence([other, launch])
        sequence(RECORDED)
        check(launch.result())
        sequence(RECORDED, ramps={"n": (0, 1)})
        check(launch.result())
        assert len(found) == 18


def call_for_results(path: str) -> None:
    with loaded(path) as (rt, module):
        x = rt.asarray(numbers(100))
        results = [module.kernels["returned"](i, x) for i in range(CALLS)]
        assert results[-1] == x.to_numpy()[0]
        assert len(set(results)) == CALLS


def close_an_array(path: str) -> None:
    """Close an array: earlier launches run, and the error names the launch and the iteration."""
    with loaded(path) as (rt, module):
        one, (x,) = bind(module, "array", numbers(100))
        other, (y,) = bind(module, "array", numbers(100))
        for launch in (one, other):
            for _ in range(6):
                launch()
        sequence = rt.sequence([one, other, one])
        sequence(RECORDED)
        y.close()
        for call in (other, lambda: sequence(RECORDED), lambda: rt.sequence([other])(1)):
            _print_error(call)
        one()
        print(words(x))
        rt.close()
        _print_error(one)
        _print_error(lambda: sequence(RECORDED))


def close_an_array_while_a_sequence_runs(path: str) -> None:
    with loaded(path) as (rt, module):
        one, _ = bind(module, "array", numbers(100))
        other, (y,) = bind(module, "array", numbers(100))
        sequence = rt.sequence([one, other])
        sequence(RECORDED)
        errors: list[str] = []

        def work() -> None:
            try:
                sequence(10**9)
            except ValueError as error:
                errors.append(str(error))

        thread = threading.Thread(target=work)
        thread.start()
        y.close()
        thread.join()
        start = "launch 1 (array), iteration "
        assert len(errors) == 1, errors
        assert errors[0].startswith(start), errors
        assert "closed" in errors[0], errors
        iteration = int(errors[0][len(start) :].split(":")[0])
        rt.wait()
        print(iteration >= 0)
        with open(os.environ["FAKE_CUDA_LOG"] + ".iteration", "w") as file:
            file.write(str(iteration))


def close_modules(path: str) -> None:
    with loaded(path) as (rt, module):
        launch, _ = bind(module, "array", numbers(100))
        sequence = rt.sequence([launch])
        for _ in range(6):
            launch()
        sequence(RECORDED)
        module.close()
        _print_error(launch)
        _print_error(lambda: sequence(RECORDED))
        again = rt.load_module(path)
        launch, (x,) = bind(again, "array", numbers(100))
        for _ in range(6):
            launch()
        print(words(x))
    _print_error(launch)


def use_streams(path: str, flags: str) -> None:
    """Launch on several streams: each launch follows the earlier ones and precedes reads of its arrays."""
    with loaded(path) as (rt, module):
        by_library = rt.load_module(str(path).replace(".tcm", "-taichi.tcm")).kernels["saxpy"]
        x, y, z = rt.full(100, 1.0, "f32"), rt.zeros(100), rt.zeros(100)
        launch = module.kernels["saxpy"].bind(1.0, x, y)
        other = module.kernels["saxpy"].bind(2.0, y, z)
        sequence = rt.sequence([launch, other])
        streams = [driver.stream(int(flags)) for _ in range(2)]
        for _ in range(4):
            launch()
            other()
            for stream in streams:
                with rt.stream(stream):
                    for a in range(6):
                        launch.update(a=float(a))
                        launch()
                        other()
                    by_library(1.0, y, z)
                    launch()
                    sequence(RECORDED)
                    z.write(np.ones(100, np.float32))
                    launch()
                    sequence(RECORDED, ramps={"a": (0.0, 1.0)})
                    print(y.to_numpy()[0], z.to_numpy()[0])
                    launch()
                sequence(RECORDED)
            print(y.to_numpy()[0], z.to_numpy()[0])
        with rt.stream(streams[0]):
            launch()
            with rt.stream(streams[1]):
                launch()
            launch()
        print(y.to_numpy()[0])


class OfAnotherLibrary:
    """An array whose library works on a stream, and says so."""

    def __init__(self, array: NdArray, stream: int | None, **changes: object) -> None:
        self._array = array
        self.interface = array.__cuda_array_interface__ | {"stream": stream} | changes

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.interface

    def fill(self, value: float) -> None:
        driver.fill(self.interface["data"][0], value, self.interface["shape"][0], self.interface["stream"] or 0)


class OfDlpack(OfAnotherLibrary):
    """An array that is also imported by DLPack; it counts the imports."""

    imports = 0

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        self.imports += 1
        return self._array.__dlpack__(**options)


def pass_arrays_of_streams(path: str, flags: str) -> None:
    """Pass arrays on which other libraries work: launches follow that work, and precede what comes later."""
    with loaded(path) as (rt, module):
        saxpy = module.kernels["saxpy"]
        own, results = driver.stream(int(flags)), []
        saxpy(1.0, rt.zeros(100), rt.zeros(100))  # the thread has the context now
        imports = _interchange._from_cuda_interface
        _interchange._from_cuda_interface = _refuse_imports  # type: ignore[assignment]
        for first, second in ((1, 1), (1, own), (own, own), (driver.stream(1), own)):
            x = OfAnotherLibrary(rt.zeros(100), first)
            y = OfAnotherLibrary(rt.zeros(100), second)
            rt.wait()
            for a in range(3):
                x.fill(a + 1.0)
                y.fill(10.0)
                saxpy(2.0, x, y)
                x.fill(0.0)  # as a library does that uses the memory again
                with rt.stream(own):
                    saxpy(1.0, y, x)
                results.append((x._array.to_numpy()[0], y._array.to_numpy()[0]))
        with Runtime("cuda") as other:
            assert_raises(ValueError, partial(saxpy, 2.0, other.zeros(100), y), match="runtime")
        x, y = OfAnotherLibrary(rt.full(100, 3.0, "f32"), None), OfAnotherLibrary(rt.zeros(100), None)
        saxpy(2.0, x, y)  # None: nothing has to be waited for
        assert (y._array.to_numpy() == 6).all()
        _interchange._from_cuda_interface = imports
        assert results == 4 * [(12.0, 12.0), (14.0, 14.0), (16.0, 16.0)], results
        y = OfAnotherLibrary(rt.zeros(100), own, shape=(100, 1))
        assert_raises(TypeError, partial(saxpy, 1.0, x, y), match="must have 1 dimension")
        y = OfAnotherLibrary(rt.zeros(100), own, strides=(8,), shape=(50,))
        assert_raises(BufferError, partial(saxpy, 1.0, x, y), match="not C-contiguous")
        y = OfAnotherLibrary(rt.zeros(100), own, typestr="<i4")
        assert_raises(TypeError, partial(saxpy, 1.0, x, y), match="int32")
        y = OfAnotherLibrary(rt.zeros(100), own, data=(x.interface["data"][0], True))
        assert_raises(ValueError, partial(saxpy, 1.0, x, y), match="read-only")
        y = OfAnotherLibrary(rt.zeros(100), -5)
        assert_raises(ValueError, partial(saxpy, 1.0, x, y), match="not the address of a CUDA stream")


def read_short_arrays() -> None:
    """Read arrays of sizes around those that are polled, and of the pattern that stands for unwritten words."""
    with Runtime("cuda") as rt:
        for count in (1, 2, 3, 4, 1023, 1024, 1025):
            pattern = np.full(count, 0x7FB5A3C9, np.uint32)
            half = np.where(np.arange(count) % 2, pattern, 5).astype(np.uint32)
            for numbers in (np.arange(count, dtype=np.uint32), pattern, half, pattern.view(np.uint8)[: count | 1]):
                array = rt.asarray(numbers)
                for _ in range(2):
                    assert (array.to_numpy() == numbers).all()


def _refuse_imports(source: object) -> None:
    raise AssertionError("the array was imported")


def use_streams_in_threads(path: str) -> None:
    """Launch from threads on their own streams, blocking and non-blocking."""
    with loaded(path) as (rt, module):
        mine = [rt.zeros(100) for _ in range(3)]
        streams = [driver.stream(i % 2) for i in range(3)]

        def work(i: int) -> None:
            with rt.stream(streams[i]):
                launch = module.kernels["saxpy"].bind(1.0, rt.full(100, 1.0, "f32"), mine[i])
                sequence = rt.sequence([launch])
                for _ in range(30):
                    launch()
                    sequence(RECORDED)
                rt.wait()

        run_together(*(partial(work, i) for i in range(3)))
        print([array.to_numpy()[0] for array in mine])


def launch_on_the_stream_of_the_library(path: str) -> None:
    """Set a stream through the C-API: while it is in use, launches run on it."""
    with loaded(path) as (rt, module):
        x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
        launch = module.kernels["saxpy"].bind(1.0, x, y)
        sequence = rt.sequence([launch])
        for stream in (0, driver.stream(0), 0):
            capi.set_cuda_stream(stream)
            for _ in range(6):
                launch()
                module.kernels["saxpy"](1.0, x, y)
            sequence(RECORDED)
            driver.mark()
        print(y.to_numpy()[0])


def launch_too_many_blocks(path: str) -> None:
    """Launch a loop with too many blocks for the device, and shorter ones, which fit."""
    with loaded(path) as (rt, module):
        for length in (100_000, 100, 1):
            launch, (x,) = bind(module, "array", numbers(length))
            sequence = rt.sequence([launch])
            again = partial(sequence, RECORDED)
            for call in (launch, sequence, again, again):
                _print_error(call)
            print("array", words(x))


def launch_lengths(path: str, *lengths: int) -> None:
    with loaded(path) as (rt, module):
        for length in lengths:
            x, y = rt.full(length, 1.0, "f32"), rt.zeros(length)
            module.kernels["saxpy"](1.0, x, y)
            rt.wait()


def capture_elsewhere(path: str, mode: str, when: str) -> None:
    """Launch while another library captures a stream on this thread: its capture continues, and our work runs."""
    with loaded(path) as (rt, module):
        x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
        launch = module.kernels["saxpy"].bind(1.0, x, y)
        fresh = module.kernels["saxpy"].bind(1.0, x, y)
        sequence = rt.sequence([launch])
        if when == "before":
            for _ in range(6):
                launch()
            sequence(RECORDED)
        stream, graph = driver.stream(), ctypes.c_void_p()
        driver.call("cuStreamBeginCapture_v2", ctypes.c_void_p(stream), int(mode))
        for _ in range(6):
            launch()
            fresh()
            sequence(RECORDED)
        driver.call("cuStreamEndCapture", ctypes.c_void_p(stream), ctypes.byref(graph))
        driver.call("cuGraphDestroy", graph)
        print(y.to_numpy()[0])


def run_out_of(path: str, failure: str) -> None:
    """Make graphs fail: the launches are made one by one."""
    with loaded(path) as (rt, module):
        x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
        launch = module.kernels["saxpy"].bind(1.0, x, y)
        sequence = rt.sequence([launch])
        driver.fail(failure)
        for _ in range(10):
            launch()
        sequence(RECORDED)
        sequence(1000, ramps={"a": (0.0, 1.0)})
        driver.fail("")
        sequence(RECORDED)
        launch()
        print(y.to_numpy()[0])


def run_out_of_memory(path: str) -> None:
    """Lack memory for the arguments of a launch, and of a sequence, until there is some."""
    with loaded(path) as (rt, module):
        x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
        launch = module.kernels["saxpy"].bind(1.0, x, y)
        sequence = rt.sequence([launch])
        driver.fail("cuMemAlloc_v2:2")
        _print_error(launch)
        _print_error(partial(sequence, RECORDED))
        driver.fail("")
        _print_error(partial(sequence, RECORDED))


def fail_to_launch_graphs(path: str) -> None:
    with loaded(path) as (rt, module):
        sequence = rt.sequence([module.kernels["saxpy"].bind(1.0, rt.full(100, 1.0, "f32"), rt.zeros(100))])
        driver.fail("cuGraphLaunch:2:1")
        _print_error(lambda: sequence(RECORDED))
        _print_error(lambda: sequence(RECORDED))


def launch_without(path: str) -> None:
    """Launch in every way what the library has to launch, and print why."""
    with loaded(path) as (rt, module):
        x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
        print(module.kernels["saxpy"].recording)
        launch = module.kernels["saxpy"].bind(1.0, x, y)
        for _ in range(10):
            launch()
        rt.sequence([launch])(RECORDED)
        rt.sequence([launch])(RECORDED, ramps={"a": (0.0, 1.0)})
        with rt.stream(driver.stream()):
            launch()
        assert y.to_numpy()[0] == 11 + RECORDED + sum(range(RECORDED))


def fork(path: str) -> None:
    """Fork: the child can neither launch nor free, and the parent continues."""
    with loaded(path) as (rt, module):
        x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
        launch = module.kernels["saxpy"].bind(1.0, x, y)
        sequence = rt.sequence([launch])
        for _ in range(6):
            launch()
        sequence(RECORDED)
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            _print_error(launch)
            _print_error(lambda: sequence(RECORDED))
            del launch, sequence
            gc.collect()
            sys.stdout.flush()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        launch()
        sequence(RECORDED)
        print(y.to_numpy()[0])


def exit_with_graphs(path: str) -> None:
    """Exit without closing anything."""
    rt = Runtime("cuda")
    module = rt.load_module(path)
    x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
    launch = module.kernels["saxpy"].bind(1.0, x, y)
    for _ in range(6):
        launch()
    sequence = rt.sequence([launch])
    sequence(RECORDED)
    print(y.to_numpy()[0])
    kept.extend([rt, module, launch, sequence])


kept: list[object] = []


def stay_flat(path: str) -> None:
    """Launch 100,000 times in all ways: no objects accumulate."""
    with loaded(path) as (rt, module):
        x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
        saxpy = module.kernels["saxpy"]
        launch = saxpy.bind(1.0, x, y)
        sequence = rt.sequence([launch])
        stream = driver.stream()

        def work() -> None:
            for _ in range(20):
                launch()
                saxpy(1.0, x, y)
            launch.update(a=2.0)
            sequence(100)
            sequence(100, ramps={"a": (0.0, 1.0)})
            rt.sequence([launch, launch])(100)
            bound = saxpy.bind(3.0, x, y)
            for _ in range(10):
                bound()
            with rt.stream(stream):
                launch()
                sequence(100)
            rt.wait()

        for _ in range(20):
            work()
        gc.collect()
        before = driver.counts()
        for _ in range(180):
            work()
        gc.collect()
        assert driver.counts() == before, (driver.counts(), before)


def free_everything(path: str) -> None:
    """Close a runtime, or drop its launches and sequences: either frees what they had on the device."""
    Runtime("cuda").close()
    with loaded(path) as (rt, module):
        rt.zeros(100).close()
        before = driver.counts()

        def work() -> None:
            x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
            launches = [module.kernels["saxpy"].bind(float(i), x, y) for i in range(5)]
            for launch in launches:
                for _ in range(6):
                    launch()
            sequences = [rt.sequence([launch, launches[0]]) for launch in launches]
            for sequence in sequences:
                sequence(RECORDED)
                sequence(RECORDED, ramps={"a": (0.0, 1.0)})
            rt.wait()
            kept.append((launches, sequences) if len(kept) == 0 else None)

        work()
        kept.clear()
        gc.collect()
        rt.wait()
        after = driver.counts()
        for kind in ("stream", "graph", "node", "exec", "pinned"):
            assert after[kind] == before[kind], (kind, before, after)
        work()
        assert kept
    for kind in ("stream", "graph", "node", "exec", "pinned"):
        assert driver.count(kind) == 0, (kind, driver.counts())


def _print_error(call: Callable[[], object]) -> None:
    try:
        call()
    except (IndexError, ValueError, RuntimeError, OutOfMemoryError) as error:
        print(type(error).__name__, error)
    else:
        print("no error")


def use_fields(path: str) -> None:
    """Launch a kernel of fields in every form, between reads and writes of a field."""
    with loaded(path) as (rt, module):
        step, field = module.kernels["fields"], module.fields["numbers"]
        launch, array = step.bind(), rt.asarray(numbers(*field.shape))
        sequence = rt.sequence([launch])
        for i in range(10):
            step()
            field.write(numbers(*field.shape) + i)
            launch()
            field.copy_to(array)
            sequence(RECORDED if i % 3 == 2 else 2)
            field.copy_from(array)
            print(words(array), field.to_numpy().tobytes()[:16].hex())
            field.fill(i)


def report_failed_checks(path: str) -> None:
    with loaded(path) as (rt, module):
        x = rt.zeros(4)
        launch = module.set_1d.bind(x, 4)
        failure = Failure(rt)
        for wait in (rt.wait, x.to_numpy, rt.record_event().wait):
            for _ in range(RECORDED):
                launch()
            failure.note()
            _print_error(wait)
            wait()
        shared = SimpleNamespace(__cuda_array_interface__=x.__cuda_array_interface__)
        arrays = [rt.from_dlpack(shared)]
        launch()
        failure.note()
        arrays.clear()  # waits, because another owner may free the memory now
        str(x)
        assert_raises(AttributeError, lambda: x.__cuda_array_interface__, match="a check in a kernel failed")
        assert_raises(IndexError, rt.wait, match="set_1d(): x[4] is out of range")
        rt.wait()
        failure.note()
        failure.lock.value = 1
        rt.wait()  # a thread of a later launch is writing
        failure.lock.value = 0
        assert_raises(IndexError, rt.wait, match="set_1d(): x[4] is out of range")


def ask_for_cuda() -> None:
    """Print which archs have devices, and why CUDA has none."""
    print([device.arch.name for device in devices()])
    try:
        Runtime("cuda").close()
    except NotSupportedError as error:
        print(error)
