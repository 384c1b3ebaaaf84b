"""Handles of memory and images, holds on them, copies, and views of the host.

A view is of the memory itself, or of a copy if the host cannot map it. What finalizers free on a device, such as marks
in the order of what a runtime gives its device, is an `OnDevice`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeAlias

import numpy as np

from ..driver._library import Status, address_of, ffi, lib, log_failure
from ..values._errors import (
    ArgumentTypeError,
    BufferStateError,
    InvalidArgumentError,
    ObjectStateError,
    OutOfMemoryError,
    short,
)
from ..values._items import Record
from ..values._numbers import MemoryUsage
from ._runtime import RuntimeHandle, State, Unique, process

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._capi import (
        TiImage,
        TiMemory,
        taichi_aot_array_p,
        taichi_aot_hold_p,
        taichi_aot_memory_p,
        taichi_aot_shadow_use_p,
    )
    from .._cdata import Pointer

    Layout: TypeAlias = tuple[str, tuple[int, ...]]  # the dtype as numpy names it, and the shape


# What DLPack calls types of devices, and the types of numbers by the kind of a numpy dtype.
CPU, CUDA, CUDA_HOST, VULKAN, CUDA_MANAGED = 1, 2, 3, 7, 13
TYPE_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
DEFAULT_STREAM = 1  # CUDA's legacy default stream, as the protocols number it

NOT_NOW = (Status.BUSY, Status.REENTERED, Status.WRONG_THREAD)


def is_released(status: int, what: str) -> bool:
    """Return whether a finalizer's call needs no repetition, and log its failure."""
    if status in NOT_NOW:
        return False
    log_failure(status, what)
    return True


class Release:
    """Frees what an `OnDevice` has; outlives it if its finalizer was interrupted."""

    __slots__ = ("_free", "_kept", "_what", "c")

    def __init__(self, c: Any, free: Callable[[Any, bool], int], what: str, kept: object) -> None:
        self._free = free
        self._what = what
        self._kept = kept
        self.c = c

    def release(self, *, may_wait: bool) -> bool:
        return is_released(self._free(self.c, may_wait), self._what)


class OnDevice:
    """Device state, created at its first use, and freed by a finalizer or with the runtime.

    `c`: the structure in which C notes the state. `free`: frees it, given `c` and whether it may wait; it may be called
    again. `what`: what it does, for messages about a failure. `kept`: what must live as long as the state, such as the
    code that a graph launches.
    """

    __slots__ = ("__weakref__", "_release", "runtime")

    def __init__(
        self, runtime: RuntimeHandle, c: Any, free: Callable[[Any, bool], int], what: str, kept: object = None
    ) -> None:
        self.runtime = runtime
        self._release = release = Release(c, free, what, kept)
        runtime.releases[release] = weakref.ref(self)

    def __del__(self) -> None:
        release = getattr(self, "_release", None)
        if release is not None:
            self.runtime.release(release)


class Mark(OnDevice):
    """A mark after all work so far, with the device's time."""

    __slots__ = ("_c",)

    def __init__(self, runtime: RuntimeHandle) -> None:
        self._c = ffi.new("taichi_aot_mark *")
        super().__init__(runtime, self._c, partial(lib.taichi_aot_mark_free, runtime.c), "freeing an event")
        runtime.check(lib.taichi_aot_mark_set(runtime.require_open(), self._c, True))

    def ask(self, ns: int = 0) -> int:
        """Wait at most this many nanoseconds, and return the status."""
        return lib.taichi_aot_mark_wait(self.runtime.c, self._c, ns)

    def seconds_to(self, other: Mark) -> float:
        """Return the device's time from this mark to another; the device has reached both."""
        seconds: Pointer[float] = ffi.new("double *")
        self.runtime.check(lib.taichi_aot_mark_elapsed(self.runtime.require_open(), self._c, other._c, seconds))
        return seconds[0]


# Handles of memory and images, and holds on them.


