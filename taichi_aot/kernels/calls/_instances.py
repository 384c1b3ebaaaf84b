"""The instances of a kernel: those that one function of a source has for different template arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ...values._errors import NameNotFoundError, short

if TYPE_CHECKING:
    from ...bundle._info import Instance


class Instances:
    """The instances of one function, by the names of their kernels."""

    __slots__ = ("_find", "_instances")

    def __init__(self, instances: Mapping[str, Instance], find: Callable[[str], Any]) -> None:
        self._instances = instances
        self._find = find

    def select(self, values: object) -> Any:
        """Return the kernel with these template arguments, in their order; KeyError if there is none."""
        several = cast("tuple[object, ...]", values) if isinstance(values, tuple) else (values,)
        given = tuple(map(_normal, several))
        for name, instance in self._instances.items():
            if _is_same(given, tuple(instance.values.values())):
                return self._find(name)
        of = next(iter(self._instances.values())).of
        known = ", ".join(f"{each} ({name})" for name, each in self._instances.items())
        wanted = ", ".join(map(short, given))
        raise NameNotFoundError(f"{of}() has no instance for [{wanted}]; the module has {known}")

    def split(
        self, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> tuple[tuple[object, ...], list[Any], dict[str, Any]] | None:
        """Return the template arguments of a call with all of the function's, and the others; None for other calls."""
        instance = next(iter(self._instances.values()))
        order = instance.parameters
        if len(args) + len(kwargs) != len(order) or not kwargs.keys() <= set(order[len(args) :]):
            return None
        given = {**dict(zip(order, args, strict=False)), **kwargs}
        values = tuple(given.pop(name) for name in instance.values)
        by_position = [given.pop(name) for name in order[: len(args)] if name in given]
        return values, by_position, given


def _normal(value: object) -> object:
    """Return a value as modules state it: fields by their names, and those of structs by theirs."""
    return getattr(value, "_prefix", None) or getattr(value, "name", value)


def _is_same(given: tuple[object, ...], stated: tuple[object, ...]) -> bool:
    return len(given) == len(stated) and all(
        type(a) is type(b) and a == b if isinstance(a, (bool, str)) or isinstance(b, (bool, str)) else a == b
        for a, b in zip(given, stated, strict=True)
    )
