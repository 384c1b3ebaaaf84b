"""Runtime: a device and all its objects."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..backends._devices import (
    ArchLike,
    adopt_runtime,
    backend_of,
    check_device,
    choose_device,
    closed_runtime,
    context_for,
    create_context,
    open_runtime,
)
from ..driver._library import check_environment, lib, load
from ..handles._interchange import CudaStream, CudaStreamLike
from ..handles._registry import TiRuntime, address_in, find_runtime, runtime_handle
from ..handles._runtime import RuntimeHandle, process, seed_sequence
from ..values._errors import ArgumentOutOfRangeError, ArgumentTypeError, describe, short
from ..values._items import state_absent, table
from ..values._numbers import Arch, Capability, as_integer
from ._allocating import Allocating
from ._event import Event, Timer

if TYPE_CHECKING:
    import asyncio

    from ..backends._base import MemoryInfo
    from ..bundle._files import Source
    from ..handles._runtime import SeedLike
    from ..kernels._launch import Launch
    from ..kernels._module import AotModule, Names, Shapes
    from ..kernels._sequence import LaunchSequence


class Runtime(Allocating):
    """A runtime on one device: it allocates memory, loads modules and launches their kernels.

    A process may have any number of runtimes, and any thread may use each of them. The exception is OpenGL: only the
    thread that created such a runtime may use it. The runtimes of a CUDA device share one context, and those of the
    first device one ``TiRuntime`` of the library, until the process ends. Closing a runtime closes its modules and
    memory. Views of mapped memory stay valid as long as they are referenced.

    Parameters
    ----------
    arch : Arch, str or DeviceInfo, optional
        Backend, or one of `devices`, or text such as ``"vulkan:1"``. ``"cpu"`` is the arch of this machine's CPU.
        ``"gpu"`` is the best hardware GPU
        for CUDA or Vulkan, discrete first; Mesa's llvmpipe, which runs Vulkan on the CPU, is not a GPU. The default is
        that GPU, or the CPU if the machine has no GPU.
    device_index : int, default 0
        Index of the device among those of the backend, as `devices` lists them. On CUDA devices other than the first
        one, only kernels with PTX run, which need no library.
    seed : int, sequence of int or numpy.random.SeedSequence, optional
        Seed of ``ti.random``; see `seed`. The default is that of the first module with a seed, else the numbers of
        Taichi's JIT.

    Raises
    ------
    NotSupportedError
        If this machine does not have such a device, or a GPU is wanted and this process was forked from one that
        used a GPU. If `seed` is given on OpenGL.
    ValueError
        If the arch does not exist, the device index is out of range, or it is given without an arch or with an `arch`
        that already determines the device.
    LibraryNotFoundError
        If the C library is not found.
    CorruptedDataError
        If the library's runtime bitcode, which LLVM archs need, is damaged.
    OSError
        If the process has reached its limit of open files or threads.
    OutOfMemoryError
        If the process has too little address space left.

    Examples
    --------
    >>> with Runtime("x64") as runtime:
    ...     a = runtime.asarray([1.0, 2.0, 3.0], "f32")
    ...     b = runtime.zeros(3, "f32")
    ...     runtime.load_module("saxpy.tcm").kernels["saxpy"](2.0, a, b)
    ...     print(b.to_numpy())
    [2. 4. 6.]
    """

    __slots__ = ("_capabilities", "_handle", "_is_borrowed")

    def __init__(self, arch: ArchLike | None = None, device_index: int = 0, *, seed: SeedLike | None = None) -> None:
        self._initialize_once("_handle")
        sequence = None if seed is None else seed_sequence(seed)
        device_index = as_integer(device_index, "device_index")
        check_environment()
        arch, device_index = choose_device(arch, device_index)
        check_device(arch, device_index)
        if sequence is not None:
            backend_of(arch).device.require_seeds()
        process.reap()
        context = context_for(arch, device_index)
        self._open(open_runtime(context, arch, lambda: create_context(context, arch, device_index)), False)
        if sequence is not None:
            self._handle.random.start(sequence)

    @classmethod
    def from_handle(cls, handle: TiRuntime, owned: bool = False) -> Runtime:
        """Wrap an existing ``TiRuntime``.

        All objects over one ``TiRuntime``, and `taichi_aot.capi`, are one runtime: they share memory and modules, and
        all calls take the same lock.

        Parameters
        ----------
        handle : TiRuntime
            A runtime of `taichi_aot.capi`, of another binding of the same C library (``capi.TiRuntime(address)``), or
            the `handle` of a `Runtime`.
        owned : bool, default False
            Whether closing this object destroys the ``TiRuntime``. Otherwise closing affects only this object: its
            memory and modules stay until they are closed or collected. When an owner in this package destroys the
            runtime, all objects over it are closed; an owner in another binding must keep it until they are closed.

        Raises
        ------
        TypeError
            If `handle` is not a `capi.TiRuntime`.
        ValueError
            If the handle is null or was destroyed, or `owned` is true and an object owns it already. A handle of
            something else, or of a runtime that another binding has destroyed, cannot be detected and may crash the
            process.
        NotSupportedError
            If `owned` is true for a CUDA runtime that another binding created: destroying it aborts the process.

        Examples
        --------
        >>> borrowed = Runtime.from_handle(rt.handle)
        >>> borrowed.handle == rt.handle
        True
        >>> borrowed.close()
        >>> rt.closed
        False
        """
        load()
        check_environment()
        address = address_in(TiRuntime, handle)
        known = find_runtime(handle, owned=bool(owned))
        if known is None:
            return cls._of(adopt_runtime(address, owned=bool(owned)))
        return cls._of(known, is_borrowed=not owned)

    @classmethod
    def _of(cls, handle: RuntimeHandle, *, is_borrowed: bool = False) -> Runtime:
        """Create a runtime from an open handle."""
        self = object.__new__(cls)
        self._open(handle, is_borrowed)
        return self

    def _open(self, handle: RuntimeHandle, is_borrowed: bool) -> None:
        self._capabilities = MappingProxyType(handle.backend.device.levels(handle))
        self._is_borrowed = is_borrowed
        self._handle = handle

    @property
    def arch(self) -> Arch:
        """The backend."""
        return self._handle.arch

    @property
    def device_index(self) -> int:
        """Index of the device in the backend's devices."""
        return self._handle.context.device_index

    @property
    def capabilities(self) -> Mapping[Capability, int]:
        """Levels of the device's capabilities, as reported by the library; empty on LLVM archs.

        A level is 1, or for `Capability.SPIRV_VERSION` the version as ``major << 16 | minor << 8``.
        """
        if not self.closed:
            self._handle.require_open()
            self._capabilities = MappingProxyType(self._handle.backend.device.levels(self._handle))
        return self._capabilities

    def set_capabilities(self, capabilities: Mapping[Capability, int]) -> None:
        """Replace the capabilities that the library assumes for the device (Vulkan and OpenGL).

        Loading a module that needs more than these raises IncompatibleModuleError. Modules that are already loaded are
        not affected. To add a capability, pass ``{**rt.capabilities, Capability.SPIRV_HAS_INT8: 1}``.

        Parameters
        ----------
        capabilities : mapping of Capability to int
            Levels, as in `capabilities`. Stating a feature that the device was created without is undefined behaviour
            in Vulkan.

        Raises
        ------
        NotSupportedError
            On LLVM archs, which have no capabilities. Also if the call would turn buffer addresses
            (``SPIRV_HAS_PHYSICAL_STORAGE_BUFFER``) on where memory was allocated without them, or the arch has none.
        TypeError
            If `capabilities` is not a mapping, or a level is not an integer.
        ValueError
            If a capability is unknown, a level does not have 32 bits, or the runtime is closed.

        Examples
        --------
        >>> vulkan = Runtime("vulkan")  # doctest: +SKIP
        >>> vulkan.set_capabilities({**vulkan.capabilities, Capability.SPIRV_VERSION: 0x10300})  # doctest: +SKIP
        """
        handle = self._handle
        handle.require_open()
        levels = capability_levels(capabilities)
        handle.backend.device.set_levels(handle, levels)

    @property
    def handle(self) -> TiRuntime:
        """The ``TiRuntime`` for `taichi_aot.capi` and other bindings, which must not destroy it.

        It is valid until the runtime is closed. All CUDA runtimes of a process have the same handle.

        Raises
        ------
        ValueError
            If the runtime is closed.

        Examples
        --------
        >>> from taichi_aot import capi
        >>> capi.wait(rt.handle)
        """
        return runtime_handle(self._handle)

    @property
    def closed(self) -> bool:
        return not self._handle.is_open

    def close(self) -> None:
        """Wait for the device, then release all modules, all memory and the runtime.

        Closing a closed runtime does nothing. If views of mapped device memory are still referenced, the ``TiRuntime``
        is destroyed when the last view is collected.
        """
        if self._is_borrowed:
            self._handle = closed_runtime(self._handle)
        else:
            self._handle.close()

    def seed(self, seed: SeedLike) -> None:
        """Start the random numbers of this runtime's kernels (``ti.random``) again, from a seed.

        Runtimes of one arch with the same seed draw the same numbers, on the CPU with any number of threads. Those of
        different seeds are independent. Launches that were made before are not affected.
        `numpy.random.SeedSequence.spawn` gives each process of a pool a seed.

        Parameters
        ----------
        seed : int, sequence of int or numpy.random.SeedSequence
            As for `numpy.random.default_rng`: not negative, and of any size.

        Raises
        ------
        TypeError
            If `seed` is something else.
        ValueError
            If it is negative, or the runtime is closed.
        NotSupportedError
            On OpenGL, where the C library draws the numbers.

        Examples
        --------
        >>> rt.seed(42)
        """
        sequence = seed_sequence(seed)
        self._handle.require_open()
        self._handle.backend.device.require_seeds()
        self._handle.random.start(sequence)

    def flush(self) -> None:
        """Submit the queued launches to the device without waiting. On CPU archs this does nothing.

        Raises
        ------
        ValueError
            If the runtime is closed.

        Examples
        --------
        >>> saxpy(2.0, x, y)
        >>> rt.flush()
        """
        handle = self._handle
        handle.check(lib.taichi_aot_flush(handle.require_open()))

    def wait(self, timeout: float | None = None) -> None:
        """Wait until all launches have finished that were made before the call.

        Other threads may launch meanwhile. Ctrl-C, or an exception of another signal handler, ends the wait within 100
        ms; the launches go on, and the runtime stays usable. On OpenGL the library itself waits: there the exception
        comes after the wait, and a timeout has no effect.

        Parameters
        ----------
        timeout : float, optional
            Seconds after which the wait ends with `WaitTimeoutError`, a TimeoutError; 0 only asks. The default is to
            wait as long as it takes.

        Raises
        ------
        TimeoutError
            If the launches have not finished in time.
        TypeError
            If `timeout` is not a number.
        ValueError
            If the runtime is closed, or `timeout` is negative or NaN.
        DeviceLostError
            If a kernel faulted on a CUDA device.

        Examples
        --------
        >>> saxpy(2.0, x, y)
        >>> rt.wait()
        """
        handle = self._handle
        handle.require_open()
        handle.wait(timeout)

    synchronize = wait  # CUDA's name for it

    def wait_async(self) -> asyncio.Future[None]:
        """Wait until all launches have finished, without blocking the event loop; for ``async`` functions.

        Each runtime has one waiting thread for any number of tasks. OpenGL runtimes do not support this, because only
        their own thread may use them.

        Returns
        -------
        asyncio.Future
            A future of the running event loop. Awaiting it raises the errors of `wait`; cancelling it does not stop the
            launches.

        Raises
        ------
        RuntimeError
            If no event loop runs in this thread.
        ValueError
            If the runtime is closed.

        Examples
        --------
        >>> import asyncio
        >>> async def main():
        ...     saxpy(2.0, x, y)
        ...     await rt.wait_async()
        >>> asyncio.run(main())
        """
        from ._waiting import submit

        self._handle.require_open()
        return submit(self._handle, self.wait, "wait()")

    def memory_info(self) -> MemoryInfo:
        """Return how much memory this runtime uses, and how much the device has.

        It does not wait for the device.

        ========= =============================================================================================
        arch      `free` and `total`
        ========= =============================================================================================
        CUDA      ``cuMemGetInfo``: free for all processes on the GPU
        Vulkan    The heaps on the device. `free` is the driver's estimate for this process, and None if the
                  device lacks ``VK_EXT_memory_budget``, as Mesa's llvmpipe does
        x64, ...  The machine's available memory, or less if a control group limits it; None except on Linux
        OpenGL    None
        ========= =============================================================================================

        `in_use` and `pooled` are of this runtime alone, with one exception: all CUDA runtimes of a process share their
        memory for arguments, so `pooled` of each contains all that no launch uses. They do not contain memory of other
        owners, memory that the library allocates itself (fields, code, buffers of its launches), and what recorded
        launches keep. So the device may have less free than the numbers of this process explain.

        Returns
        -------
        MemoryInfo
            A named tuple with the numbers of bytes `in_use`, `pooled`, `free` and `total`.

        Raises
        ------
        ValueError
            If the runtime is closed.
        DeviceLostError
            If a kernel faulted on a CUDA device.

        Examples
        --------
        >>> before = rt.memory_info().in_use
        >>> image = rt.zeros((256, 256), "f32")
        >>> rt.memory_info().in_use - before
        262144
        """
        info: MemoryInfo = self._handle.backend.memory.info(self._handle)
        return info

    def trim(self) -> int:
        """Wait for the device, and free the memory that the runtime keeps for reuse.

        Open arrays, images and launches keep theirs, so free those that you do not need first. On CPUs the pages of
        closed arrays go back to the system. On CUDA their memory goes back to the driver, as does memory for arguments
        that no launch of the process uses. On Vulkan and OpenGL the buffer for copies is freed. The library frees what
        its launches have used. Later allocations take new memory, so do not call this between them in a loop.

        Returns
        -------
        int
            The number of bytes, as `memory_info` counted them in `pooled`.

        Raises
        ------
        ValueError, DeviceLostError
            As for `wait`.

        Examples
        --------
        >>> rt.trim() >= 0
        True
        >>> rt.zeros((256, 256), "f32").close()
        >>> rt.memory_info().pooled == rt.trim()
        True
        >>> rt.memory_info().pooled
        0
        """
        freed: int = self._handle.backend.memory.trim(self._handle)
        return freed

    def record_event(self) -> Event:
        """Record an event after all launches and copies so far; on CUDA, after those on the current stream.

        The event has the device's time, which `Event.elapsed` compares with that of another event. Recording submits
        the queued launches. On OpenGL it waits for them.

        Returns
        -------
        Event

        Raises
        ------
        ValueError
            If the runtime is closed.
        NotSupportedError
            If the device's queue does not have a clock.
        DeviceLostError
            If a kernel faulted on a CUDA device.

        Examples
        --------
        >>> saxpy(2.0, x, y)
        >>> event = rt.record_event()
        >>> saxpy(2.0, x, y)  # may still run when `event.wait()` returns
        >>> event.wait()
        """
        return Event._record(self)

    def timer(self) -> Timer:
        """Return a context manager that measures the device's time of the launches and copies in it.

        On CUDA enter it within ``with rt.stream(...)``, so that both of its events are on that stream.

        Returns
        -------
        Timer

        Raises
        ------
        ValueError
            If the runtime is closed.

        Examples
        --------
        >>> with rt.timer() as timer:
        ...     saxpy(2.0, x, y)
        >>> timer.seconds < 1
        True
        """
        return Timer._make(self)

    def sequence(self, launches: Iterable[Launch]) -> LaunchSequence:
        """Create a sequence of launches that C repeats without the GIL.

        Parameters
        ----------
        launches : iterable of Launch
            Results of ``kernel.bind(...)`` and ``graph.bind(...)`` of this runtime, at least one.

        Returns
        -------
        LaunchSequence

        Raises
        ------
        TypeError
            If an item is not a `Launch`.
        ValueError
            If the iterable is empty, or a launch belongs to another runtime.

        Examples
        --------
        >>> loop = rt.sequence([saxpy.bind(1.0, x, y)])
        >>> loop(repeat=10)
        >>> print(y.to_numpy())
        [10. 20. 30.]
        """
        return _sequences()._make(self._handle, launches)

    def stream(self, stream: CudaStreamLike) -> CudaStream:
        """Return a context manager that orders this thread's launches and copies with a CUDA stream.

        Calls in the ``with`` statement run after the stream's earlier work and before its later work. Bound launches
        and sequences run on the stream itself once they bypass the library. The library launches on the default stream;
        events around each of these launches synchronize it with a non-blocking stream. Launches run one after the other
        on all streams, because all kernels share memory of the library. Other work on several non-blocking streams is
        not ordered.

        Parameters
        ----------
        stream : int or object
            A ``CUstream`` as an integer, or a stream of CuPy (``.ptr``), PyTorch (``.cuda_stream``), Numba
            (``.handle``), or any object with ``__cuda_stream__``.

        Raises
        ------
        NotSupportedError
            If this is not a CUDA runtime.
        TypeError
            If `stream` is not a CUDA stream.
        ValueError
            If the runtime is closed.

        Examples
        --------
        >>> import cupy  # doctest: +SKIP
        >>> stream = cupy.cuda.Stream(non_blocking=True)  # doctest: +SKIP
        >>> with rt.stream(stream):  # doctest: +SKIP
        ...     saxpy(2.0, x, y)
        """
        context: CudaStream = self._handle.backend.streams.use(self._handle, stream)
        return context

    @property
    def current_stream(self) -> int:
        """The CUDA stream (``CUstream``) with which this thread's launches are ordered; 0 is the default stream.

        It is the stream of this thread's innermost `stream` statement, else of ``capi.set_cuda_stream``.

        Raises
        ------
        NotSupportedError
            If this is not a CUDA runtime.
        ValueError
            If the runtime is closed.

        Examples
        --------
        >>> with rt.stream(stream):  # doctest: +SKIP
        ...     rt.current_stream == stream.ptr
        True
        """
        self._handle.require_open()
        stream: int = self._handle.backend.streams.current(self._handle)
        return stream

    def load_module(
        self,
        source: Source,
        names: Names | None = None,
        shapes: Shapes | None = None,
        *,
        reload: bool = False,
        contents: bool = True,
    ) -> AotModule:
        """Load an AOT module. Loading the same files again reuses the library's module.

        Parameters
        ----------
        source : path or bytes-like
            A folder, a ``.tcm`` archive, a bundle (``.tib``) that has a module for the runtime's arch, or the bytes of
            an archive or bundle; see `inspect`.
        names : mapping of str to sequence of str, optional
            Parameter names by kernel, for LLVM modules without a description, which do not store them.
        shapes : mapping of str to mapping, optional
            Shapes of arrays by kernel or graph and parameter. Launches check them; kernels do not, and access memory
            beyond the end of an array that is too small. A shape has a size for each dimension: a number, or a symbol
            that means the same number in all parameters of the kernel; see `Signature.with_shapes`. Use the parameter
            names from `names`, if given. A graph without shapes has those of the kernels that it dispatches. Shapes
            that the module states cannot be replaced.
        reload : bool, default False
            Whether the module follows its file during development, as described for `load`.
        contents : bool, default True
            Whether fields begin with what the module states of their contents, or with zeros.

        Raises
        ------
        FileNotFoundError
            If the path does not exist.
        TypeError
            If `source` is neither a path nor bytes-like, or `names` or `shapes` is of another type.
        CorruptedDataError
            If the source is damaged or is not a module. The files are checked before the library reads them.
        IncompatibleModuleError
            If the module was compiled for another backend or by another version of Taichi, needs a capability that the
            device lacks, or uses fields that it does not contain. Also if it has fields and another module of this
            runtime has fields too.
        NameNotFoundError
            If `names` contains a kernel, or `shapes` a kernel or graph, that the module does not have.
        ValueError
            If the runtime is closed, or `names` or `shapes` do not fit a kernel's parameters.
        NotSupportedError
            If the module has fields and `reload` is true.

        Examples
        --------
        >>> module = rt.load_module("saxpy.tcm", names={"saxpy": ["alpha", "x", "y"]})
        >>> module.kernels["saxpy"].signature.parameters[0].name
        'alpha'
        >>> names = {"saxpy": ["a", "x", "y"]}
        >>> module = rt.load_module("saxpy.tcm", names=names, shapes={"saxpy": {"x": "n", "y": "n"}})
        >>> module.kernels["saxpy"](2.0, rt.zeros(10), rt.zeros(50_000_000))
        Traceback (most recent call last):
        taichi_aot.InvalidArgumentError: saxpy(): x has n=10, y has n=50,000,000
        """
        if reload:
            from ..kernels._reloading import follow_file

            return follow_file(source, lambda path: self.load_module(path, names, shapes, contents=contents))
        # A process that loads nothing does not wait for them.
        from ..kernels._loading import load_module
        from ..kernels._module import AotModule

        return AotModule(self, load_module(self._handle, self.capabilities, source), names, shapes, contents=contents)

    def __repr__(self) -> str:
        return f"<{'closed ' if self.closed else ''}Runtime {self.arch}:{self.device_index}>"

    def _repr_html_(self) -> str:
        state = "closed" if self.closed else "open"
        return table(("arch", "device_index", "state"), [(self.arch, self.device_index, state)])


