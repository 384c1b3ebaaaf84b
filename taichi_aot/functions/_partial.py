"""Functions of which some arguments are fixed."""

from __future__ import annotations

import functools
import inspect
import pickle
from typing import TYPE_CHECKING, Any

from ..values._errors import ArgumentTypeError

if TYPE_CHECKING:
    import asyncio

    Partial = functools.partial[Any]
else:
    Partial = functools.partial

__all__ = ["PartialFunction"]


class PartialFunction(Partial):
    """A `Function` with fixed arguments, created by `Function.partial`: a `functools.partial` that can be compared.

    Examples
    --------
    >>> f = function("saxpy.tcm", "saxpy", out={"y": "x"}, arch="x64")
    >>> double = f.partial(a=2.0)
    >>> double(np.float32([1, 2]))
    array([2., 4.], dtype=float32)
    >>> double == f.partial(a=2.0)
    True
    """

    def __new__(cls, function: Any, /, *args: Any, **named: Any) -> PartialFunction:
        names = inspect.signature(function).parameters
        for name in named:
            if name not in names:
                raise ArgumentTypeError(f"{function.__name__}() has no parameter {name!r}: it has {', '.join(names)}")
        return super().__new__(cls, function, *args, **named)

    @property
    def __name__(self) -> str:
        name: str = self.func.__name__
        return name

    @property
    def __signature__(self) -> inspect.Signature:
        """The parameters that are left; positional arguments fill them in this order."""
        signature = inspect.signature(self.func)
        left = [each for name, each in signature.parameters.items() if name not in self.keywords]
        return signature.replace(parameters=left)

    def partial(self, /, **named: Any) -> PartialFunction:
        """Return a function with further fixed arguments; they replace those of the same names.

        Raises
        ------
        TypeError
            If the function has no parameter of that name.

        Examples
        --------
        >>> f = function("saxpy.tcm", "saxpy", out="y", arch="x64")
        >>> f.partial(a=2.0).partial(y=np.float32([1, 1]))(np.float32([1, 2]))
        array([3., 5.], dtype=float32)
        """
        return PartialFunction(self.func, **{**self.keywords, **named})

    def call_async(self, /, *args: Any, **kwargs: Any) -> asyncio.Future[Any]:
        """Call the function without blocking the event loop, as `Function.call_async`.

        Parameters
        ----------
        *args, **kwargs
            The arguments that are left.

        Raises
        ------
        RuntimeError
            If no event loop runs in this thread.

        Examples
        --------
        >>> import asyncio
        >>> double = function("saxpy.tcm", "saxpy", out={"y": "x"}, arch="x64").partial(a=2.0)
        >>> async def main():
        ...     return await double.call_async(np.float32([1, 2]))
        >>> asyncio.run(main())
        array([2., 4.], dtype=float32)
        """
        future: asyncio.Future[Any] = self.func.call_async(*args, **{**self.keywords, **kwargs})  # type: ignore[attr-defined]
        return future

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PartialFunction):
            return NotImplemented
        return self.func == other.func and self._fixed() == other._fixed()

    def __hash__(self) -> int:
        return hash((self.func, tuple(sorted(self.keywords))))

    def _fixed(self) -> bytes:
        """Return the fixed arguments in a form that can be compared, also if they are arrays."""
        return pickle.dumps(sorted(self.keywords.items(), key=lambda item: item[0]))

    def __dask_tokenize__(self) -> tuple[object, ...]:
        return "taichi_aot.PartialFunction", self.func, self.keywords

    def __repr__(self) -> str:
        fixed = ", ".join(f"{name}={value!r}" for name, value in self.keywords.items())
        return f"<PartialFunction {self.__name__} with {fixed}>"
