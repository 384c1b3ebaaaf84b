"""Kernels and compute graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from ..handles._c_types import TiComputeGraph, TiKernel
from ..handles._module import ModuleHandle
from ..handles._registry import KnownKernel, kernel_handle
from ..handles._resource import Unique
from ..values._signature import Signature
from ._block import LaunchTarget
from ._compatibility import require_no_result
from ._compiler import Launcher
from ._launch import Launch

if TYPE_CHECKING:
    import inspect

    from .._cdata import Pointer
    from ..lowering._returns import ReturnLayout
    from ._arguments import ArgumentLike

__all__ = ["ComputeGraph", "Kernel", "OfInstances"]

Self = TypeVar("Self", bound="_KernelOrGraph")


class OfInstances:
    """An attribute that instances compute, as a property does; the class has the value `of_class`, or lacks it."""

    __slots__ = ("of_class", "of_instance")
    of_class: str | None
    of_instance: Callable[[Any], object]

    def __init__(self, of_instance: Callable[[Any], object], of_class: str | None = None) -> None:
        self.of_instance = of_instance
        self.of_class = of_class

    def __get__(self, instance: object, owner: type[object]) -> Any:
        if instance is not None:
            return self.of_instance(instance)
        if self.of_class is None:
            raise AttributeError(f"{owner.__name__} does not have this attribute, its instances have")
        return self.of_class


def _signature_of(kernel: _KernelOrGraph) -> inspect.Signature:
    """For `inspect.signature`."""
    from ._introspection import python_signature

    return python_signature(kernel._launcher.target)


def _doc_of(kernel: _KernelOrGraph) -> str:
    """For `help`: the docstring in the module, else a description."""
    from ._introspection import description

    return kernel._launcher.target.doc or description(kernel._launcher.target)


class _BindOfKernel:
    # The function below `kernel.bind`: what it is called and says is that of the class, its signature the kernel's.
    __slots__ = ("_target",)

    def __init__(self, target: LaunchTarget) -> None:
        self._target = target

    def __call__(self, kernel: _KernelOrGraph, /, *args: ArgumentLike, **kwargs: ArgumentLike) -> Launch:
        return Launch._make(kernel._launcher, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(_KernelOrGraph.bind, name)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return _KernelOrGraph.bind.__doc__

    @property
    def __signature__(self) -> inspect.Signature:
        from ._introspection import bind_signature

        return bind_signature(self._target, Launch)


Method = TypeVar("Method", bound=Callable[..., Any])


class _Bind:
    """The method ``bind``: of the class the function itself, of a kernel one that has its signature."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., Launch]) -> None:
        self._function = function

    def __get__(self, kernel: _KernelOrGraph | None, owner: type[object]) -> Callable[..., Launch]:
        return self._function if kernel is None else MethodType(kernel._bind, kernel)


def _with_signature(method: Method) -> Method:
    return cast("Method", _Bind(method))


