"""The PTX of a module on a CUDA device, with what its kernels have for the library's runtime."""

from __future__ import annotations

import os
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from ..driver._gpus import cuda_attributes
from ..driver._library import check, ffi, lib, log_debug, put_address
from ..values._errors import DeviceLostError, OutOfMemoryError, TaichiError
from ._on_device import is_released
from ._runtime import State, process

if TYPE_CHECKING:
    from .._capi import taichi_aot_memory_p
    from .._cdata import Pointer
    from ..bundle._plan import Plan
    from ._random import RandomNumbers
    from ._runtime import Context, RuntimeHandle

FIRST_STATE = 1 << 30  # the library has the states from 0 on
# Of CUdevice_attribute: the compute capability, the multiprocessors, and the threads that one can hold.
ATTRIBUTES = 75, 76, 16, 39


class PtxCode:
    """The PTX of a module. The driver loads a kernel's PTX at the kernel's first use; fields start as zeros.

    Code with fields ends with the runtime. Other code ends with the last object that refers to it; it is for all
    runtimes of its device, unless it draws random numbers.
    """

    has_fields = True
    trees: Pointer[Any] = ffi.NULL
    checks = 0
    way = "native"  # what its launches are called

    def __init__(self, plan: Plan, runtime: RuntimeHandle) -> None:
        self._plan = plan
        self._context = runtime.context
        self._functions: dict[str, dict[str, int]] = {}  # by kernel, then by name
        self._refused: set[str] = set()
        self._memory = _DeviceMemory(runtime.context)
        self._process = os.getpid()
        stated = plan.stated["runtime"]
        self.is_of_runtime: bool = bool(stated["random_threads"])  # whether other runtimes must not use it
        # Whether nothing but the modules and what they launch has to keep it.
        self.ends_with_modules: bool = not plan.has_fields
        if plan.has_fields:
            runtime.backend.memory.on_close(partial(self._memory.release, may_wait=True))
        index = runtime.context.device_index
        attributes = cuda_attributes(*ATTRIBUTES, device_index=index)
        if not attributes:
            raise InvalidStateError("the CUDA driver does not state the attributes of its device")
        major, minor, multiprocessors, threads = attributes
        self._capability = f"sm_{major}{minor}"
        self.device_threads: int = multiprocessors * threads  # that the device can hold at once
        address = self._fill(stated, runtime)
        self.runtime: Pointer[Any] = ffi.cast("void *", address)
        self.roots: int = address + stated["members"]["roots"]

    def _fill(self, stated: dict[str, Any], runtime: RuntimeHandle) -> int:
        """Return the address of the struct."""
        contents, threads = bytearray(stated["size"]), stated["random_threads"]

        put = partial(put_address, contents, stated)
        if "temporaries" in stated["needs"]:
            put("temporaries", self._temporaries(stated["temporaries"]))
        if threads:
            put("rand_states", random_states(runtime, threads))
        for tree, size in stated["trees"]:
            put("roots", self._memory.place(bytes(size)), tree)
        return self._memory.place(bytes(contents))

    def _temporaries(self, size: int) -> int:
        """Return the address of memory that all kernels on the device can use: they follow each other."""
        context = self._context
        known, address = context.temporaries
        if known < size:
            address = _DeviceMemory(context).place(bytes(size))
            context.temporaries = size, address
        return int(address)

    def open(self, kernel: str) -> bool:
        """Load the code of a kernel, and return whether the device has it.

        CorruptedDataError if it is damaged, TaichiError if the driver refuses it, on a device that the library does not
        use; elsewhere the library compiles it.
        """
        if kernel in self._functions:
            return True
        if kernel in self._refused:
            return False
        try:
            self._load(kernel)
        except (DeviceLostError, OutOfMemoryError):
            raise
        except TaichiError as error:
            if self._context.device_index:
                raise
            log_debug("kernel %s: the driver refuses its PTX: %s", kernel, error)
            self._refused.add(kernel)
            return False
        return True

    def _load(self, kernel: str) -> None:
        begin = time.perf_counter()
        stated, symbols = self._plan.stated, self._plan.kernels[kernel]["launch"]["tasks"]
        images = stated["ptx"][kernel]
        image = self._plan.files[images.get(self._capability, images["ptx"])]
        names = [ffi.new("char[]", symbol["name"].encode()) for symbol in symbols]
        tasks = ffi.new("taichi_aot_cuda_task[]", len(symbols))
        for task, name, symbol in zip(tasks, names, symbols, strict=True):
            task.name, task.shared = name, symbol.get("shared", 0)
        self._memory.load(image, tasks)
        functions = {symbol["name"]: int(task.function) for symbol, task in zip(symbols, tasks, strict=True)}
        self._functions[kernel] = functions
        log_debug("kernel loaded: %s, its PTX, %.1f ms", kernel, 1e3 * (time.perf_counter() - begin))

    def function(self, kernel: str, symbol: str) -> int:
        """Return the address of a function of a kernel that is open."""
        return self._functions[kernel][symbol]

    def __del__(self) -> None:
        if not getattr(self, "ends_with_modules", False) or not process or process.exiting:
            return
        if self._process == os.getpid():  # a forked child cannot call the driver
            self._context.release(self._memory)


