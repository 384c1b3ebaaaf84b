"""Kinds of arrays: those of numpy, PyTorch, JAX and CuPy. A library is imported by its user, or because of `like=`."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, cast, get_args

import numpy as np

from ..arrays._ndarray import NdArray
from ..values._errors import ArgumentTypeError, InvalidArgumentError, NotSupportedError
from ..values._wording import describe, short

if TYPE_CHECKING:
    from types import ModuleType

    import numpy.typing as npt

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
