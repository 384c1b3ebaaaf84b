"""Memory of the host, in pages that the system provides when they are written."""

from __future__ import annotations

import mmap

from ..values._errors import OutOfMemoryError


def anonymous_pages(size: int) -> mmap.mmap:
    """Return memory of zeros; OutOfMemoryError if the system does not have enough."""
    try:
        if hasattr(mmap, "MAP_PRIVATE"):  # the kernel merges adjacent private mappings; it limits their number
            return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        return mmap.mmap(-1, size)
    except (OSError, OverflowError, ValueError) as reason:
        raise OutOfMemoryError(f"the host cannot allocate {size} bytes: {reason}") from None
