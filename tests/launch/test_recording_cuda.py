"""On CUDA, launches of PTX do the same as the library's: tested with a fake driver, without a device.

The driver logs each kernel with its arguments. A scenario's output and log must be the same for launches of PTX and
the library's, except that grids of PTX may be smaller.
"""

import shutil
from ctypes.util import find_library

import pytest
from helpers.child import run_in_child
from helpers.fake_cuda import read_log
from scenarios import fake_cuda, faults, sealed, until

from taichi_aot import Arch

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
        env = {"LD_LIBRARY_PATH": str(folder), "FAKE_CUDA_LOG": str(path), SWITCH: str(int(recording)), **variables}
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
        assert 0 < kernel.groups <= other.groups, (i, kernel)
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


RECORDED = [
    (fake_cuda.launch_bound, "basic"),
    (fake_cuda.run_until, "loops"),
    pytest.param(fake_cuda.update_between_runs, "loops", marks=pytest.mark.slow),
    (fake_cuda.run_graphs, "basic"),
    (fake_cuda.close_an_array, "loops"),
    pytest.param(fake_cuda.fork, "basic", marks=pytest.mark.slow),
    pytest.param(fake_cuda.exit_with_graphs, "basic", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("scenario", "module"), RECORDED)
def test_recorded_launches_match_the_library(compare, request, scenario, module):
    assert compare(scenario, request.getfixturevalue(module)).graphs


def test_calls_match_the_library(compare, basic):
    compare(fake_cuda.call_checked, basic)


def test_launch_after_a_failed_upload_has_its_arguments(run, basic):
    run(fake_cuda.fail_to_upload, basic)


@pytest.mark.parametrize("flags", [0, 1], ids=["blocking", "non-blocking"])
@pytest.mark.parametrize("mode", [0, 2], ids=["global", "relaxed"])
def test_launches_are_captured(run, basic, mode, flags):
    """Launches on a stream that another library captures become nodes of its graph."""
    _, log = run(fake_cuda.capture_the_stream_in_use, basic, mode, flags)
    assert not log.races


def test_what_returns_a_value_is_not_captured(run, loops):
    output, _ = run(fake_cuda.capture_what_returns, loops, quiet=False)
    assert "the stream is being captured: a kernel that returns a value cannot be part of a graph" in output


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


def test_arrays_of_dlpack_are_asked_for_their_interface_once(run, basic):
    run(fake_cuda.pass_arrays_of_dlpack, basic)


def test_stream_of_the_device_of_an_array_is_used(run, basic):
    run(fake_cuda.pass_arrays_whose_device_has_the_stream, basic)


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


@pytest.mark.slow(but="global-during")
@pytest.mark.parametrize("when", ["before", "during"])
@pytest.mark.parametrize("mode", [0, 1, 2], ids=["global", "thread", "relaxed"])
def test_capture_by_another_library_continues(compare, basic, mode, when):
    compare(fake_cuda.capture_elsewhere, basic, mode, when)


LOST = ("kernel:700:3", "cuLaunchKernel:700", "cuGraphLaunch:700", "cuMemcpyHtoDAsync_v2:700", "cuEventRecord:700")


@pytest.mark.slow(but="cuLaunchKernel:700")
@pytest.mark.parametrize("failure", LOST)
def test_lost_device_fails_every_call(run, basic, failure):
    output, _ = run(fake_cuda.lose_the_device, basic, failure, quiet=False)
    *calls, closed = filter(None, output.splitlines())
    assert calls == ["DeviceLostError True"] * 6
    assert closed == "True"


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
    assert len(log.kernels) == 2 * 70  # of two tasks


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


def test_trim_frees_what_no_launch_uses(run, basic):
    _, log = run(fake_cuda.trim, basic)
    assert log.races == []


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


def test_streams_and_addresses_that_cannot_be_are_refused(run):
    run(fake_cuda.use_wrong_streams)


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


def test_functions_return_arrays_on_the_device(run, basic):
    run(fake_cuda.call_with_arrays_on_the_device, basic)


@pytest.mark.slow
def test_failed_checks_are_reported(run, build_source):
    path = build_source("checked_kernels", "cuda")
    for recording in (False, True):
        output, _ = run(fake_cuda.report_failed_checks, path, recording=recording)
        assert output.splitlines() == ["KernelIndexError set_1d(): x[4] is out of range"] * 3
