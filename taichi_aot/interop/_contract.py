"""The parameters and results of functions for operators of frameworks, and the adjoints of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..arrays._layout import array_layout
from ..functions._arrays import unsafe
from ..functions._function import Function, stated_plans
from ..functions._outputs import GRAD
from ..kernels._aggregates import MatrixArgument
from ..kernels._arguments import ScalarArgument, Subject
from ..values._errors import ArgumentTypeError, InvalidArgumentError, NotSupportedError, describe, short
from ..values._numbers import numpy_dtype
from ..values._signature import UNKNOWN, Parameter, difference, python_names


class Array(NamedTuple):
    """The type of an array, known before its numbers are."""

    kind: str  # the class of the array, for messages
    dtype: str | np.dtype[Any]  # the type of its numbers; a str if numpy does not have it


class Result(NamedTuple):
    """A result of a function."""

    name: str  # the name of the array; empty for a return value of the kernel
    dtype: np.dtype[Any]  # the type of its numbers
    parameter: int  # the index of the array among the kernel's parameters; -1 for a return value
    elem_shape: tuple[int, ...]  # the shape of the array's elements, or of the return value


class Contract:
    """The parameters and results of a function, which messages call `where`."""

    def __init__(self, function: Function, where: str = "function") -> None:
        if not isinstance(function, Function):
            raise ArgumentTypeError(f"{where} must be a taichi_aot.Function, not {describe(function)}")
        self.function = function
        signature, self._rules = function.signature, function._results
        made = self._rules.optional
        self._order = (*(i for i in range(len(signature.parameters)) if i not in made), *made)
        self._is_graph = function.kernel in stated_plans(function._code, function._options)[0].graphs
        names = python_names(signature.parameters)
        # The names of its parameters, and the parameters, in the order of a call.
        self.names = tuple(names[i] for i in self._order)
        self.parameters = tuple(signature.parameters[i] for i in self._order)
        self.required = len(names) - len(made)  # how many of them a call must pass. The others are results.
        for parameter in signature.taken:
            if parameter.dtype is None:
                raise NotSupportedError(
                    f"{function.kernel}() parameter {parameter.name!r}: frameworks have no {parameter.type_name}"
                )
        arrays = [(i, signature.parameters[i]) for i in self._rules.numbers]
        self.results: tuple[Result, ...] = (  # in the order in which a call returns them
            *_returned(function),
            *(Result(names[i], numpy_dtype(each.dtype), i, each.elem_shape) for i, each in arrays if each.dtype),
        )

    def __eq__(self, other: object) -> bool:
        return self.function == other.function if isinstance(other, Contract) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.function)

    def parameter(self, name: str) -> Parameter:
        """Return the parameter of a name that a call uses."""
        return self.parameters[self.names.index(name)]

    def where(self, name: str) -> str:
        """Return the beginning of messages about a parameter."""
        return f"{self.function.kernel}() parameter {name!r}"

    def check(self, args: Sequence[Any]) -> None:
        """Raise as a call would for arguments of wrong types: for each parameter an `Array`, or numbers, or None."""
        for parameter, value in zip(self.parameters, args, strict=True):
            if value is None:
                continue
            if isinstance(value, Array):
                kind, dtype = value
                assert parameter.dtype is not None
                if isinstance(dtype, str) or not np.can_cast(dtype, numpy_dtype(parameter.dtype), "safe"):
                    raise unsafe(f"{kind} of {dtype}", self.where(parameter.name), parameter)
                continue
            subject = Subject(self.function.signature, parameter)
            if parameter.kind == "scalar":
                ScalarArgument(subject, 0, ()).check(value)
            else:
                MatrixArgument(subject, 0, (), 0, takes_flat=self._is_graph).check(value)

    def shapes(self, args: Sequence[Any], size: Callable[[object, str], Any]) -> list[tuple[Any, ...]]:
        """Return the shapes of the results of a call, with those of their elements; check the stated shapes.

        `args` has a value for each parameter, with None for a result that is not passed; of an array only the shape is
        used. `size` makes a size of a scalar; its second argument begins the messages. Sizes that are no int are not
        checked.
        """
        values: list[Any] = [None] * len(args)
        known: dict[int, tuple[Any, ...]] = {}
        for i, parameter, value in zip(self._order, self.parameters, args, strict=True):
            values[i] = value
            if parameter.kind == "ndarray" and value is not None:
                shape, ndim = tuple(value.shape), parameter.ndim
                if len(shape) != ndim + len(parameter.elem_shape) or shape[ndim:] != parameter.elem_shape:
                    raise ArgumentTypeError(
                        f"{self.where(parameter.name)}: expected {parameter.type_name}, got an array of shape "
                        f"{short(shape)}"
                    )
                known[i] = shape[:ndim]
        known.update(self._rules.shapes(values, known, size))
        self._check_shapes(values, known)
        return [known.get(each.parameter, ()) + each.elem_shape for each in self.results]

    def _check_shapes(self, values: Sequence[Any], shapes: Mapping[int, tuple[Any, ...]]) -> None:
        signature = self.function.signature
        known = {i: tuple(map(_known, shape)) for i, shape in shapes.items()}
        for i, shape in known.items():
            if UNKNOWN not in shape:
                array_layout(shape, signature.parameters[i].dtype, signature.parameters[i].elem_shape)
        message = difference(signature, [known.get(i, _known(value)) for i, value in enumerate(values)])
        if message:
            raise InvalidArgumentError(message)

    def call(self, args: Sequence[Any]) -> tuple[Any, ...]:
        """Call the function with a value for each parameter, None for a result that it makes; return all results."""
        given = {
            name: value
            for name, value in zip(self.names[self.required :], args[self.required :], strict=True)
            if value is not None
        }
        results = self.function(*args[: self.required], **given)
        values = len(self.results) - len(self._rules.numbers)
        if values > 1:  # the kernel returns a tuple
            return (*results[0], *results[1:]) if self._rules.numbers else tuple(results)
        return results if len(self.results) > 1 else (results,)


def _known(size: object) -> int:
    return size if isinstance(size, int) else UNKNOWN


def _returned(function: Function) -> list[Result]:
    """Return the return values of the kernel."""
    if not function.signature.returns:
        return []
    dtype = stated_plans(function._code, function._options)[0].kernels[function.kernel].return_dtype
    fields = [] if dtype is None else [dtype[name] for name in dtype.names or ()]
    if not fields or any(field.base.names for field in fields):
        raise NotSupportedError(f"{function.kernel}(): frameworks have no type for its return value")
    return [Result("", field.base, -1, field.shape) for field in fields]


def adjoint_of(contract: Contract, backward: Function | None) -> Adjoint | None:
    """Return the adjoint that the caller names, or the module's, or None."""
    found = getattr(contract.function, "grad", None) if backward is None else backward
    return None if found is None else Adjoint(contract, Contract(found, "backward"))


