"""Signatures of functions for `inspect.signature`; imported at first use."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import numpy as np

from ..kernels._introspection import annotation
from ..kernels._outputs import MADE
from ..values._signature import Parameter, Signature, python_names

__all__ = ["python_signature"]


def python_signature(signature: Signature, optional: Sequence[int]) -> inspect.Signature:
    """Return the signature of a call: results that the function can create come last and have a default."""
    names = python_names(signature.parameters)

    def parameter(i: int, stated: Parameter) -> inspect.Parameter:
        kind = np.ndarray if stated.kind == "ndarray" else annotation(stated)
        default = MADE if i in optional else inspect.Parameter.empty
        return inspect.Parameter(names[i], inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind)

    parameters = [parameter(i, stated) for i, stated in enumerate(signature.parameters)]
    return inspect.Signature(sorted(parameters, key=lambda each: each.default is MADE))
