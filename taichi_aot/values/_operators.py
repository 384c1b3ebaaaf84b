"""The operators in place, which nothing on a device has."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from ._errors import ArgumentTypeError
from ._wording import with_article

BINARY = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "lshift": "<<",
    "rshift": ">>",
    "and": "&",
    "or": "|",
    "xor": "^",
}
_NUMBERS = "launch a kernel that computes it, or compute on the host: a.write(a.to_numpy() {} b)"


def refuse_in_place(cls: type[object], instead: str = _NUMBERS) -> None:
    """Make ``a += b`` and the like of a class raise TypeError; `instead` says what to write.

    Without these methods Python computes ``a + b``, which with a numpy array binds the name `a` to a copy on the host.
    """
    for name, symbol in BINARY.items():
        setattr(cls, f"__i{name}__", _refusal(symbol, instead.format(symbol)))


def _refusal(symbol: str, instead: str) -> Callable[[object, object], NoReturn]:
    def operator(self: object, other: object) -> NoReturn:
        noun = with_article(type(self).__name__)
        raise ArgumentTypeError(f"`a {symbol}= b` is not defined for {noun}; {instead}")

    return operator
