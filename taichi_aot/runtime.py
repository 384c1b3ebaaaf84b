"""Runtime: a device, and everything that lives on it."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._drivers.fork import gpu_drivers
from ._ffi.library import check_environment, ffi, lib, load
from ._ffi.status import check
from ._handles.memory import MemoryHandle, Request
from ._handles.resource import Resource
from ._handles.runtime import Allocator, Context, RuntimeHandle, process
from ._memory.convert import convert_array, is_array, plain_array
from ._memory.copies import allocate
from ._memory.cuda import CudaPool
from ._memory.gfx import GfxAllocator
from ._memory.host import HostPool
from ._memory.interchange import CPU, CUDA, Shared, shared_array, shared_bytes
from ._memory.layout import ShapeLike, array_layout, split_shape
from ._modules.loading import load_module
from .device import best_device, kind_of, library_index, visible_devices
from .dtypes import DTypeLike, numpy_dtype, to_data_type
from .enums import Arch, Capability, MemoryUsage
from .errors import CorruptedDataError, NotSupportedError
from .formats import Source
from .launch import Launch
from .memory import Memory
from .module import AotModule, Names
from .ndarray import NdArray
from .sequence import LaunchSequence
from .stream import CudaStream

if TYPE_CHECKING:
    from ._capi import taichi_aot_runtime_p

__all__ = ["Runtime", "check_device", "read_capabilities"]


class Runtime(Resource):
    """A runtime on one device: allocates memory, loads modules, launches.

    Any number may live at once, and any thread may use any of them (one of OpenGL: only the thread that made it).
    Those of CUDA share the one native runtime of the process, which stays until the process ends. Closing a runtime
    closes all that belongs to it. Views of mapped memory stay valid as long as they live.

    Parameters
    ----------
    arch : Arch or str, optional
        Backend. By default the best device there is: a GPU that is hardware, else the CPU.
    device_index : int, default 0
        Which device of that backend, as `devices` numbers them.

    Raises
    ------
    NotSupportedError
        If this machine has no such device; and for GPUs in a forked process whose parent used one.
    ValueError
        For an arch that does not exist, or a device index out of range.
    LibraryNotFoundError
        If the C library is not found.
    """

    __slots__ = ("_capabilities", "_device_index", "_handle")

    def __init__(self, arch: Arch | str | None = None, device_index: int = 0) -> None:
        self._initialize_once("_handle")
        load()
        check_environment()
        if arch is None:
            if device_index:
                raise ValueError("device_index needs an arch: without one the best of all devices is used")
            device = best_device()
            arch, device_index = device.arch, device.index
        else:
            arch = Arch(arch)
        check_device(arch, device_index)
        process.reap()
        context = _context(arch)
        self._open(context, arch, device_index, lambda: _create(context, arch, device_index))

    @classmethod
    def _over(cls, context: Context, arch: Arch, device_index: int, create: Callable[[], None]) -> Runtime:
        """A runtime over a context whose runtime of the library `create` creates or imports."""
        self = object.__new__(cls)
        self._open(context, arch, device_index, create)
        return self

    def _open(self, context: Context, arch: Arch, device_index: int, create: Callable[[], None]) -> None:
        # The handle comes first: whatever interrupts this, it destroys what `create` has created.
        handle = RuntimeHandle(context, arch, _allocator(arch))
        create()
        handle.open()
        kind = kind_of(arch, handle.c)
        gpu_drivers.used |= kind != "cpu"
        if isinstance(handle.allocator, GfxAllocator):
            handle.allocator.unified = kind != "discrete"
        self._capabilities = MappingProxyType(read_capabilities(handle.c))
        self._device_index = device_index
        self._handle = handle

    @property
    def arch(self) -> Arch:
        """The backend."""
        return self._handle.arch

    @property
    def device_index(self) -> int:
        """Which device of the backend."""
        return self._device_index

    @property
    def capabilities(self) -> Mapping[Capability, int]:
        """What the device can do, with the level (1 or a version as the library encodes it); empty on LLVM archs."""
        return self._capabilities

    @property
    def closed(self) -> bool:
        return not self._handle.is_open

    def close(self) -> None:
        """Wait for the device, then release all modules and memory, and the runtime. Closing twice is fine.

        Views of mapped device memory hold the native runtime back until the last of them is gone.
        """
        self._handle.close()

    def flush(self) -> None:
        """Start what was launched. CPU archs have run it already.

        Raises
        ------
        ValueError
            If the runtime is closed.
        """
        handle = self._handle
        handle.check(lib.checked_ti_flush(handle.require_open()))

    def wait(self) -> None:
        """Wait until everything that was launched has run.

        KeyboardInterrupt is raised once the wait returns.

        Raises
        ------
        ValueError
            If the runtime is closed.
        DeviceLostError
            If a kernel faulted on a CUDA device.
        """
        handle = self._handle
        handle.check(lib.taichi_aot_wait(handle.require_open(), False))

    def sequence(self, launches: Iterable[Launch]) -> LaunchSequence:
        """Launches to be repeated in C, without the GIL.

        Parameters
        ----------
        launches : iterable of Launch
            What ``kernel.bind(...)`` and ``graph.bind(...)`` gave, of this runtime; at least one.

        Raises
        ------
        TypeError
            For anything else.
        ValueError
            For no launches, or one of another runtime.
        """
        return LaunchSequence._make(self._handle, launches)

    def allocate(
        self,
        size: int,
        *,
        host_read: bool = False,
        host_write: bool = False,
        export_sharing: bool = False,
        usage: MemoryUsage = MemoryUsage.STORAGE,
    ) -> Memory:
        """Allocate uninitialized memory.

        Parameters
        ----------
        size : int
            Bytes, at least 1.
        host_read, host_write : bool, default False
            Whether the host may read and write it. One rule on every arch, though some would allow it anyway.
        export_sharing : bool, default False
            Whether other APIs may import it (Vulkan).
        usage : MemoryUsage, default STORAGE
            What kernels and pipelines may use it for.

        Raises
        ------
        ValueError
            If `size` is not positive, or the runtime is closed.
        OutOfMemoryError
            If the device or the host cannot give that much.
        """
        size = operator.index(size)
        if size < 1:
            raise ValueError(f"the size of a memory must be at least 1 byte, not {size}")
        if int(usage) & ~sum(MemoryUsage):
            raise ValueError(f"unknown memory usage {int(usage)}; the flags are {', '.join(MemoryUsage.__members__)}")
        request = Request(
            size,
            host_read=host_read,
            host_write=host_write,
            export_sharing=export_sharing,
            usage=MemoryUsage(usage),
        )
        return Memory(self, allocate(self._handle, request))

    def empty(self, shape: ShapeLike, dtype: DTypeLike = np.float32, elem_shape: ShapeLike = ()) -> NdArray:
        """An uninitialized array.

        Parameters
        ----------
        shape : int or sequence of int
            The shape that a kernel sees, up to 12 dimensions; may be ``()`` and may hold zeros.
        dtype : numpy dtype, DataType or str, default float32
            Type of the numbers; ``"f32"`` and the like work too.
        elem_shape : int or sequence of int, default ()
            ``(n,)`` for elements that are vectors, ``(n, m)`` for matrices.

        Raises
        ------
        TypeError
            For a dtype that Taichi does not have.
        ValueError
            For a negative dimension, more than 12 of them, or 2^31 numbers or more.
        OutOfMemoryError
            If the device or the host cannot give that much.
        """
        return NdArray(self, shape, dtype, elem_shape)

    def zeros(self, shape: ShapeLike, dtype: DTypeLike = np.float32, elem_shape: ShapeLike = ()) -> NdArray:
        """A new array of zeros; parameters and errors as for `empty`."""
        return self.full(shape, 0, dtype, elem_shape)

    def full(
        self, shape: ShapeLike, fill_value: Any, dtype: DTypeLike = np.float32, elem_shape: ShapeLike = ()
    ) -> NdArray:
        """A new array of `fill_value`; the other parameters, their defaults and errors as for `empty`.

        Raises
        ------
        TypeError, OverflowError
            If `fill_value` is not a number of that dtype, as for `NdArray.fill`.
        """
        array = NdArray(self, shape, dtype, elem_shape)
        array.fill(fill_value)
        return array

    def asarray(self, data: npt.ArrayLike, dtype: DTypeLike | None = None, elem_shape: ShapeLike = ()) -> NdArray:
        """A new array with a copy of `data`.

        Parameters
        ----------
        data : array_like
            Numbers, of shape ``shape + elem_shape``.
        dtype : numpy dtype, DataType or str, optional
            Type to convert to; by default that of `data`.
        elem_shape : int or sequence of int, default ()
            How many of the last dimensions are elements, and their sizes: ``data`` of shape ``(100, 3)`` with
            ``elem_shape=3`` is a 1-dimensional array of 100 vectors.

        Raises
        ------
        TypeError
            For a dtype that Taichi does not have.
        ValueError
            If the last dimensions of `data` are not `elem_shape`; and as for `empty`.
        """
        source = _as_numbers(data, dtype)
        shape, elements = split_shape(source.shape, elem_shape)
        layout = array_layout(shape, source.dtype, elements)
        array = NdArray._over(self, layout, allocate(self._handle, layout.request))
        array._write(source, fresh=True)
        return array

    def import_memory(self, source: Any) -> Memory:
        """Memory that `source` shares, without a copy; it is kept as long as the memory is in use.

        Parameters
        ----------
        source : object
            On CPU archs anything with a buffer (numpy arrays, bytearray, mmap, ctypes), ``__dlpack__`` or
            ``__array_interface__``. On CUDA what has ``__cuda_array_interface__`` or ``__dlpack__``: arrays of CuPy,
            Numba, PyTorch and others; work on the stream that they name is waited for.

        Raises
        ------
        NotSupportedError
            On archs of other devices: copy with `Memory.write` there.
        TypeError
            If it shares no memory.
        BufferError
            If it is not C-contiguous, or read-only.
        ValueError
            If it is on another device, or empty; if the runtime is closed.
        """
        shared = shared_bytes(source, self._sharing_device())
        if not shared.nbytes:
            raise ValueError("the size of a memory must be at least 1 byte, and this is empty")
        return Memory(self, self._import(shared))

    def from_dlpack(self, source: Any, elem_shape: ShapeLike = ()) -> NdArray:
        """An array in memory that `source` shares, without a copy; it is kept as long as the array is in use.

        Parameters
        ----------
        source : object
            With ``__dlpack__``, ``__cuda_array_interface__`` or ``__array_interface__``, or a buffer; of shape
            ``shape + elem_shape``, and on the device of this runtime.
        elem_shape : int or sequence of int, default ()
            How many of the last dimensions are elements, and their sizes.

        Raises
        ------
        NotSupportedError
            On archs whose memory other libraries cannot share: copy with `asarray` there.
        TypeError
            If it shares no array, or one of a dtype that Taichi does not have.
        BufferError
            If it is not C-contiguous, or read-only.
        ValueError
            If it is on another device; if its last dimensions are not `elem_shape`; if the runtime is closed.
        """
        shared = shared_array(source, self._sharing_device())
        shape, elements = split_shape(shared.shape, elem_shape)
        layout = array_layout(shape, shared.dtype, elements)
        if not layout.nbytes:
            return NdArray(self, layout.shape, shared.dtype, layout.elem_shape)
        return NdArray._over(self, layout, self._import(shared))

    def _sharing_device(self) -> int:
        """The device, as DLPack numbers them, whose memory this runtime can take."""
        if self.arch.is_cpu or self.arch is Arch.CUDA:
            return CPU if self.arch.is_cpu else CUDA
        raise NotSupportedError(f"arch {self.arch} cannot use memory of other libraries; asarray() and write() copy it")

    def _import(self, shared: Shared) -> MemoryHandle:
        pool = self._handle.allocator
        assert isinstance(pool, HostPool | CudaPool)
        return pool.import_memory(self._handle, shared)

    def stream(self, stream: Any) -> CudaStream:
        """Launch and copy in the order of a CUDA stream, in a ``with`` statement, on this thread.

        Work that is on the stream already comes first, and what is put on it later comes after. The library itself
        needs the default stream for each launch, so a stream that the driver does not order with that one (a
        non-blocking one) is ordered with it by events around each call.

        Parameters
        ----------
        stream : int or object
            A ``CUstream`` as an integer, or a stream of CuPy (``.ptr``), PyTorch (``.cuda_stream``), Numba
            (``.handle``) or of anything with ``__cuda_stream__``.

        Raises
        ------
        NotSupportedError
            If this is not a CUDA runtime.
        TypeError
            If `stream` is not a CUDA stream.
        ValueError
            If the runtime is closed.
        """
        if self.arch is not Arch.CUDA:
            raise NotSupportedError(f"arch {self.arch} has no streams")
        return CudaStream(self._handle, stream)

    def load_module(self, source: Source, names: Names | None = None) -> AotModule:
        """Load an AOT module. The same files again are the same native module.

        Parameters
        ----------
        source : path or bytes-like
            A folder, a ``.tcm`` archive, or the bytes of such an archive.
        names : mapping of str to sequence of str, optional
            Parameter names by kernel, for LLVM modules, which store none.

        Raises
        ------
        FileNotFoundError
            If the path does not exist.
        CorruptedDataError
            If it is not a module, or a damaged one. The files are checked before the library sees them.
        IncompatibleModuleError
            If it was compiled for another backend or by another version of Taichi, needs a capability that the device
            lacks, uses fields that are not in it, or has fields while another module of this runtime has.
        ValueError
            If the runtime is closed.
        """
        return AotModule(self, *load_module(self._handle, self._capabilities, source), names)

    def __repr__(self) -> str:
        return f"<{'closed ' if self.closed else ''}Runtime {self.arch}:{self.device_index}>"


MODULE_BLOCK = 8  # in LLVM bitcode


def _as_numbers(data: object, dtype: DTypeLike | None) -> npt.NDArray[Any]:
    """What `Runtime.asarray` copies: an array cast as numpy casts it, Python's numbers by the rule of arguments."""
    if dtype is None:
        return plain_array(np.asanyarray(data))
    data_type = to_data_type(dtype)
    if is_array(data) and not data.dtype.hasobject:
        return plain_array(data).astype(numpy_dtype(data_type), copy=False)
    return convert_array(data, data_type)


