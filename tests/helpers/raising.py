"""Several calls that must all raise."""

from __future__ import annotations

from collections.abc import Callable


def assert_raises(error: type[BaseException], *calls: Callable[[], object], match: str = "") -> None:
    """Check that each call raises `error`, and that `match` occurs in the message."""
    for i, call in enumerate(calls):
        try:
            result = call()
        except error as caught:
            message = str(caught)
        else:
            raise AssertionError(f"call {i} returned {result!r}")
        assert match in message, f"call {i} raised {error.__name__}: {message}"
