"""How many objects of this process are alive."""

from __future__ import annotations

import gc

from .memory import Hold, MemoryHandle
from .module import ModuleHandle
from .runtime import RuntimeHandle, State

__all__ = ["object_counts"]


def object_counts() -> dict[str, int]:
    """Count what is alive in this process: to find leaks, and in tests.

    Returns
    -------
    dict of str to int
        ``"runtimes"`` that are not closed, ``"memories"`` (arrays and allocations) and ``"modules"`` that are neither
        closed nor dropped, and ``"views"`` of memory, of numpy and of other libraries, that keep it mapped.

    Notes
    -----
    It looks at all objects that the garbage collector knows, which takes milliseconds; creating and dropping objects
    costs nothing for it.

    Examples
    --------
    >>> from taichi_aot import object_counts
    >>> object_counts()
    {'runtimes': 0, 'memories': 0, 'modules': 0, 'views': 0}
    """
    counts = {"runtimes": 0, "memories": 0, "modules": 0, "views": 0}
    for thing in gc.get_objects():
        kind = type(thing)  # pyright: ignore[reportUnknownVariableType]
        if kind is RuntimeHandle:
            counts["runtimes"] += thing.state in (State.OPEN, State.CLOSING)
        elif kind is ModuleHandle:
            counts["modules"] += not thing.closed
        elif kind is Hold:
            counts["views"] += bool(thing.c.is_active)
        elif issubclass(kind, MemoryHandle):
            counts["memories"] += not thing.closed
    return counts
