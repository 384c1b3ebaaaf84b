"""Make each C call of each public operation fail once: the library is that of ``helpers/fault_library``."""

from __future__ import annotations

import gc
import logging
import re
from typing import NamedTuple

import pytest
from helpers.fault_library import RELEASED, FaultLibrary
from helpers.fault_operations import (
    LENGTH,
    RECORDED,
    Objects,
    Operation,
    Prepare,
    first_operations,
    first_recorded_launch,
    warm_operations,
)

from taichi_aot import Arch, ErrorCode, Runtime, TaichiError, library_path, object_counts

OUT_OF_MEMORY, LOST = -2, -4  # VkResult
MAY_LOSE = ("vkQueueSubmit", "vkWaitForFences")  # calls that report a lost device
ALL = 1 << 20  # faults
FINDS = ("vkGetInstanceProcAddr", "vkGetDeviceProcAddr")  # ValueError says what an application's device lacks
STATED = re.compile("was made to fail|VkResult is -|does not have|created for a version below")  # in messages
PLACE = re.compile(r"launch (\d+) \(\w+\), iteration (\d+): ")  # how a sequence says where it stopped


class Fault(NamedTuple):
    """The call of this number of a C function fails with this code."""

    name: str
    number: int  # from 0
    code: int


class Known(NamedTuple):
    """A known bug: which check fails, why, and whether it fails each time."""

    check: str
    reason: str
    always: bool


KNOWN = {
}


class Log(logging.Handler):
    """What the package logs."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []
        logging.getLogger("taichi_aot").addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


class Bench:
    """Runs operations with faults, and collects what is wrong."""

    def __init__(self) -> None:
        self._library = FaultLibrary(library_path())
        self._log = Log()
        self._wrong: list[str] = []
        self._misused = 0
        self._fired = False  # the last fault
        self.tries = 0

    def faults(self, operation: Operation, at_most: int) -> list[Fault]:
        """Run an operation, and return up to `at_most` faults among its C calls."""
        self._library.arm()
        operation.run()
        faults = [fault for name, count in self._library.calls().items() for fault in _faults_of(name, count)]
        return faults if len(faults) <= at_most else [faults[i * len(faults) // at_most] for i in range(at_most)]

    def state(self) -> tuple[object, ...]:
        """Return the numbers of live objects of the library, of Vulkan and of the package."""
        gc.collect()
        return self._library.alive(), object_counts()

    def run(self, things: Objects, operation: Operation, fault: Fault) -> dict[str, str]:
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
        if self._fired and not error and fault.name in RELEASED and not self._log.messages:
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
        """Compare the failed checks of a fault with the known ones."""
        if self._library.misused != self._misused:
            self._misused = self._library.misused
            failed["fences"] = "a fence was reset or destroyed while the device used it"
        known = KNOWN.get((name, fault.name)) or KNOWN.get(("any", fault.name))
        for check, found in failed.items():
            if known is None or known.check != check:
                self._wrong.append(f"{name}, {fault}: {check}: {found}")
        if known is not None and known.always and self._fired and known.check not in failed:
            self._wrong.append(f"{name}, {fault}: fixed ({known.reason}); remove it from KNOWN")

    def finish(self) -> None:
        print(self.tries, "faults")
        assert not self._wrong, "\n".join(self._wrong)


def _faults_of(name: str, count: int) -> list[Fault]:
    """Return faults in the first, second and last call of a function."""
    codes = [int(ErrorCode.INVALID_STATE)]
    if name.startswith("vk"):
        codes = [OUT_OF_MEMORY, LOST] if name in MAY_LOSE else [OUT_OF_MEMORY]
    return [Fault(name, number, code) for number in sorted({0, min(1, count - 1), count - 1}) for code in codes]


def _count(things: Objects, operation: Operation) -> int:
    return things.count() if operation.adds else 0


def _expected(operation: Operation, error: str) -> int:
    """Return what the launches add before an error: a sequence says where it stopped."""
    if not error:
        return operation.adds
    place = PLACE.match(error)
    if place is None:
        return 0
    return (int(place[2]) * operation.per_iteration + int(place[1])) * operation.per_launch if operation.adds else 0


def _run_again(things: Objects, operation: Operation) -> str:
    """Run an operation without a fault; return what is wrong."""
    before = _count(things, operation)
    try:
        operation.run()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    added = _count(things, operation) - before
    return "" if added == operation.adds else f"{added} launches"


def fail_warm(arch: str, path: str) -> None:
    """Fail operations on one runtime, where all of them have run before."""
    bench = Bench()
    things = Objects(Runtime(arch), path)
    operations = warm_operations(things)
    for operation in operations.values():
        operation.run()
    gc.freeze()
    for name, operation in operations.items():
        for fault in bench.faults(operation, ALL):
            print(name, fault, flush=True)
            before = bench.state()
            failed = bench.run(things, operation, fault)
            if bench.state() != before:
                failed["leak"] = f"{before} became {bench.state()}"
            bench.report(name, fault, failed)
    bench.finish()


def fail_first(arch: str, path: str, at_most: str) -> None:
    """Fail operations that make something once: on a new runtime each time, which is closed afterwards."""
    bench = Bench()
    for name, prepare in first_operations(Arch(arch)).items():
        for fault in _first_faults(bench, prepare, arch, path, int(at_most)):
            print(name, fault, flush=True)
            bench.report(name, fault, _fail_once(bench, prepare, arch, path, fault))
    bench.finish()


def _first_faults(bench: Bench, prepare: Prepare, arch: str, path: str, at_most: int) -> list[Fault]:
    with Runtime(arch) as rt:
        return bench.faults(prepare(Objects(rt, path)), at_most)


def _fail_once(bench: Bench, prepare: Prepare, arch: str, path: str, fault: Fault) -> dict[str, str]:
    before = bench.state()
    things = Objects(Runtime(arch), path)
    operation = prepare(things)
    failed = bench.run(things, operation, fault)
    things.rt.close()
    del things, operation
    if bench.state() != before:
        failed["leak"] = f"{bench.state()} after closing the runtime"
    return failed


def fail_to_learn(path: str, number: str) -> None:
    """Fail a call of ``ti_set_cuda_stream`` while the package learns a kernel, in a process that knows none."""
    library = FaultLibrary(library_path())
    things = Objects(Runtime("cuda"), path)
    operation = first_recorded_launch(things)
    before = things.count()
    library.arm("ti_set_cuda_stream", int(number), int(ErrorCode.INVALID_STATE))
    operation.run()
    assert library.fired
    library.arm()
    operation.run()
    assert things.count() == before + 2


def fail_waiting_launches(path: str) -> None:
    """Fail to submit launches that wait, where a release is the first to submit them, and where a close is."""
    library, log = FaultLibrary(library_path()), Log()
    things = Objects(Runtime("vulkan"), path)
    things.load()
    bound, other = things.kernel.bind(*things.arguments), things.rt.zeros(LENGTH)
    for _ in range(RECORDED + 1):
        bound()
    before = things.count()
    for release in (other.close, things.rt.close):
        bound()  # is submitted at once
        bound()  # waits
        library.arm("vkQueueSubmit", 0, OUT_OF_MEMORY)
        release()
        assert library.fired
        library.arm()
        if things.rt.closed:
            assert any("the last 1 launches were not made" in message for message in log.messages), log.messages
            break
        assert not log.messages
        with pytest.raises(
            TaichiError, match="vkQueueSubmit failed: VkResult is -2: the last 1 launches were not made"
        ):
            things.rt.wait()
        assert things.count() == before + 1
    assert library.misused == 0
