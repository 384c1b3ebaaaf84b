"""Launch: a kernel or compute graph with its arguments, checked and packed once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._ffi.library import lib
from ._launch.compiler import Packer
from .enums import DataType
from .ndarray import NdArray
from .signature import Signature

__all__ = ["Launch"]

launch_now = lib.taichi_aot_launch_now


class Launch:
    """A launch that is ready to go. Made by ``kernel.bind(...)`` and ``graph.bind(...)``; call it to launch.

    It keeps the arrays among its arguments alive. Closing one of them makes the launch raise.
    """

    __slots__ = ("__weakref__", "_arguments", "_block", "_lock", "_native", "_packer", "_setters")

    def __init__(self, packer: Packer, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        self._packer = packer
        self._block = packer.block()
        self._native = self._block.launch
        self._setters: dict[tuple[str, ...], Callable[..., None]] = {}
        self._arguments: dict[str, Any] = {}
        self._lock = threading.RLock()  # one update at a time: what the block points to is what is kept alive
        self._set(packer.arguments(*args, **kwargs))
        packer.warn()

    @property
    def signature(self) -> Signature:
        """What the kernel or graph takes."""
        return self._packer.signature

    def __call__(self) -> None:
        """Launch.

        Raises
        ------
        ValueError
            If an array, the module or the runtime is closed.
        BufferError
            If an array is mapped, on archs that map a copy.
        TaichiError
            If the library reports an error.
        """
        code = launch_now(self._native)
        if code:
            raise self._refuse(code)

    def update(self, **arguments: Any) -> None:
        """Replace the arguments of these names, checked as in a call; all or, where one does not fit, none.

        Raises
        ------
        TypeError, ValueError, OverflowError
            As for a call of the kernel.
        """
        if not arguments.keys() <= self._arguments.keys():
            unknown = next(name for name in arguments if name not in self._arguments)
            names = ", ".join(map(repr, self._arguments)) or "none"
            raise TypeError(f"{self.signature.name}() has no parameter {unknown!r}; it has {names}")
        self._set(arguments)

    def _set(self, arguments: Mapping[str, Any]) -> None:
        names = tuple(arguments)
        setter = self._setters.get(names)
        if setter is None:
            setter = self._setters[names] = self._packer.setter(names)
        closed = [value for value in arguments.values() if isinstance(value, NdArray) and value.closed]
        if closed or self._packer.module.closed:
            setter(self._packer.block(), **arguments)  # a wrong kind is reported first
            every = {**self._arguments, **arguments}
            raise self._packer.closed_error([every[name] for name in self._packer.names])
        with self._lock:
            setter(self._block, **arguments)
            self._arguments.update(arguments)

    def _refuse(self, code: int) -> Exception:
        return self._packer.refuse(code)

    def _ramp_value(self, name: str) -> tuple[Any, DataType] | None:
        """Where a scalar of that name stands in the argument block, and its type; None if it has none."""
        for i, parameter in enumerate(self.signature.parameters):
            if self._packer.names[i] == name and parameter.kind == "scalar" and parameter.dtype is not None:
                return self._block.values[i], parameter.dtype
        return None

    def __reduce__(self) -> str:
        raise TypeError("cannot pickle or copy a Launch: it belongs to a native module of this process")

    def __repr__(self) -> str:
        return f"<Launch of {self.signature}>"
