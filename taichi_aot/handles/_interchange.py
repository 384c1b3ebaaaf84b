"""Memory shared with other libraries, in both directions: DLPack, and the array interfaces of numpy and CUDA.

Other libraries' CUDA streams, which order launches and copies.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, SupportsIndex, TypeAlias, cast

import numpy as np

from ..driver._library import Status, address_of, ffi, lib, log_failure, object_pointer
from ..values._errors import (
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    InvalidBufferError,
    ObjectStateError,
    OutOfMemoryError,
    TaichiError,
    describe,
    is_array,
    short,
)
from ..values._numbers import DataType, as_integer, numpy_dtype, plain_array, tensor_trouble, to_data_type
from ._memory import CPU, CUDA, CUDA_HOST, CUDA_MANAGED, DEFAULT_STREAM, TYPE_CODES, MemoryHandle, Request, allocate
from ._runtime import RuntimeHandle

if TYPE_CHECKING:
    from typing_extensions import Buffer, CapsuleType

    from .._cdata import Pointer

    class SupportsDLPack(Protocol):
        """An array of another library."""

        def __dlpack__(self) -> CapsuleType: ...
        def __dlpack_device__(self) -> tuple[int, int]: ...

    class SupportsArrayInterface(Protocol):
        """An array in memory of the host."""

        @property
        def __array_interface__(self) -> dict[str, Any]: ...

    class SupportsCudaArrayInterface(Protocol):
        """An array in memory of a CUDA device."""

        @property
        def __cuda_array_interface__(self) -> dict[str, Any]: ...

    class SupportsCudaStream(Protocol):
        """A stream of a library that follows NVIDIA's protocol: version and address."""

        def __cuda_stream__(self) -> tuple[int, int]: ...

    class CupyStream(Protocol):
        """A stream of CuPy."""

        @property
        def ptr(self) -> int: ...

    class TorchStream(Protocol):
        """A stream of PyTorch."""

        @property
        def cuda_stream(self) -> int: ...

    class NumbaStream(Protocol):
        """A stream of Numba, with a ctypes object as its handle."""

        @property
        def handle(self) -> Any: ...


DEVICE_NAMES = {CPU: "the host", CUDA: "a CUDA device", CUDA_HOST: "the host", CUDA_MANAGED: "a CUDA device"}
READ_ONLY, IS_COPY = 1, 2  # flags of a versioned capsule

TYPE_NAMES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}  # of codes, for messages

MAX_NDIM = 64  # of imported arrays, as in numpy
LARGEST_ADDRESS = 1 << 57


SharedLike: TypeAlias = "Buffer | SupportsDLPack | SupportsArrayInterface | SupportsCudaArrayInterface"


class Shared(NamedTuple):
    """Memory of another library: contiguous, and kept alive by its owner object."""

    owner: Any
    address: int
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    device_type: int
    device_id: int | None = 0  # None: not stated
    stream: int | None = None  # CUDA stream to wait for
    readonly: bool = False  # as its owner says

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize


def as_pair(value: Any, what: str) -> tuple[int, int]:
    """Return two integers of DLPack: a device's type and number, or a version's major and minor number."""
    try:
        first, second = map(operator.index, value)
    except (TypeError, ValueError):
        raise ArgumentTypeError(f"{what} must be two integers, not {describe(value)}") from None
    return first, second


def dlpack_capsule(
    owner: Any,
    address: int,
    shape: tuple[int, ...],
    data_type: DataType,
    device: tuple[int, int],
    *,
    max_version: tuple[int, int] | None,
    flags: int = 0,
) -> CapsuleType:
    """Return a DLPack capsule in C order that keeps `owner` alive, versioned if the consumer supports that."""
    dtype = numpy_dtype(data_type)
    sizes = ffi.new("int64_t[]", shape)
    tensor = ffi.new("taichi_aot_dlpack_tensor *")
    tensor.data, tensor.shape, tensor.ndim = ffi.cast("void *", address), sizes, len(shape)
    tensor.device_type, tensor.device_id = device
    tensor.code, tensor.bits, tensor.lanes = TYPE_CODES[dtype.kind], 8 * dtype.itemsize, 1
    versioned = max_version is not None and max_version[0] >= 1
    result: list[CapsuleType] = []  # C has no other way to return a Python object through cffi
    if lib.taichi_aot_dlpack_export(tensor, versioned, flags, object_pointer(owner), object_pointer(result)) != 0:
        raise OutOfMemoryError("no memory for a DLPack capsule")
    return result[0]


def import_shared(runtime: RuntimeHandle, shared: Shared) -> MemoryHandle:
    """Return memory of another owner, and keep the owner alive; allocate memory for an empty array."""
    if not shared.nbytes:  # its address may be NULL
        return allocate(runtime, Request(shared.dtype.itemsize))
    memory: MemoryHandle = runtime.backend.memory.import_memory(runtime, shared)
    return memory


