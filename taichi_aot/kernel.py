"""Kernels and compute graphs."""

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
    from ._launch.arguments import ArgumentLike
    from .formats.returns import ReturnLayout

__all__ = ["ComputeGraph", "Kernel"]

Self = TypeVar("Self", bound="_KernelOrGraph")


class _KernelOrGraph(Unique):
    """Base of kernels and graphs; keeps the module alive."""

    __slots__ = ("_call", "_launcher")
    _call: Callable[..., Any]
    _launcher: Launcher
    _is_graph: bool

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise TypeError(f"a {type(self).__name__} is created by its module")

    @classmethod
    def _make(
        cls: type[Self],
        signature: Signature,
        module: ModuleHandle,
        ti_pointer: Pointer[Any],
        layout: ReturnLayout | None,
    ) -> Self:
        self = object.__new__(cls)
        self._launcher = Launcher(LaunchTarget(signature, module, ti_pointer, is_graph=cls._is_graph, layout=layout))
        self._call = self._launcher.call
        return self

    @property
    def name(self) -> str:
        """The name in the module."""
        return self._launcher.target.signature.name

    @property
    def signature(self) -> Signature:
        """The parameters and return values, as the module states them."""
        return self._launcher.target.signature

    def __call__(self, /, *args: ArgumentLike, **kwargs: ArgumentLike) -> Any:
        """Launch with these arguments, by position or by name.

        On CPU archs the launch has finished when the call returns; on the others it is queued, and `Runtime.wait` waits
        for it. The call of a kernel that returns a value waits itself. The arguments may be overwritten or dropped once
        the call returns.

        Parameters
        ----------
        *args, **kwargs
            For a scalar a number: an integer for an integer type, any real number for a float. numpy scalars and 0-d
            arrays count as numbers. For a vector or matrix a numpy array or nested sequences of its shape, ignoring
            dimensions of size 1. For an ndarray an `NdArray` of the same runtime, dtype, number of dimensions and
            element shape, also ignoring element dimensions of size 1. For a texture an `Image` of the same runtime and
            number of dimensions, or a `Texture` of one; for an ``rw_texture`` also of the same format.

        Returns
        -------
        object
            What the kernel returns: a numpy scalar for a scalar, an array of shape ``(n,)`` for a vector and ``(n, m)``
            for a matrix, a `numpy.record` for a struct, with its members as attributes and by name; a tuple of these
            for several values. dtypes are those of `Signature.returns`. None for kernels that do not return a value,
            and for graphs.

        Raises
        ------
        TypeError
            If the number of arguments, a name, kind, dtype, format, number of dimensions or element shape is wrong, or
            an argument is a masked array.
        OverflowError
            If an integer does not fit its dtype.
        ValueError
            If a matrix has another shape, or an array another than the signature states; if an array, an image, the
            module or the runtime is closed; if an array or image belongs to another runtime; if an image lacks the
            usage SAMPLED (texture) or STORAGE (rw_texture).
        BufferError
            If an array is mapped, on archs that map a copy.
        NotSupportedError
            If a parameter cannot be passed: a struct, argument pack or gradient, or in SPIR-V modules an
            ndarray or vector of u1.
        DeviceLostError
            If a kernel faulted on a CUDA device.
        TaichiError
            If the library reports another error.

        Examples
        --------
        >>> saxpy(2.0, x, y)
        >>> saxpy(a=2.0, x=x, y=y)
        >>> y.to_numpy()
        array([ 4.,  8., 12.], dtype=float32)
        >>> print(dot(x, y))
        56.0
        """
        return self._call(*args, **kwargs)

    def bind(self, /, *args: ArgumentLike, **kwargs: ArgumentLike) -> Launch:
        """Check and pack the arguments once, for any number of launches.

        Parameters and errors are those of a call. The launch keeps copies of scalars and matrices. An array is used
        with its contents at the time of each launch.

        Returns
        -------
        Launch

        Examples
        --------
        >>> step = saxpy.bind(2.0, x, y)
        >>> step()
        >>> y.to_numpy()
        array([2., 4., 6.], dtype=float32)
        """
        return Launch._make(self._launcher, args, kwargs)

    def __repr__(self) -> str:
        state = "closed " if self._launcher.target.module.closed else ""
        return f"<{state}{type(self).__name__} {self.signature}>"


class Kernel(_KernelOrGraph):
    """A kernel of a module, from `AotModule.kernels`. Call it to launch it.

    Examples
    --------
    >>> saxpy = module.kernels["saxpy"]
    >>> saxpy
    <Kernel saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])>
    >>> saxpy(2.0, x, y)
    """

    __slots__ = ()
    _is_graph = False

    def rename(self, /, *names: str) -> Kernel:
        """The same kernel with other parameter names, for modules that do not store them.

        Raises
        ------
        TypeError
            If a name is not a str.
        ValueError
            If the number of names differs from that of the parameters, a name is not an identifier or is a keyword, or
            a name occurs twice.

        Examples
        --------
        >>> saxpy.rename("alpha", "source", "target")(alpha=2.0, source=x, target=y)
        """
        target = self._launcher.target
        return Kernel._make(target.signature.renamed(names), target.module, target.ti_pointer, target.layout)


class ComputeGraph(_KernelOrGraph):
    """A compute graph of a module, from `AotModule.graphs`. Call it to launch its kernels in order.

    Examples
    --------
    >>> twice = module.graphs["twice"]
    >>> twice(a=1.0, x=x, y=y)
    """

    __slots__ = ()
    _is_graph = True
