"""Lines of DEBUG in the log: choosing devices, loading, fetching, recording."""

import logging
import re
import sys

import pytest
from helpers.child import run_in_child
from helpers.inside import stand_in_for_cuda, stand_in_for_vulkan

import taichi_aot
from taichi_aot import Arch, DeviceInfo, LibraryNotFoundError, Runtime, library_version
from taichi_aot.backends import _devices as devices_module
from taichi_aot.driver import _library as library
from taichi_aot.driver._library import debug_logger, log_debug
from taichi_aot.handles._module import KernelPlans

SECONDS = r"\d+\.\d ms"


@pytest.fixture
def lines(caplog):
    """Return the lines of DEBUG that were logged since the last call."""
    caplog.set_level(logging.DEBUG, "taichi_aot")

    def take():
        records = [record for record in caplog.records if record.name == "taichi_aot"]
        assert all(record.levelno == logging.DEBUG for record in records), records
        caplog.clear()
        return [record.getMessage() for record in records]

    take()
    return take


def only(lines, pattern):
    found = [line for line in lines if re.fullmatch(pattern, line)]
    assert len(found) == 1, lines
    return found[0]


def load(path, arch):
    """Load a module and print the log; then nothing imports `logging` again."""
    logging.basicConfig(level=logging.DEBUG, stream=sys.stdout, format="%(levelname)s %(module)s: %(message)s")
    for _ in range(2):
        with taichi_aot.load(path.read_bytes()) as module:
            assert module.runtime.arch is arch
            x = module.runtime.zeros(10)
            launch = module.kernels["saxpy"].bind(1.0, x, x)
            for _ in range(100):
                launch()
        imported = sys.modules.pop("logging", None)
    assert imported is None


def test_new_process_logs_what_it_loads(arch, basic):
    env = {"TAICHI_AOT_NATIVE": "0"}  # carried modules for CUDA have PTX
    lines = run_in_child(load, basic, arch, env=env).stdout.splitlines()
    if arch is Arch.VULKAN:
        assert not any(line.startswith(("DEBUG _library", "DEBUG _module: kernel fetched")) for line in lines)
    else:
        only(lines, r"DEBUG _library: library loaded: /.* \(.*\), C-API 1\.7\.0")
        only(lines, rf"DEBUG _module: kernel fetched: saxpy, {SECONDS}")
    only(lines, rf"DEBUG _devices: device chosen: <DeviceInfo {arch}:0 .*>, .*")
    only(lines, rf"DEBUG _devices: runtime opened: {arch}:0 \(\w+\), {SECONDS}")
    only(lines, rf"DEBUG _loading: module loaded: .* for {arch}, \d+ kernels, {SECONDS}")
    only(lines, r"DEBUG \w+: launches of .*: .*")


def test_choice_of_a_device_says_what_was_found(monkeypatch, lines):
    found = []
    stand_in_for_cuda(monkeypatch)
    stand_in_for_vulkan(monkeypatch, found)
    devices_module.best_device()
    assert re.fullmatch(r"device chosen: <.* cpu>, no hardware GPU was found \(cuda: no driver; vulkan: .*\)", *lines())
    found += [("slow", "cpu"), ("fast", "discrete")]
    fast, slow = DeviceInfo(Arch.VULKAN, 1, "fast", "discrete"), DeviceInfo(Arch.VULKAN, 0, "slow", "cpu")
    assert devices_module.best_device() == fast
    devices_module.choose_device("gpu", 0)
    chosen = f"device chosen: {fast}, the best hardware GPU (cuda: no driver; vulkan: {slow}, {fast})"
    assert lines() == [chosen, chosen]
    devices_module.best_device([devices_module.CPU_ARCH])
    assert re.fullmatch(r"device chosen: <.* cpu>, no code for GPUs", *lines())


def test_library_that_is_not_used_is_logged_with_the_reason(monkeypatch, tmp_path, lines):
    monkeypatch.setenv(library.INSTALL_DIR_VARIABLE, str(tmp_path))
    with pytest.raises(LibraryNotFoundError):
        library._find_and_load()
    assert lines() == [f"library not used: {library.INSTALL_DIR_VARIABLE}: no file {tmp_path}/lib/{library.FILE_NAME}"]


@pytest.mark.usefixtures("c_library")
def test_loading_fetching_and_recording_are_logged_once(arch, modules, lines):
    if arch is Arch.CUDA:
        pytest.skip("all CUDA runtimes of a process share what other tests loaded")
    path = modules / "basic.tcm"
    library_version()  # which loads the library, if no other test has
    lines()
    with Runtime(arch) as rt:
        only(lines(), rf"runtime opened: {arch}:0 \(\w+\), {SECONDS}")
        module = rt.load_module(path)
        loaded = lines()
        assert re.fullmatch(rf"module loaded: {path} for {arch}, \d+ kernels, {SECONDS}", loaded[0])
        rt.load_module(path)
        assert lines() == []
        kernels = [module.saxpy, module.answer]
        fetched = lines() if arch is not Arch.VULKAN else []  # which needs no library
        names = () if arch is Arch.VULKAN else ("saxpy", "answer")
        assert [re.sub(SECONDS, "", line) for line in fetched] == [f"kernel fetched: {name}, " for name in names]
        ways = [(kernel.signature.name, kernel.recording.partition(",")[0]) for kernel in kernels]
        by_module = [f"launches of {path}: {ways[0][1]}"] if arch.is_cpu else []
        by_kernel = [] if arch.is_cpu else [f"launches of kernel {name}: {how}" for name, how in ways]
        assert (loaded[1:], lines()) == (by_module, by_kernel)
        assert [kernel.recording for kernel in kernels]
        assert lines() == []
        graph = module.graphs["twice"]
        if arch is Arch.VULKAN:
            assert lines() == []
            assert graph.recording == "recorded"
        only(
            lines(), "launches of graph twice: recorded" if arch is Arch.VULKAN else f"graph fetched: twice, {SECONDS}"
        )


def test_reason_against_recording_is_logged_once(monkeypatch, lines):
    monkeypatch.setattr(KernelPlans, "_make", lambda *_, **__: "a kind of kernel that nobody knows")
    plans = object.__new__(KernelPlans)
    plans._made = {}
    for _ in range(2):
        assert plans.find("fill", is_graph=False) is None
    assert lines() == ["launches of kernel fill: by the library: a kind of kernel that nobody knows"]


def test_launches_are_not_logged(rt, module, lines):
    x, y = rt.zeros(10), rt.zeros(10)
    launch = module.kernels["saxpy"].bind(1.0, x, y)
    for _ in range(100):
        launch()
    lines()
    for _ in range(1000):
        launch()
        module.saxpy(1.0, x, y)
    rt.sequence([launch])(1000)
    rt.wait()
    assert lines() == []


def test_values_are_formatted_only_for_listeners(caplog):
    formatted = []

    class Value:
        def __str__(self):
            formatted.append(self)
            return "value"

    caplog.set_level(logging.INFO, "taichi_aot")
    log_debug("%s", Value())
    assert debug_logger() is None
    assert formatted == caplog.records == []
    caplog.set_level(logging.DEBUG, "taichi_aot")
    log_debug("%s", Value())
    assert caplog.messages == ["value"]


def test_handler_that_raises_stops_nothing(caplog):
    class Handler(logging.Handler):
        def handle(self, record):
            raise OSError("the disk is full")

    handler, logger = Handler(), logging.getLogger("taichi_aot")
    caplog.set_level(logging.DEBUG, "taichi_aot")
    logger.addHandler(handler)
    try:
        log_debug("a line")
    finally:
        logger.removeHandler(handler)