state_absent(
    Runtime,
    {
        **dict.fromkeys(["finish", "sync"], "write runtime.wait(), which waits for all launches"),
        **dict.fromkeys(["alloc", "malloc"], "write runtime.allocate(size), or runtime.empty(shape) for an array"),
        **dict.fromkeys(["array", "from_numpy", "tensor"], "write runtime.asarray(data, 'f32')"),
        **dict.fromkeys(["empty_like", "ndarray"], "write runtime.empty(shape, 'f32')"),
        **dict.fromkeys(["load", "load_aot_module"], "write runtime.load_module(source)"),
        **dict.fromkeys(["Event", "create_event", "event"], "write runtime.record_event()"),
        **dict.fromkeys(["Timer", "elapsed", "time"], "write `with runtime.timer() as timer: ...` and timer.seconds"),
        **dict.fromkeys(["benchmark", "profile", "profiler"], "write taichi_aot.benchmark(kernel.bind(...))"),
        "arange": "write runtime.asarray(np.arange(n), 'i32')",
        "launch": "call the kernel, as in module.saxpy(2.0, x, y)",
        "ones": "write runtime.full(shape, 1, 'f32')",
        "zeros_like": "write runtime.zeros(array.shape, array.dtype)",
    },
)


@cache
def _sequences() -> type[LaunchSequence]:
    """Import the class with the first sequence: programs without one start without it."""
    from ..kernels._sequence import LaunchSequence

    return LaunchSequence


def capability_levels(capabilities: Mapping[Capability, int]) -> dict[Capability, int]:
    """Return the levels as 32-bit integers; raise for invalid capabilities or levels."""

    if not isinstance(capabilities, Mapping):
        raise ArgumentTypeError(f"capabilities must be a mapping of Capability to levels, not {describe(capabilities)}")
    levels = {Capability(capability): operator.index(level) for capability, level in capabilities.items()}
    for capability, level in levels.items():
        if not 0 <= level < 1 << 32:
            raise ArgumentOutOfRangeError(f"the level of {capability.name} is out of range: {short(level)}")
    return levels
