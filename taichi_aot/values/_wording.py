"""Texts for user values in messages: bounded in length, and made without running user code."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence, Sized
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

LONGEST = 40  # characters of a value
PUBLIC_ROOMS = ("build", "capi", "demo", "distributed", "interop", "isolated")  # whose classes users import from there
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
MOST = 24  # items of a sequence: enough for the longest shape with its element shape


def count(items: Sized | int, noun: str) -> str:
    """Return the number of items with their noun: ``"1 kernel"``, ``"2 kernels"``."""
    number = items if isinstance(items, int) else len(items)
    return f"{number} {noun}{'s' * (number != 1)}"


def with_article(noun: str) -> str:
    """Return a noun with its article: ``"a Memory"``, ``"an NdArray"``."""
    return f"{'an' if noun[0] in 'AEIO' or noun in ('NdArray', 'UntilSequence') else 'a'} {noun}"


def is_array(value: object) -> TypeGuard[npt.NDArray[Any]]:
    """Return whether it is a numpy array, of any class."""
    return isinstance(value, np.ndarray)


def is_masked(value: object) -> bool:
    # Masked arrays do not exist before `numpy.ma` is imported, so this does not import it.
    return isinstance(value, getattr(sys.modules.get("numpy.ma"), "MaskedArray", ()))


def describe(value: object) -> str:
    """Return the type of a value, with the value itself if it is a plain Python number or str."""
    if is_array(value):
        plain = np.ndarray.view(value, np.ndarray)
        library = "masked" if is_masked(value) else "numpy"
        return f"a {library} array of {plain.dtype} with shape {plain.shape}"
    if isinstance(value, type):
        return f"the class {value.__qualname__}"
    kind = type_of(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{_public_place(kind)}.{kind.__qualname__}"
    return f"{name} {short(value)}" if kind in (int, float, str, bool) else name


def _public_place(kind: type) -> str:
    """Return the module from which users import a class: the classes of this package stand in private modules."""
    package, _, rest = kind.__module__.partition(".")
    if package != "taichi_aot" or not rest:
        return kind.__module__
    public = rest.partition("._")[0]
    return f"{package}.{public}" if public.partition(".")[0] in PUBLIC_ROOMS else package


def short(value: object) -> str:
    """Return a value in about 40 characters, or the items of a tuple or list; otherwise its type."""
    if is_array(value) and np.ndarray.view(value, np.ndarray).ndim == 0:
        value = np.ndarray.view(value, np.ndarray)[()]
    kind = type_of(value)
    if _is_sequence(value):
        return _short_sequence(value, kind)
    if type(value) is int and value.bit_length() > 1000:  # Python refuses to print integers of very many digits
        return f"an integer of {value.bit_length()} bits"
    if type(value) is str and len(value) > LONGEST:
        return f"{value[:LONGEST]!r}"[:LONGEST] + "..."
    is_numpy = kind.__module__ == "numpy" and issubclass(kind, np.generic)
    if kind not in (int, float, str, bool) and not is_numpy:  # user code would make its text
        return describe(value)
    text = str(value) if is_numpy else repr(value)
    return text if len(text) <= LONGEST + 2 else f"{text[:LONGEST]}..."


def _short_sequence(values: Sequence[object], kind: type[Any]) -> str:
    items = [type_of(item).__qualname__ if _is_sequence(item) else short(item) for item in values[:MOST]]
    if len(values) > MOST:
        items.append(f"... {len(values)} in all")
    if kind is list:
        return f"[{', '.join(items)}]"
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    return type(value) in (tuple, list)


def type_of(value: object) -> type[Any]:
    return type(value)


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


PACKAGE = __name__.partition(".")[0]


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn, with the line outside of this package that has led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", PACKAGE).partition(".")[0] == PACKAGE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
