"""Texts for numbers and times."""

from __future__ import annotations

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def four_digits(value: float) -> str:
    """Format a number with four digits, or with all digits before the decimal point."""
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"


def unit_of(seconds: float) -> tuple[float, str]:
    """Return the unit in which a time reads best, in seconds, and its name."""
    return next((unit for unit in _UNITS if abs(seconds) >= unit[0]), _UNITS[-1])


def with_unit(seconds: float) -> str:
    """Format a time, such as ``"1.234 ms"``."""
    unit, name = unit_of(seconds)
    return f"{four_digits(seconds / unit)} {name}"
