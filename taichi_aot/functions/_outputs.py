"""The results of a function: its output arrays, the shapes of those that a call does not pass, and its adjoint.

The adjoint of a function is a function whose parameters are those of the kernel and the gradients of its arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ..arrays._layout import ArrayLayout, array_layout
from ..bundle._plan import Plan
from ..kernels._kernel import Kernel
from ..values._errors import (
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    NotSupportedError,
    count,
    describe,
    short,
)
from ..values._numbers import SYMBOL_TYPES, as_integer
from ..values._signature import Parameter, Place, Signature, nested, normal_form, path_names, python_names

if TYPE_CHECKING:
    import inspect

Size: TypeAlias = "int | str"
Spec: TypeAlias = "str | int | Sequence[Size]"
Out: TypeAlias = "str | Sequence[str] | Mapping[str, Spec] | None"
NormalOut: TypeAlias = "tuple[tuple[str, tuple[Size, ...] | str | None], ...]"


class _Made:
    """The default of a parameter that the function creates itself."""

    def __repr__(self) -> str:
        return "<made by the function>"


MADE = _Made()


def normal_out(out: Out) -> NormalOut:
    """Normalize `out` to pairs of names and shapes, which can be compared and pickled."""
    given = cast("object", out)
    if given is None:
        return ()
    if isinstance(given, str):
        return ((normal_form(given), None),)
    if isinstance(given, Mapping):
        specs = cast("Mapping[object, object]", given).items()
        return tuple((_name(name), _normal_spec(name, spec)) for name, spec in specs)
    if not isinstance(given, Sequence):
        raise ArgumentTypeError(
            f"out must be a name, a sequence of names or a mapping of names to shapes, not {describe(given)}"
        )
    return tuple((_name(name), None) for name in cast("Sequence[object]", given))


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise ArgumentTypeError(f"out: a result is named by a str, not {describe(name)}")
    return normal_form(name)


def _normal_spec(name: object, spec: object) -> tuple[Size, ...] | str:
    if isinstance(spec, str):
        return normal_form(spec)
    sizes = cast("Iterable[object]", spec if isinstance(spec, Sequence) else (spec,))
    return tuple(
        normal_form(size) if isinstance(size, str) else as_integer(size, f"out: a size of {short(name)}")
        for size in sizes
    )


class Results:
    """The results of a function, checked against the signature of its kernel; `out` is the value of `normal_out`."""

    def __init__(self, signature: Signature, out: NormalOut) -> None:
        self._signature = signature
        self._parameters = parameters = signature.parameters
        self._scalars = {p.name: i for i, p in enumerate(parameters) if p.kind == "scalar" and p.dtype in SYMBOL_TYPES}
        self._arrays = {p.name: i for i, p in enumerate(parameters) if p.kind == "ndarray"}
        self._places: dict[str, list[Place]] = {}  # by the symbols in stated shapes
        for i, parameter in enumerate(parameters):
            for axis, size in enumerate(parameter.shape):
                if isinstance(size, str):
                    self._places.setdefault(size, []).append(Place(i, axis))
        # The indices of the parameters that are results, in the order in which they are returned.
        self.numbers = tuple(self._number(name) for name, _ in out)
        if len(set(self.numbers)) != len(self.numbers):
            raise InvalidArgumentError(
                f"{signature.name}: a result occurs twice in out: {short([name for name, _ in out])}"
            )
        if not out and not signature.returns:
            raise InvalidArgumentError(f"{signature.name} does not return a value{self._hint()}")
        given = {i: self._sizes(i, spec) for i, (_, spec) in zip(self.numbers, out, strict=True) if spec is not None}
        self._shapes: dict[int, tuple[int | list[Place], ...]] = {}  # of the results that can be created
        for i in sorted(self.numbers):
            shape = given[i] if i in given else self._stated(i)
            if shape is not None and "." not in parameters[i].name:  # a call passes packs whole
                self._shapes[i] = shape
        # The indices of the results that the function can create, in the kernel's order.
        self.optional = tuple(self._shapes)

    def _hint(self) -> str:
        """Return how to name the results: the arrays that the kernel writes, as far as the module states."""
        arrays = [self._parameters[i] for i in self._arrays.values()]
        written = [each.name for each in arrays if "w" in each.access]
        if written:
            out = repr(written[0] if len(written) == 1 else written)
            return f"; it writes to {' and '.join(map(repr, written))}: state out={out}"
        unknown = [each.name for each in arrays if not each.access]
        if unknown:
            return f": name the arrays that are results with out=, such as out={unknown[-1]!r}"
        return ", and does not write to an array: launch it by the module that load() returns"

    def how_to_leave_out(self, missing: Collection[str]) -> str:
        """Return how calls can leave out the first result that is missing and whose shape is unknown."""
        arrays = [self._parameters[i] for i in self._arrays.values()]
        for i in self.numbers:
            result = self._parameters[i]
            if result.name in missing and i not in self.optional:
                same = [each.name for each in arrays if each.ndim == result.ndim and each is not result]
                shape = repr(same[0]) if same else "..."
                return f"; to leave out {result.name!r}, state its shape: out={{{result.name!r}: {shape}}}"
        return ""

    def _number(self, name: str) -> int:
        number = self._arrays.get(name)
        if number is None:
            arrays = ", ".join(map(repr, self._arrays)) or "none"
            raise InvalidArgumentError(f"{self._signature.name}: out names {short(name)}; its ndarrays are {arrays}")
        return number

    def _sizes(self, i: int, spec: tuple[Size, ...] | str) -> tuple[int | list[Place], ...]:
        """Return the shape that the user gave for a result: another array's shape, or sizes."""
        parameter = self._parameters[i]
        other = self._arrays.get(spec) if isinstance(spec, str) else None
        if other == i:
            raise InvalidArgumentError(f"{self._signature.name}: out states that {parameter.name!r} has its own shape")
        if other is not None:
            ndim = self._parameters[other].ndim
            sizes: list[int | list[Place]] = [[Place(other, axis)] for axis in range(ndim)]
        else:
            sizes = [self._size(i, size) for size in ((spec,) if isinstance(spec, str) else spec)]
        if len(sizes) != parameter.ndim:
            raise InvalidArgumentError(
                f"{self._signature.name}: out gives {parameter.name!r} {count(sizes, 'dimension')}; "
                f"it is {parameter.type_name}"
            )
        return tuple(sizes)

    def _size(self, i: int, size: Size) -> int | list[Place]:
        if isinstance(size, int):
            if size < 0:
                raise InvalidArgumentError(
                    f"{self._signature.name}: out gives {self._parameters[i].name!r} the size {short(size)}"
                )
            return size
        places = self._places_of(i, size)
        if not places:
            raise InvalidArgumentError(
                f"{self._signature.name}: out gives {self._parameters[i].name!r} the size {short(size)}, which is "
                "neither an array nor an integer parameter, nor a size that the module states for another array"
            )
        return places

    def _places_of(self, i: int, symbol: str) -> list[Place]:
        """Return the sources of the size of a result, which must not be the result itself."""
        if symbol in self._scalars:
            return [Place(self._scalars[symbol], None)]
        return [place for place in self._places.get(symbol, []) if place.parameter != i]

    def _stated(self, i: int) -> tuple[int | list[Place], ...] | None:
        """Return the shape that the module states for a result; None if a size is unknown."""
        parameter = self._parameters[i]
        sizes = tuple(size if isinstance(size, int) else self._places_of(i, size) for size in parameter.shape)
        complete = len(sizes) == parameter.ndim and all(isinstance(size, int) or size for size in sizes)
        return sizes if complete else None

    def complete(self, values: Sequence[object], layouts: dict[int, ArrayLayout]) -> None:
        """Add to `layouts` the arrays that a call does not pass."""
        if all(i in layouts for i in self.optional):
            return
        shapes = self.shapes(values, {i: layout.shape for i, layout in layouts.items()}, as_size)
        for i, shape in shapes.items():
            parameter = self._parameters[i]
            layouts[i] = array_layout(shape, parameter.dtype, parameter.elem_shape)

    def shapes(
        self, values: Sequence[object], known: Mapping[int, tuple[Any, ...]], size: Callable[[object, str], Any]
    ) -> dict[int, tuple[Any, ...]]:
        """Return the shapes of the arrays that a call does not pass.

        `values` are the arguments in the kernel's order, `known` the shapes of the arrays that the call passes, without
        their elements. The sizes may be symbols of a tracer. `size` makes a size of a scalar; its second argument
        begins the messages.
        """
        shapes = dict(known)
        left = [i for i in self.optional if i not in shapes]
        while left:
            ready = [i for i in left if all(self._is_known(each, shapes) for each in self._shapes[i])]
            if not ready:
                names = " and ".join(repr(self._parameters[i].name) for i in left)
                raise ArgumentTypeError(
                    f"{self._signature.name}(): the shape of {names} does not follow from the arguments: pass it"
                )
            for i in ready:
                shapes[i] = tuple([self._read(each, values, shapes, size) for each in self._shapes[i]])
            left = [i for i in left if i not in shapes]
        return {i: shape for i, shape in shapes.items() if i not in known}

    def _is_known(self, size: int | list[Place], known: Mapping[int, object]) -> bool:
        return isinstance(size, int) or any(place.axis is None or place.parameter in known for place in size)

    def _read(
        self,
        size: int | list[Place],
        values: Sequence[object],
        shapes: Mapping[int, tuple[Any, ...]],
        convert: Callable[[object, str], Any],
    ) -> Any:
        if isinstance(size, int):
            return size
        place = next(place for place in size if place.axis is None or place.parameter in shapes)
        if place.axis is not None:
            return shapes[place.parameter][place.axis]
        name = self._parameters[place.parameter].name
        return convert(values[place.parameter], f"{self._signature.name}() parameter {name!r}")


