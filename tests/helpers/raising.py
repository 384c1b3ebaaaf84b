"""Check calls that must raise."""

from __future__ import annotations

from collections.abc import Callable

Errors = type[BaseException] | tuple[type[BaseException], ...]


def raised(call: Callable[[], object], errors: Errors = Exception, name: str = "the call") -> BaseException:
    """Return what a call raises: one of `errors`."""
    try:
        result = call()
    except errors as error:
        return error
    raise AssertionError(f"{name} returned {result!r}")


def assert_raises(errors: Errors, *calls: Callable[[], object], match: str = "") -> None:
    """Check that each call raises one of `errors` with a message that contains `match`."""
    for i, call in enumerate(calls):
        message = str(raised(call, errors, f"call {i}"))
        assert match in message, f"call {i} raised: {message}"
