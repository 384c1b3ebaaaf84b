"""Make each C call of each public operation fail once: the library is that of ``helpers/fault_library``."""

from __future__ import annotations

import gc
import json
import logging
import os
import re
import sys
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest
from helpers.fake_cuda import DriverFaults
from helpers.fault_library import RELEASED, FaultLibrary
from helpers.fault_operations import (
    LENGTH,
    RECORDED,
    Objects,
    Operation,
    Prepare,
    first_long_sequence,
    first_operations,
    first_recorded_launch,
    use,
    warm_operations,
)

from scenarios import ArchName
from taichi_aot import Arch, ErrorCode, Launch, Runtime, TaichiError, library_path, object_counts

OUT_OF_MEMORY, LOST = -2, -4  # VkResult
MAY_LOSE = (
    "vkGetFenceStatus",
    "vkQueueSubmit",
    "vkQueueWaitIdle",
    "vkWaitForFences",
)  # calls that report a lost device
ALL = 1 << 20  # faults
REPEATS = 4  # before faults: then all command buffers of Vulkan have what they need
FINDS = ("vkGetInstanceProcAddr", "vkGetDeviceProcAddr")  # ValueError says what an application's device lacks
CUDA_OUT_OF_MEMORY, CUDA_UNKNOWN = 2, 999  # CUresult
# Releases of CUDA. A launch that needs one is made, and its failure is left to the next call of the driver.
CUDA_RELEASES = ("cuEventDestroy_v2", "cuGraphExecDestroy", "cuMemFree_v2", "cuStreamDestroy_v2")
STATED = re.compile(
    "was made to fail|VkResult is -|does not (have|state)|no longer reports|created for a version below|"
    "CUDA driver error (999|2): |has no (device|extension)"
)  # in messages
PLACE = re.compile(r"launch (\d+) \(\w+\), iteration (\d+): ")  # how a sequence says where it stopped


class Fault(NamedTuple):
    """The call of this number of a C function fails with this code."""

    name: str
    number: int  # from 0
    code: int


