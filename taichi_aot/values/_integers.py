"""Integers that callers pass."""

from __future__ import annotations

import operator
from typing import Any

from ._errors import ArgumentTypeError
from ._wording import describe


def as_integer(value: Any, what: str) -> int:
    """Return `value` as an int; `what` names it in the TypeError if it is not an integer."""
    try:
        return int.__index__(operator.index(value))
    except TypeError:
        raise ArgumentTypeError(f"{what} must be an integer, not {describe(value)}") from None
