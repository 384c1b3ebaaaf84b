"""Kernels, compute graphs, and the instances that one function of a source has for different template arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar, cast

from ..handles._registry import TiComputeGraph, TiKernel, kernel_handle
from ..handles._runtime import Unique
from ..values._errors import ArgumentTypeError, NameNotFoundError, NotSupportedError, TaichiError, leave_caller, short
from ..values._items import attribute_error, paragraph, state_absent, table
from ..values._signature import Signature
from ._block import LaunchTarget
from ._launch import Launch, Launcher

if TYPE_CHECKING:
    import inspect

    from ..bundle._info import Instance, ResultLayout
    from ._arguments import ArgumentLike


class Instances:
    """The instances of one function, by the names of their kernels."""

    __slots__ = ("_find", "_instances")

    def __init__(self, instances: Mapping[str, Instance], find: Callable[[str], Any]) -> None:
        self._instances = instances
        self._find = find

    def select(self, values: object) -> Any:
        """Return the kernel with these template arguments, in their order; KeyError if there is none."""
        several = cast("tuple[object, ...]", values) if isinstance(values, tuple) else (values,)
        given = tuple(map(_normal, several))
        for name, instance in self._instances.items():
            if _is_same(given, tuple(instance.values.values())):
                return self._find(name)
        of = next(iter(self._instances.values())).of
        stated = {name: ", ".join(map(short, each.values.values())) for name, each in self._instances.items()}
        known = ", ".join(f"{of}[{values}] ({name})" for name, values in stated.items())
        wanted = ", ".join(map(short, given))
        raise NameNotFoundError(f"{of}() has no instance for [{wanted}]; the module has {known}")

    def split(
        self, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> tuple[tuple[object, ...], list[Any], dict[str, Any]] | None:
        """Return the template arguments of a call with all of the function's, and the others; None for other calls."""
        instance = next(iter(self._instances.values()))
        order = instance.parameters
        if len(args) + len(kwargs) != len(order) or not kwargs.keys() <= set(order[len(args) :]):
            return None
        given = {**dict(zip(order, args, strict=False)), **kwargs}
        values = tuple(given.pop(name) for name in instance.values)
        by_position = [given.pop(name) for name in order[: len(args)] if name in given]
        return values, by_position, given


def _normal(value: object) -> object:
    """Return a value as modules state it: fields by their names, and those of structs by theirs."""
    return getattr(value, "_prefix", None) or getattr(value, "name", value)


def _is_same(given: tuple[object, ...], stated: tuple[object, ...]) -> bool:
    return len(given) == len(stated) and all(
        type(a) is type(b) and a == b if isinstance(a, (bool, str)) or isinstance(b, (bool, str)) else a == b
        for a, b in zip(given, stated, strict=True)
    )


# Kernels and compute graphs.


Self = TypeVar("Self", bound="_KernelOrGraph")
Adjoint: TypeAlias = "Callable[[Signature], Kernel]"  # makes the adjoint of a kernel with this signature


class OfInstances:
    """A property of instances; on the class it has the value `of_class`, or raises AttributeError if that is None."""

    __slots__ = ("of_class", "of_instance")

    def __init__(self, of_instance: Callable[[Any], object], of_class: str | None = None) -> None:
        self.of_instance: Callable[[Any], object] = of_instance
        self.of_class: str | None = of_class

    def __get__(self, instance: object, owner: type[object]) -> Any:
        if instance is not None:
            return self.of_instance(instance)
        if self.of_class is None:
            raise AttributeError(f"{owner.__name__} does not have this attribute, its instances have")
        return self.of_class


def _signature_of(kernel: _KernelOrGraph) -> inspect.Signature:
    from ._introspection import python_signature

    return python_signature(kernel._launcher.target)


def _doc_of(kernel: _KernelOrGraph) -> str:
    """Return the docstring for `help`: the kernel's own with its parameters."""
    from ._introspection import description

    return description(kernel._launcher.target)