class Request:
    """A request for memory; `host_read`, `host_write`, `export_sharing` and `usage` are as for `Runtime.allocate`."""

    __slots__ = ("export_sharing", "for_arrays", "host_read", "host_write", "is_result", "size", "usage")

    def __init__(
        self,
        size: int,
        host_read: bool = True,
        host_write: bool = True,
        *,
        for_arrays: bool = False,
        is_result: bool = False,
        export_sharing: bool = False,
        usage: MemoryUsage = MemoryUsage.STORAGE,
    ) -> None:
        self.size: int = size  # in bytes, at least 1
        self.host_read: bool = host_read
        self.host_write: bool = host_write
        # for_arrays: whether it must be fast for kernels; the host may then have to work on copies.
        # is_result: whether kernels only write their return values to it, which the host then reads.
        self.for_arrays: bool = for_arrays
        self.is_result: bool = is_result
        self.export_sharing: bool = export_sharing
        self.usage: MemoryUsage = usage


class Adoption(Record):
    """The properties of memory that the library has allocated."""

    address: int  # its handle
    size: int  # size in bytes, at least 1
    owned: bool  # whether closing frees it
    # host_read, host_write, usage: as for `Runtime.allocate`.
    host_read: bool
    host_write: bool
    usage: MemoryUsage


class AllocationHandle:
    """Memory or an image of a runtime."""

    __slots__ = ("__weakref__", "c", "generation", "runtime")

    noun: ClassVar[str]  # for messages
    c: taichi_aot_memory_p
    # The value of ``c.generation`` until the allocation is closed; negated while the memory is mapped as a copy.
    generation: int
    runtime: RuntimeHandle

    @property
    def closed(self) -> bool:
        return abs(self.c.generation) != self.generation or not self.runtime.is_open

    def require_open(self) -> taichi_aot_memory_p:
        """Return ``taichi_aot_memory *``; ValueError if the allocation or its runtime is closed."""
        self.runtime.require_open()
        if abs(self.c.generation) != self.generation:
            raise ObjectStateError(f"the {self.noun} is closed")
        return self.c

    def close(self) -> None:
        """Free it; raise BufferError while something holds it, such as a view."""
        if self.closed:
            return
        runtime = self.runtime.require_open()
        status = lib.taichi_aot_memory_close(runtime, self.c, self.generation)
        if status == Status.IN_USE and self.runtime.release_lost():
            status = lib.taichi_aot_memory_close(runtime, self.c, self.generation)
        if status != Status.ARRAY_CLOSED:  # otherwise another thread has closed it
            self.check(status)
            self.free()

    def check(self, status: int) -> None:
        """Raise the error that a call with this allocation reported, if any."""
        self.runtime.check(status)

    @property
    def ti_handle(self) -> TiMemory | TiImage:
        """The library's handle; ValueError if the allocation is closed."""
        raise NotImplementedError

    def free(self) -> None:
        """Return closed memory to its backend. May be called again."""
        raise NotImplementedError


