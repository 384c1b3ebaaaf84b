"""What the public owners of native objects share."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["Resource"]

Self = TypeVar("Self", bound="Resource")


class Resource:
    """What all public owners share: `close`, `closed`, the context manager, and no copies."""

    __slots__ = ("__weakref__",)

    @property
    def closed(self) -> bool:
        """Whether this object, or what it belongs to, was closed. Every other use then raises ValueError."""
        raise NotImplementedError

    def close(self) -> None:
        """Release the native object. Closing twice is fine."""
        raise NotImplementedError

    def __enter__(self: Self) -> Self:
        if self.closed:
            raise ValueError(f"{self!r} cannot be entered again")
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def __reduce__(self) -> str:
        raise TypeError(f"cannot pickle or copy a {type(self).__name__}: it owns a native object of this process")