class _BindOfKernel:
    # The function of `kernel.bind`: name and docstring come from the class, the signature from the kernel.
    __slots__ = ("_target",)

    def __init__(self, target: LaunchTarget) -> None:
        self._target = target

    def __call__(self, kernel: _KernelOrGraph, /, *args: ArgumentLike, **kwargs: ArgumentLike) -> Launch:
        try:
            instances = kernel._instances
            if instances is not None and (parts := instances.split(args, kwargs)) is not None:
                return Launch._make(instances.select(parts[0])._launcher, parts[1], parts[2])
            if kernel._reloader is None:
                return Launch._make(kernel._launcher, args, kwargs)
            launch: Launch = kernel._reloader.bind(kernel, args, kwargs)
            return launch
        except TaichiError as error:
            leave_caller(error)
            raise

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
    """The method ``bind``: the plain function on the class, a method with the kernel's signature on a kernel."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., Launch]) -> None:
        self._function = function

    def __get__(self, kernel: _KernelOrGraph | None, owner: type[object]) -> Callable[..., Launch]:
        return self._function if kernel is None else MethodType(kernel._bind, kernel)


def _with_signature(method: Method) -> Method:
    return cast("Method", _Bind(method))


class _KernelOrGraph(Unique):
    """Base of kernels and graphs; keeps the module alive."""

    __slots__ = ("__qualname__", "_bind", "_call", "_instances", "_launcher", "_reloader")
    _created_by = "its module: module.kernels[name]"
    __signature__: ClassVar[OfInstances] = OfInstances(_signature_of)
    __qualname__: str
    _bind: _BindOfKernel
    _instances: Instances | None  # of kernels with template arguments
    _call: Callable[..., Any]
    _launcher: Launcher
    _reloader: Any  # the `Reloader` of a kernel that follows a file, or None

    def __init_subclass__(cls) -> None:
        # `help(Kernel)` shows the class docstring, `help(kernel)` the kernel's.
        cls.__doc__ = OfInstances(_doc_of, cls.__doc__)  # type: ignore[assignment]

    @classmethod
    def _make(cls: type[Self], target: LaunchTarget) -> Self:
        self = object.__new__(cls)
        self._launcher = Launcher(target)
        self._call = self._launcher.call
        self._bind = _BindOfKernel(target)
        self._reloader = self._instances = None
        self.__qualname__ = target.signature.name
        return self

    @property
    def name(self) -> str:
        """The name in the module."""
        return self._launcher.target.signature.name

    __name__ = name

    def _ti_handle(self) -> Any:
        target = self._launcher.target
        target.module.require_open()
        require_own_arguments(
            target.signature.name, target.layout, has_gradients=bool(target.gradients), repeats=bool(target.repeats)
        )
        return target.for_library()

    @property
    def signature(self) -> Signature:
        """The parameters and return values that the module states.

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
        """How launches are made: ``"native"``, ``"recorded"``, or ``"by the library: "`` and why.

        Kernels of a module with machine code for this CPU, or with PTX on CUDA, are native: it is launched without the
        library. On a CPU it also says why a loop has no vectors; `TaskInfo.loop` says so of each. On Vulkan, launches
        are recorded if the module states all that they do. The repr of a `Launch` contains ``(native)`` or
        ``(recorded)`` if the library did not make the last one, and that of a `LaunchSequence` ``(recorded)``.

        The reason says what the kernel does, such as ``uses sparse fields``, or what the module lacks: modules that
        Taichi itself wrote have neither machine code nor PTX.

        Examples
        --------
        >>> saxpy.recording
        'by the library: the module has no machine code'
        """
        return self._launcher.target.recording

    def __call__(self, /, *args: ArgumentLike, **kwargs: ArgumentLike) -> Any:
        """Launch with these arguments, by position or by name.

        On CPU archs the launch has finished when the call returns. On other archs it is queued, and `Runtime.wait`
        waits for it; only a call that returns a value waits itself. Once the call returns, the arguments may be
        overwritten or dropped.

        Parameters
        ----------
        *args, **kwargs
            For a scalar a number: an integer for an integer type, any real number for a float. numpy scalars and 0-d
            arrays count as numbers. For a vector or matrix a numpy array or nested sequences of its shape, ignoring
            dimensions of size 1; a graph also takes a vector of a matrix's numbers, by rows. For a struct a mapping, an
            object with its members as attributes, a numpy record, or a sequence of them in order. For an ndarray an
            `NdArray` of the same runtime, dtype, number of dimensions and element shape, also ignoring element
            dimensions of size 1. On CPU archs and CUDA also another library's array on that device, which is used in
            place: numpy's, PyTorch's, and any with ``__dlpack__`` or an array interface. For a texture an `Image` of
            the same runtime and number of dimensions, or a `Texture` of one; for an ``rw_texture`` also of the same
            format. A kernel that uses the gradients of arrays, as `grad` does, takes them from the arrays, or from
            ``grads={name: gradient}``.

        Returns
        -------
        object
            The kernel's return value: a numpy scalar for a scalar, an array of shape ``(n,)`` for a vector and
            ``(n, m)`` for a matrix. A struct is a `numpy.record`, with its members as attributes and by name. Several
            values are a tuple. `Signature.returns` has the dtypes. None for graphs, and for kernels without a return
            value.

        Raises
        ------
        TypeError
            If the number of arguments, a name, kind, dtype, format, number of dimensions or element shape is wrong, or
            an argument is a masked array.
        OverflowError
            If an integer does not fit its dtype.
        ValueError
            If a matrix has the wrong shape, or an array a shape other than the stated one; if one kernel takes an image
            both as a texture and as an rw_texture; if an array, an image, the module or the runtime is closed; if an
            array or image belongs to another runtime; if an image lacks the usage SAMPLED (texture) or STORAGE
            (rw_texture).
        BufferError
            If an array is mapped, on archs that map a copy; if another library's array is not C-contiguous.
        NotSupportedError
            If a parameter cannot be passed: an argument pack, in a graph a gradient, or in SPIR-V modules an ndarray,
            vector or struct of u1.
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
            try:
                return self._call(*args, **kwargs)
            except TypeError as error:
                if self._instances is not None and (parts := self._instances.split(args, kwargs)) is not None:
                    return self._instances.select(parts[0])._call(*parts[1], **parts[2])
                self._launcher.explain(error, args, kwargs)
                raise
        except TaichiError as error:
            leave_caller(error)
            raise

    @_with_signature
    def bind(self, /, *args: ArgumentLike, **kwargs: ArgumentLike) -> Launch:
        """Check and pack the arguments once, for any number of launches.

        Parameters and errors are those of a call. The launch keeps copies of scalars and matrices. Each launch uses an
        array's contents at that time. Another library's array is imported and kept alive; its memory must not be
        resized.

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
        return self._bind(self, *args, **kwargs)

    def __repr__(self) -> str:
        state = "closed " if self._launcher.target.module.closed else ""
        return f"<{state}{type(self).__name__} {self.signature}>"

    def _repr_html_(self) -> str:
        target = self._launcher.target
        rows = [
            (each.name, each.type_name, ", ".join(map(str, each.shape)), each.access)
            for each in self.signature.parameters
        ]
        doc = target.doc.strip().partition("\n")[0]
        html = paragraph(repr(self)) + (paragraph(doc) if doc else "")
        return html + (table(("parameter", "type", "shape", "access"), rows) if rows else "")