def shared_bytes(source: Any, device: tuple[int, int], *, readonly: bool) -> Shared:
    """Return the bytes of an object that shares contiguous memory of that device, writable unless `readonly`."""
    if hasattr(source, "__cuda_array_interface__"):
        shared = _from_cuda(source, device)
    elif is_array(source):  # a subclass may override its buffer
        shared = _from_numpy(source)
    else:
        try:
            view = memoryview(source)
        except (TypeError, ValueError):  # not a buffer, or of a dtype that buffers cannot express
            return shared_array(source, device, readonly=readonly, any_dtype=True)
        shared = _from_buffer(view)
    return _permitted(_on_device(shared, device), readonly)


def shared_array(source: Any, device: tuple[int, int], *, readonly: bool, any_dtype: bool = False) -> Shared:
    """Return the array of an object that shares contiguous memory of that device, writable unless `readonly`.

    TypeError if it does not share an array, or Taichi does not have its dtype (unless `any_dtype`), BufferError if it
    is not contiguous, or is read-only and `readonly` is False, ValueError if it is on another device.
    """
    if isinstance(source, type):
        raise ArgumentTypeError(f"the class {source.__qualname__} is not an array")
    trouble = tensor_trouble(source)
    if trouble:
        raise InvalidBufferError(trouble)
    if hasattr(source, "__cuda_array_interface__"):
        shared = _from_cuda(source, device)
    elif is_array(source):  # numpy shares read-only arrays through DLPack only from version 2.1 on
        shared = _from_numpy(source)
    elif hasattr(source, "__dlpack__") and not any_dtype:
        shared = _from_dlpack(source, device)
    elif hasattr(source, "__array_interface__"):
        shared = _from_numpy(np.asarray(source))
    elif hasattr(source, "__dlpack__"):
        shared = _from_dlpack(source, device)
    else:
        try:
            shared = _from_numpy(np.asarray(memoryview(source)))
        except TypeError:
            kind = type(source).__qualname__
            hint = "; pass its .to_numpy(), which is a copy" if hasattr(source, "to_numpy") else ""
            raise ArgumentTypeError(
                f"{kind} does not share memory: it has no buffer, __dlpack__ or array interface{hint}"
            ) from None
    if not any_dtype:
        to_data_type(shared.dtype)
    return _permitted(_on_device(shared, device), readonly)


def _permitted(shared: Shared, readonly: bool) -> Shared:
    if shared.readonly and not readonly:
        raise InvalidBufferError(
            "it is read-only, and kernels may write to it; readonly=True imports it for kernels that only read it"
        )
    return shared


def _on_device(shared: Shared, device: tuple[int, int]) -> Shared:
    same = {CUDA_HOST: CPU, CUDA_MANAGED: CUDA}.get(shared.device_type, shared.device_type)
    if same != device[0] or shared.device_id not in (None, device[1]):
        found = DEVICE_NAMES.get(shared.device_type, f"a device of DLPack's type {shared.device_type}")
        numbers = [f" {number}" if number or device[1] else "" for number in (shared.device_id, device[1])]
        own = DEVICE_NAMES[device[0]]
        raise InvalidArgumentError(f"it is on {found}{numbers[0]}, and this runtime is on {own}{numbers[1]}")
    return shared


def _require_contiguous(contiguous: bool, shape: Sequence[int], strides: Sequence[int], unit: str = "bytes") -> None:
    if not contiguous:
        raise InvalidBufferError(
            f"it is not C-contiguous: its shape is {short(tuple(shape))}, and its strides are {short(tuple(strides))} "
            f"{unit}; pass a copy, which kernels then write to: x = np.ascontiguousarray(x), or x = x.contiguous() "
            "with PyTorch"
        )


def _from_buffer(view: memoryview) -> Shared:
    _require_contiguous(view.c_contiguous, view.shape or (), view.strides or ())
    if "O" in view.format:
        raise ArgumentTypeError("it contains Python objects, not numbers")
    # The array keeps the view alive, so the buffer cannot be resized. Unlike cffi, it does not export the view in
    # turn: the garbage collector crashes when it clears an exported view.
    data = np.asarray(view.cast("B")) if view.nbytes else np.empty(0, np.uint8)
    return Shared(data, data.ctypes.data, data.shape, data.dtype, CPU, readonly=view.readonly)


def _from_numpy(source: object) -> Shared:
    array = plain_array(source)
    if array.dtype.hasobject:
        raise ArgumentTypeError("it contains Python objects, not numbers")
    _require_contiguous(array.flags.c_contiguous, array.shape, array.strides)
    owner = array, source  # the base of a view may be the base of `source`
    address, readonly = array.ctypes.data, not array.flags.writeable
    return _bounded(Shared(owner, address, array.shape, array.dtype, CPU, readonly=readonly))