class _KernelOrGraph(Unique):
    """Base of kernels and graphs; keeps the module alive."""

    __slots__ = ("__qualname__", "_bind", "_call", "_launcher")
    __signature__: ClassVar[OfInstances] = OfInstances(_signature_of)
    __qualname__: str
    _bind: _BindOfKernel
    _call: Callable[..., Any]
    _launcher: Launcher
    _is_graph: bool

    def __init_subclass__(cls) -> None:
        # `help(Kernel)` shows the docstring of the class, `help(kernel)` that of the kernel.
        cls.__doc__ = OfInstances(_doc_of, cls.__doc__)  # type: ignore[assignment]

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise TypeError(f"a {type(self).__name__} is created by its module")

    @classmethod
    def _make(
        cls: type[Self],
        signature: Signature,
        module: ModuleHandle,
        ti_pointer: Pointer[Any],
        layout: ReturnLayout | None,
        doc: str = "",
        dispatches: Sequence[Sequence[str]] | None = None,
    ) -> Self:
        is_graph = cls._is_graph
        target = LaunchTarget(
            signature, module, ti_pointer, is_graph=is_graph, layout=layout, doc=doc, dispatches=dispatches
        )
        self = object.__new__(cls)
        self._launcher = Launcher(target)
        self._call = self._launcher.call
        self._bind = _BindOfKernel(target)
        self.__qualname__ = signature.name
        return self

    @property
    def name(self) -> str:
        """The name in the module."""
        return self._launcher.target.signature.name

    @property
    def __name__(self) -> str:
        return self._launcher.target.signature.name

    def _known(self) -> KnownKernel:
        target = self._launcher.target
        target.module.require_open()
        require_no_result(target.signature.name, target.layout)
        return KnownKernel(target.ti_pointer, target.module, target.signature, target.dispatches)

    @property
    def signature(self) -> Signature:
        """The parameters and return values, as the module states them.

        ``inspect.signature(kernel)`` has the same parameters with the Python types that they take.

        Examples
        --------
        >>> print(saxpy.signature)
        saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])
        >>> from inspect import signature
        >>> list(signature(saxpy).parameters)
        ['a', 'x', 'y']
        """
        return self._launcher.target.signature

    @property
    def recording(self) -> str:
        """Which way bound launches and sequences take: ``"recorded"``, or ``"by the library: "`` and why.

        On Vulkan and CUDA the package makes the launches of kernels itself, after the first 64, if the module states
        all that they do: `Launch` and `LaunchSequence` then say ``(recorded)``. The library makes all others, also
        where a driver is too old.

        Examples
        --------
        >>> saxpy.recording
        'by the library: launches on x64 are not recorded'
        """
        reason = self._launcher.target.why_unrecorded
        return f"by the library: {reason}" if reason else "recorded"

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
            If a matrix has another shape, or an array another than the signature states; if one kernel is given an
            image both as a texture and as an rw_texture; if an array, an image, the module or the runtime is closed; if
            an array or image belongs to another runtime; if an image lacks the usage SAMPLED (texture) or STORAGE
            (rw_texture).
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
        try:
            return self._call(*args, **kwargs)
        except TypeError as error:
            self._launcher.explain(error, kwargs)
            raise

    @_with_signature
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

    @property
    def handle(self) -> TiKernel:
        """The ``TiKernel`` for `taichi_aot.capi` and other bindings; valid until the runtime is closed.

        `taichi_aot.capi` launches it with the arguments of C. Other bindings must pass 64-bit scalars, vectors and
        matrices as tensors of ``i32``: the words of their bytes, which `taichi_aot.capi` takes too.

        Raises
        ------
        NotSupportedError
            If the kernel returns a value: the copy of the module that was loaded has one more argument for it.
        ValueError
            If the module or its runtime is closed.

        Examples
        --------
        >>> bool(saxpy.handle)
        True
        """
        return kernel_handle(TiKernel, self._known())

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
        signature = target.signature.renamed(names)
        return Kernel._make(signature, target.module, target.ti_pointer, target.layout, target.doc)


class ComputeGraph(_KernelOrGraph):
    """A compute graph of a module, from `AotModule.graphs`. Call it to launch its kernels in order.

    Examples
    --------
    >>> twice = module.graphs["twice"]
    >>> twice(a=1.0, x=x, y=y)
    """

    __slots__ = ()
    _is_graph = True

    @property
    def handle(self) -> TiComputeGraph:
        """The ``TiComputeGraph`` for `taichi_aot.capi` and other bindings; valid until the runtime is closed.

        It takes 64-bit scalars, vectors and matrices as `Kernel.handle` does.

        Raises
        ------
        ValueError
            If the module or its runtime is closed.

        Examples
        --------
        >>> bool(module.graphs["twice"].handle)
        True
        """
        return kernel_handle(TiComputeGraph, self._known())
