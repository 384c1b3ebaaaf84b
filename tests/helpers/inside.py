"""What tests ask about the inside of the package, and the few states that they set there.

Children of tests import this file, so it imports on demand what ``import taichi_aot`` does not.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from taichi_aot import Arch, Event, Kernel, Runtime, Signature, _capi
from taichi_aot._capi import ffi, lib
from taichi_aot.backends._devices import gpu_drivers
from taichi_aot.driver._gpus import VulkanInstance, loader_instance
from taichi_aot.driver._library import Status, address_of, keeping_failures, log_failure
from taichi_aot.handles._interchange import Shared, shared_array, shared_bytes
from taichi_aot.handles._memory import CUDA

if TYPE_CHECKING:
    import threading

    import numpy as np
    import pytest

    from taichi_aot.adopt.taichi._native import BuiltNative
    from taichi_aot.build import BuildError
    from taichi_aot.build._archs import CudaDevice
    from taichi_aot.bundle._info import ResultLayout
    from taichi_aot.kernels._launch import Launcher

# The extension.


def extension_path() -> str:
    return _capi.__file__


def c_type(name: str) -> Any:
    """Return a type of the C-API's headers: its kind, and its fields or elements."""
    return ffi.typeof(name)


def c_size(name: str) -> int:
    """Return the bytes of a type of the C-API's headers."""
    return ffi.sizeof(name)


def c_address(structure: Any) -> int:
    """Return the address of a structure of `taichi_aot.capi`."""
    return address_of(structure)


# Vulkan.


def stand_in_for_vulkan(monkeypatch: pytest.MonkeyPatch, devices: list[tuple[str, str]]) -> None:
    """Make the package find these Vulkan devices, given by name and kind, instead of those of the machine."""
    from taichi_aot.backends import _devices

    monkeypatch.setattr(_devices, "may_have_gpu", lambda: True)
    monkeypatch.setattr(_devices, "vulkan_devices", lambda: devices)


def use_files_of_vulkan(root: Path) -> None:
    """Look for nodes of the kernel and for Vulkan's drivers in another folder, in this process."""
    from taichi_aot.driver import _gpus

    _gpus.NODES = {str(root / Path(each).relative_to("/dev")): names for each, names in _gpus.NODES.items()}
    _gpus.FOLDERS = (("", str(root)),)


def stand_in_for_vulkan_loader(path: str) -> None:
    """Make the package find Vulkan's functions in another library, before it uses Vulkan."""
    from taichi_aot.driver import _gpus

    _gpus.LOADERS = (path,)
    _gpus._instance_of_process.cache_clear()


def order_of_vulkan_devices(kinds: dict[int, str]) -> list[int]:
    """Return the order in which the package lists devices that the loader lists in the order of `kinds`."""
    from unittest.mock import patch

    def enumerate_devices(instance: Any, count: Any, out: Any) -> int:
        count[0] = len(kinds)
        for number, device in enumerate(kinds if out else ()):
            out[number] = ffi.cast("VkPhysicalDevice", device)
        return 0

    instance = VulkanInstance(0, 0)
    with (
        patch.object(VulkanInstance, "function", lambda self, name: enumerate_devices),
        patch.object(VulkanInstance, "kind", lambda self, device: kinds[device]),
    ):
        return instance.physical_devices()


# Launches.


def leave_out_machine_code() -> None:
    """Let launches call a function that does nothing in place of machine code, in this process."""
    import ctypes

    from taichi_aot.handles._code import NativeCode

    address = ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p).value
    NativeCode.function = lambda *arguments: address  # type: ignore[assignment, method-assign]


def launcher(rt: Runtime, signature: Signature) -> Launcher:
    """Return what checks and passes the arguments of a kernel that no compiler makes; it cannot be launched."""
    from taichi_aot.bundle._files import Files
    from taichi_aot.bundle._info import ModuleInfo
    from taichi_aot.bundle._plan import Plan
    from taichi_aot.handles._module import ModuleHandle
    from taichi_aot.kernels._block import LaunchTarget
    from taichi_aot.kernels._launch import Launcher

    plan = Plan("none", ModuleInfo("", "gfx", (), {}, {}, {}, has_fields=False), Files.of({}))
    return Launcher(LaunchTarget(signature, ModuleHandle(rt._handle, ffi.NULL, plan), ffi.NULL))