def as_size(value: object, where: str) -> int:
    """Return the size that a scalar states; `where` begins the messages."""
    number = as_integer(value, where)
    if number < 0:
        raise ArgumentOutOfRangeError(f"{where}: a size must not be negative, not {short(number)}")
    return number


# The adjoint of a function: a function whose parameters are those of the kernel and the gradients of its arrays.


GRAD = "_grad"  # the end of the name of a gradient
ADJOINT = ".grad"  # the end of the name of an adjoint; names of kernels with adjoints are identifiers


def why_no_adjoint(plans: Sequence[Plan], signature: Signature, out: NormalOut) -> str:
    """Return why the function of a kernel has no adjoint, as a message; empty if it has one."""
    kernel = signature.name
    if kernel not in plans[0].public:
        what = "an adjoint" if kernel.endswith(ADJOINT) else "a graph"
        return f"{kernel}() is {what}, and has no gradient of its own"
    if not plans[0].kernels[kernel].grad:
        return f"{kernel}() has no gradient: build its module with @export(grad=True)"
    adjoint = _find(plans, kernel)
    if adjoint is None:
        return f"{kernel}() has no gradient: SPIR-V code has none of arrays, only code for x64, arm64 and CUDA has"
    names, results = path_names(signature.parameters), {name for name, _ in out}
    for name, own, other in zip(names, signature.parameters, adjoint.parameters, strict=True):
        if other.grad and name + GRAD in names:
            return f"{kernel}() has no gradient here: rename its parameter {name + GRAD!r}, the gradient of {name!r}"
        if other.grad and "w" in own.access and name not in results:
            return f"{kernel}() has no gradient here: it writes {name!r}, which out= must name too"
    return ""