class MemoryHandle(AllocationHandle):
    """An allocation of memory; subclasses define how it is accessed, copied and freed."""

    __slots__ = ("host_read", "host_write", "readonly", "size", "usage")

    noun = "memory"

    def __init__(self, runtime: RuntimeHandle, stated: Request | Adoption | MemoryHandle) -> None:
        self.runtime = runtime
        self.size: int = stated.size
        # host_read, host_write, usage: the uses that it was allocated for, as for `Runtime.allocate`.
        self.host_read: bool = stated.host_read
        self.host_write: bool = stated.host_write
        self.readonly: bool = False  # whether neither the host nor a kernel may write to it
        self.usage: MemoryUsage = stated.usage

    def protect(self) -> None:
        """Make the memory read-only, before it has arrays and views."""
        self.readonly, self.host_write = True, False

    @property
    def ti_handle(self) -> TiMemory:
        return self.ti_memory_at(0)

    # Implemented by subclasses.

    @property
    def staging(self) -> Any:
        """``taichi_aot_staging *`` for memory that the host cannot map; NULL where copies do not need one."""
        return ffi.NULL

    @property
    def read_staging(self) -> Any:
        """``taichi_aot_staging *`` through which the host reads the memory; NULL where a read does not need one."""
        return ffi.NULL

    @property
    def is_mappable(self) -> bool:
        """Whether the host can access the memory itself, not only a copy."""
        raise NotImplementedError

    @property
    def address(self) -> int:
        """Address for the host, or for the device if it is not mappable; valid while a hold on it is active."""
        raise NotImplementedError

    def map(self, typestr: str, shape: tuple[int, ...], offset: int = 0) -> AbstractContextManager[npt.NDArray[Any]]:
        """Return a context manager that yields a numpy view of that type string and shape from `offset` on."""
        raise NotImplementedError

    def place(self, c: taichi_aot_array_p, offset: int = 0) -> None:
        """Let an array lie in it, from `offset` on."""
        c.ti_ndarray.memory = self.ti_memory_at(offset)
        c.memory, c.generation = self.c, self.generation

    def ti_memory_at(self, offset: int) -> TiMemory:
        """Return the library's handle for the bytes from `offset`, which lies within the memory, to the end."""
        raise NotImplementedError

    def export(self) -> int:
        """Return the address for a consumer, which keeps this handle alive while it uses the address."""
        raise NotImplementedError

    def read(self, target: npt.NDArray[Any], offset: int) -> None:
        """Wait for the device and fill a contiguous array with a copy."""
        raise NotImplementedError

    def write(self, source: npt.NDArray[Any], offset: int, *, fresh: bool = False) -> None:
        """Copy a contiguous array into the memory, after waiting for the device unless the memory is fresh."""
        raise NotImplementedError

    def copy_from(self, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
        """Copy from other memory of the same context, in launch order; the ranges must not overlap."""
        raise NotImplementedError

    def copy_from_peer(self, offset: int, source: MemoryHandle, source_offset: int, size: int) -> bool:
        """Copy from memory of another device, in the launch order of both; return False if it must pass the host."""
        return False


class DetachedMemory(MemoryHandle):
    """A closed handle that replaces one that another object closes."""

    __slots__ = ()

    def __init__(self, memory: MemoryHandle) -> None:
        super().__init__(memory.runtime, memory)
        self.readonly = memory.readonly
        self.generation = 1
        self.c = ffi.new("taichi_aot_memory *")

    def map(self, typestr: str, shape: tuple[int, ...], offset: int = 0) -> NoReturn:
        self._raise()

    def ti_memory_at(self, offset: int) -> NoReturn:
        self._raise()

    def _raise(self) -> NoReturn:
        self.require_open()
        raise AssertionError("it is never open")


class Hold(OnDevice):
    """A use, such as ``TAICHI_AOT_HOLD_VIEW``, that prevents freeing memory or an image, or with None a runtime."""

    __slots__ = ()

    def __init__(self, runtime: RuntimeHandle, memory: AllocationHandle | None, kind: int) -> None:
        c: taichi_aot_hold_p = ffi.new("taichi_aot_hold *")
        # The memory keeps an export alive, so an export must not keep the memory alive.
        kept = memory if kind != lib.TAICHI_AOT_HOLD_EXPORT else None
        super().__init__(runtime, c, lib.taichi_aot_hold_end, "unmapping memory", kept)
        c_memory, generation = (ffi.NULL, 0) if memory is None else (memory.c, memory.generation)
        c_runtime = runtime.require_open()
        runtime.check(
            runtime.complete(
                lambda may_block: lib.taichi_aot_hold_begin(c_runtime, c_memory, generation, kind, may_block, c)
            )
        )


# Allocation and copies, common to all kinds of memory.


# Machines do not address more, and for sizes near 2^64 the library returns invalid handles.
LARGEST = 1 << 47
FILL_PART = 1 << 20  # bytes of a pattern that are copied at a time
HOST_PART = 8 << 20  # bytes that are copied through the host at a time


def allocate(runtime: RuntimeHandle, request: Request) -> MemoryHandle:
    """Allocate uninitialized memory."""
    if request.size > LARGEST:
        raise OutOfMemoryError(f"cannot allocate {short(request.size)} bytes: devices address at most {LARGEST}")
    runtime.require_open()
    memory: MemoryHandle = runtime.backend.memory.allocate(runtime, request)
    return memory


def write_from(memory: MemoryHandle, source: npt.NDArray[Any], offset: int = 0) -> None:
    """Wait for the device and copy all of `source`."""
    if memory.readonly or memory.c.generation < 0:
        memory.require_open()
        require_writable(memory)
        check_not_mapped(memory)
    memory.write(_contiguous(source), offset)


def write_fresh(memory: MemoryHandle, source: npt.NDArray[Any]) -> None:
    """Copy all of `source` to the beginning of memory that no launch uses yet."""
    memory.write(_contiguous(source), 0, fresh=True)


def _contiguous(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return array if array.flags.c_contiguous else array.copy()


def copy_between(target: MemoryHandle, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
    """Copy in launch order: on the device, or between two runtimes. The ranges must lie within the memories."""
    for memory in (source, target):
        memory.require_open()
        check_not_mapped(memory)
    require_writable(target)
    if source is target and max(offset, source_offset) < min(offset, source_offset) + size:
        raise InvalidArgumentError(
            f"cannot copy {size} bytes from offset {source_offset} to {offset}: the ranges overlap"
        )
    if not size:
        return
    if source.runtime.context is target.runtime.context:
        target.copy_from(offset, source, source_offset, size)
    elif not target.copy_from_peer(offset, source, source_offset, size):
        _copy_through_host(target, offset, source, source_offset, size)


def _copy_through_host(target: MemoryHandle, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
    """Copy between two runtimes: read after the launches of one, and write before later launches of the other."""
    host = np.empty(min(size, HOST_PART), np.uint8)
    for begin in range(0, size, HOST_PART):
        part = host[: size - begin]
        source.read(part, source_offset + begin)
        target.write(part, offset + begin)


def fill_with(memory: MemoryHandle, pattern: npt.NDArray[Any], size: int, offset: int = 0) -> None:
    """Wait for the device and fill `size` bytes with a number."""
    part = np.empty(max(1, min(size, FILL_PART) // pattern.itemsize), pattern.dtype)
    part.fill(pattern)
    write_from(memory, part[: size // pattern.itemsize], offset)
    for begin in range(part.nbytes, size, part.nbytes):
        copy_between(memory, offset + begin, memory, offset, min(part.nbytes, size - begin))


def require_writable(memory: MemoryHandle) -> None:
    """Raise ValueError for memory that was imported as read-only."""
    if memory.readonly:
        raise InvalidArgumentError("the memory is read-only: it was imported with readonly=True")


def check_not_mapped(memory: MemoryHandle) -> None:
    """Raise BufferError while a copy of the memory is mapped."""
    if memory.c.generation < 0:
        raise BufferStateError("the memory is mapped, and this arch maps a copy; leave the `with` block first")


# Host views of memory: of the memory itself, or of a copy if the host cannot map it.


# Found once, because small arrays are copied in a microsecond.
_cast, _from_buffer, _ADDRESS = ffi.cast, ffi.from_buffer, ffi.typeof("uintptr_t")


def array_address(array: npt.NDArray[Any]) -> int:
    """Return the address of a contiguous array's numbers; ``array.ctypes.data`` takes three times as long."""
    return int(_cast(_ADDRESS, _from_buffer(array)))


def map_for_host(
    memory: MemoryHandle, typestr: str, shape: tuple[int, ...], offset: int = 0
) -> AbstractContextManager[npt.NDArray[Any]]:
    """Return a context manager that yields a numpy view; ValueError if the memory was not allocated for that."""
    if not (memory.host_read or memory.host_write):
        raise ObjectStateError("the memory is not host-accessible: allocate it with host_read=True or host_write=True")
    return memory.map(typestr, shape, offset)


class View(Unique):
    """The base of numpy arrays over memory: it keeps the memory mapped while one of them is alive."""

    __slots__ = ("_hold", "_layout", "_writable", "address")

    def __init__(self, memory: MemoryHandle, typestr: str, shape: tuple[int, ...], kind: int, offset: int = 0) -> None:
        self._initialize_once("_hold")
        self._layout = (typestr, shape)
        self._writable = memory.host_write
        self._hold = Hold(memory.runtime, memory, kind)
        self.address: int = memory.address + offset

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return _interface(self._layout, self.address, self._writable)


def _interface(layout: Layout, address: int, writable: bool) -> dict[str, Any]:
    typestr, shape = layout
    return {"version": 3, "typestr": typestr, "shape": shape, "data": (address, not writable)}


class Exported:
    """The base of numpy arrays over exported memory: it keeps the memory alive, which may be closed meanwhile."""

    __slots__ = ("__array_interface__", "_memory")

    def __init__(self, memory: MemoryHandle, interface: dict[str, Any]) -> None:
        self._memory = memory
        self.__array_interface__ = interface


class _Map:
    """Base of the context managers."""

    __slots__ = ("_memory", "_offset", "_shape", "_typestr")

    def __init__(self, memory: MemoryHandle, typestr: str, shape: tuple[int, ...], offset: int) -> None:
        self._memory = memory
        self._typestr = typestr
        self._shape = shape
        self._offset = offset

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        raise ArgumentTypeError("map() returns a context manager: `with array.map() as view:`")


class DirectMap(_Map):
    """Context manager returned by `map`: waits for the device and yields a zero-copy view of the memory."""

    __slots__ = ()

    def __enter__(self) -> npt.NDArray[Any]:
        return np.asarray(View(self._memory, self._typestr, self._shape, lib.TAICHI_AOT_HOLD_VIEW, self._offset))

    def __exit__(self, *exc_info: object) -> None:
        """Do nothing: the view and its slices stay valid and keep the memory alive."""


class ShadowMap(_Map):
    """Context manager returned by `map` if the host cannot map the memory: yields a copy and writes it back at the end.

    The copy has all of the memory, whatever the view shows: arrays over one memory are views of one copy. Until it is
    written back, launches with the memory raise BufferError.
    """

    __slots__ = ("_entered",)

    def __init__(self, memory: MemoryHandle, typestr: str, shape: tuple[int, ...], offset: int) -> None:
        super().__init__(memory, typestr, shape, offset)
        self._entered: list[tuple[npt.NDArray[Any], _ShadowUse]] = []  # a context may be entered more than once

    def __enter__(self) -> npt.NDArray[Any]:
        use = _ShadowUse(self._memory, (self._typestr, self._shape), self._offset)
        array = np.asarray(use)
        self._entered.append((array, use))
        return array

    def __exit__(self, *exc_info: object) -> None:
        if self._entered:
            array, use = self._entered.pop()
            array.flags.writeable = False  # later writes would be lost
            use.end()


class _ShadowRelease(Release):
    """Ends a `_ShadowUse`."""

    __slots__ = ()

    def release(self, *, may_wait: bool) -> bool:
        if not super().release(may_wait=may_wait):
            return False
        lib.taichi_aot_shadow_drop(self.c)
        return True


class _ShadowUse(Unique):
    """One use of a memory's copy: it ends with the context, or with its last view if the context is never left.

    C counts the uses and writes the copy back, in one step.
    """

    __slots__ = ("_layout", "_memory", "_offset", "_release")

    def __init__(self, memory: MemoryHandle, layout: Layout, offset: int) -> None:
        self._initialize_once("_release")
        self._memory = memory
        self._layout = layout
        self._offset = offset
        use: taichi_aot_shadow_use_p = ffi.new("taichi_aot_shadow_use *")
        self._release = _ShadowRelease(use, lib.taichi_aot_shadow_end, "writing a copy of memory back", memory)
        memory.runtime.releases[self._release] = weakref.ref(self)
        use.runtime, use.memory, use.staging = memory.runtime.require_open(), memory.require_open(), memory.staging
        use.size, use.writes_back = memory.size, memory.host_write
        runtime, generation = memory.runtime, memory.generation
        runtime.check(runtime.complete(lambda may_block: lib.taichi_aot_shadow_begin(use, generation, may_block)))

    @property
    def __array_interface__(self) -> dict[str, Any]:
        address = address_of(self._release.c.shadow.data) + self._offset
        return _interface(self._layout, address, self._memory.host_write)

    def end(self) -> None:
        """End the use; the last one writes the copy back."""
        status = lib.taichi_aot_shadow_end(self._release.c, True)
        if status != Status.CLOSED:
            self._memory.runtime.check(status)

    def __del__(self) -> None:
        release = getattr(self, "_release", None)
        if release is None or not process or process.exiting:
            return
        runtime = self._memory.runtime
        runtime.release(release)
        if runtime.state not in (State.OPEN, State.CLOSING):
            lib.taichi_aot_shadow_drop(release.c)
