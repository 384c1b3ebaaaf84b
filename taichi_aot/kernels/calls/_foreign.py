"""Arrays of other libraries as arguments: imported without a copy, and kept alive."""

from __future__ import annotations

import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ...arrays._layout import ArrayLayout, array_layout
from ...driver._library import ffi
from ...handles._interchange import import_shared, shared_array
from ...handles._memory import MemoryHandle
from ...handles._runtime import RuntimeHandle
from ...values._dtypes import numpy_dtype, without_ones
from ...values._tensors import offers_memory, tensor_trouble
from ...values._wording import is_array

if TYPE_CHECKING:
    from ..._capi import taichi_aot_array_p
    from ._messages import Messages


class ForeignArray:
    """An array of another library as an argument; it keeps the array's memory alive."""

    __slots__ = ("_c", "_handle", "_layout", "readonly")

    def __init__(self, layout: ArrayLayout, handle: MemoryHandle, *, readonly: bool) -> None:
        self._layout = layout
        self._handle = handle
        self.readonly = readonly
        self._c: taichi_aot_array_p = ffi.new("taichi_aot_array *", layout.c[0])
        handle.place(self._c)

    @property
    def closed(self) -> bool:
        return self._handle.closed


class Importer:
    """Imports arrays for one parameter."""

    def __init__(self, messages: Messages, runtime: RuntimeHandle) -> None:
        self._messages = messages  # creates its exceptions
        self._parameter = messages.parameter
        self._runtime = runtime
        # Arrays that cannot change, by identity. An entry ends with its array.
        self._known: dict[int, tuple[weakref.ref[Any], ForeignArray]] = {}

    def __call__(self, value: Any) -> ForeignArray:
        """Return another library's array as an argument; raise if the parameter does not take it."""
        if value.__class__ is ForeignArray:  # of a launch whose kernel was reloaded
            return self._permitted(value)
        known = self.known(value)
        if known is not None:
            return known
        imported = self._permitted(self._import(value))
        kind: Any = value.__class__
        if kind.__module__.partition(".")[0] == "jaxlib":
            self._keep(value, imported)
        return imported

    def known(self, value: Any) -> ForeignArray | None:
        """Return an array that was imported before, and cannot have changed meanwhile; only JAX has such."""
        entry = self._known.get(id(value))
        return None if entry is None or value.is_deleted() else entry[1]

    def _keep(self, value: Any, imported: ForeignArray) -> None:
        known, number = self._known, id(value)
        with suppress(TypeError):  # it has no weak references
            known[number] = weakref.ref(value, lambda _: known.pop(number, None)), imported

    def _permitted(self, array: ForeignArray) -> ForeignArray:
        if array.readonly and self._parameter.access != "r":
            raise self._messages.read_only()
        return array

    def _import(self, value: Any) -> ForeignArray:
        runtime, parameter, messages = self._runtime, self._parameter, self._messages
        interchange = runtime.backend.interchange
        takes = interchange.shares_host or (interchange.shares_cuda and not is_array(value))
        if not takes or not offers_memory(value) or isinstance(value, type) or tensor_trouble(value):
            raise messages.wrong_type(value)
        try:
            shared = shared_array(value, interchange.dlpack_device(runtime), readonly=True)
        except (BufferError, TypeError, ValueError) as error:
            raise messages.not_shared(value, error) from None
        assert parameter.dtype is not None
        ndim = parameter.ndim
        elements = shared.shape[ndim:]
        is_same = elements == parameter.elem_shape or (not elements and not without_ones(parameter.elem_shape))
        is_other_shape = len(shared.shape) < ndim or not is_same
        if shared.dtype != numpy_dtype(parameter.dtype) or is_other_shape:
            raise messages.wrong_foreign(value, shared.dtype, shared.shape)
        layout = array_layout(shared.shape[:ndim], parameter.dtype, parameter.elem_shape)
        return ForeignArray(layout, import_shared(runtime, shared), readonly=shared.readonly)
