"""Fields of a module, read and written through accessor kernels in the module, and the members of struct fields."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays._layout import ArrayLayout, LaidOut, check_output, wrong_write
from ..arrays._ndarray import NdArray
from ..handles._runtime import Unique
from ..values._errors import (
    ArgumentIndexError,
    ArgumentTypeError,
    InvalidArgumentError,
    NotSupportedError,
    describe,
    short,
)
from ..values._items import refuse_in_place, state_absent
from ..values._numbers import Casting, DataType, NumberLike, as_integer, convert_array
from ..values._signature import Tree, tree_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..bundle._info import FieldInfo
    from ..handles._module import ModuleHandle
    from ..handles._runtime import Runtime
    from ._kernel import Kernel


FEWEST = 1024  # elements for which the first list has room


class Field(LaidOut, Unique):
    """A field of a module, from `AotModule.fields`.

    The host cannot access the memory of fields. In a module from `taichi_aot.build`, each field has two kernels that
    copy it to an array and back; the methods launch them, in order with other launches. A field holds zeros until it is
    first written. It keeps its contents until the runtime is closed, even if the module is loaded again.

    In sparse fields, missing elements read as 0, writing 0 to them does nothing, and elements are never removed;
    `to_sparse` lists the others. A sparse field may be too large for an array: then `write_sparse` is its other method.
    The dtype of a quantized field is its compute type.

    Examples
    --------
    >>> v = simulation.fields["v"]
    >>> v
    <Field v: field[vector(3, f32), (4, 4)] on x64>
    >>> v.write(np.ones((4, 4, 3), np.float32))
    >>> simulation.kernels["accelerate"](0.5)
    >>> v.to_numpy()[0, 0]
    array([1. , 0.5, 1. ], dtype=float32)
    """

    __slots__ = ("_gatherer", "_getter", "_info", "_layout", "_module", "_runtime", "_scatterer", "_setter")
    _created_by = "its module"
    _gatherer: Kernel | None  # of sparse fields, as the scatterer
    _getter: Kernel | None  # None if it is too large for an array, as the setter
    _info: FieldInfo
    _module: ModuleHandle
    _runtime: Runtime
    _scatterer: Kernel | None
    _setter: Kernel | None

    @classmethod
    def _make(
        cls, runtime: Runtime, module: ModuleHandle, info: FieldInfo, accessors: Sequence[Kernel | None]
    ) -> Field:
        self = object.__new__(cls)
        self._runtime = runtime
        self._module = module
        self._info = info
        assert info.dtype is not None
        self._layout = ArrayLayout(info.shape, info.dtype, info.elem_shape, is_array=False)
        self._getter, self._setter, self._gatherer, self._scatterer = accessors
        return self

    @property
    def name(self) -> str:
        """The name in the module."""
        return self._info.name

    @property
    def runtime(self) -> Runtime:
        """The runtime of the module."""
        return self._runtime

    @property
    def closed(self) -> bool:
        """Whether the module or the runtime was closed; other operations then raise ValueError."""
        return self._module.closed

    def to_numpy(self, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Copy the field into a numpy array of shape ``shape + elem_shape``, after all earlier launches.

        Parameters
        ----------
        out : ndarray, optional
            C-contiguous array of that shape and the field's dtype to copy into. By default a new array is created.

        Returns
        -------
        ndarray
            `out`, if given.

        Raises
        ------
        TypeError, ValueError, DeviceLostError
            As for `NdArray.to_numpy`; ValueError also if the module is closed.
        OutOfMemoryError
            If the device does not have enough memory for a copy of the field.

        Examples
        --------
        >>> simulation.fields["v"].to_numpy().shape
        (4, 4, 3)
        """
        if out is not None:
            check_output(out, self._layout.numpy_shape, self._layout.dtype)
        get = self._of_array(self._getter)
        with self._array() as array:
            get(array)
            return array.to_numpy(out)

    def write(self, array: npt.ArrayLike, *, casting: Casting = "safe") -> None:
        """Copy `array` into the field, before all later launches.

        Parameters
        ----------
        array : array_like
            Numbers of shape ``shape + elem_shape``.
        casting : str, default "safe"
            numpy's rule for casts of arrays, as for `NdArray.write`.

        Raises
        ------
        TypeError, OverflowError, ValueError
            As for `NdArray.write`; ValueError also if the module is closed.
        OutOfMemoryError
            If the device does not have enough memory for a copy of the field.

        Examples
        --------
        >>> simulation.fields["v"].write(np.zeros((4, 4, 3), np.float32))
        """
        layout = self._layout
        source = convert_array(array, self.data_type, "array", casting)
        if source.shape != layout.numpy_shape:
            raise wrong_write(source.shape, self)
        self._module.require_open()
        put = self._of_array(self._setter)
        with self._runtime.asarray(source, self.data_type, layout.elem_shape) as copy:
            put(copy)

    def from_numpy(self, array: npt.ArrayLike) -> None:
        """Copy `array` into the field: Taichi's name of `write`, with the casting ``"same_kind"``.

        Raises
        ------
        TypeError, OverflowError, ValueError, OutOfMemoryError
            As for `write`. Floats are not cast to integers.

        Examples
        --------
        >>> simulation.fields["v"].from_numpy(np.ones((4, 4, 3)))
        """
        self.write(array, casting="same_kind")

    def fill(self, value: NumberLike | npt.ArrayLike) -> None:
        """Set every number of the field to `value`, or every element to a vector or matrix, before all later launches.

        Raises
        ------
        TypeError, OverflowError, ValueError
            As for `NdArray.fill`; ValueError also if the module is closed.

        Examples
        --------
        >>> simulation.fields["v"].fill(2)
        >>> simulation.fields["v"].fill([0, -9.8, 0])
        """
        element = convert_array(value, self.data_type, "value")
        if element.ndim and element.shape == self.elem_shape:
            self.write(np.broadcast_to(element, self._layout.numpy_shape))
            return
        if element.ndim:
            raise ArgumentTypeError(f"value: expected a number to fill {self!r} with, not {describe(value)}")
        put = self._of_array(self._setter)
        with self._array() as array:
            array.fill(element[()])
            put(array)

    def copy_to(self, target: NdArray) -> None:
        """Copy the field into an array of the same runtime, shape, element shape and dtype, on the device.

        Raises
        ------
        TypeError
            If `target` is not an NdArray, or has another dtype or element shape.
        ValueError
            If the shapes differ, the module or `target` is closed, or `target` belongs to another runtime.

        Examples
        --------
        >>> array = rt.empty((4, 4), "f32", 3)
        >>> simulation.fields["v"].copy_to(array)
        """
        self._of_array(self._getter)(self._checked(target))

    def copy_from(self, source: NdArray | Field) -> None:
        """Copy an array or field of the same runtime, shape, element shape and dtype into the field, on the device.

        Raises
        ------
        TypeError, ValueError
            As for `copy_to`.

        Examples
        --------
        >>> simulation.fields["v"].copy_from(rt.full((4, 4), 0.5, "f32", 3))
        """
        if isinstance(source, Field):
            with self._array() as array:
                source.copy_to(array)
                self.copy_from(array)
            return
        self._of_array(self._setter)(self._checked(source))

    def to_sparse(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any]]:
        """Copy the elements other than 0, after all earlier launches; of a sparse field without its empty parts.

        Returns
        -------
        indices : ndarray of shape (n, ndim)
            The index of each element, counted from 0, in order.
        values : ndarray of shape (n,) + elem_shape
            The elements. One whose bits are all 0 is left out: negative zeros are listed.

        Raises
        ------
        ValueError, OutOfMemoryError, DeviceLostError
            As for `to_numpy`.

        Examples
        --------
        >>> v = simulation.fields["v"]
        >>> v.fill(0)
        >>> v.write_sparse([[2, 3]], [[1, 2, 3]])
        >>> indices, values = v.to_sparse()
        >>> indices.tolist(), values.tolist()
        ([[2, 3]], [[1.0, 2.0, 3.0]])
        """
        if self._gatherer is None:
            array = self.to_numpy()
            bits = array.reshape(*self.shape, math.prod(self.elem_shape)).view(np.uint8)
            found = bits.any(-1)
            return np.argwhere(found).astype(np.int32), array[found]
        self._module.require_open()
        room = FEWEST
        while True:
            with self._listed(room) as (count, indices, values):
                self._gatherer(count, indices, values)
                number = int(count.to_numpy()[0])
                if number <= room:
                    places, elements = indices.to_numpy()[:number], values.to_numpy()[:number]
                    order = np.lexsort(places.T[::-1])
                    return places[order], elements[order]
            room = number

    def write_sparse(self, indices: npt.ArrayLike, values: npt.ArrayLike, *, casting: Casting = "safe") -> None:
        """Write some elements, before all later launches; sparse fields create those that they lack.

        Parameters
        ----------
        indices : array_like of int
            The index of each element, counted from 0, of shape ``(n, ndim)``. If one occurs twice, any of the values is
            written.
        values : array_like
            The elements, of shape ``(n,) + elem_shape``.
        casting : str, default "safe"
            As for `write`.

        Raises
        ------
        IndexError
            If an index is outside the field.
        TypeError, OverflowError, ValueError, OutOfMemoryError
            As for `write`.

        Examples
        --------
        >>> simulation.fields["v"].write_sparse([[0, 1], [2, 3]], np.ones((2, 3), np.float32))
        """
        places, elements = self._checked_elements(indices, values, casting)
        if not len(places):
            return
        if self._scatterer is None:
            array = self.to_numpy()
            array[tuple(places.T)] = elements
            self.write(array)
            return
        with (
            self._runtime.asarray(places) as own_places,
            self._runtime.asarray(elements, self.data_type, self.elem_shape) as own_elements,
        ):
            self._scatterer(own_places, own_elements)

    def _checked_elements(
        self, indices: npt.ArrayLike, values: npt.ArrayLike, casting: Casting
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any]]:
        """Return the arguments of `write_sparse` as arrays; raise if they do not fit."""
        elements = convert_array(values, self.data_type, "values", casting)
        places = convert_array(indices, DataType.I64, "indices")
        if places.ndim != 2 or places.shape[1] != len(self.shape):
            raise InvalidArgumentError(f"indices: expected the shape (n, {len(self.shape)}), got {short(places.shape)}")
        wanted = (len(places), *self.elem_shape)
        if elements.shape != wanted:
            raise InvalidArgumentError(f"values: expected the shape {wanted}, got {short(elements.shape)}")
        outside = ((places < 0) | (places >= np.array(self.shape))).any(-1)
        if outside.any():
            raise ArgumentIndexError(f"index {places[outside][0].tolist()} is outside {self!r}")
        self._module.require_open()
        return places.astype(np.int32), elements

    @contextmanager
    def _listed(self, room: int) -> Generator[tuple[NdArray, NdArray, NdArray]]:
        """Create the arrays for `room` elements, with a count of 0."""
        with (
            NdArray(self._runtime, (1,), DataType.I32, ()) as count,
            NdArray(self._runtime, (room, len(self.shape)), DataType.I32, ()) as indices,
            NdArray(self._runtime, (room,), self.data_type, self.elem_shape) as values,
        ):
            count.fill(0)
            yield count, indices, values

    def _of_array(self, accessor: Kernel | None) -> Kernel:
        if accessor is None:
            raise NotSupportedError(
                f"{self!r} is too large for an array: to_sparse() and write_sparse() copy elements of it"
            )
        return accessor

    def _checked(self, array: NdArray) -> NdArray:
        """Return `array` if it has the field's shape and type; raise otherwise."""
        self._module.require_open()
        if type(array) is not NdArray:
            raise ArgumentTypeError(
                f"expected an NdArray, not {describe(array)}; write() and to_numpy() copy from and to the host"
            )
        if (array.data_type, array.elem_shape) != (self.data_type, self.elem_shape):
            raise ArgumentTypeError(f"cannot copy between {self!r} and {array!r}")
        if array.shape != self.shape:
            raise InvalidArgumentError(f"cannot copy between {self!r} and {array!r}")
        return array

    def _array(self) -> NdArray:
        """Create an array for an accessor."""
        # Each operation has an array of its own: operations of other threads may interleave with it.
        self._module.require_open()
        return NdArray(self._runtime, self.shape, self.data_type, self.elem_shape)

    def __getitem__(self, key: int | tuple[int, ...] | None) -> Any:
        """Return a number, or a read-only copy of a vector or matrix, which copies the whole field: see `to_numpy`."""
        item = self.to_numpy()[self._place(key)].copy()
        if self.elem_shape:
            item.flags.writeable = False  # a change of its components would be lost
        return item

    def __setitem__(self, key: int | tuple[int, ...] | None, value: Any) -> None:
        """Write an element, which copies the whole field if it is dense: see `write_sparse`."""
        place = self._place(key)
        if place:
            self.write_sparse([place], [value], casting="same_kind")
        else:
            self.from_numpy(value)

    def _place(self, key: Any) -> tuple[int, ...]:
        """Return the index of an element."""
        keys: tuple[Any, ...] = () if key is None else tuple(key) if type(key) in (tuple, list) else (key,)
        if len(keys) != self.ndim or not all(hasattr(each, "__index__") for each in keys):
            raise ArgumentTypeError(
                f"{self!r} cannot be indexed by {short(key)}; the numpy array from to_numpy(), a copy to change and "
                "write() back, has all of numpy's indexing"
            )
        place = tuple([as_integer(each, "an index") for each in keys])
        if not all(0 <= each < size for each, size in zip(place, self.shape, strict=True)):
            raise ArgumentIndexError(f"index {short(key)} is outside {self!r}")
        return place

    if not TYPE_CHECKING:
        __iter__ = None  # otherwise iter() would try indices

    def __len__(self) -> int:
        if not self.shape:
            raise ArgumentTypeError("len() of a 0-dimensional Field")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<{'closed ' if self.closed else ''}Field {self._info} on {self._runtime.arch}>"


