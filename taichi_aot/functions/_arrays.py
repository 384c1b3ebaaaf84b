"""Arrays of functions: the kinds of libraries, and copies to the device and back."""

from __future__ import annotations

import sys
import threading
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias, cast, get_args

import numpy as np

from ..arrays._layout import ArrayLayout, array_layout
from ..arrays._ndarray import NdArray
from ..handles._memory import CUDA, write_fresh
from ..runtime._runtime import Runtime
from ..values._errors import (
    ArgumentTypeError,
    InvalidArgumentError,
    InvalidBufferError,
    NotSupportedError,
    ObjectStateError,
    describe,
    is_array,
    is_masked,
    short,
)
from ..values._numbers import cast_array, cast_code, numpy_dtype, plain_array, tensor_trouble
from ..values._signature import Parameter, shape_rule

if TYPE_CHECKING:
    from types import ModuleType

    import numpy.typing as npt


# Kinds of arrays: those of numpy, PyTorch, JAX and CuPy. A library is imported by its user, or because of `like=`.


Like: TypeAlias = Literal["numpy", "torch", "jax", "cupy"]
ALIGNMENT = 64  # bytes; JAX copies what is aligned less


class Kind:
    """numpy; the other kinds are its subclasses."""

    name: ClassVar[Like] = "numpy"  # the library's name, which `like=` takes
    type_name: ClassVar[str] = "ndarray"  # the class of its arrays, in the library
    uses_host: ClassVar[bool] = True  # whether its arrays can be in memory of the host
    uses_device: ClassVar[bool] = False  # whether its arrays can be in memory of a CUDA device

    def library(self) -> ModuleType:
        """Import the library, which `like=` may name before any import."""
        known = sys.modules.get(self.name)
        if known is not None:
            return known
        try:
            return import_module(self.name)
        except ImportError as error:
            raise NotSupportedError(
                f"like={self.name!r} needs {self.name}, which cannot be imported: {error}"
            ) from error

    def check(self, value: Any, where: str) -> None:
        """Raise TypeError if JAX traces `value`, so that it has no numbers yet."""

    def dtype_of(self, value: Any) -> np.dtype[Any]:
        """Return the dtype of an array on a device."""
        dtype: np.dtype[Any] = np.dtype(value.dtype)
        return dtype

    def cast(self, value: Any, dtype: np.dtype[Any]) -> Any:
        """Return a copy of an array on a device with another dtype."""
        return value.astype(dtype)

    def shareable(self, value: Any) -> Any:
        """Return an array on a device in C order, as an object that `Runtime.from_dlpack` takes."""
        return value

    def new_host(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """Return an array of zeros that `from_host` can use without a copy."""
        return np.zeros(shape, dtype)

    def from_host(self, array: npt.NDArray[Any]) -> Any:
        """Return an array of this kind over a numpy array that has no other reference."""
        return array

    def from_device(self, array: NdArray) -> Any:
        """Return an array of this kind over CUDA memory that has no other reference."""
        return array.to_numpy()


class _OnDevice(Kind):
    """A kind whose arrays can be in memory of a CUDA device."""

    uses_device = True

    def module(self) -> ModuleType:
        """Import the library's module with functions of arrays."""
        return self.library()

    def from_device(self, array: NdArray) -> Any:
        return self.module().from_dlpack(array)


class _Torch(_OnDevice):
    name = "torch"
    type_name = "Tensor"

    def dtype_of(self, value: Any) -> np.dtype[Any]:
        return np.dtype(str(value.dtype).removeprefix("torch."))

    def cast(self, value: Any, dtype: np.dtype[Any]) -> Any:
        return value.to(getattr(self.library(), dtype.name))

    def shareable(self, value: Any) -> Any:
        return _ByDLPack(value.contiguous())

    def from_host(self, array: npt.NDArray[Any]) -> Any:
        return self.library().from_numpy(array)


class _Jax(_OnDevice):
    name = "jax"
    type_name = "Array"

    def check(self, value: Any, where: str) -> None:
        if isinstance(value, self.library().core.Tracer):
            raise ArgumentTypeError(
                f"{where}: it is traced by JAX and has no numbers yet: call a function of taichi_aot.interop.jax"
            )

    def shareable(self, value: Any) -> Any:
        return _ByDLPack(value)

    def new_host(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        nbytes = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        whole = np.zeros(nbytes + ALIGNMENT, np.uint8)
        begin = -whole.ctypes.data % ALIGNMENT
        return whole[begin : begin + nbytes].view(dtype).reshape(shape)

    def from_host(self, array: npt.NDArray[Any]) -> Any:
        return self.module().from_dlpack(array)

    def module(self) -> ModuleType:
        self.library()
        return import_module("jax.numpy")


class _Cupy(_OnDevice):
    name = "cupy"
    uses_host = False

    def shareable(self, value: Any) -> Any:
        return self.library().ascontiguousarray(value)


class _ByDLPack:
    """Offers an array by DLPack only: the CUDA array interface of PyTorch and JAX does not name the stream."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def __dlpack__(self, **options: Any) -> Any:
        return self._value.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._value.__dlpack_device__()


NUMPY = Kind()
_OTHERS: tuple[Kind, ...] = (_Torch(), _Jax(), _Cupy())
KINDS: dict[str, Kind] = {kind.name: kind for kind in (NUMPY, *_OTHERS)}


def kind_of(value: object) -> Kind | None:
    """Return the kind of another library's array; None for values of no library that is imported."""
    for kind in _OTHERS:
        library = sys.modules.get(kind.name)
        # A library that is being imported may lack its class.
        if library is not None and isinstance(value, getattr(library, kind.type_name, ())):
            return kind
    return None


def normal_like(like: object) -> Like | None:
    """Return the name of a kind; TypeError if it is not a str, ValueError if there is no such kind."""
    names = ", ".join(map(repr, get_args(Like)))
    if like is None:
        return None
    if not isinstance(like, str):
        raise ArgumentTypeError(f"like must be one of {names}, not {describe(like)}")
    if like in KINDS:
        return cast("Like", like)
    raise InvalidArgumentError(f"like must be one of {names}, not {short(like)}")


# Arrays for calls of functions: contents change with each call, memory is reused.


MOST_ARRAYS = 64  # kept for reuse
MOST_BYTES = 256 << 20  # of the kept arrays together
LARGE = 256 << 10  # bytes; from this size on, importing host memory is faster than copying it


def is_on_device(value: object) -> bool:
    """Return whether `value` is an `NdArray`, or shares memory of a CUDA device."""
    if value.__class__ is NdArray:
        return True
    if is_array(value):
        return False
    if hasattr(value, "__cuda_array_interface__"):
        return True
    device = getattr(value, "__dlpack_device__", None)
    try:
        return device is not None and device()[0] == CUDA
    except (BufferError, RuntimeError, ValueError):  # a tensor that DLPack has no device for, such as "meta"
        return False


def host_array(value: Any, where: str, parameter: Parameter) -> npt.NDArray[Any]:
    """Convert an argument on the host to an array of the parameter's dtype; `where` begins the messages."""
    assert parameter.dtype is not None
    dtype = numpy_dtype(parameter.dtype)
    if value.__class__ is np.ndarray and value.dtype == dtype:  # the usual case
        return cast("npt.NDArray[Any]", value)
    if is_masked(value):
        raise ArgumentTypeError(
            f"{where}: expected {parameter.type_name}, got {describe(value)}; array.filled() fills in what is masked"
        )
    array = plain_array(value, where) if is_array(value) else _converted(value, where, parameter)
    result = cast_array(array, parameter.dtype, where)
    if result is None:
        got = describe(array) if is_array(value) else f"{describe(value)} of {array.dtype}"
        raise unsafe(got, where, parameter)
    return result


def _converted(value: Any, where: str, parameter: Parameter) -> npt.NDArray[Any]:
    """Return numpy's array of a sequence, a number, or an array of another library."""
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            return np.from_dlpack(value)
        array = plain_array(value, where)
        if not array.ndim and array.dtype.kind in "OS" and not hasattr(value, "__float__"):
            got = f"got {describe(value)}; pass an array of numbers"
            raise ArgumentTypeError(f"{where}: expected {parameter.type_name}, {got}")
        return array
    except (BufferError, RuntimeError, TypeError) as error:
        if isinstance(error, (ArgumentTypeError, InvalidBufferError)) or not hasattr(value, "__dlpack__"):
            raise
        # Sparse, quantized and conjugated tensors, and those without memory: the library says what to write.
        raise ArgumentTypeError(f"{where}: expected {parameter.type_name}, got {describe(value)}; {error}") from error


def unsafe(got: str, where: str, parameter: Parameter) -> TypeError:
    """Return the exception for an array whose cast to the parameter's dtype may lose digits; `got` describes it."""
    assert parameter.dtype is not None
    cast = cast_code(got, parameter.name, str(numpy_dtype(parameter.dtype)))
    return ArgumentTypeError(f"{where}: expected {parameter.type_name}, got {got}; write {cast}, which may lose digits")


def layout_of(shape: tuple[int, ...], where: str, parameter: Parameter) -> ArrayLayout:
    """Return the layout of an argument whose numbers have this shape."""
    ndim = parameter.ndim
    if shape[ndim:] != parameter.elem_shape or len(shape) < ndim:
        got = f"an array of shape {short(shape)}; {shape_rule(parameter)}" if shape else "a number"
        raise ArgumentTypeError(f"{where}: expected {parameter.type_name}, got {got}")
    return array_layout(shape[:ndim], parameter.dtype, parameter.elem_shape)


class Held(NamedTuple):
    """An array of a call."""

    array: NdArray  # the argument of the kernel
    is_own: bool  # whether `Arrays.finish` may keep it for reuse after the call
    host: npt.NDArray[Any] | None = None  # the numpy array whose memory it shares, if that is a result
    leaves: bool = False  # whether the caller gets its memory on the device

    def result(self, kind: Kind) -> Any:
        """Return the contents as an array of that kind, without a copy if the kind can share this memory."""
        if self.leaves:
            return kind.from_device(self.array)
        if self.host is None:
            return kind.from_host(self.array.to_numpy())
        self.array.runtime.wait()  # raises the failure, as the copy does
        return kind.from_host(self.host)


class Arrays:
    """The arrays of one runtime for calls of functions; any thread may use it."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._free: list[NdArray] = []
        self._bytes = 0  # of the free arrays
        self._lock = threading.RLock()  # re-entrant: signal handlers may call functions
        self._handle = runtime._handle
        # Whether arrays of other libraries can have the memory of this device.
        self.on_cuda: bool = self._handle.backend.interchange.shares_cuda

    def on_device(self, value: Any, where: str, parameter: Parameter, kind: Kind | None) -> NdArray:
        """Return an argument on the device as an NdArray; it must not be written to.

        It is copied only if its dtype is another one or if it is not in C order.
        """
        if value.__class__ is NdArray:
            if value.closed:
                what = "the runtime of the array" if value.runtime.closed else "the array"
                raise ObjectStateError(f"{where}: {what} is closed")
            if value.runtime is not self._runtime:
                raise InvalidArgumentError(
                    f"{where}: {value!r} belongs to another runtime than the function, which launches on the one of "
                    "taichi_aot.default_runtime(); pass its to_numpy()"
                )
            return value
        if not self.on_cuda:
            arch = self._runtime.arch
            remedy = "pass a copy on the host, or create the function with arch='cuda'"
            raise InvalidArgumentError(f"{where}: it is on a CUDA device, and the function runs on {arch}: {remedy}")
        if kind is not None:
            value = _prepared(value, where, parameter, kind)
        return self._runtime.from_dlpack(value, parameter.elem_shape, readonly=True)

    def argument(self, source: NdArray | npt.NDArray[Any], layout: ArrayLayout, *, is_read: bool) -> Held:
        """Return an array with the contents of an argument, or the argument itself if the kernel only reads it."""
        if not is_read:
            return Held(self._copy(source, layout), True)
        if isinstance(source, NdArray):
            return Held(source, False)
        if self._imports_host(layout) and source.flags.c_contiguous and source.flags.aligned:
            return Held(self._runtime.from_dlpack(source, layout.elem_shape, readonly=True), False)
        return Held(self._copy(source, layout), True)

    def result(
        self,
        source: NdArray | npt.NDArray[Any] | None,
        layout: ArrayLayout,
        kind: Kind = NUMPY,
        *,
        leaves: bool = False,
    ) -> Held:
        """Return an array for a result, with the contents of an argument or with zeros.

        If it `leaves`, the caller gets its memory on the device.
        """
        if leaves or not self._imports_host(layout):
            return Held(self._copy(source, layout), not leaves, None, leaves)
        if source is None or kind is not NUMPY:
            host = kind.new_host(layout.numpy_shape, layout.dtype)
            if isinstance(source, NdArray):
                source.to_numpy(host)
            elif source is not None:
                host[...] = source
        elif isinstance(source, NdArray):
            host = source.to_numpy()
        else:
            host = np.array(source, order="C")
        return Held(self._runtime.from_dlpack(host, layout.elem_shape), False, host)

    def finish(self, held: Held) -> None:
        """Keep the array of a finished call for reuse, or drop it."""
        array, nbytes = held.array, held.array.nbytes
        if not held.is_own or nbytes > MOST_BYTES:
            return
        with self._lock:
            self._free.append(array)
            self._bytes += nbytes
            while len(self._free) > MOST_ARRAYS or self._bytes > MOST_BYTES:
                self._bytes -= self._free.pop(0).nbytes

    def _imports_host(self, layout: ArrayLayout) -> bool:
        return layout.nbytes >= LARGE and self._handle.backend.memory.may_import(self._handle)

    def _copy(self, source: NdArray | npt.NDArray[Any] | None, layout: ArrayLayout) -> NdArray:
        """Return an array of this runtime with the contents of another, or with zeros."""
        if isinstance(source, NdArray):
            array = self._take(source._layout)
            array.copy_from(source)
            return array
        array = self._take(layout)
        if source is not None:
            write_fresh(array._handle, source)
        elif layout.nbytes < LARGE:
            write_fresh(array._handle, np.zeros(layout.numpy_shape, layout.dtype))
        else:
            array.fill(0)
        return array

    def _take(self, layout: ArrayLayout) -> NdArray:
        """Return an unused array with arbitrary contents."""
        with self._lock:
            for i, array in enumerate(self._free):
                if array._layout is layout:
                    self._bytes -= layout.nbytes
                    return self._free.pop(i)
        return NdArray(self._runtime, layout.shape, layout.type.dtype, layout.elem_shape)


def _prepared(value: Any, where: str, parameter: Parameter, kind: Kind) -> Any:
    """Return another library's array on the device with the parameter's dtype, in C order."""
    trouble = tensor_trouble(value, parameter.name)
    if trouble:
        raise ArgumentTypeError(f"{where}: {trouble}")
    assert parameter.dtype is not None
    own, dtype = numpy_dtype(parameter.dtype), kind.dtype_of(value)
    if dtype != own:
        got = f"an array of {dtype} with shape {tuple(value.shape)} on a CUDA device"
        if not np.can_cast(dtype, own, "safe"):
            raise unsafe(got, where, parameter)
        value = kind.cast(value, own)
    return kind.shareable(value)
