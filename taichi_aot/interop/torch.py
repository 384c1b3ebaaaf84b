# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportPrivateImportUsage=false
"""Functions as operators of PyTorch: for ``torch.compile``, ``torch.export`` and autograd.

This module needs PyTorch. Kernels and a `Function` also take tensors without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
import torch
from torch.autograd.forward_ad import unpack_dual
from torch.library import Library

from ..functions._function import Function
from ..functions._outputs import as_size
from ..values._errors import ArgumentTypeError, InvalidArgumentError, NotSupportedError, describe, short
from ..values._numbers import DTYPES, numpy_dtype, tensor_trouble
from ..values._signature import Parameter
from ._contract import Adjoint, Array, Contract, adjoint_of, no_gradient

__all__ = ["autograd", "register"]

NAMES = frozenset(str(numpy_dtype(each)) for each in DTYPES)
NUMBERS: dict[type, str] = {float: "float", int: "SymInt", bool: "bool"}  # of schemas, by the type in Python

# By the name of the operator, which ends with its library.
_registered: dict[str, tuple[Function, Function | None, Library]] = {}


def register(function: Function, name: str, *, backward: Function | None = None) -> Callable[..., Any]:
    """Make an operator of PyTorch from a function.

    It works in ``torch.compile`` and ``torch.export``: the shapes and dtypes of its results follow from the module and
    from ``out=`` of `taichi_aot.function`, also with symbolic sizes.

    Parameters
    ----------
    function : Function
        A function that `taichi_aot.function` created. The operator has its parameters: tensors for arrays, numbers for
        scalars, and a list of the numbers, row by row, for vectors and matrices. Results that the function can create
        are optional.
    name : str
        The name of the operator, such as ``"mylib::saxpy"``: ``torch.ops.mylib.saxpy``.
    backward : Function, optional
        The adjoint: a function that computes the gradients of the arguments; by default `Function.grad`, if the module
        has it. Its parameters are arguments and results of `function` with the same names, and gradients: ``y_grad`` is
        the gradient of the result ``y``. Its results are the gradients of arguments: ``x_grad`` begins with zeros. If
        ``y_grad`` is also a result, it is the gradient of the initial contents of ``y``. The operator
        ``name_backward`` calls it.

    Returns
    -------
    callable
        The operator: ``torch.ops.mylib.saxpy``. It returns new tensors on the device of its arguments.

    Raises
    ------
    TypeError
        If an argument is of another type.
    NotSupportedError
        If the kernel has textures, or returns a struct.
    ValueError
        If `name` is not ``"namespace::name"``, or another operator has it; if `backward` does not fit.

    Notes
    -----
    Registering the same function again returns the same operator. A process that loads a program which ``torch.export``
    saved registers the operator first.

    Examples
    --------
    >>> import torch
    >>> f = taichi_aot.function("saxpy.tcm", "saxpy", out={"y": "x"}, arch="x64")
    >>> saxpy = register(f, "mylib::saxpy")
    >>> saxpy(2.0, torch.ones(3))
    tensor([2., 2., 2.])
    >>> step = torch.compile(lambda x: torch.ops.mylib.saxpy(0.5, x) + 1, backend="eager", fullgraph=True)
    >>> step(torch.ones(3))
    tensor([1.5000, 1.5000, 1.5000])
    """
    contract = Contract(function)
    adjoint = adjoint_of(contract, backward)
    backward = None if adjoint is None else adjoint.contract.function
    namespace, label = _split(name)
    known = _registered.get(name)
    if known is None:
        if hasattr(getattr(torch.ops, namespace), label):
            raise InvalidArgumentError(f"PyTorch has an operator {name} already")
        computes = None if adjoint is None else register(adjoint.contract.function, f"{name}_backward")
        _registered[name] = function, backward, _define(contract, name, adjoint, computes)
    elif known[:2] != (function, backward):
        raise InvalidArgumentError(f"{name} is registered already, for {known[0]!r}; choose another name")
    operator_of_name: Callable[..., Any] = getattr(getattr(torch.ops, namespace), label)
    return operator_of_name


def autograd(function: Function, backward: Function | None = None) -> Callable[..., Any]:
    """Make a differentiable function of tensors from a function that has an adjoint.

    It is an operator with a name of its own: see `register`, which has the rules for `backward`.

    Parameters
    ----------
    function : Function
        A function that `taichi_aot.function` created.
    backward : Function, optional
        Its adjoint; by default `Function.grad`.

    Returns
    -------
    callable
        A function of tensors through which PyTorch computes gradients.

    Raises
    ------
    AttributeError
        If `backward` is not given, and the function does not have an adjoint: see `Function.grad`.
    TypeError, NotSupportedError, ValueError
        As for `register`.

    Examples
    --------
    >>> square = taichi_aot.function("squares.tcm", "square", out="y")  # doctest: +SKIP
    >>> autograd(square)(x).sum().backward()                            # doctest: +SKIP
    """
    contract = Contract(function)
    backward = function.grad if backward is None else backward
    Adjoint(contract, Contract(backward, "backward"))  # raises before a name is made of them
    digest = sha256(repr((function._key(), backward._key())).encode()).hexdigest()[:16]  # the same in each process
    return register(function, f"taichi_aot::function_{digest}", backward=backward)


def _split(name: object) -> tuple[str, str]:
    if not isinstance(name, str):
        raise ArgumentTypeError(f"name must be a str such as 'mylib::saxpy', not {describe(name)}")
    namespace, _, label = name.partition("::")
    if not (name.isascii() and namespace.isidentifier() and label.isidentifier()):
        raise InvalidArgumentError(f"name must be like 'mylib::saxpy', not {short(name)}")
    return namespace, label


def _define(contract: Contract, name: str, adjoint: Adjoint | None, backward: Callable[..., Any] | None) -> Library:
    """Define the operator, with its implementation for tensors, for fake ones, and for autograd."""
    namespace, label = _split(name)
    library = Library(namespace, "FRAGMENT")  # `custom_op` does not pass on that a tensor is dual
    library.define(label + _schema(contract), tags=torch.Tag.pt2_compliant_tag)
    operator = getattr(getattr(torch.ops, namespace), label).default

    def launch(*args: Any) -> Any:
        values = _padded(contract, args)
        device = _device(contract, values)
        return _one_or_all([_tensor(each, device) for each in contract.call(_converted(contract, values))])

    def pretend(*args: Any) -> Any:
        values = _padded(contract, args)
        device = _device(contract, values)
        shapes = contract.shapes(values, lambda value, where: as_size(value, where) if type(value) is int else value)
        contract.check([_outline(contract, *each) for each in zip(contract.parameters, values, strict=True)])
        made = zip(contract.results, shapes, strict=True)
        return _one_or_all(
            [torch.empty(shape, dtype=getattr(torch, each.dtype.name), device=device) for each, shape in made]
        )

    library.impl(label, torch.compiler.disable(launch), "CompositeExplicitAutograd")
    library.impl(label, _differentiable(contract, operator, adjoint, backward), "Autograd")
    torch.library.register_fake(name, pretend, lib=library)
    torch.library.register_vmap(
        name, lambda info, dims, *args: _batch(operator, info.batch_size, dims, args), lib=library
    )
    return library


def _schema(contract: Contract) -> str:
    arguments = [
        f"{_type(parameter)} {name if name.isascii() else f'arg{i}'}"
        for i, (name, parameter) in enumerate(zip(contract.names, contract.parameters, strict=True))
    ]
    made = [f"{each.replace(' ', '? ', 1)}=None" for each in arguments[contract.required :]]
    results = ", ".join(["Tensor"] * len(contract.results))
    returned = results if len(contract.results) == 1 else f"({results})"
    return f"({', '.join(arguments[: contract.required] + made)}) -> {returned}"


def _type(parameter: Parameter) -> str:
    if parameter.kind == "ndarray":
        return "Tensor"
    assert parameter.dtype is not None
    return NUMBERS[DTYPES[parameter.dtype].python] + "[]" * (parameter.kind == "matrix")


def _padded(contract: Contract, args: Sequence[Any]) -> tuple[Any, ...]:
    """Return a value for each parameter: PyTorch leaves out the last ones if they are None."""
    return (*args, *[None] * (len(contract.names) - len(args)))


def _one_or_all(results: list[Any]) -> Any:
    return results[0] if len(results) == 1 else tuple(results)


def _device(contract: Contract, values: Sequence[Any]) -> torch.device:
    """Return the device of the tensors and the results."""
    tensors = [(name, each) for name, each in zip(contract.names, values, strict=True) if _is_tensor(each)]
    for name, each in tensors:
        where = f"{contract.function.kernel}() parameter {name!r}"
        if each.device != tensors[0][1].device:
            raise InvalidArgumentError(
                f"{where}: the tensor is on {each.device}, and {tensors[0][0]!r} on {tensors[0][1].device}"
            )
        if each.layout is not torch.strided:
            raise ArgumentTypeError(
                f"{where}: the tensor is {str(each.layout).removeprefix('torch.')}: write {name}.to_dense()"
            )
    return tensors[0][1].device if tensors else torch.device("cpu")


def _is_tensor(value: object) -> bool:
    return isinstance(value, torch.Tensor)


def _outline(contract: Contract, parameter: Parameter, value: Any) -> Any:
    """Return what is known of an argument before it has numbers; None for symbols."""
    if _is_tensor(value):
        name = str(value.dtype).removeprefix("torch.")
        return Array("torch.Tensor", np.dtype(name) if name in NAMES else name)
    numbers = value if isinstance(value, list) else [value]
    if not all(type(each) in (bool, float, int) for each in numbers):
        return None
    return _matrix(contract, parameter, value) if parameter.kind == "matrix" else value


def _converted(contract: Contract, values: Sequence[Any]) -> list[Any]:
    """Return the arguments of the function."""
    converted = []
    for parameter, value in zip(contract.parameters, values, strict=True):
        if parameter.kind == "matrix":
            value = _matrix(contract, parameter, value)
        elif _is_tensor(value):
            value = value.detach().resolve_conj().resolve_neg()
            trouble = tensor_trouble(value, parameter.name)  # not of fake tensors, which have no numbers
            if trouble:
                raise ArgumentTypeError(f"{contract.function.kernel}() parameter {parameter.name!r}: {trouble}")
        converted.append(value)
    return converted


def _matrix(contract: Contract, parameter: Parameter, numbers: Sequence[Any]) -> Any:
    """Return a vector or matrix from the list of its numbers."""
    shape = parameter.elem_shape
    if len(numbers) != np.prod(shape):
        raise ArgumentTypeError(
            f"{contract.function.kernel}() parameter {parameter.name!r}: expected the {np.prod(shape)} numbers of a "
            f"{parameter.type_name}, row by row, got {len(numbers)}"
        )
    return np.array(numbers, object).reshape(shape).tolist()


def _tensor(result: Any, device: torch.device) -> torch.Tensor:
    """Return a result on the device of the arguments: a tensor already, unless there are none or `like` is another."""
    return torch.as_tensor(result if _is_tensor(result) else np.asarray(result), device=device)


def _batch(operator: Callable[..., Any], size: int, dims: Sequence[Any], args: Sequence[Any]) -> tuple[Any, Any]:
    """Call the operator for each element of a batch of ``torch.vmap``."""
    if not size:
        raise InvalidArgumentError(f"{operator} cannot be called for an empty batch of torch.vmap")
    calls = [
        operator(*[each.select(dim, i) if isinstance(dim, int) else each for each, dim in zip(args, dims, strict=True)])
        for i in range(size)
    ]
    if _is_tensor(calls[0]):
        return torch.stack(calls), 0
    return tuple(torch.stack(each) for each in zip(*calls, strict=True)), (0,) * len(calls[0])


def _differentiable(
    contract: Contract, operator: Callable[..., Any], adjoint: Adjoint | None, backward: Callable[..., Any] | None
) -> Callable[..., Any]:
    """Return the implementation for autograd. The adjoint is an operator too."""
    kernel = contract.function.kernel

    class Launch(torch.autograd.Function):  # type: ignore[misc]  # mypy has no types of PyTorch
        @staticmethod
        def forward(*args: Any) -> Any:
            with torch._C._AutoDispatchBelowAutograd():
                return operator(*args)

        @staticmethod
        def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
            if adjoint is not None:
                _remember(ctx, adjoint, inputs, output if isinstance(output, tuple) else (output,))

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> tuple[Any, ...]:
            if adjoint is None or backward is None:
                raise NotSupportedError(no_gradient(contract))
            return _differentiate(ctx, adjoint, backward, gradients)

    def launch(*given: Any) -> Any:
        args = _padded(contract, given)
        tensors = [each for each in args if _is_tensor(each)]
        if any(unpack_dual(each).tangent is not None for each in tensors):
            raise NotSupportedError(
                f"{kernel}() has no derivatives in forward mode, as in torch.func.jvp, jacfwd and hessian; call "
                "backward() or torch.autograd.grad()"
            )
        if not torch.is_grad_enabled() or not any(each.requires_grad for each in tensors):
            return Launch.forward(*args)
        if torch._C._are_functorch_transforms_active():
            raise NotSupportedError(
                f"{kernel}() cannot be differentiated by torch.func; call backward() or torch.autograd.grad()"
            )
        return Launch.apply(*args)

    return launch


def _remember(ctx: Any, adjoint: Adjoint, inputs: Sequence[Any], results: Sequence[Any]) -> None:
    """Save a call's arguments and results for the adjoint."""
    adjoint.require({i: _is_tensor(each) and ctx.needs_input_grad[i] for i, each in enumerate(inputs)})
    kept = [*inputs, *results]
    ctx.others = [None if _is_tensor(each) else each for each in kept]
    ctx.inputs = len(inputs)
    ctx.save_for_backward(*[each if _is_tensor(each) else None for each in kept])


def _differentiate(
    ctx: Any, adjoint: Adjoint, backward: Callable[..., Any], gradients: Sequence[Any]
) -> tuple[Any, ...]:
    """Return the gradients of the arguments."""
    kept = [other if tensor is None else tensor for tensor, other in zip(ctx.saved_tensors, ctx.others, strict=True)]
    inputs, results = kept[: ctx.inputs], kept[ctx.inputs :]
    found = backward(*adjoint.arguments(inputs, results, gradients, torch.zeros_like))
    computed = found if isinstance(found, tuple) else (found,)
    return tuple(
        computed[adjoint.targets[i]] if is_needed else None for i, is_needed in enumerate(ctx.needs_input_grad)
    )
