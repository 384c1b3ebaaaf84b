"""Kernels and compute graphs: what can be launched."""

from __future__ import annotations

from typing import Any, TypeVar

from ._handles.module import ModuleHandle
from ._launch.compiler import Packer
from .launch import Launch
from .signature import Signature

__all__ = ["ComputeGraph", "Kernel"]

Self = TypeVar("Self", bound="_Launchable")


class _Launchable:
    """What kernels and graphs share. It keeps its module alive."""

    __slots__ = ("__weakref__", "_call", "_packer")
    _is_graph: bool

    def __init__(self, signature: Signature, module: ModuleHandle, native: Any) -> None:
        self._packer = Packer(signature, module, native, named=self._is_graph)
        self._call = self._packer.call()

    @property
    def name(self) -> str:
        """Its name in the module."""
        return self._packer.signature.name

    @property
    def signature(self) -> Signature:
        """What it takes, as the module states it."""
        return self._packer.signature

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Launch with these arguments, by position or by name.

        CPU archs have run it when this returns; the others have queued it, and `Runtime.wait` waits for it. The
        arguments may be overwritten or dropped once this returns.

        Parameters
        ----------
        *args, **kwargs
            For a scalar a number: an integer for an integer type, any real number for a float. numpy scalars and 0-d
            arrays are numbers too. For a vector or matrix a numpy array or nested sequences of its shape. For an
            ndarray an `NdArray` of the same runtime.

        Raises
        ------
        TypeError
            For a wrong count, name, kind, dtype, number of dimensions or element shape.
        OverflowError
            For an integer that does not fit its dtype.
        ValueError
            For a matrix of another shape; if an array, the module or the runtime is closed; if an array belongs to
            another runtime.
        NotSupportedError
            For parameters that cannot be passed: textures, argument packs, and ndarrays of u1 in SPIR-V modules.
        TaichiError
            If the library reports an error.
        """
        self._call(*args, **kwargs)

    def bind(self, *args: Any, **kwargs: Any) -> Launch:
        """Check and pack the arguments once, for any number of launches.

        Parameters and errors are those of a call. What is passed by value (scalars, matrices) is fixed by this; an
        array is used with the contents it has at each launch.
        """
        return Launch(self._packer, args, kwargs)

    def __reduce__(self) -> str:
        raise TypeError(f"cannot pickle or copy a {type(self).__name__}: it belongs to a native module of this process")

    def __repr__(self) -> str:
        state = "closed " if self._packer.module.closed else ""
        return f"<{state}{type(self).__name__} {self.signature}>"


class Kernel(_Launchable):
    """A kernel of a module, from `AotModule.kernels`. Call it to launch it."""

    __slots__ = ()
    _is_graph = False

    def rename(self, *names: str) -> Kernel:
        """The same kernel with other parameter names, for modules that store none.

        Raises
        ------
        ValueError
            If there are not as many names as parameters, one is no identifier, or one comes twice.
        """
        packer = self._packer
        return Kernel(packer.signature.renamed(names), packer.module, packer.native)


class ComputeGraph(_Launchable):
    """A compute graph of a module, from `AotModule.graphs`. Call it to launch its kernels in order."""

    __slots__ = ()
    _is_graph = True
