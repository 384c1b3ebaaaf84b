"""On CUDA, launches of PTX do the same as the library's: tested with a fake driver, without a device.

The driver logs each kernel with its arguments. A scenario's output and log must be the same for launches of PTX and
the library's, except for their grids, and for tasks that PTX does without.
"""

import ctypes
import gc
import shutil
import sys
from ctypes.util import find_library
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from helpers.child import in_child, run_in_child
from helpers.fake_cuda import driver, read_log
from helpers.plans import left_out
from helpers.raising import assert_raises
from scenarios import fake_cuda, faults, sealed, until
from scenarios.fake_cuda import RECORDED, OfDlpack, loaded, numbers, words

from taichi_aot import Arch, DeviceLostError, InvalidStateError, OutOfMemoryError, Runtime, default_runtime, function

SWITCH = "TAICHI_AOT_CUDA_RECORDING"
MODULES = ("basic", "edges", "fields", "kinds", "table")


@pytest.fixture
def basic(cuda_modules):
    return cuda_modules("basic")


@pytest.fixture
def loops(build_source):
    return build_source("loop_kernels", "cuda")


@pytest.fixture
def run(tmp_path, cuda_driver):
    """Run a scenario with the fake driver; return its output and log."""

    def run_with(scenario, *arguments, recording=True, folder=cuda_driver, log="log", quiet=True, **variables):
        path = tmp_path / log
        modules = [each for each in arguments if isinstance(each, Path) and each.suffix == ".tcm"]
        names = f" {' '.join(name for each in modules for name in left_out(each))} "
        env = {"LD_LIBRARY_PATH": str(folder), "FAKE_CUDA_LOG": str(path), SWITCH: str(int(recording)), **variables}
        env["FAKE_CUDA_LEFT_OUT"] = names
        done = run_in_child(scenario, *arguments, env=env, quiet=quiet)
        return done.stdout, read_log(path)

    return run_with


@pytest.fixture
def compare(run):
    """Run a scenario with PTX and with the library, and compare; return the log with PTX."""

    def compare_both(scenario, *arguments, **options):
        by_library, expected = run(scenario, *arguments, recording=False, log="library", **options)
        output, log = run(scenario, *arguments, **options)
        assert output.splitlines() == by_library.splitlines()
        assert not expected.graphs
        assert not expected.races
        assert_same_work(log, expected)
        return log

    return compare_both


def assert_same_work(log, expected):
    assert len(log.kernels) == len(expected.kernels)
    assert log.marks == expected.marks
    for i, (kernel, other) in enumerate(zip(log.kernels, expected.kernels, strict=True)):
        assert kernel.what == other.what, i
        assert kernel.groups > 0, (i, kernel)
    assert log.races == []


@pytest.mark.slow(but="basic")
@pytest.mark.parametrize("name", MODULES)
def test_every_kernel_matches_the_library(compare, cuda_modules, name):
    assert compare(fake_cuda.launch_every_kernel, cuda_modules(name)).graphs


@pytest.mark.slow
@pytest.mark.parametrize("source", ["loop_kernels", "kept_kernels"])
def test_loops_match_the_library(compare, build_source, source):
    """The fake driver aborts if a kernel does not get its temporaries and random states."""
    log = compare(fake_cuda.launch_every_kernel, build_source(source, "cuda"))
    assert sum(log.graphs) > len(log.kernels) / 2


