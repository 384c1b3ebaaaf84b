"""Kernels and compute graphs: what can be launched."""

from __future__ import annotations

from typing import Any

from .arguments import Packer
from .handles import ModuleHandle
from .signature import Signature

__all__ = ["ComputeGraph", "Kernel"]


class _Launchable:
    """What kernels and graphs share. It keeps its module alive."""

    __slots__ = ("__weakref__", "_call", "_module", "_signature")
    _is_graph: bool

    def __init__(self, signature: Signature, module: ModuleHandle, native: Any) -> None:
        self._signature = signature
        self._module = module
        self._call = Packer(signature, module, native, named=self._is_graph).compile()

    @property
    def name(self) -> str:
        """Its name in the module."""
        return self._signature.name

    @property
    def signature(self) -> Signature:
        """What it takes, as the module states it."""
        return self._signature

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Launch with these arguments, by position or by name.

        CPU archs have run it when this returns; the others have queued it, and `Runtime.wait` waits for it. The
        arguments may be overwritten or dropped once this returns.

        Raises
        ------
        TypeError
            For a wrong count, name, kind, dtype, number of dimensions or element shape.
        OverflowError
            For an integer that does not fit its dtype.
        ValueError
            If an array, the module or the runtime is closed, or an array belongs to another runtime.
        TaichiError
            If the library reports an error.
        """
        self._call(*args, **kwargs)

    def __reduce__(self) -> str:
        raise TypeError(f"cannot pickle or copy a {type(self).__name__}: it belongs to a native module of this process")

    def __repr__(self) -> str:
        state = "closed " if self._module.pointer is None else ""
        return f"<{state}{type(self).__name__} {self._signature}>"


class Kernel(_Launchable):
    """A kernel of a module, from `AotModule.kernels`. Call it to launch it."""

    __slots__ = ()
    _is_graph = False


class ComputeGraph(_Launchable):
    """A compute graph of a module, from `AotModule.graphs`. Call it to launch its kernels in order."""

    __slots__ = ()
    _is_graph = True
