"""The code of modules, opened for a device, with what its kernels have for a runtime: machine code, PTX, SPIR-V."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ..driver._gpus import cuda_attributes
from ..driver._host import anonymous_pages, temporary_folder
from ..driver._library import address_of, check, ffi, lib, log_debug, put_address
from ..values._errors import CorruptedDataError, DeviceLostError, InvalidStateError, OutOfMemoryError, TaichiError
from ..values._numbers import Capability
from ._memory import is_released
from ._runtime import State, process

if TYPE_CHECKING:
    from .._capi import taichi_aot_memory_p, taichi_aot_runtime_p
    from ..bundle._info import RuntimeStruct
    from ..bundle._plan import Plan
    from ._runtime import Context, RandomNumbers, RuntimeHandle


class KernelCode:
    """The code of a module's kernels, opened for a device. C has what these attributes state in plans."""

    way = "native"  # what its launches are called
    has_fields: bool = True  # whether kernels use fields without the library
    is_of_runtime = False  # whether other runtimes must not use it
    ends_with_modules = False  # whether nothing but the modules and what they launch has to keep it
    device_threads = 0  # that the device can hold at once, for loops that fill it
    runtime: Any = ffi.NULL  # the struct of the library's runtime that the code reads
    roots = 0  # the address of the table of the fields' memory; 0 if the library has the fields
    checks = 0  # the address of what code with checks writes
    trees: Any = ffi.NULL  # the ``taichi_aot_memory *`` of each tree of fields, for launches that bind them

    def open(self, kernel: str) -> bool:
        """Open the code of a kernel, and return whether it can be used."""
        return True

    def has(self, needs: Iterable[str]) -> bool:
        """Return whether the device has capabilities, by their names."""
        return not any(needs)

    def function(self, kernel: str, symbol: str) -> int:
        """Return the address of a function of a kernel that is open; 0 if a task has no address."""
        return 0


class NativeCode(KernelCode):
    """Opened machine code for a kind of CPU; it is closed with the last reference to it.

    All modules of a runtime draw random numbers from the same states. The code does not end with modules, as it takes
    little memory, and the pool remembers its loops.
    """

    def __init__(self, plan: Plan, target: str, runtime: RuntimeHandle) -> None:
        self.target = target
        self._random = runtime.random  # the states live as long as it
        self._memory: list[Any] = []  # that the struct points to
        stated = plan.runtime_struct()
        self.runtime = ffi.new("char[]", stated.size)
        self._fill(stated)
        self.roots = address_of(self.runtime) + stated.members["roots"]
        self.checks = self._check_record(runtime, plan) if "errors" in stated.needs else 0
        code = plan.files[(plan.info.code or {})[target]]
        self._library = lib.taichi_aot_native_open(ffi.from_buffer(code), len(code)) or _open_file(code)

    def _fill(self, stated: RuntimeStruct) -> None:
        put, needs = partial(put_address, ffi.buffer(self.runtime), stated.members), stated.needs
        if "pool" in needs:
            put("parallel_for", int(lib.taichi_aot_pool_function("random" in needs)))
        if "temporaries" in needs:
            put("temporaries", self._pages(stated.temporaries))
        if "random" in needs:
            put("rand_states", self._random.host_states())
        if "prints" in needs:
            put("host_printf", int(lib.taichi_aot_print_function()))
        for tree, size in stated.trees:
            put("roots", self._pages(size), tree)

    def _check_record(self, runtime: RuntimeHandle, plan: Plan) -> int:
        """Return the address of what code with checks writes."""
        stated = plan.runtime_struct()
        begin = stated.members["error_message_template"]
        if not 0 <= begin <= stated.size - ffi.sizeof("taichi_aot_check_record"):
            raise plan.damaged("the runtime", "the record of failed checks leaves its struct")
        runtime.check(lib.taichi_aot_check_addresses(runtime.c, ffi.new("uint64_t[7]")))  # makes the failure
        return address_of(self.runtime) + int(begin)

    def _pages(self, size: int) -> int:
        pages = anonymous_pages(size)
        memory = ffi.from_buffer(pages)
        self._memory.append(memory)
        return address_of(memory)

    def function(self, kernel: str, symbol: str) -> int:
        """Return the address of a function of a kernel; CorruptedDataError if the code does not have it."""
        address = address_of(lib.taichi_aot_symbol(self._library, symbol.encode()))
        if not address:
            raise CorruptedDataError(f"the machine code of the module lacks the function {symbol!r}")
        return address

    def __del__(self) -> None:
        if getattr(self, "_library", None) and lib:  # None if the interpreter has cleared the module first
            lib.taichi_aot_native_close(self._library)


def _open_file(code: bytes) -> Any:
    """Open code from a file, because files in memory have no path without ``/proc``."""
    with temporary_folder() as folder:
        path = folder / "kernels.so"
        path.write_bytes(code)
        library = lib.taichi_aot_native_open_file(os.fsencode(path))
    if not library:
        raise OSError(ffi.string(lib.taichi_aot_error_message()).decode(errors="replace"))
    return library


def open_code(plan: Plan, runtime: RuntimeHandle) -> NativeCode | str:
    """Open the machine code of a module; return the reason if it has none for this CPU, or cannot be opened."""
    target = native_target(plan)
    if not target:
        return f"the module has no machine code{' for this CPU' * bool(plan.info.code)}"
    try:
        return plan.read("its machine code", lambda: NativeCode(plan, target, runtime))
    except OSError as error:
        return f"its machine code cannot be opened: {error}"