class Log(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []
        logging.getLogger("taichi_aot").addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


class Bench:
    """Runs operations with faults, and collects what is wrong."""

    def __init__(self, library: FaultLibrary | DriverFaults) -> None:
        self._library = library
        self._log = Log()
        self.wrong: list[str] = []
        self._misused = 0
        self._fired = False  # the last fault
        self.tries = 0

    def faults(self, operation: Operation, at_most: int) -> list[Fault]:
        """Run an operation, and return up to `at_most` faults among its C calls."""
        self._library.arm()
        operation.run()
        faults = [fault for name, count in self._library.calls().items() for fault in _faults_of(name, count)]
        return faults if len(faults) <= at_most else [faults[i * len(faults) // at_most] for i in range(at_most)]

    def state(self, things: Objects | None = None) -> tuple[dict[str, int], object]:
        """Return the numbers of live objects of the library, of Vulkan and of the package."""
        gc.collect()
        if things is not None and not things.rt.closed:
            things.rt.trim()  # what Vulkan keeps for reuse
        return self._library.alive(), object_counts()

    @property
    def cached(self) -> int:
        """The number of objects that are kept until the runtime is closed."""
        return self._library.cached

    def run(self, things: Objects | None, operation: Operation, fault: Fault) -> dict[str, str]:
        """Run an operation with a fault, then without; return the checks that fail, with what was found."""
        failed: dict[str, str] = {}
        self.tries += 1
        before = _count(things, operation)
        error = self._run_failing(operation, fault)
        added = _count(things, operation) - before
        if added != _expected(operation, error) or (error and 0 < operation.adds <= added):
            failed["launches"] = f"{added} launches, {error or 'no error'}"
        if error and not STATED.search(error):
            failed["message"] = error
        is_release = fault.name in RELEASED or (fault.name in CUDA_RELEASES and not operation.adds)
        if self._fired and not error and is_release and not self._log.messages:
            failed["warning"] = "the failure was neither raised nor logged"
        if message := _run_again(things, operation):
            failed["retry"] = f"{message} after {error or 'no error'}"
        return failed

    def _run_failing(self, operation: Operation, fault: Fault) -> str:
        """Return the error, or nothing."""
        error = ""
        self._log.messages.clear()
        self._library.arm(*fault)
        try:
            operation.run()
        except TaichiError as raised:
            error = str(raised)
        except ValueError as raised:
            if fault.name not in FINDS:
                raise
            error = str(raised)
        self._fired = self._library.fired
        self._library.arm()
        gc.collect()  # what the traceback kept
        return error

    def report(self, name: str, fault: Fault, failed: dict[str, str]) -> None:
        """Note the checks that a fault fails."""
        if self._library.misused != self._misused:
            self._misused = self._library.misused
            check, found = self._library.misuse
            failed[check] = found
        self.wrong += [f"{name}, {fault}: {check}: {found}" for check, found in failed.items()]

    def finish(self) -> None:
        _finish(self.tries, self.wrong)


def _finish(tries: int, wrong: list[str]) -> None:
    print(tries, "faults")
    assert not wrong, "\n".join(wrong)


def _faults_of(name: str, count: int) -> list[Fault]:
    """Return faults in the first, second and last call of a function."""
    codes = [int(ErrorCode.INVALID_STATE)]
    if name.startswith("vk"):
        codes = [OUT_OF_MEMORY, LOST] if name in MAY_LOSE else [OUT_OF_MEMORY]
    elif name.startswith("cu"):
        codes = [CUDA_OUT_OF_MEMORY if name == "cuMemAlloc_v2" else CUDA_UNKNOWN]
    return [Fault(name, number, code) for number in sorted({0, min(1, count - 1), count - 1}) for code in codes]


def _count(things: Objects | None, operation: Operation) -> int:
    return things.count() if things is not None and operation.adds else 0


def _expected(operation: Operation, error: str) -> int:
    """Return what the launches add before an error: a sequence says where it stopped."""
    if not error:
        return operation.adds
    place = PLACE.match(error)
    if place is None:
        return 0
    return (int(place[2]) * operation.per_iteration + int(place[1])) * operation.per_launch if operation.adds else 0


def _run_again(things: Objects | None, operation: Operation) -> str:
    """Run an operation without a fault; return what is wrong."""
    before = _count(things, operation)
    try:
        operation.run()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    added = _count(things, operation) - before
    return "" if added == operation.adds else f"{added} launches"


def make_bench(what: str) -> Bench:
    """Return a bench for faults of the ``library`` or of the ``driver`` of CUDA."""
    return Bench(DriverFaults() if what == "driver" else FaultLibrary(library_path()))


def fail_warm(arch: ArchName, path: str, what: str = "library") -> None:
    """Fail operations on one runtime, where all of them have run before."""
    bench = make_bench(what)
    things = Objects(Runtime(arch), path)
    operations = warm_operations(things)
    for operation in [*operations.values()] * REPEATS:
        operation.run()
    gc.freeze()
    for name, operation in operations.items():
        for fault in bench.faults(operation, ALL):
            print(name, fault, flush=True)
            failed: dict[str, str] = {}
            for _ in range(3):  # on a busy machine a runtime comes to keep an object more, but only once
                before = bench.state(things)
                failed |= bench.run(things, operation, fault)
                after = bench.state(things)
                if after == before:
                    break
            else:
                failed["leak"] = f"{before} became {after}"
            bench.report(name, fault, failed)
    bench.finish()


def fail_first(arch: ArchName, path: str, at_most: str, what: str = "library") -> None:
    """Fail operations that make something once: on a new runtime each time, which is closed afterwards."""
    bench = make_bench(what)
    for name, prepare in first_operations(Arch(arch)).items():
        for fault in _first_faults(bench, prepare, arch, path, int(at_most)):
            print(name, fault, flush=True)
            bench.report(name, fault, _fail_once(bench, prepare, arch, path, fault))
    bench.finish()


def _first_faults(bench: Bench, prepare: Prepare, arch: ArchName, path: str, at_most: int) -> list[Fault]:
    with Runtime(arch) as rt:
        return bench.faults(prepare(Objects(rt, path)), at_most)


def _fail_once(bench: Bench, prepare: Prepare, arch: ArchName, path: str, fault: Fault) -> dict[str, str]:
    before = bench.state()
    things = Objects(Runtime(arch), path)
    operation = prepare(things)
    failed = bench.run(things, operation, fault)
    things.rt.close()
    del things, operation
    is_kept = fault.name == "cuModuleLoadDataEx"  # the library loads the module instead
    if (bench.state() != before and not is_kept) or bench.cached:
        failed["leak"] = f"{before} became {bench.state()} and {bench.cached} after closing the runtime"
    return failed


def fail_in_new_process(path: str, at_most: str) -> None:
    """Fail the calls of CUDA's driver that a process makes once: in a new process for each fault."""
    tries, wrong = 0, []
    for name in NEW:
        faults = [Fault(*fault) for fault in _in_child(partial(_new_faults, name, path, int(at_most)))]
        for fault in faults:
            print(name, fault, flush=True)
            wrong += _in_child(partial(_fail_new, name, path, fault))
        tries += len(faults)
    _finish(tries, wrong)


# Operations in a new process, and whether they are prepared with a runtime.
NEW: dict[str, Prepare | None] = {
    "first runtime": None,
    "first recorded launch": first_recorded_launch,
    "first long sequence": first_long_sequence,
}


def _prepare_new(name: str, path: str) -> tuple[Objects | None, Operation]:
    prepare = NEW[name]
    if prepare is None:
        return None, Operation(lambda: use(Runtime("cuda")))
    things = Objects(Runtime("cuda"), path)
    return things, prepare(things)


def _new_faults(name: str, path: str, at_most: int) -> list[Fault]:
    return make_bench("driver").faults(_prepare_new(name, path)[1], at_most)


def _fail_new(name: str, path: str, fault: Fault) -> list[str]:
    bench = make_bench("driver")
    things, operation = _prepare_new(name, path)
    failed = bench.run(things, operation, fault)
    if things is not None:
        things.rt.close()
    alive = bench.state()[0]
    if bench.cached or alive["stream"] or alive["graph"] or alive["node"]:
        failed["leak"] = f"{alive} and {bench.cached} after closing the runtime"
    bench.report(name, fault, failed)
    return bench.wrong


def _in_child(call: Callable[[], list[Any]]) -> list[Any]:
    """Return the result of a call in a forked child."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.write(writer, json.dumps(call()).encode())
            status = 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    os.close(writer)
    with open(reader, "rb") as file:
        text = file.read()
    status = os.waitpid(child, 0)[1]
    assert status == 0, f"a child ended with status {status}"
    result: list[Any] = json.loads(text)
    return result


def fail_waiting_launches(path: str) -> None:
    """Fail to submit launches that wait, where a release is the first to submit them, and where a close is."""
    library, log = FaultLibrary(library_path()), Log()
    things = Objects(Runtime("vulkan"), path)
    things.load()
    bound, other = things.kernel.bind(*things.arguments), things.rt.zeros(LENGTH)
    for _ in range(RECORDED + 20):
        bound()
    before, launches = things.count(), 0

    def launch_is_submitted() -> bool:
        library.arm()
        bound()
        return "vkQueueSubmit" in library.calls()

    for release in (other.close, things.rt.close):
        while launch_is_submitted():
            launches += 1
        library.arm("vkQueueSubmit", 0, OUT_OF_MEMORY)
        release()
        assert library.fired
        library.arm()
        if things.rt.closed:
            assert any("1 waiting launch was not made" in message for message in log.messages), log.messages
            break
        assert not log.messages
        with pytest.raises(TaichiError, match="vkQueueSubmit failed: VkResult is -2: 1 waiting launch was not made"):
            things.rt.wait()
        assert things.count() == before + launches
    assert library.misused == 0


def count_submissions(path: str) -> None:
    """Count how often launches are submitted: those that are known to be quick together, others one by one."""
    library = FaultLibrary(library_path())
    things = Objects(Runtime("vulkan"), path)
    things.load()
    quick, other = things.kernel.bind(*things.arguments), things.kernel.bind(*things.arguments)

    def submissions(launches: list[Launch]) -> int:
        library.arm()
        for launch in launches:
            launch()
        return library.calls()["vkQueueSubmit"]

    submissions([quick] * 1000)
    before = things.count()
    assert submissions([quick] * 200) < 100
    assert submissions([other] * 2) == 2
    assert things.count() == before + 202
    assert repr(other).endswith("(recorded)>")


def count_submissions_of_sequences(path: str) -> None:
    """Count the parts of a sequence: an idle device gets the first one soon, and runs it while others are recorded."""
    library = FaultLibrary(library_path())
    things = Objects(Runtime("vulkan"), path)
    things.load()
    sequence = things.rt.sequence([things.kernel.bind(*things.arguments)])
    for _ in range(3):
        sequence(repeat=4000)  # its parts get longer
    found: dict[int, int] = {}
    before = things.count()
    for repeat in (20, 200):
        things.rt.wait()
        library.arm()
        sequence(repeat=repeat)
        found[repeat] = library.calls()["vkQueueSubmit"]
    assert found == {20: 1, 200: 3}, found
    assert things.count() == before + sum(found)
    assert library.misused == 0


def count_calls_behind_launches(path: str) -> None:
    """Count the driver's calls for a launch and a wait, a read or an event: one submission, of commands made before."""
    library = FaultLibrary(library_path())
    things = Objects(Runtime("vulkan"), path)
    things.load()
    rt, launch, counter = things.rt, things.kernel.bind(*things.arguments), things.counter
    before, repeats = things.count(), 8

    def calls_of(follow: Callable[[], object]) -> dict[str, int]:
        for _ in range(repeats):
            launch()
            follow()
        library.arm()
        launch()
        follow()
        return library.calls()

    def wait_and_read() -> None:
        rt.wait()
        counter.memory.read(0, 4)

    follows = (rt.wait, partial(counter.memory.read, 0, 4), partial(counter.memory.read, 8, 80), wait_and_read)
    for follow in follows:
        calls = calls_of(follow)
        assert calls["vkQueueSubmit"] == 1, calls
        assert calls.keys() <= {"vkQueueSubmit", "vkResetFences", "vkGetFenceStatus", "vkWaitForFences"}, calls
    calls = calls_of(lambda: rt.record_event().wait())
    assert calls["vkQueueSubmit"] == 1, calls
    assert things.count() == before + (len(follows) + 1) * (repeats + 1)
    assert library.misused == 0


def count_wide_barriers(path: str) -> None:
    """Count barriers that wait for all stages, which takes a GPU as long as a launch: launches and copies have none."""
    library = FaultLibrary(library_path())
    things = Objects(Runtime("vulkan"), path)
    things.load()
    launch, counter = things.kernel.bind(*things.arguments), things.counter
    library.arm()
    things.rt.sequence([launch, launch])(10)
    for _ in range(3):
        launch()
        counter.memory.read(0, 4)
    counter.copy_from(things.ones)
    things.rt.zeros(LENGTH)
    assert library.wide_barriers == 0
