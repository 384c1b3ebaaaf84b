"""What a saved sequence launches with what: the contents of ``sequence.json``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from ..values._enums import DataType
from ..values._signature import Parameter

__all__ = ["FORMAT", "NOT_READ", "SavedLaunch", "SavedUntil", "SequenceInfo", "Value"]

FORMAT = 2  # 1 had the place of the number of `until` in the saved shape, which is another one in other shapes
NOT_READ = (DataType.F16, DataType.U1)  # numbers that cannot end a sequence
SHOWN = 10  # launches in a text

Value: TypeAlias = "int | float | Sequence[Value]"


class SavedLaunch(NamedTuple):
    """A launch: a kernel, a graph, or the gradient of a kernel, and its arguments.

    Attributes
    ----------
    kind : str
        ``"kernel"``, ``"graph"`` or ``"gradient"``.
    name : str
        Of the kernel or graph.
    arguments : tuple of str, number or sequence
        One for each parameter in order: the name of an array of the sequence, or the value of a scalar or matrix.
    """

    kind: str
    name: str
    arguments: tuple[str | Value, ...]

    def __str__(self) -> str:
        return f"{self.name}.grad" if self.kind == "gradient" else self.name


class SavedUntil(NamedTuple):
    """What ends the sequence: the item of an array by its indices, a bound, and the iterations from check to check."""

    array: str
    indices: tuple[int, ...]
    bound: float
    is_above: bool
    every: int

    def to_dict(self) -> dict[str, Any]:
        """The contents as dicts, strings and numbers, for ``json.dumps``."""
        side = "above" if self.is_above else "below"
        number = {"array": self.array, "indices": list(self.indices)}
        return number | {side: _to_json(self.bound), "check_every": self.every}

    def __str__(self) -> str:
        every = f", checked every {self.every} iterations" if self.every > 1 else ""
        return f"{self.number} is {'above' if self.is_above else 'below'} {self.bound:g}{every}"

    @property
    def number(self) -> str:
        """The number as Python writes it, such as ``x[1, 2]``."""
        return f"{self.array}[{', '.join(map(str, self.indices)) or '()'}]"


class SequenceInfo(NamedTuple):
    """A sequence that `LaunchSequence.save` has written into a bundle; see `ModuleInfo.sequence`.

    Attributes
    ----------
    parameters : tuple of Parameter
        The arrays and images that it takes by name. `Parameter.shape` is the shape of the array that was saved; others
        may be passed too.
    launches : tuple of SavedLaunch
        Its different launches.
    order : tuple of int
        The launches of an iteration, by their index in `launches`.
    until : SavedUntil or None
        What ends it early.

    Examples
    --------
    >>> rt.sequence([saxpy.bind(2.0, x, y)]).save("program.tib")
    >>> print(inspect("program.tib").sequence)
    sequence of saxpy
        x: ndarray[f32, 1, shape=(3,)]
        y: ndarray[f32, 1, shape=(3,)]
    """

    parameters: tuple[Parameter, ...]
    launches: tuple[SavedLaunch, ...]
    order: tuple[int, ...]
    until: SavedUntil | None = None

    def to_dict(self) -> dict[str, Any]:
        """The contents as dicts, lists, strings and numbers, for ``json.dumps``."""
        contents: dict[str, Any] = {
            "format": FORMAT,
            "parameters": [_parameter_to_dict(parameter) for parameter in self.parameters],
            "launches": [
                {"kind": each.kind, "name": each.name, "arguments": [_argument_to_dict(a) for a in each.arguments]}
                for each in self.launches
            ],
            "order": list(self.order),
        }
        return contents if self.until is None else contents | {"until": self.until.to_dict()}

    @property
    def title(self) -> str:
        """The launches by name, few of them, and what ends the sequence."""
        names = [str(self.launches[i]) for i in self.order[:SHOWN]] + ["..."] * (len(self.order) > SHOWN)
        count = f"{len(self.order)} launches: " if len(self.order) > SHOWN else ""
        return f"{count}{', '.join(names)}{f', until {self.until}' if self.until else ''}"

    def __str__(self) -> str:
        return "\n".join([f"sequence of {self.title}", *(f"    {parameter}" for parameter in self.parameters)])


def _parameter_to_dict(parameter: Parameter) -> dict[str, Any]:
    own: dict[str, Any] = {"name": parameter.name, "kind": parameter.kind, "ndim": parameter.ndim}
    if parameter.dtype is None:
        return own | {"format": parameter.format}
    more = {"dtype": str(parameter.dtype), "elem_shape": list(parameter.elem_shape), "shape": list(parameter.shape)}
    return own | more | ({"grad": True} if parameter.grad else {})


def _argument_to_dict(argument: str | Value) -> dict[str, Any]:
    return {"array": argument} if isinstance(argument, str) else {"value": _to_json(argument)}


def _to_json(value: Value) -> Any:
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return [_to_json(each) for each in value]