state_absent(_KernelOrGraph, dict.fromkeys(["launch", "run"], "call it, as in module.saxpy(2.0, x, y)"))


class Kernel(_KernelOrGraph):
    """A kernel of a module, from `AotModule.kernels`. Call it to launch it.

    Examples
    --------
    >>> saxpy = module.kernels["saxpy"]
    >>> saxpy
    <Kernel saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])>
    >>> saxpy(2.0, x, y)
    """

    __slots__ = ("_adjoint", "_grad")
    _adjoint: Adjoint | None
    _grad: Kernel | None

    @classmethod
    def _make(cls, target: LaunchTarget, adjoint: Adjoint | None = None, instances: Instances | None = None) -> Kernel:
        self = super()._make(target)
        self._adjoint, self._grad, self._instances = adjoint, None, instances
        return self

    def __getitem__(self, values: object) -> Kernel:
        """Return the instance of the same function for other template arguments.

        ``build --all`` compiles a function once for each set of template arguments that the program calls it with. A
        call with all arguments of the function launches the same instance: ``module.advect(density, 0.5)``.

        Parameters
        ----------
        values : object, or tuple of them
            The template arguments in order: numbers, fields or their names, and for a method first the name of its
            object. `KernelInfo.instance` has those of each kernel.

        Raises
        ------
        TypeError
            If the kernel has no template arguments.
        KeyError
            If there is no such instance; the message lists those there are.

        Examples
        --------
        >>> module.advect[module.fields.density](0.5)                   # doctest: +SKIP
        """
        if self._instances is None:
            raise ArgumentTypeError(f"{self.name}() has no template arguments; write {self.name}(...) to launch it")
        found: Kernel = self._instances.select(values)
        return found

    @property
    def grad(self) -> Kernel:
        """The kernel's adjoint, which computes gradients: a `Kernel` with the same parameters.

        It needs a module that was built with ``@export(grad=True)``, on x64, arm64 or CUDA. Each array of floats has a
        gradient of the same type and shape: ``x.grad`` if it was created with ``grad=True``, or the one that is given
        by name, ``grads={"x": gradient}``. The adjoint reads the gradients of the arrays that the kernel writes, and
        adds to those of the arrays that it reads. Afterwards the gradient of a number that the kernel overwrites is 0.

        Raises
        ------
        AttributeError
            If the module was built without it, or the runtime is not on x64, arm64 or CUDA.

        Examples
        --------
        >>> x, y = rt.full(3, 2.0, grad=True), rt.zeros(3, grad=True)
        >>> y.grad.fill(1)
        >>> module.square.grad(x, y)                                    # doctest: +SKIP
        >>> x.grad.to_numpy()                                           # doctest: +SKIP
        array([4., 4., 4.], dtype=float32)
        """
        if self._grad is None:
            if self._adjoint is None:
                raise attribute_error(f"{self.name}() is an adjoint, and has no gradient of its own", "grad")
            self._grad = self._adjoint(self.signature)
            if self._reloader is not None:
                self._reloader.follow_gradient(self._grad, self)
        return self._grad

    @property
    def handle(self) -> TiKernel:
        """The ``TiKernel`` for `taichi_aot.capi` and other bindings; valid until the runtime is closed.

        They must pass 64-bit scalars, vectors and matrices as ``i32`` tensors of the words of their bytes.

        Raises
        ------
        NotSupportedError
            If the kernel returns a value or uses gradients: in the loaded copy of the module, it has more arguments. If
            it repeats tasks.
        ValueError
            If the module or its runtime is closed.

        Examples
        --------
        >>> bool(saxpy.handle)
        True
        """
        return kernel_handle(TiKernel, self._ti_handle(), self._launcher.target.module)

    def rename(self, /, *names: str) -> Kernel:
        """Return the same kernel with new parameter names, for modules that do not store the names.

        Raises
        ------
        TypeError, ValueError
            As for `Signature.renamed`.

        Examples
        --------
        >>> saxpy.rename("alpha", "source", "target")(alpha=2.0, source=x, target=y)
        """
        target = self._launcher.target
        renamed = Kernel._make(target.renamed(names), self._adjoint)
        if self._reloader is not None:
            self._reloader.follow(renamed, names)
        return renamed


