"""Signatures and docstrings of kernels and graphs for `inspect.signature` and `help`; imported at first use."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays._image import Image, Texture
from ..arrays._ndarray import NdArray
from ..values._numbers import DTYPES
from ..values._signature import TEXTURES, Parameter
from ._block import LaunchTarget

if TYPE_CHECKING:
    from ..bundle._info import ResultLayout


TEXTURE = Image | Texture
VECTOR = Sequence[float] | np.ndarray
MATRIX = Sequence[Sequence[float]] | np.ndarray
GRADS = Mapping[str, NdArray] | None
# Headings of numpydoc and Google's style, and fields of Sphinx.
_DESCRIBES_PARAMETERS = re.compile(r"^\s*(Parameters$|Args:|Arguments:|:param )", re.MULTILINE)


def python_signature(target: LaunchTarget) -> inspect.Signature:
    """Return the signature of a call: the parameters' names, the Python types that they take, and the return type."""
    parameters = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=annotation(parameter))
        for name, parameter in zip(target.taken, target.signature.taken, strict=True)
    ]
    if target.gradients:
        grads = inspect.Parameter(target.grads, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=GRADS)
        parameters.append(grads)
    return inspect.Signature(parameters, return_annotation=_return_annotation(target.layout))


def bind_signature(target: LaunchTarget, returned: type) -> inspect.Signature:
    """Return the signature of ``bind``: the kernel, then the parameters of a call."""
    kernel = inspect.Parameter("_" * (1 + max(map(len, target.taken), default=0)), inspect.Parameter.POSITIONAL_ONLY)
    parameters = python_signature(target).parameters.values()
    return inspect.Signature([kernel, *parameters], return_annotation=returned)


def description(target: LaunchTarget) -> str:
    """Return the docstring of a kernel or graph, with its parameters and Taichi's types unless it has them already."""
    signature = target.signature
    pairs = zip(target.taken, signature.taken, strict=True)
    types = {name: str(each).removeprefix(f"{each.name}: ") for name, each in pairs}
    what = f"{'Compute graph' if target.is_graph else 'Kernel'} of an AOT module."
    return docstring(target.doc or what, types, signature.returns)


def docstring(text: str, types: Mapping[str, str], returns: Sequence[str]) -> str:
    """Return a docstring with sections of the parameters and return values, unless the text describes parameters."""
    own = inspect.cleandoc(text)
    if _DESCRIBES_PARAMETERS.search(own):
        return own
    lines = [own]
    if types:
        lines += ["", "Parameters", "----------", *(f"{name} : {type_name}" for name, type_name in types.items())]
    if returns:
        lines += ["", "Returns", "-------", *returns]
    return "\n".join(lines)


def annotation(parameter: Parameter) -> Any:
    """Return the Python type of a parameter's arguments; ``Parameter.empty`` if arguments cannot be passed."""
    if parameter.kind == "ndarray":
        return NdArray
    if parameter.kind in TEXTURES:
        return TEXTURE
    if parameter.kind == "matrix":
        return VECTOR if len(parameter.elem_shape) == 1 else MATRIX
    if parameter.members:
        return Mapping
    if parameter.kind == "scalar" and parameter.dtype is not None:
        return DTYPES[parameter.dtype].python
    return inspect.Parameter.empty


def _return_annotation(layout: ResultLayout | None) -> Any:
    if layout is None:
        return None
    fields = [layout.value[name] for name in layout.value.names or ()]
    types = [np.ndarray if dtype.shape else dtype.type for dtype in fields]
    return types[0] if len(types) == 1 else tuple.__class_getitem__(tuple(types))
