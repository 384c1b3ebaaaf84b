"""The decorator `export`, which collects the kernels to compile. It does not import ``taichi``."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast, overload

from ...values._errors import short

Dimension: TypeAlias = "str | int"
Shape: TypeAlias = "Dimension | Sequence[Dimension]"
KernelFunction = TypeVar("KernelFunction", bound=Callable[..., Any])

MAX_SIZE = 2**31 - 1  # of a dimension: Taichi's indices are i32


@dataclass(frozen=True)
class Export:
    """A kernel to compile, with the options of its decorator."""

    function: Callable[..., Any]  # the kernel, or the function below ``@ti.kernel``
    name: str  # its name in the module
    shapes: Mapping[str, tuple[str | int, ...]]  # stated shapes by parameter
    # Values of template parameters, and types or samples of ndarrays that have no type.
    template_types: Mapping[str, Any]
    grad: bool = False  # whether its adjoint is compiled too


EXPORTS: list[Export] = []
FIELDS: list[tuple[str, Any]] = []


@overload
def export(name: KernelFunction, /) -> KernelFunction: ...


@overload
def export(
    name: str | None = None,
    *,
    shapes: Mapping[str, Shape] | None = None,
    template_types: Mapping[str, Any] | None = None,
    grad: bool = False,
) -> Callable[[KernelFunction], KernelFunction]: ...


def export(
    name: Any = None,
    *,
    shapes: Mapping[str, Shape] | None = None,
    template_types: Mapping[str, Any] | None = None,
    grad: bool = False,
) -> Any:
    """Mark a kernel for `build`; use the decorator above ``@ti.kernel``, with or without parentheses.

    It returns the kernel unchanged. The decorator also works if ``taichi`` is not installed.

    Parameters
    ----------
    name : str, optional
        Name of the kernel in the module, an identifier; by default the function's name.
    shapes : mapping of str to shape, optional
        Sizes of the dimensions of ndarrays, by parameter: ``{"x": "n", "m": ("n", 3)}``. A symbol means the same number
        in all arrays of one launch. A shape of one dimension may be written without a tuple.
    template_types : mapping of str to object, optional
        For each ``ti.template()`` parameter its value: a field or a number. For each ndarray parameter whose annotation
        lacks ``dtype`` or ``ndim``, a ``ti.types.ndarray(dtype=..., ndim=...)`` or an ndarray of that type.
    grad : bool, default False
        Whether to compile the adjoint too, which `Kernel.grad` launches. All ndarrays of floats have a gradient, except
        those with the annotation ``needs_grad=False``. Modules for x64, arm64 and CUDA have it; others do without.

    Raises
    ------
    TypeError
        If the decorated object is not a function, or an argument has the wrong type.
    ValueError
        If the name is not an identifier, a shape is invalid, or a parameter does not exist.

    Examples
    --------
    >>> @export(shapes={"x": "n", "y": "n"})                            # doctest: +SKIP
    ... @ti.kernel
    ... def saxpy(a: ti.f32, x: ti.types.ndarray(ti.f32, 1), y: ti.types.ndarray(ti.f32, 1)):
    ...     for i in y:
    ...         y[i] = a * x[i] + y[i]
    """
    if name is not None and not isinstance(name, str):
        if not callable(name):
            raise TypeError(f"the name of an exported kernel is a string, not {short(name)}")
        return _add(name, None, {}, {}, grad=False)

    def decorate(function: KernelFunction) -> KernelFunction:
        return _add(function, name, shapes or {}, template_types or {}, grad=grad)

    return decorate


def export_field(name: str, field: Any) -> None:
    """Mark a field for `build`, which adds it to the module with kernels that read and write it.

    Parameters
    ----------
    name : str
        Name of the field in the module, an identifier.
    field : ti.Field
        A field of scalars, vectors, matrices or structs.

    Examples
    --------
    >>> velocity = ti.Vector.field(2, ti.f32, shape=(64, 64))           # doctest: +SKIP
    >>> export_field("velocity", velocity)                              # doctest: +SKIP
    """
    FIELDS.append((_identifier(name, "field"), field))


def _add(
    function: KernelFunction,
    name: str | None,
    shapes: Mapping[str, Shape],
    template_types: Mapping[str, Any],
    *,
    grad: bool,
) -> KernelFunction:
    given: Any = function
    if not inspect.isfunction(given) and not hasattr(given, "_primal"):  # an object, as kernels of Quadrants are
        raise TypeError(f"@export is for kernels, not for {short(function)}")
    name = _identifier(function.__name__ if name is None else name, "kernel")
    parameters = list(inspect.signature(function).parameters)
    for parameter in template_types:
        if str(parameter).partition(".")[0] not in parameters:
            raise ValueError(f"kernel {name} has no parameter {short(parameter)} to give a type to")
    # Members of packs, such as pack.x, are known once Taichi is imported.
    members = [each for each in shapes if str(each).partition(".")[0] in parameters] if shapes else []
    stated = read_shapes(name, shapes, [*parameters, *members])
    EXPORTS.append(Export(function, name, stated, dict(template_types), bool(grad)))
    return function


def _identifier(name: object, kind: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"the name of a {kind} is a string, not {short(name)}")
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(
            f"{short(name)} cannot be the name of a {kind}: it is a keyword of Python, or not an identifier"
        )
    return name


def read_shapes(name: str, shapes: Mapping[str, Shape], parameters: Sequence[str]) -> dict[str, tuple[str | int, ...]]:
    """Return the stated shapes as tuples."""
    if not isinstance(shapes, Mapping):
        raise TypeError(f"the shapes of {name} are a mapping of parameters to shapes, not {short(shapes)}")
    found: dict[str, tuple[str | int, ...]] = {}
    for parameter, shape in shapes.items():
        if parameter not in parameters:
            raise ValueError(
                f"{name} has no parameter {short(parameter)} to state a shape of; it has: {', '.join(parameters)}"
            )
        dimensions = _dimensions(f"{name}: shape of {parameter}", shape)
        for dimension in dimensions:
            _check_dimension(f"{name}: shape of {parameter}", dimension)
        found[parameter] = dimensions
    return found


def _dimensions(where: str, shape: object) -> tuple[Any, ...]:
    if isinstance(shape, (str, int)):
        return (shape,)
    if not isinstance(shape, (tuple, list)):
        raise TypeError(f"{where}: a shape is a symbol, an int, or a tuple of them, not {short(shape)}")
    return tuple(cast("Sequence[Any]", shape))


def _check_dimension(where: str, dimension: object) -> None:
    if isinstance(dimension, str):
        if not dimension.isidentifier() or keyword.iskeyword(dimension):
            raise ValueError(f"{where}: a symbol is an identifier, not {short(dimension)}")
    elif type(dimension) is not int:
        raise TypeError(f"{where}: a dimension is a symbol or an int, not {short(dimension)}")
    elif not 0 <= dimension <= MAX_SIZE:
        raise ValueError(f"{where}: a dimension has 0 to {MAX_SIZE} elements, not {dimension}")