_shared_contexts: dict[Arch, Context] = {}  # of this process


def _context(arch: Arch) -> Context:
    """A new context; for CUDA the one of this process.

    A second CUDA runtime of the library aborts the process when it is destroyed, and creating one takes half a second.
    """
    if arch is not Arch.CUDA:
        return Context(arch)
    return _shared_contexts.get(arch) or _shared_contexts.setdefault(arch, Context(arch, shared=True))


def _create(context: Context, arch: Arch, device_index: int) -> None:
    if arch.is_llvm and not context.exists:
        _check_bitcode(os.path.join(os.environ.get("TI_LIB_DIR", ""), f"runtime_{arch}.bc"))
    check(lib.taichi_aot_context_create(context.c, int(arch), library_index(arch, device_index)))


def _check_bitcode(path: str) -> None:
    """Refuse bitcode that is cut or something else: the library reads it for each LLVM runtime, and would abort."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return  # the library reports that itself
    blocks: set[int] = set()
    end = 4  # after the magic; each block is a word with its kind, its length in words, and these
    while end + 8 <= len(data):
        blocks.add(data[end] >> 2 | (data[end + 1] & 3) << 6)
        end += 8 + 4 * int.from_bytes(data[end + 4 : end + 8], "little")
    if data[:4] != b"BC\xc0\xde" or end != len(data) or MODULE_BLOCK not in blocks:
        raise CorruptedDataError(
            f"{path} is damaged: it is not LLVM bitcode, or cut short; TI_LIB_DIR names its folder"
        )


def _allocator(arch: Arch) -> Allocator:
    if arch.is_cpu:
        return HostPool()
    return CudaPool() if arch is Arch.CUDA else GfxAllocator()


def check_device(arch: Arch, index: int) -> None:
    """Raise as `Runtime` does where this process can have no runtime on a device."""
    if gpu_drivers.lost and not arch.is_cpu:
        raise NotSupportedError(
            f"no runtime of arch {arch} in a process that was forked after one on a GPU was created: drivers do not "
            "survive that; start processes with multiprocessing's 'spawn', or fork first"
        )
    found = visible_devices(arch)
    if not found:
        raise NotSupportedError(f"this machine has no device for arch {arch}; devices() lists what there is")
    if not 0 <= operator.index(index) < len(found):
        raise ValueError(f"device_index {index} is out of range: arch {arch} has {len(found)} device(s) here")


def read_capabilities(c_runtime: taichi_aot_runtime_p) -> dict[Capability, int]:
    """What the library says that the device of a runtime (``taichi_aot_runtime *``) can do."""
    count = ffi.new("uint32_t *")
    check(lib.checked_ti_get_runtime_capabilities(c_runtime, count, ffi.NULL))
    levels = ffi.new("TiCapabilityLevelInfo[]", count[0])
    check(lib.checked_ti_get_runtime_capabilities(c_runtime, count, levels))
    known = set(Capability)
    return {Capability(info.capability): info.level for info in levels if info.capability in known}