def no_gradient(contract: Contract) -> str:
    """Return the message about the gradient of a function without an adjoint."""
    try:
        _ = contract.function.grad
    except AttributeError as error:
        return str(error)
    return no_second_gradient(contract)


def no_second_gradient(contract: Contract) -> str:
    """Return the message about the gradient of a gradient."""
    return f"{contract.function.kernel}(): gradients of gradients are not supported"


class Source(NamedTuple):
    """Where an argument of an adjoint comes from."""

    kind: str  # "argument", "result", "gradient", or "zeros" of the shape of an argument
    number: int


class Adjoint:
    """A function that computes the gradients of another one.

    Its parameters are named after those of the function, in any order. ``y_grad`` is the gradient of the result ``y``,
    and a result ``x_grad`` that of the argument ``x``: it begins with zeros.
    """

    def __init__(self, forward: Contract, backward: Contract) -> None:
        self.contract = backward
        self._forward = forward
        self._arguments = {name: i for i, name in enumerate(forward.names)}
        self._results = {each.name: i for i, each in enumerate(forward.results) if each.name}
        made = {each.name for each in backward.results}
        self.sources = [self._source(name, made) for name in backward.names]  # where its arguments come from
        # The result of the adjoint that is the gradient of an argument: their indices, by that of the argument.
        self.targets: dict[int, int] = {}
        for i, each in enumerate(backward.results):
            name = each.name.removesuffix(GRAD)
            if not each.name.endswith(GRAD) or name not in self._arguments:
                raise self._wrong(f"returns {each.name or 'a value'}", "the gradient of an argument")
            self._require_type(each.name, name)
            self.targets[self._arguments[name]] = i

    def _source(self, name: str, made: set[str]) -> Source:
        whole = name.removesuffix(GRAD)
        if name in self._results:
            return Source("result", self._results[name])
        if name in self._arguments:
            return Source("argument", self._arguments[name])
        if name.endswith(GRAD) and whole in self._results:
            self._require_type(name, whole)
            return Source("gradient", self._results[whole])
        if name.endswith(GRAD) and whole in self._arguments and name in made:
            return Source("zeros", self._arguments[whole])
        raise self._wrong(f"has the parameter {name!r}", "an argument or a result, or a gradient of one")

    def _require_type(self, gradient: str, name: str) -> None:
        one, other = self.contract.parameter(gradient), self._forward.parameter(name)
        if one.type_name != other.type_name or one.kind != "ndarray":
            raise self._wrong(f"has {one}", f"an array like {other}")

    def _wrong(self, has: str, allowed: str) -> InvalidArgumentError:
        forward, backward = self._forward.function, self.contract.function
        return InvalidArgumentError(
            f"{backward.kernel}() cannot be the adjoint of {forward!r}: it {has}, which is not {allowed}"
        )

    def require(self, needed: Mapping[int, bool]) -> None:
        """Raise NotSupportedError if an argument needs a gradient that the adjoint does not compute."""
        for i, is_needed in needed.items():
            if is_needed and i not in self.targets:
                name = self._forward.names[i]
                raise NotSupportedError(
                    f"{self._forward.function.kernel}() parameter {name!r}: {self.contract.function.kernel}() does "
                    f"not compute its gradient: no result is named {name + GRAD!r}"
                )

    def arguments(
        self, args: Sequence[Any], results: Sequence[Any], gradients: Sequence[Any], zeros: Callable[[Any], Any]
    ) -> list[Any]:
        """Return the arguments of the adjoint; `zeros` makes an array of zeros like another one."""
        known = {"argument": args, "result": results, "gradient": gradients}
        return [
            (None if args[i] is None else zeros(args[i])) if kind == "zeros" else known[kind][i]
            for kind, i in self.sources
        ]
