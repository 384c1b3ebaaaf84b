"""What a program that is recorded writes into its fields before kernels use them.

The numbers of a field are kept as numpy arrays until a kernel that uses it is launched for the first time: a module
has them from then on. What kernels write is not known, so what is read later is 0, and later writes are lost.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .._archs import FIELD, IMPL, MATRIX
from ._source import is_of_source

MOST_BYTES = 64 << 20  # of the contents of a field

Numbers = npt.NDArray[Any]


class FieldContents:
    """The numbers of each field of a program."""

    def __init__(self) -> None:
        # Of each component that was written, by the id of its node.
        self._numbers: dict[int, Numbers] = {}
        self._used: set[int] = set()  # components that a kernel has used
        self._unknown: set[int] = set()  # components that were written from something unknown
        self.late: dict[int, str] = {}  # the line of a write after that, by component
        self._touched: list[Any] = []  # fields that the kernel uses that is compiled

    def replace(self) -> None:
        """Replace functions of Taichi by which programs read and write fields, or kernels use them."""
        for kind in (FIELD.ScalarField, MATRIX.MatrixField):
            kind._from_external_arr = _after(kind._from_external_arr, self._write)
            kind.fill = _after(kind.fill, self._fill)
            kind.to_numpy = self._reading(kind.to_numpy)
        FIELD.Field.copy_from = _after(FIELD.Field.copy_from, self._copy)
        IMPL.subscript = self._noting(IMPL.subscript)
        IMPL.begin_frontend_struct_for = self._noting(IMPL.begin_frontend_struct_for)

    def launch(self, compile_: Callable[[], None]) -> None:
        """Compile a kernel that is launched for the first time; the fields that it uses keep their contents."""
        self._touched = []
        compile_()
        self._used |= {node for field in self._touched for node in _nodes(field)}

    def use_all(self) -> None:
        """Note that any field may be used."""
        self._used |= self._numbers.keys()

    def of(self, field: Any) -> Numbers | None:
        """Return the contents of a field of scalars, vectors or matrices; None if they are zeros or not known."""
        nodes = _nodes(field)
        if self._unknown.intersection(nodes) or not any(node in self._numbers for node in nodes):
            return None
        shape, dtype = tuple(field.shape), _dtype(field)
        zeros = np.zeros(shape, dtype)
        parts = [self._numbers.get(node, zeros) for node in nodes]
        found = np.stack(parts, axis=-1) if _is_matrix(field) else parts[0]
        return found.reshape(shape + _element_shape(field)) if found.any() else None

    def line_of_loss(self, field: Any) -> str:
        """Return a clause about contents that a module does not get; empty if it gets all that is written."""
        nodes = _nodes(field)
        late = next((self.late[node] for node in nodes if node in self.late), "")
        if late:
            return f"is written at {late} after kernels have used it: write it in your program, which launches them"
        if self._unknown.intersection(nodes):
            return f"begins with zeros: what the program writes is not known, or more than {MOST_BYTES >> 20} MiB"
        return ""

    def get(self, node: Any, key: Sequence[int]) -> Any:
        """Return an element that the program has written; None if it is not known."""
        numbers = self._numbers.get(node.id)
        return None if numbers is None or node.id in self._used else numbers[_index(node, key)].item()

    def set(self, node: Any, key: Sequence[int], value: Any) -> None:
        """Write an element."""
        if self._is_written(node.id, _shape(node), node.data_type()):
            self._numbers[node.id][_index(node, key)] = value

    def _is_written(self, node: int, shape: Sequence[int], dtype: Any) -> bool:
        """Note a write to a component, and return whether its numbers are kept."""
        if node in self._used:
            self.late.setdefault(node, _line())
            return False
        if node not in self._numbers and node not in self._unknown:
            kind = _numpy_type(str(dtype))
            if kind is None or math.prod(shape) * kind.itemsize > MOST_BYTES:
                self._unknown.add(node)
            else:
                self._numbers[node] = np.zeros(shape, kind)
        return node in self._numbers

    def _write(self, field: Any, array: Any) -> None:
        numbers: Numbers = np.asarray(array.cpu() if hasattr(array, "cpu") else array)
        self._write_parts(field, numbers.reshape((*field.shape, -1)))

    def _fill(self, field: Any, value: Any) -> None:
        numbers = np.asarray(value.to_numpy() if hasattr(value, "to_numpy") else value)
        self._write_parts(field, np.broadcast_to(numbers.ravel(), (*field.shape, len(_nodes(field)))))

    def _write_parts(self, field: Any, parts: Numbers) -> None:
        for number, node in enumerate(_nodes(field)):
            if self._is_written(node, field.shape, field.dtype):
                self._numbers[node][...] = parts[..., number]

    def _copy(self, field: Any, other: Any) -> None:
        for node, source in zip(_nodes(field), _nodes(other), strict=False):
            is_known = source in self._numbers and source not in self._used
            if self._is_written(node, field.shape, field.dtype):
                self._numbers[node][...] = self._numbers[source] if is_known else 0
                if not is_known and source in self._used | self._unknown:
                    self._unknown.add(node)

    def _reading(self, read: Callable[..., Any]) -> Callable[..., Any]:
        def to_numpy(field: Any, *arguments: Any, **options: Any) -> Any:
            result = read(field, *arguments, **options)
            known = None if self._used.intersection(_nodes(field)) else self.of(field)
            if known is not None:
                result[...] = known.reshape(result.shape)
            return result

        return to_numpy

    def _noting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*arguments: Any, **options: Any) -> Any:
            self._touched += [each for each in arguments if isinstance(each, FIELD.Field)]
            return function(*arguments, **options)

        return noting


def _after(function: Callable[..., Any], note: Callable[..., None]) -> Callable[..., Any]:
    """Return a method that notes its arguments once it has succeeded."""

    def method(field: Any, *arguments: Any, **options: Any) -> Any:
        result = function(field, *arguments, **options)
        note(field, *arguments, *options.values())
        return result

    return method


def _nodes(field: Any) -> list[int]:
    """Return the ids of a field's components, whose members they are for a field of structs."""
    nodes = [variable.ptr.snode() for variable in field._get_field_members()]
    return [node.id for node in nodes if node is not None]


def _shape(node: Any) -> tuple[int, ...]:
    return tuple(node.get_shape_along_axis(i) for i in range(node.num_active_indices()))


def _index(node: Any, key: Sequence[int]) -> tuple[int, ...]:
    """Return the place of an element, whose indices may begin at an offset, in an array."""
    offsets = tuple(node.offset) or (0,) * node.num_active_indices()
    return tuple(int(i) - first for i, first in zip(key, offsets, strict=False))


def _is_matrix(field: Any) -> bool:
    return isinstance(field, MATRIX.MatrixField)


def _element_shape(field: Any) -> tuple[int, ...]:
    return (field.n, field.m)[: field.ndim] if _is_matrix(field) else ()


def _dtype(field: Any) -> np.dtype[Any]:
    dtype = _numpy_type(str(field.dtype))
    assert dtype is not None  # otherwise no numbers are kept
    return dtype


def _numpy_type(dtype: str) -> np.dtype[Any] | None:
    """Return numpy's type for one of Taichi's; None for quantized ones."""
    if dtype == "u1":
        return np.dtype(np.uint8)
    return np.dtype(f"{dtype[0]}{int(dtype[1:]) // 8}") if dtype[1:].isdecimal() and dtype[0] in "iuf" else None


def _line() -> str:
    """Return the line of the program that is running."""
    frame = sys._getframe()
    while frame.f_back is not None and not is_of_source(frame.f_code.co_filename):
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}"