def adjoint_signature(plans: Sequence[Plan], signature: Signature) -> tuple[Signature, NormalOut]:
    """Return the signature of a kernel's adjoint, and its results: the gradients, which follow the other parameters."""
    adjoint = _find(plans, signature.name)
    assert adjoint is not None
    names = path_names(signature.parameters)
    parameters = [each._replace(name=name) for name, each in zip(names, signature.parameters, strict=True)]
    used = [i for i, each in enumerate(adjoint.parameters) if each.grad]
    gradients = [parameters[i]._replace(name=names[i] + GRAD, access="rw") for i in used]
    for i in used:
        parameters[i] = parameters[i]._replace(access="r")
    out: NormalOut = tuple((names[i] + GRAD, names[i]) for i in used)
    return Signature(signature.name + ADJOINT, (*parameters, *gradients)), out


def adjoint_call(kernel: Kernel) -> tuple[Callable[..., None], tuple[bool, ...]]:
    """Return a call of a kernel's adjoint, with gradients after the arguments, and which of these it only reads."""
    try:
        adjoint = kernel.grad
    except AttributeError as error:
        raise NotSupportedError(str(error)) from None
    target = adjoint._launcher.target
    parameters = target.signature.parameters
    names = [each.name for each in parameters if each.grad]
    paths = [each.name for each in parameters]

    def call(*values: Any) -> None:
        named: dict[str, Any] = {target.grads: dict(zip(names, values[len(parameters) :], strict=True))}
        adjoint(*nested(paths, values[: len(parameters)]), **named)

    return call, (*(each.access == "r" for each in parameters), *(False for _ in names))


def _find(plans: Sequence[Plan], kernel: str) -> Signature | None:
    """Return the signature of the adjoint of a kernel, if the code for any arch has it."""
    name = plans[0].kernels[kernel].grad
    return next((each.signature(name) for each in plans if name in each.kernels), None)


# Signatures and docstrings of functions for `inspect.signature` and `help`.


def description(signature: Signature, results: Results, doc: str) -> str:
    """Return the docstring of a function: the kernel's with the parameters and results of a call."""
    from ..kernels._introspection import docstring  # which imports `inspect` and images

    order = _in_order(signature, results.optional)
    types = {name: f"{stated.type_name}{', optional' * is_made}" for name, stated, is_made in order}
    returned = [f"{each.name} : {each.type_name}" for each in (signature.parameters[i] for i in results.numbers)]
    return docstring(doc or "Function of an AOT module.", types, [*signature.returns, *returned])


def python_signature(signature: Signature, optional: Sequence[int]) -> inspect.Signature:
    """Return the signature of a call: results that the function can create come last and have a default."""
    import inspect

    from ..kernels._introspection import annotation

    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=MADE if is_made else inspect.Parameter.empty,
            annotation=np.ndarray if stated.kind == "ndarray" else annotation(stated),
        )
        for name, stated, is_made in _in_order(signature, optional)
    ]
    return inspect.Signature(parameters)


def _in_order(signature: Signature, optional: Sequence[int]) -> list[tuple[str, Parameter, bool]]:
    """Return the names and parameters of a call, and whether the function can create each; these come last."""
    made = {signature.parameters[i].name for i in optional}
    named = zip(python_names(signature.taken), signature.taken, strict=True)
    return sorted([(name, each, each.name in made) for name, each in named], key=lambda each: each[2])
