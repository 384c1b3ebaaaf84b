"""What `Runtime.memory_info` returns."""

from __future__ import annotations

from typing import NamedTuple


class MemoryInfo(NamedTuple):
    """The memory of a runtime and its device, in bytes; see `Runtime.memory_info`.

    Attributes
    ----------
    in_use : int
        The open arrays, images and other memory of the runtime. On CPUs and CUDA sizes are rounded up by at most an
        eighth, or to the smallest block: 4096 bytes on CPUs, 512 on CUDA.
    pooled : int
        What `Runtime.trim` would free.
    free : int or None
        What this process can still get on the device.
    total : int or None
        The memory of the device.

    Examples
    --------
    >>> MemoryInfo(in_use=4096, pooled=0, free=3 << 30, total=4 << 30)
    <MemoryInfo 4.0 KiB in use, 0 B pooled, 3.0 GiB of 4.0 GiB free>
    >>> MemoryInfo(in_use=4096, pooled=0, free=None, total=None).free is None
    True
    """

    in_use: int
    pooled: int
    free: int | None
    total: int | None

    def __repr__(self) -> str:
        return f"<MemoryInfo {_text(self.in_use)} in use, {_text(self.pooled)} pooled{self._device()}>"

    def _device(self) -> str:
        if self.total is None:
            return ""
        return (
            f", {_text(self.total)} in total"
            if self.free is None
            else f", {_text(self.free)} of {_text(self.total)} free"
        )


def _text(size: float) -> str:
    """Return a number of bytes in the largest binary unit below it."""
    if size < 1024:
        return f"{size} B"
    for unit in ("KiB", "MiB", "GiB"):
        size /= 1024
        if size < 1024:
            return f"{size:.1f} {unit}"
    return f"{size / 1024:.1f} TiB"
