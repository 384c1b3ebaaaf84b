"""Kernels as functions of arrays, which can be pickled and called in any process."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, cast, overload

import numpy as np

from ..arrays._ndarray import NdArray
from ..backends._devices import ArchLike, ArchWord, available_archs, best_device, choose_device, names_device
from ..bundle._files import Source
from ..bundle._plan import exactly, read_files
from ..handles._runtime import RuntimeHandle, seed_key
from ..kernels._aggregates import packs_of
from ..kernels._kernel import OfInstances
from ..kernels._launch import Source as FunctionSource
from ..kernels._loading import archs_of, plan_of
from ..runtime._load import for_best_device
from ..runtime._waiting import submit
from ..values._errors import (
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    NameNotFoundError,
    TaichiError,
    describe,
    leave_caller,
    short,
    wrong_arguments,
)
from ..values._items import attribute_error, unknown_name
from ..values._numbers import Arch, arch_of, as_integer
from ..values._signature import Parameter, Signature, nested, python_names, require_passable
from ._arrays import KINDS, NUMPY, Arrays, Held, Kind, Like, host_array, is_on_device, kind_of, layout_of, normal_like
from ._defaults import Code, another_version, default, read_code, read_plans, this_version
from ._outputs import (
    ADJOINT,
    MADE,
    NormalOut,
    Out,
    Results,
    Spec,
    adjoint_call,
    adjoint_signature,
    description,
    normal_out,
    python_signature,
    why_no_adjoint,
)

if TYPE_CHECKING:
    import asyncio
    import inspect as introspection
    from typing import Literal, TypedDict

    import numpy.typing as npt
    from typing_extensions import TypeVar, Unpack

    from ..arrays._layout import ArrayLayout
    from ..bundle._info import GraphInfo, KernelInfo
    from ..bundle._plan import Plan
    from ..handles._runtime import SeedKey, SeedLike

    Returned = TypeVar("Returned", covariant=True, default=Any)  # what a call returns

    class Where(TypedDict, total=False):
        """Some keywords of `function`."""

        arch: ArchLike | None
        device: int | None
        seed: SeedLike | None
else:
    from typing import TypeVar

    Returned = TypeVar("Returned", covariant=True)


class _Loaded(NamedTuple):
    """The loaded kernel of a function in this process, valid until the runtime is closed."""

    runtime: RuntimeHandle
    arrays: Arrays
    kernel: Callable[..., Any]
    is_read: tuple[bool, ...]  # for each parameter, whether the kernel only reads its array


def _signature_of(function: Function) -> introspection.Signature:
    return python_signature(function.signature, function._results.optional)


def _doc_of(function: Function) -> str:
    """Return the docstring for `help`: the kernel's own with the parameters of a call."""
    return description(function.signature, function._results, function._doc)


