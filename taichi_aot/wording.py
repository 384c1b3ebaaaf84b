"""How messages show values that a user gave: bounded in length, and without running the user's code."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

__all__ = ["as_integer", "describe", "short"]

LONGEST = 40  # characters of a value
MOST = 24  # items of a sequence: those of the longest shape with its element shape


def as_integer(value: Any, what: str) -> int:
    """`value` as an int; `what` names it in the TypeError if it is not an integer."""
    try:
        return int.__index__(operator.index(value))
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {describe(value)}") from None


def describe(value: object) -> str:
    """The type of a value, with the value itself if it is a plain Python number or str."""
    if isinstance(value, np.ndarray):
        plain = np.ndarray.view(value, np.ndarray)
        library = "masked" if isinstance(value, np.ma.MaskedArray) else "numpy"
        return f"a {library} array of {plain.dtype} with shape {plain.shape}"
    kind = _type_of(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return f"{name} {short(value)}" if kind in (int, float, str, bool) else name


def short(value: object) -> str:
    """A value in about 40 characters, or the items of a tuple or list; else its type, because code of the user would
    make its text.
    """
    if isinstance(value, np.ndarray) and np.ndarray.view(value, np.ndarray).ndim == 0:
        value = np.ndarray.view(value, np.ndarray)[()]
    kind = _type_of(value)
    if isinstance(value, tuple | list) and kind in (tuple, list):
        return _short_sequence(value)
    if kind is int and isinstance(value, int) and value.bit_length() > 1000:  # Python refuses to print very long ones
        return f"an integer of {value.bit_length()} bits"
    if kind in (int, float, str, bool):
        text = repr(value[:LONGEST] if isinstance(value, str) else value)
        longer = isinstance(value, str) and len(value) > LONGEST
    elif kind.__module__ == "numpy" and issubclass(kind, np.generic):
        text, longer = str(value), False
    else:
        return describe(value)
    return f"{text[:LONGEST]}..." if longer or len(text) > LONGEST + 2 else text


def _short_sequence(values: tuple[object, ...] | list[object]) -> str:
    items = [_type_of(item).__qualname__ if isinstance(item, tuple | list) else short(item) for item in values[:MOST]]
    if len(values) > MOST:
        items.append(f"... {len(values)} in all")
    if isinstance(values, list):
        return f"[{', '.join(items)}]"
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _type_of(value: object) -> type[Any]:
    return type(value)