def made_up_arguments(rt: Runtime, signature: Signature, length: int) -> list[Any]:
    """Return arguments as ``validate`` makes them up: arrays of this length, unless a shape is stated."""
    from taichi_aot.isolated._validate import choose_shape, choose_sizes, make_argument

    sizes = choose_sizes(signature, {}, length)
    shapes = [choose_shape(parameter, sizes, length) for parameter in signature.parameters]
    return [make_argument(rt, *each, sizes) for each in zip(signature.parameters, shapes, strict=True)]


def read_assignments(signature: Signature, texts: list[str]) -> dict[str, Any]:
    """Return the values of arguments on the command line by parameter; raise ArgumentError for what is wrong."""
    from taichi_aot.cli import _arguments

    return dict(_arguments.read_assignments(signature, texts))


def find_adjoint(kernel: Kernel) -> None:
    """Look the adjoint of a kernel up, as functions of other libraries do; raise NotSupportedError without one."""
    from taichi_aot.functions._outputs import adjoint_call

    adjoint_call(kernel)


def lock_of_the_default_runtime() -> threading.RLock:
    """Return what a thread holds while it makes the default runtime."""
    from taichi_aot.functions._defaults import _process

    return _process.lock


def note_results(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the addresses of the arrays that the results of functions begin as."""
    from taichi_aot.functions._arrays import Arrays

    addresses: list[int] = []
    begin = Arrays.result

    def noting(*args: Any, **kwargs: Any) -> Any:
        held = begin(*args, **kwargs)
        assert held.host is not None
        addresses.append(held.host.ctypes.data)
        return held

    monkeypatch.setattr(Arrays, "result", noting)
    return addresses


# The objects of a runtime.


def count_imports(rt: Runtime) -> int:
    """Return how many imports of memory the library keeps."""
    return lib.taichi_aot_import_count(rt._handle.context.c)


def begin_to_close(rt: Runtime) -> None:
    """Begin to close a runtime, as ``close`` does first."""
    assert lib.taichi_aot_begin_close(rt._handle.c) == 0


def free_mark(event: Event) -> None:
    """Free what C has of an event, as a finalizer does."""
    assert lib.taichi_aot_mark_free(event.runtime._handle.c, event._mark._c, True) == 0


def pretend_pending(monkeypatch: pytest.MonkeyPatch, *reached: Event) -> list[int]:
    """Let no event but these be reached; note the waits, in nanoseconds."""
    from taichi_aot.handles._memory import Mark

    waits: list[int] = []

    def ask(mark: Mark, ns: int = 0) -> int:
        if any(mark is event._mark for event in reached):
            return 0
        waits.append(ns)
        return Status.UNFINISHED

    monkeypatch.setattr(Mark, "ask", ask)
    return waits


def stage_in_parts(rt: Runtime, size: int) -> None:
    """Let a new runtime copy so many bytes at a time through the memory that the host can map."""
    staging = rt._handle.backend.memory.staging
    if staging:  # other archs need no such memory
        staging.largest = size


def copy_in_parts(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Copy so many bytes at a time between runtimes."""
    from taichi_aot.handles import _memory

    monkeypatch.setattr(_memory, "HOST_PART", size)


def check_addresses(rt: Runtime) -> tuple[int, ...]:
    """Return the addresses at which kernels note a failed check: kernel, lock, message, arguments."""
    addresses = ffi.new("uint64_t[7]")
    rt._handle.check(lib.taichi_aot_check_addresses(rt._handle.c, addresses))
    return tuple(addresses)[:4]


def number_of_kernel(name: str, *parameters: str) -> int:
    """Return the number by which a failed check names its kernel."""
    from taichi_aot.driver._checks import number_of

    return number_of(name, parameters)


def leave_failures(call: Callable[[], object]) -> object:
    """Make a call as showing an array does, which leaves failed checks to later calls."""
    return keeping_failures(call)


def log_failed_closing() -> None:
    """Log that closing failed, as finalizers do, which cannot raise."""
    log_failure(-1, "closing")


# The machine.


def pretend_gpu_was_used() -> None:
    """Let the process believe that it has used a driver of a GPU, which does not survive a fork."""
    gpu_drivers.used = True


def was_gpu_used() -> bool:
    """Return whether this process has used a driver of a GPU."""
    return gpu_drivers.used


def has_lost_gpu_drivers() -> bool:
    """Return whether this process was forked from one that had used a driver of a GPU."""
    return gpu_drivers.lost


def vulkan_functions() -> int:
    """Return the address of the loader's ``vkGetInstanceProcAddr``."""
    instance = loader_instance()
    assert instance is not None
    return instance.get_instance_proc_addr


def vulkan_uuids() -> list[str]:
    """Return the UUIDs by which all processes know the devices of Vulkan, in the package's order."""
    instance = loader_instance()
    assert instance is not None
    return [str(UUID(instance.uuid(device))) for device in instance.physical_devices()]


def vulkan_device_name(info: Any) -> str:
    """Return the name of the device of ``vulkan.export_runtime(rt)``."""
    return VulkanInstance(info.get_instance_proc_addr, info.instance).name(info.physical_device)


def share_with_cuda(source: Any) -> None:
    """Take the bytes of an object as a CUDA runtime does, which raises for memory of the host."""
    shared_bytes(source, (CUDA, 0), readonly=False)


def share_array_with_cuda(source: Any, *, any_dtype: bool = False) -> Shared:
    """Take an array as a CUDA runtime does that only reads it."""
    return shared_array(source, (CUDA, 0), readonly=True, any_dtype=any_dtype)


def stand_in_for_cuda(monkeypatch: pytest.MonkeyPatch, *devices: tuple[str, str]) -> None:
    """Make the package find these CUDA devices, given by name and kind, instead of those of the machine."""
    from taichi_aot.backends._devices import _DRIVERS, _Driver

    driver = _Driver(lambda: list(devices), lambda: "no driver", _DRIVERS[Arch.CUDA].version)
    monkeypatch.setitem(_DRIVERS, Arch.CUDA, driver)


def best_arch(*archs: Arch) -> Arch:
    """Return the arch of the best device for modules of these archs."""
    from taichi_aot.backends._devices import best_device

    return best_device(archs).arch


def cuda_device_here() -> CudaDevice | None:
    """Return what the compiler needs to know of the device here, or None without one."""
    from taichi_aot.build._archs import device_here

    return device_here()


# The contents of modules.


def formats_of_kernels() -> list[str]:
    """Return the formats of the images that kernels can store to."""
    from taichi_aot.adopt.spirv._editor import IMAGE_FORMATS

    return list(IMAGE_FORMATS.values())


def unavailable_error() -> type[BuildError]:
    """Return the error of a build for which this machine lacks something, such as the compiler."""
    from taichi_aot.build._options import UnavailableError

    return UnavailableError


def machine_code(path: str | Path) -> BuiltNative:
    """Return the machine code of a module for x64."""
    from helpers.plans import parsed

    native = parsed(Path(path)).native
    assert native is not None
    return native


def open_machine_code(code: bytes) -> None:
    """Open machine code as the loading of a module does, and close it."""
    lib.taichi_aot_native_close(lib.taichi_aot_native_open(ffi.from_buffer(code), len(code)))


def check_machine_code(native: BuiltNative, target: str, data: bytes) -> None:
    """Check other machine code for a kind of CPU in the place of a module's, as `validate` does."""
    from taichi_aot.adopt.taichi._native import verify_native

    verify_native(native._replace(code={target: data}))


@contextmanager
def with_scalar_code(path: Path) -> Iterator[None]:
    """Let builds of modules write another one, whose loops compute one element at a time, in the order of the IR."""
    _build: Any = import_module("taichi_aot.build.output._build")
    usual, usual_pack = _build.with_native_code, _build.pack_module
    made: list[Any] = []

    def compile_both(module: Any, timeout: float, show: Any, compiled: Any, math: Any, **how: Any) -> Any:
        made.append(usual(module, timeout, math=math))
        return usual(module, timeout, show, compiled, math, **how)

    def pack_both(module: Any) -> Any:
        path.write_bytes(usual_pack(made.pop()).data)
        return usual_pack(module)

    _build.with_native_code, _build.pack_module = compile_both, pack_both
    try:
        yield
    finally:
        _build.with_native_code, _build.pack_module = usual, usual_pack


@contextmanager
def failing_llvm(task: str, *, without_vectors: bool = False) -> Iterator[None]:
    """Let LLVM fail, as if it ended the process, where it makes vectors of a task whose name begins so, or always."""
    from taichi_aot.build._options import CrashError

    _native: Any = import_module("taichi_aot.build.code._native")
    usual = _native.call_each

    def call(function: Any, requests: Any, *others: Any) -> Any:
        sources = [source for each in requests for source in each.kernels]
        named = [(source, name) for source in sources for name in source.symbols if name.startswith(task)]
        if any(without_vectors or source.before_passes.get(name) for source, name in named):
            raise CrashError("LLVM failed")
        return usual(function, requests, *others)

    _native.call_each = call
    try:
        yield
    finally:
        _native.call_each = usual


def read_ir(text: str) -> Any:
    """Return a function of LLVM IR, or an instruction, as builds read it; None if that is refused."""
    from taichi_aot.adopt.llvm._instructions import UnknownCodeError, read_instruction
    from taichi_aot.build.vector._ir import read_function

    try:
        return read_function(text) if text.startswith("define") else read_instruction(text)
    except UnknownCodeError:
        return None


def returned_of(dtype: np.dtype[Any]) -> ResultLayout:
    """Return what a module states of return values of this type."""
    from taichi_aot.bundle._info import ResultLayout

    return ResultLayout(dtype)


def is_sound(launch: dict[str, Any], kinds: str) -> bool:
    """Return whether C can follow what a plan states of a kernel's launches with arguments of these kinds."""
    from types import SimpleNamespace

    from taichi_aot.bundle._codec import decode
    from taichi_aot.bundle._info import LaunchInfo
    from taichi_aot.handles._module import _CPlan

    stated = decode(LaunchInfo, json.loads(json.dumps(launch)))
    files = {f"{task.name}.spv": bytes(4) for task in stated.tasks}
    info = SimpleNamespace(field_trees=(0,))
    plan: Any = SimpleNamespace(launch=lambda kernel: stated, files=files, family="gfx", info=info)
    code: Any = SimpleNamespace(runtime=ffi.NULL, checks=0, function=lambda kernel, symbol: 0)
    made = _CPlan(plan, [("it", range(99))], code)
    return bool(lib.taichi_aot_plan_is_sound(made.c, kinds.encode(), len(kinds)))


def vector_functions() -> tuple[Any, Any]:
    """Return the modules that have the mathematical functions of machine code, and the kinds of CPU."""
    from taichi_aot.build.code import _native_code
    from taichi_aot.build.ir import _functions

    return _functions, _native_code


def divisions_in_loops(code: bytes) -> list[str]:
    """Return the divisions by other numbers than constants in the loops of SPIR-V."""
    from taichi_aot.adopt.spirv._editor import Op, Shader

    shader, found = Shader("", code), dict[int, str]()
    constants = {each.operands[1] for each in shader.preamble if each.op == Op.CONSTANT}
    for header in shader.blocks:
        labels = shader.loop(header) if header.merge is not None and header.merge.op == Op.LOOP_MERGE else ()
        for each in (each for block in shader.blocks if block.label in labels for each in block.body):
            if each.op in (Op.S_DIV, Op.S_MOD, Op.S_REM) and each.operands[3] not in constants:
                found[id(each)] = repr(each)
    return list(found.values())


# Builds.


def reasons_without_code() -> Iterator[str]:
    """Return the reasons why kernels have no machine code or PTX, with ``…`` for what an f-string inserts."""
    module = import_module("taichi_aot.build.code._native")
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    of_kernels = [each for each in tree.body if getattr(each, "name", "") != "why_unavailable"]
    for node in chain.from_iterable(map(ast.walk, of_kernels)):
        raised = isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args[0]
        reason = raised or (isinstance(node, ast.Assign) and node.value)
        if isinstance(reason, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in reason.values)
        elif raised and isinstance(reason, ast.Constant):
            yield str(reason.value)
        elif raised and isinstance(reason, ast.Name):
            yield getattr(module, reason.id)
    yield from module.REASONS.values()
    for rules in (module.CPU_CODE, module.CUDA_CODE):
        yield from filter(None, [*rules.refused.values(), *rules.functions.values()])


# Programs of Taichi.


def made_instance(*values: Any) -> Any:
    """Return what a module states of an instance of a kernel."""
    from taichi_aot.bundle._info import Instance

    return Instance(*values)
