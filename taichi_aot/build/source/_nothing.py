"""Objects for what a program shows or stores, and for the numbers that it reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Nothing:
    """An object that can be called, indexed, iterated and calculated with, and does nothing.

    Its results are the object itself; as a number it is 0, and as a collection it is empty.
    """

    def __call__(self, *arguments: Any, **options: Any) -> Nothing:
        return self

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("_"):  # numpy, copy and Taichi ask by such names what an object is
            raise AttributeError(name)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        pass

    def __enter__(self) -> Nothing:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __getitem__(self, key: object) -> Nothing:
        return self

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def __iter__(self) -> Iterator[Nothing]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False

    def __int__(self) -> int:
        return 0

    def __index__(self) -> int:
        return 0

    def __float__(self) -> float:
        return 0.0

    def __lt__(self, other: object) -> bool:
        return False

    __gt__ = __le__ = __ge__ = __lt__


def _calculate(nothing: Nothing, *others: object) -> Nothing:
    return nothing


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
    setattr(Nothing, f"__{_name}__", _calculate)
    setattr(Nothing, f"__r{_name}__", _calculate)
for _name in ("neg", "pos", "abs"):
    setattr(Nothing, f"__{_name}__", _calculate)

NOTHING = Nothing()


class SparseMatrix(Nothing):
    """A sparse matrix, its builder and its solver: the product with a vector, and the solution, is the vector."""

    def __call__(self, *arguments: Any, **options: Any) -> SparseMatrix:
        return self

    def __matmul__(self, other: Any) -> Any:
        return other

    def build(self, *arguments: Any, **options: Any) -> SparseMatrix:
        return self

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
