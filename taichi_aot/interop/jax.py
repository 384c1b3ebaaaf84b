# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false
"""Functions that JAX can trace: in ``jax.jit``, ``jax.vmap`` and ``jax.grad``.

This module needs JAX. Without it, kernels take arrays of JAX through ``from_dlpack``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero

from ..functions._arrays import host_array
from ..functions._function import Function
from ..functions._outputs import as_size
from ..values._errors import ArgumentNotFoundError, ArgumentTypeError, NotSupportedError, unknown_parameter
from ..values._numbers import plain_array
from ..values._signature import Parameter
from ._contract import Adjoint, Array, Contract, adjoint_of, no_gradient, no_second_gradient

__all__ = ["traceable"]


def traceable(function: Function, *, backward: Function | None = None) -> Callable[..., Any]:
    """Make a function of JAX arrays that JAX can trace.

    It calls the function on the host by ``jax.pure_callback``: a GPU's arrays are copied. ``jax.vmap`` calls it once
    for each element of the batch.

    Parameters
    ----------
    function : Function
        A function that `taichi_aot.function` created.
    backward : Function, optional
        The adjoint, by the rules of `taichi_aot.interop.torch.register`; by default `Function.grad`, if the module has
        it.

    Returns
    -------
    callable
        A function with the same parameters. It returns JAX arrays, whose shapes follow from the module and from
        ``out=``. Scalars may be traced, except those that are sizes.

    Raises
    ------
    TypeError, NotSupportedError, ValueError
        As for `taichi_aot.interop.torch.register`.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> f = taichi_aot.function("saxpy.tcm", "saxpy", out={"y": "x"}, arch="x64")
    >>> saxpy = traceable(f)
    >>> step = jax.jit(lambda x: saxpy(0.5, x) + 1)
    >>> step(jnp.ones(3)).tolist()
    [1.5, 1.5, 1.5]
    """
    contract = Contract(function)
    adjoint = adjoint_of(contract, backward)
    why = no_gradient(contract) if adjoint is None else no_second_gradient(contract)

    def call(*args: Any, **kwargs: Any) -> Any:
        values = _bound(contract, args, kwargs)
        given = [
            _converted(contract, parameter, value) for parameter, value in zip(contract.parameters, values, strict=True)
        ]
        results = _differentiable(contract, adjoint, given, why)
        return results[0] if len(results) == 1 else results

    call.__name__ = call.__qualname__ = function.kernel
    call.__signature__ = function.__signature__  # type: ignore[attr-defined]
    return call


class _Plan(NamedTuple):
    """A call but for its traced arguments. Equal plans are one callback, which JAX compiles once."""

    contract: Contract
    fixed: tuple[Any, ...]  # the other arguments; None for those that are traced or not passed
    is_traced: tuple[bool, ...]

    def merged(self, traced: Sequence[Any]) -> list[Any]:
        """Return a value for each parameter."""
        left = iter(traced)
        return [next(left) if is_traced else each for each, is_traced in zip(self.fixed, self.is_traced, strict=True)]

    def __call__(self, *traced: Any) -> tuple[Any, ...]:
        """Call the function on the host."""
        contract = self.contract
        host = [np.asarray(each) for each in traced]
        values = [
            value[()] if parameter.kind == "scalar" and isinstance(value, np.ndarray) else value
            for parameter, value in zip(contract.parameters, self.merged(host), strict=True)
        ]
        return tuple(map(np.asarray, contract.call(values)))


def _bound(contract: Contract, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
    """Return a value for each parameter, None for results that are not passed."""
    names, kernel = contract.names, contract.function.kernel
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    for name in kwargs:
        if name not in names:
            raise unknown_parameter(f"{kernel}() got an unexpected keyword argument {name!r}")
    if len(args) + len(kwargs) > len(given):
        raise ArgumentTypeError(f"{kernel}() got too many arguments: it has {', '.join(names)}")
    for name in names[: contract.required]:
        if given.get(name) is None:
            raise ArgumentNotFoundError(f"{kernel}() is missing the argument {name!r}")
    return [given.get(name) for name in names]


def _converted(contract: Contract, parameter: Parameter, value: Any) -> Any:
    """Return an argument as an array of JAX, or as numbers that can be hashed."""
    if any(isinstance(each, jax.Array) for each in jax.tree.leaves(value)):
        return jnp.asarray(value)
    if value is None:
        return None
    if parameter.kind != "ndarray":
        return _tuples(plain_array(value, parameter.name).tolist())
    array = host_array(value, contract.where(parameter.name), parameter)
    _require_dtype(contract, parameter.name, array.dtype)
    return jnp.asarray(array)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _outline(parameter: Parameter, value: Any) -> Any:
    """Return what is known of an argument before it has numbers; for scalars, vectors and matrices zeros."""
    if not isinstance(value, jax.Array):
        return value
    dtype = value.dtype if isinstance(value.dtype, np.dtype) else str(value.dtype)  # a str for keys of jax.random
    if parameter.kind == "ndarray":
        return Array("jax.Array", dtype)
    return np.zeros(value.shape, dtype)[() if parameter.kind == "scalar" else ...]


def _require_dtype(contract: Contract, name: str, dtype: np.dtype[Any]) -> None:
    if jax.dtypes.canonicalize_dtype(dtype) != dtype:
        raise NotSupportedError(
            f"{contract.function.kernel}(): {name or 'the return value'} is {dtype}, which JAX lacks "
            'unless jax.config.update("jax_enable_x64", True) is called first'
        )


def _launch(plan: _Plan, why: str, *traced: Any) -> tuple[Any, ...]:
    """Call the function in the traced program; `why` is the message if the program differentiates the call."""
    contract, args = plan.contract, plan.merged(traced)
    shapes = contract.shapes(args, _size)
    contract.check([_outline(*each) for each in zip(contract.parameters, args, strict=True)])
    made = []
    for result, shape in zip(contract.results, shapes, strict=True):
        _require_dtype(contract, result.name, result.dtype)
        made.append(jax.ShapeDtypeStruct(shape, result.dtype))
    call: Any = partial(jax.pure_callback, plan, tuple(made), vmap_method="sequential")
    if any(isinstance(each, jax.core.Tracer) for each in traced):  # otherwise the rule would double the time of a call
        call = _not_differentiable(call, why)
    return tuple(call(*traced))


def _not_differentiable(call: Callable[..., Any], why: str) -> Any:
    """Return a function that raises where JAX differentiates it."""

    def refuse(*_: Any) -> Any:
        raise NotSupportedError(why)

    rule = jax.custom_jvp(call)
    rule.defjvp(refuse)
    return rule


def _size(value: Any, where: str) -> int:
    if isinstance(value, jax.core.Tracer):
        raise ArgumentTypeError(f"{where} is a size of a result: it must not be traced; see static_argnames of jax.jit")
    return as_size(value, where)


def _differentiable(contract: Contract, adjoint: Adjoint | None, args: Sequence[Any], why: str) -> tuple[Any, ...]:
    """Call the function in the traced program, with its adjoint as the rule for gradients; `why` as for `_launch`."""
    places = [i for i, each in enumerate(args) if isinstance(each, jax.Array)]
    fixed = tuple(None if isinstance(each, jax.Array) else each for each in args)
    plan = _Plan(contract, fixed, tuple(i in places for i in range(len(args))))
    launch = partial(_launch, plan, why)
    if adjoint is None:
        return launch(*[args[i] for i in places])

    def forward(*primals: Any) -> tuple[Any, Any]:
        adjoint.require({i: bool(each.perturbed) for i, each in zip(places, primals, strict=True)})
        traced = [each.value for each in primals]
        results = launch(*traced)
        return results, (traced, results)

    def differentiate(kept: Any, cotangents: Any) -> tuple[Any, ...]:
        traced, results = kept
        gradients = [
            jnp.zeros(each.shape, each.dtype) if isinstance(each, SymbolicZero) else jnp.asarray(each)
            for each in cotangents
        ]
        values = adjoint.arguments(plan.merged(traced), results, gradients, jnp.zeros_like)
        found = _differentiable(adjoint.contract, None, values, why)
        return tuple(found[adjoint.targets[i]] if i in adjoint.targets else None for i in places)

    rule: Any = jax.custom_vjp(launch)
    rule.defvjp(forward, differentiate, symbolic_zeros=True)
    results: tuple[Any, ...] = rule(*[args[i] for i in places])
    return results
