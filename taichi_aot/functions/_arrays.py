"""Arrays for calls of functions: contents change with each call, memory is reused."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays._layout import ArrayLayout, array_layout
from ..arrays._ndarray import NdArray
from ..backends._base import Backend
from ..backends._interchange import CUDA
from ..handles._copies import write_from
from ..runtime._runtime import Runtime
from ..values._convert import convert_array, plain_array
from ..values._dtypes import numpy_dtype
from ..values._errors import ArgumentTypeError, ObjectStateError
from ..values._signature import Parameter
from ..values._wording import describe, is_array, is_masked, short

__all__ = ["Arrays", "Held", "host_array", "is_on_device", "layout_of"]

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
    return device is not None and device()[0] == CUDA


def host_array(value: Any, where: str, parameter: Parameter) -> npt.NDArray[Any]:
    """Convert an argument on the host to an array of the parameter's dtype; `where` begins the messages.

    Raises
    ------
    TypeError
        If numpy's ``safe`` rule does not allow the cast, a Python number is of another kind, or the array is masked.
    OverflowError
        If a Python integer does not fit.
    ValueError
        If `value` is a ragged sequence.
    """
    assert parameter.dtype is not None
    if is_masked(value):
        raise ArgumentTypeError(
            f"{where}: expected {parameter.type_name}, got {describe(value)}; array.filled() fills in what is masked"
        )
    if not is_array(value) and hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        value = np.from_dlpack(value)
    array = plain_array(value, where)
    dtype = numpy_dtype(parameter.dtype)
    if array.dtype == dtype:
        return array
    if array.dtype.hasobject:
        return convert_array(array, parameter.dtype, where)
    if not np.can_cast(array.dtype, dtype, "safe"):
        cast = f"write {parameter.name}.astype({str(dtype)!r}), which may lose digits"
        raise ArgumentTypeError(f"{where}: expected {parameter.type_name}, got {describe(array)}; {cast}")
    return array.astype(dtype)


def layout_of(shape: tuple[int, ...], where: str, parameter: Parameter) -> ArrayLayout:
    """Return the layout of an argument whose numbers have this shape.

    Raises
    ------
    TypeError
        If the parameter has another number of dimensions or other elements.
    ValueError
        If the array would be too large.
    """
    ndim = parameter.ndim
    if shape[ndim:] != parameter.elem_shape or len(shape) < ndim:
        raise ArgumentTypeError(f"{where}: expected {parameter.type_name}, got an array of shape {short(shape)}")
    return array_layout(shape[:ndim], parameter.dtype, parameter.elem_shape)


class Held(NamedTuple):
    """An array of a call.

    Attributes
    ----------
    array : NdArray
        The argument of the kernel.
    is_own : bool
        Whether `Arrays.finish` may keep it for reuse after the call.
    host : ndarray or None
        The numpy array whose memory it shares, if that is a result.
    """

    array: NdArray
    is_own: bool
    host: npt.NDArray[Any] | None = None


class Arrays:
    """The arrays of one runtime for calls of functions; any thread may use it.

    Parameters
    ----------
    runtime : Runtime
        The runtime of the arrays.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._free: list[NdArray] = []
        self._bytes = 0  # of the free arrays
        self._lock = threading.RLock()  # re-entrant: signal handlers may call functions
        self._backend: Backend = runtime._handle.backend

    def on_device(self, value: Any, where: str, parameter: Parameter) -> NdArray:
        """Return an argument on the device as an NdArray, without a copy; it must not be written to.

        Raises
        ------
        ValueError
            If the array or its runtime is closed.
        """
        if value.__class__ is NdArray:
            if value.closed:
                what = "the runtime of the array" if value.runtime.closed else "the array"
                raise ObjectStateError(f"{where}: {what} is closed")
            return value
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

    def result(self, source: NdArray | npt.NDArray[Any] | None, layout: ArrayLayout) -> Held:
        """Return an array for a result, with the contents of an argument or with zeros."""
        if not self._imports_host(layout):
            return Held(self._copy(source, layout), True)
        if source is None:
            host = np.zeros(layout.numpy_shape, layout.dtype)
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
        return layout.nbytes >= LARGE and self._backend.may_import()

    def _copy(self, source: NdArray | npt.NDArray[Any] | None, layout: ArrayLayout) -> NdArray:
        """Return an array of this runtime with the contents of another, or with zeros."""
        if isinstance(source, NdArray):
            array = self._take(source._layout)
            array.copy_from(source)
            return array
        array = self._take(layout)
        if source is not None:
            data = source if source.flags.c_contiguous else source.copy()
            write_from(array._handle, data, fresh=True)
        elif layout.nbytes < LARGE:
            write_from(array._handle, np.zeros(layout.numpy_shape, layout.dtype), fresh=True)
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