def _from_cuda(source: Any, device: tuple[int, int]) -> Shared:
    """Read the interface, or DLPack where that orders the work of the other library and the interface does not.

    PyTorch and JAX name no stream in the interface. JAX says only there that its arrays are read-only.
    """
    shared = _from_cuda_interface(source)
    if shared.stream is not None or not hasattr(source, "__dlpack__"):
        return shared
    return _from_dlpack(source, device)._replace(readonly=shared.readonly)


def _from_cuda_interface(source: Any) -> Shared:
    """Read version 2 or 3 of the interface, which CuPy, Numba, PyTorch and others have."""
    interface = source.__cuda_array_interface__
    try:
        address, read_only = interface["data"]
        shape = tuple(map(operator.index, interface["shape"]))
        dtype = np.dtype(interface["typestr"])
        strides = interface.get("strides")
        steps = None if strides is None else tuple(map(operator.index, strides))
        stream = interface.get("stream")
        address, stream = operator.index(address or 0), None if stream is None else operator.index(stream)
    except (AttributeError, KeyError, TypeError, ValueError) as reason:
        raise ArgumentTypeError(f"its __cuda_array_interface__ is not of version 2 or 3: {reason!r}") from None
    if dtype.hasobject or not dtype.itemsize:
        raise ArgumentTypeError(f"its __cuda_array_interface__ is of dtype {dtype}, which is not a type of numbers")
    if steps is not None and (len(steps) != len(shape) or any(step % dtype.itemsize for step in steps)):
        raise InvalidArgumentError("the strides in its __cuda_array_interface__ do not fit its shape and dtype")
    if steps is not None:
        _require_contiguous(_in_c_order(shape, [step // dtype.itemsize for step in steps]), shape, steps)
    if interface.get("mask") is not None:
        raise InvalidBufferError("it has a mask")
    return _bounded(Shared(source, address, shape, dtype, CUDA, None, stream=stream, readonly=bool(read_only)))


def _from_dlpack(source: Any, device: tuple[int, int]) -> Shared:
    if not hasattr(source, "__dlpack_device__"):
        raise ArgumentTypeError(f"{type(source).__qualname__} has __dlpack__ but not __dlpack_device__")
    kind, number = as_pair(_asked(source, source.__dlpack_device__), "what __dlpack_device__() returns")
    shared = Shared(None, 0, (), np.dtype(np.uint8), kind, number)
    _on_device(shared, device)
    if hasattr(source, "untyped_storage"):  # PyTorch, whose capsules keep a tensor, and not the storage that it has now
        source = _asked(source, source.detach)
    stream = {"stream": DEFAULT_STREAM} if shared.device_type in (CUDA, CUDA_MANAGED) else {}
    try:
        capsule = source.__dlpack__(max_version=(1, 0), **stream)
    except Exception:  # most likely a producer from before version 1
        capsule = _asked(source, source.__dlpack__, **stream)
    consumed = _Consumed(capsule)
    tensor = consumed.tensor
    if not 0 <= tensor.ndim <= MAX_NDIM:
        raise InvalidBufferError(f"its DLPack tensor has {tensor.ndim} dimensions")
    if tensor.ndim and not tensor.shape:
        raise InvalidBufferError("its DLPack tensor has no shape")
    shape = tuple(tensor.shape[0 : tensor.ndim])
    if tensor.strides:
        strides = tuple(tensor.strides[0 : tensor.ndim])
        _require_contiguous(_in_c_order(shape, strides), shape, strides, "elements")
    # A capsule before version 1 cannot say that it is read-only. The object's buffer can, and JAX's does.
    readonly = bool(consumed.flags & READ_ONLY) if consumed.is_versioned else _has_readonly_buffer(source)
    address = address_of(tensor.data) + tensor.byte_offset if tensor.data else 0
    dtype = _dlpack_dtype(tensor)
    return _bounded(shared._replace(owner=consumed, address=address, shape=shape, dtype=dtype, readonly=readonly))


def _asked(source: Any, method: Callable[..., Any], **options: Any) -> Any:
    """Call a method of another library, and convert its exceptions to this package's."""
    try:
        return method(**options)
    except (MemoryError, TaichiError):
        raise
    except Exception as reason:
        raise InvalidBufferError(f"{type(source).__qualname__} does not share its memory: {reason}") from reason


def _has_readonly_buffer(source: Any) -> bool:
    try:
        with memoryview(source) as view:
            return view.readonly
    except (BufferError, TypeError, ValueError):
        return False


def _bounded(shared: Shared) -> Shared:
    """Check another library's statements about its memory, and return them."""
    if any(size < 0 for size in shared.shape):
        raise InvalidBufferError(f"it claims to have the impossible shape {shared.shape}")
    if shared.nbytes and (shared.address <= 0 or shared.address + shared.nbytes > LARGEST_ADDRESS):
        raise InvalidBufferError(
            f"it claims to have {shared.nbytes} bytes at the impossible address {shared.address:#x}"
        )
    return shared


def _dlpack_dtype(tensor: Any) -> np.dtype[Any]:
    kinds = {code: kind for kind, code in TYPE_CODES.items()}
    try:
        if tensor.lanes == 1 and tensor.bits % 8 == 0:
            return np.dtype(f"{kinds[tensor.code]}{tensor.bits // 8}")
    except (KeyError, TypeError):
        pass
    name = TYPE_NAMES.get(tensor.code, f"DLPack's code {tensor.code}")
    raise ArgumentTypeError(
        f"Taichi has no type for {name} of {tensor.bits} bits and {tensor.lanes} lane{'s' * (tensor.lanes != 1)}; "
        "cast the array with its own library"
    )


class _Consumed:
    """The contents of a capsule, which are returned to its producer when this is collected."""

    def __init__(self, capsule: Any) -> None:
        # Notes what is consumed, and releases it when collected.
        self._c = ffi.gc(ffi.new("taichi_aot_dlpack_consumed *"), lib.taichi_aot_dlpack_release)
        lib.taichi_aot_dlpack_consume(object_pointer(capsule), self._c)
        versioned = self._c.versioned
        managed = versioned or self._c.managed
        if not managed:
            raise ArgumentTypeError("__dlpack__() did not return an unconsumed capsule")
        if versioned and versioned.major > 1:
            raise InvalidBufferError(f"its DLPack version {versioned.major} is not supported")
        self.tensor = managed.tensor
        self.is_versioned = bool(versioned)
        self.flags = versioned.flags if versioned else 0


def _in_c_order(shape: tuple[int, ...], strides: Any) -> bool:
    """Return whether strides, in elements, have no gaps, ignoring dimensions of size 1."""
    step = 1
    for size, stride in zip(reversed(shape), reversed(list(strides)), strict=True):
        if size > 1 and stride != step and 0 not in shape:
            return False
        step *= size
    return True


# Other libraries' CUDA streams, which order launches and copies.


CudaStreamLike: TypeAlias = "SupportsIndex | SupportsCudaStream | CupyStream | TorchStream | NumbaStream"


class CudaStream:
    """Context manager that uses a stream for the thread that enters it."""

    __slots__ = ("_c", "_runtime", "_stream")

    def __init__(self, runtime: RuntimeHandle, stream: CudaStreamLike) -> None:
        self._runtime = runtime
        self._stream = stream  # kept alive
        self._c = ffi.new("taichi_aot_stream *")
        self._c.handle = stream_pointer(_address(stream))

    def __enter__(self) -> CudaStream:
        runtime = self._runtime
        if self in _entered:
            raise ObjectStateError("this stream context is already in use; create another one")
        _entered.add(self)
        try:
            runtime.check(lib.taichi_aot_cuda_enter_stream(runtime.require_open(), self._c))
        except (
            BaseException
        ):  # perhaps behind the call, which has been made: the thread must not keep what is freed now
            self._leave()
            _entered.discard(self)
            raise
        return self

    def __exit__(self, *exc_info: object) -> None:
        status = self._leave()
        if status == Status.WRONG_THREAD:
            raise ObjectStateError("streams must be left on the thread that entered them, in reverse order")
        _entered.discard(self)
        log_failure(status, "leaving a CUDA stream")

    def _leave(self) -> int:
        status = lib.taichi_aot_cuda_leave_stream(self._runtime.c, self._c)
        if self._c.is_kept:
            _kept.append(self._stream)
        return status


_entered: set[CudaStream] = set()  # keeps a stream alive while a thread uses it, even if it is never left
_kept: list[CudaStreamLike] = []  # streams that the library could not be made to drop


def _address(stream: Any) -> int:
    """Return the ``CUstream`` of an integer or of another library's object."""
    try:
        protocol = getattr(stream, "__cuda_stream__", None)
        if protocol is not None:
            return int(cast("tuple[object, int]", protocol() if callable(protocol) else protocol)[1])
        for name in ("ptr", "cuda_stream", "handle"):
            value = getattr(stream, name, None)
            if value is not None:
                return int(getattr(value, "value", value) or 0)
        return operator.index(stream)
    except (LookupError, OverflowError, TypeError, ValueError):
        raise ArgumentTypeError(f"expected a CUDA stream, got {describe(stream)}") from None


def stream_pointer(address: int) -> Pointer[Any]:
    """Return a ``CUstream`` of this address, which another library or the caller states."""
    address = as_integer(address, "stream")
    if not 0 <= address < 1 << 64:
        raise ArgumentOutOfRangeError(f"stream {short(address)} is not the address of a CUDA stream")
    return ffi.cast("void *", address)