class Function(Generic[Returned]):
    """A kernel or compute graph as a function of arrays, created by `function`.

    Call it with numbers and arrays; it returns arrays of the caller's kind and does not change its arguments. Any
    thread may call it. Its docstring is that of the kernel. For type checkers, ``Function[X]`` returns ``X``.
    It can be pickled: `function` lists the contents of a pickle. Functions with the same module contents, kernel and
    options are equal.

    Examples
    --------
    >>> f = function("saxpy.tcm", "saxpy", out="y", arch="x64")
    >>> f
    <Function saxpy(a, x, y) -> y>
    >>> f(2.0, np.float32([1, 2]), np.float32([1, 1]))
    array([3., 5.], dtype=float32)
    >>> import pickle
    >>> pickle.loads(pickle.dumps(f)) == f
    True
    """

    __slots__ = (
        "__qualname__",
        "__weakref__",
        "_adjoint",
        "_arrays",
        "_bind",
        "_code",
        "_doc",
        "_loaded",
        "_options",
        "_paths",
        "_results",
        "_signature",
    )
    __signature__: ClassVar[OfInstances] = OfInstances(_signature_of)
    __qualname__: str
    _adjoint: Function | None  # None until `grad` is used
    _arrays: list[tuple[int, str, Parameter]]  # the parameters that are arrays: index, start of messages, parameter
    _bind: Callable[..., tuple[Any, ...]]
    _code: Code
    _doc: str  # of the kernel, as the module states it
    _loaded: _Loaded | None
    _options: Options
    _paths: list[str]  # the names of parameters, if some are members of packs
    _results: Results
    _signature: Signature

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ArgumentTypeError("a Function is created by taichi_aot.function()")

    @classmethod
    def _make(cls, code: Code, signature: Signature, doc: str, options: Options) -> Function:
        """Return the function with these options; create it if this process does not have it."""
        key = signature.name, options
        if key in code.functions:
            return cast("Function", code.functions[key])
        self = object.__new__(cls)
        self._code = code
        self._signature = signature
        self._doc = doc
        self._options = options
        self._results = results = Results(signature, options.out)
        self._bind = _compile_bind(signature, results.optional)
        paths = [parameter.name for parameter in signature.parameters]
        self._paths = paths if signature.taken != signature.parameters else []
        self._arrays = [
            (i, f"{signature.name}() parameter {parameter.name!r}", parameter)
            for i, parameter in enumerate(signature.parameters)
            if parameter.kind == "ndarray"
        ]
        self._loaded = self._adjoint = None
        self.__qualname__ = signature.name
        return cast("Function", code.functions.setdefault(key, self))

    @property
    def kernel(self) -> str:
        """The name of the kernel or graph in its module."""
        return self._signature.name

    __name__ = kernel

    @property
    def signature(self) -> Signature:
        """The parameters and return values of the kernel, as stated in the module.

        ``inspect.signature(function)`` has the parameters of a call: results that the function can create come last and
        are optional.

        Examples
        --------
        >>> print(function("saxpy.tcm", "saxpy", out="y").signature)
        saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])
        """
        return self._signature

    @property
    def grad(self) -> Function:
        """The adjoint, a `Function` that returns gradients.

        It needs a module that was built with ``@export(grad=True)``, on x64, arm64 or CUDA. Its parameters are those of
        the kernel, with the results as the call left them, and the gradients: ``y_grad`` is that of ``y``. It returns
        the gradients of all arrays of floats, in the kernel's order. Those that are not passed begin with zeros.

        Raises
        ------
        AttributeError
            If the module was built without it, or for other archs; if the kernel is a graph or an adjoint; if the
            module states that the kernel writes an array that is not a result.

        See Also
        --------
        taichi_aot.interop.torch.register : Make it known to PyTorch.
        taichi_aot.interop.jax.traceable : Make it known to JAX.

        Examples
        --------
        >>> square = function("squares.tcm", "square", out="y")         # doctest: +SKIP
        >>> x = np.float32([1, 2, 3])
        >>> y = square(x)                                               # doctest: +SKIP
        >>> x_grad, _ = square.grad(x, y, y_grad=np.ones_like(y))       # doctest: +SKIP
        >>> x_grad                                                      # doctest: +SKIP
        array([2., 4., 6.], dtype=float32)
        """
        if self._adjoint is None:
            plans = stated_plans(self._code, self._options)
            reason = why_no_adjoint(plans, self._signature, self._options.out)
            if reason:
                raise attribute_error(reason, "grad")
            signature, out = adjoint_signature(plans, self._signature)
            doc = f"The gradient of `{self.kernel}`: its adjoint."
            self._adjoint = Function._make(self._code, signature, doc, self._options._replace(out=out))
        return self._adjoint

    def _bind_around_names(self, error: TypeError, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Bind arguments by position to the parameters that are not named: `map_blocks` passes blocks so.

        Raise Python's `error` about the number or names of the arguments, with a code, if they do not fit.
        """
        names = _order(self._signature, self._results.optional)
        rest = [name for name in names if name not in kwargs]
        if args and kwargs.keys() <= set(names) and len(args) <= len(rest):
            try:
                return list(self._bind(**dict(zip(rest, args, strict=False)), **kwargs))
            except TypeError as missing:
                error = missing
                args, kwargs = (), {**dict(zip(rest, args, strict=False)), **kwargs}
        absent = set(names).difference(names[: len(args)], kwargs)
        optional, remedy = len(self._results.optional), self._results.how_to_leave_out(absent)
        raise wrong_arguments(error, names, args, kwargs, optional=optional, remedy=remedy) or error from None

    @property
    def digest(self) -> str:
        """SHA-256 of the names and contents of the files of the module or bundle, in hexadecimal."""
        return self._code.digest

    def __call__(self, /, *args: Any, **kwargs: Any) -> Returned:
        """Launch, wait, and return the results as arrays of the caller's kind.

        Parameters
        ----------
        *args, **kwargs
            By position they fill the parameters that are not passed by name. Scalars, vectors and matrices as for
            `Kernel`. For an ndarray a numpy array, an object that numpy converts
            to one, or another library's host array (through DLPack), of shape ``shape + elem_shape``. On CUDA also an
            array on the device. Also an `NdArray` of the default runtime. An array of another dtype is cast if numpy's
            ``safe`` rule allows it. If a result is passed, its copy holds the initial contents; the argument itself
            does not change.

        Returns
        -------
        object
            The kernel's return value, if it has one, then the results that `out` names, in that order: a single result
            as it is, several as a tuple. Each call returns new arrays. They are tensors of PyTorch if it got tensors,
            and likewise for JAX and CuPy, on the device of the arguments; otherwise numpy arrays. `like` of `function`
            fixes this. If all of them are of size 0 and the kernel does not return a value, the call does not launch.

        Raises
        ------
        TypeError
            If the arguments do not fit the parameters, as for `Kernel`, an array cannot be cast, or arrays of several
            libraries are passed without `like`.
        OverflowError, ValueError, NotSupportedError, DeviceLostError, TaichiError
            As for `Kernel`. The first call in a process also raises the errors of `default_runtime` and
            `Runtime.load_module`.

        Examples
        --------
        >>> f = function("saxpy.tcm", "saxpy", out={"y": "x"}, arch="x64")
        >>> f(2.0, np.float32([1, 2]))
        array([2., 4.], dtype=float32)
        >>> f(np.float32([1, 2]), a=2.0)  # as Dask's map_blocks(f, x, a=2.0) calls it
        array([2., 4.], dtype=float32)
        """
        try:
            return self._call(args, kwargs)
        except TaichiError as error:
            leave_caller(error)
            raise

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Returned:
        try:
            values: list[Any] = list(self._bind(*args, **kwargs))
        except TypeError as error:
            values = self._bind_around_names(error, args, kwargs)
        sources: dict[int, NdArray | npt.NDArray[Any]] = {}
        layouts: dict[int, ArrayLayout] = {}
        kinds: list[tuple[Kind, str, bool]] = []  # other libraries', with a parameter's name, and on a device or not
        for i, where, parameter in self._arrays:
            value = values[i]
            if value is MADE:
                continue
            kind, on_device = None, False
            if value.__class__ is not np.ndarray:  # which is the usual case
                kind, on_device = kind_of(value), is_on_device(value)
            if kind is not None:
                kind.check(value, where)
                kinds.append((kind, parameter.name, on_device))
            if on_device:
                sources[i] = array = self._load().arrays.on_device(value, where, parameter, kind)
                shape = array._layout.numpy_shape
            else:
                sources[i] = host = host_array(value, where, parameter)
                shape = host.shape
            layouts[i] = self._layout_of(shape, where, parameter)
        self._results.complete(values, layouts)
        kind, leaves = self._kind_of_results(kinds) if kinds or self._options.like else (NUMPY, False)
        numbers = self._results.numbers
        if self._signature.returns or any(layouts[i].size for i in numbers):
            results = self._launch(values, sources, layouts, kind, leaves=leaves)
        elif leaves:
            results = [self._load().arrays.result(None, layouts[i], leaves=True).result(kind) for i in numbers]
        else:
            results = [kind.from_host(kind.new_host(layouts[i].numpy_shape, layouts[i].dtype)) for i in numbers]
        return cast("Returned", results[0] if len(results) == 1 else tuple(results))

    def _layout_of(self, shape: tuple[int, ...], where: str, parameter: Parameter) -> ArrayLayout:
        try:
            return layout_of(shape, where, parameter)
        except ArgumentTypeError as error:
            if shape:
                raise
            order = ", ".join(_order(self._signature, self._results.optional))
            raise ArgumentTypeError(f"{error}; the order is {self.kernel}({order})") from None

    def _kind_of_results(self, kinds: Sequence[tuple[Kind, str, bool]]) -> tuple[Kind, bool]:
        """Return the kind of the results, and whether they stay on a CUDA device."""
        like = self._options.like
        if like is not None:
            kind = KINDS[like]
        else:
            kind, name, _ = kinds[0]
            for other, second, _ in kinds:
                if other is not kind:
                    raise ArgumentTypeError(
                        f"{self.kernel}(): {name!r} is an array of {kind.name} and {second!r} one of {other.name}: "
                        f"create the function with like={kind.name!r} or like={other.name!r}"
                    )
        places = {on_device for each, _, on_device in kinds if each is kind}
        if not kind.uses_device or (kind.uses_host and places == {False}):
            return kind, False
        on_cuda = self._load().arrays.on_cuda
        if not (on_cuda or kind.uses_host):
            arch = self._load().runtime.arch
            raise InvalidArgumentError(
                f"{self.kernel}(): arrays of {kind.name} are on CUDA devices, and the function runs on {arch}: create "
                "it with arch='cuda'"
            )
        return kind, on_cuda

    def call_async(self, /, *args: Any, **kwargs: Any) -> asyncio.Future[Returned]:
        """Call the function without blocking the event loop; for ``async`` functions.

        Each function has a thread that runs its calls one after the other, in the order in which they were submitted.
        Do not change arrays among the arguments before the call has finished.

        Parameters
        ----------
        *args, **kwargs
            As for a call.

        Returns
        -------
        asyncio.Future
            A future of the running event loop with the result or exception of the call. Cancelling it before the call
            begins prevents the call; later, it drops the result.

        Raises
        ------
        RuntimeError
            If no event loop runs in this thread.

        Examples
        --------
        >>> import asyncio
        >>> f = function("saxpy.tcm", "saxpy", out={"y": "x"}, arch="x64")
        >>> async def main():
        ...     return await asyncio.gather(*[f.call_async(a, np.float32([1, 2])) for a in (1.0, 2.0)])
        >>> asyncio.run(main())
        [array([1., 2.], dtype=float32), array([2., 4.], dtype=float32)]
        """
        return submit(self, functools.partial(self, *args, **kwargs), "the function")

    def _launch(
        self,
        values: list[Any],
        sources: Mapping[int, NdArray | npt.NDArray[Any]],
        layouts: Mapping[int, ArrayLayout],
        kind: Kind,
        *,
        leaves: bool,
    ) -> list[Any]:
        loaded = self._load()
        arrays, numbers = loaded.arrays, self._results.numbers
        held: dict[int, Held] = {}
        for i, layout in layouts.items():
            if i in numbers:
                held[i] = arrays.result(sources.get(i), layout, kind, leaves=leaves)
            else:
                held[i] = arrays.argument(sources[i], layout, is_read=loaded.is_read[i])
            values[i] = held[i].array
        value = loaded.kernel(*(nested(self._paths, values) if self._paths else values))
        results = [value] if self._signature.returns else []
        results += [held[i].result(kind) for i in numbers]
        for each in held.values():  # after a failure arrays are not reused: the launch may still be running
            arrays.finish(each)
        return results

    def _load(self) -> _Loaded:
        """Return the kernel in the default runtime of this process."""
        loaded = self._loaded
        if loaded is None or not loaded.runtime.is_open:
            loaded = self._loaded = self._load_now()
        return loaded

    def _load_now(self) -> _Loaded:
        arch, device, seed, plan = self._options.arch, self._options.device, self._options.seed, None
        if arch is None:
            files = read_files(self._code.data, for_best_device)
            plan = plan_of(files)
            known = default(best_device(archs_of(files, plan)), None, seed)
        else:
            known = default(arch, device, seed)
            files = read_files(self._code.data, exactly(known.runtime.arch, available_archs))
        module = known.module(self._code, files, plan)
        handle = known.runtime._handle
        if self.kernel not in module.kernels and self.kernel.endswith(ADJOINT):
            call, is_read = adjoint_call(module.kernels[self.kernel.removesuffix(ADJOINT)])
            return _Loaded(handle, known.arrays, call, is_read)
        kernel = (module.kernels if self.kernel in module.kernels else module.graphs)[self.kernel]
        is_read = tuple(parameter.access == "r" for parameter in kernel.signature.parameters)
        return _Loaded(handle, known.arrays, kernel, is_read)

    def _key(self) -> tuple[str, str, Options]:
        return self.digest, self.kernel, self._options

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Function) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        # The signature is nested as bytes: another version may not be able to unpickle it.
        stated = pickle.dumps((self._signature, self._doc))
        return _restore, (this_version(), self.kernel, self._code, stated, tuple(self._options))

    def __dask_tokenize__(self) -> tuple[object, ...]:
        return ("taichi_aot.Function", self.digest, self.kernel, *self._options)

    def __repr__(self) -> str:
        names = [name for name, _ in self._options.out]
        results = ", ".join(["value"] * bool(self._signature.returns) + names)
        return f"<Function {self.kernel}({', '.join(_order(self._signature, self._results.optional))}) -> {results}>"


# `help(Function)` shows the docstring of the class, `help(function)` the kernel's.
Function.__doc__ = OfInstances(_doc_of, Function.__doc__)  # type: ignore[assignment]


class Options(NamedTuple):
    """The options of a function in a form that can be compared and pickled."""

    out: NormalOut
    arch: ArchWord | None
    device: int | None
    like: Like | None = None
    seed: SeedKey | None = None


@overload
def function(
    source: Source, kernel: str, *, out: None = None, like: Like | None = None, **where: Unpack[Where]
) -> Function: ...
@overload
def function(
    source: Source, kernel: str, *, out: str, like: Literal["numpy"] | None = None, **where: Unpack[Where]
) -> Function[npt.NDArray[Any]]: ...
@overload
def function(
    source: Source, kernel: str, *, out: str, like: Literal["torch", "jax", "cupy"], **where: Unpack[Where]
) -> Function: ...
@overload
def function(
    source: Source,
    kernel: str,
    *,
    out: Sequence[str] | Mapping[str, Spec],
    like: Like | None = None,
    **where: Unpack[Where],
) -> Function[npt.NDArray[Any] | Any]: ...


def function(
    source: Source,
    kernel: str,
    *,
    out: Out = None,
    like: Like | None = None,
    arch: ArchLike | None = None,
    device: int | None = None,
    seed: SeedLike | None = None,
) -> Function:
    """Create a function of arrays from a kernel or graph; it can be pickled for Dask, joblib and the like.

    It launches in the `default_runtime` of the calling process. The first call there loads the module.

    Parameters
    ----------
    source : path or bytes-like
        A module or bundle, as for `load`. It is read now: the files are not needed again.
    kernel : str
        The name of a kernel or graph.
    out : str, sequence of str, or mapping of str to shape
        The arrays that are results. If a call passes such an array, the function copies it first, so that the caller's
        array does not change. If a call does not pass it, the function creates it, filled with zeros. It must know the
        shape for this: the module states it with sizes of other arguments (see `Signature.with_shapes`), or `out` maps
        the array's name to a shape. A shape is the name of an array with the same shape, a size, or a sequence of
        sizes. A size is a number, the name of an integer parameter, or a symbol from the stated shapes. Vector and
        matrix elements add their dimensions. Results that the function can create come after the other parameters. None
        for a kernel that returns a value.
    like : {"numpy", "torch", "jax", "cupy"}, optional
        The library of the results. By default it follows each call: tensors of PyTorch give tensors, and likewise for
        JAX and CuPy. Other arrays, and calls without arrays, give numpy arrays. A library that is named here is
        imported with the first result. On CUDA its arrays are on the device, unless the call passes some on the host.
    arch : Arch, str or DeviceInfo, optional
        Backend or device, as for `Runtime`; by default, in each process, the best device for which the source has code.
    device : int, optional
        Index of the device, as for `default_runtime`.
    seed : int, sequence of int or numpy.random.SeedSequence, optional
        Seed of ``ti.random``, as for `Runtime.seed`. In each process, the functions with one seed launch in a runtime
        of their own, which starts from it. Give each process of a pool another one.

    Returns
    -------
    Function
        For type checkers, it returns one numpy array if `out` is a str and `like` names no other library. The
        `Functions` of a Python module that ``taichi-aot build --python`` writes have exact types.

    Raises
    ------
    FileNotFoundError, CorruptedDataError, IncompatibleModuleError
        As for `inspect`.
    NameNotFoundError
        If the module does not have the kernel.
    TypeError
        If a parameter is of another type.
    NotSupportedError
        If arguments cannot be passed for a parameter, such as a struct.
    ValueError
        If `out` names something else than arrays of the kernel, or a shape does not fit; if the function would not
        return anything; if the arch or `like` does not exist; if `device` or `seed` is negative, or `device` is given
        without an arch.

    Notes
    -----
    A pickled function contains the compressed module, its digest, the signature and the options. Several functions of
    one module in one pickle share it. What multiprocessing, `concurrent.futures` and joblib send to their processes
    names a file with the module instead, which each process reads once. A process keeps one copy of each module,
    however often it is unpickled, and loads it once. In a process with another version of this package, a call raises
    RuntimeError and names both versions.

    Examples
    --------
    >>> f = function("saxpy.tcm", "saxpy", out="y", arch="x64")
    >>> y = np.float32([1, 1, 1])
    >>> f(2.0, np.float32([1, 2, 3]), y)
    array([3., 5., 7.], dtype=float32)
    >>> y
    array([1., 1., 1.], dtype=float32)
    """
    given = normal_like(like), None if seed is None else seed_key(seed)
    options = Options(normal_out(out), *_normal_device(arch, device), *given)
    code = read_code(source)
    signature, doc = _find(stated_plans(code, options)[0], kernel)
    require_passable(signature)
    return Function._make(code, signature, doc, options)


def stated_plans(code: Code, options: Options) -> list[Plan]:
    """Return the plans that the contents of a function state, for each arch that it may run on."""
    return read_plans(code, None if options.arch in (None, "cpu", "gpu") else Arch(options.arch))


class _OfAnotherVersion:
    """A function pickled by another version of this package, which can be pickled again but not called."""

    def __init__(self, version: str, kernel: str, *rest: object) -> None:
        self._state = version, kernel, *rest

    def _load(self) -> None:
        version, kernel, *_ = self._state
        raise another_version(str(kernel), str(version))

    def __call__(self, /, *args: object, **kwargs: object) -> None:
        self._load()

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return _restore, self._state


def _restore(
    version: str, kernel: str, code: Code, stated: bytes, options: tuple[Any, ...]
) -> Function | _OfAnotherVersion:
    if version != this_version():
        return _OfAnotherVersion(version, kernel, code, stated, options)
    known = code.functions.get((kernel, Options(*options)))
    if known is not None:
        return cast("Function", known)
    signature, doc = pickle.loads(stated)
    return Function._make(code, signature, doc, Options(*options))


def _normal_device(arch: ArchLike | None, device: int | None) -> tuple[ArchWord | None, int | None]:
    """Return the arch's name and the index; each calling process resolves ``"cpu"`` and ``"gpu"`` itself."""
    index = 0 if device is None else as_integer(device, "device")
    if index < 0:
        raise ArgumentOutOfRangeError(f"device must not be negative: {short(index)}")
    if names_device(arch):
        arch, index = choose_device(arch, index)
    if isinstance(arch, str) and arch.lower() in ("cpu", "gpu"):
        name: str | None = arch.lower()
    else:
        named = arch_of(cast("str", arch))
        name = str(named) if named else None
    if name in (None, "gpu") and index:
        raise InvalidArgumentError(f"device {short(index)} needs an arch: by default it is the best device")
    return cast("ArchWord | None", name), index or None


def _find(plan: Plan, kernel: object) -> tuple[Signature, str]:
    """Return the signature and the docstring of a kernel or graph."""
    if not isinstance(kernel, str):
        raise ArgumentTypeError(f"kernel must be the name of a kernel, not {describe(kernel)}")
    stated: tuple[Mapping[str, KernelInfo | GraphInfo], ...] = (plan.public, plan.graphs)
    for items in stated:
        if kernel in items:
            return items[kernel].signature, items[kernel].doc
    raise NameNotFoundError(unknown_name("kernel or graph", kernel, (*plan.public, *plan.graphs)))


def _order(signature: Signature, optional: Sequence[int]) -> list[str]:
    """Return the names of a function's parameters: results that it can create come last."""
    names, created = python_names(signature.taken), [python_names(signature.parameters)[i] for i in optional]
    return [name for name in names if name not in created] + created


def _compile_bind(signature: Signature, optional: Sequence[int]) -> Callable[..., tuple[Any, ...]]:
    """Compile a function with the parameters of a call that returns the arguments in the kernel's order."""
    names, packs = python_names(signature.parameters), packs_of(signature)
    p = "_"
    while any(name.startswith(p) for name in [*names, *packs]):
        p += "_"
    order = _order(signature, optional)
    required = len(order) - len(optional)
    made = [f"{name}={p}made" for name in order[required:]]
    source = FunctionSource(f"def {p}bind({', '.join(order[:required] + made)}):")
    for k, (name, pack) in enumerate(packs.items()):
        source.add(f"{''.join(f'{names[i]}, ' for i in pack.indices)} = {p}pack{k}({name})")
    source.add(f"return ({''.join(f'{name}, ' for name in names)})")
    scope = {f"{p}made": MADE} | {f"{p}pack{k}": pack.arguments for k, pack in enumerate(packs.values())}
    return source.compile(f"<taichi_aot arguments of {signature.name}>", scope, signature.name)