def native_target(plan: Plan) -> str:
    """Return the best of the kinds of CPU for which a module has machine code and that this machine runs, if any."""
    code = plan.info.code or ()
    for target in own_targets():
        if target in code:
            return target
    return ""


@cache
def own_targets() -> list[str]:
    """Return the kinds of CPU whose code this machine runs, the best first."""
    return ffi.string(lib.taichi_aot_native_targets()).decode().split()


# The PTX of a module on a CUDA device, with what its kernels have for the library's runtime.


FIRST_STATE = 1 << 30  # the library has the states from 0 on
# Of CUdevice_attribute: the compute capability, the multiprocessors, and the threads that one can hold.
ATTRIBUTES = 75, 76, 16, 39


class PtxCode(KernelCode):
    """The PTX of a module. The driver loads a kernel's PTX at the kernel's first use; fields start as zeros.

    Code with fields ends with the runtime. Other code ends with the last object that refers to it; it is for all
    runtimes of its device, unless it draws random numbers.
    """

    def __init__(self, plan: Plan, runtime: RuntimeHandle) -> None:
        self._plan = plan
        self._context = runtime.context
        self._functions: dict[str, dict[str, int]] = {}  # by kernel, then by name
        self._refused: set[str] = set()
        self._memory = _DeviceMemory(runtime.context)
        self._process = os.getpid()
        stated = plan.runtime_struct()
        self.is_of_runtime = bool(stated.random_threads)
        self.ends_with_modules = not plan.info.has_fields
        if plan.info.has_fields:
            runtime.backend.memory.on_close(partial(self._memory.release, may_wait=True))
        index = runtime.context.device_index
        attributes = cuda_attributes(*ATTRIBUTES, device_index=index)
        if not attributes:
            raise InvalidStateError("the CUDA driver does not state the attributes of its device")
        major, minor, multiprocessors, threads = attributes
        self._capability = f"sm_{major}{minor}"
        self.device_threads = multiprocessors * threads
        address = self._fill(stated, runtime)
        self.runtime = ffi.cast("void *", address)
        self.roots = address + stated.members["roots"]

    def _fill(self, stated: RuntimeStruct, runtime: RuntimeHandle) -> int:
        """Return the address of the struct."""
        contents, threads = bytearray(stated.size), stated.random_threads

        put = partial(put_address, contents, stated.members)
        if "temporaries" in stated.needs:
            put("temporaries", self._temporaries(stated.temporaries))
        if threads:
            put("rand_states", random_states(runtime, threads))
        for tree, size in stated.trees:
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
        symbols, images = self._plan.launch(kernel).tasks, (self._plan.info.ptx or {})[kernel]
        image = self._plan.files[images.get(self._capability, images["ptx"])]
        names = [ffi.new("char[]", symbol.name.encode()) for symbol in symbols]
        tasks = ffi.new("taichi_aot_cuda_task[]", len(symbols))
        for task, name, symbol in zip(tasks, names, symbols, strict=True):
            task.name, task.shared = name, symbol.shared
        self._memory.load(image, tasks)
        functions = {symbol.name: int(task.function) for symbol, task in zip(symbols, tasks, strict=True)}
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
    if not plan.info.ptx:
        return "the module has no PTX"
    if not lib.taichi_aot_cuda_can_launch():
        return "launches by the driver need a newer one"
    return plan.read("its PTX", lambda: PtxCode(plan, runtime))


# The SPIR-V of a module on a Vulkan device, with the memory of its fields.


class SpirvCode(KernelCode):
    """The SPIR-V of a module, with the memory of its fields.

    C passes a kernel's code to the driver at the kernel's first launch.

    `trees` has the ``taichi_aot_memory *`` of each tree of fields, which ends with the runtime; NULL if there are none,
    or the library has them: it launches a kernel that uses them.
    """

    way = "recorded"

    def __init__(self, plan: Plan, runtime: RuntimeHandle) -> None:
        self._levels = runtime.backend.device.levels(runtime)
        random = runtime.random
        if not random.follow:
            random.follow = (partial(_write_words, runtime.c),)
            if random.seed is not None:
                _write_words(runtime.c, random)
        sizes = plan.info.tree_sizes  # which modules without fields do not have, whose kernels are not looked at
        using = [name for name, kernel in plan.kernels.items() if kernel.field_trees] if sizes else []
        if using and not any(plan.launch(name).library for name in using):
            # The runtime keeps this memory until it is freed.
            self.trees = ffi.new("taichi_aot_memory *[]", [_allocate(runtime, size) for size in sizes])
        self.has_fields = bool(self.trees)

    def has(self, needs: Iterable[str]) -> bool:
        """Return whether the device has capabilities, by their names."""
        return all(self._levels.get(Capability[name.upper()]) for name in needs)


def _write_words(c: taichi_aot_runtime_p, random: RandomNumbers) -> None:
    check(lib.taichi_aot_vulkan_seed(c, ffi.new("uint32_t[]", random.words())))


def _allocate(runtime: RuntimeHandle, size: int) -> taichi_aot_memory_p:
    """Allocate the memory of a tree of fields, which the runtime frees."""
    c = ffi.new("taichi_aot_memory *", {"generation": 1})
    runtime.backend.memory.in_use[c] = 0  # before it is allocated, so that an exception in between cannot lose it
    info = ffi.new("TiMemoryAllocateInfo *", {"size": size, "usage": lib.TI_MEMORY_USAGE_STORAGE_BIT})
    runtime.check(lib.taichi_aot_allocate(runtime.require_open(), info, c))
    runtime.check(lib.taichi_aot_vulkan_clear(runtime.c, c))
    return c