MATCHED = [
    (fake_cuda.launch_bound, "basic"),
    (fake_cuda.run_until, "loops"),
    pytest.param(fake_cuda.update_between_runs, "loops", marks=pytest.mark.slow),
    (fake_cuda.run_graphs, "basic"),
    (fake_cuda.close_an_array, "loops"),
    pytest.param(fake_cuda.fork, "basic", marks=pytest.mark.slow),
    pytest.param(fake_cuda.exit_with_graphs, "basic", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("scenario", "module"), MATCHED)
def test_recorded_launches_match_the_library(compare, request, scenario, module):
    assert compare(scenario, request.getfixturevalue(module)).graphs


def test_calls_match_the_library(compare, basic):
    compare(fake_cuda.call_checked, basic)


@pytest.mark.usefixtures("fake_cuda")
@in_child
def test_launch_after_a_failed_upload_has_its_arguments(basic):
    """Fail one upload of arguments: the next identical call still gets its own arguments."""
    with loaded(basic) as (rt, module):
        x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
        for _ in range(6):
            module.kernels["saxpy"](1.0, x, y)
        driver.fail("cuMemcpyHtoDAsync_v2:2:1")
        assert_raises(OutOfMemoryError, lambda: module.kernels["saxpy"](2.0, x, y), match="cuMemcpyHtoDAsync failed")
        for _ in range(3):
            module.kernels["saxpy"](2.0, x, y)
        assert y.to_numpy()[0] == 6 + 3 * 2


def end_capture(stream):
    """Return a new graph, and what can be launched."""
    graph, made = ctypes.c_void_p(), ctypes.c_void_p()
    driver.call("cuStreamEndCapture", ctypes.c_void_p(stream), ctypes.byref(graph))
    driver.call("cuGraphInstantiateWithFlags", ctypes.byref(made), graph, ctypes.c_ulonglong(0))
    return graph, made


@pytest.mark.parametrize("flags", [0, 1], ids=["blocking", "non-blocking"])
@pytest.mark.parametrize("mode", [0, 2], ids=["global", "relaxed"])
@pytest.mark.usefixtures("fake_cuda")
@in_child
def test_launches_are_captured(basic, mode, flags):
    """Launch on the stream of ``with rt.stream()`` while another library captures it, and launch its graph."""
    with loaded(basic) as (rt, module):
        x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
        launch = module.kernels["saxpy"].bind(1.0, x, y)
        sequence = rt.sequence([launch])
        for _ in range(6):
            launch()
        stream = driver.stream(flags)
        with rt.stream(stream):
            launch()
            rt.wait()
        driver.call("cuStreamBeginCapture_v2", ctypes.c_void_p(stream), mode)
        with rt.stream(stream):
            for call in (launch, partial(module.kernels["saxpy"], 2.0, x, y), sequence, partial(sequence, RECORDED)):
                call()
        graph, made = end_capture(stream)
        with rt.stream(stream):
            launch.update(a=3.0)  # a graph keeps the arguments that its launches had
            launch()
            for _ in range(2):
                driver.call("cuGraphLaunch", made, ctypes.c_void_p(stream))
            rt.wait()
            assert y.to_numpy()[0] == 7 + 3 + 2 * (1 + 2 + 1 + RECORDED)
            driver.call("cuGraphDestroy", graph)
            driver.call("cuGraphLaunch", made, ctypes.c_void_p(stream))
            assert y.to_numpy()[0] == 7 + 3 + 3 * (1 + 2 + 1 + RECORDED)
            driver.call("cuGraphExecDestroy", made)
        rt.trim()


@pytest.mark.usefixtures("fake_cuda")
@in_child
def test_what_returns_a_value_is_not_captured(loops):
    with loaded(loops) as (rt, module):
        x, stream = rt.asarray(numbers(100)), driver.stream(1)
        with rt.stream(stream):
            value = module.kernels["returned"](0, x)
            driver.call("cuStreamBeginCapture_v2", ctypes.c_void_p(stream), 2)
            refused = partial(module.kernels["returned"], 0, x)
            message = "the stream is being captured: a kernel that returns a value cannot be part of a graph"
            assert_raises(InvalidStateError, refused, match=message)
            end_capture(stream)
            assert value != module.kernels["returned"](0, x)


@pytest.mark.parametrize("eager", [None, "1"])
def test_return_values_are_those_of_the_launch(run, loops, eager):
    _, log = run(fake_cuda.read_results, loops, FAKE_CUDA_EAGER=eager)
    assert log.graphs
    assert not log.races


@pytest.mark.parametrize("eager", [None, "1"])
def test_calls_poll_what_they_return(run, loops, eager):
    """A device that answers at once needs no event behind each call."""
    _, log = run(fake_cuda.call_for_results, loops, FAKE_CUDA_EAGER=eager, FAKE_CUDA_TRACE="1")
    assert (log.calls.count("cuEventRecord") >= fake_cuda.CALLS) == (eager is None)


@pytest.mark.slow
def test_closed_modules_and_runtimes_refuse_launches(compare, loops):
    assert compare(fake_cuda.close_modules, loops).graphs


@pytest.mark.slow
@pytest.mark.parametrize("repeats", ["1,1,63,1", "64,65,1", "63,64,1000", "1000,7,128"])
def test_sequences_match_the_library(compare, loops, repeats):
    assert compare(fake_cuda.run_sequences, loops, repeats).graphs


@pytest.mark.parametrize("scenario", [until.interrupt, until.run_in_many_threads, until.close_the_number])
def test_checks_of_a_number_are_safe_beside_other_threads(run, basic, scenario):
    _, log = run(scenario, Arch.CUDA, basic)
    assert log.graphs
    assert not log.races


@pytest.mark.slow
def test_ramps_match_the_library(compare, loops):
    assert compare(fake_cuda.run_ramps, loops).graphs


@pytest.mark.slow(but="True")
@pytest.mark.parametrize("recording", [False, True])
def test_updates_reach_a_running_sequence(run, basic, recording):
    _, log = run(fake_cuda.update_while_a_sequence_runs, basic, recording=recording)
    assert not log.races
    (mark,) = log.marks
    kernels = [kernel.arguments for kernel in log.kernels if "range_for" in kernel.name]
    assert len(set(kernels)) <= 3
    # The launch running when the last update returns may still have earlier arguments.
    assert len(set(kernels[-70:])) == 1
    changes = [i for i in range(1, len(kernels)) if kernels[i] != kernels[i - 1]]
    assert len(changes) <= 49
    assert changes == [] or changes[-1] <= mark


def test_kernels_and_accessors_of_fields_match_the_library(compare, build_source):
    log = compare(fake_cuda.use_fields, build_source("length_kernels", "cuda"), FAKE_CUDA_TRACE="1")
    assert log.graphs
    assert "cuMemAllocAsync" not in log.calls  # by which the library allocates memory for each launch


@pytest.mark.slow
@pytest.mark.parametrize("recording", [False, True])
def test_array_closed_during_a_sequence_stops_it(run, loops, tmp_path, recording):
    """The error names the iteration that was reached."""
    _, log = run(fake_cuda.close_an_array_while_a_sequence_runs, loops, recording=recording)
    iteration = int((tmp_path / "log.iteration").read_text())
    kernels = [kernel for kernel in log.kernels if kernel.name.startswith("array_") and "range_for" in kernel.name]
    assert len(kernels) == 2 * 70 + 2 * iteration + 1
    assert not log.races


@pytest.mark.slow(but="blocking")
@pytest.mark.parametrize("flags", [0, 1], ids=["blocking", "non-blocking"])
def test_launches_are_ordered_across_streams(compare, basic, flags):
    """Also before and after the library's launches."""
    assert compare(fake_cuda.use_streams, basic, flags).graphs


@pytest.mark.parametrize("flags", [0, 1], ids=["blocking", "non-blocking"])
def test_arrays_of_other_libraries_are_ordered_across_streams(compare, basic, flags):
    """Without an import of each array, and without a wait of the host."""
    compare(fake_cuda.pass_arrays_of_streams, basic, flags)


@pytest.mark.usefixtures("fake_cuda")
@in_child
def test_arrays_of_dlpack_are_asked_for_their_interface_once(basic):
    """Pass arrays whose interface names no stream, in a class with DLPack: the interface is looked at once."""

    class Shared(OfDlpack):
        looks = 0

        @property
        def __cuda_array_interface__(self):
            Shared.looks += 1
            return self.interface

    with loaded(basic) as (rt, module):
        x, y = Shared(rt.full(100, 3.0, "f32"), None), rt.zeros(100)
        looks = []
        for _ in range(3):
            module.kernels["saxpy"](2.0, x, y)
            looks.append(Shared.looks)
            Shared.looks = 0
        assert (y.to_numpy() == 18).all()
        assert looks[0] - 1 == looks[1] == looks[2]


@pytest.mark.usefixtures("fake_cuda")
@in_child
def test_stream_of_the_device_of_an_array_is_used(basic):
    """Pass arrays as Warp has them: in place, on the stream of their device, by DLPack where that has no handle."""

    class Shared(OfDlpack):
        def __init__(self, array, stream):
            super().__init__(array, None)
            self.device = SimpleNamespace(stream=SimpleNamespace(cuda_stream=stream))

    with loaded(basic) as (rt, module):
        stream = driver.stream(1)
        x, y = Shared(rt.zeros(100), stream), Shared(rt.zeros(100), stream)
        rt.wait()
        for array, value in ((x, 3.0), (y, 10.0)):
            driver.fill(array.interface["data"][0], value, 100, stream)
        module.kernels["saxpy"](2.0, x, y)
        driver.fill(x.interface["data"][0], 0.0, 100, stream)  # as a library does that uses the memory again
        assert (y._array.to_numpy() == 16).all()
        assert x.imports == y.imports == 0
        x.device.stream.cuda_stream = None  # the default stream
        module.kernels["saxpy"](2.0, x, y)
        assert (x.imports, y.imports) == (1, 0)
        assert (y._array.to_numpy() == 16).all()


@pytest.mark.parametrize("eager", [None, "1"])
def test_short_reads_have_what_is_there(run, eager):
    """A device that answers at once needs no event behind each read, but for words that look unwritten."""
    _, log = run(fake_cuda.read_short_arrays, FAKE_CUDA_EAGER=eager, FAKE_CUDA_TRACE="1")
    reads, events = log.calls.count("cuMemcpyDtoHAsync_v2"), log.calls.count("cuEventRecord")
    assert (events < reads) == (eager is not None)


@pytest.mark.slow
def test_launches_are_ordered_across_threads(run, basic):
    outputs = []
    for recording in (False, True):
        output, log = run(fake_cuda.use_streams_in_threads, basic, recording=recording)
        assert not log.races
        outputs.append(output)
    assert outputs[0] == outputs[1]


@pytest.mark.slow
def test_launches_run_on_the_stream_of_the_c_api(compare, basic):
    log = compare(fake_cuda.launch_on_the_stream_of_the_library, basic)
    begin, end, _ = log.marks
    assert log.graphs
    assert 0 not in {kernel.stream for kernel in log.kernels[begin:end]}
    assert {kernel.stream for kernel in [*log.kernels[:begin], *log.kernels[end:]]} == {0}


def test_too_many_blocks_are_refused(run, loops):
    """A launch has only the blocks that its loop needs."""
    output, _ = run(fake_cuda.launch_too_many_blocks, loops, quiet=False, FAKE_CUDA_GRID="64")
    lines = list(filter(None, output.splitlines()))  # errors print empty lines
    assert [line.split()[0] for line in lines] == ["InvalidStateError"] * 4 + ["array"] + (["no"] * 4 + ["array"]) * 2


def test_blocks_follow_the_length_and_the_device(run, basic):
    """The device holds 640 blocks. With more work, each of their threads does several iterations at once."""
    _, log = run(fake_cuda.launch_lengths, basic, 1, 129, 80_000, 100_000, 1_000_000, 10_000_000)
    assert [kernel.groups for kernel in log.kernels] == [1, 2, 625, 640, 1954, 10240]


@pytest.mark.slow(but="global-during")
@pytest.mark.parametrize("when", ["before", "during"])
@pytest.mark.parametrize("mode", [0, 1, 2], ids=["global", "thread", "relaxed"])
def test_capture_by_another_library_continues(compare, basic, mode, when):
    compare(fake_cuda.capture_elsewhere, basic, mode, when)


LOST = ("kernel:700:3", "cuLaunchKernel:700", "cuGraphLaunch:700", "cuMemcpyHtoDAsync_v2:700", "cuEventRecord:700")


@pytest.mark.slow(but="cuLaunchKernel:700")
@pytest.mark.parametrize("failure", LOST)
@pytest.mark.usefixtures("fake_cuda")
@in_child(quiet=False)
def test_lost_device_fails_every_call(basic, failure):
    """Lose the device: every call fails, but closing works."""
    rt = Runtime("cuda")
    module = rt.load_module(basic)
    x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
    launch = module.kernels["saxpy"].bind(1.0, x, y)
    sequence = rt.sequence([launch])
    for _ in range(6):
        launch()
    sequence(RECORDED)
    rt.wait()
    driver.fail(failure)

    def work():
        launch.update(a=2.0)
        launch()
        sequence(10 * RECORDED)
        rt.wait()

    for call in (work, launch, lambda: sequence(RECORDED), lambda: sequence(1), rt.wait, y.to_numpy):
        assert_raises(DeviceLostError, call, match="new process")
    rt.close()
    assert rt.closed


FAILURES = (
    "cuGraphCreate:2",
    "cuGraphAddKernelNode_v2:2:5",
    "cuGraphInstantiateWithFlags:2",
    "cuGraphInstantiateWithFlags:2:2",
)


@pytest.mark.slow(but="cuGraphCreate:2")
@pytest.mark.parametrize("failure", FAILURES)
def test_launches_do_without_graphs_that_cannot_be_made(compare, basic, failure):
    compare(fake_cuda.run_out_of, basic, failure)


def test_lack_of_memory_for_arguments_is_an_error(run, basic):
    output, log = run(fake_cuda.run_out_of_memory, basic)
    error = "OutOfMemoryError {}cuMemAlloc failed: CUDA driver error 2: out of memory"
    assert output.splitlines() == [error.format(""), error.format("launch 0 (saxpy), iteration 0: "), "no error"]
    assert len(log.kernels) == 70


def test_failed_graph_launch_is_an_error(run, basic):
    output, log = run(fake_cuda.fail_to_launch_graphs, basic)
    assert output.splitlines() == [
        "OutOfMemoryError launch 0 (saxpy), iteration 0: cuGraphLaunch failed: CUDA driver error 2: out of memory",
        "no error",
    ]
    assert log.graphs


def test_driver_that_lacks_a_function_leaves_kernels_to_the_library(run, old_driver, basic):
    output, log = run(fake_cuda.launch_without, basic, folder=old_driver("cuGraphAddKernelNode_v2"))
    assert output.splitlines()[0] == "by the library: launches by the driver need a newer one"
    assert not log.races
    assert not log.graphs


def test_module_without_ptx_is_launched_by_the_library(run, basic):
    output, log = run(fake_cuda.launch_without, basic.with_name("basic-taichi.tcm"))
    assert output.splitlines()[0] == "by the library: the module has no PTX"
    assert not log.races
    assert not log.graphs


def test_runtimes_import_nothing(run):
    run(sealed.create_and_close, Arch.CUDA)


@pytest.mark.slow(but="use_everything")
@pytest.mark.parametrize("scenario", [sealed.launch_in_every_form, sealed.use_everything])
def test_launches_need_no_files_and_no_imports(run, basic, scenario):
    run(scenario, Arch.CUDA, basic)


@pytest.mark.slow
@pytest.mark.parametrize("scenario", [fake_cuda.stay_flat, fake_cuda.free_everything])
def test_nothing_is_left(run, basic, scenario):
    assert run(scenario, basic)[1].graphs


@pytest.mark.usefixtures("fake_cuda")
@in_child
def test_trim_frees_what_no_launch_uses(basic):
    """Count and free what is kept for reuse: arrays, and the arguments of launches that were dropped."""
    with loaded(basic) as (rt, module):
        other = Runtime("cuda")
        x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
        kept, dropped = ([module.kernels["saxpy"].bind(1.0, x, y) for _ in range(3)] for _ in range(2))
        sequence = rt.sequence(dropped)
        for launch in (*kept, *dropped):
            for _ in range(2 * RECORDED):
                launch()
        sequence(RECORDED, ramps={"a": (0.0, 1.0)})
        rt.wait()
        rt.zeros(1000).close()
        info = rt.memory_info()
        assert info.in_use == 1024
        assert info.pooled > 4096, info  # the array, and arguments for which there are larger ones
        assert rt.trim() == info.pooled
        del kept, dropped, sequence, launch
        gc.collect()
        info, before = rt.memory_info(), driver.count("memory")
        assert info.in_use == 1024
        assert info.pooled >= RECORDED * 64, info
        assert info.total == 16 << 30, info
        assert other.memory_info()[:2] == (0, info.pooled)
        assert rt.trim() == info.pooled
        assert driver.count("memory") == before - info.pooled
        assert info.free is not None
        assert rt.memory_info().free == info.free + info.pooled
        assert rt.memory_info()[:2] == (1024, 0)
        again = module.kernels["saxpy"].bind(1.0, x, y)
        y.fill(0)
        for _ in range(2 * RECORDED):
            again()
        assert words(y) == words(rt.full(100, 2.0 * RECORDED, "f32"))
        other.close()


@pytest.mark.slow(but="arguments0")
@pytest.mark.parametrize("arguments", [[faults.fail_warm], [faults.fail_first, 1000]])
def test_failed_call_of_the_library_leaves_everything_usable(run, basic, fault_library, arguments):
    scenario, *rest = arguments
    variables = {"TAICHI_C_API_INSTALL_DIR": str(fault_library), "TAICHI_AOT_NATIVE": "0"}
    run(scenario, "cuda", basic, *rest, **variables)


@pytest.mark.slow(but="1")
@pytest.mark.parametrize("native", ["0", "1"])
def test_failed_call_of_the_driver_leaves_everything_usable(run, basic, native):
    run(faults.fail_warm, "cuda", basic, "driver", TAICHI_AOT_NATIVE=native)


@pytest.mark.slow
@pytest.mark.scaled
def test_failed_first_call_of_the_driver_leaves_everything_usable(run, basic, scaled):
    run(faults.fail_first, "cuda", basic, scaled(2, 1000), "driver")


@pytest.mark.slow
@pytest.mark.scaled
def test_failed_call_in_a_new_process_leaves_everything_usable(run, basic, scaled):
    run(faults.fail_in_new_process, basic, scaled(2, 1000))


@pytest.mark.usefixtures("fake_cuda")
@in_child
def test_streams_and_addresses_that_cannot_be_are_refused():
    """State streams that are no addresses: each is refused before the driver sees it."""
    rt = Runtime("cuda")
    x = rt.zeros(8)
    interface = x.__cuda_array_interface__

    def share(**changes):
        shared = SimpleNamespace(__cuda_array_interface__=interface | changes)
        return rt.from_dlpack(shared)

    for wrong in (-5, 2**64, 10**400):
        calls = partial(rt.stream, wrong), partial(x.__dlpack__, stream=wrong), partial(share, stream=wrong)
        assert_raises(ValueError, *calls, match="not the address of a CUDA stream")
    text = "4"
    assert_raises(TypeError, partial(x.__dlpack__, stream=text), match="stream must be an integer")
    for stated in ((0, "x"), (0,), None, (0, float("inf"))):
        stream = SimpleNamespace(__cuda_stream__=stated or int)
        assert_raises(TypeError, partial(rt.stream, stream), match="expected a CUDA stream")
    for address in (-4096, 2**64 - 4096):
        assert_raises(BufferError, partial(share, data=(address, False)), match="impossible address")


def test_driver_that_the_library_does_not_find_is_refused(cuda_driver, tmp_path):
    """The library looks for another name of the driver than its own, and takes the CPU if it does not find it."""
    if find_library("cuda"):
        pytest.skip("the machine has a driver")
    folder = tmp_path / "driver"
    folder.mkdir()
    shutil.copy(cuda_driver / "libcuda.so.1", folder)
    env = {"LD_LIBRARY_PATH": str(folder), "FAKE_CUDA_LOG": str(tmp_path / "log")}
    found, why = run_in_child(fake_cuda.ask_for_cuda, env=env).stdout.splitlines()
    assert "CUDA" not in found
    assert "looks for libcuda.so, and only libcuda.so.1 is found: make a link to it" in why
    (folder / "libcuda.so").symlink_to("libcuda.so.1")
    (found,) = run_in_child(fake_cuda.ask_for_cuda, env=env).stdout.splitlines()
    assert "CUDA" in found


@pytest.mark.usefixtures("fake_cuda")
@in_child
def test_functions_return_arrays_on_the_device(basic):
    """Functions return arrays on the device to a caller who has such arrays, and cast what comes in another dtype."""

    class Array:
        """An array of a library that stands for CuPy: memory of the runtime."""

        def __init__(self, array):
            self.array, self.dtype, self.shape = array, array.dtype, array.shape
            self.__cuda_array_interface__ = array.__cuda_array_interface__

        def astype(self, dtype):
            return Array(runtime.asarray(self.array.to_numpy().astype(dtype)))

    library = ModuleType("cupy")
    library.ndarray, library.from_dlpack, library.ascontiguousarray = Array, Array, lambda array: array
    sys.modules["cupy"] = library
    runtime = default_runtime("cuda")
    f = function(basic, "saxpy", out={"y": "x"}, arch="cuda")
    for values in (np.arange(4, dtype=np.float32), np.arange(4, dtype=np.int16)):
        x = Array(runtime.asarray(values))
        expected = f(2.0, values).tolist()
        for result in (f(2.0, x), function(basic, "saxpy", out={"y": "x"}, arch="cuda", like="cupy")(2.0, values)):
            assert result.__class__ is Array
            assert result.array is not x.array
            assert result.array.to_numpy().tolist() == expected
        assert x.array.to_numpy().tolist() == values.tolist()
    wide = Array(runtime.zeros(4, "f64"))
    assert_raises(TypeError, lambda: f(2.0, wide), match="on a CUDA device; write x.astype('float32')")
    empty = f(2.0, Array(runtime.asarray(np.zeros(0, np.float32))))
    assert empty.__class__ is Array
    assert empty.shape == (0,)
    back = function(basic, "saxpy", out={"y": "x"}, arch="cuda", like="numpy")(2.0, x)
    assert back.__class__ is np.ndarray


@pytest.mark.slow
def test_failed_checks_are_reported(run, build_source):
    path = build_source("checked_kernels", "cuda")
    for recording in (False, True):
        output, _ = run(fake_cuda.report_failed_checks, path, recording=recording)
        assert output.splitlines() == ["KernelIndexError set_1d(): x[4] is out of range"] * 3
