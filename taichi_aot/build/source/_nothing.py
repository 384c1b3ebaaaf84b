"""Objects for what a program shows or stores, and for the numbers that it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


class Nothing:
    """An object that can be called, indexed, iterated and calculated with, and does nothing.

    Its results are the object itself; as a number it is 0, and as a collection it is empty.
    """

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("_"):  # numpy, copy and Taichi ask by such names what an object is
            raise AttributeError(name)
        return self

    def __iter__(self) -> Iterator[Nothing]:
        return iter(())


def _returning(value: object) -> Callable[..., object]:
    return lambda self, *arguments, **options: value


_CALCULATIONS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
for _name in ("call", "enter", "getitem", "neg", "pos", "abs", *_CALCULATIONS, *(f"r{name}" for name in _CALCULATIONS)):
    setattr(Nothing, f"__{_name}__", lambda self, *arguments, **options: self)
for _name in ("setattr", "setitem", "exit"):
    setattr(Nothing, f"__{_name}__", _returning(None))
for _name, _value in {"len": 0, "int": 0, "index": 0, "float": 0.0}.items():
    setattr(Nothing, f"__{_name}__", _returning(_value))
for _name in ("bool", "lt", "gt", "le", "ge"):
    setattr(Nothing, f"__{_name}__", _returning(False))

NOTHING = Nothing()


class SparseMatrix(Nothing):
    """A sparse matrix, its builder and its solver: the product with a vector, and the solution, is the vector."""

    def __matmul__(self, other: Any) -> Any:
        return other

    def solve(self, vector: Any) -> Any:
        return vector


class _Zero:
    """A zero that can be divided by, with itself as the result."""

    def _divide(self, other: object) -> Any:
        return self if isinstance(other, (int, float)) else NotImplemented

    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _divide


class ZeroFloat(_Zero, float):
    """The number 0.0."""


class ZeroInt(_Zero, int):
    """The number 0."""
