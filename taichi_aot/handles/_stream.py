"""Other libraries' CUDA streams, which order launches and copies."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeAlias, cast

from ..driver._library import Status, ffi, lib, log_failure
from ..values._convert import as_integer
from ..values._errors import ArgumentOutOfRangeError, ArgumentTypeError, ObjectStateError, describe, short
from ._runtime import RuntimeHandle

if TYPE_CHECKING:
    from .._cdata import Pointer

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
