"""The adjoint of a function: a function whose parameters are those of the kernel and the gradients of its arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..bundle._plan import Plan
from ..kernels.calls._kernel import Kernel
from ..kernels.calls._outputs import NormalOut
from ..values._errors import NotSupportedError
from ..values._signature import Signature, nested, path_names

GRAD = "_grad"  # the end of the name of a gradient
ADJOINT = ".grad"  # the end of the name of an adjoint; names of kernels with adjoints are identifiers


def why_no_adjoint(plans: Sequence[Plan], signature: Signature, out: NormalOut) -> str:
    """Return why the function of a kernel has no adjoint, as a message; empty if it has one."""
    kernel = signature.name
    if kernel not in plans[0].public:
        what = "an adjoint" if kernel.endswith(ADJOINT) else "a graph"
        return f"{kernel}() is {what}, and has no gradient of its own"
    if not plans[0].kernels[kernel].get("grad"):
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
    name = plans[0].kernels[kernel]["grad"]
    return next((each.signature(name) for each in plans if name in each.kernels), None)
