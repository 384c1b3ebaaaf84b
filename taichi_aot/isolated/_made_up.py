"""Made-up arguments for trying or measuring a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..arrays._image import Image
from ..arrays._ndarray import NdArray
from ..values._dtypes import SYMBOL_TYPES, numpy_dtype
from ..values._errors import NotSupportedError
from ..values._image_enums import Format
from ..values._signature import Parameter, Signature, why_unpassable

if TYPE_CHECKING:
    from ..runtime._runtime import Runtime

Argument: TypeAlias = "NdArray | Image | np.generic | npt.NDArray[Any]"
Shape: TypeAlias = tuple[int, ...]

IMAGE_SIZE = 64  # width, height and depth of a made-up image


def choose_sizes(
    signature: Signature, shapes: Mapping[str, Shape], elements: int, numbers: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Choose a size for each symbol of stated shapes: from a given shape or number, else one that fits all arrays."""
    sizes: dict[str, int] = {}
    given: dict[str, int] = {}
    limits = {
        parameter.name: int(np.iinfo(numpy_dtype(parameter.dtype)).max)
        for parameter in signature.parameters
        if parameter.kind == "scalar" and parameter.dtype is not None and parameter.dtype in SYMBOL_TYPES
    }
    for parameter in signature.parameters:
        shape = shapes.get(parameter.name, ())
        for axis, size in enumerate(parameter.shape):
            if isinstance(size, str):
                largest = sizes.get(size, limits.get(size, elements))
                sizes[size] = min(largest, _edge(parameter.ndim, elements))
                if len(shape) == parameter.ndim:
                    given.setdefault(size, shape[axis])
    return sizes | given | {name: number for name, number in (numbers or {}).items() if name in sizes}


def choose_shape(parameter: Parameter, sizes: Mapping[str, int], elements: int) -> Shape:
    """Return the shape of a made-up array: as stated, else with equal dimensions. Return () for other kinds."""
    if parameter.kind != "ndarray":
        return ()
    edges = (_edge(parameter.ndim, elements),) * parameter.ndim
    return tuple(sizes[size] if isinstance(size, str) else size for size in parameter.shape or edges)


def _edge(ndim: int, elements: int) -> int:
    return 1 << (elements.bit_length() - 1) // max(ndim, 1)


def make_argument(runtime: Runtime, parameter: Parameter, shape: Shape, sizes: Mapping[str, int]) -> Argument:
    """Make up an argument for `make_arguments`: an array of this shape, or a number from `sizes`."""
    if parameter.kind in ("texture", "rw_texture"):
        image = runtime.allocate_image((IMAGE_SIZE,) * parameter.ndim, Format(parameter.format or "rgba32f"))
        image.write(np.zeros(image.shape, image.dtype))
        return image
    if reason := why_unpassable(parameter):
        raise NotSupportedError(f"parameter {parameter} cannot be made up: {reason}")
    if parameter.layout is not None:
        return np.ones((), parameter.layout)[()]
    assert parameter.dtype is not None
    dtype = numpy_dtype(parameter.dtype)
    if parameter.kind == "ndarray":
        return runtime.full(shape, 0 if parameter.ndim else 1, parameter.dtype, parameter.elem_shape)
    if len(parameter.elem_shape) == 2:
        return np.eye(*parameter.elem_shape, dtype=dtype)
    if parameter.kind == "scalar" and parameter.name in sizes:
        return np.array(sizes[parameter.name], dtype)
    return np.ones(parameter.elem_shape, dtype)[()]