class _DeviceMemory:
    """Memory and code on a device that no public object has. The device has them until `release`, if that is called.

    It enters the context as a runtime of its own, because it may outlive all others.
    """

    def __init__(self, context: Context) -> None:
        self._c = ffi.new("taichi_aot_runtime *", {"context": context.c, "state": State.OPEN})
        self._blocks: list[taichi_aot_memory_p] = []
        self._modules: list[Any] = []

    def place(self, contents: bytes) -> int:
        """Copy bytes into new memory; return its address."""
        c = ffi.new("taichi_aot_memory *", {"generation": 1})
        self._blocks.append(c)  # before the driver allocates it
        check(lib.taichi_aot_cuda_allocate(self._c, len(contents), False, c))
        self._write(c, contents)
        return int(c.address)

    def rewrite(self, contents: bytes) -> None:
        """Replace what `place` copied first, behind all launches before."""
        self._write(self._blocks[0], contents)

    def _write(self, c: taichi_aot_memory_p, contents: bytes) -> None:
        host = ffi.from_buffer(contents)
        check(lib.taichi_aot_copy_host(self._c, c, 1, 0, host, len(contents), lib.TAICHI_AOT_WRITE, True))

    def load(self, image: bytes, tasks: Any) -> None:
        """Load code, and find its functions."""
        module = ffi.new("void **")
        self._modules.append(module)  # before the driver loads it
        check(lib.taichi_aot_cuda_load(self._c, ffi.new("char[]", image), tasks, len(tasks), module))

    def release(self, *, may_wait: bool) -> bool:
        """Free it once the device has finished; return False if that has to wait for another thread but may not."""
        kept = list(self._modules), list(self._blocks)  # alive while C uses them, though another thread clears ours
        modules, blocks = ffi.new("void **[]", kept[0]), ffi.new("taichi_aot_memory *[]", kept[1])
        status = lib.taichi_aot_cuda_unload(self._c, modules, len(modules), blocks, len(blocks), may_wait)
        if not is_released(status, "unloading code from a CUDA device"):
            return False
        self._modules.clear()
        self._blocks.clear()
        self._c.state = State.CLOSED
        return True


class _RandomStates:
    """States on a device: their number, their address, and the number of the first one."""

    def __init__(self, runtime: RuntimeHandle, first: int, threads: int) -> None:
        self.first, self.threads = first, threads
        self._memory = _DeviceMemory(runtime.context)
        runtime.backend.memory.on_close(partial(self._memory.release, may_wait=True))
        self.address = self._memory.place(runtime.random.states(first, threads))
        self.cell = self._memory.place(self.address.to_bytes(8, "little"))  # where the library's code finds the address
        runtime.random.follow += (self._rewrite,)

    def _rewrite(self, random: RandomNumbers) -> None:
        self._memory.rewrite(random.states(self.first, self.threads))


def random_states(runtime: RuntimeHandle, threads: int, *, cell: bool = False) -> int:
    """Return the address of random states for this many threads, which all modules of a runtime share.

    `cell`: return where that address stands.
    """
    states: _RandomStates | None = runtime.random.cuda
    if states is None or states.threads < threads:
        first = FIRST_STATE if states is None else states.first + states.threads
        states = runtime.random.cuda = _RandomStates(runtime, first, threads)
    return states.cell if cell else states.address


def open_ptx(plan: Plan, runtime: RuntimeHandle) -> PtxCode | str:
    """Prepare the PTX of a module; return the reason if it has none, or if launches by the driver need a newer one."""
    if not plan.stated.get("ptx"):
        return "the module has no PTX"
    if not lib.taichi_aot_cuda_can_launch():
        return "launches by the driver need a newer one"
    return plan.read("its PTX", lambda: PtxCode(plan, runtime))
