"""Check several calls that must raise."""

from __future__ import annotations

from collections.abc import Callable

Errors = type[BaseException] | tuple[type[BaseException], ...]


def assert_raises(errors: Errors, *calls: Callable[[], object], match: str = "") -> None:
    """Check that each call raises one of `errors` with a message that contains `match`."""
    for i, call in enumerate(calls):
        try:
            result = call()
        except errors as caught:
            message = str(caught)
        else:
            raise AssertionError(f"call {i} returned {result!r}")
        assert match in message, f"call {i} raised: {message}"