class ComputeGraph(_KernelOrGraph):
    """A compute graph of a module, from `AotModule.graphs`. Call it to launch its kernels in order.

    Examples
    --------
    >>> twice = module.graphs["twice"]
    >>> twice(a=1.0, x=x, y=y)
    """

    __slots__ = ()

    @property
    def handle(self) -> TiComputeGraph:
        """The ``TiComputeGraph`` for `taichi_aot.capi` and other bindings; valid until the runtime is closed.

        Pass 64-bit scalars, vectors and matrices as for `Kernel.handle`.

        Raises
        ------
        ValueError
            If the module or its runtime is closed.

        Examples
        --------
        >>> bool(module.graphs["twice"].handle)
        True
        """
        return kernel_handle(TiComputeGraph, self._ti_handle(), self._launcher.target.module)


def require_own_arguments(name: str, result: ResultLayout | None, *, has_gradients: bool, repeats: bool) -> None:
    """Raise for a kernel of a private copy that has more arguments, for its result or gradients, or repeats tasks."""
    if repeats:
        raise NotSupportedError(f"{name}() repeats tasks, which the C-API cannot: call the Kernel")
    if has_gradients:
        raise NotSupportedError(f"{name}() uses gradients, which the C-API cannot pass: call the Kernel")
    if result is not None:
        raise NotSupportedError(f"{name}() returns a value, which the C-API cannot take: call the Kernel")
