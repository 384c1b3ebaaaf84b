"""Counts of the live objects of this process."""

from __future__ import annotations

import gc

from ..driver._library import ffi
from ._memory import AllocationHandle, MemoryHandle
from ._module import ModuleHandle
from ._on_device import Release
from ._runtime import RuntimeHandle, State


def object_counts() -> dict[str, int]:
    """Count the live objects of this process, to find leaks.

    Returns
    -------
    dict of str to int
        The numbers of ``"runtimes"`` that are not closed; of ``"memories"``, ``"modules"`` and ``"images"`` that are
        neither closed nor collected; and of ``"views"`` of numpy and other libraries that keep memory mapped.
        Memories are arrays, allocations, and the memory for kernels' return values.

    Notes
    -----
    The function scans all objects that the garbage collector tracks, which takes milliseconds. Creating and dropping
    objects costs nothing extra.

    Examples
    --------
    >>> before = object_counts()["memories"]
    >>> memory = rt.allocate(64)
    >>> object_counts()["memories"] - before
    1
    """
    counts = {"runtimes": 0, "memories": 0, "modules": 0, "images": 0, "views": 0}
    hold = ffi.typeof("taichi_aot_hold *")
    for thing in gc.get_objects():
        kind = type(thing)  # pyright: ignore[reportUnknownVariableType]
        if kind is RuntimeHandle:
            counts["runtimes"] += thing.state in (State.OPEN, State.CLOSING)
        elif kind is ModuleHandle:
            counts["modules"] += not thing.closed
        elif kind is Release and ffi.typeof(thing.c) is hold:
            counts["views"] += bool(thing.c.is_active)
        elif issubclass(kind, AllocationHandle):
            counts["memories" if issubclass(kind, MemoryHandle) else "images"] += not thing.closed
    return counts
