"""Signatures and docstrings of functions for `inspect.signature` and `help`; imported at first use."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import numpy as np

from ..kernels.calls._introspection import annotation, docstring
from ..kernels.calls._outputs import MADE, Results
from ..values._signature import Parameter, Signature, python_names


def description(signature: Signature, results: Results, doc: str) -> str:
    """Return the docstring of a function: the kernel's with the parameters and results of a call."""
    order = _in_order(signature, results.optional)
    types = {name: f"{stated.type_name}{', optional' * is_made}" for name, stated, is_made in order}
    returned = [f"{each.name} : {each.type_name}" for each in (signature.parameters[i] for i in results.numbers)]
    return docstring(doc or "Function of an AOT module.", types, [*signature.returns, *returned])


def python_signature(signature: Signature, optional: Sequence[int]) -> inspect.Signature:
    """Return the signature of a call: results that the function can create come last and have a default."""
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
