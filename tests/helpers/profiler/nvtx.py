"""Stands for the package nvtx of a process that a profiler listens to: it prints the ranges."""

from __future__ import annotations

_open: list[str] = []


class annotate:  # noqa: N801
    """A range of the block of a ``with`` statement."""

    def __init__(self, message: str, *, domain: str, payload: int | None) -> None:
        assert domain == "taichi_aot"
        self._text = message if payload is None else f"{message}, {payload} bytes"

    def __enter__(self) -> None:
        print("  " * len(_open) + self._text)
        _open.append(self._text)

    def __exit__(self, *_: object) -> None:
        assert _open.pop() == self._text