refuse_in_place(Field)
state_absent(
    Field,
    {
        "grad": "a gradient is a field of its own: export_field('x_grad', x.grad) in the source",
        "to_torch": "torch.from_numpy(field.to_numpy()) makes a tensor",
        "from_torch": "field.write(tensor) copies one, and tensor.cpu() one of a GPU",
        "snode": "the fields of a bundle have their places in memory: copy contents, or let kernels use them",
    },
)


class StructField:
    """The members of a struct field, as attributes. They are also fields by their names in `AotModule.fields`.

    Examples
    --------
    >>> particles = module.fields.particles                             # doctest: +SKIP
    >>> particles.mass.fill(1)                                          # doctest: +SKIP
    >>> array = particles.to_numpy()                                    # doctest: +SKIP
    >>> array["position"] += 1                                          # doctest: +SKIP
    >>> particles.write(array)                                          # doctest: +SKIP
    """

    __slots__ = ("_fields", "_prefix")
    _fields: Mapping[str, Field]
    _prefix: str

    def __init__(self, fields: Mapping[str, Field], prefix: str) -> None:
        object.__setattr__(self, "_fields", fields)
        object.__setattr__(self, "_prefix", prefix)

    def __getattr__(self, name: str) -> Any:  # a Field, or the members of a struct field
        return getattr(object.__getattribute__(self, "_fields"), f"{self._prefix}.{name}")

    if not TYPE_CHECKING:  # type checkers reject assignments

        def __setattr__(self, name, value):
            setattr(self._fields, f"{self._prefix}.{name}", value)

    def __dir__(self) -> list[str]:
        return sorted({*sorted(self._tree()), "copy_from", "fill", "from_numpy", "shape", "to_numpy", "write"})

    def __repr__(self) -> str:
        return f"<members of field {self._prefix}: {', '.join(sorted(self._tree()))}>"

    def _paths(self) -> list[str]:
        begin = f"{self._prefix}."
        return [name.removeprefix(begin) for name in self._fields if name.startswith(begin)]

    def _tree(self) -> Tree:
        return tree_of(tuple(self._paths()))

    def _members(self) -> dict[str, Field]:
        """Return the fields of all members by path; raise if they have different shapes."""
        members = {path: self._fields[f"{self._prefix}.{path}"] for path in self._paths()}
        shapes = {member.shape for member in members.values()}
        if len(shapes) > 1:
            raise InvalidArgumentError(f"{self!r} have different shapes, {short(sorted(shapes))}: copy each by itself")
        return members

    def to_numpy(self) -> npt.NDArray[Any]:
        """Copy all members into a structured array of the field's shape, after all earlier launches.

        Raises
        ------
        ValueError, OutOfMemoryError, DeviceLostError
            As for `Field.to_numpy`; ValueError also if the members have different shapes.
        """
        members = self._members()
        first = next(iter(members.values()))
        array = np.empty(first.shape, _dtype(self._tree(), list(members.values())))
        for path, member in members.items():
            _part(array, path)[...] = member.to_numpy()
        return array

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the members."""
        return next(iter(self._members().values())).shape

    def fill(self, value: NumberLike) -> None:
        """Set every number of all members to `value`, before all later launches."""
        for member in self._members().values():
            member.fill(value)

    def copy_from(self, source: StructField) -> None:
        """Copy a struct field of the same runtime, shape and members, on the device.

        Raises
        ------
        TypeError, ValueError
            As for `Field.copy_from` of each member; TypeError also if the members differ.
        """
        members, others = self._members(), source._members() if type(source) is StructField else {}
        if members.keys() != others.keys():
            raise ArgumentTypeError(f"cannot copy {describe(source)} into {self!r}")
        for path, member in members.items():
            member.copy_from(others[path])

    def __getitem__(self, key: int | tuple[int, ...] | None) -> Any:
        """Return a read-only copy of an element, a record with its members as attributes: see `Field.__getitem__`."""
        members = self._members()
        item = np.empty((), np.dtype((np.record, _dtype(self._tree(), list(members.values())))))
        for path, member in members.items():
            _part(item, path)[...] = member[key]
        item.flags.writeable = False  # a change of its members would be lost
        return item[()]

    def __setitem__(self, key: int | tuple[int, ...] | None, value: Any) -> None:
        """Write an element from a record or a mapping of all members: see `Field.__setitem__`."""
        for path, member in self._members().items():
            member[key] = self._member(value, path)

    if not TYPE_CHECKING:
        __iter__ = None  # otherwise iter() would try indices

    def from_numpy(self, array: npt.ArrayLike | Mapping[str, Any]) -> None:
        """Copy a structured array, or a mapping of members to arrays: `write` with the casting ``"same_kind"``."""
        self.write(array, casting="same_kind")

    def write(self, array: npt.ArrayLike | Mapping[str, Any], *, casting: Casting = "safe") -> None:
        """Copy a structured array, or a mapping of members to arrays, into the field, before all later launches.

        Raises
        ------
        TypeError, OverflowError, ValueError, OutOfMemoryError
            As for `Field.write` of each member; TypeError also if a member is missing. Members before a wrong one are
            written.
        """
        values: Any = array if isinstance(array, Mapping) else np.asarray(array)
        for path, member in self._members().items():
            member.write(self._member(values, path), casting=casting)

    def _member(self, values: Any, path: str) -> Any:
        """Return a member of what is written."""
        try:
            return _part(values, path)
        except (IndexError, KeyError, TypeError, ValueError):
            raise ArgumentTypeError(f"{self._prefix}.{path}: {describe(values)} has no such member") from None


def _dtype(tree: Tree, members: list[Field]) -> np.dtype[Any]:
    """Return the structured type of members, which the tree numbers."""
    parts = {name: members[each] if isinstance(each, int) else _dtype(each, members) for name, each in tree.items()}
    return np.dtype(
        [
            (name, part) if isinstance(part, np.dtype) else (name, part.dtype, part.elem_shape)
            for name, part in parts.items()
        ]
    )


def _part(values: Any, path: str) -> Any:
    for name in path.split("."):
        values = values[name]
    return values
