"""Names of parameters that are paths: ``pack.inner.x`` is the array ``x`` of an argument ``pack``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from ._errors import InvalidArgumentError

Tree: TypeAlias = (
    "dict[str, int | Tree]"  # the indices of parameters by their names, those of packs by that of the pack
)


@lru_cache(maxsize=256)  # many kernels have the same
def tree_of(names: tuple[str, ...]) -> Tree:
    """Return the arguments of a call by name; ValueError if one name is that of a parameter and of a pack."""
    tree: Tree = {}
    for i, name in enumerate(names):
        *packs, last = name.split(".")
        inner = tree
        for pack in packs:
            found = inner.setdefault(pack, {})
            if isinstance(found, int):
                raise InvalidArgumentError(f"{name!r} is a member of a parameter that is not an argument pack")
            inner = found
        if last in inner:
            raise InvalidArgumentError(f"the name {name!r} occurs twice")
        inner[last] = i
    return tree


def nested(names: Sequence[str], values: Sequence[Any]) -> list[Any]:
    """Return the arguments of a call, given those of all parameters: a dict for each pack."""
    return list(_nested(tree_of(tuple(names)), values).values())


def _nested(tree: Tree, values: Sequence[Any]) -> dict[str, Any]:
    return {name: values[each] if isinstance(each, int) else _nested(each, values) for name, each in tree.items()}
