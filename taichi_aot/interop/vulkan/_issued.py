"""Handles that this package exported: importing one finds and holds the runtime, memory or image that owns it.

Handles are numbers that drivers reuse: a number identifies an exported object only while that object is alive. All
imports of a number share one hold on its owner.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from typing import Generic, TypeAlias, TypeVar

from ...driver._library import lib
from ...handles._memory import AllocationHandle, Hold
from ...handles._runtime import RuntimeHandle
from ...values._errors import ObjectStateError
from ._info import VulkanImageInfo, VulkanMemoryInfo, VulkanRuntimeInfo

Handle = TypeVar("Handle", bound=RuntimeHandle | AllocationHandle)
AnyInfo: TypeAlias = VulkanRuntimeInfo | VulkanMemoryInfo | VulkanImageInfo


class OwnerHold(Hold, Generic[Handle]):
    """Keeps an import usable: delays destroying its runtime, and prevents closing its memory or image."""

    __slots__ = ("owner",)

    def __init__(self, owner: Handle) -> None:
        runtime, memory = (owner, None) if isinstance(owner, RuntimeHandle) else (owner.runtime, owner)
        super().__init__(runtime, memory, lib.TAICHI_AOT_HOLD_DEVICE)
        self.owner = owner


class Issued(Generic[Handle]):
    """Exported numbers and weak references to their owners."""

    def __init__(self) -> None:
        self._owners: weakref.WeakValueDictionary[Hashable, Handle] = weakref.WeakValueDictionary()
        self._holds: weakref.WeakValueDictionary[Hashable, OwnerHold[Handle]] = weakref.WeakValueDictionary()
        self._imported: weakref.WeakKeyDictionary[Handle, weakref.ref[Handle] | None] = weakref.WeakKeyDictionary()

    def add_export(self, number: Hashable, handle: Handle, info: AnyInfo) -> None:
        """Note that a handle was exported as a number, and mark the info with the owner of the number."""
        if handle not in self._imported:
            self._owners[number] = handle
        object.__setattr__(info, "_owner", self._imported.get(handle, weakref.ref(handle)))

    def add_import(self, handle: Handle, hold: OwnerHold[Handle] | None) -> None:
        """Note that a handle imports the object of a hold, or with None an object of the application."""
        self._imported[handle] = None if hold is None else weakref.ref(hold.owner)

    def hold(self, number: Hashable, info: AnyInfo) -> OwnerHold[Handle] | None:
        """Return a hold on the owner of the number in an info; None if no open object of this package owns it."""
        hold, own = self._holds.get(number), self._owners.get(number)
        if hold is None and own is not None and not own.closed:
            hold = self._holds[number] = OwnerHold(own)
        owner = info._owner
        if owner is not None and (hold is None or hold.owner is not owner()):
            raise ObjectStateError("the object that the info was exported from is closed, so its handles are invalid")
        return hold


issued_devices: Issued[RuntimeHandle] = Issued()  # by VkDevice
issued_buffers: Issued[AllocationHandle] = Issued()  # by VkDevice and VkBuffer
issued_images: Issued[AllocationHandle] = Issued()  # by VkDevice and VkImage
