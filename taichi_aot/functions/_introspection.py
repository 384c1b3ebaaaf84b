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
    names = python_names(signature.parameters)
    order = sorted(range(len(names)), key=lambda i: i in results.optional)
    types = {names[i]: f"{signature.parameters[i].type_name}{', optional' * (i in results.optional)}" for i in order}
    returned = [f"{names[i]} : {signature.parameters[i].type_name}" for i in results.numbers]
    return docstring(doc or "Function of an AOT module.", types, [*signature.returns, *returned])


def python_signature(signature: Signature, optional: Sequence[int]) -> inspect.Signature:
    """Return the signature of a call: results that the function can create come last and have a default."""
    names = python_names(signature.parameters)

    def parameter(i: int, stated: Parameter) -> inspect.Parameter:
        kind = np.ndarray if stated.kind == "ndarray" else annotation(stated)
        default = MADE if i in optional else inspect.Parameter.empty
        return inspect.Parameter(names[i], inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind)

    parameters = [parameter(i, stated) for i, stated in enumerate(signature.parameters)]
    return inspect.Signature(sorted(parameters, key=lambda each: each.default is MADE))
