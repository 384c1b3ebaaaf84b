"""Objects for what a program shows or stores, and for the numbers that it reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Nothing:
    """An object that can be called, indexed, iterated and calculated with, and does nothing.

    Its results are the object itself; as a number it is 0, and as a collection it is empty.
    """

    def _itself(self, *arguments: Any, **options: Any) -> Nothing:
        return self

    __call__ = __enter__ = __getitem__ = _itself

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("_"):  # numpy, copy and Taichi ask by such names what an object is
            raise AttributeError(name)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass

    __setitem__ = __exit__

    def __iter__(self) -> Iterator[Nothing]:
        return iter(())

    def __int__(self) -> int:
        return 0

    __len__ = __index__ = __int__

    def __float__(self) -> float:
        return 0.0

    def _is_false(self, *others: object) -> bool:
        return False

    __bool__ = __lt__ = __gt__ = __le__ = __ge__ = _is_false


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
    setattr(Nothing, f"__{_name}__", Nothing._itself)
    setattr(Nothing, f"__r{_name}__", Nothing._itself)
for _name in ("neg", "pos", "abs"):
    setattr(Nothing, f"__{_name}__", Nothing._itself)

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
