"""Read environment variables by one rule: a wrong value raises ValueError, which names the variable."""

from __future__ import annotations

import os
import re

# Blanks as C's isspace defines them, not as Python does, and any number of leading zeros.
INTEGER = r"[ \t\n\v\f\r]*([+-]?)0*([0-9]{1,10})"


def read_integer(name: str) -> int | None:
    """Return the integer that the library reads from a variable; None if it is not set."""
    value = os.environ.get(name)
    if value is None:
        return None
    match = re.fullmatch(INTEGER, value)
    if match is None or int(match[2]) >= 2**31:
        raise ValueError(
            f"the environment variable {name} must be a 32-bit integer, not {value!r}: "
            "the Taichi C-API library would abort the process"
        )
    return int(match[1] + match[2])


def is_set(name: str) -> bool:
    return bool(os.environ.get(name))


def read_count(name: str, most: int) -> int | None:
    """Return the number in a variable of this package; None if it is not set."""
    value = os.environ.get(name)
    if value is None:
        return None
    if not re.fullmatch("[0-9]{1,9}", value) or not 1 <= int(value) <= most:
        raise ValueError(f"the environment variable {name} must be a number from 1 to {most}, not {value!r}")
    return int(value)


def read_switch(name: str) -> bool | None:
    """Return whether a variable of this package is on (1) or off (0); None if it is not set."""
    value = os.environ.get(name)
    if value not in (None, "0", "1"):
        raise ValueError(f"the environment variable {name} must be 0 or 1, not {value!r}")
    return None if value is None else value == "1"
