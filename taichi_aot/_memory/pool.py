"""Blocks of memory that the library did not allocate but knows: pooled and reused together with their handles."""

from __future__ import annotations

from typing import Any

from .._ffi.library import ffi, lib
from .._handles.memory import MemoryHandle
from .._handles.runtime import RuntimeHandle

__all__ = ["Block", "BlockMemory", "capacity_class"]


class Block:
    """Bytes at an address, with the handle that the library knows them by.

    Its state, which launches look at, counts its uses: one that was packed for an earlier use does not fit any more.

    Parameters
    ----------
    owner : object
        What keeps the bytes.
    address : int
        Where they are, for the host or the device.
    capacity : int
        How many there are; 0 for those of somebody else, which no pool keeps.
    native : cdata
        ``TiMemory``.
    """

    __slots__ = ("address", "capacity", "native", "owner", "state", "ticket")

    def __init__(self, owner: Any, address: int, capacity: int, native: Any) -> None:
        self.owner = owner
        self.address = address
        self.capacity = capacity
        self.native = native
        self.ticket = 1
        self.state = ffi.new("int64_t *", 1)


class BlockMemory(MemoryHandle):
    """A block in use."""

    __slots__ = ("block", "is_dropped", "is_exported")

    def __init__(
        self, runtime: RuntimeHandle, block: Block, size: int, *, host_read: bool = True, host_write: bool = True
    ) -> None:
        # Written out instead of calling up: this is most of what an array costs.
        self.runtime = runtime
        self.native = block.native
        self.size = size
        self.host_read = host_read
        self.host_write = host_write
        self.state = block.state
        self.ticket = block.ticket
        self.open = True
        self.stage = None
        self.views = set()
        self.block: Block | None = block
        self.is_exported = False  # somebody was told the address who does not say when it is done
        self.is_dropped = False  # the finalizer ran: nobody can be using it

    @property
    def block_address(self) -> int:
        """Where it is, for the host or the device."""
        assert self.block is not None
        return self.block.address

    def export(self) -> int:
        """The address, for somebody who keeps this handle while using it: the block stays until the finalizer runs."""
        self.is_exported = True
        return self.block_address

    def release(self) -> None:
        block = self.block
        if block is None:
            return
        if self.open:
            self.open = False
            block.ticket += 1
            self.store_ticket(block)
        if self.is_dropped or not self.is_exported:
            self.block = None
            self.give_back(block)

    def store_ticket(self, block: Block) -> None:
        """Let launches see that the use is over."""
        lib.taichi_aot_store(self.runtime.native.pointer, block.state, block.ticket)

    def give_back(self, block: Block) -> None:
        """Hand the block to its pool."""
        raise NotImplementedError


def capacity_class(size: int, smallest: int) -> int:
    """`size` rounded up to one of eight steps per power of two, so that blocks of similar size are shared."""
    step = max(smallest, 1 << (size - 1).bit_length() >> 4)
    return -(-size // step) * step
