"""Kernels and compute graphs: what can be launched."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ._handles.module import ModuleHandle
from ._handles.resource import Unique
from ._launch.block import LaunchTarget
from ._launch.compiler import Launcher
from .launch import Launch
from .signature import Signature

if TYPE_CHECKING:
    from ._cdata import Pointer

__all__ = ["ComputeGraph", "Kernel"]

Self = TypeVar("Self", bound="_Launchable")


class _Launchable(Unique):
    """What kernels and graphs share. It keeps its module alive."""

    __slots__ = ("_call", "_launcher")
    _call: Callable[..., None]
    _launcher: Launcher
    _is_graph: bool

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise TypeError(f"a {type(self).__name__} is made by the module that has it")

    @classmethod
    def _make(cls: type[Self], signature: Signature, module: ModuleHandle, ti_pointer: Pointer[Any]) -> Self:
        self = object.__new__(cls)
        self._launcher = Launcher(LaunchTarget(signature, module, ti_pointer, is_graph=cls._is_graph))
        self._call = self._launcher.call
        return self

    @property
    def name(self) -> str:
        """Its name in the module."""
        return self._launcher.target.signature.name

    @property
    def signature(self) -> Signature:
        """What it takes, as the module states it."""
        return self._launcher.target.signature

    def __call__(self, /, *args: Any, **kwargs: Any) -> None:
        """Launch with these arguments, by position or by name.

        CPU archs have run it when this returns; the others have queued it, and `Runtime.wait` waits for it. The
        arguments may be overwritten or dropped once this returns.

        Parameters
        ----------
        *args, **kwargs
            For a scalar a number: an integer for an integer type, any real number for a float. numpy scalars and 0-d
            arrays are numbers too. For a vector or matrix a numpy array or nested sequences of its shape; dimensions of
            size 1 do not count. For an ndarray an `NdArray` of the same runtime, dtype, number of dimensions and
            element shape, where dimensions of size 1 do not count either.

        Raises
        ------
        TypeError
            For a wrong count, name, kind, dtype, number of dimensions or element shape, and for masked arrays.
        OverflowError
            For an integer that does not fit its dtype.
        ValueError
            For a matrix of another shape; if an array, the module or the runtime is closed; if an array belongs to
            another runtime.
        BufferError
            If an array is mapped, on archs that map a copy.
        NotSupportedError
            For parameters that cannot be passed: textures, argument packs, and ndarrays of u1 in SPIR-V modules.
        TaichiError
            If the library reports an error.
        """
        self._call(*args, **kwargs)

    def bind(self, /, *args: Any, **kwargs: Any) -> Launch:
        """Check and pack the arguments once, for any number of launches.

        Parameters and errors are those of a call. Scalars and matrices are passed by value: the launch keeps those of
        now. An array is used with the contents that it has at each launch.
        """
        return Launch._make(self._launcher, args, kwargs)

    def __repr__(self) -> str:
        state = "closed " if self._launcher.target.module.closed else ""
        return f"<{state}{type(self).__name__} {self.signature}>"


class Kernel(_Launchable):
    """A kernel of a module, from `AotModule.kernels`. Call it to launch it."""

    __slots__ = ()
    _is_graph = False

    def rename(self, /, *names: str) -> Kernel:
        """The same kernel with other parameter names, for modules that store none.

        Raises
        ------
        ValueError
            If the number of names is not that of the parameters, or a name is not an identifier or occurs twice.
        """
        target = self._launcher.target
        return Kernel._make(target.signature.renamed(names), target.module, target.ti_pointer)


class ComputeGraph(_Launchable):
    """A compute graph of a module, from `AotModule.graphs`. Call it to launch its kernels in order."""

    __slots__ = ()
    _is_graph = True
